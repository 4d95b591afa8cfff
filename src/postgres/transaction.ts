/**
 * Transactions of several queries, and queries that are transactions of their own, under a role. The role is set in the
 * trip of the first query and before it: if it cannot be set, PostgreSQL skips the query.
 */
import {
  bodyText,
  command,
  prepare,
  type BatchQuery,
  type QueryResult,
  type Row,
  type Statement,
  type Trip,
} from './batch.js';
import { parserOf } from './database.js';
import { isConflict, READ_COMMITTED, repeatTransaction } from './own-transactions.js';
import type { Pool } from './pool.js';
import { ConnectionLost, PostgresError } from './postgres-error.js';
import { type Sql, sql } from './sql.js';

/** A query of a transaction. Only source code makes its text, so that the statements that a connection prepares are bounded. */
export interface TaskQuery {
  readonly text: Sql;
  readonly values: unknown[];
  /** It is planned for its values each time, because one plan for all values would be slower. */
  readonly unnamed?: true;
}

/** The queries of a transaction, one after another. */
export interface DatabaseTask {
  any<Row>(query: TaskQuery): Promise<readonly Row[]>;
  /** @throws Error if there is not exactly one row */
  one<Row>(query: TaskQuery): Promise<Row>;
  /** @throws Error if there is more than one row */
  oneOrNone<Row>(query: TaskQuery): Promise<Row | null>;
  /** @throws Error if there is a row */
  none(query: TaskQuery): Promise<null>;
  /** Has an effect outside of the transaction once it has committed: a transaction that is rolled back may run again. */
  afterCommit(effect: () => void): void;
}

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

/** What a transaction does. It may run several times, and has no effect outside of the transaction. */
type TransactionBody<Result> = (task: DatabaseTask) => Promise<Result>;

/**
 * Runs `body` in a transaction, which rolls back if `body` throws. BEGIN and the role travel with its first query; a
 * transaction without queries sends nothing. `body` runs again after a conflict, and once if the pool has begun the
 * transaction again (`Batch.next`).
 * @throws PostgresError, PoolTimeout, ConnectFailed, ConnectionLost, and the errors of `body`
 */
export async function inTransaction<Result>(
  pool: Pick<Pool, 'run'>,
  acting: ActingRole,
  body: TransactionBody<Result>,
): Promise<Result> {
  let unnamed = false;
  return repeatTransaction(
    () => runTransaction(pool, acting, unnamed, body),
    (error) => {
      if (!(error instanceof BegunAgain)) return isOfConflict(error);
      const isFirst = !unnamed;
      unnamed = true;
      return isFirst;
    },
  );
}

/**
 * Runs each query of `body` as a transaction of its own, in one trip with the role. A query is sent again after a conflict.
 * @throws as `inTransaction`
 */
export const inSeparateTransactions = <Result>(
  pool: Pick<Pool, 'run'>,
  acting: ActingRole,
  body: TransactionBody<Result>,
): Promise<Result> =>
  body(
    taskOf(
      async (query) => {
        const queries = [READ_COMMITTED, roleQuery(acting), taskQuery(acting.role, query)];
        const [result] = await repeatTransaction(() => pool.run({ queries, ...ALONE }));
        return result;
      },
      (effect) => effect(),
    ),
  );

/** A transaction may write, and has its connection to itself. */
const ALONE = { access: 'write', use: 'brief' } as const;

const isOfConflict = (error: unknown): boolean => error instanceof PostgresError && isConflict(error.fields);

/** The pool has sent the first query again, for which the body does not wait any more. The transaction was rolled back. */
class BegunAgain extends ConnectionLost {
  constructor() {
    super('the transaction was begun again', false);
  }
}

const BEGIN = utility(sql`begin isolation level read committed`);
const COMMIT = utility(sql`commit`);

/** A statement without a plan. Without a name, it works whatever the connection has lost. */
function utility(text: Sql): BatchQuery {
  return { ...command(prepare(text)), unnamed: true };
}

