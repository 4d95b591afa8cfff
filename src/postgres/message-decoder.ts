/**
 * The backend's messages (PostgreSQL manual, 55.7) cut out of the byte stream. The last column of a returned row may be
 * megabytes: its bytes are passed on as views of the chunks they came in, never joined, never decoded. Whatever else is
 * long is joined once.
 */
import type { Row } from './batch.js';
import { fieldReader, type FieldReader } from './error-fields.js';
import { malformed, MalformedMessage } from './malformed-message.js';
import { columnCount, HEADER_BYTES, MESSAGE, messageEnd, typeName, valueLength } from './message-format.js';
import type { ErrorFields } from './postgres-error.js';

/** Receives what comes in, in order. Its functions may throw MalformedMessage for what does not fit to what was sent. */
export interface MessageListener {
  /** Whether the rows of the current query are part of the result. */
  wantsRows(): boolean;
  row(row: Row): void;
  /** A returned row whose last column has not come whole. Returns who takes its bytes; null to have them in the row. */
  openBody(columns: readonly (string | null)[], length: number): ((piece: Buffer) => void) | null;
  parsed(): void;
  queryDone(commandTag: string): void;
  failed(error: ErrorFields): void;
  notice(notice: ErrorFields): void;
  /** `state`: I idle, T in a transaction, E in a failed one. */
  ready(state: 'I' | 'T' | 'E'): void;
  /** The stream makes no sense. Nothing is read after that. */
  malformed(error: MalformedMessage): void;
}

interface OpenBody {
  readonly columns: readonly (string | null)[];
  readonly pieces: Buffer[];
  readonly take: (piece: Buffer) => void;
  readonly length: number;
  missing: number;
}

interface OpenError {
  readonly reader: FieldReader;
  readonly type: number;
  missing: number;
}

