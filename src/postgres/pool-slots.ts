/**
 * Chooses the connection for a batch: pure decisions over the state of the pool.
 *
 * A connection is shared by reads whose plans bound them, or it belongs to one other batch: a brief one (a write, or a
 * read without a bound) or a long one (a read that has proved to be long). Shared reads may use every connection. The others
 * leave them at least one, and one to each other, as far as there are enough. Long ones have at most half of the connections.
 * For a batch that waits for a connection to itself, a shared one is drained.
 */
import type { BatchUse } from './batch.js';
import type { PipelinedConnection } from './connection.js';

/** Place of one connection in the pool. */
export interface Slot {
  connection: PipelinedConnection | null;
  /** An attempt to open its connection is under way. */
  opening: boolean;
  /** null while nothing is in flight. */
  use: BatchUse | null;
  /** Batches in flight. */
  busy: number;
  /** By `performance.now()`: when PostgreSQL could begin the first of them. */
  headSince: number;
  /** It takes no more shared batches, because a batch waits that needs it alone. */
  draining: boolean;
  /** A slow reader of a body holds it. It does not count among the connections that the other batches divide. */
  held: boolean;
  /** Batches on it are cancelled, or will be. It takes no more, because a cancel request might hit any that follows. */
  clearing: boolean;
  /** By `performance.now()`. */
  idleSince: number;
  /** By `performance.now()`: from then on it takes no more batches, and is closed after those it has. */
  expiresAt: number;
}

/** Use of a connection by one batch alone. */
type ExclusiveUse = Exclude<BatchUse, 'shared'>;

/** The state that the decisions depend on. */
export interface PoolView {
  readonly slots: readonly Slot[];
  /** Most batches in flight on a shared connection. */
  readonly depth: number;
  /** Most connections: all slots, or as many as PostgreSQL accepts. */
  readonly capacity: number;
  /** By `performance.now()`. */
  readonly now: number;
}

/** The connection for one more batch. */
export interface Choice {
  /** The slot to take; null if the batch must wait. */
  readonly slot: Slot | null;
  /** Whether one more connection should be opened for it. */
  readonly opensAnother: boolean;
}

/** Fraction of the connections that shared reads use as long as these suffice, because each carries many of them. */
const SHARED_FRACTION = 0.4;
/** Largest fraction of the connections that long reads use. More of them at a time would end no earlier and delay quick reads. */
const LONG_FRACTION = 0.5;
/** A shared connection takes no other batch while its first one takes longer than this, in milliseconds. */
export const LATE_MS = 15;

export const emptySlots = (size: number): readonly Slot[] =>
  Array.from({ length: size }, () => ({
    connection: null,
    opening: false,
    use: null,
    busy: 0,
    headSince: 0,
    draining: false,
    clearing: false,
    held: false,
    idleSince: 0,
    expiresAt: Infinity,
  }));

export const chooseSlot = (pool: PoolView, use: BatchUse): Choice =>
  use === 'shared' ? chooseShared(pool) : chooseExclusive(pool, use);

function chooseShared(pool: PoolView): Choice {
  const { slots, capacity, depth } = pool;
  const preferred = depth === 1 ? capacity : Math.max(1, Math.floor(capacity * SHARED_FRACTION));
  let shared = 0;
  let best: Slot | null = null;
  for (const slot of slots) {
    if (slot.use !== 'shared' || isLate(slot, pool)) continue;
    shared++;
    if (slot.busy < depth && isOpenToShare(slot, pool) && (best === null || slot.busy < best.busy))
      best = slot;
  }
  if (shared >= preferred && best !== null) return { slot: best, opensAnother: false };
  const idle = firstIdle(pool);
  // A place on a connection with others is available earlier than a connection that is still to be opened.
  return { slot: idle ?? best, opensAnother: idle === null };
}

function chooseExclusive(pool: PoolView, use: ExclusiveUse): Choice {
  if (!mayTakeExclusively(pool, use)) return { slot: null, opensAnother: mayGrow(pool) };
  // From the end, as shared connections are taken from the start: each statement is prepared on fewer of them.
  const slot = pool.slots.findLast((each) => isIdle(each) && !isExpired(each, pool)) ?? null;
  return { slot, opensAnother: slot === null };
}

/**
 * Whether enough connections remain for the others when a batch takes one more for this use.
 * @param own a slot that the batch has already, which then changes its use
 */
