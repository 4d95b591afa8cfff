/**
 * The bounded set of leased connections and the requests that wait for them. What `connection-slots.ts` decides is done here;
 * once every few milliseconds the shared connections are looked over, and what holds up others is dealt with.
 */
import { performance } from 'node:perf_hooks';
import type { Database } from './database.js';
import { createConnectionOpener } from './connection-opener.js';
import { createPoolQueues } from './pool-queues.js';
import {
  chooseSlot,
  clear,
  emptySlots,
  endLease,
  isExpired,
  isIdle,
  keepForSlow,
  lease as takeLease,
  mayHold,
  mayTakeExclusively,
  slotToDrain,
  type BatchKind,
  type Slot,
} from './pool-slots.js';
import type { PoolRequest, Lease } from './pool-request.js';
import type { PipelinedConnection } from './pipelined-connection.js';
import { busyness, createTempo } from './pace.js';
import { probeActivity, watchSilence } from './silent-connections.js';
import { ConnectionLost, type ConnectFailed, type ErrorFields } from './postgres-error.js';

export interface PoolSchedulerOptions {
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
  /** All connections but one are closed when unused for so long, in milliseconds; 0 for never. */
  readonly maxIdleMs: number;
  /** Most batches that wait. */
  readonly queueLimit: number;
  /** How often connections are looked for that have gone silent, in milliseconds; 5 s by default. */
  readonly silenceCheckMs?: number;
  /** No connection is left and none could be opened; called again for every attempt that fails. */
  readonly onDown?: (error: ConnectFailed, retryInSeconds: number) => void;
  /** The first connection after `onDown`. */
  readonly onUp?: () => void;
  /** A connection ended without our closing it. */
  readonly onLost?: () => void;
  /** What a statement reports besides its result (RAISE NOTICE, WARNING). */
  readonly onNotice?: (notice: ErrorFields) => void;
}

export interface PoolState {
  /** Whether the database can be reached; false until the first connection stands. */
  readonly up: boolean;
  /** Whether a connection has ever been opened. */
  readonly everUp: boolean;
  /** Seconds to the next attempt to connect; what Retry-After says. */
  readonly backoffSeconds: number;
  /** Of the last failed attempt; null when up. */
  readonly lastError: string | null;
  /** Open connections. */
  readonly size: number;
  /** Open connections with nothing in flight. */
  readonly available: number;
  /** Batches that wait. */
  readonly waiting: number;
  /** Batches that waited in vain, since the start. */
  readonly timeouts: number;
}

export interface PoolScheduler {
  request(request: PoolRequest): void;
  /** As `request`, ahead of the others, within the time that is left of its wait. */
  requestAgain(request: PoolRequest): void;
  /** Gives up waiting; false when the request waits no more. */
  withdraw(request: PoolRequest): boolean;
  readonly state: PoolState;
  /** Replaces every connection, each when its batches are answered. */
  renew(): void;
  close(): Promise<void>;
}

/** What has a connection to itself. */
const EXCLUSIVE = ['write', 'slow'] as const;
const SHARING = ['quick', 'moderate'] as const;
/** In the order of their turns. */
const KINDS: readonly BatchKind[] = ['quick', 'moderate', 'write', 'slow'];
/** A statement costs its backend 50 to 100 kB. */
const STATEMENT_CAPACITY = 400;
const IDLE_CHECK_MS = 10_000;
const SILENCE_CHECK_MS = 5000;
/** How often shared connections are looked over while something is in flight. */
const TICK_MS = 5;
/** A batch that was first on a shared connection at so many looks holds up the others; more of them on a busy machine. */
const OVERDUE_TICKS = 3;
const CANCEL_AGAIN_TICKS = 40;
/** How long connections are not shared after a batch was overdue: others may be held up by the same. */
const CAUTION_MS = 100;

interface PoolLease extends Lease {
  readonly request: PoolRequest;
  /** As what it was leased. */
  readonly kind: BatchKind;
  stale: boolean;
  preempted: boolean;
  cancelling: Promise<void> | null;
  isAnswered: boolean;
  isOverdue: boolean;
  /** Looks at which it was the first on its connection. */
  ticks: number;
  /** When the next cancel is due, in looks. */
  cancelAgainAt: number;
}

