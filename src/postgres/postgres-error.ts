/** What can go wrong between the service and PostgreSQL, as values that upper layers tell apart. */

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
  /** The function of PostgreSQL's own source that refused: the same in every language of its messages. */
  readonly routine: string | null;
  /** The calls that were under way, outermost last: null for an error that no function or nested statement raised. */
  readonly context: string | null;
}

/** What PostgreSQL would say, where a statement is refused before it is sent. */
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

/** PostgreSQL refused; whatever the batch did is undone. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly fields: ErrorFields;
  /** Index of the query of the batch that failed; null where there was no batch. */
  readonly query: number | null;

  constructor(fields: ErrorFields, query: number | null = null) {
    super(fields.message);
    this.fields = fields;
    this.query = query;
  }
}

/** The connection ended. `sent`: the batch had been sent, so the outcome of a write is unknown; it must not be repeated. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly sent: boolean;
  /** What PostgreSQL said of this batch before the end, as when an administrator ends the connection (57P01). */
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
  /** The SQLSTATE, where PostgreSQL itself refused. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

/** Every connection was busy for longer than the acquisition timeout. */
export class PoolTimeout extends Error {
  override readonly name = 'PoolTimeout';
}

/** The result has a longer column than a read may have. Nothing of it was passed on. */
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

/** The signal of the caller fired; its outcome is not needed. */
export class BatchAborted extends Error {
  override readonly name = 'BatchAborted';

  constructor() {
    super('the caller has gone');
  }
}
