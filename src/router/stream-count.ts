/** Counts of the open streams of each connection. */
export interface StreamCount {
  /**
   * Counts a stream. Returns a function that removes it from the count; null if the connection has as many as it may have.
   * @param peer address and port of the client, which identify an open connection
   */
  enter(peer: string): (() => void) | null;
  /** The text of a refusal. */
  readonly refusal: string;
}

/** @param limit open streams of one connection */
export function createStreamCount(limit: number): StreamCount {
  const counts = new Map<string, number>();
  return {
    refusal: `at most ${String(limit)} open streams on a connection: open another one, or use SubscribeMailbox`,
    enter(peer) {
      const count = counts.get(peer) ?? 0;
      if (count >= limit) return null;
      counts.set(peer, count + 1);
      return () => {
        const left = (counts.get(peer) ?? 1) - 1;
        if (left === 0) counts.delete(peer);
        else counts.set(peer, left);
      };
    },
  };
}
