/**
 * CSV body (RFC 4180) → JSON bytes for PostgreSQL (data API §1.8). It works on bytes, because strings of the fields
 * would need several times the time and memory.
 */
import type { Sliced } from '../../base/turns.js';
import { bytesAre } from './json-reader.js';
import type { CsvDialect } from './media-types.js';

/** The reason why a text is not CSV, for DBR102. */
export type CsvFault =
  | { readonly kind: 'differentFieldCounts' }
  | { readonly kind: 'tooManyKeys' }
  | { readonly kind: 'malformed'; readonly reason: string };

export type CsvResult =
  | { readonly ok: true; readonly header: readonly string[]; readonly body: Buffer }
  | { readonly ok: false; readonly fault: CsvFault };

const QUOTE = 0x22;
const COMMA = 0x2c;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const NULL_WORD = Buffer.from('NULL');
const JSON_NULL = Buffer.from('null');
const EMPTY = Buffer.alloc(0);

/**
 * Limit of the growth from CSV to JSON. Every row of the JSON repeats the names of its columns, so a short body with
 * long names and many rows would become very large. Names have at most 63 bytes in PostgreSQL, and an empty field has
 * one byte, its comma.
 */
const MOST_GROWTH = 72;
const ALWAYS_ALLOWED = 1_048_576;
/** Half of the longest value of PostgreSQL (1 GB), in bytes. */
const MOST_BYTES = 536_870_912;

/**
 * Converts rows to an array of objects, whose keys are the fields of the first line. Lines end with LF, CR or CR LF;
 * the end of the last line is optional, unless it is the first. Of the dialect `csv`, the field `NULL` is null and
 * empty lines are skipped. Of `rfc4180`, an empty field without quotes is null; the first line is the header, also if it
 * has no end, and a body without bytes has no rows; an empty line is a row if there is one column, and else skipped.
 * @param bytes UTF-8
 * @param maxKeys most names in the header
 * @param window number of bytes after which the conversion may pause
 */
export function* csvToJson(
  bytes: Buffer,
  dialect: CsvDialect,
  maxKeys: number,
  window = WINDOW,
): Sliced<CsvResult> {
  const isRfc4180 = dialect === 'rfc4180';
  if (isRfc4180 && bytes.length === 0) return { ok: true, header: [], body: NO_ROWS };
  const limit = Math.min(bytes.length * MOST_GROWTH + ALWAYS_ALLOWED, MOST_BYTES);
  const sink = byteSink(bytes.length);
  const pace: Pace = { window, pause: window };
  const head = yield* readHeader(bytes, isRfc4180, maxKeys, pace);
  if (!head.ok) return malformed(head.reason);
  if (head.header.length > maxKeys) return { ok: false, fault: { kind: 'tooManyKeys' } };
  if (head.header.length > 0 && !head.isEnded && !isRfc4180) return malformed(TOO_SHORT);
  const { header, prefixes } = head;
  const repeated = repeatedName(header);
  if (repeated !== undefined) return malformed(`the first line has the name "${repeated}" twice`);
  const isNull = isRfc4180 ? isEmptyField : isNullWord;
  const skipsEmpty = !isRfc4180 || header.length > 1;
  const writeField: OnField = (start, end, isQuoted, index) => {
    // A row with more fields than the header is refused at its end.
    if (index >= header.length) return;
    writeBytes(sink, prefixes[index] ?? EMPTY);
    if (isNull(bytes, start, end, isQuoted)) writeBytes(sink, JSON_NULL);
    else writeJsonString(sink, bytes, start, end, isQuoted);
  };
  let opening = OPENING;
  const record = recordAt(head.end);
  while (record.at < bytes.length) {
    const begin = sink.length;
    writeBytes(sink, opening);
    // A generator for each row would cost more than the row.
    let step = readRecord(bytes, record, pace.pause, writeField);
    if (step === 'pause') step = yield* restOfRecord(bytes, record, pace, writeField);
    if (step !== 'record') return malformed(step.reason);
    if (isEmptyLine(record) && skipsEmpty) sink.length = begin;
    else if (record.fields !== header.length) return { ok: false, fault: { kind: 'differentFieldCounts' } };
    else {
      writeBytes(sink, CLOSING);
      opening = NEXT;
    }
    if (sink.length > limit) return malformed('the rows are too long with the names of their columns');
  }
  writeBytes(sink, opening === OPENING ? NO_ROWS : END);
  return { ok: true, header, body: sink.bytes.subarray(0, sink.length) };
}

