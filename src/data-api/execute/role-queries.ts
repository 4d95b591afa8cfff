import { type Batch, type BatchQuery, bodyText, prepare } from '../../postgres/batch.js';
import { errorFields, PostgresError } from '../../postgres/postgres-error.js';
import { quoteQualified, sql } from '../../postgres/sql.js';
import type { RequestHead } from '../../contract/request.js';
import { findFunction } from '../plan/plan-call.js';
import { unknownTable } from '../plan/plan-context.js';
import type { Action } from '../request/api-request.js';
import type { ApiRequestHead } from '../request/read-request.js';
import { find, privilegesOf } from '../schema-cache/lookups.js';
import type { Privilege, Routine, Table, TableKind } from '../schema-cache/types.js';
import { planContext, type Snapshot } from '../snapshot.js';
import { preRequestQuery } from '../prepare/caller.js';
import { BEGIN, contextQuery, END, transactionContext } from './transaction.js';

/**
 * Checks that the role may use the relation or function, before a long body is received. If the schema cache lacks
 * the privilege, PostgreSQL is queried: privileges change without a reload, and `db-pre-request` may set another
 * role.
 * @throws DbrError TableNotFound, FunctionNotFound; PostgresError with 42501 and the message of PostgreSQL
 */
export async function requirePrivileges(
  request: RequestHead,
  head: ApiRequestHead,
  snapshot: Snapshot,
): Promise<void> {
  const check = checkOf(head, request.identity.role, snapshot);
  if (check !== null && !(await isAllowed(check, request, head, snapshot))) throw denied(check);
}

/** The query that checks the privilege, and the object that an error of PostgreSQL would name. */
interface PrivilegeCheck {
  readonly query: BatchQuery;
  readonly object: string;
  readonly name: string;
}

/** Returns null if the role has the privilege according to the cache. */
function checkOf(head: ApiRequestHead, role: string, snapshot: Snapshot): PrivilegeCheck | null {
  const { cache } = snapshot;
  const { resource, schema } = head;
  const holds = privilegesOf(cache.roles, role);
  switch (resource.kind) {
    case 'relation': {
      const table = find(cache.tables, schema, resource.name);
      if (table === undefined) throw unknownTable({ cache, role }, schema, resource.name);
      const needed = privilegesFor(head.action);
      return needed.every((privilege) => holds(table.access, privilege)) ? null : tableCheck(table, needed);
    }
    case 'function': {
      const routines = find(cache.functions, schema, resource.name) ?? [];
      if (routines.some(({ access }) => holds(access, 'EXECUTE'))) return null;
      // Throws DBR202. The names of the arguments are not known yet.
      if (routines.length === 0)
        findFunction({ ...head, payload: null }, resource.name, planContext(snapshot, role));
      return functionCheck(resource.name, routines);
    }
    case 'root':
    case 'description':
      return null;
  }
}

function privilegesFor(action: Action): readonly Privilege[] {
  switch (action.kind) {
    case 'insert':
      return ['INSERT'];
    case 'update':
      return ['UPDATE'];
    case 'upsert':
      return ['INSERT', 'UPDATE'];
    case 'delete':
    case 'read':
    case 'call':
    case 'inspect':
    case 'document':
      return [];
  }
}

const TABLE_PRIVILEGES = prepare(sql`
select pg_catalog.bool_and(pg_catalog.has_any_column_privilege($1, privilege))::pg_catalog.text as body
from pg_catalog.unnest($2::pg_catalog.text[]) as privilege`);

const FUNCTION_PRIVILEGES = prepare(sql`
select pg_catalog.bool_or(pg_catalog.has_function_privilege(signature, 'EXECUTE'))::pg_catalog.text as body
from pg_catalog.unnest($1::pg_catalog.text[]) as signature`);

const OBJECTS: Readonly<Record<TableKind, string>> = {
  table: 'table',
  'partitioned table': 'table',
  view: 'view',
  'materialized view': 'materialized view',
  'foreign table': 'foreign table',
};

const tableCheck = ({ schema, name, kind }: Table, privileges: readonly Privilege[]): PrivilegeCheck => ({
  query: {
    statement: TABLE_PRIVILEGES,
    parameters: [quoteQualified(schema, name), `{${privileges.join(',')}}`],
    returnsRows: true,
  },
  object: OBJECTS[kind],
  name,
});

function functionCheck(name: string, routines: readonly Routine[]): PrivilegeCheck {
  const signatures = routines.map(
    (routine) =>
      `${quoteQualified(routine.schema, routine.name)}(${routine.parameters.map(({ type }) => type).join(',')})`,
  );
  const list = signatures.map((signature) => `"${signature.replaceAll(/["\\]/g, '\\$&')}"`).join(',');
  return {
    query: { statement: FUNCTION_PRIVILEGES, parameters: [`{${list}}`], returnsRows: true },
    object: 'function',
    name,
  };
}

async function isAllowed(
  { query }: PrivilegeCheck,
  request: RequestHead,
  head: ApiRequestHead,
  snapshot: Snapshot,
): Promise<boolean> {
  const context = transactionContext(request, head, null, 'read', snapshot);
  const name = snapshot.settings['db-pre-request'];
  // The function runs again with the request and may write, so this run is rolled back.
  const batch: Batch =
    name === null
      ? { queries: [contextQuery(context), query], access: 'read', use: 'shared' }
      : {
          queries: [
            BEGIN['read committed'],
            contextQuery({ ...context, readOnly: false }),
            preRequestQuery(name, request.identity.role, head.schema, snapshot.plans.statements),
            query,
            END.rollback,
          ],
          access: 'write',
          use: 'brief',
          resetsSettings: true,
        };
  const [result] = await snapshot.pool.run(batch, request.caller);
  return bodyText(result?.rows[0]) === 'true';
}

const denied = ({ object, name }: PrivilegeCheck): PostgresError =>
  new PostgresError(errorFields('42501', `permission denied for ${object} ${name}`));

const CURRENT_USER: BatchQuery = {
  statement: prepare(sql`select current_user::pg_catalog.text as body`),
  parameters: [],
  returnsRows: true,
};

/**
 * Returns the role for which a description is made: that of the request, unless the function of `db-pre-request` sets
 * another.
 */
export async function currentRole(
  request: RequestHead,
  head: Pick<ApiRequestHead, 'schema' | 'preferences'>,
  snapshot: Snapshot,
): Promise<string> {
  const { settings, plans, pool } = snapshot;
  const preRequest = settings['db-pre-request'];
  const queries = [contextQuery(transactionContext(request, head, null, 'read', snapshot))];
  if (preRequest !== null)
    queries.push(preRequestQuery(preRequest, request.identity.role, head.schema, plans.statements));
  queries.push(CURRENT_USER);
  const resetsSettings = preRequest !== null;
  const [result] = await pool.run({ queries, access: 'read', use: 'shared', resetsSettings }, request.caller);
  return bodyText(result?.rows[0]);
}
