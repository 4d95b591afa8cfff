/**
 * Gives connections to requests: at once where there is one, else from the queues as connections come free.
 *
 * A connection is shared by reads whose plans bound them, or it belongs to one other batch: a brief one (a write, or a
 * read without a bound) or a long one (a read that has proved to be long). Shared reads may use every connection. The others
 * leave them at least one, and one to each other, as far as there are enough. Long ones have at most half of the connections.
 * For a batch that waits for a connection to itself, a shared one is drained. Brief and long ones are apart, because a write
 * would wait for the end of slow reads (measured: docs/internals/measurements.md).
 */
import { whenGone } from '../base/gone.js';
import { performance } from 'node:perf_hooks';
import type { Caller } from '../contract/caller.js';
import type { Batch, BatchResult, BatchUse, LastRun } from './batch.js';
import {
  clear,
  isExpired,
  isIdle,
  isOpening,
  mayOpen,
  openConnections,
  openFirst,
  type ConnectionOpener,
  type Slot,
} from './pool-connections.js';
import type { PipelinedConnection } from './connection.js';
import type { PoolQueues } from './pool-queues.js';
import { BatchAborted, ConnectionLost, type ConnectFailed } from './postgres-error.js';

/** One batch on its way through the pool, from the call to its result. */
export interface PoolRequest {
  readonly batch: Batch;
  readonly caller: Caller;
  readonly resolve: (result: BatchResult) => void;
  readonly reject: (error: Error) => void;
  /** By `performance.now()`; null until the request first waits. */
  deadline: number | null;
  /** The connection that it needs: that of the batch, or a later one once it has held up others. */
  use: BatchUse;
  /** It was repeated once, with statements parsed for it alone. */
  isRepeated: boolean;
  /** It was sent to another server once, because the first was read-only. */
  hasMoved: boolean;
  /** The lease whose outcome ends the request; null while it waits. */
  lease: Lease | null;
  /** Removes the listener on the caller's signal; null until the caller is watched. */
  unwatch: (() => void) | null;
  /** Failure of the receiver of the body. */
  error: Error | null;
  /** Whether a result column is longer than LONG_RESULT_BYTES. */
  hasLongResult: boolean;
  /** The body goes to a stream, so the request cannot be repeated. */
  hasBody: boolean;
}

/** The place of one batch on a connection. */
export interface Lease {
  readonly request: PoolRequest;
  readonly slot: Slot;
  readonly connection: PipelinedConnection;
  /** The request was given another lease or waits for one; the outcome of this one is dropped. */
  revoked: boolean;
  /** Cancelled in favour of others: if PostgreSQL refuses it with query_canceled, the request goes back to the queue. */
  preempted: boolean;
  /** Settles when the cancel requests sent for it hit no other batch; null if none was sent. */
  cancelling: Promise<void> | null;
  /** When the next cancel request is sent, and the time after which another one follows, in milliseconds. */
  cancelAgainAt: number;
  cancelPauseMs: number;
  /** Its outcome has arrived. */
  isComplete: boolean;
  /** It has held its connection for longer than its use allows. */
  isLate: boolean;
}

/** The state of a pool: its connections, the batches on them, and the batches that wait for one. */
export interface Scheduler {
  readonly slots: readonly Slot[];
  readonly leases: ReadonlyMap<Slot, Lease[]>;
  readonly view: MutableView;
  readonly queues: PoolQueues<BatchUse, PoolRequest>;
  readonly opener: ConnectionOpener;
  /** Sends the batch of a request on its lease. */
  readonly start: (lease: Lease) => void;
  /** Whether a new connection may go to another server than the last one. */
  readonly hasOtherServers: boolean;
  closed: boolean;
  /** Index in `USES` of the use that is served first. */
  nextUse: number;
  /** Timer of the next check for late batches; null while nothing is in flight. */
  checkTimer: NodeJS.Timeout | null;
}

