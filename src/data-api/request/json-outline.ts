/** Finds the keys of the rows in a JSON body without decoding their values. */
import { isUtf8 } from 'node:buffer';
import type { Sliced } from '../../base/turns.js';
import {
  bytesAre,
  decodedName,
  isNullAt,
  type JsonReader,
  next,
  OPEN_ARRAY,
  OPEN_OBJECT,
  readJson,
  restart,
  skip,
  skipBlanks,
} from './json-reader.js';

// ---------------------------------------------------------------- Keys

/**
 * The known keys of objects, and their occurrences in the current object. Objects of one array mostly have the same keys
 * in the same order, so a key is first compared, byte by byte, with the key at its position.
 */
export interface Keys {
  readonly indexes: Map<string, number>;
  readonly spellings: Buffer[];
  /** By index: the number of the last object that had the key. */
  readonly lastSeen: number[];
  /** Number of the current object, from 1. */
  object: number;
  /** Number of keys of the current object so far, including duplicates. */
  position: number;
  /** Number of different known keys of the current object. */
  found: number;
}

export const newKeys = (): Keys => ({
  indexes: new Map(),
  spellings: [],
  lastSeen: [],
  object: 0,
  position: 0,
  found: 0,
});

export function beginObject(keys: Keys): void {
  keys.object += 1;
  keys.position = 0;
  keys.found = 0;
}

/** Returns the index of the key whose spelling, with its quotes, is from `start` up to `end`; the name of an unknown one. */
export function findKey(keys: Keys, bytes: Buffer, start: number, end: number): number | string {
  const { position } = keys;
  keys.position += 1;
  const likely = keys.spellings[position];
  if (likely?.length === end - start && bytesAre(bytes, start, likely)) return position;
  const name = decodedName(bytes, start, end);
  return keys.indexes.get(name) ?? name;
}

/** @param spelling null if no other object follows: a buffer for each of its keys costs more than the rest of the key */
export function addKey(keys: Keys, name: string, spelling: Buffer | null): number {
  const index = keys.indexes.size;
  keys.indexes.set(name, index);
  if (spelling !== null) keys.spellings.push(spelling);
  return index;
}

export function seeKey(keys: Keys, index: number): void {
  if (keys.lastSeen[index] === keys.object) return;
  keys.lastSeen[index] = keys.object;
  keys.found += 1;
}

/** Whether the current object, at its end, has all known keys. */
export const hasAllKeys = ({ found, indexes }: Keys): boolean => found === indexes.size;

// ---------------------------------------------------------------- Rows

interface Rows {
  readonly reader: JsonReader;
  readonly keys: Keys;
  readonly maxKeys: number;
  /** Number of open brackets within a row. */
  readonly depth: number;
  /** Whether more rows may follow the first one. */
  readonly several: boolean;
  /** False if a value is not an object, or has other keys than the first one. */
  uniform: boolean;
  /** Whether a value of an object is an object, an array or null, so that it may be related objects. */
  nested: boolean;
}

/** Reads to the end of the outermost value, to a pause or to a fault. */
function readRows(rows: Rows): 'end' | 'pause' | 'invalid' | 'too many keys' {
  const { reader, keys, depth } = rows;
  const { bytes, open } = reader;
  for (;;) {
    const token = next(reader);
    switch (token) {
      case 'name': {
        if (!readKey(rows)) return 'too many keys';
        const byte = bytes[reader.at];
        if (byte === OPEN_OBJECT || byte === OPEN_ARRAY || isNullAt(bytes, reader.at)) rows.nested = true;
        break;
      }
      case 'value':
        if (open.length < depth) rows.uniform = false;
        if (open.length === 0) return 'end';
        break;
      case 'object':
        if (open.length === depth) beginObject(keys);
        else skip(reader);
        break;
      case 'array':
        if (open.length >= depth) skip(reader);
        break;
      case 'end':
        if (open.length < depth && bytes[reader.start] === OPEN_OBJECT && !hasAllKeys(keys))
          rows.uniform = false;
        if (open.length === 0) return 'end';
        break;
      case 'pause':
      case 'invalid':
        return token;
      case 'done':
        return 'end';
    }
  }
}

/** Returns false beyond the limit of keys. */
function readKey(rows: Rows): boolean {
  const { keys, maxKeys, several, reader } = rows;
  const { bytes, start, end } = reader;
  const known = findKey(keys, bytes, start, end);
  if (typeof known === 'number') seeKey(keys, known);
  else if (keys.object > 1) rows.uniform = false;
  else {
    seeKey(keys, addKey(keys, known, several ? bytes.subarray(start, end) : null));
    return keys.indexes.size <= maxKeys;
  }
  return true;
}

