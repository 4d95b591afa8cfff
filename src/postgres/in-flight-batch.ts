/** A batch in flight on a connection, and how the messages of the backend complete it. */
import { PORTION, type Batch, type QueryResult, type Row } from './batch.js';
import type { BatchListener } from './batch-outcome.js';
import { malformed } from './malformed-message.js';
import type { ErrorFields } from './postgres-error.js';
import type { Statement } from './statement.js';

export interface InFlightBatch {
  readonly batch: Batch;
  readonly listener: BatchListener;
  /** True if its statements are parsed for this batch only, although the connection may have prepared them. */
  readonly fresh: boolean;
  /** Statements whose Parse is part of the batch, in order; set when it is written. */
  parsing: readonly Statement[];
  /** Number of them that PostgreSQL has parsed. */
  parsed: number;
  /** Index of the current query. */
  query: number;
  readonly results: QueryResult[];
  /** Rows of the current query. */
  rows: Row[];
  error: ErrorFields | null;
}

export const createInFlightBatch = (
  batch: Batch,
  listener: BatchListener,
  fresh: boolean,
): InFlightBatch => ({
  batch,
  listener,
  fresh,
  parsing: [],
  parsed: 0,
  query: 0,
  results: [],
  rows: [],
  error: null,
});

/** Whether the rows of the current query are part of the result. */
export const returnsRows = (current: InFlightBatch | undefined): boolean =>
  current?.batch.queries[current.query]?.returnsRows === true;

/** Whether the last columns of the current query are received in blocks. */
export const usesBlocks = (current: InFlightBatch | undefined): boolean =>
  current?.batch.queries[current.query]?.inBlocks === true;

function requireColumns(current: InFlightBatch | undefined, columns: readonly (string | null)[]): void {
  const expected = current?.batch.queries[current.query]?.columns;
  // The last column is not among `columns`.
  const given = columns.length + 1;
  if (expected !== undefined && given !== expected)
    malformed(`a row of ${String(given)} columns where ${String(expected)} were asked for`);
}

/** @throws MalformedMessage for a row with another number of columns than its query has */
export function addRow(current: InFlightBatch | undefined, row: Row): void {
  requireColumns(current, row.columns);
  if (current === undefined) return;
  if (isPortion(current)) return current.listener.row?.(row, current.query);
  current.rows.push(row);
}

/** Returns false for a row that `addRow` takes. @throws MalformedMessage as `addRow` */
export function takeRowBytes(
  current: InFlightBatch | undefined,
  columns: readonly (string | null)[],
  chunk: Buffer,
  from: number,
  to: number,
): boolean {
  if (current === undefined || !isPortion(current)) return false;
  const take = current.listener.rowBytes;
  if (take === undefined) return false;
  requireColumns(current, columns);
  take(columns, chunk.subarray(from, to), current.query);
  return true;
}

const isPortion = (current: InFlightBatch | undefined): boolean =>
  current?.batch.queries[current.query]?.portion !== undefined;

/** @throws MalformedMessage for a query whose rows are not fetched in portions */
export function endPortion(current: InFlightBatch | undefined): void {
  if (!isPortion(current)) malformed("a message of type 's', which nothing asked for");
  endQuery(current, PORTION);
}

/** @throws MalformedMessage if all queries have ended */
export function endQuery(current: InFlightBatch | undefined, commandTag: string): void {
  if (current === undefined || current.query >= current.batch.queries.length)
    malformed('the end of a statement that was not sent');
  if (returnsRows(current)) {
    current.results.push({ rows: current.rows, commandTag });
    current.rows = [];
  }
  current.query++;
}

/** @throws MalformedMessage if queries are left without a result and without an error */
export function checkComplete(current: InFlightBatch | undefined): asserts current is InFlightBatch {
  if (current === undefined) malformed('the end of a batch that was not sent');
  const { batch, query, error } = current;
  if (error === null && query < batch.queries.length) malformed('the end of a batch with statements left');
}
