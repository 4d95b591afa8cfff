/** Gives connections to requests: at once where there is one, else from the queues as connections come free. */
import { performance } from 'node:perf_hooks';
import { isOpening, mayOpen, openConnections, openFirst } from './connection-opener.js';
import { loadFactor, recordOverrun } from './pace.js';
import { cancel, cancelAgain, currentKind, watchCaller, isAbandoned } from './pool-request.js';
import {
  chooseSlot,
  endLease,
  isExpired,
  isIdle,
  keepForSlow,
  lease as countLease,
  mayHold,
  mayTakeExclusively,
  slotToDrain,
  type Slot,
} from './pool-slots.js';
import {
  currentView,
  EXCLUSIVE,
  failRequest,
  headOf,
  KINDS,
  leasesOf,
  refusal,
  retire,
  SHARING,
  type Lease,
  type PoolRequest,
  type Scheduler,
} from './scheduler.js';

/** Interval between checks for overdue batches while something is in flight. */
const CHECK_MS = 5;
/** Checks after which the first batch of a shared connection holds up the others; more of them on a busy machine. */
const OVERDUE_CHECKS = 3;

/** Starts the request on a connection that may carry it, or queues it. */
export function requestConnection(scheduler: Scheduler, request: PoolRequest): void {
  const error = refusal(scheduler);
  if (error !== null) return failRequest(request, error);
  const { queues, opener } = scheduler;
  if (queues.lengthOf(request.kind) === 0) {
    const { slot, opensAnother } = chooseSlot(currentView(scheduler), request.kind);
    if (slot !== null) {
      if (opensAnother && !isOpening(opener)) openConnections(opener, 1);
      return start(scheduler, slot, request);
    }
  }
  queues.add(request.kind, request);
  watchCaller(scheduler, request);
  dispatch(scheduler);
}

/** Queues a request ahead of the others, within the time that is left of its wait. */
export function requeue(scheduler: Scheduler, request: PoolRequest): void {
  const error = refusal(scheduler);
  if (error !== null) return failRequest(request, error);
  scheduler.queues.addAgain(request.kind, request);
  watchCaller(scheduler, request);
  dispatch(scheduler);
}

/** Replaces every connection once its batches have ended. */
export function renewConnections(scheduler: Scheduler): void {
  for (const slot of scheduler.slots) {
    slot.expiresAt = 0;
    if (isIdle(slot)) retire(scheduler, slot);
  }
  dispatch(scheduler);
}

function start(scheduler: Scheduler, slot: Slot, request: PoolRequest): void {
  const { connection } = slot;
  if (connection === null) return;
  countLease(slot, request.kind);
  const lease: Lease = {
    request,
    slot,
    connection,
    kind: request.kind,
    revoked: false,
    preempted: false,
    cancelling: null,
    isComplete: false,
    isOverdue: false,
    checks: 0,
    cancelAgainAt: 0,
  };
  request.lease = lease;
  leasesOf(scheduler, slot).push(lease);
  scheduler.checkTimer ??= setTimeout(checkInFlight, CHECK_MS, scheduler);
  scheduler.start(lease);
}

/** Ends a lease. Called once, when nothing of the batch is left on the connection. */
export function release(scheduler: Scheduler, lease: Lease): void {
  const { slot } = lease;
  const own = leasesOf(scheduler, slot);
  const position = own.indexOf(lease);
  // The slot has another connection by now, or none.
  if (position < 0) return dispatch(scheduler);
  own.splice(position, 1);
  if (position === 0) slot.held = false;
  // A cancel request that is under way for a revoked lease must not hit a new batch.
  slot.overdue = own.some(({ isOverdue, cancelling }) => isOverdue || cancelling !== null);
  scheduler.view.now = performance.now();
  endLease(slot, lease.kind, scheduler.view.now);
  if (slot.use === null && isExpired(slot, scheduler.view)) retire(scheduler, slot);
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
  if (endDraining(scheduler)) for (const kind of SHARING) serve(scheduler, KINDS.indexOf(kind));
  openFirst(opener);
}

/** Starts what can be started. Returns the number of remaining requests that more connections would serve. */
function serveAll(scheduler: Scheduler): number {
  let unserved: number;
  do {
    const first = scheduler.nextKind;
    scheduler.changedKind = false;
    unserved = 0;
    for (let offset = 0; offset < KINDS.length; offset++)
      unserved += serve(scheduler, (first + offset) % KINDS.length);
    // The queue of the new kind may have had its turn, and no batch may be in flight whose end would serve it.
  } while (scheduler.changedKind);
  return unserved;
}

/** Starts what can be started of one kind. Returns the number of remaining requests that more connections would serve. */
function serve(scheduler: Scheduler, index: number): number {
  const { queues } = scheduler;
  const kind = KINDS[index];
  if (kind === undefined) return 0;
  for (let first = queues.first(kind); first !== null; first = queues.first(kind)) {
    const { slot, opensAnother } = chooseSlot(currentView(scheduler), kind);
    if (slot === null) return opensAnother ? queues.lengthOf(kind) : 0;
    queues.removeFirst(kind);
    const current = currentKind(first);
    if (current !== kind) {
      first.kind = current;
      queues.add(current, first);
      scheduler.changedKind = true;
      continue;
    }
    scheduler.nextKind = (index + 1) % KINDS.length;
    start(scheduler, slot, first);
  }
  return 0;
}

