/** Handles a batch: several requests in one transaction (`application/vnd.dbr.batch+json`). */
import { setTimeout as delay } from 'node:timers/promises';
import { dbrError } from '../../errors/dbr-error.js';
import type { BatchQuery } from '../../postgres/batch.js';
import type { Pool } from '../../postgres/pool.js';
import { BatchAborted, PostgresError } from '../../postgres/postgres-error.js';
import type { Replicated } from '../../replicas/replicas.js';
import type { Reply } from '../../contract/reply.js';
import type { Request, RequestHead } from '../../contract/request.js';
import { runReplicated } from '../execute/run-transaction.js';
import { endOf } from '../execute/transaction.js';
import { planShaped, readShaped } from '../planned-request.js';
import { bodyFormOf, mediaTypeOf, readAccept, replyFormOf } from '../request/media-types.js';
import { requireUtf8 } from '../request/query-in-body.js';
import { withPosition } from '../respond/reply-headers.js';
import type { Isolation } from '../schema-cache/types.js';
import { pauseBetween } from '../../base/turns.js';
import type { Snapshot } from '../snapshot.js';
import { type Answer, batchReply } from './answers.js';
import {
  type BatchItem,
  ItemFailure,
  referencesOf,
  type BatchPreferences,
  readBatchPreferences,
} from './batch-item.js';
import { planItem, type PlannedItem, plannedItem, isolationOf, strongest } from './planned-item.js';
import { readBatch } from './read-batch.js';
import { type BatchOutcome, type Frame, type ReadyBatch, runBatch } from './run-batch.js';
import {
  claimFailure,
  claimQueries,
  keepQueries,
  type Kept,
  keptIn,
  NOTE,
  readQueries,
  REPETITION,
  sizeOf,
  type IdempotencyKey,
  readIdempotencyKey,
  storedRequest,
} from './idempotency.js';

/** Whether a request is a batch: a POST of this media type to the root, unless `db-max-batch` is 0. */
export function isBatch({ method, path, headers }: RequestHead, { settings }: Snapshot): boolean {
  if (method !== 'POST' || path !== '/' || settings['db-max-batch'] === 0) return false;
  return bodyFormOf(mediaTypeOf(headers.contentType ?? '')) === 'batch';
}

/**
 * @param keep keeps the reply for the idempotency key of the request; null for none
 * @throws ItemFailure for an error of an item; DbrError; the errors of `Pool.run`
 */
export async function handleBatch(request: Request, snapshot: Snapshot, keep: Keep | null): Promise<Reply> {
  const { settings, options } = snapshot;
  requireUtf8(request.headers);
  const contentType = acceptedType(request.headers.accept);
  const preferences = readBatchPreferences(request.headers.prefer ?? '', options.allowTx);
  const items = await readBatch(request.body, settings['db-max-batch']);
  // The batch itself has been counted as one request.
  if (items.length > 1) await request.charge?.(items.length - 1);
  request.timings?.lap('parse');
  const replyTo = (answers: readonly Answer[]): Reply =>
    batchReply(items, answers, contentType, preferences.applied);
  const batch = withFrame(await readyBatch(request, items, preferences, snapshot), keep, replyTo);
  request.timings?.lap('plan');
  const { result, position } = await runPlaced(batch, preferences.retries, snapshot);
  request.timings?.lap('transaction');
  const reply = result.kept ?? replyTo(result.answers);
  request.timings?.lap('response');
  return withPosition(reply, position);
}

/** Keeps a reply in the transaction that made it, or reads one that was kept. */
export interface Keep extends Omit<Frame, 'after'> {
  /**
   * @param reply that was made, or was kept @param roles behind the function of `db-pre-request`, of each item
   * @throws DbrError if the reply cannot be kept, or belongs to another request
   */
  readonly after: (reply: Reply, roles: readonly string[]) => readonly BatchQuery[];
}

/** Adds what keeps the reply to a batch that writes. Other replies are not kept: a repetition changes nothing. */
function withFrame(
  batch: ReadyBatch,
  keep: Keep | null,
  replyTo: (answers: readonly Answer[]) => Reply,
): ReadyBatch {
  if (keep === null || batch.end === 'rollback' || !mayWrite(batch)) return batch;
  const after: Frame['after'] = ({ answers, kept, roles }) => keep.after(kept ?? replyTo(answers), roles);
  return { ...batch, writes: true, frame: { ...keep, after } };
}

