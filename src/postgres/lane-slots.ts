/**
 * Which lane for which use. A lane is open to every use in turn: while quick reads share it nothing else does, and a
 * write or a slow read has it to itself. No use takes the last lane that another use could have, so slow reads never
 * keep writes out, nor the other way round.
 */
import { performance } from 'node:perf_hooks';
import type { Lane } from './lane.js';

/** Quick reads share a lane; writes and slow reads do not, and do not count on each other's lanes. */
export type LaneUse = 'shared' | 'write' | 'slow';

/** Room for one connection. */
export interface Slot {
  lane: Lane | null;
  /** A connection for it is on its way. */
  opening: boolean;
  /** What the lane is used for now; null for nothing. */
  use: LaneUse | null;
  /** Leases on it. */
  busy: number;
  /** By `performance.now()`, as the next one. */
  idleSince: number;
  /** When it takes no more batches, to be closed after those it has. */
  expiresAt: number;
}

export interface SlotRules {
  /** In the order in which they are served. */
  readonly uses: readonly LaneUse[];
  /** Most leases on a shared lane. */
  readonly depth: number;
  /** Most lanes that are shared at the same time. */
  readonly mostShared: number;
}

/** Of the lanes, for quick reads: each carries many of them. */
const SHARED_FRACTION = 0.4;

/**
 * With fewer lanes than uses some uses are served as writes: one lane serves all in turn, two keep quick reads apart.
 * @param depth most batches in flight on a shared lane
 */
export function slotRules(size: number, depth: number): SlotRules {
  if (size === 1) return { uses: ['write'], depth: 1, mostShared: 0 };
  return {
    uses: size === 2 ? ['write', 'shared'] : ['write', 'slow', 'shared'],
    depth,
    mostShared: depth === 1 ? size : Math.max(1, Math.floor(size * SHARED_FRACTION)),
  };
}

export const emptySlots = (size: number): readonly Slot[] =>
  Array.from({ length: size }, () => ({
    lane: null,
    opening: false,
    use: null,
    busy: 0,
    idleSince: 0,
    expiresAt: Infinity,
  }));

/** What there is for one more lease. */
export interface Choice {
  /** The lane to take; null for none now. */
  readonly slot: Slot | null;
  /** Whether one more connection would serve it better. */
  readonly wantsAnother: boolean;
}

export function chooseSlot(slots: readonly Slot[], use: LaneUse, rules: SlotRules): Choice {
  const shared = use === 'shared' ? leastBusyShared(slots, rules) : null;
  if (!mayTakeAnother(slots, use, rules)) return { slot: shared, wantsAnother: false };
  const idle = idleSlot(slots, use);
  // A turn on a lane with others is better than a wait for a connection.
  return { slot: idle ?? shared, wantsAnother: idle === null };
}

function leastBusyShared(slots: readonly Slot[], { depth }: SlotRules): Slot | null {
  let best: Slot | null = null;
  for (const slot of slots) {
    if (slot.use !== 'shared' || slot.busy >= depth || isExpired(slot)) continue;
    if (best === null || slot.busy < best.busy) best = slot;
  }
  return best;
}

/** Whether the others keep what is theirs when this use takes one lane more. */
function mayTakeAnother(slots: readonly Slot[], use: LaneUse, { uses, mostShared }: SlotRules): boolean {
  const taken = { shared: 0, write: 0, slow: 0 };
  for (const slot of slots) if (slot.use !== null) taken[slot.use]++;
  if (use === 'shared' && taken.shared >= mostShared) return false;
  let kept = 0;
  for (const other of uses) if (other !== use && taken[other] === 0) kept++;
  return taken.shared + taken.write + taken.slow + 1 + kept <= slots.length;
}

/** Shared lanes from one end, the others from the other end: a statement is then prepared on fewer of them. */
function idleSlot(slots: readonly Slot[], use: LaneUse): Slot | null {
  return (use === 'shared' ? slots.find(isIdle) : slots.findLast(isIdle)) ?? null;
}

/** Open, and nobody's. */
export const isIdle = ({ lane, use }: Slot): boolean => lane !== null && use === null;

export const isExpired = ({ expiresAt }: Slot): boolean => performance.now() > expiresAt;

export function lease(slot: Slot, use: LaneUse): void {
  slot.use = use;
  slot.busy++;
}

export function endLease(slot: Slot): void {
  slot.busy--;
  if (slot.busy > 0) return;
  slot.use = null;
  slot.idleSince = performance.now();
}

/** @param expiresAt by `performance.now()` */
export function fill(slot: Slot, lane: Lane, expiresAt: number): void {
  slot.lane = lane;
  slot.idleSince = performance.now();
  slot.expiresAt = expiresAt;
}

/** @returns the lane that was in it */
export function clear(slot: Slot): Lane | null {
  const { lane } = slot;
  slot.lane = null;
  slot.use = null;
  slot.busy = 0;
  return lane;
}
