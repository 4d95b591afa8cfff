/** The state of a pool: its connections, the batches on them, and the batches that wait for one. */
import type { Caller } from '../contract/caller.js';
import { performance } from 'node:perf_hooks';
import type { Batch, BatchResult } from './batch.js';
import type { ConnectionOpener } from './connection-opener.js';
import type { MachineLoad } from './pace.js';
import type { PipelinedConnection } from './pipelined-connection.js';
import type { PoolQueues } from './pool-queues.js';
import { clear, type BatchKind, type PoolView, type Slot } from './pool-slots.js';
import { ConnectionLost, type ConnectFailed } from './postgres-error.js';

/** One batch on its way through the pool, from the call to its result. */
export interface PoolRequest {
  readonly batch: Batch;
  readonly caller: Caller;
  /** The caller's key; clients take turns in the queues. */
  readonly client: string;
  readonly resolve: (result: BatchResult) => void;
  readonly reject: (error: Error) => void;
  /** By `performance.now()`; null until the request first waits. */
  deadline: number | null;
  /** The connection that it needs, as far as its shape and its own runs are known. */
  kind: BatchKind;
  /** How many times as long as usual it may occupy a shared connection; it grows each time it is preempted. */
  tolerance: number;
  /** How often it was cancelled in favour of others. */
  preemptions: number;
  /** It was repeated once, with statements parsed for it alone. */
  isRepeated: boolean;
  /** The lease whose outcome ends the request; null while it waits. */
  lease: Lease | null;
  /** Removes the listener on the caller's signal; null until the caller is watched. */
  unwatch: (() => void) | null;
  /** Failure of the receiver of the body. */
  error: Error | null;
  /** The body goes to a stream, so the request cannot be repeated. */
  hasBody: boolean;
}

/** The place of one batch on a connection. */
export interface Lease {
  readonly request: PoolRequest;
  readonly slot: Slot;
  readonly connection: PipelinedConnection;
  /** Kind of the request at the time of the lease. */
  readonly kind: BatchKind;
  /** The request was given another lease or waits for one; the outcome of this one is dropped. */
  revoked: boolean;
  /** Cancelled in favour of others: if PostgreSQL refuses it with query_canceled, the request goes back to the queue. */
  preempted: boolean;
  /** Settles when the cancel request sent for it can no longer hit anything; null if none was sent. */
  cancelling: Promise<void> | null;
  /** Its outcome has arrived. */
  isComplete: boolean;
  /** It holds up the other batches of a shared connection. */
  isOverdue: boolean;
  /** Checks at which it was the first on its connection. */
  checks: number;
  /** Number of checks at which the next cancel request is sent. */
  cancelAgainAt: number;
}

export interface Scheduler {
  readonly slots: readonly Slot[];
  readonly leases: ReadonlyMap<Slot, Lease[]>;
  /** Most batches in flight on a shared connection, when sharing is not suspended. */
  readonly depth: number;
  readonly view: MutableView;
  readonly load: MachineLoad;
  readonly queues: PoolQueues<BatchKind, PoolRequest>;
  readonly opener: ConnectionOpener;
  /** Sends the batch of a request on its lease. */
  readonly start: (lease: Lease) => void;
  /** Whether a new connection may go to another server than the last one. */
  readonly hasOtherServers: boolean;
  closed: boolean;
  /** Index in `KINDS` of the kind that is served first. */
  nextKind: number;
  /** Whether a request went to the queue of another kind since this was last set to false. */
  changedKind: boolean;
  /** By `performance.now()`: until then a batch gets a connection without others, because a quick shape was slow. */
  noSharingUntil: number;
  /** Timer of the next check for overdue batches; null while nothing is in flight. */
  checkTimer: NodeJS.Timeout | null;
}

/** `PoolView` that is refreshed in place, so that a decision allocates nothing. */
export type MutableView = { -readonly [Member in keyof PoolView]: PoolView[Member] };

/** Kinds that need a connection without others. */
export const EXCLUSIVE = ['write', 'slow'] as const;
/** Kinds that share connections. */
export const SHARING = ['quick', 'moderate'] as const;
/** In the order in which they are served in turn. */
export const KINDS: readonly BatchKind[] = ['quick', 'moderate', 'write', 'slow'];

export function currentView({ view, opener, noSharingUntil, depth }: Scheduler): PoolView {
  view.capacity = opener.capacity;
  view.now = performance.now();
  view.depth = view.now < noSharingUntil ? 1 : depth;
  return view;
}

export const leasesOf = ({ leases }: Scheduler, slot: Slot): Lease[] => leases.get(slot) ?? [];

/** The lease whose batch PostgreSQL executes now. */
export function headOf(scheduler: Scheduler, slot: Slot): Lease | null {
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
export function refusal({ closed, opener }: Scheduler): ConnectFailed | ConnectionLost | null {
  return closed ? stopping() : opener.lastError;
}

export const stopping = (): ConnectionLost => new ConnectionLost('the service is stopping', false);

export function failRequest(request: PoolRequest, error: Error): void {
  request.unwatch?.();
  request.reject(error);
}

export function failAll({ queues }: Scheduler, error: ConnectFailed | ConnectionLost): void {
  for (const request of queues.takeAll()) failRequest(request, error);
}
