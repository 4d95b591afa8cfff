/** Token buckets by key: so many requests at once, refilled at an even pace. Bounded, and exact within one process. */

export interface RateLimiter {
  /** Takes one token of the key's bucket. @returns 0 when there was one, else the seconds until there is, rounded up */
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

/** Buckets that are remembered; the one unused for longest goes first, and is most likely full by then. */
const CAPACITY = 100_000;

/**
 * @param limit null lets everything through
 * @param now a clock in milliseconds that never goes back
 */
export function createRateLimiter(limit: RateLimit | null, now: () => number): RateLimiter {
  if (limit === null) return { take: () => 0 };
  const { requests, seconds } = limit;
  const perMs = requests / (seconds * 1000);
  const buckets = new Map<string, Bucket>();
  return {
    take(key) {
      const at = now();
      const bucket = buckets.get(key) ?? { tokens: requests, filledAt: at };
      buckets.delete(key);
      buckets.set(key, bucket);
      forgetOldest(buckets);
      bucket.tokens = Math.min(requests, bucket.tokens + (at - bucket.filledAt) * perMs);
      bucket.filledAt = at;
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs / 1000);
      bucket.tokens -= 1;
      return 0;
    },
  };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined && buckets.size > CAPACITY) buckets.delete(oldest);
}
