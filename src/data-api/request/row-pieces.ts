/** A streamed body, NDJSON or CSV, as pieces of rows that PostgreSQL receives as JSON. */
import { isUtf8 } from 'node:buffer';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import { withoutByteOrderMark, addChunk, type ChunkList } from '../../base/bytes.js';
import { runInSlices, type Sliced, pauseBetween } from '../../base/turns.js';
import type { BodyChunks } from '../../contract/request.js';
import { csvToJson, type CsvFault, type CsvResult } from './csv.js';
import { createLineReader, type LineFault, type LineReader, type LinesOutline } from './json-outline.js';
import type { CsvDialect } from './media-types.js';
import { compareByBytes } from './query-string.js';

/** The format of a streamed body. */
export type UploadFormat = 'ndjson' | CsvDialect;

/** Rows of a streamed body. */
export interface RowPiece {
  /** The keys of the first row of the body, without duplicates, sorted by code point. */
  readonly keys: readonly string[];
  /** All rows as a JSON array. */
  readonly all: Buffer;
  /** Finds the rows apart: if one is refused. */
  rows(): Promise<PieceRows>;
}

/** The rows of a piece, by their numbers from 0. */
export interface PieceRows {
  readonly count: number;
  /** Returns the rows from `from` up to, and without, `to` as a JSON array. */
  readonly part: (from: number, to: number) => Promise<Buffer>;
  /** Number of the line of the body on which a row begins, from 1. */
  readonly lineOf: (row: number) => number;
}

interface RowPieceOptions {
  /** Most different keys. */
  readonly maxKeys: number;
  /** Longest line, in bytes. */
  readonly maxLine: number;
  /** The columns that the query string names; null if the first row does. */
  readonly columns: readonly string[] | null;
}

/** @throws DBR181 (400), DBR182 (413), DBR130; the errors of `BodyChunks.next` */
export function rowPieces(
  body: BodyChunks,
  format: UploadFormat,
  options: RowPieceOptions,
): AsyncGenerator<RowPiece, void, undefined> {
  return format === 'ndjson' ? jsonPieces(body, options) : csvPieces(body, format, options);
}

const asKeys = (names: readonly string[]): readonly string[] => [...new Set(names)].sort(compareByBytes);

// ---------------------------------------------------------------- NDJSON

async function* jsonPieces(
  body: BodyChunks,
  { maxKeys, maxLine, columns }: RowPieceOptions,
): AsyncGenerator<RowPiece, void, undefined> {
  const reader = createLineReader(maxKeys, columns !== null);
  for await (const piece of bodyPieces(body, lineEnds, maxLine)) {
    const read = await runInSlices(reader.read(piece.bytes));
    if ('kind' in read) throw lineError(read, piece, maxKeys);
    if (read.starts.length > 0) yield await jsonPiece(piece, read, keysOf(reader, columns));
  }
}

const keysOf = (reader: LineReader, columns: readonly string[] | null): readonly string[] =>
  asKeys(columns ?? reader.keys());

async function jsonPiece(
  { bytes, line }: BodyPiece,
  outline: LinesOutline,
  keys: readonly string[],
): Promise<RowPiece> {
  const { starts, ends, lines } = outline;
  const part = (from: number, to: number): Promise<Buffer> => runInSlices(arrayOf(bytes, outline, from, to));
  const rows: PieceRows = {
    count: starts.length,
    part,
    lineOf: (row) => line + (lines[row] ?? ends.length),
  };
  return { keys, all: await part(0, starts.length), rows: () => Promise.resolve(rows) };
}

const OPEN = 0x5b;
const COMMA = 0x2c;
const CLOSE = 0x5d;

/** Rows after which the copying may pause. */
const ROWS_OF_SLICE = 8192;

function* arrayOf(bytes: Buffer, { starts, ends }: LinesOutline, from: number, to: number): Sliced<Buffer> {
  const array = Buffer.allocUnsafe(bytes.length + 2);
  let length = 0;
  array[length++] = OPEN;
  for (let row = from; row < to; row++) {
    if (row > from) array[length++] = COMMA;
    length += bytes.copy(array, length, starts[row], ends[row]);
    if (row % ROWS_OF_SLICE === 0) yield;
  }
  array[length++] = CLOSE;
  return array.subarray(0, length);
}

