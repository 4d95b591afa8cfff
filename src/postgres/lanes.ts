/**
 * The bounded set of leased connections. Quick reads share a few, several batches in flight on each; writes, unknown and
 * slow statements travel alone on the others. Connections are opened when first needed, replaced at their age, and
 * reopened with growing pauses after the database was away.
 */
import { performance } from 'node:perf_hooks';
import type { Batch, BatchResult } from './batch.js';
import { connectFailed } from './connect-error.js';
import { serverAddress, type Database } from './database.js';
import { openLane, type Lane, type Outcome } from './lane.js';
import {
  BatchAborted,
  type ConnectFailed,
  ConnectionLost,
  LaneTimeout,
  PostgresError,
} from './postgres-error.js';
import { prepare } from './statement.js';

export interface LanesOptions {
  /** Most connections. */
  readonly size: number;
  /** Most batches in flight on a shared connection. */
  readonly depth: number;
  /** Named prepared statements; false sends unnamed ones, one batch a connection. */
  readonly prepared: boolean;
  readonly acquisitionTimeoutMs: number;
  readonly maxLifetimeMs: number;
  readonly maxIdleMs: number;
  /** Most batches that wait. */
  readonly queueLimit: number;
  readonly onDown?: (error: Error, retryInSeconds: number) => void;
  readonly onUp?: () => void;
}

export interface LanesState {
  readonly up: boolean;
  /** Seconds between attempts to reconnect; what Retry-After says. */
  readonly backoffSeconds: number;
  /** Of the last failed attempt; null when up. */
  readonly lastError: string | null;
  readonly size: number;
  readonly available: number;
  readonly waiting: number;
  readonly timeouts: number;
}

export type Ending = 'commit' | 'rollback';

export interface Lanes {
  /**
   * Runs the batch in one round trip.
   * @throws PostgresError, LaneTimeout, ConnectFailed, ConnectionLost, BatchAborted
   */
  run(batch: Batch, signal?: AbortSignal): Promise<BatchResult>;
  /**
   * Runs a batch that begins with BEGIN, lets `decide` look at its results, and ends the transaction as it says.
   * @throws as `run`; whatever `decide` throws rolls back and is thrown on
   */
  transact(
    batch: Batch,
    decide: (results: BatchResult) => Ending,
    signal?: AbortSignal,
  ): Promise<BatchResult>;
  readonly state: LanesState;
  /** Drops every connection once its batches are answered: new ones see what changed in the database. */
  renew(): void;
  close(): Promise<void>;
}

interface Job {
  readonly batch: Batch;
  readonly shared: boolean;
  /** Given the lane for as long as it needs it; calls `release` when done. */
  readonly start: (lane: Lane, release: () => void) => void;
  readonly fail: (error: Error) => void;
  readonly deadline: number;
}

interface Slot {
  readonly shared: boolean;
  lane: Lane | null;
  opening: boolean;
  busy: number;
  idleSince: number;
}

const MAX_BACKOFF_SECONDS = 32;
const STATEMENT_CAPACITY = 400;
const COMMIT = prepare('commit');
const ROLLBACK = prepare('rollback');

