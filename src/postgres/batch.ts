/** The unit of work on the wire: statements that travel together, end in one Sync and so are one transaction. */
import type { Writable } from 'node:stream';
import type { Pace, PaceClass } from './pace.js';
import type { Statement } from './statement.js';

/** A parameter in text format; bytes are sent as they are. */
export type Parameter = string | Buffer | null;

export interface BatchQuery {
  readonly statement: Statement;
  readonly parameters: readonly Parameter[];
  /** Whether the rows of this query are part of the result. */
  readonly returnsRows: boolean;
  /** Columns of its rows; rows with another number are no answer to it. Unset: not looked at. */
  readonly columns?: number;
  /** The statement is parsed for this batch alone: the connection keeps nothing of it. */
  readonly unnamed?: true;
}

export interface Batch {
  readonly queries: readonly BatchQuery[];
  /** `read` may share a connection with others, and be repeated; `write` never. */
  readonly access: 'read' | 'write';
  /** What is known of the time that it takes; runs are learnt from. */
  readonly pace: Pace | PaceClass;
  /** It calls functions that may change settings of the session: they are reset before the connection serves others. */
  readonly resetsSettings?: boolean;
  /**
   * Called when the last column of a returned row is long (`LONG_RESULT_BYTES`) and only a part of it has come. The stream
   * that it returns is given the bytes as they come in; null leaves them to the result. A stream that is destroyed loses
   * the rest, and one that is read too slowly, or for too long, is destroyed.
   * @param length of the whole column, in bytes
   */
  readonly openBody?: (columns: readonly (string | null)[], length: number) => Writable | null;
}

/** A row: all columns but the last as text, the last as the bytes that came, in pieces, never joined. */
export interface Row {
  readonly columns: readonly (string | null)[];
  /** null for SQL null; empty when a stream took the bytes. */
  readonly body: readonly Buffer[] | null;
  /** Bytes of the body; 0 for null. */
  readonly bodyLength: number;
}

export interface QueryResult {
  readonly rows: readonly Row[];
  /** E.g. `INSERT 0 1`. */
  readonly commandTag: string;
}

/** The results of the query that returns rowss, in their order. */
export type BatchResult = readonly QueryResult[];
