/**
 * The time that batches of one shape take PostgreSQL, measured in their runs. It decides which batches share a connection:
 * quick ones do, one of an unknown shape beside them, slow ones have it to themselves.
 */

/** `moderate`: unknown; at most one of them is on a shared connection. */
export type PaceClass = 'quick' | 'moderate' | 'slow';

/** The measurements of one shape. Mutable: all batches of the shape refer to the same value. */
export interface Pace {
  /** Moving average in milliseconds; null before the first run. */
  expectedMs: number | null;
  /** Length of the longest column of the last result, in bytes. */
  resultBytes: number;
}

const QUICK_MS = 10;
/** A longer run holds up others. `OVERDUE_CHECKS` of the pool measures the same, coarsely. */
const OVERRUN_MS = 15;
/**
 * Most of one run that counts for a known shape, in milliseconds: a quick read that waits once for a lock or for the
 * processor must not wait among the slow ones then.
 */
const MOST_COUNTED_MS = 60;
/** Longer results, in bytes, have a connection to themselves, since other batches wait while the bytes pass. */
export const LONG_RESULT_BYTES = 262_144;

/** Weights of a run that was quicker, or slower, than expected, or that was stopped because it held up others. */
const QUICKER = 0.5;
const SLOWER = 0.05;
const STOPPED = 0.1;

export const createPace = (): Pace => ({ expectedMs: null, resultBytes: 0 });

/** Whether a run of the shape has ended before. */
export const isKnown = (pace: Pace | PaceClass): boolean =>
  typeof pace === 'string' || pace.expectedMs !== null;

export function paceClass(pace: Pace | PaceClass): PaceClass {
  if (typeof pace === 'string') return pace;
  const { expectedMs, resultBytes } = pace;
  if (resultBytes > LONG_RESULT_BYTES) return 'slow';
  if (expectedMs === null) return 'moderate';
  return expectedMs <= QUICK_MS ? 'quick' : 'slow';
}

/**
 * Records a finished run. A busy machine makes some runs slow, but none quick.
 * @param elapsedMs from when PostgreSQL could begin with it to its result, reduced to a machine at rest
 */
export function recordRun(pace: Pace | PaceClass, elapsedMs: number, resultBytes: number): void {
  if (typeof pace === 'string') return;
  pace.resultBytes = resultBytes;
  if (pace.expectedMs === null) pace.expectedMs = elapsedMs;
  else if (elapsedMs < pace.expectedMs) pace.expectedMs += (elapsedMs - pace.expectedMs) * QUICKER;
  else pace.expectedMs += Math.max(0, Math.min(elapsedMs, MOST_COUNTED_MS) - pace.expectedMs) * SLOWER;
}

/** Records that a run holds up others, before it ends. The first run of a shape is recorded when it ends. */
export function recordOverrun(pace: Pace | PaceClass): void {
  if (typeof pace === 'string' || pace.expectedMs === null) return;
  pace.expectedMs += Math.max(0, OVERRUN_MS - pace.expectedMs) * STOPPED;
}

/** Records that a run has a long result, before the result has arrived: further runs then take connections of their own. */
export function recordLongResult(pace: Pace | PaceClass, resultBytes: number): void {
  if (typeof pace !== 'string') pace.resultBytes = resultBytes;
}

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
