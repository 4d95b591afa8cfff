/**
 * The bounded set of leased connections and who waits for one. A lane is open to every kind of use in turn: while quick
 * reads share it nothing else does, and a write or a slow read has it to itself. No kind takes the last lane that
 * another kind could have, so slow reads never keep writes out, nor the other way round.
 */
import { performance } from 'node:perf_hooks';
import { connectFailed } from './connect-error.js';
import { serverAddress, type Database } from './database.js';
import { openLane, type Lane } from './lane.js';
import { ConnectionLost, LaneTimeout, type ConnectFailed, type ErrorFields } from './postgres-error.js';

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

/** Quick reads share a lane; writes and slow reads do not, and do not count on each other's lanes. */
export type LaneUse = 'shared' | 'write' | 'slow';

/** Somebody who wants a lane. Exactly one of the two is called, once. */
export interface LaneRequest {
  readonly use: LaneUse;
  /** `release` is to be called once, when nothing of theirs is left on the lane. */
  readonly start: (lane: Lane, release: () => void) => void;
  readonly fail: (error: LaneTimeout | ConnectFailed | ConnectionLost) => void;
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

interface Slot {
  lane: Lane | null;
  opening: boolean;
  /** What the lane is used for now; null for nothing. */
  use: LaneUse | null;
  /** Leases on it. */
  busy: number;
  /** By `performance.now()`, as the next two. */
  idleSince: number;
  expiresAt: number;
}

interface Waiting {
  readonly request: LaneRequest;
  readonly deadline: number;
}

const MAX_BACKOFF_SECONDS = 32;
/** A statement costs its backend 50 to 100 kB. */
const STATEMENT_CAPACITY = 400;
/** Of the lanes, for quick reads: each carries many of them. */
const SHARED_FRACTION = 0.4;
/** Lifetimes differ by so much, so that lanes opened together do not end together. */
const LIFETIME_JITTER = 0.1;
const IDLE_CHECK_MS = 10_000;

/** Opens the first connection at once, the others when they are needed. */
export function openLanePool(database: Database, options: LanePoolOptions): LanePool {
  const slots: readonly Slot[] = Array.from({ length: options.size }, () => ({
    lane: null,
    opening: false,
    use: null,
    busy: 0,
    idleSince: 0,
    expiresAt: Infinity,
  }));
  const depth = options.prepared && options.size > 1 ? options.depth : 1;
  const mostShared = depth === 1 ? options.size : Math.max(1, Math.floor(options.size * SHARED_FRACTION));
  const queues: Readonly<Record<LaneUse, Waiting[]>> = { shared: [], write: [], slow: [] };
  const uses = usesOf(options.size);
  let up = false;
  let backoffSeconds = 0;
  let lastError: ConnectFailed | null = null;
  let timeouts = 0;
  let closed = false;
  let deadlineTimer: NodeJS.Timeout | null = null;
  let retryTimer: NodeJS.Timeout | null = null;
  const idleTimer = setInterval(closeIdle, idleCheckMs(options));
  idleTimer.unref();

  // Who waits

  function request(wanted: LaneRequest): void {
    if (closed) return wanted.fail(stopping());
    if (lastError !== null) return wanted.fail(lastError);
    const queue = queueOf(wanted);
    const slot = queue.length > 0 ? null : freeSlot(useOf(wanted));
    if (slot !== null) return start(slot, wanted);
    if (waiting() >= options.queueLimit) {
      timeouts++;
      return wanted.fail(new LaneTimeout('too many requests wait for a connection'));
    }
    queue.push({ request: wanted, deadline: performance.now() + options.acquisitionTimeoutMs });
    openAnother(waiting());
    watchDeadline();
  }

  const useOf = ({ use }: LaneRequest): LaneUse => (uses.includes(use) ? use : 'write');
  const queueOf = (wanted: LaneRequest): Waiting[] => queues[useOf(wanted)];
  const waiting = (): number => queues.shared.length + queues.write.length + queues.slow.length;

  function withdraw(wanted: LaneRequest): boolean {
    const queue = queueOf(wanted);
    const position = queue.findIndex((each) => each.request === wanted);
    if (position >= 0) queue.splice(position, 1);
    return position >= 0;
  }

  function failAll(error: ConnectFailed | ConnectionLost): void {
    for (const use of uses) for (const { request: wanted } of queues[use].splice(0)) wanted.fail(error);
  }

  /** One timer for all: everybody waits equally long, so the first of a queue is due first. */
  function watchDeadline(): void {
    const deadlines = uses.flatMap((use) => queues[use][0]?.deadline ?? []);
    if (deadlineTimer !== null || deadlines.length === 0) return;
    const wait = Math.max(1, Math.min(...deadlines) - performance.now());
    deadlineTimer = setTimeout(() => {
      deadlineTimer = null;
      for (const use of uses) expire(queues[use]);
      watchDeadline();
    }, wait);
  }

  function expire(queue: Waiting[]): void {
    const now = performance.now();
    for (let first = queue[0]; first !== undefined && first.deadline <= now; first = queue[0]) {
      queue.shift();
      timeouts++;
      first.request.fail(new LaneTimeout('timed out waiting for a connection'));
    }
  }

  // Which lane

  /** The lane for one more lease of this kind, or null. */
  function freeSlot(use: LaneUse): Slot | null {
    const shared = use === 'shared' ? leastBusyShared() : null;
    if (!mayTakeAnother(use)) return shared;
    const idle = idleSlot(use);
    // Its turn on a lane with others is better than a wait; the next request finds one more open.
    if (idle === null && shared !== null && !isAnyOpening()) openAnother(1);
    return idle ?? shared;
  }

  function leastBusyShared(): Slot | null {
    let best: Slot | null = null;
    for (const slot of slots)
      if (
        slot.use === 'shared' &&
        slot.busy < depth &&
        !isExpired(slot) &&
        (best === null || slot.busy < best.busy)
      )
        best = slot;
    return best;
  }

  /** Whether the others keep what is theirs when this kind takes an idle lane. */
  function mayTakeAnother(use: LaneUse): boolean {
    const used = { shared: 0, write: 0, slow: 0 };
    for (const slot of slots) if (slot.use !== null) used[slot.use]++;
    if (use === 'shared' && used.shared >= mostShared) return false;
    let kept = 0;
    for (const other of uses) if (other !== use && used[other] === 0) kept++;
    return used.shared + used.write + used.slow + 1 + kept <= slots.length;
  }

  /** Shared lanes from one end, the others from the other end: a statement is then prepared on fewer of them. */
  function idleSlot(use: LaneUse): Slot | null {
    const isIdle = (slot: Slot): boolean => slot.lane !== null && slot.use === null;
    return (use === 'shared' ? slots.find(isIdle) : slots.findLast(isIdle)) ?? null;
  }

  function start(slot: Slot, wanted: LaneRequest): void {
    const { lane } = slot;
    if (lane === null) return;
    slot.use = useOf(wanted);
    slot.busy++;
    wanted.start(lane, () => release(slot, lane));
  }

  function release(slot: Slot, lane: Lane): void {
    if (slot.lane === lane) {
      slot.busy--;
      if (slot.busy === 0) {
        slot.use = null;
        slot.idleSince = performance.now();
        if (isExpired(slot)) retire(slot);
      }
    }
    openFirst();
    drain();
  }

  function drain(): void {
    if (waiting() === 0) return;
    for (const use of uses) {
      const queue = queues[use];
      for (let first = queue[0]; first !== undefined; first = queue[0]) {
        const slot = freeSlot(use);
        if (slot === null) break;
        queue.shift();
        start(slot, first.request);
      }
    }
    openAnother(waiting());
  }

  // Opening and closing

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

  async function open(slot: Slot): Promise<void> {
    slot.opening = true;
    try {
      const lane = await openLane(database, {
        prepared: options.prepared,
        statementCapacity: options.statementCapacity ?? STATEMENT_CAPACITY,
        onLost: () => lost(slot),
        onNotice: (notice) => options.onNotice?.(notice),
      });
      if (closed) return await lane.close();
      slot.lane = lane;
      slot.idleSince = performance.now();
      slot.expiresAt = expiry(options.maxLifetimeMs);
      connected();
    } catch (error) {
      failed(connectFailed(error, serverAddress(database)));
    } finally {
      slot.opening = false;
    }
    drain();
  }

  function lost(slot: Slot): void {
    slot.lane = null;
    slot.use = null;
    slot.busy = 0;
    openFirst();
  }

  const isAnyOpen = (): boolean => slots.some(({ lane }) => lane !== null);
  const isAnyOpening = (): boolean => slots.some(({ opening }) => opening);

  /** With no connection left one is opened, wanted or not. */
  function openFirst(): void {
    const [slot] = slots;
    if (closed || slot === undefined || lastError !== null || isAnyOpen() || isAnyOpening()) return;
    if (retryTimer !== null) clearTimeout(retryTimer);
    retryTimer = null;
    void open(slot);
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
    if (!isAnyOpen()) {
      up = false;
      lastError = error;
      failAll(error);
      if (isFirstOfItsTime) options.onDown?.(error, backoffSeconds);
    }
    retryTimer ??= setTimeout(retry, backoffSeconds * 1000);
  }

  function retry(): void {
    retryTimer = null;
    const [slot] = slots;
    if (slot !== undefined && !isAnyOpen() && !isAnyOpening()) void open(slot);
    else drain();
  }

  function retire(slot: Slot): void {
    const { lane } = slot;
    slot.lane = null;
    slot.use = null;
    void lane?.close();
  }

  /** One connection stays, so that the next request finds one and we learn when the database goes. */
  function closeIdle(): void {
    const now = performance.now();
    let open = slots.filter(({ lane }) => lane !== null).length;
    for (const slot of slots.toReversed()) {
      if (slot.lane === null || slot.use !== null) continue;
      const isUnneeded = options.maxIdleMs > 0 && now - slot.idleSince > options.maxIdleMs;
      if (isExpired(slot) || (isUnneeded && open > 1)) {
        retire(slot);
        open--;
      }
    }
    openFirst();
  }

  openFirst();

  return {
    request,
    withdraw,
    get state() {
      return {
        up,
        backoffSeconds: Math.max(1, backoffSeconds),
        lastError: lastError?.message ?? null,
        size: slots.filter(({ lane }) => lane !== null).length,
        available: slots.filter(({ lane, use }) => lane !== null && use === null).length,
        waiting: waiting(),
        timeouts,
      };
    },
    renew() {
      for (const slot of slots) {
        slot.expiresAt = 0;
        if (slot.lane !== null && slot.use === null) retire(slot);
      }
      openFirst();
      drain();
    },
    async close() {
      closed = true;
      clearInterval(idleTimer);
      if (deadlineTimer !== null) clearTimeout(deadlineTimer);
      if (retryTimer !== null) clearTimeout(retryTimer);
      failAll(stopping());
      await Promise.all(slots.flatMap(({ lane }) => (lane === null ? [] : [lane.close()])));
    },
  };
}

/** With fewer lanes than kinds some kinds share theirs: one lane serves all in turn, two keep quick reads apart. */
function usesOf(size: number): readonly LaneUse[] {
  if (size === 1) return ['write'];
  return size === 2 ? ['write', 'shared'] : ['write', 'slow', 'shared'];
}

const isExpired = ({ expiresAt }: Slot): boolean => performance.now() > expiresAt;

const expiry = (lifetimeMs: number): number =>
  lifetimeMs === 0 ? Infinity : performance.now() + lifetimeMs * (1 - LIFETIME_JITTER * Math.random());

/** Often enough that a quarter more than the shorter time is the most that a connection outlives. */
function idleCheckMs({ maxIdleMs, maxLifetimeMs }: LanePoolOptions): number {
  const times = [maxIdleMs, maxLifetimeMs].filter((time) => time > 0);
  return clamp(Math.min(...times) / 4, 10, IDLE_CHECK_MS);
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

const stopping = (): ConnectionLost => new ConnectionLost('the service is stopping', false);
