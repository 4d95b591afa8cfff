/** Whether what PostgreSQL answers fits to the batch that was sent. A connection on which it does not is out of step with its batches. */
import type { Batch, Row } from './batch.js';
import { malformed } from './malformed-message.js';

/** A batch whose answers come in now. */
interface Answered {
  readonly batch: Batch;
  /** The query that is answered. */
  readonly query: number;
  readonly error: object | null;
}

/** @throws MalformedMessage for a row with another number of columns than its query asks for */
export function checkRow(current: Answered | undefined, { columns }: Row): void {
  const expected = current?.batch.queries[current.query]?.columns;
  // The last column is not among them.
  const given = columns.length + 1;
  if (expected !== undefined && given !== expected)
    malformed(`a row of ${String(given)} columns where ${String(expected)} were asked for`);
}

/** @throws MalformedMessage when no query is left that could be done */
export function checkQueryDone(current: Answered | undefined): void {
  if (current === undefined || current.query >= current.batch.queries.length)
    malformed('the end of a statement that was not sent');
}

/** @throws MalformedMessage when queries are left without an answer and without an error */
export function checkReady(current: Answered | undefined): void {
  if (current === undefined) malformed('the end of a batch that was not sent');
  const { batch, query, error } = current;
  if (error === null && query < batch.queries.length) malformed('the end of a batch with statements left');
}
