/** The cache that all parts use: bounded by entries, by bytes and, for values that expire, by time. */
import { sha256Text } from './hash.js';

/** A map that drops the entries that are used least recently. */
export interface LruCache<V> {
  /** Returns the value of the key, or undefined if it has expired or was evicted. */
  get(key: string): V | undefined;
  /**
   * Stores a value, unless it is larger than half of `maxBytes`.
   * @param expiresAtMs time of the cache's clock at which the entry ends, in milliseconds
   */
  set(key: string, value: V, expiresAtMs?: number): void;
  delete(key: string): void;
  clear(): void;
  /** Entries held. */
  readonly size: number;
  /** Bytes held, as `bytesOf` counts them. */
  readonly bytes: number;
}

interface LruCacheOptions<V> {
  /** Most entries held. */
  readonly maxEntries: number;
  /** Most bytes held, keys included. */
  readonly maxBytes: number;
  /**
   * Returns the bytes that a value keeps in memory. Too high an estimate evicts entries early; too low an estimate
   * exceeds `maxBytes`.
   */
  readonly bytesOf: (value: V) => number;
  /** Clock of expiry times, in milliseconds. */
  readonly now?: () => number;
}

interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
  readonly expiresAtMs: number;
}

/** A generation of entries, and its size in bytes. */
interface Generation<V> {
  readonly entries: Map<string, Entry<V>>;
  bytes: number;
}

/** Two slots of a hash table, the entry, the header of the key. */
const ENTRY_BYTES = 160;
/** Bytes of a character in the text of a key that is not Latin-1. */
const CHARACTER_BYTES = 2;
/** Longer keys, in characters, are kept as their SHA-256. */
const LONGEST_KEY = 1024;
const DIGEST = 'sha256 ';

/**
 * Returns a short text unchanged, and a long one as its digest. A text in the form of a digest is hashed too, so that
 * no key equals the digest of another.
 */
const shortKey = (key: string): string =>
  key.length > LONGEST_KEY || key.startsWith(DIGEST) ? DIGEST + sha256Text(key, 'base64') : key;

/**
 * Entries are young or old. When the young ones reach half of a limit, the old ones are dropped and the young ones
 * become old; an old entry that is read becomes young again. Reading a young entry, the common case, changes nothing.
 */
export function lruCache<V>({
  maxEntries,
  maxBytes,
  bytesOf,
  now = Date.now,
}: LruCacheOptions<V>): LruCache<V> {
  const mostEntries = Math.max(1, Math.floor(maxEntries / 2));
  const mostBytes = maxBytes / 2;
  let young = generation<V>();
  let old = generation<V>();

  function put(name: string, entry: Entry<V>): void {
    if (young.entries.size >= mostEntries || young.bytes + entry.bytes > mostBytes) {
      old = young;
      young = generation();
    }
    young.entries.set(name, entry);
    young.bytes += entry.bytes;
  }

  function drop(name: string): void {
    remove(young, name);
    remove(old, name);
  }

  /** Returns the entry and makes it young. */
  function find(name: string): Entry<V> | undefined {
    const known = young.entries.get(name);
    if (known !== undefined) return known;
    const entry = old.entries.get(name);
    if (entry === undefined) return undefined;
    remove(old, name);
    put(name, entry);
    return entry;
  }

  return {
    get(key) {
      const name = shortKey(key);
      const entry = find(name);
      if (entry === undefined) return undefined;
      if (entry.expiresAtMs === Infinity || entry.expiresAtMs > now()) return entry.value;
      drop(name);
      return undefined;
    },
    set(key, value, expiresAtMs = Infinity) {
      const name = shortKey(key);
      drop(name);
      const bytes = ENTRY_BYTES + CHARACTER_BYTES * name.length + bytesOf(value);
      if (bytes <= mostBytes) put(name, { value, bytes, expiresAtMs });
    },
    delete: (key) => drop(shortKey(key)),
    clear() {
      young = generation();
      old = generation();
    },
    get size() {
      return young.entries.size + old.entries.size;
    },
    get bytes() {
      return young.bytes + old.bytes;
    },
  };
}

const generation = <V>(): Generation<V> => ({ entries: new Map(), bytes: 0 });

function remove<V>(from: Generation<V>, name: string): void {
  const entry = from.entries.get(name);
  if (entry === undefined) return;
  from.entries.delete(name);
  from.bytes -= entry.bytes;
}
