/**
 * The pipeline of the data API on one page: read → plan → prepare → execute → respond. It maps a request and a
 * snapshot, both plain values, to a reply; HTTP is an adapter that calls it. The snapshot contains the schema cache,
 * the settings and the plan cache, which keeps the results of the first three steps for requests of the same shape.
 */
import type { Description } from './document/describe.js';
import type { Reply } from '../contract/reply.js';
import type { Request, RequestHead } from '../contract/request.js';
import type { Timings } from '../contract/timings.js';
import { explain, startClock } from './execute/explanation.js';
import { requirePrivileges, currentRole } from './execute/role-queries.js';

import { requireEstimates, requireRights } from './ceilings/rights.js';
import { requireShape } from './ceilings/shape-line.js';
import {
  type MainResult,
  runTransaction,
  runReplicated,
  runStreamReplicated,
} from './execute/run-transaction.js';
import type { Pool } from '../postgres/pool.js';

import { runRowStream, type RowStream } from './execute/row-stream.js';

import { boundedInIdleTime, prepareTransaction, type Transaction } from './execute/transaction.js';
import { startTimings } from '../observability/server-timing.js';
import type { PlannedRequest } from './plan-cache.js';
import { planShaped, shapeUnpacked, unpackRequest } from './planned-request.js';
import type { DocumentPlan, InspectPlan, RunnablePlan } from './plan/plan.js';
import { expectsPayload } from './request/payload.js';
import { queryCarrierOf, withoutBodyQuery } from './request/query-in-body.js';
import type { Action } from './request/api-request.js';
import { headWork } from './request/read-request.js';
import { explainedReply, streamReply } from './respond/special-replies.js';
import { isComplete, withPosition } from './respond/reply-headers.js';
import { EXPLAIN } from './request/preferences.js';
import { documentReply, inspectReply, respondConditionally } from './respond/respond.js';

import { runInSlices } from '../base/turns.js';
import type { Snapshot } from './snapshot.js';

/** @throws errors that `errorReply` converts to a reply; any other error is a fault of the service */
export async function handleRequest(received: Request, snapshot: Snapshot): Promise<Reply> {
  const unpacked = unpackRequest(received, snapshot);
  const paged = unpacked instanceof Promise ? await unpacked : unpacked;
  const request = mayExplain(paged, snapshot) ? withTimings(paged) : paged;
  const { timings } = request;
  const shaping = shapeUnpacked(request, snapshot);
  const shaped = shaping instanceof Promise ? await shaping : shaping;
  timings?.lap('parse');
  const planned = planShaped(shaped, request, snapshot);
  timings?.lap('plan');
  const { candidate, ready } = planned;
  try {
    const executed = await execute(request, planned, snapshot);
    timings?.lap('transaction');
    const reply = toReply(executed, planned, request, snapshot);
    if (candidate !== null) snapshot.plans.settle(candidate, true);
    if (ready.recorded !== null) snapshot.allowList.record(ready.recorded);
    return shaped.request.preferences.explain && timings !== null
      ? await explained(reply, request, planned, snapshot, timings)
      : reply;
  } catch (error) {
    if (candidate !== null) snapshot.plans.settle(candidate, false);
    throw error;
  }
}

/** Whether the request may ask how it was executed, before its preferences are read. */
const mayExplain = ({ headers, identity }: Request, { explainRoles }: Snapshot): boolean =>
  explainRoles.has(identity.role) && String(headers['prefer'] ?? '').includes(EXPLAIN);

const withTimings = (request: Request): Request => ({
  ...request,
  timings: request.timings ?? startTimings(),
});

