/** A buffer that grows while bytes are appended. */

export interface ByteSink {
  bytes: Buffer;
  /** Number of bytes written. */
  length: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BLANK = 0x20;
/** The letter of the two-byte escape of a control character. */
const SHORT_ESCAPES: ReadonlyMap<number, number> = new Map([
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0d, 0x72],
]);
/** Length of the longest escape. */
const ESCAPED_CONTROL = 6;
const HEXADECIMAL = Buffer.from('0123456789abcdef');
const CONTROL_PREFIX = Buffer.from('\\u00');
const SHORTEST = 1024;

/** @param expected approximate number of bytes */
export const byteSink = (expected: number): ByteSink => ({
  bytes: Buffer.allocUnsafe(Math.max(SHORTEST, expected)),
  length: 0,
});

/** Grows by less than doubling, which would leave half of a large sink unused. */
function makeRoom(sink: ByteSink, count: number): void {
  const wanted = sink.length + count;
  if (wanted <= sink.bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(wanted, Math.ceil(sink.bytes.length * 1.5)));
  sink.bytes.copy(larger, 0, 0, sink.length);
  sink.bytes = larger;
}

/** Appends a few bytes. */
export function writeBytes(sink: ByteSink, bytes: Buffer): void {
  makeRoom(sink, bytes.length);
  const target = sink.bytes;
  let { length } = sink;
  for (let at = 0; at < bytes.length; at += 1) target[length++] = bytes[at] ?? 0;
  sink.length = length;
}

/**
 * The largest number of bytes that a text can take as a JSON string, with its quotes. Six bytes for each byte would be a simpler
 * bound, and the memory of a long text six times its length.
 */
function jsonStringLength(bytes: Buffer, start: number, end: number): number {
  let length = 2 + end - start;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < BLANK) length += ESCAPED_CONTROL - 1;
    else if (byte === QUOTE || byte === BACKSLASH) length += 1;
  }
  return length;
}

/**
 * Writes text as a JSON string (RFC 8259, 7).
 * @param bytes holds the text from `start` to `end` in UTF-8
 * @param isDoubled each quote in the text is doubled
 */
export function writeJsonString(
  sink: ByteSink,
  bytes: Buffer,
  start: number,
  end: number,
  isDoubled: boolean,
): void {
  makeRoom(sink, jsonStringLength(bytes, start, end));
  const target = sink.bytes;
  let { length } = sink;
  target[length++] = QUOTE;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < BLANK) {
      length = writeControl(target, length, byte);
      continue;
    }
    if (byte === QUOTE || byte === BACKSLASH) target[length++] = BACKSLASH;
    target[length++] = byte;
    if (byte === QUOTE && isDoubled) at += 1;
  }
  target[length++] = QUOTE;
  sink.length = length;
}

/** Line ends and tabs are frequent and have an escape of two bytes; others are written by their number. */
function writeControl(target: Buffer, at: number, byte: number): number {
  const letter = SHORT_ESCAPES.get(byte);
  if (letter !== undefined) {
    target[at] = BACKSLASH;
    target[at + 1] = letter;
    return at + 2;
  }
  CONTROL_PREFIX.copy(target, at);
  target[at + 4] = HEXADECIMAL[byte >> 4] ?? 0;
  target[at + 5] = HEXADECIMAL[byte & 15] ?? 0;
  return at + ESCAPED_CONTROL;
}
