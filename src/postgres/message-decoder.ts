/**
 * Cuts the backend's messages (PostgreSQL manual, 55.7) out of the byte stream. The last column of a returned row may be
 * megabytes long: its bytes are not decoded, and they are received where they stay. Any other long message is
 * joined once. A received chunk is valid during the call only.
 */
import { BLOCK_BYTES, takeBlock } from '../base/blocks.js';
import { MalformedMessage, malformed } from './malformed-message.js';
import {
  HEADER_BYTES,
  MESSAGE,
  columnCount,
  messageEnd,
  transactionState,
  typeName,
  valueLength,
} from './message-format.js';
import { type FieldReader, fieldReader } from './error-fields.js';
import type { TransactionState } from './batch-outcome.js';
import type { Row } from './batch.js';
import type { ErrorFields } from './postgres-error.js';

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

export function messageDecoder(listener: MessageListener): MessageDecoder {
  const decoder: Decoder = {
    listener,
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
    bodySpace: () => bodySpace(decoder),
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
  let offset = continueMessage(decoder, received);
  if (offset === received.length) return;
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
  const type = chunk[offset] ?? 0;
  const end = messageEnd(chunk, offset);
  if (type === MESSAGE.dataRow) return readRow(decoder, chunk, offset, end);
  if (type === MESSAGE.errorResponse || type === MESSAGE.noticeResponse)
    return readError(decoder, type, chunk, offset + HEADER_BYTES, end);
  if (end > chunk.length) return waitFor(decoder, end - offset);
  readShort(decoder.listener, type, chunk, offset + HEADER_BYTES, end);
  return end;
}

function readShort(listener: MessageListener, type: number, chunk: Buffer, from: number, end: number): void {
  switch (type) {
    case MESSAGE.commandComplete:
      return listener.queryDone(readTag(listener, chunk, from, end));
    case MESSAGE.readyForQuery:
      return listener.ready(transactionState(from < end ? chunk[from] : undefined));
    case MESSAGE.parameterStatus:
    case MESSAGE.notification:
      return;
    case MESSAGE.parseComplete:
      return listener.parsed();
    case MESSAGE.emptyQuery:
      return listener.queryDone('');
    case MESSAGE.portalSuspended:
      return listener.suspended();
    case MESSAGE.bindComplete:
    case MESSAGE.closeComplete:
      return;
    default:
      malformed(`a message of type ${typeName(type)}, which nothing asked for`);
  }
}

/** Returns the tag of a query whose rows are part of the result. No other tag is used, and decoded. */
function readTag(listener: MessageListener, chunk: Buffer, from: number, end: number): string {
  let at = from;
  while (at < end && chunk[at] !== 0) at++;
  return listener.returnsRows() ? chunk.toString('latin1', from, at) : '';
}

function readRow(decoder: Decoder, chunk: Buffer, offset: number, end: number): number {
  const { listener } = decoder;
  if (!listener.returnsRows()) {
    decoder.skipping = Math.max(0, end - chunk.length);
    return Math.min(end, chunk.length);
  }
  const from = offset + HEADER_BYTES;
  if (from + 2 > chunk.length && end > chunk.length)
    return waitFor(decoder, Math.min(from + 2, end) - offset);
  const count = columnCount(chunk, from, end);
  if (count === 0) {
    if (from + 2 !== end) malformed('a row with more values than columns');
    listener.row({ columns: [], body: null, bodyLength: 0 });
    return end;
  }
  const columns: (string | null)[] = [];
  let position = from + 2;
  for (let index = 1; index < count; index++) {
    if (position + 4 > chunk.length && end > chunk.length)
      return waitFor(decoder, Math.min(position + 4, end) - offset);
    const length = valueLength(chunk, position, end);
    position += 4;
    if (position + length > chunk.length) return waitFor(decoder, position + length - offset);
    columns.push(length < 0 ? null : chunk.toString('utf8', position, position + length));
    position += Math.max(0, length);
  }
  if (position + 4 > chunk.length && end > chunk.length)
    return waitFor(decoder, Math.min(position + 4, end) - offset);
  const length = valueLength(chunk, position, end);
  position += 4;
  if (position + Math.max(0, length) !== end) malformed('a row with more values than columns');
  return readBody(decoder, chunk, position, length, columns);
}

/** Reads the last column, as far as it has arrived. */
function readBody(
  decoder: Decoder,
  chunk: Buffer,
  position: number,
  length: number,
  columns: readonly (string | null)[],
): number {
  const { listener } = decoder;
  if (length < 0) {
    listener.row({ columns, body: null, bodyLength: 0 });
    return position;
  }
  const bodyEnd = position + length;
  const isWhole = bodyEnd <= chunk.length && length <= BLOCK_BYTES;
  if (isWhole && listener.rowBytes?.(columns, chunk, position, bodyEnd) === true) return bodyEnd;
  const here = chunk.subarray(position, bodyEnd);
  if (isWhole) {
    listener.row({ columns, body: [copyOf(here, listener.usesBlocks())], bodyLength: length });
  } else {
    const taker = listener.openBody(columns, length);
    decoder.body = openBody(columns, length, taker, listener.usesBlocks());
    takeBody(decoder.body, here);
    if (decoder.body.missing === 0) finishBody(decoder, decoder.body);
  }
  return position + here.length;
}

const bodySpace = ({ body }: Decoder): Buffer | null => (body === null ? null : spaceIn(body));

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

// What receives the messages.

/** Receives the messages in order. Its functions may throw MalformedMessage for a message that does not match the batch. */
export interface MessageListener {
  /** Whether the rows of the current query are part of the result. */
  returnsRows(): boolean;
  /** Whether the last columns of the current query are received in blocks, which the receiver gives back. */
  usesBlocks(): boolean;
  row(row: Row): void;
  /**
   * Takes a returned row that has arrived whole, and whose last column is the bytes of the chunk from `from` up to `to`, which
   * are valid during the call only. Returns false for a row that `row` takes with a copy of these bytes.
   */
  rowBytes?(columns: readonly (string | null)[], chunk: Buffer, from: number, to: number): boolean;
  /**
   * Called for a returned row whose last column has arrived in part. Returns a function that takes its bytes; null leaves
   * them to the row.
   */
  openBody(columns: readonly (string | null)[], length: number): ((piece: Buffer) => void) | null;
  parsed(): void;
  /** @param commandTag empty for a query whose rows are no part of the result */
  queryDone(commandTag: string): void;
  /** A portion of rows has ended before the last row. */
  suspended(): void;
  failed(error: ErrorFields): void;
  notice(notice: ErrorFields): void;
  ready(state: TransactionState): void;
  /** The stream violates the protocol. Nothing is read after that. */
  malformed(error: MalformedMessage): void;
}

// The last column of a row, which is received where it stays: in blocks that are used again, or in memory
// of its own length.

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
/** Least room, in bytes, that is worth a read of its own: less is copied from a read that may return more. */
const LEAST_SPACE = 32_768;

/**
 * @param taker receives each full piece; by default the body keeps them
 * @param inBlocks the receiver of the pieces gives their blocks back. A block that is kept holds `BLOCK_BYTES`, however short
 *   its piece is, so that bodies that are kept are received in memory of their length
 */
export function openBody(
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

/** Room for the next bytes of the body; null if a read of its own does not pay. */
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
export function advance(body: OpenBody, bytes: number): void {
  body.filled += bytes;
  body.missing -= bytes;
  if (body.filled < body.piece.length) return;
  body.take(body.piece);
  body.filled = 0;
  if (body.missing > 0) body.piece = pieceFor(body.missing, body.inBlocks);
}