/** Puts an explanation beside the body. A response without a body stays as it is. */
async function explained(
  reply: Reply,
  request: Request,
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
export async function admitRequest(received: RequestHead, snapshot: Snapshot): Promise<boolean> {
  const carrier = queryCarrierOf(received);
  const request = carrier === null ? received : withoutBodyQuery(received, carrier);
  await snapshot.timezones.prepareFor(request.headers);
  const head = await runInSlices(headWork(request, snapshot.options, null));
  if (!expectsPayload(head.action, head.contentType) && carrier === null) return false;
  const { role } = request.identity;
  const ceilings = snapshot.ceilings.of(role);
  // The shape of a query in the body, and of a write that may be a graph, is known with the body.
  if (carrier === null && !mayWriteGraph(head.action))
    requireShape(ceilings.shapes, request, head, null, role, snapshot);
  requireRights(head.query, ceilings);
  requireEstimates(head.preferences, role, snapshot);
  await requirePrivileges(request, head, snapshot);
  return true;
}

const mayWriteGraph = ({ kind }: Action): boolean =>
  kind === 'insert' || kind === 'update' || kind === 'upsert';

/** The result of a plan, with the plan. */
type Executed =
  | {
      readonly kind: 'rows';
      readonly plan: RunnablePlan;
      readonly result: MainResult;
      /** For `Dbr-Position`; null without replicas, and after a read. */
      readonly position: string | null;
    }
  | { readonly kind: 'stream'; readonly plan: RunnablePlan; readonly stream: RowStream }
  | { readonly kind: 'description'; readonly plan: DocumentPlan; readonly description: Description }
  | { readonly kind: 'nothing'; readonly plan: InspectPlan };

/** Prepares the transaction of a plan and runs it. @throws DbrError for a failed check; the errors of `Pool.run` */
async function execute(
  request: Request,
  { shaped, ready, cached }: PlannedRequest,
  snapshot: Snapshot,
): Promise<Executed> {
  const { plan: prepared, lastRun } = ready;
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
      const transaction = prepareTransaction(request, shaped, complete, lastRun, cached, snapshot);
      if (prepared.stream !== null) return runStream(request, prepared.plan, transaction, snapshot);
      // A promise that an async function returns passes through two turns more of the queue than one that it awaits.
      return await runTimed(request, prepared.plan, transaction, snapshot);
    }
  }
}

/** Begins a stream. Its rows follow in the body of the reply. */
async function runStream(
  request: Request,
  plan: RunnablePlan,
  transaction: Transaction,
  { pool, replicas, streams }: Snapshot,
): Promise<Executed> {
  const waiting = boundedInIdleTime(transaction, streams.idleMs);
  const run = (on: Pool): Promise<RowStream> => runRowStream(on, streams, waiting, request.caller);
  if (replicas === null) return { kind: 'stream', plan, stream: await run(pool) };
  const { result } = await runStreamReplicated(replicas, pool, transaction, request, run);
  return { kind: 'stream', plan, stream: result };
}

/** Runs a transaction, and reports its statement if it is slow. */
async function runTimed(
  request: Request,
  plan: RunnablePlan,
  transaction: Transaction,
  snapshot: Snapshot,
): Promise<Executed> {
  const { pool, replicas } = snapshot;
  const clock = startClock(request, snapshot);
  const observed = clock === null ? request : { ...request, caller: clock.caller };
  try {
    if (replicas !== null)
      return { kind: 'rows', plan, ...(await runReplicated(replicas, pool, transaction, observed)) };
    const result = await runTransaction(pool, transaction, observed.caller);
    return { kind: 'rows', plan, result, position: null };
  } finally {
    clock?.stop([transaction]);
  }
}

/**
 * Makes the reply and times this step, also if it fails. @throws DbrError RangeNotSatisfiable,
 * InvalidResponseHeaders, InvalidResponseStatus
 */
function toReply(
  executed: Executed,
  planned: PlannedRequest,
  request: Request,
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
  { method, headers }: Request,
  tagged: boolean,
): Reply {
  switch (executed.kind) {
    case 'rows': {
      const { plan, result, position } = executed;
      return withPosition(respondConditionally(plan, result, shaped, headers, tagged), position);
    }
    case 'stream':
      return streamReply(executed.plan, executed.stream, shaped);
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
