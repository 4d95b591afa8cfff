/**
 * Execution plans: how a request was executed, for a client that asks for it (`Prefer: explain`): statement, plan,
 * policies, missing indexes; and the log of slow statements.
 */
import { randomBytes } from 'node:crypto';
import { bodyText, firstRun, type BatchQuery } from '../../postgres/batch.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { quoteIdentifier, sql, type Sql } from '../../postgres/sql.js';
import type { Request, RequestHead } from '../../contract/request.js';
import { preparePlan, type PreparedPlan } from '../prepare/prepared-plan.js';
import type { Action } from '../request/api-request.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import type { Snapshot } from '../snapshot.js';
import { runTransaction } from './run-transaction.js';
import { nullsSql } from '../sql/context.js';
import { contextQuery, plainQuery, prepareTransaction, type Transaction } from './transaction.js';
import type { Pool } from '../../postgres/pool.js';
import type { Caller } from '../../contract/caller.js';

export interface Explanation {
  readonly sql: string;
  /** Types of `$1`, `$2`, …; JSON text. */
  readonly parameterTypes: string;
  /** The plan of PostgreSQL (EXPLAIN, FORMAT JSON); JSON text. */
  readonly plan: string;
  /** The tables of the plan with their policies, and the indexes that they lack; JSON text. */
  readonly tables: string;
}

/**
 * Explains a request that has succeeded. The statement is planned with the values of the request and not executed.
 * @returns the code of the error if PostgreSQL refuses to explain it, or `unavailable`: a request that has succeeded does
 * not fail any more
 */
export async function explain(
  request: Request,
  shaped: ShapedRequest,
  prepared: PreparedPlan,
  snapshot: Snapshot,
): Promise<Explanation | { readonly error: string }> {
  try {
    const plan = await planText(request, shaped, prepared, snapshot);
    const { types, tables } = await catalogueOf(request, shaped, prepared, plan, snapshot);
    return { sql: prepared.main.statement.text, parameterTypes: types, plan, tables };
  } catch (error) {
    return { error: error instanceof PostgresError ? error.fields.code : 'unavailable' };
  }
}

/** The function of `db-pre-request` runs again, so the transaction is rolled back. */
async function planText(
  request: Request,
  shaped: ShapedRequest,
  { plan, scope }: PreparedPlan,
  snapshot: Snapshot,
): Promise<string> {
  const explained = {
    ...plan,
    output: { ...plan.output, explain: { format: 'json', options: ['verbose'] } },
  } as const;
  const prepared = preparePlan(explained, scope, { get: () => undefined });
  const transaction = prepareTransaction(request, shaped, prepared, firstRun(), false, snapshot);
  const result = await runTransaction(snapshot.pool, { ...transaction, end: 'rollback' }, request.caller);
  return Array.isArray(result.body) ? Buffer.concat(result.body).toString('utf8') : '[]';
}

async function catalogueOf(
  request: Request,
  shaped: ShapedRequest,
  prepared: PreparedPlan,
  plan: string,
  snapshot: Snapshot,
): Promise<{ readonly types: string; readonly tables: string }> {
  const { context } = prepareTransaction(request, shaped, prepared, firstRun(), false, snapshot);
  // A prepared statement belongs to the session, which a failure leaves it in.
  const name = quoteIdentifier(`dbr_explain_${randomBytes(8).toString('hex')}`);
  const [types, tables] = await snapshot.pool.run(
    {
      queries: [
        contextQuery(context),
        query(sql`prepare ${name} as ${prepared.main.statement.text}`),
        rowQuery(PARAMETER_TYPES, [name.slice(1, -1)]),
        query(sql`deallocate ${name}`),
        rowQuery(TABLES, [JSON.stringify(scansOf(plan)), commandsOf(shaped.request.action)]),
      ],
      access: 'read',
      use: 'brief',
    },
    request.caller,
  );
  return { types: bodyText(types?.rows[0]), tables: bodyText(tables?.rows[0]) };
}

const query = (text: Sql): BatchQuery => ({ ...plainQuery(text), unnamed: true });

const rowQuery = (text: Sql, parameters: readonly string[]): BatchQuery => ({
  ...query(text),
  parameters,
  returnsRows: true,
});

