/** The schedule on which the key set of an issuer is loaded. */

/** Times in milliseconds. */
export interface KeySetPolicy {
  /** Longest time between two loads; the issuer may ask for a shorter one (`Cache-Control`). */
  readonly refreshMs: number;
  /** Shortest time between the beginnings of two loads, however many tokens name unknown keys. */
  readonly refetchMs: number;
  /** Longest use of a copy that cannot be refreshed; null for any time. */
  readonly maxStaleMs: number | null;
  /** Longest duration of one request to the issuer. */
  readonly timeoutMs: number;
}

/** Limits of the freshness that an issuer can request by `Cache-Control`. */
const SHORTEST_REFRESH_MS = 60_000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** Shortens a delay by up to a fifth, so that processes do not load at the same time. */
const spread = (ms: number, random: number): number => ms * (1 - 0.2 * random);

/**
 * Returns the milliseconds until a loaded set is refreshed: before its freshness ends.
 * @param freshSeconds freshness that the issuer states; null if it states none
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
 * Returns the milliseconds until the next attempt, which double with each failure.
 * @param failures number of failures since the last successful load, including the latest
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
