/**
 * The time that batches of one shape take PostgreSQL, measured in their runs. It decides which batches share a connection:
 * quick ones do, moderate ones beside quick ones, slow ones have it to themselves.
 */

/** `moderate`: unknown, or a few milliseconds; at most one of them is on a shared connection. */
export type PaceClass = 'quick' | 'moderate' | 'slow';

/** The measurements of one shape. Mutable: all batches of the shape refer to the same value. */
export interface Pace {
  /** Moving average in milliseconds; null before the first run. */
  expectedMs: number | null;
  /** Length of the longest column of the last result, in bytes. */
  resultBytes: number;
  /** Timely runs that are needed before the shape shares a connection again; 0 if it does. */
  probation: number;
  /** Overruns since the probation began. */
  recentOverruns: number;
  /** Overruns, less those that timely runs have made up for. */
  overruns: number;
  /** Timely runs since the last overrun. */
  timelyRuns: number;
}

const QUICK_MS = 2;
const MODERATE_MS = 10;
/** A longer run holds up others. `OVERDUE_CHECKS` of the pool measures the same, coarsely. */
const OVERRUN_MS = 15;
/** Longer results, in bytes, have a connection to themselves, since other batches wait while the bytes pass. */
export const LONG_RESULT_BYTES = 262_144;

/** Weights of a run that was quicker, or slower, than expected. A busy machine makes some runs slow, but none quick. */
const QUICKER = 0.5;
const SLOWER = 0.05;

/** Recent overruns that make a shape slow. */
const MOST_RECENT_OVERRUNS = 3;

/** Length of the probation after the first overrun, the second, and all further ones. */
const PROBATION = [8, 64, 512] as const;
const MOST_OVERRUNS = PROBATION.length;
/** Timely runs, in multiples of the probation, that make up for an overrun. */
const MADE_UP_AFTER = 20;

export const createPace = (): Pace => ({
  expectedMs: null,
  resultBytes: 0,
  probation: 0,
  recentOverruns: 0,
  overruns: 0,
  timelyRuns: 0,
});

/** How many times as long as usual a run may hold up others. A shape that was quick gets more time with every recent overrun. */
export const toleranceOf = (pace: Pace | PaceClass): number =>
  typeof pace === 'string' || pace.expectedMs === null
    ? 1
    : 1 + Math.min(pace.recentOverruns, MOST_RECENT_OVERRUNS);

/** Whether a run of the shape has ended before. */
export const isKnown = (pace: Pace | PaceClass): boolean =>
  typeof pace === 'string' || pace.expectedMs !== null;

export function paceClass(pace: Pace | PaceClass): PaceClass {
  if (typeof pace === 'string') return pace;
  const { expectedMs, resultBytes, probation, recentOverruns } = pace;
  if (recentOverruns >= MOST_RECENT_OVERRUNS || resultBytes > LONG_RESULT_BYTES) return 'slow';
  if (expectedMs === null) return 'moderate';
  if (probation > 0) return expectedMs <= MODERATE_MS ? 'moderate' : 'slow';
  if (expectedMs <= QUICK_MS) return 'quick';
  return expectedMs <= MODERATE_MS ? 'moderate' : 'slow';
}

/**
 * Records a finished run.
 * @param elapsedMs from when PostgreSQL could begin with it to its result, reduced to a machine at rest
 */
export function recordRun(pace: Pace | PaceClass, elapsedMs: number, resultBytes: number): void {
  if (typeof pace === 'string') return;
  const expected = pace.expectedMs ?? elapsedMs;
  pace.expectedMs = expected + (elapsedMs - expected) * (elapsedMs < expected ? QUICKER : SLOWER);
  pace.resultBytes = resultBytes;
  if (elapsedMs > OVERRUN_MS) {
    if (pace.probation > 0) pace.probation = probationAfter(pace.overruns);
    return;
  }
  if (pace.probation > 0) {
    pace.probation--;
    if (pace.probation === 0) pace.recentOverruns = 0;
  } else if (pace.overruns > 0 && ++pace.timelyRuns > MADE_UP_AFTER * probationAfter(pace.overruns)) {
    pace.overruns--;
    pace.timelyRuns = 0;
  }
}

/**
 * Records that a run holds up others. During the probation that follows, no more than one run of the shape is on a
 * connection. The shape becomes slow after several overruns, since one or two may be the fault of the machine.
 */
export function recordOverrun(pace: Pace | PaceClass): void {
  if (typeof pace === 'string') return;
  pace.recentOverruns++;
  if (pace.probation === 0) pace.overruns = Math.min(pace.overruns + 1, MOST_OVERRUNS);
  pace.probation = probationAfter(pace.overruns);
  pace.timelyRuns = 0;
}

const probationAfter = (overruns: number): number => PROBATION[Math.max(1, overruns) - 1] ?? 0;

/**
 * The load of the machine, estimated from the time that quick batches take. All limits of time are multiplied by it.
 * Mutable, one for each pool.
 */
export interface MachineLoad {
  typicalMs: number;
}

const AT_REST_MS = 1;
const MOST_LOAD = 4;
const FALL = 0.1;
const RISE = 0.03;

export const createMachineLoad = (): MachineLoad => ({ typicalMs: AT_REST_MS });

/** From 1, at rest, to 4. */
export const loadFactor = ({ typicalMs }: MachineLoad): number =>
  Math.min(Math.max(typicalMs / AT_REST_MS, 1), MOST_LOAD);

/** Records a run of a quick batch. The estimate follows the quickest runs, since a slow one need not be the machine's fault. */
export function recordQuickRun(load: MachineLoad, elapsedMs: number): void {
  load.typicalMs += (elapsedMs - load.typicalMs) * (elapsedMs < load.typicalMs ? FALL : RISE);
}