/** @param unnamed whether the statements are parsed each time, because a connection has lost those that it had prepared */
async function runTransaction<Result>(
  pool: Pick<Pool, 'run'>,
  acting: ActingRole,
  unnamed: boolean,
  body: TransactionBody<Result>,
): Promise<Result> {
  const calls = createCalls();
  const effects: (() => void)[] = [];
  const run = async (): Promise<Result> =>
    body(
      taskOf(
        (query) => calls.add(query),
        (effect) => effects.push(effect),
      ),
    );
  const ended = run().then(
    (result) => ({ kind: 'returned', result }) as const,
    (error: unknown) => ({ kind: 'threw', error }) as const,
  );
  const nextStep = () => Promise.race([ended, calls.next()]);
  const queryOf = ({ query }: Call): BatchQuery => ({
    ...taskQuery(acting.role, query),
    ...(unnamed ? { unnamed } : {}),
  });

  async function answer(call: Call, result: QueryResult | undefined): Promise<Trip> {
    call.resolve(result);
    const step = await nextStep();
    if (step.kind === 'threw') throw step.error;
    if (step.kind === 'returned') return { queries: [COMMIT] };
    return { queries: [queryOf(step)], next: ([own]) => answer(step, own) };
  }

  const first = await nextStep();
  try {
    if (first.kind === 'call') {
      let hasBegun = false;
      await pool.run({
        queries: [BEGIN, roleQuery(acting), queryOf(first)],
        next([result]) {
          if (hasBegun) return Promise.reject(new BegunAgain());
          hasBegun = true;
          return answer(first, result);
        },
        ...ALONE,
      });
    }
    calls.end(new Error('the transaction has ended'));
  } catch (error) {
    calls.end(error instanceof Error ? error : new Error(String(error)));
    const own = await ended;
    throw own.kind === 'threw' && !(error instanceof BegunAgain) ? own.error : error;
  }
  const own = await ended;
  if (own.kind === 'threw') throw own.error;
  for (const effect of effects) effect();
  return own.result;
}

/** A query for whose result the body of a transaction waits. */
interface Call {
  readonly kind: 'call';
  readonly query: TaskQuery;
  readonly resolve: (result: QueryResult | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** The queries of a transaction, in the order in which they are called. */
interface Calls {
  add(query: TaskQuery): Promise<QueryResult | undefined>;
  next(): Promise<Call>;
  /** Refuses the query that was sent, those that were not, and all later ones: they would run outside of the transaction. */
  end(error: Error): void;
}

function createCalls(): Calls {
  const open = new Set<Call>();
  const waiting: Call[] = [];
  let take: ((call: Call) => void) | null = null;
  let end: Error | null = null;
  return {
    add(query) {
      const result = new Promise<QueryResult | undefined>((resolve, reject) => {
        const call: Call = { kind: 'call', query, resolve, reject };
        if (end !== null) return reject(end);
        open.add(call);
        if (take === null) waiting.push(call);
        else take(call);
        take = null;
      });
      // The body may have ended without waiting for it.
      result.catch(() => undefined);
      return result;
    },
    next: () =>
      new Promise((resolve) => {
        const first = waiting.shift();
        if (first === undefined) take = resolve;
        else resolve(first);
      }),
    end(error) {
      end = error;
      for (const { reject } of open) reject(error);
    },
  };
}

const roleQuery = ({ role, parameters }: ActingRole): BatchQuery => command(role.statement, parameters);

const taskQuery = (role: TransactionRole, { text, values, unnamed }: TaskQuery): BatchQuery => ({
  statement: statementOf(role, text),
  parameters: values.map(parameterOf),
  returnsRows: true,
  describesRows: true,
  ...(unnamed === true ? { unnamed } : {}),
});

/** A task whose queries `run` sends. */
function taskOf(
  run: (query: TaskQuery) => Promise<QueryResult | undefined>,
  afterCommit: DatabaseTask['afterCommit'],
): DatabaseTask {
  // The caller states the columns of its own query, as for every query of the driver.
  const rowsOf = async <Row>(query: TaskQuery): Promise<readonly Row[]> =>
    typedRows(await run(query)) as readonly Row[];
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

// Rows of PostgreSQL as values of JavaScript.

/** OIDs of json and jsonb. Transactions use the values; other queries pass on the text. */
const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);

/** Returns the rows by column name. */
function typedRows(result: QueryResult | undefined): readonly Readonly<Record<string, unknown>>[] {
  const columns = (result?.columns ?? []).map(({ name, type }) => ({
    name,
    parse: JSON_TYPES.has(type) ? JSON.parse : parserOf(type),
  }));
  return (result?.rows ?? []).map((row) => {
    const texts = textsOf(row);
    const typed: Record<string, unknown> = {};
    for (const [index, { name, parse }] of columns.entries()) {
      const text = texts[index] ?? null;
      typed[name] = text === null ? null : parse(text);
    }
    return typed;
  });
}

const textsOf = (row: Row): readonly (string | null)[] => [
  ...row.columns,
  row.body === null ? null : bodyText(row),
];