export function openLanes(database: Database, options: LanesOptions): Lanes {
  const slots = makeSlots(options);
  const depth = options.prepared ? options.depth : 1;
  const queues: Readonly<Record<'shared' | 'alone', Job[]>> = { shared: [], alone: [] };
  let up = true;
  let backoffSeconds = 1;
  let lastError: ConnectFailed | null = null;
  let timeouts = 0;
  let closed = false;
  let deadlineTimer: NodeJS.Timeout | null = null;
  let retryTimer: NodeJS.Timeout | null = null;
  const idleTimer = setInterval(closeIdle, Math.min(options.maxIdleMs, 10_000));
  idleTimer.unref();

  function submit(job: Job): void {
    if (closed) return job.fail(new ConnectionLost('the service is stopping', false));
    if (!up && lastError !== null) return job.fail(lastError);
    const queue = queueOf(job);
    const slot = queue.length > 0 ? null : freeSlot(job);
    if (slot !== null) return start(slot, job);
    if (queue.length >= options.queueLimit) {
      timeouts++;
      return job.fail(new LaneTimeout('too many requests wait for a connection'));
    }
    queue.push(job);
    watchDeadline();
  }

  const queueOf = ({ shared }: Job): Job[] => (shared && slots.length > 1 ? queues.shared : queues.alone);
  const waiting = (): number => queues.shared.length + queues.alone.length;
  const takeWaiting = (): readonly Job[] => [...queues.shared.splice(0), ...queues.alone.splice(0)];

  /** A connected slot with room; opens another connection where none is idle and one may be opened. */
  function freeSlot(job: Job): Slot | null {
    let best: Slot | null = null;
    let unopened: Slot | null = null;
    for (const slot of slots) {
      if (slot.shared !== job.shared && slots.length > 1) continue;
      if (slot.lane === null) unopened ??= slot.opening ? null : slot;
      else if (slot.busy < capacity(slot) && (best === null || slot.busy < best.busy)) best = slot;
    }
    if (unopened !== null && (best === null || best.busy > 0)) void open(unopened);
    return best;
  }

  const capacity = (slot: Slot): number => (slot.shared && slots.length > 1 ? depth : 1);

  function start(slot: Slot, job: Job): void {
    const { lane } = slot;
    if (lane === null) return;
    slot.busy++;
    job.start(lane, () => release(slot, lane));
  }

  function release(slot: Slot, lane: Lane): void {
    if (slot.lane !== lane) return drain();
    slot.busy--;
    slot.idleSince = performance.now();
    if (slot.busy === 0 && performance.now() - lane.openedAt > options.maxLifetimeMs) retire(slot);
    drain();
  }

  function drain(): void {
    for (const queue of [queues.shared, queues.alone]) {
      for (let job = queue[0]; job !== undefined; job = queue[0]) {
        const slot = freeSlot(job);
        if (slot === null) break;
        queue.shift();
        start(slot, job);
      }
    }
  }

  async function open(slot: Slot): Promise<void> {
    slot.opening = true;
    try {
      const lane = await openLane(database, {
        prepared: options.prepared,
        statementCapacity: STATEMENT_CAPACITY,
        onLost: () => lost(slot),
      });
      if (closed) return void (await lane.close());
      slot.lane = lane;
      slot.busy = 0;
      slot.idleSince = performance.now();
      recovered();
    } catch (error) {
      failed(connectFailed(error, serverAddress(database)));
    } finally {
      slot.opening = false;
    }
    drain();
  }

  function lost(slot: Slot): void {
    slot.lane = null;
    slot.busy = 0;
    if (!closed) void open(slot);
  }

  function recovered(): void {
    const wasDown = !up;
    up = true;
    backoffSeconds = 1;
    lastError = null;
    if (wasDown) options.onUp?.();
  }

  /** With no connection left everybody who waits is told; attempts go on by themselves. */
  function failed(error: ConnectFailed): void {
    if (closed || slots.some(({ lane }) => lane !== null)) return;
    if (!up) backoffSeconds = Math.min(backoffSeconds * 2, MAX_BACKOFF_SECONDS);
    up = false;
    lastError = error;
    options.onDown?.(error, backoffSeconds);
    for (const job of takeWaiting()) job.fail(error);
    const [slot] = slots;
    retryTimer ??= setTimeout(() => {
      retryTimer = null;
      if (!closed && slot !== undefined && slot.lane === null && !slot.opening) void open(slot);
    }, backoffSeconds * 1000);
  }

  /** One timer for all: everybody waits equally long, so the first of a queue is due first. */
  function watchDeadline(): void {
    const deadlines = [queues.shared[0], queues.alone[0]].flatMap((job) =>
      job === undefined ? [] : [job.deadline],
    );
    if (deadlineTimer !== null || deadlines.length === 0) return;
    deadlineTimer = setTimeout(
      () => {
        deadlineTimer = null;
        for (const queue of [queues.shared, queues.alone]) expire(queue);
        watchDeadline();
      },
      Math.max(1, Math.min(...deadlines) - performance.now()),
    );
  }

  function expire(queue: Job[]): void {
    const now = performance.now();
    while (queue[0] !== undefined && queue[0].deadline <= now) {
      timeouts++;
      queue.shift()?.fail(new LaneTimeout('timed out waiting for a connection'));
    }
  }

  function retire(slot: Slot): void {
    const { lane } = slot;
    slot.lane = null;
    slot.busy = 0;
    void lane?.close();
  }

  /** One shared connection stays; the others go when nobody needed them for a while. */
  function closeIdle(): void {
    const now = performance.now();
    for (const slot of slots.slice(1)) {
      if (slot.lane !== null && slot.busy === 0 && now - slot.idleSince > options.maxIdleMs) retire(slot);
    }
  }

  function run(batch: Batch, signal?: AbortSignal, again = true): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      const job = jobOf(batch, signal, reject, (lane, outcome, release) => {
        release();
        if (again && outcome.kind === 'refused' && isStale(outcome)) {
          if (outcome.error.code === '0A000') lane.renew(batch.steps.map(({ statement }) => statement));
          run(batch, signal, false).then(resolve, reject);
        } else if (outcome.kind === 'done') resolve(outcome.results);
        else reject(errorOf(outcome));
      });
      submit(job);
    });
  }

  function transact(
    batch: Batch,
    decide: (results: BatchResult) => Ending,
    signal?: AbortSignal,
  ): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      const job = jobOf(batch, signal, reject, (lane, outcome, release) => {
        const end = (ending: Ending, then: () => void): void => {
          const steps = [
            { statement: ending === 'commit' ? COMMIT : ROLLBACK, parameters: [], wanted: false },
          ];
          lane.send({ steps, access: 'write', solo: true }, (ended) => {
            release();
            if (ended.kind === 'done') then();
            else reject(errorOf(ended));
          });
        };
        if (outcome.kind === 'lost') return void (release(), reject(errorOf(outcome)));
        if (outcome.kind === 'refused') return end('rollback', () => reject(errorOf(outcome)));
        try {
          end(decide(outcome.results), () => resolve(outcome.results));
        } catch (error) {
          end('rollback', () => reject(error instanceof Error ? error : new Error(String(error))));
        }
      });
      submit(job);
    });
  }

  type Ended = (lane: Lane, outcome: Outcome, release: () => void) => void;

  function jobOf(
    batch: Batch,
    signal: AbortSignal | undefined,
    reject: (error: Error) => void,
    ended: Ended,
  ): Job {
    const shared = batch.access === 'read' && !batch.solo;
    let running: Lane | null = null;
    let cancelling: Promise<void> | null = null;
    const job: Job = {
      batch,
      shared,
      deadline: performance.now() + options.acquisitionTimeoutMs,
      fail: (error) => {
        signal?.removeEventListener('abort', abort);
        reject(error);
      },
      start(lane, release) {
        running = lane;
        lane.send(batch, (outcome) => {
          running = null;
          signal?.removeEventListener('abort', abort);
          // A cancel request that is still under way would hit whoever comes next on this connection.
          if (cancelling === null) ended(lane, outcome, release);
          else void cancelling.then(() => ended(lane, outcome, release));
        });
      },
    };
    function abort(): void {
      const position = queueOf(job).indexOf(job);
      if (position >= 0) {
        queueOf(job).splice(position, 1);
        job.fail(new BatchAborted('the caller has gone'));
      } else if (running !== null && !shared) cancelling ??= running.cancel();
    }
    if (signal !== undefined) signal.addEventListener('abort', abort, { once: true });
    return job;
  }

  return {
    run: (batch, signal) =>
      signal?.aborted === true ? Promise.reject(new BatchAborted('the caller has gone')) : run(batch, signal),
    transact: (batch, decide, signal) =>
      signal?.aborted === true
        ? Promise.reject(new BatchAborted('the caller has gone'))
        : transact(batch, decide, signal),
    get state() {
      const available = slots.filter(({ lane, busy }) => lane !== null && busy === 0).length;
      return {
        up,
        backoffSeconds,
        lastError: lastError?.message ?? null,
        size: slots.length,
        available,
        waiting: waiting(),
        timeouts,
      };
    },
    renew() {
      for (const slot of slots) if (slot.busy === 0) retire(slot);
    },
    async close() {
      closed = true;
      clearInterval(idleTimer);
      if (deadlineTimer !== null) clearTimeout(deadlineTimer);
      if (retryTimer !== null) clearTimeout(retryTimer);
      for (const job of takeWaiting()) job.fail(new ConnectionLost('the service is stopping', false));
      await Promise.all(slots.flatMap(({ lane }) => (lane === null ? [] : [lane.close()])));
    },
  };
}

/** Two in five connections are shared; a pool of one serves everything, one batch at a time. */
function makeSlots({ size }: LanesOptions): readonly Slot[] {
  const shared = Math.max(1, Math.floor(size * 0.4));
  return Array.from({ length: size }, (_, index) => ({
    shared: index < shared,
    lane: null,
    opening: false,
    busy: 0,
    idleSince: 0,
  }));
}

/** A plan or a statement that the connection no longer has; nothing was done, so the batch may go once more. */
const isStale = ({ error, state }: Extract<Outcome, { readonly kind: 'refused' }>): boolean =>
  state === 'I' &&
  (error.code === '26000' || (error.code === '0A000' && error.message.startsWith('cached plan')));

function errorOf(outcome: Exclude<Outcome, { readonly kind: 'done' }>): Error {
  return outcome.kind === 'refused'
    ? new PostgresError(outcome.error)
    : new ConnectionLost(outcome.message, true);
}
