/** Where the limits of areas A and B are counted: in this process, or once for all workers in their primary. */
import { dbrError } from '../errors/dbr-error.js';
import { lruCache } from '../base/lru-cache.js';

export interface Limits {
  /** @param name unique among rates. @param limit null for no limit */
  rate(name: string, limit: RateLimit | null): RateLimiter;
  /** @param name unique among counts */
  openCount(name: string, limit: number): OpenCount;
}

/** Limits that this process counts. */
export const LOCAL_LIMITS: Limits = {
  rate: (_name, limit) => createRateLimiter(limit, () => performance.now()),
  openCount: (_name, limit) => createOpenCount(limit),
};

// Counts of open objects for each key, for example the streams of a user.

/** Decrements the count. Further calls have no effect. */
export type Leave = () => void;

export interface OpenCount {
  /** @returns a function that decrements the count again; null if the count of the key has reached the limit */
  enter(key: string): Leave | null | Promise<Leave | null>;
}

/** An open count of this process. */
export interface LocalOpenCount extends OpenCount {
  enter(key: string): Leave | null;
}

export function createOpenCount(limit: number): LocalOpenCount {
  const open = new Map<string, number>();
  return {
    enter(key) {
      const before = open.get(key) ?? 0;
      if (before >= limit) return null;
      open.set(key, before + 1);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      };
    },
  };
}

// Rate limits: one token bucket for each key, refilled at an even rate. Bounded.

export interface RateLimiter {
  /**
   * Takes tokens of the key's bucket: as many as there are requests, or none.
   * @returns 0, or the seconds until the bucket has as many tokens, or is full, rounded up
   */
  take(key: string, requests?: number): number | Promise<number>;
}

/** A limiter whose buckets are in this process. */
export interface LocalRateLimiter extends RateLimiter {
  take(key: string, requests?: number): number;
}

export interface RateLimit {
  /** Size of a bucket. */
  readonly requests: number;
  /** Time in which an empty bucket fills, in seconds. */
  readonly seconds: number;
}

interface Bucket {
  tokens: number;
  /** Milliseconds of the clock. */
  filledAt: number;
}

/** Bounds of the buckets. Those unused for longest are removed first: they are most likely full. */
const MAX_ENTRIES = 25_000;
const MAX_BYTES = 8_388_608;
const BUCKET_BYTES = 64;

/**
 * @param limit null for no limit
 * @param now a clock in milliseconds that never goes back
 */
export function createRateLimiter(limit: RateLimit | null, now: () => number): LocalRateLimiter {
  if (limit === null) return { take: () => 0 };
  const { requests, seconds } = limit;
  const perMs = requests / (seconds * 1000);
  const buckets = lruCache<Bucket>({
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    bytesOf: () => BUCKET_BYTES,
  });
  return {
    take(key, wanted = 1) {
      const at = now();
      let bucket = buckets.get(key);
      if (bucket === undefined) {
        bucket = { tokens: requests, filledAt: at };
        buckets.set(key, bucket);
      }
      bucket.tokens = Math.min(requests, bucket.tokens + (at - bucket.filledAt) * perMs);
      bucket.filledAt = at;
      if (bucket.tokens < wanted)
        return Math.max(1, Math.ceil((Math.min(wanted, requests) - bucket.tokens) / perMs / 1000));
      bucket.tokens -= wanted;
      return 0;
    },
  };
}

/** @throws DbrError RateLimited with `Retry-After` if the bucket of the key has fewer tokens than there are requests */
export async function requireRate(
  limiter: RateLimiter,
  key: readonly string[],
  requests?: number,
): Promise<void> {
  const seconds = await limiter.take(JSON.stringify(key), requests);
  if (seconds > 0) throw dbrError('RateLimited', {}, { headers: { 'Retry-After': String(seconds) } });
}

/** Returns a function that is `requireRate` at its first call alone, for transactions that may run again. */
export function requireRateOnce(
  limiter: RateLimiter,
  key: readonly string[],
  requests?: number,
): () => Promise<void> {
  let admitted: Promise<void> | null = null;
  return () => (admitted ??= requireRate(limiter, key, requests));
}
