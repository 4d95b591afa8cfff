/**
 * The messages of the backend (PostgreSQL manual, 55.7 and 55.8): cuts them out of the byte stream and reads them. The last
 * column of a returned row may be megabytes long: its bytes are not decoded, and they are received where they stay. Any
 * other long message is joined once. A received chunk is valid during the call only.
 */
import type { EventEmitter } from 'node:events';
import { BLOCK_BYTES, takeBlock } from '../base/blocks.js';
import type { BatchQuery, Column, Row } from './batch.js';
import { MalformedMessage, malformed, type ErrorFields } from './postgres-error.js';

// The format of messages.

/** Type and length. */
const HEADER_BYTES = 5;
/** The length of a message includes this field. */
const LENGTH_BYTES = 4;
/** Longest row or error, in bytes: PostgreSQL sends no value above 1 GB. */
const LONGEST = 0x4000_0000;
/** Longest message of any other type, in bytes. */
const LONGEST_SHORT = 0x10_0000;

const MESSAGE = {
  parseComplete: 0x31,
  bindComplete: 0x32,
  closeComplete: 0x33,
  notification: 0x41,
  commandComplete: 0x43,
  dataRow: 0x44,
  errorResponse: 0x45,
  emptyQuery: 0x49,
  backendKeyData: 0x4b,
  noticeResponse: 0x4e,
  authentication: 0x52,
  parameterStatus: 0x53,
  rowDescription: 0x54,
  copyBoth: 0x57,
  readyForQuery: 0x5a,
  copyData: 0x64,
  noData: 0x6e,
  portalSuspended: 0x73,
  parameterDescription: 0x74,
  negotiateProtocolVersion: 0x76,
} as const;

/**
 * The end of the message that begins at `offset`.
 * @param chunk holds its header
 * @throws MalformedMessage for a length that no message of its type can have
 */
function messageEnd(chunk: Buffer, offset: number): number {
  const type = chunk[offset] ?? 0;
  const length = chunk.readUInt32BE(offset + 1);
  if (length < LENGTH_BYTES) malformed(`a message of ${String(length)} bytes`);
  const mayBeLong =
    type === MESSAGE.dataRow ||
    type === MESSAGE.errorResponse ||
    type === MESSAGE.noticeResponse ||
    type === MESSAGE.copyData;
  if (length > (mayBeLong ? LONGEST : LONGEST_SHORT))
    malformed(`a message of type ${typeName(type)} with ${String(length)} bytes`);
  return offset + 1 + length;
}

/** The type of a message for error texts: a letter in quotes, anything else as a number. */
const typeName = (type: number): string =>
  type > 0x20 && type < 0x7f ? `"${String.fromCharCode(type)}"` : String(type);

/** State of the transaction after a batch. I: none is open. T: one is open. E: a failed one is open and needs a ROLLBACK. */
export type TransactionState = 'I' | 'T' | 'E';

// The decoder, and what receives the messages.

/** Receives the messages in order. Its functions may throw MalformedMessage for a message that does not match the batch. */
export interface MessageListener {
  row(row: Row): void;
  /**
   * Takes a row of a query with portions that has arrived whole, and whose last column is the bytes of the chunk from `from`
   * up to `to`, which are valid during the call only. Returns false for a row that `row` takes with a copy of these bytes.
   */
  rowBytes(columns: readonly (string | null)[], chunk: Buffer, from: number, to: number): boolean;
  /**
   * Called for a returned row whose last column has arrived in part. Returns a function that takes its bytes; null leaves
   * them to the row.
   */
  openBody(columns: readonly (string | null)[], length: number): ((piece: Buffer) => void) | null;
  parsed(): void;
  /** @param columns of the rows of the current query; none for a statement without rows */
  described(columns: readonly Column[]): void;
  /** @param commandTag empty for a query that returns no rows to the caller */
  queryDone(commandTag: string): void;
  /** A portion of rows has ended before the last row. */
  suspended(): void;
  failed(error: ErrorFields): void;
  notice(notice: ErrorFields): void;
  ready(state: TransactionState): void;
  /** The stream violates the protocol. Nothing is read after that. */
  malformed(error: MalformedMessage): void;
}

