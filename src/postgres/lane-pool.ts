/**
 * The bounded set of leased connections: opened when needed, replaced at their age, closed when idle, and reopened with
 * growing pauses while the database is away.
 */
import { performance } from 'node:perf_hooks';
import { connectFailed } from './connect-error.js';
import { serverAddress, type Database } from './database.js';
import { createLaneQueues, type LaneRequest } from './lane-queues.js';
import {
  chooseSlot,
  clear,
  emptySlots,
  endLease,
  fill,
  isExpired,
  isIdle,
  lease,
  slotRules,
  type LaneUse,
  type Slot,
} from './lane-slots.js';
import { openLane } from './lane.js';
import { ConnectionLost, type ConnectFailed, type ErrorFields } from './postgres-error.js';

export interface LanePoolOptions {
  /** Most connections. */
  readonly size: number;
  /** Most batches in flight on a shared connection. */
  readonly depth: number;
  /** Named prepared statements; false sends unnamed ones, one batch a connection, as poolers of transactions need it. */
  readonly prepared: boolean;
  /** Most statements that a connection keeps prepared. */
  readonly statementCapacity?: number;
  /** Longest wait for a connection, in milliseconds. */
  readonly acquisitionTimeoutMs: number;
  /** A connection is replaced at about this age, in milliseconds; 0 for never. */
  readonly maxLifetimeMs: number;
  /** All connections but one are closed when nobody needed them for so long, in milliseconds; 0 for never. */
  readonly maxIdleMs: number;
  /** Most batches that wait. */
  readonly queueLimit: number;
  /** No connection is left and none could be opened; told again for every attempt that fails. */
  readonly onDown?: (error: ConnectFailed, retryInSeconds: number) => void;
  /** The first connection after `onDown`. */
  readonly onUp?: () => void;
  /** What a statement had to say besides its result (RAISE NOTICE, WARNING). */
  readonly onNotice?: (notice: ErrorFields) => void;
}

export interface LanesState {
  /** Whether the database can be reached; false until the first connection stands. */
  readonly up: boolean;
  /** Seconds to the next attempt to connect; what Retry-After says. */
  readonly backoffSeconds: number;
  /** Of the last failed attempt; null when up. */
  readonly lastError: string | null;
  /** Open connections. */
  readonly size: number;
  /** Open connections that nobody uses. */
  readonly available: number;
  /** Batches that wait. */
  readonly waiting: number;
  /** Batches that waited in vain, since the start. */
  readonly timeouts: number;
}

export interface LanePool {
  request(request: LaneRequest): void;
  /** Gives up waiting; false when the request waits no more. */
  withdraw(request: LaneRequest): boolean;
  readonly state: LanesState;
  /** Replaces every connection, each when its batches are answered. */
  renew(): void;
  close(): Promise<void>;
}

const MAX_BACKOFF_SECONDS = 32;
/** A statement costs its backend 50 to 100 kB. */
const STATEMENT_CAPACITY = 400;
/** Lifetimes differ by so much, so that lanes opened together do not end together. */
const LIFETIME_JITTER = 0.1;
const IDLE_CHECK_MS = 10_000;