const REASONS: Readonly<Record<LineFault['kind'], string>> = {
  'not UTF-8': 'It is not UTF-8.',
  'not JSON': 'It is not one JSON object.',
  'not an object': 'It is not a JSON object.',
  'other keys': 'It has other members than the first object.',
  'too many keys': '',
};

function lineError({ kind, line }: LineFault, piece: BodyPiece, maxKeys: number): DbrError {
  if (kind === 'too many keys') return dbrError('TooManyKeys', { limit: maxKeys });
  return dbrError('InvalidLine', { line: piece.line + line, reason: REASONS[kind] });
}

// ---------------------------------------------------------------- CSV

async function* csvPieces(
  body: BodyChunks,
  dialect: CsvDialect,
  { maxKeys, maxLine, columns }: RowPieceOptions,
): AsyncGenerator<RowPiece, void, undefined> {
  const convert = (bytes: Buffer): Sliced<CsvResult> => csvToJson(bytes, dialect, maxKeys);
  let header: Buffer = EMPTY;
  let isFirst = true;
  for await (const received of bodyPieces(body, recordEnds(), maxLine)) {
    const piece = isFirst ? { ...received, bytes: withoutByteOrderMark(received.bytes) } : received;
    isFirst = false;
    if (!isUtf8(piece.bytes)) throw await csvError(piece, header, convert, 'It is not UTF-8.');
    const result = await runInSlices(convert(joined(header, piece.bytes)));
    if (!result.ok) throw await csvError(piece, header, convert, reasonOf(result.fault));
    const skipsEmpty = dialect === 'csv' || result.header.length > 1;
    const hasHeader = header.length === 0;
    if (hasHeader) header = await runInSlices(firstRecord(piece.bytes, skipsEmpty));
    const keys = asKeys((dialect === 'csv' ? null : columns) ?? result.header);
    if (result.header.length > 0)
      yield csvPiece(result.body, keys, header, piece, { hasHeader, skipsEmpty }, convert);
  }
}

const EMPTY = Buffer.alloc(0);

const joined = (header: Buffer, records: Buffer): Buffer =>
  header.length === 0 ? records : Buffer.concat([header, records]);

/** Returns the first record that is a row, as it was sent. */
function* firstRecord(bytes: Buffer, skipsEmpty: boolean): Sliced<Buffer> {
  const { starts, ends } = yield* outlineRecords(bytes, 1, skipsEmpty, 1);
  return bytes.subarray(starts[0] ?? bytes.length, ends[0]);
}

/** @param hasHeader whether the first record of the piece is not a row */
function csvPiece(
  all: Buffer,
  keys: readonly string[],
  header: Buffer,
  piece: BodyPiece,
  { hasHeader, skipsEmpty }: { readonly hasHeader: boolean; readonly skipsEmpty: boolean },
  convert: (bytes: Buffer) => Sliced<CsvResult>,
): RowPiece {
  const { bytes, line } = piece;
  async function rows(): Promise<PieceRows> {
    const { starts, ends, lines } = await runInSlices(outlineRecords(bytes, line, skipsEmpty));
    const first = hasHeader ? 1 : 0;
    return {
      count: starts.length - first,
      async part(from, to) {
        const part = bytes.subarray(starts[from + first], ends[to - 1 + first]);
        const result = await runInSlices(convert(Buffer.concat([header, part])));
        return result.ok ? result.body : EMPTY;
      },
      lineOf: (row) => lines[row + first] ?? 0,
    };
  }
  return { keys, all, rows };
}

function reasonOf(fault: CsvFault): string {
  switch (fault.kind) {
    case 'differentFieldCounts':
      return 'It has another number of fields than the first line.';
    case 'tooManyKeys':
      return 'It has too many names.';
    case 'malformed':
      return fault.reason;
  }
}

/** Finds the first record that cannot be read, by halves: each attempt reads the names again, which may be long. */
async function csvError(
  piece: BodyPiece,
  header: Buffer,
  convert: (bytes: Buffer) => Sliced<CsvResult>,
  reason: string,
): Promise<DbrError> {
  const { starts, lines } = await runInSlices(outlineRecords(piece.bytes, piece.line, true));
  const isFaulty = async (count: number): Promise<boolean> => {
    const bytes = piece.bytes.subarray(0, starts[count]);
    return !isUtf8(bytes) || !(await runInSlices(convert(joined(header, bytes)))).ok;
  };
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isFaulty(middle)) high = middle;
    else low = middle;
  }
  return dbrError('InvalidLine', { line: lines[low] ?? piece.line, reason });
}

