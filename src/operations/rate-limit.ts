/** Rate limits: one token bucket for each key, refilled at an even rate. Bounded. */
import { dbrError } from '../errors/dbr-error.js';
import { lruCache } from '../base/lru-cache.js';

export interface RateLimiter {
  /** Takes one token of the key's bucket. @returns 0, or the seconds until the bucket has a token, rounded up */
  take(key: string): number | Promise<number>;
}

/** A limiter whose buckets are in this process. */
export interface LocalRateLimiter extends RateLimiter {
  take(key: string): number;
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
    take(key) {
      const at = now();
      let bucket = buckets.get(key);
      if (bucket === undefined) {
        bucket = { tokens: requests, filledAt: at };
        buckets.set(key, bucket);
      }
      bucket.tokens = Math.min(requests, bucket.tokens + (at - bucket.filledAt) * perMs);
      bucket.filledAt = at;
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs / 1000);
      bucket.tokens -= 1;
      return 0;
    },
  };
}

/** @throws DbrError RateLimited with `Retry-After` if the bucket of the key is empty */
export async function requireRate(limiter: RateLimiter, key: readonly string[]): Promise<void> {
  const seconds = await limiter.take(JSON.stringify(key));
  if (seconds > 0) throw dbrError('RateLimited', {}, { headers: { 'Retry-After': String(seconds) } });
}