/** @returns a function to be fed with each chunk of the socket */
export function messageDecoder(listener: MessageListener): (chunk: Buffer) => void {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  /** Bytes from the beginning of a message on without which nothing more of it can be read. */
  let neededBytes = 0;
  let body: OpenBody | null = null;
  let error: OpenError | null = null;
  let skipping = 0;
  let broken = false;

  function feed(chunk: Buffer): void {
    if (broken) return;
    try {
      readChunk(chunk);
    } catch (problem) {
      if (!(problem instanceof MalformedMessage)) throw problem;
      broken = true;
      waiting = [];
      body = null;
      listener.malformed(problem);
    }
  }

  function readChunk(received: Buffer): void {
    let offset = continueMessage(received);
    if (offset === received.length) return;
    let chunk = received;
    if (waitingBytes > 0) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes < neededBytes) return;
      chunk = Buffer.concat(waiting, waitingBytes);
      offset = 0;
      waiting = [];
      waitingBytes = 0;
    }
    while (offset + HEADER_BYTES <= chunk.length) {
      const next = readMessage(chunk, offset);
      if (next < 0) return wait(chunk, offset);
      offset = next;
      // The rest of this message is in the chunks to come.
      if (body !== null || error !== null || skipping > 0) return;
    }
    neededBytes = HEADER_BYTES;
    if (offset < chunk.length) wait(chunk, offset);
  }

  function wait(chunk: Buffer, offset: number): void {
    waiting = [offset === 0 ? chunk : chunk.subarray(offset)];
    waitingBytes = chunk.length - offset;
  }

  /** What of the chunk belongs to a message that has begun; returns where the next one begins. */
  function continueMessage(chunk: Buffer): number {
    if (body !== null) {
      const taken = takeBody(body, chunk);
      if (body.missing === 0) finishBody(body);
      return taken;
    }
    if (error !== null) {
      const taken = takeError(error, chunk);
      if (error.missing === 0) finishError(error);
      return taken;
    }
    const skipped = Math.min(skipping, chunk.length);
    skipping -= skipped;
    return skipped;
  }

  /** Where the next message begins, or -1 when more bytes are needed. */
  function readMessage(chunk: Buffer, offset: number): number {
    const type = chunk[offset] ?? 0;
    const end = messageEnd(chunk, offset);
    if (type === MESSAGE.dataRow) return readRow(chunk, offset, end);
    if (type === MESSAGE.errorResponse || type === MESSAGE.noticeResponse)
      return readError(type, chunk, offset + HEADER_BYTES, end);
    if (end > chunk.length) return incomplete(end - offset);
    readShort(type, chunk, offset + HEADER_BYTES, end);
    return end;
  }

  function incomplete(bytes: number): -1 {
    neededBytes = bytes;
    return -1;
  }

  function readShort(type: number, chunk: Buffer, from: number, end: number): void {
    switch (type) {
      case MESSAGE.commandComplete:
        if (chunk.indexOf(0, from) !== end - 1) malformed('a command tag without an end');
        return listener.queryDone(chunk.toString('latin1', from, end - 1));
      case MESSAGE.readyForQuery:
        if (end !== from + 1) malformed('a state of the transaction that does not exist');
        return listener.ready(transactionState(chunk[from]));
      case MESSAGE.parameterStatus:
      case MESSAGE.notification:
        return;
    }
    if (end !== from) malformed(`a message of type ${typeName(type)} with content`);
    switch (type) {
      case MESSAGE.parseComplete:
        return listener.parsed();
      case MESSAGE.emptyQuery:
        return listener.queryDone('');
      case MESSAGE.bindComplete:
      case MESSAGE.closeComplete:
        return;
      default:
        malformed(`a message of type ${typeName(type)}, which nothing asked for`);
    }
  }

  function readRow(chunk: Buffer, offset: number, end: number): number {
    if (!listener.wantsRows()) {
      skipping = Math.max(0, end - chunk.length);
      return Math.min(end, chunk.length);
    }
    const from = offset + HEADER_BYTES;
    if (from + 2 > chunk.length && end > chunk.length) return incomplete(HEADER_BYTES + 2);
    const count = columnCount(chunk, from, end);
    if (count === 0) return readEmptyRow(from + 2, end);
    const columns: (string | null)[] = [];
    let position = from + 2;
    for (let index = 1; index < count; index++) {
      if (position + 4 > chunk.length && end > chunk.length) return incomplete(position + 4 - offset);
      const length = valueLength(chunk, position, end);
      position += 4;
      if (position + length > chunk.length) return incomplete(position + length - offset);
      columns.push(length < 0 ? null : chunk.toString('utf8', position, position + length));
      position += Math.max(0, length);
    }
    if (position + 4 > chunk.length && end > chunk.length) return incomplete(position + 4 - offset);
    const length = valueLength(chunk, position, end);
    position += 4;
    if (position + Math.max(0, length) !== end) malformed('a row with more values than columns');
    return readBody(chunk, position, length, columns);
  }

  function readEmptyRow(position: number, end: number): number {
    if (position !== end) malformed('a row with more values than columns');
    listener.row({ columns: [], body: null, bodyLength: 0 });
    return end;
  }

  function readBody(
    chunk: Buffer,
    position: number,
    length: number,
    columns: readonly (string | null)[],
  ): number {
    if (length < 0) {
      listener.row({ columns, body: null, bodyLength: 0 });
      return position;
    }
    const here = chunk.subarray(position, position + length);
    if (here.length === length) {
      listener.row({ columns, body: [here], bodyLength: length });
    } else {
      const pieces: Buffer[] = [];
      const take = listener.openBody(columns, length) ?? ((piece: Buffer) => void pieces.push(piece));
      if (here.length > 0) take(here);
      body = { columns, pieces, take, length, missing: length - here.length };
    }
    return position + here.length;
  }

  function finishBody({ columns, pieces, length }: OpenBody): void {
    body = null;
    listener.row({ columns, body: pieces, bodyLength: length });
  }

  function readError(type: number, chunk: Buffer, from: number, end: number): number {
    const open: OpenError = { reader: fieldReader(), type, missing: end - from };
    const taken = takeError(open, chunk.subarray(from));
    if (open.missing === 0) finishError(open);
    else error = open;
    return from + taken;
  }

  function finishError({ reader, type }: OpenError): void {
    error = null;
    const fields = reader.end();
    if (type === MESSAGE.errorResponse) listener.failed(fields);
    else listener.notice(fields);
  }

  return feed;
}

/** Takes what belongs to the body; returns where the rest of the chunk begins. */
function takeBody(body: OpenBody, chunk: Buffer): number {
  const piece = chunk.length <= body.missing ? chunk : chunk.subarray(0, body.missing);
  body.take(piece);
  body.missing -= piece.length;
  return piece.length;
}

/** Takes what belongs to the error; returns where the rest of the chunk begins. */
function takeError(error: OpenError, chunk: Buffer): number {
  const piece = chunk.subarray(0, error.missing);
  error.reader.take(piece);
  error.missing -= piece.length;
  return piece.length;
}

function transactionState(state: number | undefined): 'I' | 'T' | 'E' {
  switch (state) {
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
