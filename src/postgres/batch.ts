/** Statements, and the unit of work on a connection: queries that are sent together, end in one Sync and are one transaction. */
import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { PostgresError } from './postgres-error.js';
import type { Sql } from './sql.js';

/** SQL text that each connection parses once and binds many times. */
export interface Statement {
  readonly id: number;
  readonly text: Sql;
  /** True for BEGIN and START TRANSACTION: after an error, a failed transaction block is open. */
  readonly begins: boolean;
  /** On each connection that prepares it, in ASCII. */
  readonly name: string;
  /** Type OIDs of the first parameters; PostgreSQL infers the others, and those that are 0. */
  readonly parameterTypes: readonly number[];
  /** Content of Bind up to the parameter values: unnamed portal, name, all parameters as text. */
  readonly bindHead: string;
}

/** Members in bytes, without the text. */
const STATEMENT_BYTES = 300;
/** Bytes of a character of a text that is not Latin-1. */
const CHARACTER_BYTES = 2;

/** Bytes that a statement keeps in memory. */
export const statementBytes = ({ text }: Statement): number =>
  STATEMENT_BYTES + CHARACTER_BYTES * text.length;

let count = 0;

const PREFIX_BYTES = 6;
/**
 * Prefix of the names of this process. A pooler may give a connection of PostgreSQL to several processes: with a name that
 * two of them used, one would execute the statement of the other, perhaps in place of the one that sets the role.
 */
const prefix = randomBytes(PREFIX_BYTES).toString('base64url');

/**
 * @param text one SQL statement with `$1 …` for parameters
 * @param parameterTypes type OIDs; PostgreSQL infers absent ones
 */
export function prepare(text: Sql, parameterTypes: readonly number[] = []): Statement {
  const id = ++count;
  // The name is short, because it is sent with every execution.
  const name = `${prefix}${String(id)}`;
  return {
    id,
    text,
    begins: /^\s*(?:begin|start\s+transaction)\b/i.test(text),
    name,
    parameterTypes,
    bindHead: `\0${name}\0\0\0`,
  };
}

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
  /** Whether its result has the names and types of the columns. */
  readonly describesRows?: boolean;
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
interface Portion {
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

export interface Column {
  readonly name: string;
  /** OID of its type. */
  readonly type: number;
}

export interface QueryResult {
  readonly rows: readonly Row[];
  /** Of a query that describes its rows. */
  readonly columns?: readonly Column[];
  /** As in `INSERT 0 1`; `PORTION` if more rows may follow. */
  readonly commandTag: string;
}

/** The command tag of a portion of rows after which the portal is suspended. No tag of PostgreSQL is in lower case. */
export const PORTION = 'portion';

/** The results of the queries that return rows, in their order. */
export type BatchResult = readonly QueryResult[];