/** `PoolView` that is refreshed in place, so that a decision allocates nothing. */
type MutableView = { -readonly [Member in keyof PoolView]: PoolView[Member] };

/** In the order in which they are served in turn. */
export const USES: readonly BatchUse[] = ['shared', 'brief', 'long'];
const EXCLUSIVE = ['brief', 'long'] as const;

/** A failed transaction block needs a ROLLBACK before any other batch, so a batch that opens one shares no connection. */
const poolClassOf = ({ access, use, queries }: Batch): BatchUse =>
  access === 'write' || (use === 'shared' && queries.some(({ statement }) => statement.begins))
    ? 'brief'
    : use;

export const createRequest = (
  batch: Batch,
  caller: Caller,
  resolve: (result: BatchResult) => void,
  reject: (error: Error) => void,
): PoolRequest => ({
  batch,
  caller,
  resolve,
  reject,
  deadline: null,
  use: poolClassOf(batch),
  isRepeated: false,
  hasMoved: false,
  lease: null,
  unwatch: null,
  error: null,
  hasLongResult: false,
  hasBody: false,
});

/** Starts the request on a connection that may carry it, or queues it. */
export function requestConnection(scheduler: Scheduler, request: PoolRequest): void {
  const error = refusal(scheduler);
  if (error !== null) return failRequest(request, error);
  if (request.use !== 'shared' && isAbandoned(request)) return failRequest(request, new BatchAborted());
  const { queues, opener } = scheduler;
  if (queues.length === 0 || queues.lengthOf(request.use) === 0) {
    const { slot, wantsConnection } = chooseSlot(currentView(scheduler), request.use);
    if (slot !== null) {
      if (wantsConnection && !isOpening(opener)) openConnections(opener, 1);
      return start(scheduler, slot, request);
    }
  }
  queues.add(request.use, request);
  watchCaller(scheduler, request);
  dispatch(scheduler);
}

/** Queues a request ahead of the others, within the time that is left of its wait. */
function requeue(scheduler: Scheduler, request: PoolRequest): void {
  request.lease = null;
  request.use = currentUse(request);
  scheduler.queues.addAgain(request.use, request);
  watchCaller(scheduler, request);
}

/** Replaces every connection once its batches have ended, and those that are being opened. */
export function renewConnections(scheduler: Scheduler): void {
  scheduler.opener.renewals++;
  for (const slot of scheduler.slots) {
    slot.expiresAt = 0;
    if (isIdle(slot)) retire(scheduler, slot);
  }
  openFirst(scheduler.opener);
  dispatch(scheduler);
}

function start(scheduler: Scheduler, slot: Slot, request: PoolRequest): void {
  const { connection } = slot;
  if (connection === null) return;
  beginLease(slot, request.use, scheduler.view.now);
  const lease: Lease = {
    request,
    slot,
    connection,
    revoked: false,
    preempted: false,
    cancelling: null,
    cancelAgainAt: 0,
    cancelPauseMs: CANCEL_AGAIN_MS,
    isComplete: false,
    isLate: false,
  };
  request.lease = lease;
  leasesOf(scheduler, slot).push(lease);
  scheduler.checkTimer ??= setTimeout(checkInFlight, CHECK_MS, scheduler);
  if (request.use !== 'shared') watchCaller(scheduler, request);
  scheduler.start(lease);
}

/** Ends a lease. Called once, when nothing of the batch is left on the connection. */
export function release(scheduler: Scheduler, lease: Lease): void {
  const { slot, request, revoked } = lease;
  const own = leasesOf(scheduler, slot);
  const position = own.indexOf(lease);
  // The slot has another connection by now, or none.
  if (position < 0) return dispatch(scheduler);
  own.splice(position, 1);
  slot.clearing = own.some((other) => other.revoked || other.cancelling !== null);
  if (position === 0) slot.held = false;
  const view = currentView(scheduler);
  const { lastRun } = request.batch;
  if (lastRun !== undefined && !revoked) {
    noteTime(lastRun, position === 0 ? view.now - slot.headSince : 0, request.use);
    lastRun.longResult = request.hasLongResult;
  }
  endLease(slot, position === 0, view.now);
  if (slot.use === null && view.now > slot.expiresAt) {
    retire(scheduler, slot);
    openFirst(scheduler.opener);
  }
  dispatch(scheduler);
}

