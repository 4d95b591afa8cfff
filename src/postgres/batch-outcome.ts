/** The outcome of a batch on a connection. */
import type { BatchResult, Row } from './batch.js';
import { MalformedMessage } from './malformed-message.js';
import { ConnectionLost, PostgresError, type ErrorFields } from './postgres-error.js';

/** State of the transaction after a batch. I: none is open. T: one is open. E: a failed one is open and needs a ROLLBACK. */
export type TransactionState = 'I' | 'T' | 'E';

export type BatchOutcome =
  | { readonly kind: 'done'; readonly results: BatchResult; readonly state: TransactionState }
  | {
      readonly kind: 'refused';
      readonly error: ErrorFields;
      /** Index of the query that failed. */
      readonly query: number;
      readonly state: TransactionState;
    }
  | {
      readonly kind: 'lost';
      readonly message: string;
      /** PostgreSQL may have begun the batch. */
      readonly sent: boolean;
      /** The response to the batch violates the protocol. */
      readonly malformed: boolean;
      /** The last error that PostgreSQL sent before the connection ended. */
      readonly error: ErrorFields | null;
    };

/** Returns the error of a batch that was not done. */
export function outcomeError(outcome: Exclude<BatchOutcome, { readonly kind: 'done' }>): Error {
  if (outcome.kind === 'refused') return new PostgresError(outcome.error, outcome.query);
  if (outcome.malformed) return new MalformedMessage(outcome.message);
  return new ConnectionLost(outcome.message, outcome.sent, outcome.error);
}

/** Receives the results of a batch. */
export interface BatchListener {
  /** Called once. */
  done(outcome: BatchOutcome): void;
  /**
   * Called when the last column of a returned row is longer than the part that has arrived. Returns a function that takes
   * the bytes; null leaves them to the result.
   * @param length of the column, in bytes
   */
  openBody(columns: readonly (string | null)[], length: number): ((piece: Buffer) => void) | null;
  /**
   * Takes a row of a query whose rows are fetched in portions. Its body is empty if `openBody` has taken the bytes.
   * @param query index in the batch
   */
  row?(row: Row, query: number): void;
  /**
   * Takes a row of such a query whose last column has arrived whole, instead of `row`.
   * @param bytes of the last column, valid during the call only
   * @param query index in the batch
   */
  readonly rowBytes?: (columns: readonly (string | null)[], bytes: Buffer, query: number) => void;
}

/** The functions of PostgreSQL's source that refuse a prepared statement, by SQLSTATE. */
const PREPARED_STATEMENT_ROUTINES: ReadonlyMap<string, string> = new Map([
  ['26000', 'FetchPreparedStatement'],
  ['0A000', 'RevalidateCachedQuery'],
]);

/**
 * Whether the connection lacks a prepared statement that it was assumed to have: the statement no longer exists
 * (26000, after DISCARD or when its Parse was skipped), or its plan returns other columns than it was prepared for
 * (0A000, after a change of a table). The batch succeeds once the statement is parsed again.
 *
 * Functions must not be able to cause that repetition. They can raise any SQLSTATE, but their errors have another
 * routine (RAISE), or a context (EXECUTE of a prepared statement inside a function).
 */
export const isOutdatedStatement = ({ code, routine, context }: ErrorFields): boolean =>
  context === null && routine !== null && PREPARED_STATEMENT_ROUTINES.get(code) === routine;

/**
 * Whether PostgreSQL refused to write (25006), because the transaction or the server is read-only: the statement had no
 * effect. The routine distinguishes it from the same code raised by a function.
 */
export const isReadOnlyRefusal = ({ code, routine }: ErrorFields): boolean =>
  code === '25006' && routine?.startsWith('PreventCommand') === true;

/**
 * Whether PostgreSQL ended the connection because it was idle (57P05, `idle_session_timeout`): it has then begun none of
 * the batches in flight. The routine distinguishes it from the same code raised by a function.
 */
export const isIdleTimeout = (error: ErrorFields | null): boolean =>
  error?.code === '57P05' && error.routine === 'ProcessInterrupts';
