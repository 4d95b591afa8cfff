/** What is done about a batch that holds up the others of its connection. */
import { performance } from 'node:perf_hooks';
import { mayOpen, isOpening, openConnections } from './connection-opener.js';
import { recordOverrun } from './pace.js';
import { cancel, currentKind, isAbandoned, watchCaller } from './pool-request.js';
import { keepForSlow, mayTakeExclusively, type Slot } from './pool-slots.js';
import { currentView, headOf, leasesOf, type Lease, type Scheduler } from './scheduler.js';

/** Sharing is suspended for so long after a quick batch was overdue, because others may be slow for the same reason. */
const NO_SHARING_MS = 100;

/** Revokes the leases of the batches behind `head`; their requests go back to the front of the queues. */
export function revokeBehind(scheduler: Scheduler, slot: Slot, head: Lease): void {
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
export function markOverdue(scheduler: Scheduler, slot: Slot, head: Lease): void {
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
export function resolveOverdue(scheduler: Scheduler, slot: Slot): void {
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
