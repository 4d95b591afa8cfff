/** Repeated queries of a state, for readiness: concurrent and frequent callers share one query. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Probe<Answer> {
  /**
   * Returns the last result if it is fresh, else the result of a new query; null if the query fails or takes too
   * long.
   */
  read(): Promise<Answer | null>;
}

export interface ProbeOptions {
  /** Longest wait for a result, in milliseconds. */
  readonly patienceMs: number;
  /** Time for which a result is fresh, in milliseconds. */
  readonly freshMs: number;
}

/** Creates a probe that runs one query at a time. */
export function createProbe<Answer>(
  ask: () => Promise<Answer>,
  { patienceMs, freshMs }: ProbeOptions,
): Probe<Answer> {
  let asking: Promise<Answer | null> | null = null;
  let answer: Answer | null = null;
  let answeredAt = -Infinity;

  async function question(): Promise<Answer | null> {
    try {
      answer = await ask();
    } catch {
      answer = null;
    }
    answeredAt = performance.now();
    asking = null;
    return answer;
  }

  return {
    async read() {
      if (performance.now() - answeredAt < freshMs) return answer;
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
