import type { Batch, BatchQuery } from '../../postgres/batch.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { quoteQualified } from '../../postgres/quote.js';
import { prepare } from '../../postgres/statement.js';
import type { DataApiRequestHead } from '../data-api-request.js';
import { preRequestQuery, type Snapshot, transactionContext } from '../pipeline.js';
import { findFunction } from '../plan/find-function.js';
import { unknownTable } from '../plan/find-table.js';
import type { Action } from '../request/api-request.js';
import { expectsPayload } from '../request/payload.js';
import { readHead, type RequestHead } from '../request/read-request.js';
import { find, privilegesOf } from '../schema-cache/lookups.js';
import type { Privilege, Routine, Table, TableKind } from '../schema-cache/types.js';
import { planContext } from '../snapshot.js';
import { contextQuery } from './transaction-context.js';

/**
 * Settles what does not depend on a body, before a long one is received: path, schema, method, query string, media type,
 * whether the relation or function exists, and whether the role may use it. Where the schema cache says that it may not,
 * PostgreSQL is asked: privileges change without a reload, and `db-pre-request` may take another role.
 * @returns whether the request has a use for its body
 * @throws DbrError; PostgresError with 42501, as PostgreSQL words it
 */
export async function admit(request: DataApiRequestHead, now: Snapshot): Promise<boolean> {
  const head = readHead(request, now.options);
  if (!expectsPayload(head.action, head.contentType)) return false;
  const question = questionOf(head, request.identity.role, now);
  if (question !== null && !(await isAllowed(question, request, head, now))) throw denied(question);
  return true;
}

/** What PostgreSQL is asked, and what its own refusal names. */
interface Question {
  readonly query: BatchQuery;
  readonly object: string;
  readonly name: string;
}

/** Null where the role holds the privilege as far as the cache knows. */
function questionOf(head: RequestHead, role: string, now: Snapshot): Question | null {
  const { cache, settings } = now;
  const { resource, schema } = head;
  const holds = privilegesOf(cache.roles, role);
  switch (resource.kind) {
    case 'relation': {
      const table = find(cache.tables, schema, resource.name);
      if (table === undefined) throw unknownTable({ cache, role }, schema, resource.name);
      const needed = privilegesFor(head.action);
      return needed.every((privilege) => holds(table.access, privilege))
        ? null
        : tableQuestion(table, needed);
    }
    case 'function': {
      const routines = find(cache.functions, schema, resource.name) ?? [];
      if (routines.some(({ access }) => holds(access, 'EXECUTE'))) return null;
      // Raises DBR202; the names of the arguments are not known yet.
      if (routines.length === 0)
        findFunction({ ...head, payload: null }, resource.name, planContext(cache, settings, role));
      return functionQuestion(resource.name, routines);
    }
    case 'root':
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

const TABLE_PRIVILEGES = prepare(`
select pg_catalog.bool_and(pg_catalog.has_any_column_privilege($1, privilege))::pg_catalog.text as body
from pg_catalog.unnest($2::pg_catalog.text[]) as privilege`);

const FUNCTION_PRIVILEGES = prepare(`
select pg_catalog.bool_or(pg_catalog.has_function_privilege(signature, 'EXECUTE'))::pg_catalog.text as body
from pg_catalog.unnest($1::pg_catalog.text[]) as signature`);

const OBJECTS: Readonly<Record<TableKind, string>> = {
  table: 'table',
  'partitioned table': 'table',
  view: 'view',
  'materialized view': 'materialized view',
  'foreign table': 'foreign table',
};

const tableQuestion = ({ schema, name, kind }: Table, privileges: readonly Privilege[]): Question => ({
  query: {
    statement: TABLE_PRIVILEGES,
    parameters: [quoteQualified(schema, name), `{${privileges.join(',')}}`],
    returnsRows: true,
  },
  object: OBJECTS[kind],
  name,
});

function functionQuestion(name: string, routines: readonly Routine[]): Question {
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

const BEGIN: BatchQuery = { statement: prepare('begin'), parameters: [], returnsRows: false };
const ROLLBACK: BatchQuery = { statement: prepare('rollback'), parameters: [], returnsRows: false };

async function isAllowed(
  { query }: Question,
  request: DataApiRequestHead,
  head: RequestHead,
  now: Snapshot,
): Promise<boolean> {
  const context = transactionContext(request, { request: head }, null, now);
  const preRequest = preRequestQuery({ request: head }, request.identity.role, now);
  // The function runs again with the request itself, and may write: nothing of this run is kept.
  const batch: Batch =
    preRequest === null
      ? { queries: [contextQuery(context), query], access: 'read', pace: 'quick' }
      : {
          queries: [BEGIN, contextQuery({ ...context, readOnly: false }), preRequest, query, ROLLBACK],
          access: 'write',
          pace: 'quick',
          resetsSettings: true,
        };
  const [result] = await now.pool.run(batch, request);
  return Buffer.concat(result?.rows[0]?.body ?? []).toString('latin1') === 'true';
}

const denied = ({ object, name }: Question): PostgresError =>
  new PostgresError({
    code: '42501',
    message: `permission denied for ${object} ${name}`,
    detail: null,
    hint: null,
    schema: null,
    table: null,
    column: null,
    constraint: null,
    routine: null,
    context: null,
  });