/** What the decoder reads of a query. */
type QueryRows = Pick<BatchQuery, 'returnsRows' | 'describesRows' | 'inBlocks' | 'columns' | 'portion'>;

export interface CurrentQuery {
  /** The query to which the next messages belong; null if there is none. */
  readonly query: QueryRows | null;
}

export interface MessageDecoder {
  /** Takes the next bytes of the stream. */
  readonly feed: (chunk: Buffer) => void;
  /** Room for the next bytes of the stream, all of which belong to a long body; null if the next bytes go to `feed`. */
  readonly bodySpace: () => Buffer | null;
  /** Takes the bytes that were received at the start of `bodySpace`. */
  readonly fillBody: (bytes: number) => void;
}

interface Decoder {
  readonly listener: MessageListener;
  readonly current: CurrentQuery;
  /** Chunks that end in an incomplete message, and their length. */
  waiting: Buffer[];
  waitingBytes: number;
  /** Bytes from the beginning of that message that are needed before it can be read further. */
  neededBytes: number;
  /** A row whose last column has not arrived whole. */
  body: OpenBody | null;
  /** An error or notice that has not arrived whole. */
  error: OpenError | null;
  /** Bytes of a row to skip, because its query returns none. */
  skipping: number;
  broken: boolean;
}

/** @param current its query changes while the listener receives messages */
export function messageDecoder(listener: MessageListener, current: CurrentQuery): MessageDecoder {
  const decoder: Decoder = {
    listener,
    current,
    waiting: [],
    waitingBytes: 0,
    neededBytes: HEADER_BYTES,
    body: null,
    error: null,
    skipping: 0,
    broken: false,
  };
  return {
    feed: (chunk) => feed(decoder, chunk),
    bodySpace: () => (decoder.body === null ? null : spaceIn(decoder.body)),
    fillBody: (bytes) => fillBody(decoder, bytes),
  };
}

function feed(decoder: Decoder, chunk: Buffer): void {
  if (decoder.broken) return;
  try {
    readChunk(decoder, chunk);
  } catch (problem) {
    endReading(decoder, problem);
  }
}

/** @throws everything but MalformedMessage */
function endReading(decoder: Decoder, problem: unknown): void {
  if (!(problem instanceof MalformedMessage)) throw problem;
  decoder.broken = true;
  decoder.waiting = [];
  decoder.body = null;
  decoder.listener.malformed(problem);
}

function readChunk(decoder: Decoder, received: Buffer): void {
  let offset = 0;
  if (decoder.body !== null || decoder.error !== null || decoder.skipping > 0) {
    offset = continueMessage(decoder, received);
    if (offset === received.length) return;
  }
  let chunk = received;
  if (decoder.waitingBytes > 0) {
    decoder.waiting.push(Buffer.from(chunk));
    decoder.waitingBytes += chunk.length;
    if (decoder.waitingBytes < decoder.neededBytes) return;
    chunk = Buffer.concat(decoder.waiting, decoder.waitingBytes);
    offset = 0;
    decoder.waiting = [];
    decoder.waitingBytes = 0;
  }
  while (offset + HEADER_BYTES <= chunk.length) {
    const next = readMessage(decoder, chunk, offset);
    if (next < 0) return wait(decoder, chunk, offset);
    offset = next;
    // The rest of this message is in the chunks to come.
    if (decoder.body !== null || decoder.error !== null || decoder.skipping > 0) return;
  }
  decoder.neededBytes = HEADER_BYTES;
  if (offset < chunk.length) wait(decoder, chunk, offset);
}

function wait(decoder: Decoder, chunk: Buffer, offset: number): void {
  decoder.waiting = [Buffer.from(chunk.subarray(offset))];
  decoder.waitingBytes = chunk.length - offset;
}

function waitFor(decoder: Decoder, bytes: number): -1 {
  decoder.neededBytes = bytes;
  return -1;
}

/** Reads the rest of a message that has begun; returns the offset of the next one. */
function continueMessage(decoder: Decoder, chunk: Buffer): number {
  const { body, error } = decoder;
  if (body !== null) {
    const taken = takeBody(body, chunk);
    if (body.missing === 0) finishBody(decoder, body);
    return taken;
  }
  if (error !== null) {
    const taken = takeError(error, chunk);
    if (error.missing === 0) finishError(decoder, error);
    return taken;
  }
  const skipped = Math.min(decoder.skipping, chunk.length);
  decoder.skipping -= skipped;
  return skipped;
}