export function mayTakeExclusively(pool: PoolView, use: ExclusiveUse, own: Slot | null = null): boolean {
  const { taken, total, shareable, open } = exclusives(pool, own);
  // What slow readers leave is for shared reads and, for their short time, brief batches.
  if (shareable <= 1) return total === 0 && (use === 'brief' || pool.capacity === 1);
  const other = use === 'brief' ? 'long' : 'brief';
  const kept = shareable > 2 && taken[other] === 0 ? 1 : 0;
  if (total + 1 + kept > shareable - 1) return false;
  if (use === 'long' && taken.long >= Math.max(1, Math.floor(pool.capacity * LONG_FRACTION))) return false;
  // A long read does not take the last open connection, because opening the next one may fail.
  return use === 'brief' || total + 1 <= open - 1;
}

/** Whether the pool may have more connections than now, so that one more may be taken. */
const mayGrow = ({ slots, capacity }: PoolView): boolean =>
  capacity < slots.length || slots.some(({ connection }) => connection === null);

interface Exclusives {
  /** Connections that belong to one batch, by use. */
  readonly taken: Readonly<Record<ExclusiveUse, number>>;
  readonly total: number;
  /** Connections, and open ones, that are not held by slow readers. */
  readonly shareable: number;
  readonly open: number;
}

function exclusives({ slots, capacity }: PoolView, own: Slot | null): Exclusives {
  const taken = { brief: 0, long: 0 };
  let held = 0;
  let open = 0;
  for (const slot of slots) {
    if (slot.connection === null) continue;
    if (slot.held) held++;
    else {
      open++;
      if (slot !== own && (slot.use === 'brief' || slot.use === 'long')) taken[slot.use]++;
    }
  }
  return { taken, total: taken.brief + taken.long, shareable: capacity - held, open };
}

/**
 * Whether a slow reader may hold the connection of its body. Two connections remain for the others, if there are three: one
 * for shared reads, and one for those that need it alone.
 * @param urgent the body would be lost otherwise
 */
export function mayHold({ slots, capacity }: PoolView, urgent: boolean): boolean {
  let held = 0;
  for (const slot of slots) if (slot.held) held++;
  return held + 1 < Math.min(capacity, Math.max(2, capacity - 1)) || (urgent && capacity === 1);
}

/** The shared connection to drain for a batch that waits for one to itself; null if none may be, or one is drained already. */
export function slotToDrain(pool: PoolView, use: ExclusiveUse): Slot | null {
  if (!mayTakeExclusively(pool, use) || pool.slots.some(({ draining }) => draining)) return null;
  let best: Slot | null = null;
  for (const slot of pool.slots)
    if (slot.use === 'shared' && !isLate(slot, pool) && (best === null || slot.busy < best.busy)) best = slot;
  return best;
}

const isLate = ({ headSince }: Slot, { now }: PoolView): boolean => now - headSince > LATE_MS;

const isOpenToShare = (slot: Slot, pool: PoolView): boolean =>
  !slot.draining && !slot.clearing && !isExpired(slot, pool);

const firstIdle = (pool: PoolView): Slot | null =>
  pool.slots.find((slot) => isIdle(slot) && isOpenToShare(slot, pool)) ?? null;

/** Whether a connection is open and nothing is in flight on it. */
export const isIdle = ({ connection, use }: Slot): boolean => connection !== null && use === null;

export const isExpired = ({ expiresAt }: Slot, { now }: Pick<PoolView, 'now'>): boolean => now > expiresAt;

/** @param now by `performance.now()` */
export function lease(slot: Slot, use: BatchUse, now: number): void {
  slot.use = use;
  if (slot.busy++ === 0) slot.headSince = now;
  if (use !== 'shared') slot.draining = false;
}

/**
 * @param wasFirst whether no other batch was sent before it, of those that still occupy the connection
 * @param now by `performance.now()`
 */
export function endLease(slot: Slot, wasFirst: boolean, now: number): void {
  slot.busy--;
  if (wasFirst) slot.headSince = now;
  if (slot.busy > 0) return;
  slot.use = null;
  slot.idleSince = now;
}

/** Gives the connection to a batch that proves to be long. */
export function keepForLong(slot: Slot): void {
  slot.use = 'long';
  slot.draining = false;
}

/** @param expiresAt by `performance.now()`, as `now` */
export function fill(slot: Slot, connection: PipelinedConnection, expiresAt: number, now: number): void {
  slot.connection = connection;
  slot.idleSince = now;
  slot.expiresAt = expiresAt;
}

/** @returns the connection that was in it */
export function clear(slot: Slot): PipelinedConnection | null {
  const { connection } = slot;
  Object.assign(slot, {
    connection: null,
    use: null,
    busy: 0,
    draining: false,
    clearing: false,
    held: false,
  });
  return connection;
}