// Cuts a body that arrives into pieces of whole records, which are written one after another.

/** Bytes of whole records. */
interface BodyPiece {
  readonly bytes: Buffer;
  /** Number of the first line, from 1. */
  readonly line: number;
}

/** A longer piece, in bytes, is complete with its last record. */
const PIECE_BYTES = 524_288;
/** Records of a slow body wait for others for this time, in milliseconds: their transaction is open meanwhile. */
const PIECE_MS = 1000;

interface PiecesState extends ChunkList {
  readonly body: BodyChunks;
  readonly ends: RecordEnds;
  /** Longest record, in bytes. */
  readonly longest: number;
  chunks: Buffer[];
  bytes: number;
  /** Bytes of the whole records at the beginning of the chunks. */
  whole: number;
  line: number;
  /** When the first of the chunks arrived. */
  since: number;
  next: Promise<Buffer | null> | null;
}

/**
 * Returns the pieces in order. The memory of a piece is given back when the next one is asked for.
 * @param longest longest record, in bytes
 * @throws DBR182 (413); the errors of `BodyChunks.next`
 */
async function* bodyPieces(
  body: BodyChunks,
  ends: RecordEnds,
  longest: number,
): AsyncGenerator<BodyPiece, void, undefined> {
  const state: PiecesState = {
    body,
    ends,
    longest,
    chunks: [],
    unjoined: 0,
    bytes: 0,
    whole: 0,
    line: 1,
    since: 0,
    next: null,
  };
  for (;;) {
    const chunk = await nextChunk(state);
    await pauseBetween();
    if (chunk === null) break;
    if (chunk !== 'late') add(state, chunk);
    if (state.whole === 0 || (chunk !== 'late' && !isDue(state))) continue;
    const piece = take(state, state.whole);
    await pauseBetween();
    yield piece;
    body.release(piece.bytes.length);
  }
  if (state.bytes === 0) return;
  const last = take(state, state.bytes);
  await pauseBetween();
  yield last;
}

const isDue = ({ bytes, since }: PiecesState): boolean =>
  bytes >= PIECE_BYTES || performance.now() - since >= PIECE_MS;

/** Waits for a chunk; `late` if whole records have waited long enough for it. */
async function nextChunk(state: PiecesState): Promise<Buffer | 'late' | null> {
  state.next ??= state.body.next();
  // The error of a chunk for which nothing waits is reported when it is asked for.
  state.next.catch(() => undefined);
  const chunk = await (state.whole === 0 ? state.next : withinTime(state.next, state.since + PIECE_MS));
  if (chunk !== 'late') state.next = null;
  return chunk;
}

function withinTime(next: Promise<Buffer | null>, until: number): Promise<Buffer | 'late' | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('late'), Math.max(0, until - performance.now()));
    next.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function add(state: PiecesState, chunk: Buffer): void {
  if (state.bytes === 0) state.since = performance.now();
  const last = state.ends.lastIn(chunk);
  if (last > 0) state.whole = state.bytes + last;
  addChunk(state, chunk);
  state.bytes += chunk.length;
  const open = state.bytes - state.whole;
  if (open > state.longest)
    throw dbrError('LineTooLong', { line: lineAfterWhole(state), limit: state.longest });
}

/** Number of the line that has begun. */
function lineAfterWhole({ ends, chunks, whole, line }: PiecesState): number {
  return line + ends.linesIn(Buffer.concat(chunks).subarray(0, whole));
}

function take(state: PiecesState, length: number): BodyPiece {
  const all =
    state.chunks.length === 1 ? (state.chunks[0] ?? EMPTY) : Buffer.concat(state.chunks, state.bytes);
  const bytes = all.subarray(0, length);
  const piece = { bytes, line: state.line };
  const rest = Buffer.from(all.subarray(length));
  state.chunks = rest.length === 0 ? [] : [rest];
  state.unjoined = state.chunks.length;
  state.bytes = rest.length;
  state.whole = 0;
  state.since = performance.now();
  state.line += state.ends.linesIn(bytes);
  return piece;
}

// Finds the ends of lines of NDJSON and of records of CSV in bytes that arrive in chunks.

interface RecordEnds {
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
): Sliced<RecordOutline> {
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
