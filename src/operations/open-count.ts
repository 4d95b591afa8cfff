/** Counts of open objects for each key, for example the streams of a user. */

/** Decrements the count. Further calls have no effect. */
export type Leave = () => void;

export interface OpenCount {
  /** @returns a function that decrements the count again; null if the count of the key has reached the limit */
  enter(key: string): Leave | null | Promise<Leave | null>;
}

/** An open count of this process. */
export interface LocalOpenCount extends OpenCount {
  enter(key: string): Leave | null;
}

export function createOpenCount(limit: number): LocalOpenCount {
  const open = new Map<string, number>();
  return {
    enter(key) {
      const before = open.get(key) ?? 0;
      if (before >= limit) return null;
      open.set(key, before + 1);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      };
    },
  };
}
