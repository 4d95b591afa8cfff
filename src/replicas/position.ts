/** Positions in the write-ahead log (PostgreSQL manual, 8.20, type pg_lsn). */
import { dbrError } from '../errors/dbr-error.js';

/** A byte of the write-ahead log. */
export type Position = bigint;

/** The position after a write whose own position could not be read: no replica ever reaches it. */
export const UNKNOWN_POSITION: Position = 0xffff_ffff_ffff_ffffn;

const LOW_BITS = 32n;
const FORM = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** Reads the form that PostgreSQL writes, for example `0/3000148`; null if the text has another form. */
export function parsePosition(text: string): Position | null {
  const [, high, low] = FORM.exec(text) ?? [];
  return high === undefined || low === undefined
    ? null
    : (BigInt(`0x${high}`) << LOW_BITS) | BigInt(`0x${low}`);
}

/** Writes a position as PostgreSQL does. */
export const renderPosition = (position: Position): string =>
  `${(position >> LOW_BITS).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();

/**
 * Reads the header `Dbr-Position` of a request; null if it is absent.
 * @throws DbrError InvalidPosition (400)
 */
export function requestedPosition(header: string | readonly string[] | undefined): Position | null {
  if (header === undefined) return null;
  const position = typeof header === 'string' ? parsePosition(header.trim()) : null;
  if (position === null) throw dbrError('InvalidPosition');
  return position;
}

/** Bytes of the headers of a page of the log, short and long (`SizeOfXLogShortPHD`, `SizeOfXLogLongPHD`). */
const PAGE_HEADERS: ReadonlySet<bigint> = new Set([24n, 40n]);

/**
 * Returns the end of the last record before an insert position. The insert position is behind the header of a page that
 * no record has reached; a replica has replayed up to the beginning of that page then.
 * @param blockSize `wal_block_size`
 */
export const endOfLastRecord = (insert: Position, blockSize: bigint): Position =>
  PAGE_HEADERS.has(insert % blockSize) ? insert - (insert % blockSize) : insert;
