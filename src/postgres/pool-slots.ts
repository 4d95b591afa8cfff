/**
 * Chooses the connection for a batch: pure decisions over the state of the pool.
 *
 * A connection is shared by quick reads and at most one moderate one, or it belongs to one write or one slow read. Quick and
 * moderate reads may use every connection. Writes and slow reads leave them at least one, and one to each other, as far as
 * there are enough. For a batch that waits for a connection to itself, a shared one is drained.
 */
import type { PipelinedConnection } from './pipelined-connection.js';

/** The kind of connection that a batch needs. A `write` is any batch that needs one to itself for a short time. */
export type BatchKind = 'quick' | 'moderate' | 'write' | 'slow';

/** The use of a connection. */
export type SlotUse = 'shared' | 'write' | 'slow';

/** Place of one connection in the pool. */
export interface Slot {
  connection: PipelinedConnection | null;
  /** An attempt to open its connection is under way. */
  opening: boolean;
  /** null while nothing is in flight. */
  use: SlotUse | null;
  /** Batches in flight. */
  busy: number;
  /** Number of them that are moderate. */
  moderate: number;
  /** It takes no more shared batches, because a batch waits that needs it alone. */
  draining: boolean;
  /** Its first batch takes longer than a shared connection allows. It takes no more until that one has ended. */
  overdue: boolean;
  /** A slow reader of a body holds it. It does not count among the connections that the other batches divide. */
  held: boolean;
  /** By `performance.now()`. */
  idleSince: number;
  /** By `performance.now()`: from then on it takes no more batches, and is closed after those it has. */
  expiresAt: number;
}

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

/** Fraction of the connections that quick reads use as long as these suffice, because each carries many of them. */
const SHARED_FRACTION = 0.4;

export const emptySlots = (size: number): readonly Slot[] =>
  Array.from({ length: size }, () => ({
    connection: null,
    opening: false,
    use: null,
    busy: 0,
    moderate: 0,
    draining: false,
    overdue: false,
    held: false,
    idleSince: 0,
    expiresAt: Infinity,
  }));

export function chooseSlot(pool: PoolView, kind: BatchKind): Choice {
  switch (kind) {
    case 'quick':
      return chooseForQuick(pool);
    case 'moderate':
      return chooseForModerate(pool);
    case 'write':
    case 'slow':
      return chooseExclusive(pool, kind);
  }
}

function chooseForQuick(pool: PoolView): Choice {
  const { slots, capacity, depth } = pool;
  const preferred = depth === 1 ? capacity : Math.max(1, Math.floor(capacity * SHARED_FRACTION));
  let shared = 0;
  let best: Slot | null = null;
  for (const slot of slots) {
    if (!isSharing(slot)) continue;
    shared++;
    if (slot.busy < depth && isOpenToShare(slot, pool) && (best === null || cost(slot) < cost(best)))
      best = slot;
  }
  if (shared >= preferred && best?.moderate === 0) return { slot: best, opensAnother: false };
  const idle = firstIdle(pool);
  // A place on a connection with others is available earlier than a connection that is still to be opened.
  return { slot: idle ?? best, opensAnother: idle === null };
}

/** A place behind a moderate read costs as much as one behind several quick ones. */
const MODERATE_COST = 4;
const cost = ({ busy, moderate }: Slot): number => busy + moderate * MODERATE_COST;

/** One of the connections that carry quick reads stays free of moderate ones, if there are two. */
function chooseForModerate(pool: PoolView): Choice {
  let carrying = 0;
  let open = 0;
  let best: Slot | null = null;
  for (const slot of pool.slots) {
    if (slot.connection === null || isExclusive(slot)) continue;
    open++;
    // An overdue batch may get its connection for itself, which then is none of these any more.
    if (slot.moderate > 0 || slot.overdue) carrying++;
    else if (isSharing(slot) && slot.busy < pool.depth && isOpenToShare(slot, pool))
      if (best === null || slot.busy < best.busy) best = slot;
  }
  if (carrying >= Math.max(1, open - 1)) return { slot: null, opensAnother: true };
  const idle = firstIdle(pool);
  return { slot: idle ?? best, opensAnother: idle === null };
}

function chooseExclusive(pool: PoolView, kind: 'write' | 'slow'): Choice {
  if (!mayTakeExclusively(pool, kind)) return { slot: null, opensAnother: mayGrow(pool) };
  // From the end, as shared connections are taken from the start: each statement is prepared on fewer of them.
  const slot = pool.slots.findLast((each) => isIdle(each) && !isExpired(each, pool)) ?? null;
  return { slot, opensAnother: slot === null };
}

