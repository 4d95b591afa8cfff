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
  /** Times that it held up others before those runs were done. */
  strikes: number;
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

/** So many make a shape slow that was not. */
const MOST_STRIKES = 3;

/** Runs in time after the first lapse, the second, and all further ones. */
const DUE_AFTER_LAPSE = [8, 64, 512] as const;
const MOST_LAPSES = DUE_AFTER_LAPSE.length;
/** So many runs in time, in multiples of those due, make up for a lapse. */
const MADE_UP_AFTER = 20;

export const createPace = (): Pace => ({
  expectedMs: null,
  resultBytes: 0,
  due: 0,
  strikes: 0,
  lapses: 0,
  punctual: 0,
});

/** How many times as long as usual a run may hold up others: a shape that was quick is given more time with every strike. */
export const patience = (pace: Pace | PaceClass): number =>
  typeof pace === 'string' || pace.expectedMs === null ? 1 : 1 + Math.min(pace.strikes, MOST_STRIKES);

/** Whether a run of the shape has ended before. */
export const isKnown = (pace: Pace | PaceClass): boolean =>
  typeof pace === 'string' || pace.expectedMs !== null;

export function paceClass(pace: Pace | PaceClass): PaceClass {
  if (typeof pace === 'string') return pace;
  const { expectedMs, resultBytes, due, strikes } = pace;
  if (strikes >= MOST_STRIKES || resultBytes > LONG_RESULT_BYTES) return 'slow';
  if (expectedMs === null) return 'moderate';
  if (due > 0) return expectedMs <= MODERATE_MS ? 'moderate' : 'slow';
  if (expectedMs <= QUICK_MS) return 'quick';
  return expectedMs <= MODERATE_MS ? 'moderate' : 'slow';
}

/**
 * Takes a finished run into account.
 * @param elapsedMs from when PostgreSQL could begin with it to its answer, as on a machine at rest
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
  if (pace.due > 0) {
    pace.due--;
    if (pace.due === 0) pace.strikes = 0;
  } else if (pace.lapses > 0 && ++pace.punctual > MADE_UP_AFTER * dueAfter(pace.lapses)) {
    pace.lapses--;
    pace.punctual = 0;
  }
}

/**
 * Takes into account that a run holds up others. Until the shape has been quick for a while no more than one of its runs
 * is on a connection, and if it goes on so it is slow: once or twice may be the fault of the machine.
 */
export function lapse(pace: Pace | PaceClass): void {
  if (typeof pace === 'string') return;
  pace.strikes++;
  if (pace.due === 0) pace.lapses = Math.min(pace.lapses + 1, MOST_LAPSES);
  pace.due = dueAfter(pace.lapses);
  pace.punctual = 0;
}

const dueAfter = (lapses: number): number => DUE_AFTER_LAPSE[Math.max(1, lapses) - 1] ?? 0;

/**
 * How busy the machine is, seen by what quick batches take: all times are worth less where everything takes long. Mutable,
 * one for each pool.
 */
export interface Tempo {
  typicalMs: number;
}

const AT_REST_MS = 1;
const MOST_BUSY = 4;
const TEMPO_FALL = 0.1;
const TEMPO_RISE = 0.03;

export const createTempo = (): Tempo => ({ typicalMs: AT_REST_MS });

/** From 1, at rest, to 4. */
export const busyness = ({ typicalMs }: Tempo): number =>
  Math.min(Math.max(typicalMs / AT_REST_MS, 1), MOST_BUSY);

/** Takes a run of a quick batch into account. It follows the quickest of them, since not every slow one is the machine's fault. */
export function observe(tempo: Tempo, elapsedMs: number): void {
  tempo.typicalMs += (elapsedMs - tempo.typicalMs) * (elapsedMs < tempo.typicalMs ? TEMPO_FALL : TEMPO_RISE);
}