/** Whether an item may change data. A call whose arguments are not yet known may. */
const mayWrite = ({ trips, plans }: ReadyBatch): boolean =>
  trips.flat().some(({ index, method }) => {
    const planned = plans.get(index);
    return planned === undefined ? !READING.has(method) : planned.prepared.access === 'write';
  });

/**
 * Handles a POST whose reply is kept, as a batch of one item that is no batch to its client; null for a stream of rows.
 * @throws as `handleBatch`
 */
async function handleKept(request: Request, snapshot: Snapshot, keep: Keep): Promise<Reply | null> {
  const { request: unpacked, shaped } = await readShaped(request, snapshot);
  const { plan } = planShaped(shaped, unpacked, snapshot).ready;
  if (plan.kind === 'statements' && plan.stream !== null) return null;
  request.timings?.lap('parse');
  const { method, path, query, body } = request;
  const itself = { index: 0, id: null, method, path, query, marks: [], headers: {} };
  const item: BatchItem = { ...itself, body: { kind: 'complete', bytes: body } };
  const planned = plannedItem(item, unpacked, shaped, snapshot);
  request.timings?.lap('plan');
  const plain: ReadyBatch = {
    request,
    trips: [[item]],
    plans: new Map([[0, planned]]),
    writes: planned.prepared.access === 'write',
    isolation: isolationOf(planned) ?? isolationOfRole(request, snapshot),
    end: endOf(shaped.request.preferences, snapshot.settings),
    frame: null,
  };
  const batch = withFrame(plain, keep, replyOfOnly);
  const { result, position } = await runPlaced(batch, 0, snapshot).catch((error: unknown) => {
    throw error instanceof ItemFailure ? error.cause : error;
  });
  request.timings?.lap('transaction');
  return withPosition(result.kept ?? replyOfOnly(result.answers), position);
}

function replyOfOnly([answer]: readonly Answer[]): Reply {
  if (answer === undefined) throw new Error('the request has no answer');
  const { status, headers, body } = answer;
  return { status, headers, body: body === null ? null : [body] };
}

const isolationOfRole = ({ identity }: Request, { cache }: Snapshot): Isolation =>
  cache.roleSettings.get(identity.role)?.isolation ?? 'read committed';

/** @throws DbrError UnacceptableMediaType (406) */
function acceptedType(accept: string | undefined): string {
  for (const range of readAccept(accept)) {
    if (range.kind === 'any') return JSON_TYPE;
    if (range.kind !== 'type') continue;
    if (range.name === JSON_TYPE || range.name === 'application/*') return JSON_TYPE;
    if (replyFormOf(range.name) === 'batch') return range.name;
  }
  throw dbrError('UnacceptableMediaType', { message: 'accept', mediaTypes: accept ?? '' });
}

const JSON_TYPE = 'application/json';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY']);

async function readyBatch(
  request: Request,
  items: readonly BatchItem[],
  preferences: BatchPreferences,
  snapshot: Snapshot,
): Promise<ReadyBatch> {
  const plans = new Map<number, PlannedItem>();
  for (const item of items) {
    if (item.body.kind !== 'complete') continue;
    plans.set(item.index, await planItem(item, item.body.bytes, request, snapshot));
    await pauseBetween();
  }
  const own = [...plans.values()].flatMap((planned) => isolationOf(planned) ?? []);
  return {
    request,
    trips: tripsOf(items),
    plans,
    writes: items.some(({ method }) => !READING.has(method)),
    isolation: preferences.isolation ?? strongest([isolationOfRole(request, snapshot), ...own]),
    end: endOf(preferences, snapshot.settings),
    frame: null,
  };
}

/** Runs a batch on the primary, or on a replica if its requests allow that. Further trips are those of a write. */
function runPlaced(
  batch: ReadyBatch,
  retries: number,
  snapshot: Snapshot,
): Promise<Replicated<BatchOutcome>> {
  const { request, writes, isolation, trips, plans } = batch;
  const isVolatile = [...plans.values()].some(
    ({ prepared: { plan } }) => plan.kind === 'call' && plan.volatile,
  );
  const mayUseReplica = !isVolatile && trips.length === 1;
  const placement = { access: writes ? 'write' : 'read', isolation, mayUseReplica } as const;
  return runReplicated(snapshot, placement, request, (pool) => runRepeatedly(pool, batch, retries, snapshot));
}

/** serialization_failure and deadlock_detected: the same transaction may succeed when it runs again. */
const REPEATABLE: ReadonlySet<string> = new Set(['40001', '40P01']);
/** Longest pause before the first repetition, in milliseconds; it doubles with each one. */
const PAUSE_MS = 5;

