import type { TransactionState } from './batch-outcome.js';
import type { Row } from './batch.js';
import type { MalformedMessage } from './malformed-message.js';
import type { ErrorFields } from './postgres-error.js';

/** Receives the messages in order. Its functions may throw MalformedMessage for a message that does not match the batch. */
export interface MessageListener {
  /** Whether the rows of the current query are part of the result. */
  returnsRows(): boolean;
  /** Whether the last columns of the current query are received in blocks, which the receiver gives back. */
  usesBlocks(): boolean;
  row(row: Row): void;
  /**
   * Takes a returned row that has arrived whole, and whose last column is the bytes of the chunk from `from` up to `to`, which
   * are valid during the call only. Returns false for a row that `row` takes with a copy of these bytes.
   */
  rowBytes?(columns: readonly (string | null)[], chunk: Buffer, from: number, to: number): boolean;
  /**
   * Called for a returned row whose last column has arrived in part. Returns a function that takes its bytes; null leaves
   * them to the row.
   */
  openBody(columns: readonly (string | null)[], length: number): ((piece: Buffer) => void) | null;
  parsed(): void;
  /** @param commandTag empty for a query whose rows are no part of the result */
  queryDone(commandTag: string): void;
  /** A portion of rows has ended before the last row. */
  suspended(): void;
  failed(error: ErrorFields): void;
  notice(notice: ErrorFields): void;
  ready(state: TransactionState): void;
  /** The stream violates the protocol. Nothing is read after that. */
  malformed(error: MalformedMessage): void;
}
