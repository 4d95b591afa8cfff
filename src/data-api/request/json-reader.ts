/**
 * A pull reader of JSON bytes (RFC 8259). It decodes no value, so that PostgreSQL receives the digits that the client
 * has sent, and needs memory for the nesting only. It does not recurse.
 */
import { endOfCharacter } from '../../base/bytes.js';
import type { Sliced } from '../../base/turns.js';

/**
 * What the reader has found. `object` and `array` are opening brackets, `end` is the closing one. `value` is a scalar, or
 * a container that was passed by `skip`. `done`: the value is followed by blanks up to the end of the bytes. `pause`: the
 * window has been read, and the next call continues; other requests can be served before.
 */
export type Token = 'object' | 'array' | 'value' | 'name' | 'end' | 'done' | 'pause' | 'invalid';

export interface JsonReader {
  readonly bytes: Buffer;
  /** Offset of the last token; for `end`, of the opening bracket. */
  start: number;
  /** Offset after the last token. */
  end: number;
  /** Offset at which the reader continues: behind a name, that of its value. */
  at: number;
  /** Offsets of the open brackets, innermost last. */
  readonly open: number[];
  expects: Expected;
  /** Number of brackets around the container that is passed; `NONE` if none is. */
  passing: number;
  /** Number of bytes after which the reader pauses. */
  readonly window: number;
  /** Offset of the next pause. */
  pause: number;
}

/** What follows: `first` is the first item of a container or its end, `next` a comma or the end. */
type Expected = 'value' | 'first' | 'next' | 'characters';

const NONE = -1;
const INVALID = -1;

const WINDOW = 65_536;

/** Deepest nesting of a value. The recursive parser of PostgreSQL fails on deeper values with another error. */
const MAX_DEPTH = 10_000;

/** Longest run of blanks, number and name, in bytes: the reader cannot pause within them. Longer ones are invalid. */
const MAX_TOKEN = 1_048_576;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const LETTER_U = 0x75;
export const OPEN_OBJECT = 0x7b;
export const OPEN_ARRAY = 0x5b;
/** Difference between a closing bracket and its opening one, in ASCII. */
const TO_CLOSE = 2;

export function readJson(bytes: Buffer, window = WINDOW): JsonReader {
  const at = skipBlanks(bytes, 0);
  return {
    bytes,
    start: at,
    end: at,
    at,
    open: [],
    expects: 'value',
    passing: NONE,
    window,
    pause: window,
  };
}

/** Continues with the value at the offset, which begins another text in the same bytes. */
export function restart(reader: JsonReader, at: number): void {
  reader.at = at;
  reader.open.length = 0;
  reader.expects = 'value';
}

/** Passes the rest of the innermost container: the next token other than a pause is the `value` of it. */
export function skip(reader: JsonReader): void {
  reader.passing = reader.open.length - 1;
}

/** Reads the next token. */
export function next(reader: JsonReader): Token {
  if (reader.passing === NONE) return step(reader);
  for (;;) {
    const token = step(reader);
    if (token === 'pause' || token === 'invalid') return token;
    if (token !== 'end' || reader.open.length > reader.passing) continue;
    reader.passing = NONE;
    return 'value';
  }
}

function step(reader: JsonReader): Token {
  const { bytes, open, expects } = reader;
  let { at } = reader;
  if (at >= reader.pause) {
    reader.pause = at + reader.window;
    return 'pause';
  }
  if (expects === 'characters') return readCharacters(reader, at);
  if (expects !== 'value') {
    at = skipBlanks(bytes, at);
    const bracket = open[open.length - 1];
    if (bracket === undefined) return at === bytes.length ? 'done' : 'invalid';
    const opening = bytes[bracket] ?? 0;
    if (bytes[at] === opening + TO_CLOSE) {
      open.pop();
      return found(reader, 'end', bracket, at + 1);
    }
    if (expects === 'next') {
      if (bytes[at] !== COMMA) return 'invalid';
      at = skipBlanks(bytes, at + 1);
    }
    if (opening === OPEN_OBJECT) return readName(reader, at);
  }
  const byte = bytes[at];
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    if (open.length - Math.max(reader.passing, 0) >= MAX_DEPTH) return 'invalid';
    open.push(at);
    reader.start = at;
    reader.end = reader.at = at + 1;
    reader.expects = 'first';
    return byte === OPEN_OBJECT ? 'object' : 'array';
  }
  if (byte === QUOTE) {
    reader.start = at;
    return readCharacters(reader, at + 1);
  }
  const end = skipScalar(bytes, at);
  return end === INVALID ? 'invalid' : found(reader, 'value', at, end);
}

