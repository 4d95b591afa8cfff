import { bytesAre } from './json-scan.js';

/**
 * The keys of the first object, and their occurrences in the current object. Objects of one array mostly have the
 * same keys in the same order, so a key is first compared, byte by byte, with the key at its position.
 */
export interface Keys {
  readonly indexes: Map<string, number>;
  readonly spellings: Buffer[];
  /** Whether more objects may follow the first one. A buffer for each of its keys costs more than the rest of the key. */
  readonly several: boolean;
  /** By index: the number of the last object that had the key. */
  readonly lastSeen: number[];
  object: number;
  /** Number of keys of the current object so far, including duplicates. */
  position: number;
  /** Number of different known keys of the current object. */
  found: number;
  /** True if an object has other keys than the first object. */
  differ: boolean;
}

/** @param several whether more objects may follow the first one */
export const newKeys = (several: boolean): Keys => ({
  indexes: new Map(),
  spellings: [],
  several,
  lastSeen: [],
  object: 0,
  position: 0,
  found: 0,
  differ: false,
});

export function beginObject(keys: Keys): void {
  keys.object += 1;
  keys.position = 0;
  keys.found = 0;
}

export function endObject(keys: Keys): void {
  keys.differ ||= keys.found !== keys.indexes.size;
}

/** Notes the key whose spelling, with its quotes, is from `start` up to `end`. */
export function noteKey(keys: Keys, bytes: Buffer, start: number, end: number): void {
  const likely = keys.spellings[keys.position];
  const index =
    likely?.length === end - start && bytesAre(bytes, start, likely)
      ? keys.position
      : indexOfKey(keys, bytes, start, end);
  keys.position += 1;
  if (index === undefined) keys.differ = true;
  else if (keys.lastSeen[index] !== keys.object) {
    keys.lastSeen[index] = keys.object;
    keys.found += 1;
  }
}

/** Returns undefined for a key that the first object lacks. */
function indexOfKey(keys: Keys, bytes: Buffer, start: number, end: number): number | undefined {
  const name = nameOf(bytes.toString('utf8', start, end));
  const known = keys.indexes.get(name);
  if (known !== undefined || keys.object > 1) return known;
  keys.indexes.set(name, keys.indexes.size);
  if (keys.several) keys.spellings.push(bytes.subarray(start, end));
  return keys.indexes.size - 1;
}

/** Decodes a key in quotes. Few have escapes. */
const nameOf = (text: string): string => (text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1));
