/**
 * The pipeline of the data API on one page: read → plan → prepare → execute → respond. It maps a request and a
 * snapshot, both plain values, to a reply; HTTP is an adapter that calls it. The snapshot contains the schema cache,
 * the settings and the plan cache, which keeps the results of the first three steps for requests of the same shape.
 */
import type { Description } from './document/describe.js';
import type { DataApiRequest, DataApiRequestHead } from './data-api-request.js';
import { explain } from './execute/explanation.js';
import { requirePrivileges } from './execute/check-privileges.js';
import { currentRole } from './execute/current-role.js';
import type { MainResult } from './execute/main-result.js';
import { preparePlan } from './prepare/prepared-plan.js';
import { runReplicated } from './execute/run-replicated.js';
import { runTransaction } from './execute/run-transaction.js';
import { startClock } from './execute/slow-statements.js';
import { prepareTransaction, type Transaction } from './execute/transaction.js';
import { startTimings, type Timings } from '../observability/server-timing.js';
import { mayBeGraph, withGraph } from './graph-payload.js';
import type { PlannedRequest, ReadyPlan } from './plan-cache.js';
import { planRequest } from './plan/plan-request.js';
import type { DocumentPlan, InspectPlan, RunnablePlan } from './plan/plan.js';
import type { Action } from './request/api-request.js';
import { expectsPayload, LONG_BODY } from './request/payload.js';
import { queryCarrierOf, unpackQuery, withoutBodyQuery } from './request/query-in-body.js';
import {
  payloadOf,
  readHead,
  readRequest,
  type RequestInput,
  withLongPayload,
} from './request/read-request.js';
import { matchedDigests, unmodifiedBefore } from './request/write-condition.js';
import { pairsOfLinks, valuesOfPage, withPage } from './request/cursor.js';
import { type ShapedRequest, shapeKey } from './request/shaped-request.js';
import { sharedPart } from './request/shared-request.js';
import { explainedReply, isComplete } from './respond/explained-reply.js';
import { EXPLAIN } from './request/preferences.js';
import type { Reply } from './respond/reply.js';
import { documentReply, inspectReply, respond } from './respond/respond.js';
import { withEntityTag } from './respond/entity-tag.js';
import { withModifiedSince } from './respond/last-modified.js';
import { planContext, type Snapshot } from './snapshot.js';

/** @throws errors that `errorReply` converts to a reply; any other error is a fault of the service */
export async function handleRequest(received: DataApiRequest, snapshot: Snapshot): Promise<Reply> {
  const carrier = queryCarrierOf(received);
  const unpacked = carrier === null ? received : await unpackQuery(received, carrier, snapshot.options);
  const paged = withPage(unpacked);
  const request = mayExplain(paged, snapshot) ? withTimings(paged) : paged;
  const { timings, identity, body } = request;
  const timezones = snapshot.timezones.prepareFor(request.headers);
  if (timezones !== null) await timezones;
  const input = body.length > LONG_BODY ? await withLongPayload(request, snapshot.options) : request;
  const rows = read(input, identity.role, snapshot);
  const shaped = mayBeGraph(rows) ? await withGraph(rows, snapshot) : rows;
  timings?.lap('parse');
  const planned = plan(shaped, identity.role, snapshot);
  timings?.lap('plan');
  const { candidate } = planned;
  try {
    const executed = await execute(request, planned, snapshot);
    timings?.lap('transaction');
    const reply = toReply(executed, planned, request, snapshot);
    if (candidate !== null) snapshot.plans.settle(candidate, true);
    return shaped.request.preferences.explain && timings !== null
      ? await explained(reply, request, planned, snapshot, timings)
      : reply;
  } catch (error) {
    if (candidate !== null) snapshot.plans.settle(candidate, false);
    throw error;
  }
}

/** Whether the request may ask how it was executed, before its preferences are read. */
const mayExplain = ({ headers, identity }: DataApiRequest, { explainRoles }: Snapshot): boolean =>
  explainRoles.has(identity.role) && String(headers['prefer'] ?? '').includes(EXPLAIN);

const withTimings = (request: DataApiRequest): DataApiRequest => ({
  ...request,
  timings: request.timings ?? startTimings(),
});