/** Returns the offset of the next message, or -1 if more bytes are needed. */
function readMessage(decoder: Decoder, chunk: Buffer, offset: number): number {
  const { listener } = decoder;
  const type = chunk[offset] ?? 0;
  const end = messageEnd(chunk, offset);
  if (type === MESSAGE.dataRow) return readRow(decoder, chunk, offset, end);
  const from = offset + HEADER_BYTES;
  if (type === MESSAGE.errorResponse || type === MESSAGE.noticeResponse)
    return readError(decoder, type, chunk, from, end);
  if (end > chunk.length) return waitFor(decoder, end - offset);
  switch (type) {
    case MESSAGE.commandComplete:
      // No other tag is used, and decoded.
      listener.queryDone(decoder.current.query?.returnsRows === true ? readTag(chunk, from, end) : '');
      break;
    case MESSAGE.readyForQuery:
      listener.ready(transactionState(from < end ? chunk[from] : undefined));
      break;
    case MESSAGE.parseComplete:
      listener.parsed();
      break;
    case MESSAGE.emptyQuery:
      listener.queryDone('');
      break;
    case MESSAGE.portalSuspended:
      listener.suspended();
      break;
    case MESSAGE.rowDescription:
    case MESSAGE.noData:
      if (decoder.current.query?.describesRows !== true) unexpected(type);
      listener.described(type === MESSAGE.noData ? [] : readColumns(chunk, from, end));
      break;
    case MESSAGE.bindComplete:
    case MESSAGE.closeComplete:
    case MESSAGE.parameterStatus:
    case MESSAGE.notification:
      break;
    default:
      unexpected(type);
  }
  return end;
}

const unexpected = (type: number): never =>
  malformed(`a message of type ${typeName(type)}, which nothing asked for`);

/** Bytes of a column in a description of rows from the end of its name, and where its type is in them. */
const DESCRIBED_BYTES = 19;
const TYPE_OFFSET = 7;

function readColumns(chunk: Buffer, from: number, end: number): readonly Column[] {
  const columns: Column[] = [];
  let at = from + 2;
  while (at < end) {
    const nameEnd = chunk.indexOf(0, at);
    if (nameEnd < 0 || nameEnd + DESCRIBED_BYTES > end) malformed('a description of rows that is cut off');
    columns.push({
      name: chunk.toString('utf8', at, nameEnd),
      type: chunk.readUInt32BE(nameEnd + TYPE_OFFSET),
    });
    at = nameEnd + DESCRIBED_BYTES;
  }
  return columns;
}

function readTag(chunk: Buffer, from: number, end: number): string {
  let at = from;
  while (at < end && chunk[at] !== 0) at++;
  return chunk.toString('latin1', from, at);
}

/** @throws MalformedMessage for a byte that names no state */
function transactionState(byte: number | undefined): TransactionState {
  switch (byte) {
    case 0x49:
      return 'I';
    case 0x54:
      return 'T';
    case 0x45:
      return 'E';
    case undefined:
    default:
      return malformed('a state of the transaction that does not exist');
  }
}

// Rows.

function readRow(decoder: Decoder, chunk: Buffer, offset: number, end: number): number {
  const { query } = decoder.current;
  if (query?.returnsRows !== true) {
    decoder.skipping = Math.max(0, end - chunk.length);
    return Math.min(end, chunk.length);
  }
  let position = offset + HEADER_BYTES;
  if (position + 2 > chunk.length && end > chunk.length)
    return waitFor(decoder, Math.min(position + 2, end) - offset);
  const count = columnCount(chunk, position, end, query);
  position += 2;
  if (count === 0) {
    if (position !== end) malformed('a row with more values than columns');
    decoder.listener.row({ columns: [], body: null, bodyLength: 0 });
    return end;
  }
  const columns: (string | null)[] = [];
  for (let index = 1; index <= count; index++) {
    if (position + LENGTH_BYTES > chunk.length && end > chunk.length)
      return waitFor(decoder, Math.min(position + LENGTH_BYTES, end) - offset);
    const length = valueLength(chunk, position, end);
    position += LENGTH_BYTES;
    const valueEnd = position + Math.max(0, length);
    if (index === count) {
      if (valueEnd !== end) malformed('a row with more values than columns');
      return readBody(decoder, query, chunk, position, length, columns);
    }
    if (valueEnd > chunk.length) return waitFor(decoder, valueEnd - offset);
    columns.push(length < 0 ? null : chunk.toString('utf8', position, valueEnd));
    position = valueEnd;
  }
  return end;
}

