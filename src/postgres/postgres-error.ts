/** The failures between the service and PostgreSQL, as classes that upper layers distinguish. */

/** The fields of an ErrorResponse (PostgreSQL manual, 55.8) that the service reads. */
export interface ErrorFields {
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly schema: string | null;
  readonly table: string | null;
  readonly column: string | null;
  readonly constraint: string | null;
  /** The function of PostgreSQL's source that raised the error. It does not depend on the language of messages. */
  readonly routine: string | null;
  /** The call stack of functions and nested statements, outermost last; null if there is none. */
  readonly context: string | null;
}

/** Returns the fields that PostgreSQL would send, for a statement that is refused before it is sent. */
export const errorFields = (code: string, message: string): ErrorFields => ({
  code,
  message,
  detail: null,
  hint: null,
  schema: null,
  table: null,
  column: null,
  constraint: null,
  routine: null,
  context: null,
});

/** An error of PostgreSQL. All effects of the batch are rolled back. Its message, for logs, ends with the SQLSTATE. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly fields: ErrorFields;
  /** Index of the failed query in its batch; null if there was no batch. */
  readonly query: number | null;

  constructor(fields: ErrorFields, query: number | null = null) {
    super(`${fields.message} (SQLSTATE ${fields.code})`);
    this.fields = fields;
    this.query = query;
  }
}

/**
 * The connection ended. If `sent` is true, the batch had been sent: the outcome of a write is unknown, and it must
 * not be repeated.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly sent: boolean;
  /**
   * The error that PostgreSQL sent for this batch before the connection ended, for example when an administrator ends
   * it (57P01).
   */
  readonly fields: ErrorFields | null;

  constructor(message: string, sent: boolean, fields: ErrorFields | null = null) {
    super(message);
    this.sent = sent;
    this.fields = fields;
  }
}

/** No connection could be opened. The message names host and port, never a password. */
export class ConnectFailed extends Error {
  override readonly name = 'ConnectFailed';
  /** The SQLSTATE if PostgreSQL refused the connection; else null. */
  readonly code: string | null;
  /** True if the server asks for a password and there is none. */
  readonly needsPassword: boolean;

  constructor(message: string, code: string | null, needsPassword = false) {
    super(message);
    this.code = code;
    this.needsPassword = needsPassword;
  }
}

/** Every connection was busy for longer than the acquisition timeout. */
export class PoolTimeout extends Error {
  override readonly name = 'PoolTimeout';
}

/** A column of the result exceeds the limit of a read. No part of the result was passed on. */
export class ResultTooLarge extends Error {
  override readonly name = 'ResultTooLarge';
  /** In bytes. */
  readonly length: number;
  readonly limit: number;

  constructor(length: number, limit: number) {
    super(`the result has ${String(length)} bytes, of at most ${String(limit)}`);
    this.length = length;
    this.limit = limit;
  }
}

/** The caller's signal fired. The batch was dropped or cancelled. */
export class BatchAborted extends Error {
  override readonly name = 'BatchAborted';

  constructor() {
    super('the caller has gone');
  }
}

/** A message that violates PostgreSQL's protocol or does not match the batch. The connection cannot be used further. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** @throws MalformedMessage always */
export function malformed(reason: string): never {
  throw new MalformedMessage(`malformed answer of the database: ${reason}`);
}

// The meaning of errors of PostgreSQL.

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
