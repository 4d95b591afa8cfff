/** Repeated queries of a state, for readiness: concurrent and frequent callers share one query. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Probe<Result> {
  /**
   * Returns the last result if it is fresh, else the result of a new query; null if the query fails or takes too
   * long.
   */
  read(): Promise<Result | null>;
}

interface ProbeOptions {
  /** Longest wait for a result, in milliseconds. */
  readonly patienceMs: number;
  /** Time for which a result is fresh, in milliseconds. */
  readonly freshMs: number;
}

/** Creates a probe that runs one query at a time. */
export function createProbe<Result>(
  ask: () => Promise<Result>,
  { patienceMs, freshMs }: ProbeOptions,
): Probe<Result> {
  let asking: Promise<Result | null> | null = null;
  let latest: Result | null = null;
  let readAt = -Infinity;

  async function question(): Promise<Result | null> {
    try {
      latest = await ask();
    } catch {
      latest = null;
    }
    readAt = performance.now();
    asking = null;
    return latest;
  }

  return {
    async read() {
      if (performance.now() - readAt < freshMs) return latest;
      asking ??= question();
      const patience = new AbortController();
      try {
        return await Promise.race([
          asking,
          delay(patienceMs, null, { signal: patience.signal }).catch(() => null),
        ]);
      } finally {
        patience.abort();
      }
    },
  };
}