/** For requests that may have a connection once other batches have ended or are cancelled. */
function freeConnections(scheduler: Scheduler): void {
  const { queues, opener, slots } = scheduler;
  for (const kind of EXCLUSIVE) {
    if (queues.lengthOf(kind) === 0 || mayOpen(opener) || isOpening(opener)) continue;
    const slot = slotToDrain(currentView(scheduler), kind);
    if (slot !== null) slot.draining = true;
  }
  for (const slot of slots) if (slot.overdue) resolveOverdue(scheduler, slot);
}

/**
 * Ends the draining of connections when no request waits that may have one. Returns whether shared batches may use a
 * connection again.
 */
function endDraining(scheduler: Scheduler): boolean {
  const { slots, queues } = scheduler;
  if (!slots.some(({ draining }) => draining)) return false;
  const isNeeded = EXCLUSIVE.some(
    (kind) => queues.lengthOf(kind) > 0 && mayTakeExclusively(currentView(scheduler), kind),
  );
  if (isNeeded) return false;
  for (const slot of slots) slot.draining = false;
  return true;
}

/** Looks for overdue batches, behind the events of sockets: what they complete now is not overdue. */
function checkInFlight(scheduler: Scheduler): void {
  scheduler.checkTimer = null;
  setImmediate(checkSlots, scheduler);
}

function checkSlots(scheduler: Scheduler): void {
  let isInFlight = false;
  const overdueChecks = OVERDUE_CHECKS * loadFactor(scheduler.load);
  for (const slot of scheduler.slots) {
    const head = headOf(scheduler, slot);
    if (head === null) continue;
    isInFlight = true;
    if (++head.checks >= overdueChecks * head.request.tolerance) checkHead(scheduler, slot, head);
  }
  if (isInFlight && !scheduler.closed)
    scheduler.checkTimer ??= setTimeout(checkInFlight, CHECK_MS, scheduler);
}

function checkHead(scheduler: Scheduler, slot: Slot, head: Lease): void {
  if (head.cancelling !== null) cancelAgain(head);
  if (slot.use !== 'shared') {
    if (head.revoked) cancel(head);
    return;
  }
  if (!slot.overdue) {
    markOverdue(scheduler, slot, head);
    dispatch(scheduler);
  }
  if (slot.overdue) resolveOverdue(scheduler, slot);
}

/** Gives the connection to the batch alone, because a long body begins. */
export function beginBody(scheduler: Scheduler, lease: Lease): void {
  const { slot } = lease;
  revokeBehind(scheduler, slot, lease);
  lease.isOverdue = false;
  if (slot.connection === lease.connection) keepForSlow(slot);
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

// What is done about a batch that holds up the others of its connection.

/** Sharing is suspended for so long after a quick batch was overdue, because others may be slow for the same reason. */
const NO_SHARING_MS = 100;

/** Revokes the leases of the batches behind `head`; their requests go back to the front of the queues. */
function revokeBehind(scheduler: Scheduler, slot: Slot, head: Lease): void {
  const own = leasesOf(scheduler, slot);
  const behind = own
    .slice(own.indexOf(head) + 1)
    .filter(({ revoked, isComplete }) => !revoked && !isComplete);
  for (const lease of behind) lease.revoked = true;
  // The last one first, because each goes ahead of all that wait.
  for (const { request } of behind.toReversed()) {
    request.lease = null;
    request.kind = currentKind(request);
    scheduler.queues.addAgain(request.kind, request);
    watchCaller(scheduler, request);
  }
}

/** Marks the first batch of a shared connection as overdue. The connection takes no other batch until it has ended. */
function markOverdue(scheduler: Scheduler, slot: Slot, head: Lease): void {
  slot.overdue = true;
  head.isOverdue = true;
  if (head.kind === 'quick') scheduler.noSharingUntil = performance.now() + NO_SHARING_MS;
  if (!head.revoked) recordOverrun(head.request.batch.pace);
  revokeBehind(scheduler, slot, head);
}

/**
 * Decides what becomes of an overdue batch. It gets the connection to itself if enough connections remain for the others.
 * Otherwise it is cancelled as soon as another request waits for a connection, and waits with the slow reads.
 */
function resolveOverdue(scheduler: Scheduler, slot: Slot): void {
  const head = headOf(scheduler, slot);
  if (head === null || head.cancelling !== null || slot.use !== 'shared') return;
  const { opener, queues } = scheduler;
  if (head.revoked || isAbandoned(head.request)) cancel(head);
  else if (mayTakeExclusively(currentView(scheduler), 'slow')) {
    head.request.kind = 'slow';
    head.isOverdue = false;
    keepForSlow(slot);
    watchCaller(scheduler, head.request);
  } else if (mayOpen(opener) || isOpening(opener)) openConnections(opener, 1);
  else if (queues.length > queues.lengthOf('slow')) {
    head.preempted = true;
    cancel(head);
  }
}
