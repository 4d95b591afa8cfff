/** Values of JSON whose types are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value of a JSON text; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Deepest nesting of a JSON text that is parsed at once. */
const MAX_DEPTH = 32;

/**
 * Says of a JSON text, without parsing it, why what reads its value would hold the event loop for long; null if it would not.
 * @param mostMarks commas and opening brackets and braces
 */
export function costOf(text: string, mostMarks: number): string | null {
  let depth = 0;
  let marks = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += inString ? 1 : 0;
    else if (code === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
    else if (code === COMMA || code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (code !== COMMA && ++depth > MAX_DEPTH) return `is nested deeper than ${String(MAX_DEPTH)} levels`;
      if (++marks > mostMarks) return `has more than ${String(mostMarks)} commas and opening brackets`;
    }
  }
  return null;
}

/** Longest text of a number without an exponent whose digits JavaScript surely keeps. */
const KEPT_LENGTH = 15;

/**
 * The numbers of a JSON text that JavaScript may round, long ones and those with an exponent: in turns, the offset of the
 * first byte of one, and that behind its last one.
 */
function longNumbersIn(bytes: Buffer): Uint32Array {
  // The shortest one and a comma have four bytes. An array that grows takes ten times as long.
  const found = new Uint32Array(bytes.length / 2 + 2);
  let count = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) inString = !inString;
    else if (!inString && (code === MINUS || isDigit(code))) {
      const start = at;
      let hasExponent = false;
      for (let next = bytes[at + 1] ?? 0; isInNumber(next); next = bytes[at + 1] ?? 0) {
        if (next === EXPONENT || next === LARGE_EXPONENT) hasExponent = true;
        at += 1;
      }
      if (!hasExponent && at + 1 - start <= KEPT_LENGTH) continue;
      found[count++] = start;
      found[count++] = at + 1;
    }
  }
  return found.subarray(0, count);
}

/** Returns the value of a JSON text with long numbers as texts, because JavaScript would round them; undefined if it is not JSON. */
export function exactJsonIn(text: string): unknown {
  const bytes = Buffer.from(text);
  const offsets = longNumbersIn(bytes);
  if (offsets.length === 0) return jsonIn(text);
  const quoted = Buffer.allocUnsafe(bytes.length + offsets.length);
  let to = 0;
  let from = 0;
  for (const offset of offsets) {
    // Most pieces have a few bytes, for which a call of `copy` takes long.
    while (from < offset) quoted[to++] = bytes[from++] ?? 0;
    quoted[to++] = QUOTE;
  }
  bytes.copy(quoted, to, from);
  return jsonIn(quoted.toString('utf8'));
}

/** Longest text of a number that is compared with what JavaScript makes of it. */
const LONGEST_NUMBER = 100;

/** Whether JavaScript would change the digits of a number of a JSON text. */
export const hasRoundedNumber = (bytes: Buffer): boolean =>
  longNumbersIn(bytes).some((end, index, offsets) => {
    if (index % 2 === 0) return false;
    const start = offsets[index - 1] ?? end;
    if (end - start > LONGEST_NUMBER) return true;
    const number = bytes.toString('latin1', start, end);
    return digitsOf(number) !== digitsOf(String(Number(number)));
  });

/** The digits of a number, without its exponent and the zeros around them. */
const digitsOf = (number: string): string =>
  number
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isInNumber = (code: number): boolean =>
  isDigit(code) ||
  code === POINT ||
  code === PLUS ||
  code === MINUS ||
  code === EXPONENT ||
  code === LARGE_EXPONENT;

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const EXPONENT = 0x65;
const LARGE_EXPONENT = 0x45;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
