/** A streamed body, NDJSON or CSV, as pieces of rows that PostgreSQL receives as JSON. */
import { isUtf8 } from 'node:buffer';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import { withoutByteOrderMark } from '../../base/bytes.js';
import { runInSlices, type Work } from '../../base/turns.js';
import type { BodyChunks } from '../../contract/request.js';
import { bodyPieces, type BodyPiece } from './body-pieces.js';
import { csvToJson, type CsvFault, type CsvResult } from './csv.js';
import { createLineReader, type LineFault, type LineReader, type LinesOutline } from './json-outline.js';
import type { CsvDialect } from './media-types.js';
import { compareByBytes } from './query-string.js';
import { lineEnds, outlineRecords, recordEnds } from './record-ends.js';

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

function* arrayOf(bytes: Buffer, { starts, ends }: LinesOutline, from: number, to: number): Work<Buffer> {
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
  const convert = (bytes: Buffer): Work<CsvResult> => csvToJson(bytes, dialect, maxKeys);
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
function* firstRecord(bytes: Buffer, skipsEmpty: boolean): Work<Buffer> {
  const { starts, ends } = yield* outlineRecords(bytes, 1, skipsEmpty, 1);
  return bytes.subarray(starts[0] ?? bytes.length, ends[0]);
}

/** @param hasHeader whether the first record of the piece is no row */
function csvPiece(
  all: Buffer,
  keys: readonly string[],
  header: Buffer,
  piece: BodyPiece,
  { hasHeader, skipsEmpty }: { readonly hasHeader: boolean; readonly skipsEmpty: boolean },
  convert: (bytes: Buffer) => Work<CsvResult>,
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
  convert: (bytes: Buffer) => Work<CsvResult>,
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
