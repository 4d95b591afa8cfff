/**
 * Runs batches on the connections of a pool. Each takes one round trip, and one more if a prepared statement or plan was
 * outdated. A connection goes back to the pool only when no transaction is open on it.
 */
import { performance } from 'node:perf_hooks';
import type { Caller } from '../contract/caller.js';
import type { PoolName } from '../observability/metrics-table.js';
import type { Observe } from '../observability/observation.js';
import type { Batch, BatchResult } from './batch.js';
import { createBodyBuffer, type BodyLimits } from './body-stream.js';
import {
  closeOpener,
  createConnectionOpener,
  emptySlots,
  isExpired,
  isIdle,
  openFirst,
} from './pool-connections.js';
import { connectFailed } from './connect-error.js';
import { expectsWrites, hasSeveralServers, serverAddress, type Database } from './database.js';
import { openPipelinedConnection, type PipelinedConnection } from './connection.js';
import {
  createRequest,
  dispatch,
  emptySlot,
  failAll,
  failRequest,
  renewConnections,
  requestConnection,
  retire,
  stopping,
  USES,
  type Scheduler,
} from './pool-dispatch.js';
import { createPoolQueues } from './pool-queues.js';
import type { ConnectFailed, ErrorFields } from './postgres-error.js';
import { SERVER_IS_READ_ONLY, sendBatch } from './send-batch.js';
import { probeActivity, watchSilence } from './silent-connections.js';

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

interface PoolState {
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

export interface Pool {
  /**
   * Runs the batch in one round trip. When the caller's signal fires, a batch that waits is dropped, and one that takes
   * long is cancelled.
   * @throws PostgresError, PoolTimeout, ConnectFailed, ConnectionLost, MalformedMessage, BatchAborted, ResultTooLarge
   */
  readonly run: (batch: Batch, caller?: Caller) => Promise<BatchResult>;
  /**
   * Opens a connection for a stream, beside those that run batches. The caller closes it.
   * @throws ConnectFailed
   */
  openStream(): Promise<PipelinedConnection>;
  readonly state: PoolState;
  /** Replaces every connection once its batches have ended; new connections see what changed in the database. */
  renew(): void;
  /** Ends every connection; batches in flight are lost. */
  close(): Promise<void>;
}

const BODY_BUFFER_BYTES = 67_108_864;
const BODY_LIMITS: BodyLimits = { timeoutMs: 300_000, minimumRate: 131_072 };
const NO_CALLER: Caller = { client: '', signal: null };
/** Most statements that a connection keeps prepared. One takes 50 to 100 kB of its backend's memory. */
const STATEMENT_CAPACITY = 400;
const IDLE_CHECK_MS = 10_000;
const SILENCE_CHECK_MS = 5000;
const PRIMARY_CHECK_MS = 5000;

/** Opens the first connection at once, the others when they are needed. */
export function openPool(database: Database, options: PoolOptions): Pool {
  const scheduler = createScheduler(database, options);
  const idleTimer = setInterval(closeIdle, idleCheckMs(options), scheduler, options.maxIdleMs).unref();
  const streams = new Set<PipelinedConnection>();
  const silence = watchSilence({
    pool: () => [...scheduler.slots.flatMap(({ connection }) => connection ?? []), ...streams],
    probe: (server, processIds) => probeActivity(database, server, processIds),
    intervalMs: options.silenceCheckMs ?? SILENCE_CHECK_MS,
  });
  const primaryTimer = expectsWrites(database) ? watchPrimary(scheduler, database) : undefined;
  openFirst(scheduler.opener);
  return {
    run: (batch, caller = NO_CALLER) => run(scheduler, batch, caller),
    openStream: () => openStream(scheduler, database, streams),
    get state() {
      return stateOf(scheduler, streams.size);
    },
    renew: () => renewConnections(scheduler),
    async close() {
      clearInterval(idleTimer);
      clearInterval(primaryTimer);
      silence.close();
      await Promise.all([...streams].map((stream) => stream.close()));
      await close(scheduler);
    },
  };
}

function createScheduler(database: Database, options: PoolOptions): Scheduler {
  const slots = emptySlots(options.size);
  const depth = options.prepared ? options.depth : 1;
  const receiver = {
    buffer: createBodyBuffer(options.bodyBufferBytes ?? BODY_BUFFER_BYTES),
    bodyLimits: options.bodyLimits ?? BODY_LIMITS,
    maxResultBytes: options.maxResultBytes ?? Infinity,
  };
  const scheduler: Scheduler = {
    slots,
    leases: new Map(slots.map((slot) => [slot, []])),
    view: { slots, depth, capacity: slots.length, now: 0 },
    queues: createPoolQueues({
      kinds: USES,
      acquisitionTimeoutMs: options.acquisitionTimeoutMs,
      limit: options.queueLimit,
      onRefused: failRequest,
    }),
    opener: createConnectionOpener({
      database,
      slots,
      connection: {
        prepared: options.prepared,
        statementCapacity: STATEMENT_CAPACITY,
        onNotice: (notice) => options.onNotice?.(notice),
      },
      maxLifetimeMs: options.maxLifetimeMs,
      onLost(slot, connection) {
        if (slot.connection === connection) emptySlot(scheduler, slot);
        options.onLost?.();
        openFirst(scheduler.opener);
      },
      onSettled: () => dispatch(scheduler),
      onUnreachable(error) {
        failAll(scheduler, error);
        options.onUnreachable?.(error);
      },
      name: options.name,
      observe: options.observe,
    }),
    start: (lease) => sendBatch(scheduler, receiver, lease),
    hasOtherServers: hasSeveralServers(database),
    closed: false,
    nextUse: 0,
    checkTimer: null,
  };
  return scheduler;
}

const run = (scheduler: Scheduler, batch: Batch, caller: Caller): Promise<BatchResult> =>
  new Promise((resolve, reject) => {
    requestConnection(scheduler, createRequest(batch, caller, resolve, reject));
  });

/** Looks for another primary at intervals, one attempt at a time: an attempt to connect may take longer than an interval. */
function watchPrimary(scheduler: Scheduler, database: Database): NodeJS.Timeout {
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    // The pool observes what fails when it needs a connection.
    await followPrimary(scheduler, database).catch(() => undefined);
    isLooking = false;
  }
  return setInterval(() => void look(), PRIMARY_CHECK_MS).unref();
}

