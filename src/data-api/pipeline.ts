import type { LruCache } from '../lru-cache.js';
import type { BatchQuery } from '../postgres/batch.js';
import type { Pool } from '../postgres/pool.js';
import { quoteIdentifier, quoteQualified } from '../postgres/quote.js';
import { prepare } from '../postgres/statement.js';
import type { DataApiRequest, DataApiRequestHead } from './data-api-request.js';
import { endingOf, planContext, type DataApiSettings } from './snapshot.js';
import { describeAsOpenApi } from './document/openapi/openapi-document.js';
import { describeAsSwagger } from './document/swagger/swagger-document.js';
import type { PlanCache, PlannedRequest } from './plan-cache.js';
import type { RoleMemory } from './execute/pre-request.js';
import type { PreparedPlan } from './execute/prepared-plan.js';
import { runDocument } from './execute/run-document.js';
import { accessOf, runTransaction } from './execute/run-transaction.js';
import { cookiesJson, headersJson, type TransactionContext } from './execute/transaction-context.js';
import type { DocumentPlan } from './plan/plan.js';
import type { ApiRequest } from './request/api-request.js';
import { LONG_BODY, readLongPayload } from './request/payload.js';
import { payloadOptions, readHead, type RequestInput, type RequestOptions } from './request/read-request.js';
import type { Reply } from './respond/reply.js';
import { documentReply, inspectReply, respond } from './respond/respond.js';
import type { SchemaCache } from './schema-cache/types.js';

/** What a request is answered by, the same from its beginning to its end. */
export interface Snapshot {
  readonly cache: SchemaCache;
  readonly settings: DataApiSettings;
  readonly plans: PlanCache;
  readonly pool: Pool;
  /** What requests are read by, under these settings. */
  readonly options: RequestOptions;
  /** `search_path` by the schema of the request. */
  readonly searchPaths: ReadonlyMap<string, string>;
  /** Descriptions of schemas as JSON text, by role and schema. */
  readonly documents: LruCache<Buffer>;
  /** What the function of `db-pre-request` does to roles. */
  readonly roles: RoleMemory;
}

/** Plans a request, runs the plan and makes the reply. @throws what is answered as an error */
export async function answer(request: DataApiRequest, now: Snapshot): Promise<Reply> {
  const { role } = request.identity;
  const { timings } = request;
  const { body } = request;
  const input = body.length > LONG_BODY ? await withPayload(request, now.options) : request;
  const read = now.plans.read(input, now.options, role);
  timings?.lap('parse');
  const planned = now.plans.plan(read, () => planContext(now.cache, now.settings, role));
  timings?.lap('plan');
  const { settle } = planned;
  if (settle === null) return answerPlanned(request, planned, now);
  try {
    const reply = await answerPlanned(request, planned, now);
    settle(true);
    return reply;
  } catch (error) {
    settle(false);
    throw error;
  }
}

/** Reads a long body in slices, so that other requests are answered meanwhile. */
async function withPayload(request: DataApiRequest, options: RequestOptions): Promise<RequestInput> {
  const { method, path, query, headers, body } = request;
  const input = { method, path, query, headers, body };
  const head = readHead(input, options);
  const { columns } = head.query;
  const payload = await readLongPayload(
    head.action,
    head.contentType,
    columns,
    body,
    payloadOptions(options),
  );
  return { ...input, payload };
}

async function answerPlanned(
  request: DataApiRequest,
  planned: PlannedRequest,
  now: Snapshot,
): Promise<Reply> {
  const { timings } = request;
  const makeReply = await runPlanned(request, planned, now);
  timings?.lap('transaction');
  try {
    return makeReply();
  } finally {
    timings?.lap('response');
  }
}

/** Runs what a plan has to run. What comes back makes the reply. */
function runPlanned(request: DataApiRequest, planned: PlannedRequest, now: Snapshot): Promise<() => Reply> {
  const { plan } = planned;
  if (!('kind' in plan)) return runStatements(request, planned, plan, now);
  if (plan.kind === 'inspect') return Promise.resolve(() => inspectReply(plan));
  return runDescription(request, planned, plan, now);
}

