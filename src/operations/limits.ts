/** Where the limits of areas A and B are counted: in this process, or once for all workers in their primary. */
import { createOpenCount, type OpenCount } from './open-count.js';
import { createRateLimiter, type RateLimit, type RateLimiter } from './rate-limit.js';

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
