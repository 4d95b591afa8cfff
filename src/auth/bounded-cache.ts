/** A map that holds a bounded number of entries, each until its time; the oldest one makes room for a new one. */
export interface BoundedCache<V> {
  /** The value under `key`, unless it has expired. */
  get(key: string, nowMs: number): V | undefined;
  set(key: string, value: V, expiresAtMs: number): void;
  clear(): void;
  readonly size: number;
}

interface Entry<V> {
  readonly value: V;
  readonly expiresAtMs: number;
}

/** @param capacity most entries held */
export function boundedCache<V>(capacity: number): BoundedCache<V> {
  const entries = new Map<string, Entry<V>>();
  return {
    get(key, nowMs) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.expiresAtMs <= nowMs) {
        entries.delete(key);
        return undefined;
      }
      return entry.value;
    },
    set(key, value, expiresAtMs) {
      entries.delete(key);
      if (entries.size >= capacity) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      entries.set(key, { value, expiresAtMs });
    },
    clear: () => entries.clear(),
    get size() {
      return entries.size;
    },
  };
}