async function runStatements(
  request: DataApiRequest,
  planned: PlannedRequest,
  plan: PreparedPlan,
  now: Snapshot,
): Promise<() => Reply> {
  const { role } = request.identity;
  const ownIsolation = plan.plan.kind === 'call' ? plan.plan.isolation : null;
  const context = transactionContext(request, planned, plan, now);
  const call = preRequestQuery(planned, role, now);
  const outcome = await runTransaction(plan, {
    pool: now.pool,
    bindings: planned.bindings,
    named: planned.kept,
    context,
    preRequest: call === null ? null : { call, role: roleOf(context), memory: now.roles },
    isolation: ownIsolation ?? now.cache.roleSettings.get(role)?.isolation ?? 'read committed',
    ending: endingOf(planned.request.preferences, now.settings),
    caller: request,
  });
  const asked = { request: planned.request, offset: offsetOf(planned), pairs: planned.pairs };
  return () => respond(plan.plan, outcome, asked);
}

async function runDescription(
  request: DataApiRequest,
  planned: PlannedRequest,
  plan: DocumentPlan,
  now: Snapshot,
): Promise<() => Reply> {
  const context = transactionContext(request, planned, null, now);
  const preRequest = preRequestQuery(planned, request.identity.role, now);
  const role = await runDocument(now.pool, context, preRequest, request);
  return () => documentReply(plan, documentOf(plan, role, now), planned.request);
}

function documentOf(
  { schema, version }: DocumentPlan,
  role: string,
  { cache, settings, documents }: Snapshot,
): Buffer {
  const everything = settings['openapi-mode'] === 'ignore-privileges';
  const key = `${version}\0${schema}${everything ? '' : `\0${role}`}`;
  let document = documents.get(key);
  if (document === undefined) {
    const describe = version === '2.0' ? describeAsSwagger : describeAsOpenApi;
    const described = describe(cache, {
      schema,
      role: everything ? null : role,
      searchPath: everything ? [] : [schema, ...settings['db-extra-search-path']],
      withSecurity: settings['openapi-security-active'],
      publicUri: settings['openapi-server-proxy-uri'],
    });
    document = Buffer.from(JSON.stringify(described), 'utf8');
    documents.set(key, document);
  }
  return document;
}

function offsetOf({ request, bindings }: PlannedRequest): bigint {
  const { index } = request.range.offset;
  const value = index === null ? '0' : bindings.values[index];
  return typeof value === 'string' ? BigInt(value) : 0n;
}

/** A request with what its transaction must know. */
interface Addressed {
  readonly request: Pick<ApiRequest, 'schema' | 'preferences'>;
}

/** @param prepared null for what only reads and calls no function */
export function transactionContext(
  request: DataApiRequestHead,
  planned: Addressed,
  prepared: PreparedPlan | null,
  { cache, settings, searchPaths }: Snapshot,
): TransactionContext {
  const { identity, headers } = request;
  const { timezone } = planned.request.preferences;
  const plan = prepared?.plan;
  return {
    searchPath: searchPaths.get(planned.request.schema) ?? '',
    roleSettings: cache.roleSettings.get(identity.role)?.settings ?? [],
    role: identity.role,
    claims: identity.claims,
    method: request.method,
    path: request.path,
    headers: headersJson(request.rawHeaders),
    cookies: cookiesJson(headers.cookie),
    moreSettings: [
      ...(timezone === null ? [] : [['timezone', timezone] as const]),
      ...(plan?.kind === 'call' ? plan.settings : []),
      ...settings['app.settings'],
    ],
    readOnly: plan === undefined || accessOf(plan) === 'read',
  };
}

/** The role that the context leaves: settings of a function (`db-hoisted-tx-settings`) may name another. */
const roleOf = ({ role, moreSettings }: TransactionContext): string =>
  moreSettings.findLast(([name]) => name.toLowerCase() === 'role')?.[1] ?? role;

/** Calls the function of `db-pre-request`; a statement of its own for each role, as for everything that calls functions. */
export function preRequestQuery(
  { request }: Addressed,
  role: string,
  { settings, plans }: Snapshot,
): BatchQuery | null {
  const name = settings['db-pre-request'];
  if (name === null) return null;
  const key = `${role}\0${request.schema}\0pre-request`;
  let statement = plans.statements.get(key);
  if (statement === undefined) {
    statement = prepare(`select ${functionName(name)}()`);
    plans.statements.set(key, statement);
  }
  return { statement, parameters: [], returnsRows: false };
}

function functionName(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? quoteIdentifier(name) : quoteQualified(name.slice(0, dot), name.slice(dot + 1));
}
