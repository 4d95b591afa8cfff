/**
 * Group commit: the statements of many calls in one batch and one transaction. While a batch is in flight, statements
 * are collected for the next one.
 */
import type { Parameter, Row } from '../postgres/batch.js';
import type { Pool } from '../postgres/pool.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { sql } from '../postgres/sql.js';
import { prepare, type Statement } from '../postgres/statement.js';

/** The part of the pool that is used here. */
export type Runner = Pick<Pool, 'run'>;

export interface GroupedStatement {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly statement: Statement;
  readonly parameters: readonly Parameter[];
}

export interface MailboxGroup {
  /** Runs a statement with those of other calls. @throws as `Pool.run` */
  run(statement: GroupedStatement): Promise<readonly Row[]>;
  /** Runs a statement in a transaction of its own, which may wait for locks. @throws as `Pool.run` */
  runAlone(statement: GroupedStatement): Promise<readonly Row[]>;
  /** Runs statements that change nothing in one transaction. @throws as `Pool.run` */
  read(statements: readonly GroupedStatement[]): Promise<readonly (readonly Row[])[]>;
}

/** Every statement finds its rows by keys, so that one plan serves all. */
const AS_TENANT = prepare(sql`
select pg_catalog.num_nulls(
  pg_catalog.set_config('role', 'dbr_signing_service', true),
  pg_catalog.set_config('app.tenant_id', $1, true),
  pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)
)`);

/** Bounds of one batch. */
const MAX_STATEMENTS = 256;
const MAX_BYTES = 8_388_608;

interface Waiting extends GroupedStatement {
  readonly bytes: number;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
}

export function createMailboxGroup(pool: Runner): MailboxGroup {
  let waiting: Waiting[] = [];
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    // After this turn of the event loop, so that all its statements are in one batch.
    setImmediate(() => {
      void commit().finally(() => {
        scheduled = false;
        schedule();
      });
    });
  }

  async function commit(): Promise<void> {
    const group = takeGroup(waiting);
    waiting = waiting.slice(group.length);
    group.sort(inOrder);
    try {
      const results = await runGroup(pool, group, 'write');
      group.forEach(({ resolve }, index) => resolve(results[index] ?? []));
    } catch (error) {
      if (error instanceof PostgresError && group.length > 1) await runEach(pool, group);
      else for (const { reject } of group) reject(error);
    }
  }

  return {
    run: (statement) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...statement, bytes: bytesOf(statement.parameters), resolve, reject });
        schedule();
      }),
    async runAlone(statement) {
      const [rows] = await runGroup(pool, [statement], 'write');
      return rows ?? [];
    },
    read: (statements) => runGroup(pool, statements, 'read'),
  };
}

/** Runs each statement of a failed group separately, so that only the faulty one fails. */
async function runEach(pool: Runner, group: readonly Waiting[]): Promise<void> {
  for (const one of group)
    await runGroup(pool, [one], 'write').then(([rows]) => one.resolve(rows ?? []), one.reject);
}

function takeGroup(waiting: readonly Waiting[]): Waiting[] {
  let bytes = 0;
  const over = waiting.findIndex((one, index) => {
    bytes += one.bytes;
    return index > 0 && (bytes > MAX_BYTES || index >= MAX_STATEMENTS);
  });
  return waiting.slice(0, over < 0 ? waiting.length : over);
}

/** Processes lock sessions in one order, so that their transactions do not deadlock. */
const inOrder = (one: GroupedStatement, other: GroupedStatement): number =>
  compare(one.tenantId, other.tenantId) || compare(one.sessionId, other.sessionId);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the rows of each statement. Statements of one tenant are adjacent. */
async function runGroup(
  pool: Runner,
  group: readonly GroupedStatement[],
  access: 'read' | 'write',
): Promise<readonly (readonly Row[])[]> {
  const queries = group.flatMap(({ tenantId, statement, parameters }, index) => {
    const query = { statement, parameters, returnsRows: true };
    const isSame = index > 0 && group[index - 1]?.tenantId === tenantId;
    return isSame ? [query] : [{ statement: AS_TENANT, parameters: [tenantId], returnsRows: false }, query];
  });
  const results = await pool.run({ queries, access, pace: 'quick' });
  return results.map(({ rows }) => rows);
}

const bytesOf = (parameters: readonly Parameter[]): number =>
  parameters.reduce((total, parameter) => total + (parameter?.length ?? 0), 0);

/** The last column as text; null for SQL null. */
export const lastText = ({ body }: Row): string | null =>
  body === null ? null : Buffer.concat(body).toString('utf8');
