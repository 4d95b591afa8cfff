import { dbrError } from '../../errors/dbr-error.js';
import type { Header } from './header-text.js';

/** The rows of a response, and the total. */
export interface Rows {
  readonly offset: bigint;
  readonly count: number;
  /** Null if the rows were not counted. */
  readonly total: bigint | null;
}

/** `Content-Range` and its unit (contract, pagination rules 2 and 5). */
export function rangeHeaders({ offset, count, total }: Rows): readonly Header[] {
  const end = total === null ? '*' : String(total);
  const span = count === 0 || total === 0n ? '*' : `${offset}-${lastRow(offset, count)}`;
  return [['Content-Range', `${span}/${end}`], RANGE_UNIT];
}

const RANGE_UNIT: Header = ['Range-Unit', 'items'];

/** Avoids big integers for the first page, because their arithmetic dominates the cost of this function. */
const lastRow = (offset: bigint, count: number): string =>
  offset === 0n ? String(count - 1) : String(offset + BigInt(count) - 1n);

/**
 * Returns 200 for all rows, or without a total; 206 for a part of them. Throws DBR103 (416) for an offset beyond the
 * last row.
 */
export function rangeStatus(rows: Rows, headers: readonly Header[]): 200 | 206 {
  const { offset, count, total } = rows;
  if (total === null) return 200;
  if (offset > total) {
    const holes = { details: 'offsetBeyondTotal', offset: String(offset), total: String(total) } as const;
    throw dbrError('RangeNotSatisfiable', holes, { headers: Object.fromEntries(headers) });
  }
  return BigInt(count) < total ? 206 : 200;
}