/** The number of columns of a row that begins at `from`. @throws MalformedMessage if its query has another number of them */
function columnCount(chunk: Buffer, from: number, end: number, { columns }: QueryRows): number {
  if (end < from + 2) malformed('a row without a number of columns');
  const count = chunk.readInt16BE(from);
  if (count < 0) malformed(`a row of ${String(count)} columns`);
  if (columns !== undefined && count !== columns)
    malformed(`a row of ${String(count)} columns where ${String(columns)} were asked for`);
  return count;
}

/** The length of a value, -1 for null. @throws MalformedMessage when it does not fit into the row, which ends at `end` */
function valueLength(chunk: Buffer, position: number, end: number): number {
  if (position + LENGTH_BYTES > end) malformed('a row with fewer values than columns');
  const length = chunk.readInt32BE(position);
  if (length < -1 || position + LENGTH_BYTES + length > end)
    malformed(`a value of ${String(length)} bytes in a row that ends before`);
  return length;
}

/** Reads the last column, as far as it has arrived. */
function readBody(
  decoder: Decoder,
  query: QueryRows,
  chunk: Buffer,
  position: number,
  length: number,
  columns: readonly (string | null)[],
): number {
  const { listener } = decoder;
  const inBlocks = query.inBlocks === true;
  if (length < 0) {
    listener.row({ columns, body: null, bodyLength: 0 });
    return position;
  }
  const bodyEnd = position + length;
  const isWhole = bodyEnd <= chunk.length && length <= BLOCK_BYTES;
  if (isWhole && query.portion !== undefined && listener.rowBytes(columns, chunk, position, bodyEnd))
    return bodyEnd;
  const here = chunk.subarray(position, bodyEnd);
  if (isWhole) {
    listener.row({ columns, body: [copyOf(here, inBlocks)], bodyLength: length });
  } else {
    const taker = listener.openBody(columns, length);
    decoder.body = openBody(columns, length, taker, inBlocks);
    takeBody(decoder.body, here);
    if (decoder.body.missing === 0) finishBody(decoder, decoder.body);
  }
  return position + here.length;
}

function fillBody(decoder: Decoder, bytes: number): void {
  const { body } = decoder;
  if (body === null) return;
  try {
    advance(body, bytes);
    if (body.missing === 0) finishBody(decoder, body);
  } catch (problem) {
    endReading(decoder, problem);
  }
}

function finishBody(decoder: Decoder, { columns, pieces, length }: OpenBody): void {
  decoder.body = null;
  decoder.listener.row({ columns, body: pieces, bodyLength: length });
}

/** The last column of a row, which is received where it stays: in blocks that are used again, or in memory of its length. */
interface OpenBody {
  readonly columns: readonly (string | null)[];
  readonly pieces: Buffer[];
  readonly take: (piece: Buffer) => void;
  readonly length: number;
  /** Whether the pieces are in blocks. */
  readonly inBlocks: boolean;
  /** Bytes of the body that have not arrived. */
  missing: number;
  /** The piece that is being filled, and how far it is. */
  piece: Buffer;
  filled: number;
}

/** Shorter bodies, in bytes, share slabs of Node.js, which is cheaper than a block. */
const LONG_BODY = 4096;
/** With fewer free bytes than this, the next read goes to the shared buffer and is copied. */
const LEAST_SPACE = 32_768;

/**
 * @param taker receives each full piece; by default the body keeps them
 * @param inBlocks the receiver of the pieces gives their blocks back. A block that is kept holds `BLOCK_BYTES`, however short
 *   its piece is, so that bodies that are kept are received in memory of their length
 */
