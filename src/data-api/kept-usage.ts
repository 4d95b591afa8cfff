/** How much is kept for idempotency keys, and whether another answer has room. */

/** What is kept. */
export interface Share {
  readonly rows: number;
  readonly bytes: number;
}

/** Bounds of what is kept: of one role, and of all together. */
export interface KeptLimits {
  readonly role: Share;
  readonly all: Share;
}

/** Whose share is full; null if there is room. */
export type FullShare = 'role' | 'all' | null;

export interface KeptUsage {
  /** @throws as `readShares` */
  full(role: string, limits: KeptLimits): Promise<FullShare>;
  /** Counts an answer that this process has kept, until the table is read again. */
  add(role: string, bytes: number): void;
}

/** Shortest time between two readings of the table, in milliseconds: with room, and while it may be full. */
const INTERVAL_MS = 10_000;
const INTERVAL_OF_FULL_MS = 1000;
/** Largest part of the time that reading takes: one in so many. */
const PAUSE_FACTOR = 50;

const NONE: Share = { rows: 0, bytes: 0 };
const sum = (left: Share, right: Share): Share => ({
  rows: left.rows + right.rows,
  bytes: left.bytes + right.bytes,
});
const exceeds = (share: Share, limit: Share): boolean =>
  share.rows >= limit.rows || share.bytes >= limit.bytes;

/**
 * Counts of one process. The table is not read in the transactions that write it, whose isolation may be serializable: all
 * of them would conflict. So processes that write at the same time may exceed the limits by what each keeps between two
 * readings.
 * @param readShares what each role keeps
 */
export function createKeptUsage(readShares: () => Promise<ReadonlyMap<string, Share>>): KeptUsage {
  const shares = new Map<string, Share>();
  let readAt = -Infinity;
  let shortest = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const startedAt = performance.now();
    try {
      const known = await readShares();
      shares.clear();
      for (const [role, share] of known) shares.set(role, share);
      readAt = performance.now();
      shortest = PAUSE_FACTOR * (readAt - startedAt);
    } finally {
      reading = null;
    }
  }

  const fullShare = (role: string, limits: KeptLimits): FullShare => {
    if (exceeds([...shares.values()].reduce(sum, NONE), limits.all)) return 'all';
    return exceeds(shares.get(role) ?? NONE, limits.role) ? 'role' : null;
  };

  return {
    async full(role, limits) {
      const interval = fullShare(role, limits) === null ? INTERVAL_MS : INTERVAL_OF_FULL_MS;
      if (performance.now() - readAt >= Math.max(interval, shortest)) await (reading ??= read());
      return fullShare(role, limits);
    },
    add: (role, bytes) => void shares.set(role, sum(shares.get(role) ?? NONE, { rows: 1, bytes })),
  };
}
