/** Finds the ends of lines of NDJSON and of records of CSV in bytes that arrive in chunks. */

export interface RecordEnds {
  /** Returns the offset after the last record that ends in the chunk; 0 if none does. */
  lastIn(chunk: Buffer): number;
}

export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/** The end of a line of NDJSON is a line feed, which no JSON text contains except between its tokens. */
export const lineEnds: RecordEnds = { lastIn: (chunk) => chunk.lastIndexOf(LINE_FEED) + 1 };

/** The end of a record of CSV is a line end outside of quotes (RFC 4180). */
export function recordEnds(): RecordEnds {
  let isQuoted = false;
  return {
    lastIn(chunk) {
      let last = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at];
        if (byte === QUOTE) isQuoted = !isQuoted;
        else if (!isQuoted && isLineEnd(byte, chunk, at)) last = at + 1;
      }
      return last;
    },
  };
}

/** The records of a text, by their offsets. The last one may be unfinished. @param line number of the first line */
export function* recordsIn(
  bytes: Buffer,
  line: number,
): Generator<{ readonly start: number; readonly end: number; readonly line: number }, void, undefined> {
  let isQuoted = false;
  let start = 0;
  let first = line;
  let last = line;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LINE_FEED) last += 1;
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && isLineEnd(byte, bytes, at)) {
      yield { start, end: at + 1, line: first };
      start = at + 1;
      first = last;
    }
  }
  if (start !== bytes.length) yield { start, end: bytes.length, line: first };
}

/** A carriage return at the end of a chunk may be followed by a line feed. */
const isLineEnd = (byte: number | undefined, bytes: Buffer, at: number): boolean =>
  byte === LINE_FEED || (byte === CARRIAGE_RETURN && at + 1 < bytes.length && bytes[at + 1] !== LINE_FEED);

/** Number of lines that end within the bytes. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