/** Commands of policies that apply to an action, as pg_policy has them. */
function commandsOf(action: Action): string {
  switch (action.kind) {
    case 'insert':
      return '{*,a,r}';
    case 'update':
      return '{*,w,r}';
    case 'upsert':
      return '{*,a,w,r}';
    case 'delete':
      return '{*,d,r}';
    case 'call':
      return '{*,r,a,w,d}';
    case 'read':
    case 'inspect':
    case 'document':
      return '{*,r}';
  }
}

const PARAMETER_TYPES = sql`
select pg_catalog.to_json(parameter_types::pg_catalog.text[])::pg_catalog.text as body
from pg_catalog.pg_prepared_statements
where name = $1`;

/**
 * The tables of the scans in `$1`: whether row security holds for the role, its policies, and the columns of a filter
 * that remove most rows of a sequential scan and begin no index. Names are looked up in the catalogue: `to_regclass`
 * fails for a schema that the role may not use, which a view may read.
 */
const TABLES = sql`
select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'schema', scanned.schema,
    'table', scanned.table,
    'rowSecurity', pg_catalog.row_security_active(class.oid),
    'policies', case when pg_catalog.row_security_active(class.oid) then (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
          'name', policy.polname,
          'command', case policy.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
            when 'd' then 'delete' else 'all' end,
          'kind', case when policy.polpermissive then 'permissive' else 'restrictive' end)
        order by policy.polname), '[]')
      from pg_catalog.pg_policy as policy
      where policy.polrelid = class.oid
        and policy.polcmd = any ($2::pg_catalog.text[]::"char"[])
        and (policy.polroles = '{0}' or exists (
          select from pg_catalog.unnest(policy.polroles) as granted (role)
          where granted.role <> 0 and pg_catalog.pg_has_role(granted.role, 'USAGE'))))
      else '[]' end,
    'missingIndexes', (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
          'column', attribute.attname,
          'statement', pg_catalog.format('create index on %I.%I (%I)', scanned.schema, scanned.table, attribute.attname))
        order by attribute.attnum), '[]')
      from pg_catalog.pg_attribute as attribute
      where class.reltuples >= 1000
        and scanned.rows < class.reltuples * 0.1
        and attribute.attrelid = class.oid
        and attribute.attnum > 0
        and not attribute.attisdropped
        and pg_catalog.strpos(scanned.filter, '.' || pg_catalog.quote_ident(attribute.attname) || ' ') > 0
        and not exists (
          select from pg_catalog.pg_index as index
          where index.indrelid = class.oid and index.indkey[0] = attribute.attnum)))
  order by scanned.schema, scanned.table), '[]')::pg_catalog.text as body
from pg_catalog.json_to_recordset($1::pg_catalog.json) as scanned (
  schema pg_catalog.text, "table" pg_catalog.text, filter pg_catalog.text, rows pg_catalog.float8)
  join pg_catalog.pg_namespace as namespace on namespace.nspname = scanned.schema
  join pg_catalog.pg_class as class on class.relnamespace = namespace.oid and class.relname = scanned.table`;

/** A table that an execution plan reads or writes. */
interface PlanScan {
  readonly schema: string;
  readonly table: string;
  /** The filters of sequential scans; empty if the table is read by its indexes. */
  readonly filter: string;
  /** Rows that the planner expects from the scan. */
  readonly rows: number;
}

/** @param plan text of EXPLAIN (VERBOSE, FORMAT JSON) @returns each table once */
function scansOf(plan: string): readonly PlanScan[] {
  const tables = new Map<string, PlanScan>();
  for (const node of nodesOf(JSON.parse(plan))) {
    const { Schema: schema, 'Relation Name': table, 'Node Type': kind } = node;
    if (typeof schema !== 'string' || typeof table !== 'string') continue;
    const key = JSON.stringify([schema, table]);
    const known = tables.get(key) ?? { schema, table, filter: '', rows: 0 };
    const { Filter: filter, 'Plan Rows': rows } = node;
    const isSequential = kind === 'Seq Scan' && typeof filter === 'string';
    tables.set(
      key,
      isSequential
        ? // The blank marks the end of the last name.
          {
            ...known,
            filter: `${known.filter} ${qualified(filter)} `,
            rows: typeof rows === 'number' ? rows : 0,
          }
        : known,
    );
  }
  return [...tables.values()];
}

/** Separates names from what follows them: parentheses, casts, subscripts. */
const qualified = (filter: string): string => filter.replaceAll(/[)(:,[\]]/g, ' ');

type PlanNode = Readonly<Record<string, unknown>>;

function* nodesOf(value: unknown): Generator<PlanNode> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each);
  else if (isNode(value)) {
    yield value;
    yield* nodesOf(value['Plan']);
    yield* nodesOf(value['Plans']);
  }
}

