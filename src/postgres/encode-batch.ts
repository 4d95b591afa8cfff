/** Batches as protocol messages (PostgreSQL manual, 55.7), written in place into a shared slab. */
import type { Batch, Parameter, BatchQuery } from './batch.js';
import type { Statement } from './statement.js';

const SLAB_BYTES = 1 << 18;
/** Larger values are not copied into the slab but written as they are. */
const COPY_LIMIT = 1 << 16;
/** The protocol counts parameters in two bytes (PostgreSQL manual, 55.7, Bind). */
export const MAX_PARAMETERS = 65_535;
/** Execute of the unnamed portal without a row limit. */
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const BIND = 0x42;

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
let position = 0;
let start = 0;

/** Which statements a connection has parsed, and which of them must be closed first. */
export interface ParsedStatements {
  /** True when Parse must be sent; the statement counts as parsed from then on. */
  mustParse(statement: Statement): boolean;
  /** Close messages that are due. */
  takeCloses(): readonly Statement[];
}

export interface EncodedBatch {
  readonly pieces: readonly Buffer[];
  /** Statements whose Parse is part of this batch, in order. */
  readonly parsing: readonly Statement[];
}

/**
 * @param batch no query of it has more than MAX_PARAMETERS
 * @param parsed null sends unnamed statements, parsed each time
 */
export function encodeBatch(batch: Batch, parsed: ParsedStatements | null): EncodedBatch {
  const pieces: Buffer[] = [];
  const parsing: Statement[] = [];
  start = position;
  // Parses decide which statements must go, but Closes lead: what precedes every query cannot be skipped by an error.
  const parses = batch.queries.map((query) => namesOf(query, parsed)?.mustParse(query.statement) ?? true);
  for (const statement of parsed?.takeCloses() ?? []) put(statement.close, pieces);
  batch.queries.forEach((query, index) => {
    const names = namesOf(query, parsed);
    if (parses[index] === true) {
      put(names === null ? query.statement.parseUnnamed : query.statement.parse, pieces);
      parsing.push(query.statement);
    }
    putBind(query, names === null ? query.statement.bindHeadUnnamed : query.statement.bindHead, pieces);
    put(EXECUTE, pieces);
  });
  put(SYNC, pieces);
  cut(pieces);
  return { pieces, parsing };
}

/** Longer statements, in characters, get no name: a backend keeps about 50 times the text for each that has one. */
const LONGEST_NAMED = 8192;

/** Where the query's statement has a name; null for one without. */
const namesOf = (
  { unnamed, statement }: BatchQuery,
  parsed: ParsedStatements | null,
): ParsedStatements | null => (unnamed === true || statement.text.length > LONGEST_NAMED ? null : parsed);

function putBind({ parameters }: BatchQuery, head: Buffer, pieces: Buffer[]): void {
  reserve(7 + head.length, pieces);
  const values = parameters.map(sized);
  let length = 4 + head.length + 2 + 2;
  for (const value of values) length += 4 + (value === null ? 0 : value.bytes);
  slab[position++] = BIND;
  position = slab.writeInt32BE(length, position);
  position += head.copy(slab, position);
  position = slab.writeUInt16BE(values.length, position);
  for (const value of values) putValue(value, pieces);
  reserve(2, pieces);
  // No result formats: everything comes as text.
  position = slab.writeInt16BE(0, position);
}

interface Sized {
  readonly value: string | Buffer;
  readonly bytes: number;
}

const sized = (value: Parameter): Sized | null =>
  value === null
    ? null
    : { value, bytes: typeof value === 'string' ? Buffer.byteLength(value, 'utf8') : value.length };

function putValue(sizedValue: Sized | null, pieces: Buffer[]): void {
  reserve(4, pieces);
  if (sizedValue === null) {
    position = slab.writeInt32BE(-1, position);
    return;
  }
  const { value, bytes } = sizedValue;
  position = slab.writeInt32BE(bytes, position);
  if (typeof value !== 'string') return put(value, pieces);
  if (bytes > COPY_LIMIT) return put(Buffer.from(value, 'utf8'), pieces);
  reserve(bytes, pieces);
  position += slab.write(value, position, 'utf8');
}

function put(bytes: Buffer, pieces: Buffer[]): void {
  if (bytes.length > COPY_LIMIT) {
    cut(pieces);
    pieces.push(bytes);
    return;
  }
  reserve(bytes.length, pieces);
  position += bytes.copy(slab, position);
}

/** Makes room for `bytes` in one piece. */
function reserve(bytes: number, pieces: Buffer[]): void {
  if (position + bytes <= slab.length) return;
  cut(pieces);
  slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  position = 0;
  start = 0;
}

/** Ends the current piece: what was written since the last one. */
function cut(pieces: Buffer[]): void {
  if (position > start) pieces.push(slab.subarray(start, position));
  start = position;
}
