/** The unit of work on a connection: queries that are sent together, end in one Sync and are one transaction. */
import type { Writable } from 'node:stream';
import { PostgresError } from './postgres-error.js';
import type { Statement } from './statement.js';

/** A parameter in text format; bytes are sent as they are. */
export type Parameter = string | Buffer | null;

/** Parameters in the form of a Bind message, for values that many queries share. */
export interface EncodedParameters {
  readonly count: number;
  readonly bytes: Buffer;
}

export interface BatchQuery {
  readonly statement: Statement;
  /** The first parameters, if they are encoded already; `parameters` follow them. */
  readonly encoded?: EncodedParameters;
  readonly parameters: readonly Parameter[];
  /** Whether the rows of this query are part of the result. */
  readonly returnsRows: boolean;
  /**
   * Whether the last columns of its rows are received in blocks (`blocks.ts`), which the receiver gives back. Each block has
   * the same size, so that short columns must not be kept in them.
   */
  readonly inBlocks?: boolean;
  /** Number of columns of its rows. A row with another number is malformed; unset, the number is not checked. */
  readonly columns?: number;
  /** The statement is parsed for this batch alone, without a name. */
  readonly unnamed?: boolean;
  /** Its rows are fetched in portions. The portal lives until the end of the transaction, or until the next statement is bound. */
  readonly portion?: Portion;
}

/** A query without rows. */
export const command = (statement: Statement, parameters: readonly Parameter[] = []): BatchQuery => ({
  statement,
  parameters,
  returnsRows: false,
});

/** Returns the query of a batch that PostgreSQL has refused; undefined for any other error. */
export const failedQuery = (error: unknown, queries: readonly BatchQuery[]): BatchQuery | undefined =>
  error instanceof PostgresError && error.query !== null ? queries[error.query] : undefined;

/** A portion of the rows of a query. The listener of the batch receives the rows one by one. */
export interface Portion {
  readonly maxRows: number;
  /** False if an earlier batch of the transaction has fetched the first rows. */
  readonly isFirst: boolean;
}

/** The queries of one round trip of a transaction. The last trip ends the transaction. */
export interface Trip {
  readonly queries: readonly BatchQuery[];
  /** Returns the following trip; absent for the last one. */
  readonly next?: NextTrip;
}

/** @param results of the queries of the trip that return rows. An error rolls the transaction back and is that of the batch */
export type NextTrip = (results: BatchResult) => Promise<Trip>;

/**
 * The connection that a batch needs: shared with other reads, or to itself, for a short time or for a longer one. A read
 * that takes longer than its use allows goes on, or starts again, as the next one.
 */
export type BatchUse = 'shared' | 'brief' | 'long';

/** Observations from the last runs of a plan. Mutable: all batches of the plan refer to the same value. */
export interface LastRun {
  /** A late run of such a plan waited for a lock or for the processor, so that the next one shares a connection again. */
  readonly staysShared: boolean;
  /** The connection that suits the time for which the last one held its connection; null before the first run. */
  took: BatchUse | null;
  /** Quick runs since the last one that was not. */
  quickRuns: number;
  /** Its result was longer than LONG_RESULT_BYTES. */
  longResult: boolean;
}

/** Returns the last column of a row as text; empty without a row. */
export const bodyText = (row: Row | undefined): string => Buffer.concat(row?.body ?? []).toString('utf8');

export const firstRun = (staysShared = false): LastRun => ({
  staysShared,
  took: null,
  quickRuns: 0,
  longResult: false,
});

/** Longer results, in bytes, pass to their readers while they arrive. */
export const LONG_RESULT_BYTES = 262_144;

export interface Batch {
  readonly queries: readonly BatchQuery[];
  /**
   * Continues the transaction that the queries begin, in further round trips on the same connection. The results of the
   * batch are those of its own queries. Such a batch is a `write`.
   */
  readonly next?: NextTrip;
  /** A `read` may share a connection with others, and may be repeated; a `write` must not. */
  readonly access: 'read' | 'write';
  /** A `write`, and a batch that opens a transaction block, is `brief` at least. */
  readonly use: BatchUse;
  /** Set at the end of a run, and as soon as it is late or has a long result. */
  readonly lastRun?: LastRun;
  /** It may change settings of the session, which are then reset before the connection serves others. */
  readonly resetsSettings?: boolean;
  /** Longest result column of a read, in bytes, if it is below that of the pool; null for that of the pool. */
  readonly maxResultBytes?: number | null;
  /**
   * A query that is sent behind the batch in the same trip, as a transaction of its own. Its result follows those of the
   * batch; it is absent if only the follow-up failed.
   */
  readonly followUp?: BatchQuery;
  /**
   * Called when the last column of a returned row is long (LONG_RESULT_BYTES) and has arrived in part. Returns a stream
   * that receives the bytes as they arrive; null leaves them to the result. A stream that is destroyed loses the rest. One
   * that is read too slowly, or for too long, is destroyed.
   * @param length of the whole column, in bytes
   */
  readonly openBody?: (columns: readonly (string | null)[], length: number) => Writable | null;
}

/** A row: all columns but the last as text, the last as the received bytes, in pieces that are not joined. */
export interface Row {
  readonly columns: readonly (string | null)[];
  /** null for SQL null; empty when a stream took the bytes. If the query asks for it, a long body is in blocks (`blocks.ts`). */
  readonly body: readonly Buffer[] | null;
  /** Bytes of the body; 0 for null. */
  readonly bodyLength: number;
}

export interface QueryResult {
  readonly rows: readonly Row[];
  /** As in `INSERT 0 1`; `PORTION` if more rows may follow. */
  readonly commandTag: string;
}

/** The command tag of a portion of rows after which the portal is suspended. No tag of PostgreSQL is in lower case. */
export const PORTION = 'portion';

/** The results of the queries that return rows, in their order. */
export type BatchResult = readonly QueryResult[];
