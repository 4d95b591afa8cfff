/**
 * Finds the keys of a JSON body without making values of it: numbers stay as they are, and PostgreSQL gets the
 * client's bytes. Needs memory for the keys and the nesting alone.
 */
import { isUtf8 } from 'node:buffer';
import {
  bytesAre,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  INVALID,
  OPEN_ARRAY,
  OPEN_OBJECT,
  skipBlanks,
  skipString,
  skipValue,
} from './json-scan.js';

/** What a body is, and the keys of the object, or of the array's first one: no duplicates, in the text's order. */
export interface JsonOutline {
  readonly form: 'object' | 'array' | 'scalar';
  /** False for an array of anything but objects with the same keys; an empty array is uniform. */
  readonly uniform: boolean;
  readonly keys: readonly string[];
}

/** The outline of a JSON text, or null when it is none, or not UTF-8. */
export function outlineJson(bytes: Buffer): JsonOutline | null {
  if (!isUtf8(bytes)) return null;
  const start = skipBlanks(bytes, 0);
  const keys = newKeys();
  let objectsOnly = true;
  let end: number;
  const form = formOf(bytes[start]);
  if (form === 'object') end = readObject(bytes, start, keys);
  else if (form === 'scalar') end = skipValue(bytes, start);
  else {
    end = readArray(bytes, start, (element) => {
      if (bytes[element] !== OPEN_OBJECT) {
        objectsOnly = false;
        return skipValue(bytes, element);
      }
      return readObject(bytes, element, keys);
    });
  }
  if (end === INVALID || skipBlanks(bytes, end) !== bytes.length) return null;
  return { form, uniform: objectsOnly && !keys.differ, keys: [...keys.indexes.keys()] };
}

const formOf = (byte: number | undefined): JsonOutline['form'] =>
  byte === OPEN_OBJECT ? 'object' : byte === OPEN_ARRAY ? 'array' : 'scalar';

/** Walks over an array, each element by `readElement`. */
function readArray(bytes: Buffer, start: number, readElement: (at: number) => number): number {
  let at = skipBlanks(bytes, start + 1);
  if (bytes[at] === CLOSE_ARRAY) return at + 1;
  for (;;) {
    const element = readElement(at);
    if (element === INVALID) return INVALID;
    at = skipBlanks(bytes, element);
    if (bytes[at] === CLOSE_ARRAY) return at + 1;
    if (bytes[at] !== COMMA) return INVALID;
    at = skipBlanks(bytes, at + 1);
  }
}

/** Walks over an object and notes its keys. */
function readObject(bytes: Buffer, start: number, keys: Keys): number {
  beginObject(keys);
  const end = readMembers(bytes, skipBlanks(bytes, start + 1), keys);
  endObject(keys);
  return end;
}

function readMembers(bytes: Buffer, start: number, keys: Keys): number {
  let at = start;
  if (bytes[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const nameEnd = skipString(bytes, at);
    if (nameEnd === INVALID) return INVALID;
    noteKey(keys, bytes, at, nameEnd);
    at = skipBlanks(bytes, nameEnd);
    if (bytes[at] !== COLON) return INVALID;
    at = skipValue(bytes, skipBlanks(bytes, at + 1));
    if (at === INVALID) return INVALID;
    at = skipBlanks(bytes, at);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    if (bytes[at] !== COMMA) return INVALID;
    at = skipBlanks(bytes, at + 1);
  }
}

/**
 * The keys of the first object, and how many of them the present one has. Objects of one array mostly have the same
 * keys in the same order, hence a key is compared with the one at its place first, byte by byte.
 */
interface Keys {
  readonly indexes: Map<string, number>;
  readonly spellings: Buffer[];
  /** By index: the number of the last object that had the key. */
  readonly lastSeen: number[];
  object: number;
  /** Keys of the present object so far, duplicates included. */
  position: number;
  /** Different known keys of the present object. */
  found: number;
  /** True when an object had a key that the first one lacks, or lacked one that it has. */
  differ: boolean;
}

const newKeys = (): Keys => ({
  indexes: new Map(),
  spellings: [],
  lastSeen: [],
  object: 0,
  position: 0,
  found: 0,
  differ: false,
});

function beginObject(keys: Keys): void {
  keys.object += 1;
  keys.position = 0;
  keys.found = 0;
}

function endObject(keys: Keys): void {
  keys.differ ||= keys.found !== keys.indexes.size;
}

function noteKey(keys: Keys, bytes: Buffer, start: number, end: number): void {
  const likely = keys.spellings[keys.position];
  const index =
    likely?.length === end - start && bytesAre(bytes, start, likely)
      ? keys.position
      : indexOfKey(keys, bytes.subarray(start, end));
  keys.position += 1;
  if (index === undefined) keys.differ = true;
  else if (keys.lastSeen[index] !== keys.object) {
    keys.lastSeen[index] = keys.object;
    keys.found += 1;
  }
}

/** Undefined for a key that the first object lacks. */
function indexOfKey(keys: Keys, spelling: Buffer): number | undefined {
  const name = String(JSON.parse(spelling.toString('utf8')));
  const known = keys.indexes.get(name);
  if (known !== undefined || keys.object > 1) return known;
  keys.indexes.set(name, keys.indexes.size);
  keys.spellings.push(spelling);
  return keys.indexes.size - 1;
}
