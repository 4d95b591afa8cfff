/** Counts the open streams of each party. */

export interface StreamCount {
  /** @returns a function that ends the stream; null when the party has as many as it may */
  enter(party: string): (() => void) | null;
}

export function createStreamCount(limit: number): StreamCount {
  const open = new Map<string, number>();
  return {
    enter(party) {
      const count = open.get(party) ?? 0;
      if (count >= limit) return null;
      open.set(party, count + 1);
      return () => {
        const left = (open.get(party) ?? 1) - 1;
        if (left === 0) open.delete(party);
        else open.set(party, left);
      };
    },
  };
}