const isNode = (value: unknown): value is PlanNode => typeof value === 'object' && value !== null;

// The log of slow statements (`log-slow-statements`): their text and plan, never the values of their parameters. The plan
// is a generic one, which PostgreSQL makes for unknown values. At most one request a second is planned and reported. The
// statements of a batch are reported together: their results arrive in one trip.

/** Observes the execution of the statements of one request. */
interface StatementClock {
  /** The caller of the request, whose batches the clock observes. */
  readonly caller: Caller;
  /** Reports the statements if they were slow. @param transactions those that were sent, one for each statement */
  stop(transactions: readonly Transaction[]): void;
}

/** Null while `log-slow-statements` is not set. */
export function startClock(request: RequestHead, snapshot: Snapshot): StatementClock | null {
  const thresholdMs = snapshot.settings['log-slow-statements'];
  if (thresholdMs === null) return null;
  const { client, signal, onSent } = request.caller;
  let sentAt: number | null = null;
  return {
    caller: {
      client,
      signal,
      onSent() {
        sentAt = performance.now();
        onSent?.();
      },
    },
    stop(transactions) {
      const milliseconds = sentAt === null ? 0 : performance.now() - sentAt;
      if (sentAt !== null && milliseconds >= thresholdMs) note(request, transactions, snapshot, milliseconds);
    },
  };
}

const INTERVAL_MS = 1000;

function note(
  request: RequestHead,
  transactions: readonly Transaction[],
  snapshot: Snapshot,
  milliseconds: number,
): void {
  const { slowLog } = snapshot;
  const now = performance.now();
  if (now - slowLog.reportedAt < INTERVAL_MS) {
    slowLog.leftOut += 1;
    return;
  }
  const { leftOut } = slowLog;
  slowLog.reportedAt = now;
  slowLog.leftOut = 0;
  void report(request, transactions, snapshot, milliseconds, leftOut);
}

const LONGEST_TEXT = 8192;
/** Most statements of a batch that are planned and reported. */
const MOST_STATEMENTS = 10;

const mainText = ({ prepared }: Transaction): string => prepared.main.statement.text;

async function report(
  { method, path, identity, trace }: RequestHead,
  transactions: readonly Transaction[],
  { pool, slowLog, settings }: Snapshot,
  milliseconds: number,
  leftOut: number,
): Promise<void> {
  const distinct = new Map(transactions.map((transaction) => [mainText(transaction), transaction]));
  const reported = [...distinct.values()].slice(0, MOST_STATEMENTS);
  const plans: string[] = [];
  for (const transaction of reported)
    plans.push(
      await genericPlan(pool, transaction, settings['db-prepared-statements']).catch((error: unknown) =>
        error instanceof PostgresError ? `no plan: ${error.fields.code}` : 'no plan',
      ),
    );
  slowLog.observe({
    kind: 'slow-statement',
    ...(trace === null ? {} : { traceId: trace.traceId }),
    method,
    path,
    role: identity.role,
    milliseconds: Math.round(milliseconds),
    statement: reported.map(mainText).join(';\n').slice(0, LONGEST_TEXT),
    plan: plans.join('\n\n').slice(0, LONGEST_TEXT),
    leftOut,
  });
}

/**
 * Plans the statement in the context of the request, without its values. PREPARE survives a rollback, so a plan that fails
 * would leave the statement to the connection: it is removed by a transaction of its own.
 * @param keepsConnection false if a pooler may run that transaction on another connection
 */
async function genericPlan(
  pool: Pool,
  { prepared, context }: Transaction,
  keepsConnection: boolean,
): Promise<string> {
  const { statement, parameters } = prepared.main;
  const name = quoteIdentifier(`dbr_slow_${randomBytes(8).toString('hex')}`);
  const removal = query(sql`deallocate ${name}`);
  const [explained] = await pool.run({
    queries: [
      contextQuery({ ...context, readOnly: true }),
      query(sql`set local plan_cache_mode = force_generic_plan`),
      query(sql`prepare ${name} as ${statement.text}`),
      rowQuery(sql`explain execute ${name}${nullsSql(parameters.length)}`, []),
      ...(keepsConnection ? [] : [removal]),
    ],
    ...(keepsConnection ? { followUp: removal } : {}),
    access: 'read',
    use: 'brief',
  });
  return (explained?.rows ?? []).map(bodyText).join('\n');
}
