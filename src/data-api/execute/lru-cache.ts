/** A map of bounded size: what is asked for now and then stays, what nobody asks for goes. */
export interface LruCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  clear(): void;
  readonly size: number;
}

/**
 * Entries are young or old. When half the capacity is young the old ones are dropped and the young grow old; an old one that
 * is asked for is young again. A look-up of a young one, which is nearly every one, changes nothing.
 *
 * @param capacity most entries held
 */
export function lruCache<V>(capacity: number): LruCache<V> {
  const half = Math.max(1, Math.floor(capacity / 2));
  let young = new Map<string, V>();
  let old = new Map<string, V>();

  function set(key: string, value: V): void {
    if (young.size >= half && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get(key) {
      const known = young.get(key);
      if (known !== undefined) return known;
      const value = old.get(key);
      if (value !== undefined) {
        old.delete(key);
        set(key, value);
      }
      return value;
    },
    set(key, value) {
      old.delete(key);
      set(key, value);
    },
    clear() {
      young.clear();
      old.clear();
    },
    get size() {
      return young.size + old.size;
    },
  };
}