/** Serves the queues, opens connections that they need, and frees shared connections for batches that need their own. */
export function dispatch(scheduler: Scheduler): void {
  const { queues, opener } = scheduler;
  if (queues.length > 0) {
    const unserved = serveAll(scheduler);
    if (unserved > 0) openConnections(opener, unserved);
    if (queues.length > 0) freeConnections(scheduler);
  }
  if (endDraining(scheduler)) serve(scheduler, USES.indexOf('shared'));
}

/** Starts what can be started. Returns the number of remaining requests that more connections would serve. */
function serveAll(scheduler: Scheduler): number {
  const first = scheduler.nextUse;
  let unserved = 0;
  for (let offset = 0; offset < USES.length; offset++)
    unserved += serve(scheduler, (first + offset) % USES.length);
  return unserved;
}

/** Starts what can be started for one use. Returns the number of remaining requests that more connections would serve. */
function serve(scheduler: Scheduler, index: number): number {
  const { queues } = scheduler;
  const use = USES[index];
  if (use === undefined) return 0;
  let unserved = 0;
  for (let first = queues.first(use); first !== null; first = queues.first(use)) {
    const wanted = currentUse(first);
    const { slot, wantsConnection } = chooseSlot(currentView(scheduler), wanted);
    if (slot === null && wanted === use) return unserved + (wantsConnection ? queues.lengthOf(use) : 0);
    queues.removeFirst(use);
    first.use = wanted;
    if (slot === null) {
      if (wantsConnection) unserved++;
      queues.add(wanted, first);
      continue;
    }
    scheduler.nextUse = (index + 1) % USES.length;
    start(scheduler, slot, first);
  }
  return unserved;
}

/**
 * The use of a waiting request. If another run of its plan was late or long since, the read is queued as such a run: on a shared
 * connection it would be late too, and would hold up what is behind it.
 */
function currentUse({ use, batch: { access, lastRun } }: PoolRequest): BatchUse {
  if (access === 'write' || lastRun === undefined || lastRun.staysShared) return use;
  if (lastRun.longResult) return 'long';
  return USES.indexOf(lastRun.took ?? use) > USES.indexOf(use) ? (lastRun.took ?? use) : use;
}

/** For requests that may have a connection once other batches have ended or are cancelled. */
function freeConnections(scheduler: Scheduler): void {
  const { queues, opener, slots } = scheduler;
  for (const use of EXCLUSIVE) {
    if (queues.lengthOf(use) === 0 || mayOpen(opener) || isOpening(opener)) continue;
    const slot = slotToDrain(currentView(scheduler), use);
    if (slot !== null) slot.draining = true;
  }
  for (const slot of slots) {
    const head = headOf(scheduler, slot);
    if (head?.isLate === true) preempt(scheduler, slot, head);
  }
}

/**
 * Ends the draining of connections when no request waits that may have one. Returns whether shared batches may use a
 * connection again.
 */
function endDraining(scheduler: Scheduler): boolean {
  const { slots, queues } = scheduler;
  if (!slots.some(({ draining }) => draining)) return false;
  const isNeeded = EXCLUSIVE.some(
    (use) => queues.lengthOf(use) > 0 && mayTakeExclusively(currentView(scheduler), use),
  );
  if (isNeeded) return false;
  for (const slot of slots) slot.draining = false;
  return true;
}

/** Gives the connection to the batch alone, because a long body begins. */
export function beginBody(scheduler: Scheduler, lease: Lease): void {
  const { slot } = lease;
  revokeBehind(scheduler, slot, lease);
  lease.isLate = false;
  if (slot.connection === lease.connection) keepForLong(slot);
}

