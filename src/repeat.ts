/** Work that is done again and again in the background. */

export interface Repeated {
  /** Resolves when the work under way is done. */
  close(): Promise<void>;
}

/**
 * Does the work now, and again an interval after its end.
 * @param work its signal is aborted when there is to be an end
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
