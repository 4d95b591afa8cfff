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
import type { PlannedRequest } from '../plan-cache.js';
import type { UnpackedDataRequest } from '../planned-request.js';
import { bodyFormOf, mediaTypeOf, readAccept, replyFormOf } from '../request/media-types.js';
import { requireUtf8 } from '../request/query-in-body.js';
import { withPosition } from '../respond/reply-headers.js';
import type { Isolation } from '../schema-cache/types.js';
import { pauseBetween } from '../../base/turns.js';
import type { Snapshot } from '../snapshot.js';
import type { MakeReply, Steps } from '../steps.js';
import { type ItemAnswer, batchReply } from './answers.js';
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

/** A batch that was read. */
interface ReadItems {
  readonly request: Request;
  readonly items: readonly BatchItem[];
  /** Of the reply. */
  readonly contentType: string;
  readonly preferences: BatchPreferences;
  /** Null without an idempotency key. */
  readonly key: FirstUse | null;
}

/** A batch that is ready, also one of a single request that is kept. */
interface PlannedBatch {
  readonly batch: ReadyBatch;
  readonly replyTo: (answers: readonly ItemAnswer[]) => Reply;
  readonly retries: number;
  readonly key: FirstUse | null;
}

/** @throws ItemFailure for an error of an item; DbrError; the errors of `Pool.run` */
export const BATCH: Steps<Request, ReadItems, PlannedBatch> = {
  admit: () => Promise.resolve(true),
  read: (request, snapshot) => readItems(request, null, snapshot),
  async plan({ request, items, contentType, preferences, key }, snapshot) {
    const batch = await readyBatch(request, items, preferences, snapshot);
    const replyTo = (answers: readonly ItemAnswer[]): Reply =>
      batchReply(items, answers, contentType, preferences.applied);
    return { batch, replyTo, retries: preferences.retries, key };
  },
  execute: executeBatch,
};

/** A batch with an idempotency key. @throws as `BATCH`, and DbrError with the codes 163 to 168 */
export const BATCH_ONCE: typeof BATCH = {
  ...BATCH,
  async read(request, snapshot) {
    return readItems(request, await firstUse(request, snapshot), snapshot);
  },
};

/** A batch with an idempotency key. @param confirm sees the reply before the commit; an error undoes the batch */
export const confirmed = (confirm: (reply: Reply) => void): typeof BATCH => ({
  ...BATCH,
  async read(request, snapshot) {
    const { key, keep } = await firstUse(request, snapshot);
    const after: Keep['after'] = (reply, roles) => {
      confirm(reply);
      return keep.after(reply, roles);
    };
    return readItems(request, { key, keep: { ...keep, after } }, snapshot);
  },
});

async function readItems(request: Request, key: FirstUse | null, snapshot: Snapshot): Promise<ReadItems> {
  const { settings, options } = snapshot;
  requireUtf8(request.headers);
  const contentType = acceptedType(request.headers.accept);
  const preferences = readBatchPreferences(request.headers.prefer ?? '', options.allowTx);
  const items = await readBatch(request.body, settings['db-max-batch']);
  // The batch itself has been counted as one request.
  if (items.length > 1) await request.charge?.(items.length - 1);
  return { request, items, contentType, preferences, key };
}

/** Runs a batch; one whose key another request has as a repetition, which returns the reply that was kept. */
async function executeBatch(planned: PlannedBatch, snapshot: Snapshot): Promise<MakeReply> {
  const { key } = planned;
  if (key === null) return runFramed(planned, null, snapshot);
  try {
    return await runFramed(planned, key.keep, snapshot);
  } catch (error) {
    if (error !== CLAIMED_BEFORE) throw error;
    return runFramed(planned, repetition(key.key), snapshot);
  }
}