/** Puts an explanation beside the body. A response without a body stays as it is. */
async function explained(
  reply: Reply,
  request: DataApiRequest,
  { shaped, ready }: PlannedRequest,
  snapshot: Snapshot,
  { steps }: Timings,
): Promise<Reply> {
  const { body } = reply;
  const { plan: prepared } = ready;
  if (!isComplete(body) || request.method === 'HEAD' || prepared.kind !== 'statements') return reply;
  const explanation = await explain(request, shaped, prepared, snapshot);
  return explainedReply(reply, body, explanation, steps);
}

/**
 * The checks of the pipeline that do not depend on the body, before a long body is received: path, schema, method,
 * query string, media type, existence of the relation or function, privileges of the role.
 * @returns whether the request needs its body
 * @throws DbrError; PostgresError with 42501 and the message of PostgreSQL
 */
export async function admitRequest(received: DataApiRequestHead, snapshot: Snapshot): Promise<boolean> {
  const carrier = queryCarrierOf(received);
  const request = carrier === null ? received : withoutBodyQuery(received, carrier);
  await snapshot.timezones.prepareFor(request.headers);
  const head = readHead(request, snapshot.options);
  if (!expectsPayload(head.action, head.contentType) && carrier === null) return false;
  await requirePrivileges(request, head, snapshot);
  return true;
}

/**
 * Reads a request. Of a request with a known shape, it reads the values only. @throws DbrError, in the order of data
 * API §1.1
 */
function read(input: RequestInput, role: string, snapshot: Snapshot): ShapedRequest {
  const { plans, shapes } = snapshot;
  const options = snapshot.explainRoles.has(role) ? snapshot.explainingOptions : snapshot.options;
  const shape = shapes.read(input);
  if (shape === null) {
    const request = readRequest(input, options);
    const { values, payload } = request;
    const digests = matchedDigests(input.headers);
    return withTimeOf(input, { request, values, payload, digests, pairs: [], linkPairs: [], key: null });
  }
  const values = input.page?.kind === 'row' ? [...shape.values, ...valuesOfPage(input.page)] : shape.values;
  const digests = input.headers['if-match'] === undefined ? NO_DIGESTS : matchedDigests(input.headers);
  const pairs = input.shortQuery === undefined ? shape.pairs : null;
  const linkPairs = pairs ?? pairsOfLinks(input.shortQuery ?? '');
  const key = shapeKey(input, shape, role);
  const known = key === null ? undefined : plans.find(key);
  if (known === undefined) {
    const request = readRequest(input, options);
    const own = { request: sharedPart(request), values, payload: request.payload, digests };
    return withTimeOf(input, { ...own, pairs, linkPairs, key });
  }
  const payload = known.payload === null ? null : payloadOf(known, input, options);
  return withTimeOf(input, { request: known, values, payload, digests, pairs, linkPairs, key });
}

/** Adds the time of If-Unmodified-Since, which few requests have. */
function withTimeOf({ headers }: RequestInput, shaped: ShapedRequest): ShapedRequest {
  const before = headers['if-unmodified-since'] === undefined ? null : unmodifiedBefore(headers);
  return before === null ? shaped : { ...shaped, unmodifiedBefore: before };
}

const NO_DIGESTS: readonly string[] = [];

/**
 * Returns the cached plan of the request's shape, or plans the request and prepares its statements. @throws DbrError
 */
function plan(shaped: ShapedRequest, role: string, snapshot: Snapshot): PlannedRequest {
  const { plans } = snapshot;
  return plans.plan(shaped) ?? plans.add(shaped, readyPlan(shaped, role, snapshot));
}

function readyPlan({ request, payload }: ShapedRequest, role: string, snapshot: Snapshot): ReadyPlan {
  const { statements, paces } = snapshot.plans;
  const made = planRequest({ ...request, payload }, planContext(snapshot, role));
  if (made.kind === 'inspect' || made.kind === 'document') return { plan: made, pace: 'quick' };
  const scope = `${role}\0${request.schema}`;
  const prepared = preparePlan(made, scope, statements);
  return { plan: prepared, pace: paces.of(scope, prepared.main.statement.text) };
}

