/** The steps before the transaction: a received request → its shape and values → its plan. */
import { mayEstimate, requireEstimates, requireRights } from './ceilings/rights.js';

import { requireShape } from './ceilings/shape-line.js';
import { dbrError } from '../errors/dbr-error.js';
import type { Request } from '../contract/request.js';
import { mayBeGraph, withGraph } from './graph/body.js';
import type { PlannedRequest, ReadyPlan } from './plan-cache.js';
import { firstRun } from '../postgres/batch.js';
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
  const read = runAtOnce(headShapeWork(request, request.identity.role, snapshot));
  const shaped = withPayload(
    read,
    expectsNone(read) ? null : payloadOf(read.head, request.body, snapshot.options),
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
  const read = await runInSlices(headShapeWork(request, request.identity.role, snapshot));
  const payload = expectsNone(read)
    ? null
    : body.length > LONG_BODY
      ? await longPayloadOf(read.head, body, snapshot.options)
      : payloadOf(read.head, body, snapshot.options);
  const shaped = withPayload(read, payload);
  // The statement is planned in a turn of its own.
  if (isLong(request)) await turnOfTheEventLoop();
  return mayBeGraph(shaped) ? withGraph(shaped, snapshot) : shaped;
}

/** A request that was read except for its body. */
interface ShapedHead extends Omit<ShapedRequest, 'request' | 'payload'> {
  /** The shared part of requests of this shape, if one was planned before; otherwise the head of this request. */
  readonly head: ApiRequest | ApiRequestHead;
}

/** Whether requests of this shape are known to have no body. */
const expectsNone = ({ head }: ShapedHead): boolean => 'payload' in head && head.payload === null;

/** Names each property: a copy by spreading takes longer than the rest of a cached request's reading. */
const withPayload = (shaped: ShapedHead, payload: Payload | null): ShapedRequest => ({
  request: sharedRequest(shaped, payload),
  values: shaped.values,
  payload,
  digests: shaped.digests,
  unmodifiedBefore: shaped.unmodifiedBefore,
  cursorKey: shaped.cursorKey,
  pairs: shaped.pairs,
  linkPairs: shaped.linkPairs,
  key: shaped.key,
});

function sharedRequest({ head, key }: ShapedHead, payload: Payload | null): ApiRequest {
  if ('payload' in head) return head;
  const request = { ...head, payload };
  return key === null ? request : sharedPart(request);
}

/**
 * Reads a request except for its body. Of a request with a known shape, it reads the values only. @throws DbrError, in the
 * order of data API §1.1
 */
function* headShapeWork(input: UnpackedDataRequest, role: string, snapshot: Snapshot): Work<ShapedHead> {
  const { plans, shapes } = snapshot;
  const { headers, page, cursorKey } = input;
  const options = snapshot.explainRoles.has(role) ? snapshot.explainingOptions : snapshot.options;
  const shape = yield* shapes.read(input);
  yield;
  const digests = headers['if-match'] === undefined ? NO_DIGESTS : matchedDigests(headers);
  const key = shape === null ? null : shapeKey(input, shape, role);
  const head = (key === null ? undefined : plans.find(key)) ?? (yield* headWork(input, options, shape));
  const since = headers['if-unmodified-since'] === undefined ? null : unmodifiedBefore(headers);
  if (shape === null)
    return {
      head,
      values: head.values,
      digests,
      unmodifiedBefore: since,
      cursorKey,
      pairs: [],
      linkPairs: [],
      key,
    };
  const values = page?.kind === 'row' ? [...shape.values, ...valuesOfPage(page)] : shape.values;
  const pairs = input.shortQuery === undefined ? shape.pairs : null;
  const linkPairs = pairs ?? pairsOfLinks(input.shortQuery ?? '');
  return { head, values, digests, unmodifiedBefore: since, cursorKey, pairs, linkPairs, key };
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
  const { statements } = snapshot.plans;
  const lastRun = firstRun();
  const { role } = input.identity;
  const ceilings = snapshot.ceilings.of(role);
  const recorded = requireShape(ceilings.shapes, input, request, payload, role, snapshot);
  requireRights(request.query, ceilings);
  requireEstimates(request.preferences, role, snapshot);
  const made = planRequest({ ...request, payload }, planContext(snapshot, role));
  if (made.kind === 'inspect' || made.kind === 'document') return { plan: made, lastRun, recorded };
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
  return { plan: prepared, lastRun, recorded };
}
