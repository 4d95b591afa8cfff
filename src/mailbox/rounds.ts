/** Work that many want done and one round does for all of them: now and then, and soon after a wake-up. */

export interface Rounds {
  /** Asks for a round; asked while one runs, another follows. */
  wake(): void;
  /** Waits for the round that runs, and starts no other. */
  close(): Promise<void>;
}

/**
 * @param isWanted false: nobody waits, so nothing is done
 * @param intervalMs longest time between two rounds while somebody waits, in milliseconds
 * @param onFailed told of the first round of many that fail; the next one is tried in its time
 */
export function createRounds(
  run: () => Promise<void>,
  isWanted: () => boolean,
  intervalMs: number,
  onFailed: (error: unknown) => void,
): Rounds {
  let asked = false;
  let failing = false;
  let closed = false;
  let running: Promise<void> | null = null;
  const timer = setInterval(wake, intervalMs);
  timer.unref();

  function wake(): void {
    asked = true;
    if (running === null && !closed && isWanted()) running = rounds();
  }

  async function rounds(): Promise<void> {
    while (asked && !closed && isWanted()) {
      asked = false;
      try {
        await run();
        failing = false;
      } catch (error) {
        if (!failing) onFailed(error);
        failing = true;
        break;
      }
    }
    running = null;
  }

  return {
    wake,
    async close() {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}
