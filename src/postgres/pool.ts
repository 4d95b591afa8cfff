/**
 * Batches on leased connections: one round trip each, once more where a prepared statement or plan was stale, and the
 * connection given back only when no transaction is left open on it.
 */
import type { Batch, BatchResult } from './batch.js';
import { createBodyBuffer, type BodyLimits } from './body-stream.js';
import type { Database } from './database.js';
import { createPoolScheduler, type PoolSchedulerOptions, type PoolState } from './pool-scheduler.js';
import { sendBatch, type Caller, type PoolContext } from './send-batch.js';

export interface PoolOptions extends PoolSchedulerOptions {
  /** Longest result column of a read, in bytes; none by default. */
  readonly maxResultBytes?: number;
  /** Memory for bodies whose readers are slower than PostgreSQL, in bytes; 64 MiB by default. */
  readonly bodyBufferBytes?: number;
  /** By default 5 minutes, and 128 KiB a second. */
  readonly bodyLimits?: BodyLimits;
}
export type { PoolState } from './pool-scheduler.js';
export type { Caller } from './send-batch.js';

export interface Pool {
  /**
   * Runs the batch in one round trip.
   *
   * When the caller goes a batch that waits is dropped, and one that takes long is cancelled.
   * @throws PostgresError, PoolTimeout, ConnectFailed, ConnectionLost, MalformedMessage, BatchAborted, ResultTooLarge
   */
  run(batch: Batch, caller?: Caller): Promise<BatchResult>;
  readonly state: PoolState;
  /** Replaces every connection once its batches are answered: new ones see what changed in the database. */
  renew(): void;
  /** Ends every connection; what is in flight is lost. */
  close(): Promise<void>;
}

const BODY_BUFFER_BYTES = 67_108_864;
const BODY_LIMITS: BodyLimits = { timeoutMs: 300_000, minimumRate: 131_072 };
const NO_CALLER: Caller = { client: '', signal: null };

export function openPool(database: Database, options: PoolOptions): Pool {
  const scheduler = createPoolScheduler(database, options);
  const context: PoolContext = {
    scheduler,
    buffer: createBodyBuffer(options.bodyBufferBytes ?? BODY_BUFFER_BYTES),
    bodyLimits: options.bodyLimits ?? BODY_LIMITS,
    maxResultBytes: options.maxResultBytes ?? Infinity,
  };
  return {
    run: (batch, caller = NO_CALLER) => sendBatch(context, batch, caller),
    get state() {
      return scheduler.state;
    },
    renew: () => scheduler.renew(),
    close: () => scheduler.close(),
  };
}
