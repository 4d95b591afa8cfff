/** Options of a pool of connections, and its state as readiness and metrics report it. */
import type { PoolName } from '../observability/metrics-table.js';
import type { Observe } from '../observability/observation.js';
import type { BodyLimits } from './body-stream.js';
import type { ConnectFailed, ErrorFields } from './postgres-error.js';

export interface PoolOptions {
  /** The pool in observations. */
  readonly name: PoolName;
  readonly observe: Observe;
  /** Most connections. */
  readonly size: number;
  /** Most batches in flight on a shared connection. */
  readonly depth: number;
  /** Named prepared statements. False sends unnamed ones, one batch a connection, as transaction poolers need it. */
  readonly prepared: boolean;
  /** Most statements that a connection keeps prepared; 400 by default. */
  readonly statementCapacity?: number;
  /** Longest wait for a connection, in milliseconds. */
  readonly acquisitionTimeoutMs: number;
  /** A connection is replaced at about this age, in milliseconds; 0 for never. */
  readonly maxLifetimeMs: number;
  /** All connections but one are closed when unused for this time, in milliseconds; 0 for never. */
  readonly maxIdleMs: number;
  /** Most batches that wait. */
  readonly queueLimit: number;
  /** Interval between searches for silent connections, in milliseconds; 5 s by default. */
  readonly silenceCheckMs?: number;
  /** Longest result column of a read, in bytes; unlimited by default. */
  readonly maxResultBytes?: number;
  /** Memory for bodies whose readers are slower than PostgreSQL, in bytes; 64 MiB by default. */
  readonly bodyBufferBytes?: number;
  /** By default 5 minutes, and 128 KiB a second. */
  readonly bodyLimits?: BodyLimits;
  /** Called when no connection is left and none could be opened, and again for every failed attempt. */
  readonly onUnreachable?: (error: ConnectFailed) => void;
  /** Called when a connection ended that the pool did not close. */
  readonly onLost?: () => void;
  /** Receives what a statement reports besides its result (RAISE NOTICE, WARNING). */
  readonly onNotice?: (notice: ErrorFields) => void;
}

export interface PoolState {
  /** Whether the database can be reached; false until the first connection is open. */
  readonly up: boolean;
  /** Whether a connection has ever been opened. */
  readonly everUp: boolean;
  /** Seconds to the next attempt to connect, for Retry-After. */
  readonly backoffSeconds: number;
  /** Message of the last failed attempt to connect; null when up. */
  readonly lastError: string | null;
  /** Open connections. */
  readonly size: number;
  /** Open connections with nothing in flight. */
  readonly available: number;
  /** Batches that wait. */
  readonly waiting: number;
  /** Connections of streams, beside the others. */
  readonly streams: number;
  /** Batches that were refused because no connection came free in time, since the start. */
  readonly timeouts: number;
}
