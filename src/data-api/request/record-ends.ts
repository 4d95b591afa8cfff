/** Finds the ends of lines of NDJSON and of records of CSV in bytes that arrive in chunks. */
import type { LinesOutline } from './json-outline.js';
import type { Work } from '../../base/turns.js';

export interface RecordEnds {
  /** Returns the offset after the last record that ends in the chunk; 0 if none does. */
  lastIn(chunk: Buffer): number;
  /** Returns the number of lines that end in whole records. */
  linesIn(records: Buffer): number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/** The end of a line of NDJSON is a line feed, which no JSON text contains except between its tokens. */
export const lineEnds: RecordEnds = {
  lastIn: (chunk) => chunk.lastIndexOf(LINE_FEED) + 1,
  linesIn: countLineFeeds,
};

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
    linesIn(records) {
      let count = 0;
      for (let at = 0; at < records.length; at++) {
        const byte = records[at];
        if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && records[at + 1] !== LINE_FEED)) count++;
      }
      return count;
    },
  };
}

/** The records of a text: their offsets, and the numbers of the lines on which they begin. */
type RecordOutline = LinesOutline;

/** Bytes after which the outline may pause. */
const WINDOW = 16_384;

/**
 * Outlines the records of a text. The last one may be unfinished.
 * @param line number of the first line
 * @param skipsEmpty whether a record without characters is left out
 * @param most records after which it ends
 */
export function* outlineRecords(
  bytes: Buffer,
  line: number,
  skipsEmpty: boolean,
  most = Infinity,
): Work<RecordOutline> {
  const starts: number[] = [];
  const ends: number[] = [];
  const lines: number[] = [];
  let isQuoted = false;
  let start = 0;
  let first = line;
  let last = line;
  const add = (end: number): void => {
    if (end === start || (skipsEmpty && isEmpty(bytes, start, end))) return;
    starts.push(start);
    ends.push(end);
    lines.push(first);
  };
  for (let at = 0; at < bytes.length && starts.length < most; at++) {
    if (at % WINDOW === 0) yield;
    const byte = bytes[at];
    if (isLineEnd(byte, bytes, at)) last += 1;
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && isLineEnd(byte, bytes, at)) {
      add(at + 1);
      start = at + 1;
      first = last;
    }
  }
  if (starts.length < most) add(bytes.length);
  return { starts, ends, lines };
}

/** Whether a record has nothing but its line end. */
function isEmpty(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++)
    if (bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) return false;
  return true;
}

/** A carriage return at the end of a chunk may be followed by a line feed. */
const isLineEnd = (byte: number | undefined, bytes: Buffer, at: number): boolean =>
  byte === LINE_FEED || (byte === CARRIAGE_RETURN && at + 1 < bytes.length && bytes[at + 1] !== LINE_FEED);

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = nextLineFeed(bytes, 0); at >= 0; at = nextLineFeed(bytes, at + 1)) count++;
  return count;
}

/** A call of `indexOf` costs as much as a look at some bytes, and lines may be short. */
const LOOKED_AT = 32;

function nextLineFeed(bytes: Buffer, start: number): number {
  const end = Math.min(start + LOOKED_AT, bytes.length);
  for (let at = start; at < end; at++) if (bytes[at] === LINE_FEED) return at;
  return bytes.indexOf(LINE_FEED, end);
}
