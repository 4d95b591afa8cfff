/** The counters of the limits in the primary, once for all workers, and the memory for request bodies that it lends. */
import {
  createOpenCount,
  type Leave,
  type LocalOpenCount,
  createRateLimiter,
  type LocalRateLimiter,
} from '../operations/limits.js';
import type { LimitRequest, LimitResult } from './worker-messages.js';

export interface SharedLimits {
  /** Opens the counts of a worker. */
  openWorker(): WorkerLimits;
}

export interface WorkerLimits {
  /** Handles the requests in order. Returns a result for each that has one. */
  handle(requests: readonly LimitRequest[]): readonly LimitResult[];
  /** Releases all counts and loans of the worker, which has ended. */
  close(): void;
}

interface Counters {
  /** By name; the limits of a name are equal in all workers, which have the settings of the primary. */
  readonly rates: Map<string, LocalRateLimiter>;
  readonly counts: Map<string, LocalOpenCount>;
  readonly now: () => number;
  /** Bytes that can be lent. */
  lendable: number;
}

/** The places in the limits and the bytes that a worker holds. */
interface Open {
  readonly counts: Map<number, Leave>;
  /** Bytes that are lent to it. */
  borrowed: number;
}

/**
 * @param now a clock in milliseconds that never goes back
 * @param lendable memory for request bodies that is lent to workers, in bytes
 */
export function createSharedLimits(now: () => number, lendable: number): SharedLimits {
  const counters: Counters = { rates: new Map(), counts: new Map(), now, lendable };
  return {
    openWorker() {
      const open: Open = { counts: new Map(), borrowed: 0 };
      return {
        handle: (requests) => requests.flatMap((request) => handle(counters, open, request) ?? []),
        close() {
          for (const leave of open.counts.values()) leave();
          open.counts.clear();
          lend(counters, open, -open.borrowed);
        },
      };
    },
  };
}

function handle(counters: Counters, open: Open, request: LimitRequest): LimitResult | null {
  const { id } = request;
  switch (request.kind) {
    case 'take':
      return { id, value: rateOf(counters, request).take(request.key, request.requests) };
    case 'enter': {
      const leave = countOf(counters, request).enter(request.key);
      if (leave !== null) open.counts.set(id, leave);
      return { id, value: leave === null ? 0 : 1 };
    }
    case 'leave':
      open.counts.get(id)?.();
      open.counts.delete(id);
      return null;
    case 'borrow': {
      const value = counters.lendable < request.least ? 0 : Math.min(request.most, counters.lendable);
      lend(counters, open, value);
      return { id, value };
    }
    case 'repay':
      lend(counters, open, -request.bytes);
      return null;
  }
}

/** @param bytes negative for a loan that is repaid */
function lend(counters: Counters, open: Open, bytes: number): void {
  counters.lendable -= bytes;
  open.borrowed += bytes;
}

function rateOf(
  { rates, now }: Counters,
  { name, limit }: Extract<LimitRequest, { readonly kind: 'take' }>,
): LocalRateLimiter {
  const known = rates.get(name) ?? createRateLimiter(limit, now);
  rates.set(name, known);
  return known;
}

function countOf(
  { counts }: Counters,
  { name, limit }: Extract<LimitRequest, { readonly kind: 'enter' }>,
): LocalOpenCount {
  const known = counts.get(name) ?? createOpenCount(limit);
  counts.set(name, known);
  return known;
}
