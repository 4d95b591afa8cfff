/**
 * Finds the keys of a JSON body without decoding its values: PostgreSQL receives the client's bytes, so numbers do
 * not change. It needs memory for the keys and the nesting only.
 */
import { isUtf8 } from 'node:buffer';
import type { Work } from '../../base/turns.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  INVALID,
  newWalk,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PAUSED,
  resumeValue,
  skipBlanks,
  skipString,
  skipValue,
  type Walk,
} from './json-scan.js';
import { beginObject, endObject, newKeys, noteKey, type Keys } from './object-keys.js';

/** Kind and keys of a body: those of the object, or of the array's first object, without duplicates, in the order of the text. */
export interface JsonOutline {
  readonly form: 'object' | 'array' | 'scalar';
  /** False for an array of anything but objects with the same keys; an empty array is uniform. */
  readonly uniform: boolean;
  readonly keys: readonly string[];
  /** Whether a value of an object is an object, an array or null, so that it may be related objects. */
  readonly nested: boolean;
}

const WINDOW = 65_536;

/** The first byte of `null`. */
const BEGINS_NULL = 0x6e;

/**
 * Returns the outline of a JSON text; null for a text that is not JSON or not UTF-8; `too many keys` beyond the
 * limit.
 * @param window number of bytes after which the scan may pause
 */
export function* outlineJson(
  bytes: Buffer,
  maxKeys: number,
  window = WINDOW,
): Work<JsonOutline | 'too many keys' | null> {
  if (!isUtf8(bytes)) return null;
  const start = skipBlanks(bytes, 0);
  const form = formOf(bytes[start]);
  const scan: Scan = {
    bytes,
    window,
    walk: newWalk(),
    pause: window,
    keys: newKeys(form === 'array'),
    maxKeys,
    objectsOnly: true,
    nested: false,
  };
  const end = form === 'array' ? yield* readArray(scan, start) : yield* readElement(scan, start);
  if (scan.keys.indexes.size > maxKeys) return 'too many keys';
  if (end === INVALID || skipBlanks(bytes, end) !== bytes.length) return null;
  const uniform = scan.objectsOnly && !scan.keys.differ;
  return {
    form,
    uniform: form === 'scalar' || uniform,
    keys: [...scan.keys.indexes.keys()],
    nested: scan.nested,
  };
}

/** Where the objects of lines are in their bytes: offsets, and numbers of their lines from 0. */
export interface LinesOutline {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly lines: readonly number[];
}

/** A line that is no JSON object with the keys of the first one. */
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
  read(bytes: Buffer): Work<LinesOutline | LineFault>;
}

/** @param anyKeys whether objects may have other keys than the first one */
export function createLineReader(maxKeys: number, anyKeys: boolean, window = WINDOW): LineReader {
  const keys = newKeys(true);
  return {
    keys: () => [...keys.indexes.keys()],
    read(bytes) {
      const scan: Scan = {
        bytes,
        window,
        walk: newWalk(),
        pause: window,
        keys,
        maxKeys,
        objectsOnly: true,
        nested: false,
      };
      return readLines(scan, anyKeys);
    },
  };
}

const LINE_FEED = 0x0a;