/** Opens the first connection at once, the others when they are needed. */
export function createPoolScheduler(database: Database, options: PoolSchedulerOptions): PoolScheduler {
  const slots = emptySlots(options.size);
  const leases = new Map<Slot, PoolLease[]>(slots.map((slot) => [slot, []]));
  const depth = options.prepared ? options.depth : 1;
  const view = { slots, depth, capacity: slots.length, now: 0 };
  const tempo = createTempo();
  const queues = createPoolQueues<BatchKind, PoolRequest>({
    kinds: KINDS,
    acquisitionTimeoutMs: options.acquisitionTimeoutMs,
    limit: options.queueLimit,
  });
  const opener = createConnectionOpener({
    database,
    slots,
    connection: {
      prepared: options.prepared,
      statementCapacity: options.statementCapacity ?? STATEMENT_CAPACITY,
      onNotice: (notice) => options.onNotice?.(notice),
      tempo,
    },
    maxLifetimeMs: options.maxLifetimeMs,
    onLost(slot, connection) {
      if (slot.connection === connection) empty(slot);
      options.onLost?.();
      opener.openFirst();
    },
    onSettled: serveAll,
    onUnreachable: failAll,
    ...(options.onDown === undefined ? {} : { onDown: options.onDown }),
    ...(options.onUp === undefined ? {} : { onUp: options.onUp }),
  });
  let closed = false;
  /** Of `KINDS`: whose turn it is. */
  let turn = 0;
  /** By `performance.now()`: until then nothing is sent behind something else, since what was quick is not. */
  let cautiousUntil = 0;
  let ticker: NodeJS.Timeout | null = null;
  const idleTimer = setInterval(closeIdle, idleCheckMs(options));
  idleTimer.unref();
  const silence = watchSilence({
    pool: () => slots.flatMap(({ connection }) => connection ?? []),
    probe: (processIds) => probeActivity(database, processIds),
    intervalMs: options.silenceCheckMs ?? SILENCE_CHECK_MS,
  });

  const leasesOf = (slot: Slot): PoolLease[] => leases.get(slot) ?? [];

  function look(): typeof view {
    view.capacity = opener.capacity;
    view.now = performance.now();
    view.depth = view.now < cautiousUntil ? 1 : depth;
    return view;
  }

  function request(wanted: PoolRequest): void {
    if (closed) return wanted.fail(stopping());
    if (opener.lastError !== null) return wanted.fail(opener.lastError);
    if (queues.lengthOf(wanted.kind) === 0) {
      const { slot, wantsAnother } = chooseSlot(look(), wanted.kind);
      if (slot !== null) {
        if (wantsAnother && !opener.isOpening()) opener.open(1);
        return start(slot, wanted);
      }
    }
    queues.add(wanted.kind, wanted);
    wanted.watchCaller();
    serveAll();
  }

  function requestAgain(wanted: PoolRequest): void {
    if (closed) return wanted.fail(stopping());
    if (opener.lastError !== null) return wanted.fail(opener.lastError);
    queues.addAgain(wanted.kind, wanted);
    wanted.watchCaller();
    serveAll();
  }

  function start(slot: Slot, wanted: PoolRequest): void {
    const { connection } = slot;
    if (connection === null) return;
    takeLease(slot, wanted.kind);
    const lease = createLease(slot, connection, wanted);
    leasesOf(slot).push(lease);
    ticker ??= setTimeout(tick, TICK_MS);
    wanted.start(lease);
  }

  function createLease(slot: Slot, connection: PipelinedConnection, wanted: PoolRequest): PoolLease {
    const lease: PoolLease = {
      request: wanted,
      kind: wanted.kind,
      connection,
      stale: false,
      preempted: false,
      cancelling: null,
      isAnswered: false,
      isOverdue: false,
      ticks: 0,
      cancelAgainAt: 0,
      answered: () => void (lease.isAnswered = true),
      release: () => release(slot, lease),
      abandon() {
        if (slot.use !== 'shared' && headOf(slot) === lease) cancel(lease);
      },
      bodyBegins() {
        takeBackBehind(slot, lease);
        lease.isOverdue = false;
        if (slot.connection === connection) keepForSlow(slot);
      },
      hold(urgent) {
        if (slot.connection !== connection || slot.held) return slot.held;
        slot.held = mayHold(look(), urgent);
        return slot.held;
      },
      endHold() {
        if (slot.connection === connection) slot.held = false;
      },
    };
    return lease;
  }

  function release(slot: Slot, lease: PoolLease): void {
    const own = leasesOf(slot);
    const position = own.indexOf(lease);
    // The slot has another connection by now, or none.
    if (position < 0) return serveAll();
    own.splice(position, 1);
    if (position === 0) slot.held = false;
    // A cancel that is under way for a batch that was taken back must not hit a new one.
    slot.overdue = own.some(({ isOverdue, cancelling }) => isOverdue || cancelling !== null);
    view.now = performance.now();
    endLease(slot, lease.kind, view.now);
    if (slot.use === null && isExpired(slot, view)) retire(slot);
    serveAll();
  }

  /** The batch that PostgreSQL works at. */
  const headOf = (slot: Slot): PoolLease | undefined => leasesOf(slot).find(({ isAnswered }) => !isAnswered);

  function serveAll(): void {
    if (queues.length > 0) {
      const first = turn;
      let wanted = 0;
      for (let step = 0; step < KINDS.length; step++) wanted += serve((first + step) % KINDS.length);
      if (wanted > 0) opener.open(wanted);
      if (queues.length > 0) makeWay();
    }
    if (endDraining()) for (const kind of SHARING) serve(KINDS.indexOf(kind));
    opener.openFirst();
  }

  /** Connections are drained as long as something waits that may have one. Returns whether one is free again. */
  function endDraining(): boolean {
    if (!slots.some(({ draining }) => draining)) return false;
    if (EXCLUSIVE.some((kind) => queues.lengthOf(kind) > 0 && mayTakeExclusively(look(), kind))) return false;
    for (const slot of slots) slot.draining = false;
    return true;
  }

  /** Starts what can be started of one kind. Returns how many of the rest would be served by more connections. */
  function serve(index: number): number {
    const kind = KINDS[index];
    if (kind === undefined) return 0;
    for (let first = queues.first(kind); first !== null; first = queues.first(kind)) {
      const { slot, wantsAnother } = chooseSlot(look(), kind);
      if (slot === null) return wantsAnother ? queues.lengthOf(kind) : 0;
      queues.removeFirst(kind);
      if (first.kindNow() !== kind) {
        first.kind = first.kindNow();
        queues.add(first.kind, first);
        continue;
      }
      turn = (index + 1) % KINDS.length;
      start(slot, first);
    }
    return 0;
  }

  /** For what waits though it could have a connection, if others were done or gave way. */
  function makeWay(): void {
    for (const kind of EXCLUSIVE) {
      if (queues.lengthOf(kind) === 0 || opener.mayOpen() || opener.isOpening()) continue;
      const slot = slotToDrain(look(), kind);
      if (slot !== null) slot.draining = true;
    }
    for (const slot of slots) if (slot.overdue) settleOverdue(slot);
  }

  /** What waits behind a batch is taken back, to be served elsewhere. */
  function takeBackBehind(slot: Slot, head: PoolLease): void {
    const own = leasesOf(slot);
    const behind = own.slice(own.indexOf(head) + 1).filter(({ stale, isAnswered }) => !stale && !isAnswered);
    for (const lease of behind) lease.stale = true;
    // The last one first, since each goes ahead of what waits.
    for (const { request: taken } of behind.toReversed()) {
      taken.kind = taken.kindNow();
      queues.addAgain(taken.kind, taken);
      taken.watchCaller();
    }
  }

  function tick(): void {
    ticker = null;
    // After the timers come the events of sockets: what has been answered meanwhile is not overdue.
    setImmediate(() => {
      let inFlight = false;
      const overdueTicks = OVERDUE_TICKS * busyness(tempo);
      for (const slot of slots) {
        const head = headOf(slot);
        if (head === undefined) continue;
        inFlight = true;
        if (++head.ticks < overdueTicks * head.request.patience) continue;
        if (head.cancelling !== null) cancelAgain(head);
        if (slot.use === 'shared') overdue(slot, head);
        else if (head.stale) cancel(head);
      }
      if (inFlight && !closed) ticker ??= setTimeout(tick, TICK_MS);
    });
  }

  /** To be called for what PostgreSQL works at. */
  function cancel(lease: PoolLease): void {
    if (lease.cancelling !== null) return;
    lease.cancelling = lease.connection.cancel();
    lease.cancelAgainAt = lease.ticks + CANCEL_AGAIN_TICKS;
  }

  /** A cancel is lost that comes before the backend has begun with the batch. */
  function cancelAgain(lease: PoolLease): void {
    if (lease.ticks < lease.cancelAgainAt) return;
    lease.cancelling = Promise.all([lease.cancelling, lease.connection.cancel()]).then(() => undefined);
    lease.cancelAgainAt = lease.ticks * 2;
  }

  function overdue(slot: Slot, head: PoolLease): void {
    if (!slot.overdue) {
      slot.overdue = true;
      head.isOverdue = true;
      cautiousUntil = performance.now() + CAUTION_MS;
      if (!head.stale) head.request.lapsed();
      takeBackBehind(slot, head);
      serveAll();
    }
    if (slot.overdue) settleOverdue(slot);
  }

  /**
   * A batch that holds up others has the connection to itself if that leaves enough to the others. Else it is cancelled as
   * soon as something waits for a connection, and waits with the slow reads.
   */
  function settleOverdue(slot: Slot): void {
    const head = headOf(slot);
    if (head === undefined || head.cancelling !== null || slot.use !== 'shared') return;
    if (head.stale || head.request.isAbandoned()) cancel(head);
    else if (mayTakeExclusively(look(), 'slow')) {
      head.request.kind = 'slow';
      head.isOverdue = false;
      keepForSlow(slot);
      head.request.watchCaller();
    } else if (opener.mayOpen() || opener.isOpening()) opener.open(1);
    else if (queues.length > queues.lengthOf('slow')) {
      head.preempted = true;
      cancel(head);
    }
  }

  function failAll(error: ConnectFailed | ConnectionLost): void {
    for (const { fail } of queues.takeAll()) fail(error);
  }

  /** Forgets the connection; what was in flight learns of it from the connection. */
  function empty(slot: Slot): PipelinedConnection | null {
    leases.set(slot, []);
    return clear(slot);
  }

  const retire = (slot: Slot): void => void empty(slot)?.close();

  /** One connection stays, so that the next request finds one and we learn when the database goes. */
  function closeIdle(): void {
    const now = performance.now();
    let open = slots.filter(({ connection }) => connection !== null).length;
    for (const slot of slots.toReversed()) {
      const isUnneeded = options.maxIdleMs > 0 && now - slot.idleSince > options.maxIdleMs;
      if (!isIdle(slot) || !(isExpired(slot, { now }) || (isUnneeded && open > 1))) continue;
      retire(slot);
      open--;
    }
    opener.openFirst();
  }

  opener.openFirst();

  return {
    request,
    requestAgain,
    withdraw: (unwanted) => queues.remove(unwanted.kind, unwanted),
    get state() {
      return {
        up: opener.up,
        everUp: opener.everUp,
        backoffSeconds: Math.max(1, opener.backoffSeconds),
        lastError: opener.lastError?.message ?? null,
        size: slots.filter(({ connection }) => connection !== null).length,
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
      serveAll();
    },
    async close() {
      closed = true;
      clearInterval(idleTimer);
      silence.close();
      if (ticker !== null) clearTimeout(ticker);
      opener.close();
      failAll(stopping());
      await Promise.all(slots.flatMap(({ connection }) => (connection === null ? [] : [connection.close()])));
    },
  };
}

/** Often enough that a connection outlives its time by no more than a quarter. */
function idleCheckMs({ maxIdleMs, maxLifetimeMs }: PoolSchedulerOptions): number {
  const times = [maxIdleMs, maxLifetimeMs].filter((time) => time > 0);
  return Math.min(Math.max(Math.min(...times) / 4, 10), IDLE_CHECK_MS);
}

const stopping = (): ConnectionLost => new ConnectionLost('the service is stopping', false);