// ---------------------------------------------------------------- Whole bodies

/** Kind and keys of a body: those of the object, or of the array's first object, without duplicates, in the order of the text. */
export interface JsonOutline {
  readonly form: 'object' | 'array' | 'scalar';
  /** False for an array of anything but objects with the same keys; an empty array is uniform. */
  readonly uniform: boolean;
  readonly keys: readonly string[];
  /** Whether a value of an object is an object, an array or null, so that it may be related objects. */
  readonly nested: boolean;
}

/**
 * Returns the outline of a JSON text; null for a text that is not JSON or not UTF-8; `too many keys` beyond the
 * limit.
 * @param window number of bytes after which the work may pause
 */
export function* outlineJson(
  bytes: Buffer,
  maxKeys: number,
  window?: number,
): Sliced<JsonOutline | 'too many keys' | null> {
  if (!isUtf8(bytes)) return null;
  const reader = readJson(bytes, window);
  const first = bytes[reader.at];
  const form = first === OPEN_OBJECT ? 'object' : first === OPEN_ARRAY ? 'array' : 'scalar';
  const several = form === 'array';
  const keys = newKeys();
  const rows = { reader, keys, maxKeys, depth: several ? 2 : 1, several, uniform: true, nested: false };
  for (;;) {
    const result = readRows(rows);
    if (result === 'pause') yield;
    else if (result === 'too many keys') return result;
    else if (result === 'invalid' || skipBlanks(bytes, reader.at) !== bytes.length) return null;
    else {
      const { uniform, nested } = rows;
      return { form, uniform: form === 'scalar' || uniform, keys: [...keys.indexes.keys()], nested };
    }
  }
}

// ---------------------------------------------------------------- Lines

/** Where the objects of lines are in their bytes: offsets, and numbers of their lines from 0. */
export interface LinesOutline {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly lines: readonly number[];
}

/** Why a line is not an object with the keys of the first line. */
export interface LineFault {
  readonly kind: 'not UTF-8' | 'not JSON' | 'not an object' | 'other keys' | 'too many keys';
  /** Number of the line, from 0. */
  readonly line: number;
}

/** The keys of the objects in the lines of a body that is read in pieces. */
export interface LineReader {
  /** Those of the first object. */
  keys(): readonly string[];
  /** Reads a piece of whole lines. Blank lines are skipped. */
  read(bytes: Buffer): Sliced<LinesOutline | LineFault>;
}

/** @param anyKeys whether objects may have other keys than the first one */
export function createLineReader(maxKeys: number, anyKeys: boolean, window?: number): LineReader {
  const keys = newKeys();
  return {
    keys: () => [...keys.indexes.keys()],
    read: (bytes) =>
      readLines(
        {
          reader: readJson(bytes, window),
          keys,
          maxKeys,
          depth: 1,
          several: true,
          uniform: true,
          nested: false,
        },
        anyKeys,
      ),
  };
}

const LINE_FEED = 0x0a;

function* readLines(rows: Rows, anyKeys: boolean): Sliced<LinesOutline | LineFault> {
  const { reader } = rows;
  const { bytes, window } = reader;
  const outline = { starts: [] as number[], ends: [] as number[], lines: [] as number[] };
  const isText = isUtf8(bytes);
  let line = 0;
  for (let at = 0; at < bytes.length; line++) {
    // Blank lines are passed over at once: their blanks would be read again from each of them.
    const start = skipBlanks(bytes, at);
    if (start >= at + window) yield;
    let begin = at;
    for (; at < start; at++) {
      if (bytes[at] !== LINE_FEED) continue;
      line++;
      begin = at + 1;
    }
    if (start >= bytes.length) break;
    const feed = bytes.indexOf(LINE_FEED, begin);
    const lineEnd = feed < 0 ? bytes.length : feed;
    if (!isText && !isUtf8(bytes.subarray(start, lineEnd))) return { kind: 'not UTF-8', line };
    at = lineEnd + 1;
    if (bytes[start] !== OPEN_OBJECT) return { kind: 'not an object', line };
    restart(reader, start);
    let result = readRows(rows);
    for (; result === 'pause'; result = readRows(rows)) yield;
    if (result === 'too many keys') return { kind: result, line };
    const end = reader.at;
    if (result === 'invalid' || end > lineEnd || skipBlanks(bytes, end) < lineEnd)
      return { kind: 'not JSON', line };
    if (!rows.uniform && !anyKeys) return { kind: 'other keys', line };
    outline.starts.push(start);
    outline.ends.push(end);
    outline.lines.push(line);
  }
  return outline;
}