const isRead = (action: Action): boolean =>
  action.kind === 'read' || (action.kind === 'call' && action.reading);

/** The result of a plan, with the plan. */
type Executed =
  | {
      readonly kind: 'rows';
      readonly plan: RunnablePlan;
      readonly result: MainResult;
      /** For `Dbr-Position`; null without replicas, and after a read. */
      readonly position: string | null;
    }
  | { readonly kind: 'description'; readonly plan: DocumentPlan; readonly description: Description }
  | { readonly kind: 'nothing'; readonly plan: InspectPlan };

/** Prepares the transaction of a plan and runs it. @throws DbrError for a failed check; the errors of `Pool.run` */
async function execute(
  request: DataApiRequest,
  { shaped, ready, cached }: PlannedRequest,
  snapshot: Snapshot,
): Promise<Executed> {
  const { plan: prepared, pace } = ready;
  switch (prepared.kind) {
    case 'inspect':
      return { kind: 'nothing', plan: prepared };
    case 'document': {
      const role = await currentRole(request, shaped.request, snapshot);
      const description = await snapshot.descriptions.of(prepared, role);
      return { kind: 'description', plan: prepared, description };
    }
    case 'statements': {
      // An explained body is in memory as a whole.
      const complete = shaped.request.preferences.explain ? { ...prepared, mayStream: false } : prepared;
      const transaction = prepareTransaction(request, shaped, complete, pace, cached, snapshot);
      return runTimed(request, prepared.plan, transaction, snapshot);
    }
  }
}

/** Runs a transaction, and reports its statement if it is slow. */
async function runTimed(
  request: DataApiRequest,
  plan: RunnablePlan,
  transaction: Transaction,
  snapshot: Snapshot,
): Promise<Executed> {
  const { pool, replicas } = snapshot;
  const clock = startClock(request, transaction, snapshot);
  const observed = clock === null ? request : { ...request, caller: clock.caller };
  try {
    if (replicas !== null)
      return { kind: 'rows', plan, ...(await runReplicated(replicas, pool, transaction, observed)) };
    const result = await runTransaction(pool, transaction, observed.caller);
    return { kind: 'rows', plan, result, position: null };
  } finally {
    clock?.stop();
  }
}

/**
 * Makes the reply and times this step, also if it fails. @throws DbrError RangeNotSatisfiable,
 * InvalidResponseHeaders, InvalidResponseStatus
 */
function toReply(
  executed: Executed,
  planned: PlannedRequest,
  request: DataApiRequest,
  { settings }: Snapshot,
): Reply {
  try {
    return replyTo(executed, planned, request, settings['db-etag']);
  } finally {
    request.timings?.lap('response');
  }
}

/** @param tagged whether reads have entity tags */
function replyTo(
  executed: Executed,
  { shaped }: PlannedRequest,
  { method, headers }: DataApiRequest,
  tagged: boolean,
): Reply {
  switch (executed.kind) {
    case 'rows': {
      const reply = withPosition(respond(executed.plan, executed.result, shaped), executed.position);
      if (!isRead(shaped.request.action)) return reply;
      const current = tagged ? withEntityTag(reply, headers['if-none-match']) : reply;
      return comparesTime(executed.plan, headers)
        ? withModifiedSince(current, headers['if-modified-since'])
        : current;
    }
    case 'description': {
      const reader = {
        method,
        acceptEncoding: headers['accept-encoding'],
        ifNoneMatch: headers['if-none-match'],
      };
      return documentReply(executed.plan, executed.description, reader, shaped.request);
    }
    case 'nothing':
      return inspectReply(executed.plan);
  }
}

/** Whether a read is compared with If-Modified-Since, which If-None-Match replaces (RFC 9110 §13.1.3). */
const comparesTime = (plan: RunnablePlan, headers: DataApiRequest['headers']): boolean =>
  plan.kind === 'read' && plan.dated?.isOneRow === true && headers['if-none-match'] === undefined;

const withPosition = (reply: Reply, position: string | null): Reply =>
  position === null ? reply : { ...reply, headers: [...reply.headers, ['Dbr-Position', position]] };
