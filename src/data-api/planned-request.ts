/** The steps before the transaction: a received request → its shape and values → its plan. */
import { mayEstimate, requireEstimates, requireRights } from './ceilings/rights.js';

import { requireShape } from './ceilings/shape-line.js';
import { dbrError } from '../errors/dbr-error.js';
import type { Request } from '../contract/request.js';
import { mayBeGraph, withGraph } from './graph/body.js';
import type { PlannedRequest, ReadyPlan } from './plan-cache.js';
import { planRequest } from './plan/plan-request.js';
import { preparePlan } from './prepare/prepared-plan.js';
import { type PageSelection, pairsOfLinks, valuesOfPage, withPage } from './request/cursor.js';
import { LONG_BODY } from './request/payload.js';
import { queryCarrierOf, type UnpackedRequest, unpackQuery } from './request/query-in-body.js';
import { headWork, longPayloadOf, payloadOf, type ApiRequestHead } from './request/read-request.js';
import type { ApiRequest, Payload } from './request/api-request.js';
import { matchedDigests, unmodifiedBefore } from './request/write-condition.js';
import { type ShapedRequest, shapeKey } from './request/shaped-request.js';
import { sharedPart } from './request/shared-request.js';
import { runAtOnce, runInSlices, turnOfTheEventLoop, type Work } from '../base/turns.js';
import { planContext, type Snapshot } from './snapshot.js';

/** A request whose query is in the URL, without the cursor of its page. */
export type UnpackedDataRequest = Request & UnpackedRequest & PageSelection;

/**
 * Takes the query out of the body, and the cursor out of the query. A promise is returned only where a body is read: most
 * requests must not wait for a turn of the event loop.
 * @throws DbrError, as `unpackQuery` and `withPage`
 */
export function unpackRequest(
  received: Request,
  snapshot: Snapshot,
): UnpackedDataRequest | Promise<UnpackedDataRequest> {
  const carrier = queryCarrierOf(received);
  return carrier === null
    ? withPage(received, snapshot.cursorSecrets)
    : unpackQuery(received, carrier, snapshot.options).then((unpacked) =>
        withPage(unpacked, snapshot.cursorSecrets),
      );
}

/**
 * Reads a request; a long body in slices, for which a promise is returned. @throws DbrError, in the order of data API
 * §1.1
 */
export function shapeUnpacked(
  request: UnpackedDataRequest,
  snapshot: Snapshot,
): ShapedRequest | Promise<ShapedRequest> {
  const timezones = snapshot.timezones.prepareFor(request.headers);
  if (timezones !== null || isLong(request)) return shapeInSlices(request, snapshot, timezones);
  const { head, parts } = runAtOnce(headShapeWork(request, request.identity.role, snapshot));
  const shaped = withPayload(
    parts,
    head,
    expectsNone(head) ? null : payloadOf(head, request.body, snapshot.options),
  );
  return mayBeGraph(shaped) ? withGraph(shaped, snapshot) : shaped;
}

/** Longer query strings are read in slices, in characters: 1000 conditions have 8 kB, which take 30 milliseconds. */
const LONG_QUERY = 4096;

const isLong = ({ query, body }: UnpackedDataRequest): boolean =>
  query.length > LONG_QUERY || body.length > LONG_BODY;

async function shapeInSlices(
  request: UnpackedDataRequest,
  snapshot: Snapshot,
  timezones: Promise<void> | null,
): Promise<ShapedRequest> {
  if (timezones !== null) await timezones;
  const { body } = request;
  const { head, parts } = await runInSlices(headShapeWork(request, request.identity.role, snapshot));
  const payload = expectsNone(head)
    ? null
    : body.length > LONG_BODY
      ? await longPayloadOf(head, body, snapshot.options)
      : payloadOf(head, body, snapshot.options);
  const shaped = withPayload(parts, head, payload);
  // The statement is planned in a turn of its own.
  if (isLong(request)) await turnOfTheEventLoop();
  return mayBeGraph(shaped) ? withGraph(shaped, snapshot) : shaped;
}