function found(reader: JsonReader, token: Token, start: number, end: number): Token {
  reader.start = start;
  reader.end = reader.at = end;
  reader.expects = 'next';
  return token;
}

function readName(reader: JsonReader, start: number): Token {
  const { bytes } = reader;
  const end = bytes[start] === QUOTE ? skipCharacters(bytes, start + 1, start + MAX_TOKEN) : INVALID;
  if (end < 0) return 'invalid';
  const colon = skipBlanks(bytes, end);
  if (bytes[colon] !== COLON) return 'invalid';
  reader.start = start;
  reader.end = end;
  reader.at = skipBlanks(bytes, colon + 1);
  reader.expects = 'value';
  return 'name';
}

/** Reads characters of the string that begins at the start of the token. */
function readCharacters(reader: JsonReader, from: number): Token {
  const end = skipCharacters(reader.bytes, from, reader.pause);
  if (end === INVALID) return 'invalid';
  if (end > 0) return found(reader, 'value', reader.start, end);
  reader.at = ~end;
  reader.expects = 'characters';
  reader.pause = reader.at + reader.window;
  return 'pause';
}

// ---------------------------------------------------------------- Tokens

/** Returns the offset after blanks, tabs and line ends. */
export function skipBlanks(bytes: Buffer, start: number): number {
  let at = start;
  for (const limit = start + MAX_TOKEN; at < limit; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
  }
  return at;
}

/** Returns the offset after the closing quote; the complement of the offset that was reached at `pause` before it. */
function skipCharacters(bytes: Buffer, start: number, pause: number): number {
  let at = start;
  while (at < pause) {
    const byte = bytes[at];
    if (byte === undefined || byte < 0x20) return INVALID;
    if (byte === QUOTE) return at + 1;
    at = byte === BACKSLASH ? skipEscape(bytes, at) : at + 1;
    if (at === INVALID) return INVALID;
  }
  return ~at;
}

const ESCAPES: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'));

function skipEscape(bytes: Buffer, start: number): number {
  if (bytes[start + 1] !== LETTER_U) return ESCAPES.has(bytes[start + 1]) ? start + 2 : INVALID;
  const unit = readCodeUnit(bytes, start);
  if (unit < 0xd800 || unit > 0xdfff) return unit === INVALID ? INVALID : start + 6;
  // The low surrogate must follow the high surrogate.
  const second = unit < 0xdc00 ? readCodeUnit(bytes, start + 6) : INVALID;
  return second >= 0xdc00 && second <= 0xdfff ? start + 12 : INVALID;
}