/**
 * Asks to keep the connection waiting for a slow reader. Returns false if the other requests need it.
 * @param urgent there is no other way: for the only connection of a pool
 */
export function holdConnection(scheduler: Scheduler, { slot, connection }: Lease, urgent: boolean): boolean {
  if (slot.connection !== connection || slot.held) return slot.held;
  slot.held = mayHold(currentView(scheduler), urgent);
  return slot.held;
}

/** Ends the hold when the reader continues. */
export function endHold({ slot, connection }: Lease): void {
  if (slot.connection === connection) slot.held = false;
}

// Which connection a batch gets: pure decisions over the state of the pool.

/** Use of a connection by one batch alone. */
type ExclusiveUse = Exclude<BatchUse, 'shared'>;

/** The state that the decisions depend on. */
export interface PoolView {
  readonly slots: readonly Slot[];
  /** Most batches in flight on a shared connection. */
  readonly depth: number;
  /** Most connections: all slots, or as many as PostgreSQL accepts. */
  readonly capacity: number;
  /** By `performance.now()`. */
  readonly now: number;
}

/** The connection for one more batch. */
export interface Choice {
  /** The slot to take; null if the batch must wait. */
  readonly slot: Slot | null;
  /** Whether one more connection should be opened for it. */
  readonly wantsConnection: boolean;
}

/** Fraction of the connections that shared reads use as long as these suffice, because each carries many of them. */
const SHARED_FRACTION = 0.4;
/** Largest fraction of the connections that long reads use. More of them at a time would end no earlier and delay quick reads. */
const LONG_FRACTION = 0.5;
/** A shared connection takes no other batch while its first one takes longer than this, in milliseconds. */
export const LATE_MS = 15;

export const chooseSlot = (pool: PoolView, use: BatchUse): Choice =>
  use === 'shared' ? chooseShared(pool) : chooseExclusive(pool, use);

function chooseShared(pool: PoolView): Choice {
  const { slots, capacity, depth } = pool;
  const preferred = depth === 1 ? capacity : Math.max(1, Math.floor(capacity * SHARED_FRACTION));
  let shared = 0;
  let best: Slot | null = null;
  for (const slot of slots) {
    if (slot.use !== 'shared' || isLate(slot, pool)) continue;
    shared++;
    if (slot.busy < depth && isOpenToShare(slot, pool) && (best === null || slot.busy < best.busy))
      best = slot;
  }
  if (shared >= preferred && best !== null) return { slot: best, wantsConnection: false };
  const idle = firstIdle(pool);
  // A place on a connection with others is available earlier than a connection that is still to be opened.
  return { slot: idle ?? best, wantsConnection: idle === null };
}

function chooseExclusive(pool: PoolView, use: ExclusiveUse): Choice {
  if (!mayTakeExclusively(pool, use)) return { slot: null, wantsConnection: mayGrow(pool) };
  // From the end, as shared connections are taken from the start: each statement is prepared on fewer of them.
  const slot = pool.slots.findLast((each) => isIdle(each) && !isExpired(each, pool.now)) ?? null;
  return { slot, wantsConnection: slot === null };
}

/**
 * Whether enough connections remain for the others when a batch takes one more for this use.
 * @param own a slot that the batch has already, which then changes its use
 */
export function mayTakeExclusively(pool: PoolView, use: ExclusiveUse, own: Slot | null = null): boolean {
  const { taken, total, shareable, open } = exclusives(pool, own);
  // What slow readers leave is for shared reads and, for their short time, brief batches.
  if (shareable <= 1) return total === 0 && (use === 'brief' || pool.capacity === 1);
  const other = use === 'brief' ? 'long' : 'brief';
  const kept = shareable > 2 && taken[other] === 0 ? 1 : 0;
  if (total + 1 + kept > shareable - 1) return false;
  if (use === 'long' && taken.long >= Math.max(1, Math.floor(pool.capacity * LONG_FRACTION))) return false;
  // A long read does not take the last open connection, because opening the next one may fail.
  return use === 'brief' || total + 1 <= open - 1;
}