function openBody(
  columns: readonly (string | null)[],
  length: number,
  taker: ((piece: Buffer) => void) | null,
  inBlocks: boolean,
): OpenBody {
  const pieces: Buffer[] = [];
  const take = taker ?? ((piece: Buffer) => void pieces.push(piece));
  const piece = pieceFor(length, inBlocks);
  return { columns, pieces, take, length, inBlocks, missing: length, piece, filled: 0 };
}

/** Room for the next bytes of the body; null if a separate read does not pay. */
const spaceIn = ({ piece, filled }: OpenBody): Buffer | null =>
  piece.length - filled < LEAST_SPACE ? null : piece.subarray(filled);

function pieceFor(missing: number, inBlocks: boolean): Buffer {
  const bytes = Math.min(missing, BLOCK_BYTES);
  return inBlocks ? takeBlock(bytes) : Buffer.allocUnsafe(bytes);
}

/** A copy of a body that has arrived whole and is no longer than a block. */
function copyOf(body: Buffer, inBlocks: boolean): Buffer {
  const copy = pieceFor(body.length, inBlocks && body.length >= LONG_BODY);
  body.copy(copy);
  return copy;
}

/** Copies the part of the chunk that belongs to the body; returns the offset of the rest. */
function takeBody(body: OpenBody, chunk: Buffer): number {
  let offset = 0;
  while (body.missing > 0 && offset < chunk.length) {
    const copied = chunk.copy(body.piece, body.filled, offset);
    offset += copied;
    advance(body, copied);
  }
  return offset;
}

/** Passes the piece on if it is full. */
function advance(body: OpenBody, bytes: number): void {
  body.filled += bytes;
  body.missing -= bytes;
  if (body.filled < body.piece.length) return;
  body.take(body.piece);
  body.filled = 0;
  if (body.missing > 0) body.piece = pieceFor(body.missing, body.inBlocks);
}

// Errors and notices.

function readError(decoder: Decoder, type: number, chunk: Buffer, from: number, end: number): number {
  const open = openError(type, end - from);
  const taken = takeError(open, chunk.subarray(from));
  if (open.missing === 0) finishError(decoder, open);
  else decoder.error = open;
  return from + taken;
}

function finishError(decoder: Decoder, { reader, type }: OpenError): void {
  decoder.error = null;
  const fields = reader.end();
  if (type === MESSAGE.errorResponse) decoder.listener.failed(fields);
  else decoder.listener.notice(fields);
}

/** An error or notice whose message has begun to arrive. */
interface OpenError {
  readonly reader: FieldReader;
  readonly type: number;
  missing: number;
}

/** @param length of the content of the message, in bytes */
const openError = (type: number, length: number): OpenError => ({
  reader: fieldReader(),
  type,
  missing: length,
});

/** Takes the part of the chunk that belongs to the error; returns the offset of the rest. */
function takeError(error: OpenError, chunk: Buffer): number {
  const piece = chunk.subarray(0, error.missing);
  error.reader.take(piece);
  error.missing -= piece.length;
  return piece.length;
}

/** Limit of each field in bytes: messages of PostgreSQL may repeat values of any length. */
const LONGEST_FIELD = 8192;

interface FieldReader {
  /** Reads the next piece of the message's content, and keeps no reference to it. */
  take(piece: Buffer): void;
  /** Returns the fields, each cut to 8 kB between characters. */
  end(): ErrorFields;
}

/** Holds at most 8 kB of each field, however long the message is. */
export function fieldReader(): FieldReader {
  const fields = new Map<string, string>();
  let pieces: Buffer[] = [];
  let bytes = 0;
  /** Code of the field that is read; null between fields. */
  let code: number | null = null;
  let ended = false;

  function keep(piece: Buffer): void {
    const part = piece.subarray(0, LONGEST_FIELD - bytes);
    if (part.length === 0) return;
    // A copy: a view would keep the whole chunk in memory.
    pieces.push(Buffer.from(part));
    bytes += part.length;
  }

  function finishField(): void {
    if (code !== null) fields.set(String.fromCharCode(code), wholeCharacters(Buffer.concat(pieces)));
    pieces = [];
    bytes = 0;
    code = null;
  }

  return {
    take(piece) {
      let offset = 0;
      while (offset < piece.length) {
        if (ended) return;
        if (code === null) {
          code = piece.readUInt8(offset++);
          if (code === 0) [ended, code] = [true, null];
          continue;
        }
        const zero = piece.indexOf(0, offset);
        keep(piece.subarray(offset, zero < 0 ? piece.length : zero));
        if (zero < 0) return;
        finishField();
        offset = zero + 1;
      }
    },
    end() {
      return errorFields(fields);
    },
  };
}

