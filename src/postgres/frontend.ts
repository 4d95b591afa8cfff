/**
 * The messages of the frontend (PostgreSQL manual, 55.7): encodes batches in place in a shared slab, and knows the statements
 * that a connection has prepared. Parse and Close are encoded when they are sent: buffers that are kept for each statement
 * would take several times the memory of the text, and keep the slabs that they are part of.
 */
import type { Batch, BatchQuery, EncodedParameters, Parameter, Statement } from './batch.js';

const SLAB_BYTES = 1 << 18;
/** Longer values, in bytes, are not copied into the slab; their own buffer is written. */
const COPY_LIMIT = 1 << 16;
/** The protocol counts parameters in two bytes (PostgreSQL manual, 55.7, Bind). */
export const MAX_PARAMETERS = 65_535;
/** Describe of the unnamed portal. */
const DESCRIBE = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
/** Execute of the unnamed portal without a row limit. */
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
/** Offset of the row limit in `EXECUTE`. */
const ROW_LIMIT = 6;
/** Content of Bind of the unnamed statement, up to the parameter values. */
const UNNAMED_BIND_HEAD = '\0\0\0\0';
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const BIND = 0x42;

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
let position = 0;
let start = 0;

/**
 * @param batch its queries have at most MAX_PARAMETERS parameters
 * @param prepared null sends unnamed statements, parsed each time
 * @param pieces receives the bytes; those of several batches are one piece where possible
 * @returns the statements whose Parse is part of the batch, in order
 */
export function encodeBatch(
  { queries }: Pick<Batch, 'queries'>,
  prepared: PreparedStatements | null,
  pieces: Buffer[],
): readonly Statement[] {
  const parsing: Statement[] = [];
  start = position;
  // A Parse decides which statements must be closed, but Close messages come first: an error cannot skip those.
  const uses = queries.map((query) => preparedUse(query, prepared));
  for (const name of prepared?.takeCloses() ?? []) put(closeMessage(name), pieces);
  queries.forEach((query, index) => {
    const { statement } = query;
    const use = uses[index];
    if (use === 'parse' || use === 'unnamed') {
      put(parseMessage(statement, use === 'parse' ? statement.name : ''), pieces);
      parsing.push(statement);
    }
    if (use !== null) putBind(query, use === 'unnamed' ? UNNAMED_BIND_HEAD : statement.bindHead, pieces);
    if (query.describesRows === true) put(DESCRIBE, pieces);
    put(query.portion === undefined ? EXECUTE : limitedExecute(query.portion.maxRows), pieces);
  });
  put(SYNC, pieces);
  cut(pieces);
  return parsing;
}

/** Null for a later portion, whose statement is bound already. */
function preparedUse(
  { statement, unnamed, portion }: BatchQuery,
  prepared: PreparedStatements | null,
): StatementUse | null {
  if (portion?.isFirst === false) return null;
  return unnamed === true || prepared === null ? 'unnamed' : prepared.use(statement);
}

function limitedExecute(maxRows: number): Buffer {
  const execute = Buffer.from(EXECUTE);
  execute.writeInt32BE(maxRows, ROW_LIMIT);
  return execute;
}

function putBind(query: BatchQuery, head: string, pieces: Buffer[]): void {
  let most = BIND_BYTES + head.length + (query.encoded?.bytes.length ?? 0);
  for (const value of query.parameters) most += 4 + longest(value);
  if (most > COPY_LIMIT) return putLongBind(query, head, pieces);
  reserve(most, pieces);
  putShortBind(query, head);
}

/** Bytes of a Bind message without names and values. */
const BIND_BYTES = 11;

/** Most bytes of a value. */
function longest(value: Parameter): number {
  if (value === null) return 0;
  return typeof value === 'string' ? 3 * value.length : value.length;
}