async function runRepeatedly(
  pool: Pool,
  batch: ReadyBatch,
  retries: number,
  snapshot: Snapshot,
): Promise<BatchOutcome> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await runBatch(pool, batch, snapshot);
    } catch (error) {
      if (attempt >= retries || !isRepeatable(error)) throw error;
    }
    // Transactions that have failed together must not meet again.
    await delay(Math.random() * PAUSE_MS * 2 ** attempt);
    if (batch.request.caller.signal?.aborted === true) throw new BatchAborted();
  }
}

function isRepeatable(error: unknown): boolean {
  const cause = error instanceof ItemFailure ? error.cause : error;
  return cause instanceof PostgresError && REPEATABLE.has(cause.fields.code);
}

/** Returns the items of each trip, in their order. An item without references travels with those before it. */
function tripsOf(items: readonly BatchItem[]): readonly (readonly BatchItem[])[] {
  const trips: BatchItem[][] = [];
  let firstOfTrip = 0;
  for (const item of items) {
    const waits = referencesOf(item).some((reference) => reference.item >= firstOfTrip);
    const current = trips.at(-1);
    if (current === undefined || waits) {
      trips.push([item]);
      firstOfTrip = item.index;
    } else current.push(item);
  }
  return trips;
}

/** The key of a request, as written; null without one, where keys are not kept, and for requests that are no POST. */
export function keyOf(request: RequestHead, snapshot: Snapshot): string | null {
  if (request.method !== 'POST' || !snapshot.settings['db-idempotency']) return null;
  const key = request.headers.idempotencyKey;
  if (key === undefined) return null;
  return request.path !== '/' || isBatch(request, snapshot) ? key : null;
}

/**
 * Handles a request whose key is new, or returns the reply that was kept for it if the caller may still make the request:
 * all checks before the execution of its statements are made again.
 * @returns null for a stream of rows, which writes nothing
 * @throws DbrError with the codes 163 to 168; as `handleBatch`
 */
export async function handleOnce(
  request: Request,
  snapshot: Snapshot,
  written: string,
): Promise<Reply | null> {
  const key = readIdempotencyKey(written, request, snapshot.settings);
  const handle = isBatch(request, snapshot) ? handleBatch : handleKept;
  try {
    return await handle(request, snapshot, await firstTime(key, snapshot));
  } catch (error) {
    if (error !== CLAIMED_BEFORE) throw error;
    return handle(request, snapshot, repetition(key));
  }
}

/** Another request has the key: the first one in progress, one that was answered, or a repetition at the same time. */
const CLAIMED_BEFORE = new Error('another request has the key');

async function firstTime(key: IdempotencyKey, { settings, keptBytes }: Snapshot): Promise<Keep> {
  const kept = await keptBytes.current().catch((error: unknown) => {
    throw errorOf(error);
  });
  return {
    note: NOTE,
    claim: claimQueries(key, kept >= settings['db-idempotency-bytes']),
    readKept: null,
    after(reply, roles) {
      const queries = keepQueries(key, reply, roles, settings['db-idempotency-time']);
      keptBytes.add(sizeOf(reply));
      return queries;
    },
    failure: errorOf,
  };
}

function repetition(key: IdempotencyKey): Keep {
  let kept: Kept | null = null;
  return {
    note: NOTE,
    claim: readQueries(key),
    readKept(row) {
      // The first request has not ended, or its reply has expired.
      if (row === undefined) throw dbrError('IdempotentRequestInProgress');
      kept = keptIn(row);
      return kept.reply;
    },
    after(_, roles) {
      if (kept?.request !== storedRequest(key, roles).toString('hex')) throw dbrError('IdempotencyKeyReused');
      return REPETITION;
    },
    failure: errorOf,
  };
}

/** Seconds until answers are removed that may have expired. */
const RETRY_AFTER = '60';

/** What an error of the queries beside those of the request means. */
function errorOf(error: unknown): unknown {
  if (!(error instanceof PostgresError)) return error;
  switch (claimFailure(error)) {
    case 'claimed':
      return CLAIMED_BEFORE;
    case 'full':
      return dbrError('IdempotencyQuotaFull', {}, { headers: { 'Retry-After': RETRY_AFTER } });
    case 'not ready':
      return dbrError('IdempotencyUnavailable', { reason: error.fields.message });
    case null:
      return error;
  }
}