/** Whether enough connections remain for the other kinds when a batch of this kind takes one more. */
export function mayTakeExclusively(pool: PoolView, kind: 'write' | 'slow'): boolean {
  const { taken, total, shareable, open } = exclusives(pool);
  // What slow readers leave is for quick reads and, for their short time, writes.
  if (shareable <= 1) return total === 0 && (kind === 'write' || pool.capacity === 1);
  const other = kind === 'write' ? 'slow' : 'write';
  const kept = shareable > 2 && taken[other] === 0 ? 1 : 0;
  if (total + 1 + kept > shareable - 1) return false;
  // A slow read does not take the last open connection, because opening the next one may fail.
  return kind === 'write' || total + 1 <= open - 1;
}

/** Whether the pool may have more connections than now, so that one more may be taken. */
const mayGrow = ({ slots, capacity }: PoolView): boolean =>
  capacity < slots.length || slots.some(({ connection }) => connection === null);

interface Exclusives {
  /** Connections that belong to one batch, by kind. */
  readonly taken: Readonly<Record<'write' | 'slow', number>>;
  readonly total: number;
  /** Connections, and open ones, that are not held by slow readers. */
  readonly shareable: number;
  readonly open: number;
}

function exclusives({ slots, capacity }: PoolView): Exclusives {
  const taken = { write: 0, slow: 0 };
  let held = 0;
  let open = 0;
  for (const slot of slots) {
    if (slot.connection === null) continue;
    if (slot.held) held++;
    else {
      open++;
      if (slot.use === 'write' || slot.use === 'slow') taken[slot.use]++;
    }
  }
  return { taken, total: taken.write + taken.slow, shareable: capacity - held, open };
}

/**
 * Whether a slow reader may hold the connection of its body. Two connections remain for the others, if there are three: one
 * for quick reads, and one for those that need it alone.
 * @param urgent the body would be lost otherwise
 */
export function mayHold({ slots, capacity }: PoolView, urgent: boolean): boolean {
  let held = 0;
  for (const slot of slots) if (slot.held) held++;
  return held + 1 < Math.min(capacity, Math.max(2, capacity - 1)) || (urgent && capacity === 1);
}

/** The shared connection to drain for a batch that waits for one to itself; null if none may be, or one is drained already. */
export function slotToDrain(pool: PoolView, kind: 'write' | 'slow'): Slot | null {
  if (!mayTakeExclusively(pool, kind) || pool.slots.some(({ draining }) => draining)) return null;
  let best: Slot | null = null;
  for (const slot of pool.slots) if (isSharing(slot) && (best === null || slot.busy < best.busy)) best = slot;
  return best;
}

/** Whether it carries shared batches and none of them is overdue. */
const isSharing = ({ use, overdue }: Slot): boolean => use === 'shared' && !overdue;

const isExclusive = ({ use }: Slot): boolean => use === 'write' || use === 'slow';

const isOpenToShare = (slot: Slot, pool: PoolView): boolean => !slot.draining && !isExpired(slot, pool);

const firstIdle = (pool: PoolView): Slot | null =>
  pool.slots.find((slot) => isIdle(slot) && isOpenToShare(slot, pool)) ?? null;

/** Whether a connection is open and nothing is in flight on it. */
export const isIdle = ({ connection, use }: Slot): boolean => connection !== null && use === null;

export const isExpired = ({ expiresAt }: Slot, { now }: Pick<PoolView, 'now'>): boolean => now > expiresAt;

export function lease(slot: Slot, kind: BatchKind): void {
  const shares = kind === 'quick' || kind === 'moderate';
  slot.use = shares ? 'shared' : kind;
  slot.busy++;
  if (kind === 'moderate') slot.moderate++;
  if (!shares) slot.draining = false;
}

/** @param now by `performance.now()` */
export function endLease(slot: Slot, kind: BatchKind, now: number): void {
  slot.busy--;
  if (kind === 'moderate') slot.moderate--;
  if (slot.busy > 0) return;
  slot.use = null;
  slot.idleSince = now;
}

/** Gives the connection to a batch that shared it and proves to be slow. */
export function keepForSlow(slot: Slot): void {
  slot.use = 'slow';
  slot.overdue = false;
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
    moderate: 0,
    draining: false,
    overdue: false,
    held: false,
  });
  return connection;
}
