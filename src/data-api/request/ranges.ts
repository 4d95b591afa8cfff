/** Limits, offsets and the Range header (data API §1.6). */
import { dbrError, type DbrError } from '../../errors/dbr-error.js';

/** Limit and offset of the query string; null if absent or not an integer. */
export interface RangeParameters {
  readonly limit: bigint | null;
  readonly offset: bigint | null;
}

/** A range of rows: neither number is negative or beyond 2^63 - 1. */
export interface Rows {
  readonly limit: bigint | null;
  readonly offset: bigint;
}

const LARGEST = 2n ** 63n - 1n;
const INTEGER = /^\s*(-?\d{1,40})\s*$/;

/** Returns the integer in the text, or null. */
export function readInteger(text: string): bigint | null {
  const digits = INTEGER.exec(text)?.[1];
  return digits === undefined ? null : BigInt(digits);
}

const atMost = (value: bigint): bigint => (value > LARGEST ? LARGEST : value);
const later = (left: bigint, right: bigint): bigint => (left > right ? left : right);

/** The rows of a Range header `a-b` or `a-`, including the last one. Any other form is ignored. */
interface HeaderRange {
  readonly first: bigint;
  readonly last: bigint | null;
}

function readRangeHeader(header: string | undefined): HeaderRange | null {
  const match = header === undefined ? null : /^(\d{1,40})-(\d{0,40})$/.exec(header);
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  return { first: BigInt(first), last: last === '' ? null : BigInt(last) };
}

/** The reason why a range is invalid: a variant of DBR103. */
type RangeFault = 'lowerAboveUpper' | 'negativeLimit';

const ALL_ROWS: Rows = { limit: null, offset: 0n };

/** Returns the rows of the root: the intersection of parameters and Range header. A limit of zero takes precedence. */
export function intersectRows(
  parameters: RangeParameters,
  rangeHeader: string | undefined,
): Rows | RangeFault {
  if (parameters.limit === null && parameters.offset === null && rangeHeader === undefined) return ALL_ROWS;
  if (parameters.limit === 0n) return { limit: 0n, offset: 0n };
  const header = readRangeHeader(rangeHeader);
  if (header?.last != null && header.first > header.last) return 'lowerAboveUpper';
  const start = parameters.offset ?? 0n;
  const ends = [
    parameters.limit === null ? null : start + parameters.limit,
    header?.last == null ? null : header.last + 1n,
  ].filter((end) => end !== null);
  const offset = later(later(start, header?.first ?? 0n), 0n);
  if (ends.length === 0) return { limit: null, offset: atMost(offset) };
  const limit = ends.reduce((left, right) => (left < right ? left : right)) - offset;
  // An empty intersection is also reported as a negative limit, as in the reference.
  return limit <= 0n ? 'negativeLimit' : { limit: atMost(limit), offset: atMost(offset) };
}

/** Returns DBR103 without a total, because no row has been counted (RFC 9110 §14.4). */
export const unsatisfiable = (details: RangeFault): DbrError =>
  dbrError(
    'RangeNotSatisfiable',
    { details },
    { headers: { 'Content-Range': '*/*', 'Range-Unit': 'items' } },
  );

/**
 * Returns the rows of an embedded resource, which only the parameters select.
 * @throws DBR103 for a negative limit.
 */
export function embeddedRows(parameters: RangeParameters): Rows {
  const { limit, offset } = parameters;
  if (limit !== null && limit < 0n) throw unsatisfiable('negativeLimit');
  return { limit: limit === null ? null : atMost(limit), offset: atMost(later(offset ?? 0n, 0n)) };
}
