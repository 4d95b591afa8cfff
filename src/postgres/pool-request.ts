/** What passes between a batch and the pool: the request for a connection, and the place on one. */
import type { Waiting } from './pool-queues.js';
import type { BatchKind } from './pool-slots.js';
import type { PipelinedConnection } from './pipelined-connection.js';
import type { ConnectFailed, ConnectionLost, PoolTimeout } from './postgres-error.js';

/** A batch that wants a connection. It ends in one call of `fail`, or in a lease that is not taken back. */
export interface PoolRequest extends Waiting {
  /** What it needs, by what is known of its shape and of itself. */
  kind: BatchKind;
  /** How many times as long as usual it may hold up others; it grows when it was cancelled for having done so. */
  patience: number;
  readonly start: (lease: Lease) => void;
  readonly fail: (error: PoolTimeout | ConnectFailed | ConnectionLost) => void;
  /** From now on it may take long: the caller is watched. */
  readonly watchCaller: () => void;
  /** Its shape is not as quick as was thought. */
  readonly lapsed: () => void;
  readonly isAbandoned: () => boolean;
  /** What it would be by what is known of its shape by now. */
  readonly kindNow: () => BatchKind;
}

/** A place on a connection. */
export interface Lease {
  readonly connection: PipelinedConnection;
  /** Taken back: the request has another place or waits for one, and the outcome of this one is dropped. */
  readonly stale: boolean;
  /** Cancelled in favour of others: refused with query_canceled, the request goes back to the queue. */
  readonly preempted: boolean;
  /** Settled when a cancel request that was sent for it can hit nothing any more; null when none was. */
  readonly cancelling: Promise<void> | null;
  /** To be called when its outcome has come, before anything else. */
  readonly answered: () => void;
  /** To be called once, when nothing of the batch is left on the connection. */
  readonly release: () => void;
  /** The caller has gone: the batch is cancelled if it has the connection to itself. */
  readonly abandon: () => void;
  /** A long body begins: the batch has the connection to itself from now on. */
  readonly bodyBegins: () => void;
  /**
   * Asks to keep the connection waiting for a slow reader. Returns false if it is the last one.
   * @param urgent there is no other way: for the only connection of a pool
   */
  readonly hold: (urgent: boolean) => boolean;
  /** The reader goes on. */
  readonly endHold: () => void;
}
