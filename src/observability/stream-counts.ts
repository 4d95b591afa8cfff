/** What the streams of rows of the data API have done; metrics read it at each scrape. Mutable. */

export const STREAM_DIRECTIONS = ['read', 'write'] as const;
type StreamDirection = (typeof STREAM_DIRECTIONS)[number];

/**
 * How a stream ends. `too slow`: its client was below the minimum rate or above the longest time. `error`: also one before
 * the first row.
 */
export const STREAM_ENDS = ['complete', 'error', 'too slow', 'client gone'] as const;
export type StreamEnd = (typeof STREAM_ENDS)[number];

/** How the wait for a slot ends. `refused`: after the longest wait, or at once because too many streams wait. */
export const SLOT_WAIT_ENDS = ['started', 'refused', 'client gone'] as const;
export type SlotWaitEnd = (typeof SLOT_WAIT_ENDS)[number];

export interface DirectionCounts {
  running: number;
  /** Rows that PostgreSQL has sent, or has taken; also those of streams that failed later. */
  rows: number;
  /** Bytes of bodies. */
  bytes: number;
  readonly ends: Record<StreamEnd, number>;
}

export type StreamCounts = Readonly<Record<StreamDirection, DirectionCounts>>;

/** Streams that wait, and how waits have ended. */
export interface SlotCounts {
  readonly waiting: number;
  readonly waitEnds: Readonly<Record<SlotWaitEnd, number>>;
}

export function createStreamCounts(): StreamCounts {
  return { read: createCounts(), write: createCounts() };
}

const createCounts = (): DirectionCounts => ({
  running: 0,
  rows: 0,
  bytes: 0,
  ends: { complete: 0, error: 0, 'too slow': 0, 'client gone': 0 },
});

/** Counts a stream that begins. @returns a function that counts its end, once */
export function countStream(counts: DirectionCounts): (end: StreamEnd) => void {
  counts.running++;
  let isOpen = true;
  return (end) => {
    if (!isOpen) return;
    isOpen = false;
    counts.running--;
    counts.ends[end]++;
  };
}
