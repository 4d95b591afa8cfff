/**
 * Transactions of several queries, and queries that are transactions of their own, under a role. The role is set in the
 * trip of the first query and before it: if it cannot be set, PostgreSQL skips the query. Each connection prepares each
 * statement once.
 */
import { command, type BatchQuery, type Statement, prepare } from './batch.js';
import {
  isIdleTimeout,
  isOutdatedStatement,
  isReadOnlyRefusal,
  type ErrorFields,
  PostgresError,
} from './postgres-error.js';
import {
  type Database,
  type DatabaseTask,
  type DriverClient,
  type TaskQuery,
  asPostgresError,
  closeIdle,
  hasSeveralServers,
  parserOf,
  preparesStatements,
} from './database.js';
import { classifyDriverError } from './driver-error.js';
import { isConflict, READ_COMMITTED, repeatTransaction } from './own-transactions.js';
import { type PreparedStatements, createPreparedStatements, encodeBatch } from './frontend.js';
import { type Sql, sql } from './sql.js';

/**
 * A role of transactions. It has statements of its own: a plan depends on the role, and PostgreSQL makes a new one
 * whenever a prepared statement is executed under another role.
 */
interface TransactionRole {
  /** Sets the role until the end of the transaction. */
  readonly statement: Statement;
  /** By their text. */
  readonly statements: Map<Sql, Statement>;
}

/** @param text the query that sets the role, and returns no row */
export const transactionRole = (text: Sql): TransactionRole => ({
  statement: prepare(text),
  statements: new Map(),
});

/** Most statements of a role. More are texts that vary: each of them takes the place of the oldest. */
const MAX_STATEMENTS = 256;

function statementOf({ statements }: TransactionRole, text: Sql): Statement {
  const known = statements.get(text);
  if (known !== undefined) return known;
  for (const oldest of statements.keys()) {
    if (statements.size < MAX_STATEMENTS) break;
    statements.delete(oldest);
  }
  const statement = prepare(text);
  statements.set(text, statement);
  return statement;
}

/** The role that a transaction acts as, and for whom. */
export interface ActingRole {
  readonly role: TransactionRole;
  /** Parameters of the query that sets the role. */
  readonly parameters: readonly string[];
}

type Work<Result> = (task: DatabaseTask) => Promise<Result>;

/**
 * Runs `work` in a transaction, which rolls back if `work` throws. BEGIN and the role travel with its first query; a
 * transaction without queries sends nothing. `work` runs once more if a prepared statement is outdated, if PostgreSQL ended
 * the connection because it was idle, or if the server is read-only and another one may be the primary, and again after a
 * conflict: it has no effect outside of the transaction.
 * @throws PostgresError, PoolTimeout, ConnectFailed, ConnectionLost, and the errors of `work`
 */
export const inTransaction = <Result>(
  database: Database,
  acting: ActingRole,
  work: Work<Result>,
): Promise<Result> =>
  repeatTransaction(() =>
    withClient(database, (connection) =>
      runTwice(connection, () => runTransaction(connection, acting, work)),
    ),
  );

/**
 * Runs each query of `work` as a transaction of its own, in one trip with the role. A query whose prepared statement is
 * outdated is sent once more, and again after a conflict; `work` runs once more if its first query finds that PostgreSQL has
 * ended the connection because it was idle, or that the server is read-only.
 * @throws as `inTransaction`
 */
export const inSeparateTransactions = <Result>(
  database: Database,
  acting: ActingRole,
  work: Work<Result>,
): Promise<Result> =>
  withClient(database, async (connection) => {
    const leads = [READ_COMMITTED, roleQuery(acting)];
    const queries = inTurn(async (query) => {
      const result = await repeatTransaction(
        () => runTwice(connection, () => send(connection, leads, taskQuery(acting.role, query))),
        (error) => isRefusal(error, isConflict),
      );
      connection.hasCommitted = true;
      return result;
    });
    try {
      return await work(taskOf(queries.run, (effect) => effect()));
    } finally {
      await queries.end();
    }
  });

/** A connection of the driver's pool, for one task. */
interface TaskConnection {
  readonly client: DriverClient;
  /** Null while statements must not be prepared. */
  readonly statements: PreparedStatements | null;
  /** Whether the state of the connection is unknown, or its server cannot be used. */
  isUnusable: boolean;
  /** Whether a transaction of the task has ended, so that the task is not repeated. */
  hasCommitted: boolean;
}

const prepared = new WeakMap<DriverClient, PreparedStatements>();

/**
 * Most statements of a connection, and most characters of their texts: a backend keeps 50 to 100 bytes for each of them.
 * The areas have less than a quarter of both.
 */
const STATEMENT_CAPACITY = 256;
const MAX_TEXT = 262_144;

function statementsOf(client: DriverClient): PreparedStatements {
  const known = prepared.get(client);
  if (known !== undefined) return known;
  const made = createPreparedStatements(STATEMENT_CAPACITY, MAX_TEXT);
  prepared.set(client, made);
  return made;
}