/**
 * Replaces all connections if their server has become read-only and another one accepts writes, because what is read from
 * the former primary is old. As long as there is no other one, reads continue.
 * @throws the error of the query, or of the attempt to connect
 */
async function followPrimary(scheduler: Scheduler, database: Database): Promise<void> {
  const [result] = await run(scheduler, SERVER_IS_READ_ONLY, NO_CALLER);
  if (result?.rows[0] === undefined) return;
  const trial = await openPipelinedConnection(database, {
    ...scheduler.opener.options.connection,
    onLost: () => undefined,
  });
  await trial.close();
  renewConnections(scheduler);
}

async function openStream(
  { opener, closed }: Scheduler,
  database: Database,
  streams: Set<PipelinedConnection>,
): Promise<PipelinedConnection> {
  if (closed) throw stopping();
  try {
    const stream = await openPipelinedConnection(database, {
      ...opener.options.connection,
      onLost: (lost) => void streams.delete(lost),
    });
    streams.add(stream);
    return {
      ...stream,
      async close() {
        streams.delete(stream);
        await stream.close();
      },
    };
  } catch (error) {
    throw connectFailed(error, serverAddress(database));
  }
}

const stateOf = ({ opener, slots, queues }: Scheduler, streams: number): PoolState => ({
  up: opener.up,
  everUp: opener.everUp,
  backoffSeconds: Math.max(1, opener.backoffSeconds),
  lastError: opener.lastError?.message ?? null,
  size: slots.filter(({ connection }) => connection !== null).length,
  available: slots.filter(isIdle).length,
  waiting: queues.length,
  streams,
  timeouts: queues.timeouts,
});

async function close(scheduler: Scheduler): Promise<void> {
  scheduler.closed = true;
  if (scheduler.checkTimer !== null) clearTimeout(scheduler.checkTimer);
  closeOpener(scheduler.opener);
  failAll(scheduler, stopping());
  const connections = scheduler.slots.flatMap(({ connection }) => connection ?? []);
  await Promise.all(connections.map((connection) => connection.close()));
}

/**
 * Closes expired connections, and unused ones except for one: the next request uses it, and its end shows that the
 * database cannot be reached.
 */
function closeIdle(scheduler: Scheduler, maxIdleMs: number): void {
  const now = performance.now();
  let open = scheduler.slots.filter(({ connection }) => connection !== null).length;
  for (const slot of scheduler.slots.toReversed()) {
    const isUnneeded = maxIdleMs > 0 && now - slot.idleSince > maxIdleMs;
    if (!isIdle(slot) || !(isExpired(slot, now) || (isUnneeded && open > 1))) continue;
    retire(scheduler, slot);
    open--;
  }
  openFirst(scheduler.opener);
}

/** Short enough that a connection exceeds its time by no more than a quarter. */
function idleCheckMs({ maxIdleMs, maxLifetimeMs }: PoolOptions): number {
  const times = [maxIdleMs, maxLifetimeMs].filter((time) => time > 0);
  return Math.min(Math.max(Math.min(...times) / 4, 10), IDLE_CHECK_MS);
}
