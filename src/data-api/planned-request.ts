/** The steps before the transaction: a received request → its shape and values → its plan. */
import { mayEstimate, requireEstimates, requireRights } from './ceilings/rights.js';
import { requireShape } from './ceilings/shape-line.js';
import { dbrError } from '../errors/dbr-error.js';
import type { Request, RequestHead } from '../contract/request.js';
import { mayBeGraph, withGraph } from './graph/body.js';
import type { PlanCache, PlannedRequest, ReadyPlan } from './plan-cache.js';
import { unknownRelation } from './execute/run-transaction.js';
import { DEFAULT_LIMITS, mostParameters } from './grammar/limits.js';
import { firstRun } from '../postgres/batch.js';
import { planRequest } from './plan/plan-request.js';
import type { RunnablePlan } from './plan/plan.js';
import { preparePlan, type PreparedPlan } from './prepare/prepared-plan.js';
import { type PageSelection, pairsOfLinks, valuesOfPage, withPage } from './request/cursor.js';
import { LONG_BODY, payloadWork } from './request/payload.js';
import { type UnpackedRequest, unpackQuery } from './request/query-in-body.js';
import { pairsWork, type QueryPair } from './request/query-string.js';
import {
  readHead,
  type ApiRequestHead,
  type RequestOptions,
  matchedDigests,
  unmodifiedBefore,
} from './request/read-request.js';
import type { ScannedQuery } from './request/read-query.js';
import type { ApiRequest, Payload } from './request/api-request.js';
import { sharedPart, type ShapedRequest, shapeKey } from './request/shaped-request.js';
import { runAtOnce, runInSlices, turnOfTheEventLoop, type Sliced } from '../base/turns.js';
import { find } from './schema-cache/lookups.js';
import { planContext, type Snapshot } from './snapshot.js';

/** A request whose query is in the URL, without the cursor of its page. */
export type UnpackedDataRequest = Request & UnpackedRequest & PageSelection;

/** A request that was read. */
export interface ReadRequest {
  readonly request: UnpackedDataRequest;
  readonly shaped: ShapedRequest;
}

/**
 * Reads a request: takes the query out of the body and the cursor out of the query, and reads head and body. A promise is
 * returned for long texts, which are read in slices: most requests must not wait for a turn of the event loop.
 * @throws DbrError, in the order of data API §1.1
 */
export function readShaped(received: Request, snapshot: Snapshot): ReadRequest | Promise<ReadRequest> {
  return received.carries === 'query'
    ? unpackQuery(received, snapshot.options).then((unpacked) => readUnpacked(unpacked, snapshot))
    : readUnpacked(received, snapshot);
}

/** Longer query strings are decoded in slices, and parsed in turns of their own, in characters. */
const LONG_QUERY = 1024;

const isLong = ({ query, body }: UnpackedDataRequest): boolean =>
  query.length > LONG_QUERY || body.length > LONG_BODY;

function readUnpacked(unpacked: UnpackedDataRequest, snapshot: Snapshot): ReadRequest | Promise<ReadRequest> {
  const { prefer } = unpacked.headers;
  // Only preferences ask for a page or name a time zone.
  const request = prefer === undefined ? unpacked : withPage(unpacked, snapshot.cursorSecrets);
  const timezones = prefer === undefined ? null : snapshot.timezones.prepareFor(prefer);
  if (timezones !== null || isLong(request)) return readInTurns(request, snapshot, timezones);
  const head = headShape(request, snapshot);
  const work = payloadWork(head.head, request.body, snapshot.options.maxKeys);
  const shaped = withPayload(head, expectsNone(head) ? null : runAtOnce(work));
  if (!mayBeGraph(shaped)) return { request, shaped };
  return withGraph(shaped, snapshot).then((graph) => ({ request, shaped: graph }));
}

