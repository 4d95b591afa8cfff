/** The number of rows that a stream fetches at a time. */

/** The first row shows whether the statement fails, and begins the response. */
export const FIRST_PORTION_ROWS = 1;
const SECOND_PORTION_ROWS = 16;
const MOST_ROWS = 65_536;
/** A portion that is shorter in bytes, and was made in less time, is followed by a larger one. */
const ENOUGH_BYTES = 262_144;
const QUICK_MS = 100;
/** Rows that take longer leave in smaller portions: PostgreSQL sends them at the end of one. */
const SLOW_MS = 1000;

export interface FetchedPortion {
  readonly bytes: number;
  readonly milliseconds: number;
  /** Whether its time is that of the reader. */
  readonly wasPaused: boolean;
}

/** @param rows most rows of the last portion */
export function nextPortionRows(rows: number, { bytes, milliseconds, wasPaused }: FetchedPortion): number {
  if (!wasPaused && milliseconds > SLOW_MS) return Math.max(1, Math.floor(rows / 2));
  if (bytes > 4 * ENOUGH_BYTES) return Math.max(1, Math.floor(rows / 2));
  if (bytes > ENOUGH_BYTES || milliseconds > QUICK_MS) return rows;
  return Math.min(MOST_ROWS, Math.max(SECOND_PORTION_ROWS, rows * 2));
}
