/** Cache of verified tokens. Its keys are SHA-256 digests, so that the cache holds no credentials. */
import { lruCache } from '../base/lru-cache.js';
import { sha256Text } from '../base/hash.js';

export interface TokenCache<V> {
  get(token: string): V | undefined;
  /** @param expiresAtMs in milliseconds since the epoch */
  set(token: string, value: V, expiresAtMs: number): void;
  clear(): void;
}

const MAX_ENTRIES = 10_000;
const MAX_BYTES = 6_291_456;
/** Longest token in the cache, in characters. Longer tokens are rare, and each would evict many others. */
const LONGEST_TOKEN = 8192;

const keyOf = (token: string): string => sha256Text(token, 'base64');

/** @param bytesOf memory of a value, in bytes */
export function tokenCache<V>(bytesOf: (value: V) => number): TokenCache<V> {
  const known = lruCache<V>({ maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES, bytesOf });
  return {
    get: (token) => (token.length > LONGEST_TOKEN ? undefined : known.get(keyOf(token))),
    set(token, value, expiresAtMs) {
      if (token.length <= LONGEST_TOKEN) known.set(keyOf(token), value, expiresAtMs);
    },
    clear: () => known.clear(),
  };
}
