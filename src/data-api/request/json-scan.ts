/**
 * Scans JSON bytes without decoding values (RFC 8259). Every function takes the offset of its token and returns the
 * offset after it, or `INVALID`. No function recurses.
 */

export const INVALID = -1;
/** Returned if a value does not end before the offset of the pause. */
export const PAUSED = -2;

/** Deepest nesting of a value. The recursive parser of PostgreSQL fails on deeper values with another error. */
const MAX_DEPTH = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const LETTER_U = 0x75;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;

const ESCAPES: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'));
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= 0x39;

const isHexadecimal = (byte: number | undefined): boolean =>
  byte !== undefined && (isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66));

/** Longest run of blanks, number and name, in bytes: the scan cannot pause within them. Longer ones are refused. */
const MAX_TOKEN = 1_048_576;

/** Returns the offset after blanks, tabs and line ends. */
export function skipBlanks(bytes: Buffer, start: number): number {
  let at = start;
  for (const limit = start + MAX_TOKEN; at < limit; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
  }
  return at;
}

/** Returns the offset after a name with its quotes. */
export function skipString(bytes: Buffer, start: number): number {
  if (bytes[start] !== QUOTE) return INVALID;
  const end = skipCharacters(bytes, start + 1, start + MAX_TOKEN, null);
  return end === PAUSED ? INVALID : end;
}

/** Returns the offset after the closing quote. */
function skipCharacters(bytes: Buffer, start: number, pause: number, walk: Walk | null): number {
  let at = start;
  while (at < pause) {
    const byte = bytes[at];
    if (byte === undefined || byte < 0x20) return INVALID;
    if (byte === QUOTE) return at + 1;
    at = byte === BACKSLASH ? skipEscape(bytes, at) : at + 1;
    if (at === INVALID) return INVALID;
  }
  if (walk !== null) walk.at = at;
  return PAUSED;
}

/** Returns the offset after the first character of a valid string that ends at `pause` or behind it. */
export function endOfCharacters(bytes: Buffer, start: number, pause: number): number {
  let at = start;
  while (at < pause) at = bytes[at] === BACKSLASH ? skipEscape(bytes, at) : at + 1;
  // Bytes 10xxxxxx continue a character.
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}

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
  for (let at = start + 2; at < start + 6; at += 1) if (!isHexadecimal(bytes[at])) return INVALID;
  return Number.parseInt(bytes.toString('latin1', start + 2, start + 6), 16);
}

function skipDigits(bytes: Buffer, start: number): number {
  let at = start;
  const limit = start + MAX_TOKEN;
  while (at < limit && isDigit(bytes[at])) at += 1;
  return at === start ? INVALID : at;
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

/** Returns the offset after a number or a word. */
function skipScalar(bytes: Buffer, start: number): number {
  const byte = bytes[start];
  if (byte === MINUS || isDigit(byte)) return skipNumber(bytes, start);
  const word = byte === 0x74 ? TRUE : byte === 0x66 ? FALSE : NULL;
  return bytesAre(bytes, start, word) ? start + word.length : INVALID;
}

/** Whether these bytes are at the offset. */
export function bytesAre(bytes: Buffer, start: number, wanted: Buffer): boolean {
  for (let at = 0; at < wanted.length; at += 1) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}

/** Returns the offset after `"name" :` and the blanks that follow. */
function skipName(bytes: Buffer, start: number): number {
  const name = skipString(bytes, start);
  if (name === INVALID) return INVALID;
  const colon = skipBlanks(bytes, name);
  return bytes[colon] === COLON ? skipBlanks(bytes, colon + 1) : INVALID;
}

/** The state of a scan over a value. */
export interface Walk {
  at: number;
  /** The expected closing brackets, innermost last. */
  readonly due: number[];
  /** True within a string value. */
  inString: boolean;
}

export const newWalk = (): Walk => ({ at: 0, due: [], inString: false });

/** Returns the offset after a value, or `PAUSED` if `pause` is reached first; `resumeValue` then continues. */
export function skipValue(bytes: Buffer, start: number, walk: Walk, pause: number): number {
  walk.at = start;
  walk.due.length = 0;
  walk.inString = false;
  return resumeValue(bytes, walk, pause);
}

export function resumeValue(bytes: Buffer, walk: Walk, pause: number): number {
  const { due } = walk;
  let { at } = walk;
  for (;;) {
    if (at >= pause) return paused(walk, at);
    const byte = bytes[at];
    if (!walk.inString && (byte === OPEN_OBJECT || byte === OPEN_ARRAY)) {
      const close = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      at = skipBlanks(bytes, at + 1);
      if (bytes[at] !== close) {
        if (due.length === MAX_DEPTH) return INVALID;
        due.push(close);
        if (close === CLOSE_OBJECT) at = skipName(bytes, at);
        if (at === INVALID) return INVALID;
        continue;
      }
      at += 1;
    } else if (walk.inString || byte === QUOTE) {
      const text = walk.inString ? at : at + 1;
      walk.inString = true;
      at = skipCharacters(bytes, text, pause, walk);
      if (at === PAUSED) return PAUSED;
      walk.inString = false;
    } else at = skipScalar(bytes, at);
    at = at === INVALID ? INVALID : leave(bytes, at, due);
    if (at === INVALID || due.length === 0) return at;
  }
}

function paused(walk: Walk, at: number): number {
  walk.at = at;
  return PAUSED;
}

/**
 * Returns the offset of the next value after the end of a value and its closing brackets, or the end of the outermost
 * value.
 */
function leave(bytes: Buffer, start: number, due: number[]): number {
  let at = start;
  for (;;) {
    const close = due.at(-1);
    if (close === undefined) return at;
    at = skipBlanks(bytes, at);
    if (bytes[at] === COMMA) {
      at = skipBlanks(bytes, at + 1);
      return close === CLOSE_OBJECT ? skipName(bytes, at) : at;
    }
    if (bytes[at] !== close) return INVALID;
    due.pop();
    at += 1;
  }
}
