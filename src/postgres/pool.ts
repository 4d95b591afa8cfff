/**
 * Runs batches on the connections of a pool. Each takes one round trip, and one more if a prepared statement or plan was
 * outdated. A connection goes back to the pool only when no transaction is open on it.
 */
import type { Caller } from '../contract/caller.js';
import { performance } from 'node:perf_hooks';
import type { Batch, BatchResult } from './batch.js';
import { createBodyBuffer, type BodyLimits } from './body-stream.js';
import { closeOpener, createConnectionOpener, openFirst } from './connection-opener.js';
import { connectFailed } from './connect-error.js';
import { hasSeveralServers, serverAddress, type Database } from './database.js';
import { createMachineLoad } from './pace.js';
import { dispatch, renewConnections, requestConnection } from './pool-dispatch.js';
import type { PoolOptions, PoolState } from './pool-options.js';
import { openPipelinedConnection, type PipelinedConnection } from './pipelined-connection.js';
import { createPoolQueues } from './pool-queues.js';
import { createRequest, isAbandoned, isExclusiveKind } from './pool-request.js';
import { emptySlots, isExpired, isIdle } from './pool-slots.js';
import { BatchAborted } from './postgres-error.js';
import { emptySlot, failAll, failRequest, KINDS, retire, stopping, type Scheduler } from './scheduler.js';
import { sendBatch } from './send-batch.js';
import { probeActivity, watchSilence } from './silent-connections.js';

export type { PoolOptions, PoolState } from './pool-options.js';

export interface Pool {
  /**
   * Runs the batch in one round trip. When the caller's signal fires, a batch that waits is dropped, and one that takes
   * long is cancelled.
   * @throws PostgresError, PoolTimeout, ConnectFailed, ConnectionLost, MalformedMessage, BatchAborted, ResultTooLarge
   */
  run(batch: Batch, caller?: Caller): Promise<BatchResult>;
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
/** A prepared statement takes 50 to 100 kB of its backend's memory. */
const STATEMENT_CAPACITY = 400;
const IDLE_CHECK_MS = 10_000;
const SILENCE_CHECK_MS = 5000;

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
      silence.close();
      await Promise.all([...streams].map((stream) => stream.close()));
      await close(scheduler);
    },
  };
}

function createScheduler(database: Database, options: PoolOptions): Scheduler {
  const slots = emptySlots(options.size);
  const depth = options.prepared ? options.depth : 1;
  const load = createMachineLoad();
  const receiver = {
    buffer: createBodyBuffer(options.bodyBufferBytes ?? BODY_BUFFER_BYTES),
    bodyLimits: options.bodyLimits ?? BODY_LIMITS,
    maxResultBytes: options.maxResultBytes ?? Infinity,
  };
  const scheduler: Scheduler = {
    slots,
    leases: new Map(slots.map((slot) => [slot, []])),
    depth,
    view: { slots, depth, capacity: slots.length, now: 0 },
    load,
    queues: createPoolQueues({
      kinds: KINDS,
      acquisitionTimeoutMs: options.acquisitionTimeoutMs,
      limit: options.queueLimit,
      onRefused: failRequest,
    }),
    opener: createConnectionOpener({
      database,
      slots,
      connection: {
        prepared: options.prepared,
        statementCapacity: options.statementCapacity ?? STATEMENT_CAPACITY,
        onNotice: (notice) => options.onNotice?.(notice),
        load,
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
    nextKind: 0,
    changedKind: false,
    noSharingUntil: 0,
    checkTimer: null,
  };
  return scheduler;
}

function run(scheduler: Scheduler, batch: Batch, caller: Caller): Promise<BatchResult> {
  return new Promise((resolve, reject) => {
    const request = createRequest(batch, caller, resolve, reject);
    if (isExclusiveKind(request.kind) && isAbandoned(request)) reject(new BatchAborted());
    else requestConnection(scheduler, request);
  });
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
    if (!isIdle(slot) || !(isExpired(slot, { now }) || (isUnneeded && open > 1))) continue;
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
