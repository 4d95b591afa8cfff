/** How a request was executed, for a client that asks for it (`Prefer: explain`): statement, plan, policies, missing indexes. */
import { randomBytes } from 'node:crypto';
import type { BatchQuery, BatchResult } from '../../postgres/batch.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { quoteIdentifier, sql, type Sql } from '../../postgres/sql.js';
import { prepare } from '../../postgres/statement.js';
import type { Request } from '../../contract/request.js';
import { preparePlan, type PreparedPlan } from '../prepare/prepared-plan.js';
import type { Action } from '../request/api-request.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import type { Snapshot } from '../snapshot.js';
import { runTransaction } from './run-transaction.js';
import { contextQuery } from './transaction-context.js';
import { prepareTransaction } from './transaction.js';

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
  const transaction = prepareTransaction(request, shaped, prepared, 'quick', false, snapshot);
  const result = await runTransaction(snapshot.pool, { ...transaction, end: 'rollback' }, request.caller);
  return Array.isArray(result.body) ? Buffer.concat(result.body).toString('utf8') : '[]';
}

interface Catalogued {
  readonly types: string;
  readonly tables: string;
}

async function catalogueOf(
  request: Request,
  shaped: ShapedRequest,
  prepared: PreparedPlan,
  plan: string,
  snapshot: Snapshot,
): Promise<Catalogued> {
  const { context } = prepareTransaction(request, shaped, prepared, 'quick', false, snapshot);
  // A prepared statement belongs to the session, which a failure leaves it in.
  const name = quoteIdentifier(`dbr_explain_${randomBytes(8).toString('hex')}`);
  const results = await snapshot.pool.run(
    {
      queries: [
        contextQuery(context),
        query(sql`prepare ${name} as ${prepared.main.statement.text}`),
        rowQuery(PARAMETER_TYPES, [name.slice(1, -1)]),
        query(sql`deallocate ${name}`),
        rowQuery(TABLES, [JSON.stringify(scansOf(plan)), commandsOf(shaped.request.action)]),
      ],
      access: 'read',
      pace: 'quick',
    },
    request.caller,
  );
  return { types: textOf(results, 0), tables: textOf(results, 1) };
}

const query = (text: Sql): BatchQuery => ({
  statement: prepare(text),
  parameters: [],
  returnsRows: false,
  unnamed: true,
});

const rowQuery = (text: Sql, parameters: readonly string[]): BatchQuery => ({
  statement: prepare(text),
  parameters,
  returnsRows: true,
  unnamed: true,
});

const textOf = (results: BatchResult, index: number): string =>
  Buffer.concat(results[index]?.rows[0]?.body ?? []).toString('utf8');

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

/** The tables that an execution plan reads or writes. */

interface Scan {
  readonly schema: string;
  readonly table: string;
  /** The filters of sequential scans; empty if the table is read by its indexes. */
  readonly filter: string;
  /** Rows that the planner expects from the scan. */
  readonly rows: number;
}

/** @param plan text of EXPLAIN (VERBOSE, FORMAT JSON) @returns each table once */
function scansOf(plan: string): readonly Scan[] {
  const tables = new Map<string, Scan>();
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
