/** Tells the streams of parties, of which there are few and each has many sessions, that something was written, here or in another process. */

/** Processes tell each other on it that there are new events; which ones they read themselves. */
export const SESSION_CHANNEL = 'dbr_signing';

export interface WakeUps {
  /** Counts the wake-ups; taken before looking, so that none is missed that comes while looking. */
  readonly count: number;
  wake(): void;
  /**
   * Resolves at the first wake-up after `count`, when the time is over, or when the signal is aborted.
   * @param timeoutMs in milliseconds
   */
  after(count: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export function createWakeUps(): WakeUps {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    get count() {
      return count;
    },
    wake() {
      count += 1;
      for (const resolve of [...waiting]) resolve();
    },
    after(seen, timeoutMs, signal) {
      if (count !== seen || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        waiting.add(done);
        signal.addEventListener('abort', done, { once: true });
      });
    },
  };
}