/** @param isSecond whether a server has refused the task before */
async function withClient<Result>(
  database: Database,
  run: (connection: TaskConnection) => Promise<Result>,
  isSecond = false,
): Promise<Result> {
  try {
    const connected = await database.connect();
    const { client } = connected;
    const statements = preparesStatements(database) ? statementsOf(client) : null;
    const connection: TaskConnection = { client, statements, isUnusable: false, hasCommitted: false };
    try {
      return await run(connection);
    } catch (error) {
      const isReadOnly = hasSeveralServers(database) && isRefusal(error, isReadOnlyRefusal);
      if (!isReadOnly && !isRefusal(error, isIdleTimeout)) throw error;
      connection.isUnusable = true;
      if (isReadOnly) void closeIdle(database);
      if (connection.hasCommitted || isSecond) throw error;
    } finally {
      void connected.done(connection.isUnusable);
    }
  } catch (error) {
    throw asPostgresError(error, database);
  }
  return await withClient(database, run, true);
}

/** Runs again on the same connection if one of its prepared statements is outdated; all are then parsed again. */
async function runTwice<Result>(connection: TaskConnection, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (connection.statements === null || connection.isUnusable || !isRefusal(error, isOutdatedStatement))
      throw error;
    connection.statements.renewAll();
    return await run();
  }
}

/** The address is that of connection errors, which are none of these. */
function isRefusal(error: unknown, kind: (fields: ErrorFields) => boolean): boolean {
  const known = classifyDriverError(error, { host: '', port: 0 });
  return known instanceof PostgresError && kind(known.fields);
}

const BEGIN = utility(sql`begin isolation level read committed`);
const COMMIT = utility(sql`commit`);
const ROLLBACK = utility(sql`rollback`);

/** A statement without a plan. Without a name, it works whatever the connection has lost. */
function utility(text: Sql): BatchQuery {
  return { ...command(prepare(text)), unnamed: true };
}

async function runTransaction<Result>(
  connection: TaskConnection,
  acting: ActingRole,
  work: Work<Result>,
): Promise<Result> {
  let isBegun = false;
  const queries = inTurn((query) => {
    const leads = isBegun ? [] : [BEGIN, roleQuery(acting)];
    isBegun = true;
    return send(connection, leads, taskQuery(acting.role, query));
  });
  const effects: (() => void)[] = [];
  try {
    const result = await work(taskOf(queries.run, (effect) => effects.push(effect)));
    await queries.end();
    if (isBegun) await commit(connection);
    for (const effect of effects) effect();
    return result;
  } catch (error) {
    await queries.end();
    if (isBegun) await rollBack(connection);
    throw error;
  }
}

type RunQuery = (query: TaskQuery) => Promise<TripResult>;

/** Queries of one task, of which each is sent when the one before has succeeded. */
interface QueriesInTurn {
  readonly run: RunQuery;
  /** Waits for the query that was sent, and refuses those that were not: they would run outside of the transaction. */
  end(): Promise<void>;
}

function inTurn(run: RunQuery): QueriesInTurn {
  let last: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  return {
    run(query) {
      const result = last.then(() => {
        if (hasEnded) throw new Error('the transaction has ended');
        return run(query);
      });
      last = result;
      return result;
    },
    async end() {
      hasEnded = true;
      await last.catch(() => undefined);
    },
  };
}

/** PostgreSQL answers ROLLBACK to the COMMIT of a transaction in which a query has failed. */
async function commit(connection: TaskConnection): Promise<void> {
  const { commandTag } = await send(connection, [], COMMIT);
  if (commandTag !== 'COMMIT') throw new Error('a query failed, and the transaction was rolled back');
}

/** A connection that does not roll back is closed. */
async function rollBack(connection: TaskConnection): Promise<void> {
  try {
    await send(connection, [], ROLLBACK);
  } catch {
    connection.isUnusable = true;
  }
}

const send = (
  { client, statements }: TaskConnection,
  leads: readonly BatchQuery[],
  query: BatchQuery,
): Promise<TripResult> => runTrip(client, leads, query, statements);

const roleQuery = ({ role, parameters }: ActingRole): BatchQuery => command(role.statement, parameters);

const taskQuery = (role: TransactionRole, { text, values, unnamed }: TaskQuery): BatchQuery => ({
  statement: statementOf(role, text),
  parameters: values.map(parameterOf),
  returnsRows: true,
  ...(unnamed === true ? { unnamed } : {}),
});

/** A task whose queries `run` sends. */
function taskOf(run: RunQuery, afterCommit: DatabaseTask['afterCommit']): DatabaseTask {
  // The caller states the columns of its own query, as for every query of the driver.
  const rowsOf = async <Row>(query: TaskQuery): Promise<readonly Row[]> =>
    (await run(query)).rows as readonly Row[];
  const atMostOne = async <Row>(query: TaskQuery): Promise<Row | null> => {
    const rows = await rowsOf<Row>(query);
    if (rows.length > 1) throw unexpected(rows);
    return rows[0] ?? null;
  };
  return {
    any: rowsOf,
    oneOrNone: atMostOne,
    async one<Row>(query: TaskQuery): Promise<Row> {
      const row = await atMostOne<Row>(query);
      if (row === null) throw unexpected([]);
      return row;
    },
    async none(query) {
      const rows = await rowsOf(query);
      if (rows.length > 0) throw unexpected(rows);
      return null;
    },
    afterCommit,
  };
}