/** Writes a message for which there is room. Its length is known afterwards, so that texts are encoded once. */
function putShortBind({ encoded, parameters }: BatchQuery, head: string): void {
  const begin = position;
  slab[begin] = BIND;
  position += 5;
  writeToSlab(head);
  position = slab.writeUInt16BE((encoded?.count ?? 0) + parameters.length, position);
  if (encoded !== undefined) copyToSlab(encoded.bytes);
  for (const value of parameters) putShortValue(value);
  position = slab.writeInt16BE(RESULTS_AS_TEXT, position);
  slab.writeInt32BE(position - begin - 1, begin + 1);
}

function putShortValue(value: Parameter): void {
  if (value === null) {
    position = slab.writeInt32BE(-1, position);
    return;
  }
  const begin = position;
  position += 4;
  if (typeof value === 'string') writeToSlab(value);
  else copyToSlab(value);
  slab.writeInt32BE(position - begin - 4, begin);
}

/** Most bytes that are copied one by one, because a call of native code takes longer. */
const SHORT_COPY = 32;

/** Copies bytes for which there is room. */
function copyToSlab(bytes: Buffer): void {
  if (bytes.length > SHORT_COPY) position += bytes.copy(slab, position);
  else for (let at = 0; at < bytes.length; at++) slab[position++] = bytes[at] ?? 0;
}

/** Writes a text for which there is room. */
function writeToSlab(text: string): void {
  if (text.length > SHORT_COPY || !writeShortAscii(text)) position += slab.write(text, position, 'utf8');
}

/** Returns false, and writes nothing that counts, for a text with other characters than those of ASCII. */
function writeShortAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return false;
    slab[position + at] = code;
  }
  position += text.length;
  return true;
}

/** No result formats: all columns are returned as text. */
const RESULTS_AS_TEXT = 0;

function putLongBind({ encoded, parameters }: BatchQuery, head: string, pieces: Buffer[]): void {
  reserve(7 + head.length, pieces);
  const values = parameters.map(sized);
  let length = 4 + head.length + 2 + 2 + (encoded?.bytes.length ?? 0);
  for (const value of values) length += 4 + (value === null ? 0 : value.bytes);
  slab[position++] = BIND;
  position = slab.writeInt32BE(length, position);
  writeToSlab(head);
  position = slab.writeUInt16BE((encoded?.count ?? 0) + values.length, position);
  if (encoded !== undefined) put(encoded.bytes, pieces);
  for (const value of values) putValue(value, pieces);
  reserve(2, pieces);
  position = slab.writeInt16BE(RESULTS_AS_TEXT, position);
}

/** Encodes parameters that many queries share, in memory of their own: a part of a slab would keep all of it. */
export function encodeParameters(values: readonly string[]): EncodedParameters {
  let length = 0;
  for (const value of values) length += 4 + Buffer.byteLength(value, 'utf8');
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const value of values) {
    const written = bytes.write(value, at + 4, 'utf8');
    at = bytes.writeInt32BE(written, at) + written;
  }
  return { count: values.length, bytes };
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
  copyToSlab(bytes);
}

/** Makes room for `bytes` in one piece. A full slab is replaced; pending writes refer to the old one. */
function reserve(bytes: number, pieces: Buffer[]): void {
  if (position + bytes <= slab.length) return;
  cut(pieces);
  slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  position = 0;
  start = 0;
}

/** Ends the current piece, or extends the last one if it ends where this one begins. */
function cut(pieces: Buffer[]): void {
  if (position > start) {
    const last = pieces.at(-1);
    if (last !== undefined && last.buffer === slab.buffer && last.byteOffset + last.length === start)
      pieces[pieces.length - 1] = slab.subarray(last.byteOffset, position);
    else pieces.push(slab.subarray(start, position));
  }
  start = position;
}

/** A frontend message: type, length including itself, content (PostgreSQL manual, 55.7). */
function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

