/**
 * How long the batches of one shape take PostgreSQL, learnt from their runs. It decides which batches share a connection:
 * quick ones do, moderate ones beside quick ones, slow ones have it to themselves.
 */

/** `moderate`: not known yet, or a few milliseconds; at most one of them is on a shared connection. */
export type PaceClass = 'quick' | 'moderate' | 'slow';

/** What is known of one shape. Mutable: all batches of the shape refer to the same value. */
export interface Pace {
  /** Moving average in milliseconds; null before the first run. */
  expectedMs: number | null;
  /** Bytes of the longest column of the last result. */
  resultBytes: number;
  /** Runs in time that are due before the shape shares a connection again; 0 for none. */
  due: number;
  /** Times that it held up others, less the times that it has made up for. */
  lapses: number;
  /** Runs in time since the last lapse. */
  punctual: number;
}

const QUICK_MS = 2;
const MODERATE_MS = 10;
/** A longer run holds up others (see `OVERDUE_TICKS` of the pool, which measures the same coarsely). */
const LAPSE_MS = 15;
/** Longer results travel alone, since others wait while their bytes pass. */
export const LONG_RESULT_BYTES = 262_144;

/** Weights of a run that was quicker, or slower, than expected. A busy machine makes some runs slow, but none quick. */
const QUICKER = 0.5;
const SLOWER = 0.05;

/** Runs in time after the first lapse, the second, and all further ones. */
const DUE_AFTER_LAPSE = [8, 64, 512] as const;
const MOST_LAPSES = DUE_AFTER_LAPSE.length;
/** So many runs in time, in multiples of those due, make up for a lapse. */
const MADE_UP_AFTER = 20;

export const createPace = (): Pace => ({ expectedMs: null, resultBytes: 0, due: 0, lapses: 0, punctual: 0 });

export function paceClass(pace: Pace | PaceClass): PaceClass {
  if (typeof pace === 'string') return pace;
  const { expectedMs, resultBytes, due } = pace;
  if (due > 0 || resultBytes > LONG_RESULT_BYTES) return 'slow';
  if (expectedMs === null) return 'moderate';
  if (expectedMs <= QUICK_MS) return 'quick';
  return expectedMs <= MODERATE_MS ? 'moderate' : 'slow';
}

/**
 * Takes a finished run into account.
 * @param elapsedMs from when PostgreSQL could begin with it to its answer
 */
export function learn(pace: Pace | PaceClass, elapsedMs: number, resultBytes: number): void {
  if (typeof pace === 'string') return;
  const expected = pace.expectedMs ?? elapsedMs;
  pace.expectedMs = expected + (elapsedMs - expected) * (elapsedMs < expected ? QUICKER : SLOWER);
  pace.resultBytes = resultBytes;
  if (elapsedMs > LAPSE_MS) {
    if (pace.due > 0) pace.due = dueAfter(pace.lapses);
    return;
  }
  if (pace.due > 0) pace.due--;
  else if (pace.lapses > 0 && ++pace.punctual > MADE_UP_AFTER * dueAfter(pace.lapses)) {
    pace.lapses--;
    pace.punctual = 0;
  }
}

/** Takes into account that a run holds up others: the shape has connections to itself until it has been quick for a while. */
export function lapse(pace: Pace | PaceClass): void {
  if (typeof pace === 'string') return;
  if (pace.due === 0) pace.lapses = Math.min(pace.lapses + 1, MOST_LAPSES);
  pace.due = dueAfter(pace.lapses);
  pace.punctual = 0;
}

const dueAfter = (lapses: number): number => DUE_AFTER_LAPSE[Math.max(1, lapses) - 1] ?? 0;