const unexpected = ({ length }: readonly unknown[]): Error =>
  new Error(`a query returned ${String(length)} rows, which it never does`);

/** Values of JavaScript as parameters in text format. */

/**
 * Returns the parameter for a value: null (also for undefined), text, bytes (of type bytea), a time, a number, a boolean, or
 * an array of these. PostgreSQL refuses the text of an invalid time.
 * @throws TypeError for any other value
 */
export function parameterOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return bytesText(value);
  return Array.isArray(value) ? arrayText(value) : scalarText(value);
}

/** An array constant (PostgreSQL manual, 8.15.6). */
function arrayText(values: readonly unknown[]): string {
  const elements = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    if (Array.isArray(value)) return arrayText(value);
    if (Buffer.isBuffer(value)) return `"\\${bytesText(value)}"`;
    const text = typeof value === 'string' ? value : scalarText(value);
    return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return `{${elements.join(',')}}`;
}

/** The hex format of bytea (PostgreSQL manual, 8.4.1). */
const bytesText = (value: Buffer): string => `\\x${value.toString('hex')}`;

function scalarText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (value instanceof Date) return timeText(value);
  throw new TypeError(`a value of type ${typeof value} is no parameter`);
}

/** RFC 3339 in UTC, with more digits for late years, and BC for early ones (PostgreSQL manual, 8.5.1). */
function timeText(time: Date): string {
  const year = time.getUTCFullYear();
  if (Number.isNaN(year)) return String(time);
  const rest = time.toISOString().slice(-REST_OF_TIME);
  return year < 1 ? `${digits(1 - year)}${rest} BC` : `${digits(year)}${rest}`;
}

/** Characters of a time after its year. */
const REST_OF_TIME = 20;

const digits = (year: number): string => String(year).padStart(4, '0');

// Queries that a client of the driver sends in one write, with one Sync: an error of one of them skips
// the rest.

interface TripResult {
  /** By column name, as the driver parses their values; JSON is parsed, too. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** As in `INSERT 0 1`. */
  readonly commandTag: string;
}

/**
 * Runs `leads`, which return no rows, and `query` behind them.
 * @param statements null sends unnamed statements
 * @throws the driver's error
 */
const runTrip = (
  client: DriverClient,
  leads: readonly BatchQuery[],
  query: BatchQuery,
  statements: PreparedStatements | null,
): Promise<TripResult> =>
  new Promise((resolve, reject) => {
    const trip: Trip = {
      queries: [...leads, query],
      statements,
      parsing: [],
      columns: [],
      rows: [],
    };
    void client.query(submittable(trip, resolve, reject));
  });

interface Trip {
  readonly queries: readonly BatchQuery[];
  readonly statements: PreparedStatements | null;
  /** The statements whose Parse is part of the trip. */
  parsing: readonly Statement[];
  columns: readonly Column[];
  readonly rows: Readonly<Record<string, unknown>>[];
}

interface Column {
  readonly name: string;
  readonly parse: (value: string) => unknown;
}

/** OIDs of json and jsonb. Tasks use the values; other queries pass on the text. */
const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);

/** The members that the driver's client calls (pg/lib/client.js). */
function submittable(
  trip: Trip,
  resolve: (result: TripResult) => void,
  reject: (error: Error) => void,
): Readonly<Record<string, unknown>> {
  let commandTag = '';
  const ignore = (): void => undefined;
  return {
    submit({ stream }: DriverClient['connection']) {
      const pieces: Buffer[] = [];
      trip.parsing = encodeBatch(trip, trip.statements, pieces, true);
      for (const piece of pieces) stream.write(piece);
      return null;
    },
    handleRowDescription({ fields }: RowDescription) {
      trip.columns = fields.map(({ name, dataTypeID }) => ({
        name,
        parse: JSON_TYPES.has(dataTypeID) ? JSON.parse : parserOf(dataTypeID),
      }));
    },
    handleDataRow({ fields }: DataRow) {
      trip.rows.push(rowOf(trip.columns, fields));
    },
    handleCommandComplete({ text }: CommandComplete) {
      commandTag = text;
    },
    handleReadyForQuery() {
      resolve({ rows: trip.rows, commandTag });
    },
    handleError(error: Error) {
      // PostgreSQL skips what follows the error, with the Parse messages in it. To close an absent statement is no error.
      for (const statement of trip.parsing) trip.statements?.renew(statement);
      reject(error);
    },
    handleEmptyQuery: ignore,
    handlePortalSuspended: ignore,
    handleCopyInResponse: ignore,
    handleCopyData: ignore,
  };
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

interface DataRow {
  readonly fields: readonly (string | null)[];
}

interface CommandComplete {
  readonly text: string;
}

function rowOf(
  columns: readonly Column[],
  fields: readonly (string | null)[],
): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {};
  for (const [index, { name, parse }] of columns.entries()) {
    const value = fields[index] ?? null;
    row[name] = value === null ? null : parse(value);
  }
  return row;
}