/** A request that was read except for its body. */
interface ShapedHead {
  /** The shared part of requests of this shape, if one was planned before; otherwise the head of this request. */
  readonly head: ApiRequest | ApiRequestHead;
  readonly parts: Omit<ShapedRequest, 'request' | 'payload'>;
}

/** Whether requests of this shape are known to have no body. */
const expectsNone = (head: ShapedHead['head']): boolean => 'payload' in head && head.payload === null;

function withPayload(
  parts: ShapedHead['parts'],
  head: ShapedHead['head'],
  payload: Payload | null,
): ShapedRequest {
  if ('payload' in head) return { ...parts, request: head, payload };
  const request = { ...head, payload };
  return { ...parts, request: parts.key === null ? request : sharedPart(request), payload };
}

/**
 * Reads a request except for its body. Of a request with a known shape, it reads the values only. @throws DbrError, in the
 * order of data API §1.1
 */
function* headShapeWork(input: UnpackedDataRequest, role: string, snapshot: Snapshot): Work<ShapedHead> {
  const { plans, shapes } = snapshot;
  const { headers, page } = input;
  const options = snapshot.explainRoles.has(role) ? snapshot.explainingOptions : snapshot.options;
  const shape = yield* shapes.read(input);
  yield;
  const digests = headers['if-match'] === undefined ? NO_DIGESTS : matchedDigests(headers);
  if (shape === null) {
    const head = yield* headWork(input, options, null);
    const parts = { values: head.values, digests, pairs: [], linkPairs: [], key: null };
    return { head, parts: withRareParts(input, parts) };
  }
  const key = shapeKey(input, shape, role);
  const head = (key === null ? undefined : plans.find(key)) ?? (yield* headWork(input, options, shape));
  const values = page?.kind === 'row' ? [...shape.values, ...valuesOfPage(page)] : shape.values;
  const pairs = input.shortQuery === undefined ? shape.pairs : null;
  const linkPairs = pairs ?? pairsOfLinks(input.shortQuery ?? '');
  return { head, parts: withRareParts(input, { values, digests, pairs, linkPairs, key }) };
}

/** Adds the time of If-Unmodified-Since and the key of cursors, which few requests have. */
function withRareParts(
  { headers, cursorKey }: UnpackedDataRequest,
  parts: ShapedHead['parts'],
): ShapedHead['parts'] {
  const before = headers['if-unmodified-since'] === undefined ? null : unmodifiedBefore(headers);
  const timed = before === null ? parts : { ...parts, unmodifiedBefore: before };
  return cursorKey === undefined ? timed : { ...timed, cursorKey };
}

const NO_DIGESTS: readonly string[] = [];

/**
 * Returns the cached plan of the request's shape, or plans the request and prepares its statements. What the role may ask
 * for is checked with the plan. @throws DbrError
 */
export function planShaped(
  shaped: ShapedRequest,
  request: UnpackedDataRequest,
  snapshot: Snapshot,
): PlannedRequest {
  const { plans } = snapshot;
  return plans.plan(shaped) ?? plans.add(shaped, readyPlan(shaped, request, snapshot));
}

function readyPlan(
  { request, payload }: ShapedRequest,
  input: UnpackedDataRequest,
  snapshot: Snapshot,
): ReadyPlan {
  const { statements, paces } = snapshot.plans;
  const { role } = input.identity;
  const ceilings = snapshot.ceilings.of(role);
  const recorded = requireShape(ceilings.shapes, input, request, payload, role, snapshot);
  requireRights(request.query, ceilings);
  requireEstimates(request.preferences, role, snapshot);
  const made = planRequest({ ...request, payload }, planContext(snapshot, role));
  if (made.kind === 'inspect' || made.kind === 'document') return { plan: made, pace: 'quick', recorded };
  const hidesCost = !mayEstimate(role, snapshot);
  if (hidesCost && made.output.explain !== null) throw dbrError('EstimateNotAllowed');
  const scope = `${role}\0${request.schema}`;
  const { maxCost } = request.preferences;
  const prepared = preparePlan(made, scope, statements, {
    ceilings,
    maxCost,
    costs: snapshot.costs,
    hidesCost,
  });
  return { plan: prepared, pace: paces.of(scope, prepared.main.statement.text), recorded };
}