/** Whether the pool may have more connections than now, so that one more may be taken. */
const mayGrow = ({ slots, capacity }: PoolView): boolean =>
  capacity < slots.length || slots.some(({ connection }) => connection === null);

interface Exclusives {
  /** Connections that belong to one batch, by use. */
  readonly taken: Readonly<Record<ExclusiveUse, number>>;
  readonly total: number;
  /** Connections, and open ones, that are not held by slow readers. */
  readonly shareable: number;
  readonly open: number;
}

function exclusives({ slots, capacity }: PoolView, own: Slot | null): Exclusives {
  const taken = { brief: 0, long: 0 };
  let held = 0;
  let open = 0;
  for (const slot of slots) {
    if (slot.connection === null) continue;
    if (slot.held) held++;
    else {
      open++;
      if (slot !== own && (slot.use === 'brief' || slot.use === 'long')) taken[slot.use]++;
    }
  }
  return { taken, total: taken.brief + taken.long, shareable: capacity - held, open };
}

/**
 * Whether a slow reader may hold the connection of its body. Two connections remain for the others, if there are three: one
 * for shared reads, and one for those that need it alone.
 * @param urgent the body would be lost otherwise
 */
export function mayHold({ slots, capacity }: PoolView, urgent: boolean): boolean {
  let held = 0;
  for (const slot of slots) if (slot.held) held++;
  return held + 1 < Math.min(capacity, Math.max(2, capacity - 1)) || (urgent && capacity === 1);
}

/** The shared connection to drain for a batch that waits for one to itself; null if none may be, or one is drained already. */
export function slotToDrain(pool: PoolView, use: ExclusiveUse): Slot | null {
  if (!mayTakeExclusively(pool, use) || pool.slots.some(({ draining }) => draining)) return null;
  let best: Slot | null = null;
  for (const slot of pool.slots)
    if (slot.use === 'shared' && !isLate(slot, pool) && (best === null || slot.busy < best.busy)) best = slot;
  return best;
}

const isLate = ({ headSince }: Slot, { now }: PoolView): boolean => now - headSince > LATE_MS;

const isOpenToShare = (slot: Slot, pool: PoolView): boolean =>
  !slot.draining && !slot.clearing && !isExpired(slot, pool.now);

const firstIdle = (pool: PoolView): Slot | null =>
  pool.slots.find((slot) => isIdle(slot) && isOpenToShare(slot, pool)) ?? null;

/** @param now by `performance.now()` */
export function beginLease(slot: Slot, use: BatchUse, now: number): void {
  slot.use = use;
  if (slot.busy++ === 0) slot.headSince = now;
  if (use !== 'shared') slot.draining = false;
}

/**
 * @param wasFirst whether no other batch was sent before it, of those that still occupy the connection
 * @param now by `performance.now()`
 */
export function endLease(slot: Slot, wasFirst: boolean, now: number): void {
  slot.busy--;
  if (wasFirst) slot.headSince = now;
  if (slot.busy > 0) return;
  slot.use = null;
  slot.idleSince = now;
}

/** Gives the connection to a batch that proves to be long. */
export function keepForLong(slot: Slot): void {
  slot.use = 'long';
  slot.draining = false;
}

// Late batches. A plan bounds the rows of a read, not its time: it may scan a large table for them, or
// wait for a lock.
// Without the following, 40 readers of one locked table would hold all connections of a pool until the
// lock ends.

/** Interval between checks while something is in flight, in milliseconds. */
const CHECK_MS = 10;
/**
 * Times after which a read is late, in milliseconds. Others wait behind a shared one. That of a brief one is far above what
 * it takes on a busy machine, since it would wait among the long ones then.
 */
