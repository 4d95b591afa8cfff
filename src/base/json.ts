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

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
