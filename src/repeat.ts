/** Work that is repeated in the background. */

export interface Repeated {
  /** Stops the repetition. Resolves when the current run has ended. */
  close(): Promise<void>;
}

/**
 * Runs the work now, and again an interval after each end.
 * @param work its signal is aborted by `close`
 * @param intervalMs in milliseconds
 * @param onFailed called for the first of several failures in a row
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  intervalMs: number,
  onFailed: (error: unknown) => void,
): Repeated {
  const stop = new AbortController();
  let failing = false;
  let timer: NodeJS.Timeout | null = null;

  async function run(): Promise<void> {
    try {
      await work(stop.signal);
      failing = false;
    } catch (error) {
      if (!failing) onFailed(error);
      failing = true;
    }
    if (!stop.signal.aborted) timer = setTimeout(again, intervalMs).unref();
  }

  function again(): void {
    running = run();
  }

  let running = run();
  return {
    async close() {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
