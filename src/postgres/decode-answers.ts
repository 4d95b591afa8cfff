/**
 * The backend's messages (PostgreSQL manual, 55.7) cut out of the byte stream. The last column of a wanted row may be
 * megabytes: its bytes are handed on as views of the chunks they came in, never joined, never decoded.
 */
import type { Row } from './batch.js';
import type { ErrorFields } from './postgres-error.js';

/** Told what comes in, in order. */
export interface AnswerListener {
  /** Whether the rows of the step that is answered now are wanted. */
  wantsRows(): boolean;
  row(row: Row): void;
  /** A wanted row whose last column has not come whole. Returns who takes its bytes; null to have them in the row. */
  openBody(columns: readonly (string | null)[], length: number): ((piece: Buffer) => void) | null;
  parsed(): void;
  stepDone(commandTag: string): void;
  failed(error: ErrorFields): void;
  notice(notice: ErrorFields): void;
  /** `state`: I idle, T in a transaction, E in a failed one. */
  ready(state: 'I' | 'T' | 'E'): void;
}

const MESSAGE = {
  parseComplete: 0x31,
  dataRow: 0x44,
  commandComplete: 0x43,
  emptyQuery: 0x49,
  errorResponse: 0x45,
  noticeResponse: 0x4e,
  readyForQuery: 0x5a,
} as const;

interface OpenBody {
  readonly columns: readonly (string | null)[];
  readonly pieces: Buffer[];
  readonly take: (piece: Buffer) => void;
  readonly length: number;
  missing: number;
}

/** @returns a function to be fed with each chunk of the socket */
export function answerDecoder(listener: AnswerListener): (chunk: Buffer) => void {
  let rest: Buffer | null = null;
  let body: OpenBody | null = null;
  let skipping = 0;

  function feed(received: Buffer): void {
    let chunk = received;
    let offset = 0;
    if (body !== null) {
      offset = continueBody(body, chunk);
      if (body.missing > 0) return;
      finishBody(body);
    }
    if (skipping > 0) {
      offset = Math.min(skipping, chunk.length);
      skipping -= offset;
    }
    if (offset === chunk.length) return;
    if (rest !== null) {
      chunk = Buffer.concat([rest, offset === 0 ? chunk : chunk.subarray(offset)]);
      rest = null;
      offset = 0;
    }
    while (offset + 5 <= chunk.length) {
      const next = readMessage(chunk, offset);
      if (next < 0) break;
      offset = next;
      if (body !== null || skipping > 0) return;
    }
    if (offset < chunk.length) rest = offset === 0 ? chunk : chunk.subarray(offset);
  }

  /** Where the next message begins, or -1 when this one is not complete yet. */
  function readMessage(chunk: Buffer, offset: number): number {
    const type = chunk[offset] ?? 0;
    const end = offset + 1 + chunk.readUInt32BE(offset + 1);
    if (type === MESSAGE.dataRow) return readRow(chunk, offset + 5, end);
    if (end > chunk.length) return -1;
    switch (type) {
      case MESSAGE.parseComplete:
        listener.parsed();
        break;
      case MESSAGE.commandComplete:
        listener.stepDone(chunk.toString('latin1', offset + 5, end - 1));
        break;
      case MESSAGE.emptyQuery:
        listener.stepDone('');
        break;
      case MESSAGE.errorResponse:
        listener.failed(errorFields(chunk.subarray(offset + 5, end)));
        break;
      case MESSAGE.noticeResponse:
        listener.notice(errorFields(chunk.subarray(offset + 5, end)));
        break;
      case MESSAGE.readyForQuery:
        listener.ready(transactionState(chunk[offset + 5]));
        break;
      default:
        // BindComplete, CloseComplete, ParameterStatus, NotificationResponse: nothing to do.
        break;
    }
    return end;
  }

  function readRow(chunk: Buffer, from: number, end: number): number {
    if (!listener.wantsRows()) {
      skipping = Math.max(0, end - chunk.length);
      return Math.min(end, chunk.length);
    }
    if (from + 2 > chunk.length) return -1;
    const count = chunk.readInt16BE(from);
    const columns: (string | null)[] = [];
    let position = from + 2;
    for (let index = 0; index < count; index++) {
      if (position + 4 > chunk.length) return -1;
      const length = chunk.readInt32BE(position);
      position += 4;
      if (index === count - 1) return openBody(chunk, position, length, columns);
      if (length < 0) {
        columns.push(null);
        continue;
      }
      if (position + length > chunk.length) return -1;
      columns.push(chunk.toString('utf8', position, position + length));
      position += length;
    }
    listener.row({ columns, body: null, bodyLength: 0 });
    return position;
  }

  function openBody(
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

  return feed;
}

/** Takes what belongs to the body; returns where the rest of the chunk begins. */
function continueBody(body: OpenBody, chunk: Buffer): number {
  const piece = chunk.length <= body.missing ? chunk : chunk.subarray(0, body.missing);
  body.take(piece);
  body.missing -= piece.length;
  return piece.length;
}

function transactionState(byte: number | undefined): 'I' | 'T' | 'E' {
  if (byte === 0x45) return 'E';
  return byte === 0x54 ? 'T' : 'I';
}

function errorFields(content: Buffer): ErrorFields {
  const fields = new Map<string, string>();
  let offset = 0;
  while (offset < content.length && content[offset] !== 0) {
    const end = content.indexOf(0, offset + 1);
    if (end < 0) break;
    fields.set(String.fromCharCode(content[offset] ?? 0), content.toString('utf8', offset + 1, end));
    offset = end + 1;
  }
  return {
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
  };
}