function* readLines(scan: Scan, anyKeys: boolean): Work<LinesOutline | LineFault> {
  const { bytes, keys } = scan;
  const outline = { starts: [] as number[], ends: [] as number[], lines: [] as number[] };
  const isText = isUtf8(bytes);
  let line = 0;
  for (let at = 0; at < bytes.length; line++) {
    // Blank lines are passed over at once: their blanks would be read again from each of them.
    const start = skipBlanks(bytes, at);
    let begin = at;
    for (; at < start; at++) {
      if (bytes[at] !== LINE_FEED) continue;
      line++;
      begin = at + 1;
    }
    if (at >= scan.pause) {
      yield;
      scan.pause = at + scan.window;
    }
    if (start >= bytes.length) break;
    const feed = bytes.indexOf(LINE_FEED, begin);
    const lineEnd = feed < 0 ? bytes.length : feed;
    if (!isText && !isUtf8(bytes.subarray(start, lineEnd))) return { kind: 'not UTF-8', line };
    at = lineEnd + 1;
    if (bytes[start] !== OPEN_OBJECT) return { kind: 'not an object', line };
    beginObject(keys);
    const end = yield* readMembers(scan, skipBlanks(bytes, start + 1));
    endObject(keys);
    if (keys.indexes.size > scan.maxKeys) return { kind: 'too many keys', line };
    if (end === INVALID || end > lineEnd || skipBlanks(bytes, end) < lineEnd)
      return { kind: 'not JSON', line };
    if (keys.differ && !anyKeys) return { kind: 'other keys', line };
    outline.starts.push(start);
    outline.ends.push(end);
    outline.lines.push(line);
    if (at >= scan.pause) {
      yield;
      scan.pause = at + scan.window;
    }
  }
  return outline;
}

const formOf = (byte: number | undefined): JsonOutline['form'] =>
  byte === OPEN_OBJECT ? 'object' : byte === OPEN_ARRAY ? 'array' : 'scalar';

/**
 * A scan of a body from its first byte to its last. Functions return the offset after the text that they read, or
 * `INVALID`.
 */
interface Scan {
  readonly bytes: Buffer;
  /** Number of bytes after which the walk pauses. */
  readonly window: number;
  readonly walk: Walk;
  /** Offset of the next pause. */
  pause: number;
  readonly keys: Keys;
  readonly maxKeys: number;
  /** False if an element was not an object. */
  objectsOnly: boolean;
  nested: boolean;
}

function* readArray(scan: Scan, start: number): Work<number> {
  const { bytes } = scan;
  let at = skipBlanks(bytes, start + 1);
  if (bytes[at] === CLOSE_ARRAY) return at + 1;
  for (;;) {
    const element = yield* readElement(scan, at);
    if (element === INVALID) return INVALID;
    at = skipBlanks(bytes, element);
    if (at >= scan.pause) {
      yield;
      scan.pause = at + scan.window;
    }
    if (bytes[at] === CLOSE_ARRAY) return at + 1;
    if (bytes[at] !== COMMA) return INVALID;
    at = skipBlanks(bytes, at + 1);
  }
}

/** Reads an element of the array, or the body itself, and collects the keys of an object. */
function* readElement(scan: Scan, start: number): Work<number> {
  const { bytes, keys } = scan;
  if (bytes[start] !== OPEN_OBJECT) {
    scan.objectsOnly = false;
    const end = skipValue(bytes, start, scan.walk, scan.pause);
    return end === PAUSED ? yield* restOfValue(scan) : end;
  }
  beginObject(keys);
  const end = yield* readMembers(scan, skipBlanks(bytes, start + 1));
  endObject(keys);
  return end;
}

function* readMembers(scan: Scan, start: number): Work<number> {
  const { bytes, keys } = scan;
  let at = start;
  if (bytes[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const nameEnd = skipString(bytes, at);
    if (nameEnd === INVALID) return INVALID;
    noteKey(keys, bytes, at, nameEnd);
    if (keys.indexes.size > scan.maxKeys) return INVALID;
    at = skipBlanks(bytes, nameEnd);
    if (bytes[at] !== COLON) return INVALID;
    at = skipBlanks(bytes, at + 1);
    const byte = bytes[at];
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY || byte === BEGINS_NULL) scan.nested = true;
    at = skipValue(bytes, at, scan.walk, scan.pause);
    if (at === PAUSED) at = yield* restOfValue(scan);
    if (at === INVALID) return INVALID;
    at = skipBlanks(bytes, at);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    if (bytes[at] !== COMMA) return INVALID;
    at = skipBlanks(bytes, at + 1);
  }
}

/** Pauses, then continues with the value. */
function* restOfValue(scan: Scan): Work<number> {
  for (;;) {
    yield;
    scan.pause = scan.walk.at + scan.window;
    const end = resumeValue(scan.bytes, scan.walk, scan.pause);
    if (end !== PAUSED) return end;
  }
}
