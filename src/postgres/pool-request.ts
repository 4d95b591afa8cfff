/** A request of the pool: the connection that it needs, its caller, its cancellation. */
import type { Caller } from '../contract/caller.js';
import type { Batch, BatchResult } from './batch.js';
import { isKnown, paceClass } from './pace.js';
import type { BatchKind } from './pool-slots.js';
import { BatchAborted } from './postgres-error.js';
import { failRequest, headOf, type Lease, type PoolRequest, type Scheduler } from './scheduler.js';

/** Checks between the first two cancel requests for the same batch. */
const CANCEL_AGAIN_CHECKS = 40;
/** Preemptions after which a shape is taken to be slow. Once or twice may be the fault of the machine. */
const MOST_PREEMPTIONS = 2;

export function createRequest(
  batch: Batch,
  caller: Caller,
  resolve: (result: BatchResult) => void,
  reject: (error: Error) => void,
): PoolRequest {
  return {
    batch,
    caller,
    client: caller.client,
    resolve,
    reject,
    deadline: null,
    kind: kindOf(batch),
    tolerance: 1,
    preemptions: 0,
    isRepeated: false,
    lease: null,
    unwatch: null,
    error: null,
    hasBody: false,
  };
}

/** A failed transaction block needs a ROLLBACK before any other batch, so a batch that opens one shares no connection. */
function kindOf({ access, pace, queries }: Batch): BatchKind {
  if (access === 'write') return 'write';
  const kind = paceClass(pace);
  return kind !== 'slow' && queries.some(({ statement }) => statement.begins) ? 'write' : kind;
}

/** The kind by what is known of the shape now. */
export function currentKind({ batch, preemptions }: PoolRequest): BatchKind {
  // Once may be the fault of the machine.
  if (preemptions === 0 || (preemptions === 1 && isKnown(batch.pace))) return kindOf(batch);
  return preemptions > MOST_PREEMPTIONS || !isKnown(batch.pace) ? 'slow' : 'moderate';
}

export const isExclusiveKind = (kind: BatchKind): boolean => kind === 'write' || kind === 'slow';

export const isAbandoned = ({ caller }: PoolRequest): boolean => caller.signal?.aborted === true;

/**
 * Listens for the caller's departure, from the moment when the request waits or may take long. A request that waits then
 * fails; a batch that has its connection to itself is cancelled.
 */
export function watchCaller(scheduler: Scheduler, request: PoolRequest): void {
  const { signal } = request.caller;
  if (request.unwatch !== null || signal === null) return;
  const onAbort = (): void => abandon(scheduler, request);
  request.unwatch = () => signal.removeEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
}

function abandon(scheduler: Scheduler, request: PoolRequest): void {
  if (scheduler.queues.remove(request.kind, request)) return failRequest(request, new BatchAborted());
  const { lease } = request;
  if (lease !== null && lease.slot.use !== 'shared' && headOf(scheduler, lease.slot) === lease) cancel(lease);
}

/** Asks PostgreSQL to cancel the batch that it executes. */
export function cancel(lease: Lease): void {
  if (lease.cancelling !== null) return;
  lease.cancelling = lease.connection.cancel();
  lease.cancelAgainAt = lease.checks + CANCEL_AGAIN_CHECKS;
}

/** A cancel request has no effect if it arrives before the backend has begun the batch, so it is repeated. */
export function cancelAgain(lease: Lease): void {
  if (lease.checks < lease.cancelAgainAt) return;
  lease.cancelling = Promise.all([lease.cancelling, lease.connection.cancel()]).then(() => undefined);
  lease.cancelAgainAt = lease.checks * 2;
}
