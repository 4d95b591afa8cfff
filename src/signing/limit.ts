/** Rate limits of area B. */
import { dbrError } from '../errors/dbr-error.js';
import type { RateLimiter } from '../operations/rate-limit.js';

/** @throws DbrError RateLimited with `Retry-After` where the bucket of the key is empty */
export function limit(limiter: RateLimiter, key: readonly string[]): void {
  const seconds = limiter.take(JSON.stringify(key));
  if (seconds > 0) throw dbrError('RateLimited', {}, { headers: { 'Retry-After': String(seconds) } });
}