const ALLOWED_MS: Readonly<Record<BatchUse, number>> = { shared: 50, brief: 250, long: Infinity };

/** A plan whose run was late shares connections again after so many quick runs. */
const QUICK_RUNS = 20;

/**
 * Notes how many milliseconds a read held a connection of this use. Reads that share connections do so until one is late.
 * One quick run alone does not let them share again: reads of 10 ms on a busy machine would be late again at once, and
 * what waits behind them would be repeated.
 */
function noteTime(lastRun: LastRun, milliseconds: number, use: BatchUse): void {
  const isQuick = milliseconds < (use === 'shared' ? ALLOWED_MS.shared : LATE_MS);
  if (!isQuick) return noteLate(lastRun, milliseconds < ALLOWED_MS.brief ? 'brief' : 'long');
  lastRun.quickRuns++;
  const isShared = lastRun.took === null || lastRun.took === 'shared';
  lastRun.took = isShared || lastRun.quickRuns >= QUICK_RUNS ? 'shared' : 'brief';
}

function noteLate(lastRun: LastRun, use: BatchUse): void {
  lastRun.took = use;
  lastRun.quickRuns = 0;
}

/** Looks for late batches, behind the events of sockets: what they complete now is not late. */
function checkInFlight(scheduler: Scheduler): void {
  scheduler.checkTimer = null;
  setImmediate(checkSlots, scheduler);
}

function checkSlots(scheduler: Scheduler): void {
  const now = performance.now();
  let isInFlight = false;
  for (const slot of scheduler.slots) {
    const head = headOf(scheduler, slot);
    if (head === null) continue;
    isInFlight = true;
    if (head.cancelling !== null) cancelAgain(head, now);
    else if (now - slot.headSince >= (head.revoked ? CHECK_MS : ALLOWED_MS[slot.use ?? 'long']))
      checkLate(scheduler, slot, head);
  }
  if (isInFlight && !scheduler.closed)
    scheduler.checkTimer ??= setTimeout(checkInFlight, CHECK_MS, scheduler);
}

function checkLate(scheduler: Scheduler, slot: Slot, head: Lease): void {
  const { batch } = head.request;
  if (head.revoked) return cancel(head);
  if (batch.access === 'write') return;
  if (!head.isLate) {
    head.isLate = true;
    if (batch.lastRun !== undefined) noteLate(batch.lastRun, slowerUse(head.request.use));
    revokeBehind(scheduler, slot, head);
    dispatch(scheduler);
  }
  preempt(scheduler, slot, head);
}

/** Revokes the leases of the batches behind `head`; their requests go back to the front of the queues. */
function revokeBehind(scheduler: Scheduler, slot: Slot, head: Lease): void {
  const own = leasesOf(scheduler, slot);
  const behind = own
    .slice(own.indexOf(head) + 1)
    .filter(({ revoked, isComplete }) => !revoked && !isComplete);
  for (const lease of behind) lease.revoked = true;
  if (behind.length > 0) slot.clearing = true;
  // The last one first, because each goes ahead of all that wait.
  for (const { request } of behind.toReversed()) requeue(scheduler, request);
}

/**
 * Decides what becomes of a late batch. It keeps its connection as a long one if enough connections remain for the others.
 * Otherwise it is cancelled as soon as another request waits for a connection, and starts again on one of its own.
 */
function preempt(scheduler: Scheduler, slot: Slot, head: Lease): void {
  if (head.cancelling !== null || !head.isLate) return;
  const { opener, queues } = scheduler;
  const { request } = head;
  if (isAbandoned(request)) cancel(head);
  else if (mayTakeExclusively(currentView(scheduler), 'long', slot)) {
    head.isLate = false;
    keepForLong(slot);
    watchCaller(scheduler, request);
  } else if (mayOpen(opener) || isOpening(opener)) openConnections(opener, 1);
  else if (queues.length > queues.lengthOf('long')) {
    head.preempted = true;
    cancel(head);
  }
}