/** @param name empty for the unnamed statement */
function parseMessage({ text, parameterTypes: types }: Statement, name: string): Buffer {
  const oids = Buffer.alloc(2 + 4 * types.length);
  oids.writeInt16BE(types.length, 0);
  types.forEach((oid, index) => oids.writeUInt32BE(oid, 2 + 4 * index));
  return message('P', Buffer.concat([Buffer.from(`${name}\0${text.replaceAll('\0', '')}\0`, 'utf8'), oids]));
}

const closeMessage = (name: string): Buffer => message('C', Buffer.from(`S${name}\0`, 'latin1'));

// The statements that a connection has prepared.

/** Bound by its name, which the connection knows; parsed under its name; or parsed for this query alone. */
type StatementUse = 'known' | 'parse' | 'unnamed';

/**
 * The statements that one connection has prepared, bounded in number and in bytes: a new statement closes the least
 * recently used ones.
 */
export interface PreparedStatements {
  /**
   * Returns how the batch that is being encoded uses a statement, and marks one to be parsed as known. A statement is
   * unnamed if there is no room for it beside the others of the batch: a Close for one of these would come too early.
   */
  use(statement: Statement): StatementUse;
  /**
   * Called when all statements of a batch are used. Returns the names of the statements for which Close must be sent, and
   * removes them from the list.
   */
  takeCloses(): readonly string[];
  /**
   * Marks a statement to be parsed again; also one whose Parse was skipped, or that the connection has lost. Batches
   * in flight may have parsed it meanwhile, and closing an absent statement is not an error (PostgreSQL manual, 55.2.3).
   */
  renew(statement: Statement): void;
  /** Marks every statement to be parsed again. */
  renewAll(): void;
  readonly size: number;
}

/** Text of the statements of one connection, in characters. A backend keeps 50 to 100 bytes for each of them. */
const MAX_TEXT = 524_288;

/** Holds no statement, so that one that is dropped from the caches leaves the memory. */
interface Known {
  readonly name: string;
  /** Of its text, in characters. */
  readonly length: number;
  /** Number of uses of all statements at its last one. To move it in the map would cost more with every use. */
  lastUse: number;
}

/** Returns the id of the statement that was used least recently, and not after `before`; null if there is none. */
function leastRecent(known: ReadonlyMap<number, Known>, before: number): number | null {
  let oldest: number | null = null;
  let use = before + 1;
  for (const [id, { lastUse }] of known) {
    if (lastUse >= use) continue;
    oldest = id;
    use = lastUse;
  }
  return oldest;
}

/**
 * @param capacity most statements
 * @param maxText most characters of all of them
 */
export function createPreparedStatements(capacity: number, maxText = MAX_TEXT): PreparedStatements {
  const known = new Map<number, Known>();
  let closes: string[] = [];
  let text = 0;
  let uses = 0;
  /** Number of uses before those of the batch that is being encoded. */
  let usesBefore = 0;

  function forget(id: number): void {
    const parsed = known.get(id);
    if (parsed === undefined) return;
    known.delete(id);
    text -= parsed.length;
    closes.push(parsed.name);
  }

  return {
    use({ id, name, text: { length } }) {
      const parsed = known.get(id);
      uses++;
      if (parsed !== undefined) {
        parsed.lastUse = uses;
        return 'known';
      }
      if (length > maxText) return 'unnamed';
      while (known.size >= capacity || text + length > maxText) {
        const oldest = leastRecent(known, usesBefore);
        if (oldest === null) return 'unnamed';
        forget(oldest);
      }
      known.set(id, { name, length, lastUse: uses });
      text += length;
      return 'parse';
    },
    takeCloses() {
      usesBefore = uses;
      if (closes.length === 0) return closes;
      const due = closes;
      closes = [];
      return due;
    },
    renew: ({ id }) => forget(id),
    renewAll() {
      for (const id of [...known.keys()]) forget(id);
    },
    get size() {
      return known.size;
    },
  };
}
