/** How many bytes are kept for idempotency keys. */

export interface KeptBytes {
  /** @throws as `read` of `createKeptBytes` */
  current(): Promise<number>;
  /** Counts an answer that this process has kept, until the table is read again. */
  add(bytes: number): void;
}

/** Shortest time between two readings of the table, in milliseconds. */
const INTERVAL_MS = 1000;
/** Largest part of the time that reading takes: one in so many. */
const PAUSE_FACTOR = 50;

/**
 * Counts of one process. The table is not read in the transactions that write it, whose isolation may be serializable: all
 * of them would conflict. So processes that write at the same time may exceed the limit by what each keeps between two
 * readings.
 * @param read the bytes in the table
 */
export function createKeptBytes(read: () => Promise<number>): KeptBytes {
  let bytes = 0;
  let dueAt = -Infinity;
  let reading: Promise<void> | null = null;

  async function readAgain(): Promise<void> {
    const startedAt = performance.now();
    try {
      bytes = await read();
      const endedAt = performance.now();
      dueAt = endedAt + Math.max(INTERVAL_MS, PAUSE_FACTOR * (endedAt - startedAt));
    } finally {
      reading = null;
    }
  }

  return {
    async current() {
      if (performance.now() >= dueAt) await (reading ??= readAgain());
      return bytes;
    },
    add: (more) => void (bytes += more),
  };
}