const slowerUse = (use: BatchUse): BatchUse => (use === 'shared' ? 'brief' : 'long');

/** Queues a request that was cancelled in favour of others. */
export function waitAgain(scheduler: Scheduler, request: PoolRequest): void {
  const error = refusal(scheduler);
  if (error !== null) return failRequest(request, error);
  request.use = slowerUse(request.use);
  requeue(scheduler, request);
  dispatch(scheduler);
}

// Callers that have gone, and cancellation.

export const isAbandoned = ({ caller }: PoolRequest): boolean => caller.signal?.aborted === true;

/**
 * Listens for the caller's departure, from the moment when the request waits or may take long. A request that waits then
 * fails; a batch that has its connection to itself is cancelled.
 */
function watchCaller(scheduler: Scheduler, request: PoolRequest): void {
  if (request.unwatch !== null) return;
  request.unwatch = whenGone(request.caller.signal, () => abandon(scheduler, request));
}

function abandon(scheduler: Scheduler, request: PoolRequest): void {
  if (scheduler.queues.remove(request.use, request)) return failRequest(request, new BatchAborted());
  const { lease } = request;
  if (lease !== null && lease.slot.use !== 'shared' && headOf(scheduler, lease.slot) === lease) cancel(lease);
}

/** Time between the first two cancel requests for the same batch, in milliseconds. It doubles with each. */
const CANCEL_AGAIN_MS = 200;

/** Asks PostgreSQL to cancel the batch that it executes. Nothing but revoked ones is behind it, and nothing follows meanwhile. */
function cancel(lease: Lease): void {
  if (lease.cancelling !== null || lease.isComplete) return;
  lease.slot.clearing = true;
  lease.cancelling = requestCancel(lease);
  lease.cancelAgainAt = performance.now() + lease.cancelPauseMs;
}

/** A cancel request has no effect if it arrives before the backend has begun the batch, so it is repeated. */
function cancelAgain(lease: Lease, now: number): void {
  if (now < lease.cancelAgainAt) return;
  lease.cancelling = Promise.all([lease.cancelling, requestCancel(lease)]).then(() => undefined);
  lease.cancelPauseMs *= 2;
  lease.cancelAgainAt = now + lease.cancelPauseMs;
}

/** The connection serves no other batch if the request might hit it. */
async function requestCancel({ connection, slot }: Lease): Promise<void> {
  const isOver = await connection.cancel();
  if (!isOver && slot.connection === connection) slot.expiresAt = 0;
}

// The state of a pool.

function currentView({ view, opener }: Scheduler): PoolView {
  view.capacity = opener.capacity;
  view.now = performance.now();
  return view;
}

const leasesOf = ({ leases }: Scheduler, slot: Slot): Lease[] => leases.get(slot) ?? [];

/** The lease whose batch PostgreSQL executes now. */
function headOf(scheduler: Scheduler, slot: Slot): Lease | null {
  for (const lease of leasesOf(scheduler, slot)) if (!lease.isComplete) return lease;
  return null;
}

/** Removes the connection from its slot. The connection fails its batches in flight. */
export function emptySlot(scheduler: Scheduler, slot: Slot): PipelinedConnection | null {
  leasesOf(scheduler, slot).length = 0;
  return clear(slot);
}

export const retire = (scheduler: Scheduler, slot: Slot): void => void emptySlot(scheduler, slot)?.close();

/** Why no request can be served; null while requests are accepted. */
const refusal = ({ closed, opener }: Scheduler): ConnectFailed | ConnectionLost | null =>
  closed ? stopping() : opener.lastError;

export const stopping = (): ConnectionLost => new ConnectionLost('the service is stopping', false);

export function failRequest(request: PoolRequest, error: Error): void {
  request.unwatch?.();
  request.reject(error);
}

export function failAll({ queues }: Scheduler, error: ConnectFailed | ConnectionLost): void {
  for (const request of queues.takeAll()) failRequest(request, error);
}