function repeatedName(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

const OPENING = Buffer.from('[');
const NEXT = Buffer.from(',');
const CLOSING = Buffer.from('}');
const END = Buffer.from(']');
const NO_ROWS = Buffer.from('[]');

const TOO_SHORT = 'parse error (not enough input) at ""';

const malformed = (reason: string): CsvResult => ({ ok: false, fault: { kind: 'malformed', reason } });

type Header =
  | {
      readonly ok: true;
      readonly header: readonly string[];
      readonly prefixes: readonly Buffer[];
      /** True if a line end follows. */
      readonly isEnded: boolean;
      readonly end: number;
    }
  | { readonly ok: false; readonly reason: string };

/** The first line, or the first that is not empty; no names if all lines are empty. */
function* readHeader(bytes: Buffer, takesEmpty: boolean, maxKeys: number, pace: Pace): Sliced<Header> {
  if (bytes.length === 0) return { ok: false, reason: TOO_SHORT };
  const header: string[] = [];
  const addName: OnField = (start, end, isQuoted, index) => {
    if (index === 0) header.length = 0;
    if (index > maxKeys) return;
    const text = bytes.toString('utf8', start, end);
    header.push(isQuoted ? text.replaceAll('""', '"') : text);
  };
  const record = recordAt(0);
  while (record.at < bytes.length) {
    let step = readRecord(bytes, record, pace.pause, addName);
    if (step === 'pause') step = yield* restOfRecord(bytes, record, pace, addName);
    if (step !== 'record') return { ok: false, reason: step.reason };
    if (isEmptyLine(record) && !takesEmpty) continue;
    const prefixes = header.map((name, index) =>
      Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    );
    return { ok: true, header, prefixes, isEnded: record.isEnded, end: record.at };
  }
  return { ok: true, header: [], prefixes: [], isEnded: true, end: bytes.length };
}

/** Whether a field stands for null. */
type IsNull = (bytes: Buffer, start: number, end: number, isQuoted: boolean) => boolean;

const isNullWord: IsNull = (bytes, start, end) =>
  end - start === NULL_WORD.length && bytesAre(bytes, start, NULL_WORD);

const isEmptyField: IsNull = (_bytes, start, end, isQuoted) => start === end && !isQuoted;

/** A record that is read in one step or several. */
interface CsvRecord {
  /** Offset of its next field; once it is read, that of the next record. */
  at: number;
  fields: number;
  /** Bytes of the fields. */
  length: number;
  /** True once it is read; then false for the last line of a text that ends without a line end. */
  isRead: boolean;
  isEnded: boolean;
}

const recordAt = (at: number): CsvRecord => ({ at, fields: 0, length: 0, isRead: false, isEnded: false });

/** One field without characters. */
const isEmptyLine = ({ fields, length }: CsvRecord): boolean => fields === 1 && length === 0;

/** `record`: its end is reached. `pause`: the offset at which to pause is reached. */
type RecordStep = 'record' | 'pause' | { readonly reason: string };

/** Called for every field with its position, without its quotes. In a quoted field two quotes stand for one. */
type OnField = (start: number, end: number, isQuoted: boolean, index: number) => void;

const WINDOW = 16_384;

/** Longest field, in bytes: the conversion cannot pause within one. */
const MAX_FIELD = 1_048_576;

/** The offset of the next pause. */
interface Pace {
  readonly window: number;
  pause: number;
}

/** Reads the next record, or continues with one that has paused. @param pause offset behind which it pauses */
function readRecord(bytes: Buffer, record: CsvRecord, pause: number, onField: OnField): RecordStep {
  if (record.isRead) {
    record.isRead = false;
    record.fields = 0;
    record.length = 0;
  }
  for (;;) {
    const { at } = record;
    if (at >= pause) return 'pause';
    const isQuoted = bytes[at] === QUOTE;
    const end = isQuoted ? endOfQuoted(bytes, at) : endOfPlain(bytes, at);
    if (end === UNCLOSED) return { reason: 'parse error (a quoted field is not closed)' };
    if (end === TOO_LONG) return { reason: `a field is longer than ${String(MAX_FIELD)} bytes` };
    const from = isQuoted ? at + 1 : at;
    const to = isQuoted ? end - 1 : end;
    onField(from, to, isQuoted, record.fields);
    record.fields += 1;
    record.length += to - from;
    const next = bytes[end];
    if (next === COMMA) {
      record.at = end + 1;
      continue;
    }
    if (next !== undefined && next !== LINE_FEED && next !== CARRIAGE_RETURN)
      return { reason: 'parse error (a field has text beside its quotes)' };
    record.isRead = true;
    record.isEnded = next !== undefined;
    record.at = next === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED ? end + 2 : end + 1;
    if (next === undefined) record.at = end;
    return 'record';
  }
}

/** Reads a record to its end, with pauses. */
function* restOfRecord(
  bytes: Buffer,
  record: CsvRecord,
  pace: Pace,
  onField: OnField,
): Sliced<Exclude<RecordStep, 'pause'>> {
  for (;;) {
    yield;
    pace.pause = record.at + pace.window;
    const step = readRecord(bytes, record, pace.pause, onField);
    if (step !== 'pause') return step;
  }
}

const UNCLOSED = -1;
const TOO_LONG = -2;

function endOfPlain(bytes: Buffer, start: number): number {
  const limit = start + MAX_FIELD;
  for (let at = start; at <= limit; at += 1) {
    const byte = bytes[at];
    if (byte === undefined || byte === COMMA || byte === LINE_FEED) return at;
    if (byte === QUOTE || byte === CARRIAGE_RETURN) return at;
  }
  return TOO_LONG;
}

/** Returns the offset after the closing quote. */
function endOfQuoted(bytes: Buffer, start: number): number {
  const limit = start + MAX_FIELD;
  for (let at = start + 1; at <= limit; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return UNCLOSED;
    if (byte !== QUOTE) continue;
    if (bytes[at + 1] !== QUOTE) return at + 1;
    at += 1;
  }
  return TOO_LONG;
}

// A buffer that grows while bytes are appended.

export interface ByteSink {
  bytes: Buffer;
  /** Number of bytes written. */
  length: number;
}

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