/** The UTF-16 code unit of `\uhhhh`. */
function readCodeUnit(bytes: Buffer, start: number): number {
  if (bytes[start] !== BACKSLASH || bytes[start + 1] !== LETTER_U) return INVALID;
  let unit = 0;
  for (let at = start + 2; at < start + 6; at += 1) {
    const digit = hexadecimalDigit(bytes[at] ?? 0);
    if (digit === INVALID) return INVALID;
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexadecimalDigit(byte: number): number {
  if (isDigit(byte)) return byte - ZERO;
  // Letters of both cases differ in one bit.
  const letter = (byte | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : INVALID;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= 0x39;

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** Returns the offset after a number or a word. */
function skipScalar(bytes: Buffer, start: number): number {
  const byte = bytes[start];
  if (byte === MINUS || isDigit(byte)) return skipNumber(bytes, start);
  const word = byte === 0x74 ? TRUE : byte === 0x66 ? FALSE : NULL;
  return bytesAre(bytes, start, word) ? start + word.length : INVALID;
}

function skipNumber(bytes: Buffer, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : skipDigits(bytes, at);
  if (at !== INVALID && bytes[at] === 0x2e) at = skipDigits(bytes, at + 1);
  if (at !== INVALID && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    const signed = bytes[at + 1] === 0x2b || bytes[at + 1] === MINUS;
    at = skipDigits(bytes, at + (signed ? 2 : 1));
  }
  return at;
}

function skipDigits(bytes: Buffer, start: number): number {
  let at = start;
  const limit = start + MAX_TOKEN;
  while (at < limit && isDigit(bytes[at])) at += 1;
  return at === start ? INVALID : at;
}

/** Whether these bytes are at the offset. */
export function bytesAre(bytes: Buffer, start: number, wanted: Buffer): boolean {
  for (let at = 0; at < wanted.length; at += 1) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}

/** Whether the value at the offset of a JSON text is null. */
export const isNullAt = (bytes: Buffer, at: number): boolean => bytes[at] === NULL[0];

// ---------------------------------------------------------------- Values

/** Whether the bytes are one JSON value. */
export function* isJson(bytes: Buffer): Sliced<boolean> {
  const reader = readJson(bytes);
  for (;;) {
    const token = next(reader);
    if (token === 'pause') yield;
    else if (token === 'done' || token === 'invalid') return token === 'done';
  }
}

/** A member of a JSON object, with the bytes of its value. */
export interface JsonMember {
  readonly name: string;
  readonly value: Buffer;
}

/**
 * Returns the members of a JSON object in the order of the text, including those with equal names; null for any other
 * text. Values are not decoded.
 * @param most largest number of members; the scan ends after one more
 */
export function* membersOfJson(bytes: Buffer, most: number): Sliced<readonly JsonMember[] | null> {
  const members: JsonMember[] = [];
  const isRead = yield* readItems(bytes, 'object', most, (name, start, end) => {
    members.push({ name, value: bytes.subarray(start, end) });
  });
  return isRead ? members : null;
}

/**
 * Returns the bytes of the elements of a JSON array; null for any other text.
 * @param most largest number of elements; the scan ends after one more
 */
export function* elementsOfJson(bytes: Buffer, most: number): Sliced<readonly Buffer[] | null> {
  const elements: Buffer[] = [];
  const isRead = yield* readItems(bytes, 'array', most, (_name, start, end) => {
    elements.push(bytes.subarray(start, end));
  });
  return isRead ? elements : null;
}

/**
 * Calls `item` with the name and the offsets of each value in a JSON object or array; the name of an element is empty.
 * Returns false for any other text.
 * @param most largest number of items; the scan ends after one more
 */
export function* readItems(
  bytes: Buffer,
  kind: 'object' | 'array',
  most: number,
  item: (name: string, start: number, end: number) => void,
): Sliced<boolean> {
  const reader = readJson(bytes);
  if (bytes[reader.at] !== (kind === 'object' ? OPEN_OBJECT : OPEN_ARRAY)) return false;
  let name = '';
  for (let count = 0; count <= most;) {
    switch (next(reader)) {
      case 'name':
        name = decodedName(bytes, reader.start, reader.end);
        break;
      case 'object':
      case 'array':
        if (reader.open.length > 1) skip(reader);
        break;
      case 'value':
        item(name, reader.start, reader.end);
        count += 1;
        break;
      case 'pause':
        yield;
        break;
      case 'invalid':
        return false;
      case 'done':
        return true;
      case 'end':
    }
  }
  return true;
}

/** Decodes a valid name with its quotes. Few have escapes. */
export function decodedName(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
}

/** Returns the text of a JSON string that is valid and has its quotes. */
export function* textOfJson(string: Buffer): Sliced<string> {
  if (string.length <= WINDOW) return decodedName(string, 0, string.length);
  const parts: string[] = [];
  const last = string.length - 1;
  for (let at = 1; at < last;) {
    const end = Math.min(endOfCharacters(string, at, at + WINDOW), last);
    parts.push(String(JSON.parse(`"${string.toString('utf8', at, end)}"`)));
    at = end;
    yield;
  }
  return parts.join('');
}

/** Returns the offset after the first character of a valid string that ends at `pause` or behind it. */
function endOfCharacters(bytes: Buffer, start: number, pause: number): number {
  const reached = skipCharacters(bytes, start, pause);
  return endOfCharacter(bytes, reached < 0 ? ~reached : reached);
}