/** Opens the first connection at once, the others when they are needed. */
export function openLanePool(database: Database, options: LanePoolOptions): LanePool {
  const slots = emptySlots(options.size);
  const rules = slotRules(options.size, options.prepared ? options.depth : 1);
  const queues = createLaneQueues({
    uses: rules.uses,
    acquisitionTimeoutMs: options.acquisitionTimeoutMs,
    limit: options.queueLimit,
  });
  let up = false;
  let backoffSeconds = 0;
  let lastError: ConnectFailed | null = null;
  let closed = false;
  let retryTimer: NodeJS.Timeout | null = null;
  const idleTimer = setInterval(closeIdle, idleCheckMs(options));
  idleTimer.unref();

  const useOf = ({ use }: LaneRequest): LaneUse => (rules.uses.includes(use) ? use : 'write');
  const isAnyOpen = (): boolean => slots.some(({ lane }) => lane !== null);
  const isAnyOpening = (): boolean => slots.some(({ opening }) => opening);

  function request(wanted: LaneRequest): void {
    if (closed) return wanted.fail(stopping());
    if (lastError !== null) return wanted.fail(lastError);
    const use = useOf(wanted);
    const slot = queues.first(use) === null ? freeSlot(use) : null;
    if (slot !== null) return start(slot, use, wanted);
    queues.add(use, wanted);
    openAnother(queues.length);
  }

  function freeSlot(use: LaneUse): Slot | null {
    const { slot, wantsAnother } = chooseSlot(slots, use, rules);
    if (wantsAnother && slot !== null && !isAnyOpening()) openAnother(1);
    return slot;
  }

  function start(slot: Slot, use: LaneUse, wanted: LaneRequest): void {
    const { lane } = slot;
    if (lane === null) return;
    lease(slot, use);
    wanted.start(lane, () => {
      if (slot.lane === lane) {
        endLease(slot);
        if (slot.use === null && isExpired(slot)) retire(slot);
      }
      drain();
    });
  }

  function drain(): void {
    if (queues.length > 0) {
      for (const use of rules.uses) {
        for (let first = queues.first(use); first !== null; first = queues.first(use)) {
          const slot = freeSlot(use);
          if (slot === null) break;
          queues.removeFirst(use);
          start(slot, use, first);
        }
      }
      openAnother(queues.length);
    }
    openFirst();
  }

  function failAll(error: ConnectFailed | ConnectionLost): void {
    for (const { fail } of queues.takeAll()) fail(error);
  }

  /** As many attempts at once as there are requests to be served by them; none in the pause after one that failed. */
  function openAnother(requests: number): void {
    if (closed || retryTimer !== null) return;
    let wanted = requests;
    for (const slot of slots) if (slot.opening) wanted--;
    for (const slot of slots) {
      if (wanted <= 0) return;
      if (slot.lane !== null || slot.opening) continue;
      void open(slot);
      wanted--;
    }
  }

  /** With no connection left one is opened, wanted or not: so we know whether the database can be reached. */
  function openFirst(): void {
    const [slot] = slots;
    if (closed || slot === undefined || lastError !== null || isAnyOpen() || isAnyOpening()) return;
    if (retryTimer !== null) clearTimeout(retryTimer);
    retryTimer = null;
    void open(slot);
  }

  async function open(slot: Slot): Promise<void> {
    slot.opening = true;
    try {
      const lane = await openLane(database, {
        prepared: options.prepared,
        statementCapacity: options.statementCapacity ?? STATEMENT_CAPACITY,
        onLost: () => {
          clear(slot);
          openFirst();
        },
        onNotice: (notice) => options.onNotice?.(notice),
      });
      if (closed) return await lane.close();
      fill(slot, lane, expiry(options.maxLifetimeMs));
      connected();
    } catch (error) {
      slot.opening = false;
      failed(connectFailed(error, serverAddress(database)));
    } finally {
      slot.opening = false;
    }
    drain();
  }

  function connected(): void {
    const wasDown = lastError !== null;
    up = true;
    backoffSeconds = 0;
    lastError = null;
    if (wasDown) options.onUp?.();
  }

  /** With no connection left everybody who waits is told; with some left they wait for those. */
  function failed(error: ConnectFailed): void {
    if (closed) return;
    const isFirstOfItsTime = retryTimer === null;
    if (isFirstOfItsTime) backoffSeconds = clamp(backoffSeconds * 2, 1, MAX_BACKOFF_SECONDS);
    retryTimer ??= setTimeout(retry, backoffSeconds * 1000);
    // Of several attempts at once some may be refused for their number: whoever waits may still be served by the others.
    if (isAnyOpen() || isAnyOpening()) return;
    const isNews = isFirstOfItsTime || lastError === null;
    up = false;
    lastError = error;
    failAll(error);
    if (isNews) options.onDown?.(error, backoffSeconds);
  }

  function retry(): void {
    retryTimer = null;
    const [slot] = slots;
    if (slot !== undefined && !isAnyOpen() && !isAnyOpening()) void open(slot);
    else drain();
  }

  function retire(slot: Slot): void {
    void clear(slot)?.close();
  }

  /** One connection stays, so that the next request finds one and we learn when the database goes. */
  function closeIdle(): void {
    const now = performance.now();
    let open = slots.filter(({ lane }) => lane !== null).length;
    for (const slot of slots.toReversed()) {
      const isUnneeded = options.maxIdleMs > 0 && now - slot.idleSince > options.maxIdleMs;
      if (!isIdle(slot) || !(isExpired(slot) || (isUnneeded && open > 1))) continue;
      retire(slot);
      open--;
    }
    openFirst();
  }

  openFirst();

  return {
    request,
    withdraw: (unwanted) => queues.remove(useOf(unwanted), unwanted),
    get state() {
      return {
        up,
        backoffSeconds: Math.max(1, backoffSeconds),
        lastError: lastError?.message ?? null,
        size: slots.filter(({ lane }) => lane !== null).length,
        available: slots.filter(isIdle).length,
        waiting: queues.length,
        timeouts: queues.timeouts,
      };
    },
    renew() {
      for (const slot of slots) {
        slot.expiresAt = 0;
        if (isIdle(slot)) retire(slot);
      }
      drain();
    },
    async close() {
      closed = true;
      clearInterval(idleTimer);
      if (retryTimer !== null) clearTimeout(retryTimer);
      failAll(stopping());
      await Promise.all(slots.flatMap(({ lane }) => (lane === null ? [] : [lane.close()])));
    },
  };
}

const expiry = (lifetimeMs: number): number =>
  lifetimeMs === 0 ? Infinity : performance.now() + lifetimeMs * (1 - LIFETIME_JITTER * Math.random());

/** Often enough that a connection outlives its time by no more than a quarter. */
function idleCheckMs({ maxIdleMs, maxLifetimeMs }: LanePoolOptions): number {
  const times = [maxIdleMs, maxLifetimeMs].filter((time) => time > 0);
  return clamp(Math.min(...times) / 4, 10, IDLE_CHECK_MS);
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

const stopping = (): ConnectionLost => new ConnectionLost('the service is stopping', false);
