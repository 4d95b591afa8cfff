/** When the key set of an issuer is loaded again. */

/** Times in milliseconds. */
export interface KeySetPolicy {
  /** Longest time between two loads; the issuer may ask for a shorter one (`Cache-Control`). */
  readonly refreshMs: number;
  /** Shortest time between the beginnings of two loads, whatever tokens arrive. */
  readonly refetchMs: number;
  /** Longest use of a copy that cannot be refreshed; null for any time. */
  readonly maxStaleMs: number | null;
  /** Longest duration of one request to the issuer. */
  readonly timeoutMs: number;
}

/** Limits of what an issuer can ask for by `Cache-Control`. */
const SHORTEST_REFRESH_MS = 60_000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** Up to a fifth earlier, so that processes do not load in step. */
const spread = (ms: number, random: number): number => ms * (1 - 0.2 * random);

/**
 * Milliseconds until the refresh of a set that was loaded: before it is no longer fresh.
 * @param freshSeconds for which the issuer calls the set fresh; null when it does not say
 * @param random from 0 to 1
 */
export function refreshDelayMs(
  freshSeconds: number | null,
  { refreshMs, refetchMs }: KeySetPolicy,
  random: number,
): number {
  const fresh = freshSeconds === null ? refreshMs : Math.max(SHORTEST_REFRESH_MS, freshSeconds * 1000);
  return Math.max(refetchMs, spread(Math.min(refreshMs, fresh), random));
}

/**
 * Milliseconds until the next attempt: twice as long after each failure.
 * @param failures since the last good load, the latest included
 * @param random from 0 to 1
 */
export function retryDelayMs(
  failures: number,
  { refreshMs, refetchMs }: KeySetPolicy,
  random: number,
): number {
  const delay = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10);
  return Math.max(refetchMs, spread(Math.min(delay, refreshMs, LONGEST_RETRY_MS), random));
}