async function readInTurns(
  request: UnpackedDataRequest,
  snapshot: Snapshot,
  timezones: Promise<void> | null,
): Promise<ReadRequest> {
  if (timezones !== null) await timezones;
  const { query, body } = request;
  const isLongQuery = query.length > LONG_QUERY;
  const head = isLongQuery
    ? await runInSlices(longHeadWork(request, snapshot))
    : headShape(request, snapshot);
  const work = payloadWork(head.head, body, snapshot.options.maxKeys);
  const isLongBody = body.length > LONG_BODY;
  const payload = expectsNone(head) ? null : isLongBody ? await runInSlices(work) : runAtOnce(work);
  const shaped = withPayload(head, payload);
  // The statement is planned in a turn of its own.
  if (isLong(request)) await turnOfTheEventLoop();
  return { request, shaped: mayBeGraph(shaped) ? await withGraph(shaped, snapshot) : shaped };
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
function headShape(input: UnpackedDataRequest, snapshot: Snapshot): ShapedHead {
  return headOfScan(input, snapshot.queries.scan(input), snapshot);
}

/** As `headShape`, with pauses. */
function* longHeadWork(input: UnpackedDataRequest, snapshot: Snapshot): Sliced<ShapedHead> {
  const { limits = DEFAULT_LIMITS } = snapshot.options;
  const pairs = yield* pairsWork(input.query, mostParameters(limits));
  yield;
  const scanned = snapshot.queries.scan(input, pairs);
  yield;
  return headOfScan(input, scanned, snapshot, pairs);
}

/** @param pairs of a long query */
function headOfScan(
  input: UnpackedDataRequest,
  scanned: ScannedQuery | null,
  snapshot: Snapshot,
  pairs?: readonly QueryPair[] | null,
): ShapedHead {
  const options = optionsOf(input, snapshot);
  if (scanned === null) {
    readHead(input, options, null, pairs);
    throw new Error('the request has no fault');
  }
  const key = shapeKey(input, scanned, input.identity.role);
  const known = key === null ? undefined : snapshot.plans.find(key);
  return shapedHead(input, scanned, key, known ?? readHead(input, options, scanned));
}

const optionsOf = (
  { identity: { role } }: UnpackedDataRequest,
  { explainRoles, explainingOptions, options }: Snapshot,
): RequestOptions => (explainRoles.has(role) ? explainingOptions : options);

function shapedHead(
  { headers, page, cursorKey, shortQuery }: UnpackedDataRequest,
  scanned: ScannedQuery,
  key: string | null,
  head: ShapedHead['head'],
): ShapedHead {
  const pairs = shortQuery === undefined ? scanned.pairs : null;
  return {
    head,
    values: page?.kind === 'row' ? [...scanned.values, ...valuesOfPage(page)] : scanned.values,
    digests: headers.ifMatch === undefined ? NO_DIGESTS : matchedDigests(headers),
    unmodifiedBefore: headers.ifUnmodifiedSince === undefined ? null : unmodifiedBefore(headers),
    cursorKey,
    pairs,
    linkPairs: pairs ?? pairsOfLinks(shortQuery ?? ''),
    key,
  };
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
  const { role } = input.identity;
  const recorded = requireAllowed(input, request, payload, snapshot);
  const made = planRequest({ ...request, payload }, planContext(snapshot, role));
  if (made.kind === 'mutation') requireKnown(request, snapshot);
  if (made.kind === 'inspect' || made.kind === 'document')
    return { plan: made, lastRun: firstRun(), recorded };
  const plan = preparedFor(made, role, request, snapshot, snapshot.plans.statements);
  // A row by its key comes at once.
  return { plan, lastRun: firstRun(plan.bound === 'key'), recorded };
}

/**
 * Refuses a write of a relation that the schema cache does not contain, with the error of PostgreSQL for no relation.
 * PostgreSQL may have one of the name: a partition, whose rows the policies of its table do not protect.
 * @throws PostgresError 42P01
 */
function requireKnown({ resource, schema }: ApiRequest, { cache }: Snapshot): void {
  if (resource.kind === 'relation' && find(cache.tables, schema, resource.name) === undefined)
    throw unknownRelation({ schema, name: resource.name });
}

/**
 * Checks what a request asks for against the ceilings of its role.
 * @param isShapeKnown false if the shape depends on a body that has not been read
 * @returns the line of the shape to record if the request succeeds; null for none
 * @throws DbrError (403)
 */
export function requireAllowed(
  input: Pick<RequestHead, 'method' | 'path' | 'query' | 'headers' | 'identity'>,
  request: ApiRequestHead,
  payload: Payload | null,
  snapshot: Snapshot,
  isShapeKnown = true,
): string | null {
  const { role } = input.identity;
  const ceilings = snapshot.ceilings.of(role);
  const mode = isShapeKnown ? ceilings.shapes : 'off';
  const recorded = requireShape(mode, input, request, payload, role, snapshot);
  requireRights(request.query, ceilings);
  requireEstimates(request.preferences, role, snapshot);
  return recorded;
}

/** Prepares the statements of a plan within the ceilings of a role. @throws DbrError EstimateNotAllowed */
export function preparedFor(
  plan: RunnablePlan,
  role: string,
  { schema, preferences: { maxCost } }: ApiRequest,
  snapshot: Snapshot,
  statements: Pick<PlanCache['statements'], 'get'>,
): PreparedPlan {
  const { costs } = snapshot;
  const hidesCost = !mayEstimate(role, snapshot);
  if (hidesCost && plan.output.explain !== null) throw dbrError('EstimateNotAllowed');
  const ceilings = snapshot.ceilings.of(role);
  return preparePlan(plan, `${role}\0${schema}`, statements, { ceilings, maxCost, costs, hidesCost });
}