/** Decodes bytes; an incomplete character at their end is dropped. */
function wholeCharacters(bytes: Buffer): string {
  let end = bytes.length;
  // A character has at most four bytes; all but the first are 10xxxxxx.
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes.readUInt8(bytes.length - back);
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (length > back) end = bytes.length - back;
    break;
  }
  return bytes.toString('utf8', 0, end);
}

const errorFields = (fields: ReadonlyMap<string, string>): ErrorFields => ({
  code: fields.get('C') ?? 'XX000',
  message: fields.get('M') ?? '',
  detail: fields.get('D') ?? null,
  hint: fields.get('H') ?? null,
  schema: fields.get('s') ?? null,
  table: fields.get('t') ?? null,
  column: fields.get('c') ?? null,
  constraint: fields.get('n') ?? null,
  routine: fields.get('R') ?? null,
  context: fields.get('W') ?? null,
});

/*
 * Messages for the driver's parser: on a broken one, the parser would hold what it waits for without a bound, throw an error
 * that is not caught, or not return. What a message contains is the matter of the server.
 */

/** A stream that the driver reads. */
interface DriverStream extends EventEmitter {
  destroy?(error: Error): unknown;
}

/**
 * Checks what a stream receives before the parser that listens to it. A malformed message, or any error of the parser,
 * ends the connection with MalformedMessage. Without the check, it would end the process, or the parser would not return.
 */
export function guardStream(stream: DriverStream): void {
  const parsers = stream.listeners('data');
  stream.removeAllListeners('data');
  const check = messageChecker();
  stream.on('data', (chunk: Buffer) => {
    try {
      const messages = check(chunk);
      if (messages.length > 0) for (const parser of parsers) Reflect.apply(parser, stream, [messages]);
    } catch (error) {
      stream.destroy?.(error instanceof MalformedMessage ? error : asMalformed(error));
    }
  });
}

const asMalformed = (error: unknown): MalformedMessage =>
  new MalformedMessage(
    `malformed answer of the database: ${error instanceof Error ? error.message : String(error)}`,
  );

const EMPTY = Buffer.alloc(0);
const TYPES: ReadonlySet<number> = new Set(Object.values(MESSAGE));

/**
 * @returns a function that takes each chunk of a stream and returns the complete messages, or an empty buffer. It
 * throws MalformedMessage.
 */
export function messageChecker(): (chunk: Buffer) => Buffer {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let neededBytes = HEADER_BYTES;

  /** Checks the complete messages of `bytes`. Returns the offset of the first incomplete message. */
  function checkWhole(bytes: Buffer): number {
    let offset = 0;
    neededBytes = HEADER_BYTES;
    while (offset + HEADER_BYTES <= bytes.length) {
      const end = messageEnd(bytes, offset);
      if (end > bytes.length) {
        neededBytes = end - offset;
        break;
      }
      check(bytes.readUInt8(offset), bytes.subarray(offset + HEADER_BYTES, end));
      offset = end;
    }
    return offset;
  }

  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < neededBytes) return EMPTY;
    const bytes = waiting.length === 1 ? chunk : Buffer.concat(waiting);
    const end = checkWhole(bytes);
    waiting = end === bytes.length ? [] : [bytes.subarray(end)];
    waitingBytes = bytes.length - end;
    return bytes.subarray(0, end);
  };
}

function check(type: number, content: Buffer): void {
  if (!TYPES.has(type)) malformed(`a message of type ${typeName(type)}, which nothing asked for`);
  // The parser looks for the end of the fields, and would not return.
  const hasFields = type === MESSAGE.errorResponse || type === MESSAGE.noticeResponse;
  if (hasFields && !(content.at(-1) === 0 && (content.at(-2) ?? 0) === 0))
    malformed('an error without an end');
}
