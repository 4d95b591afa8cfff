/** The counters of the limits in the primary, once for all workers. */
import { createOpenCount, type Leave, type LocalOpenCount } from '../operations/open-count.js';
import { createRateLimiter, type LocalRateLimiter } from '../operations/rate-limit.js';
import type { LimitRequest, LimitResult } from './worker-messages.js';

export interface SharedLimits {
  /** Opens the counts of a worker. */
  openWorker(): WorkerLimits;
}

export interface WorkerLimits {
  /** Handles the requests in order. Returns a result for each that has one. */
  handle(requests: readonly LimitRequest[]): readonly LimitResult[];
  /** Releases all counts of the worker, which has ended. */
  close(): void;
}

interface Counters {
  /** By name; the limits of a name are equal in all workers, which have the settings of the primary. */
  readonly rates: Map<string, LocalRateLimiter>;
  readonly counts: Map<string, LocalOpenCount>;
  readonly now: () => number;
}

/** @param now a clock in milliseconds that never goes back */
export function createSharedLimits(now: () => number): SharedLimits {
  const counters: Counters = { rates: new Map(), counts: new Map(), now };
  return {
    openWorker() {
      const open = new Map<number, Leave>();
      return {
        handle: (requests) => requests.flatMap((request) => handle(counters, open, request) ?? []),
        close() {
          for (const leave of open.values()) leave();
          open.clear();
        },
      };
    },
  };
}

function handle(counters: Counters, open: Map<number, Leave>, request: LimitRequest): LimitResult | null {
  const { id } = request;
  switch (request.kind) {
    case 'take':
      return { id, value: rateOf(counters, request).take(request.key) };
    case 'enter': {
      const leave = countOf(counters, request).enter(request.key);
      if (leave !== null) open.set(id, leave);
      return { id, value: leave === null ? 0 : 1 };
    }
    case 'leave':
      open.get(id)?.();
      open.delete(id);
      return null;
  }
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
