/** Whether a database answers: asked for readiness, however often and by how many. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Probe<Answer> {
  /** The last answer when it is fresh, else a new one; null when the question fails or takes too long. */
  read(): Promise<Answer | null>;
}

export interface ProbeOptions {
  /** Longest wait for an answer, in milliseconds. */
  readonly patienceMs: number;
  /** How long an answer holds, in milliseconds. */
  readonly freshMs: number;
}

/** One question at a time: while one is not answered, no second is asked. */
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