async function runFramed(
  { batch, replyTo, retries }: PlannedBatch,
  keep: Keep | null,
  snapshot: Snapshot,
): Promise<MakeReply> {
  const { result, position } = await runPlaced(withFrame(batch, keep, replyTo), retries, snapshot);
  return () => withPosition(result.kept ?? replyTo(result.answers), position);
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
  replyTo: (answers: readonly ItemAnswer[]) => Reply,
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

/** A request with its plan, as the steps without a key make it. */
interface PlannedAlone {
  readonly request: UnpackedDataRequest;
  readonly planned: PlannedRequest;
}

interface ReadOnce<Read> {
  readonly request: Request;
  readonly read: Read;
  readonly key: FirstUse;
}

/** `plain`: a stream of rows, which writes nothing. */
type PlannedOnce<Planned> =
  | { readonly kind: 'plain'; readonly planned: Planned }
  | { readonly kind: 'kept'; readonly batch: PlannedBatch };

/**
 * The steps of a POST whose reply is kept: those of `plain`, executed as a batch of one item. Its client sees a single request.
 * All checks before the execution of its statements are made again for a repetition.
 * @throws as `plain`, and DbrError with the codes 163 to 168
 */
export const once = <Read, Planned extends PlannedAlone>(
  plain: Steps<Request, Read, Planned>,
): Steps<Request, ReadOnce<Read>, PlannedOnce<Planned>> => ({
  admit: plain.admit,
  async read(request, snapshot) {
    const key = await firstUse(request, snapshot);
    return { request, key, read: await plain.read(request, snapshot) };
  },
  async plan({ request, read, key }, snapshot) {
    const planned = await plain.plan(read, snapshot);
    const { plan } = planned.planned.ready;
    if (plan.kind === 'statements' && plan.stream !== null) return { kind: 'plain', planned };
    return { kind: 'kept', batch: { ...batchOfOne(request, planned, snapshot), key } };
  },
  execute: (planned, snapshot) =>
    planned.kind === 'plain'
      ? plain.execute(planned.planned, snapshot)
      : executeBatch(planned.batch, snapshot).catch((error: unknown) => {
          throw error instanceof ItemFailure ? error.cause : error;
        }),
  end(planned, succeeded, snapshot) {
    if (planned.kind === 'plain') plain.end?.(planned.planned, succeeded, snapshot);
  },
});

function batchOfOne(
  request: Request,
  { request: unpacked, planned }: PlannedAlone,
  snapshot: Snapshot,
): Omit<PlannedBatch, 'key'> {
  const { method, path, query, body } = request;
  const itself = { index: 0, id: null, method, path, query, marks: [], headers: {} };
  const item: BatchItem = { ...itself, body: { kind: 'complete', bytes: body } };
  const only = plannedItem(item, unpacked, planned);
  const batch: ReadyBatch = {
    request,
    trips: [[item]],
    plans: new Map([[0, only]]),
    writes: only.prepared.access === 'write',
    isolation: isolationOf(only) ?? isolationOfRole(request, snapshot),
    end: endOf(planned.shaped.request.preferences, snapshot.settings),
    frame: null,
  };
  return { batch, replyTo: replyOfOnly, retries: 0 };
}

function replyOfOnly([answer]: readonly ItemAnswer[]): Reply {
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

/** Whether a request has a key, and keys are kept. */
export const hasKey = ({ method, headers }: RequestHead, { settings }: Snapshot): boolean =>
  method === 'POST' && settings['db-idempotency'] && headers.idempotencyKey !== undefined;

/** The key of a request, and what keeps its reply if the key is new. */
interface FirstUse {
  readonly key: IdempotencyKey;
  readonly keep: Keep;
}

/** @throws DbrError InvalidIdempotencyKey, IdempotencyUnavailable */
async function firstUse(request: Request, snapshot: Snapshot): Promise<FirstUse> {
  const key = readIdempotencyKey(request.headers.idempotencyKey ?? '', request, snapshot.settings);
  return { key, keep: await firstTime(key, snapshot) };
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

/** Maps errors of the queries of idempotency to errors of the contract; returns others unchanged. */
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
