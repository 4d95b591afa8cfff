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
