/**
 * Checks messages of PostgreSQL before the driver's parser reads them: on a malformed message, the parser reads past
 * its end, throws an error that is not caught, or does not return.
 */
import type { EventEmitter } from 'node:events';
import { MalformedMessage, malformed } from './malformed-message.js';
import { columnCount, HEADER_BYTES, MESSAGE, messageEnd, typeName, valueLength } from './message-format.js';

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
/** Numbers of a column in a row description: table, column, type, size, modifier, format. */
const FIELD_BYTES = 18;

/**
 * @returns a function that takes each chunk of a stream and returns the complete messages, or an empty buffer. It
 * throws MalformedMessage.
 */
export function messageChecker(): (chunk: Buffer) => Buffer {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let neededBytes = HEADER_BYTES;
  let columns: number | null = null;

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

  function check(type: number, content: Buffer): void {
    if (type === MESSAGE.rowDescription) columns = checkRowDescription(content);
    else if (type === MESSAGE.noData) columns = 0;
    else if (type === MESSAGE.dataRow) checkRow(content, columns);
    checkContent(type, content);
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

function checkRow(content: Buffer, columns: number | null): void {
  const count = columnCount(content, 0, content.length);
  if (columns !== null && count !== columns)
    malformed(`a row of ${String(count)} columns where ${String(columns)} were announced`);
  let position = 2;
  for (let index = 0; index < count; index++)
    position += 4 + Math.max(0, valueLength(content, position, content.length));
  if (position !== content.length) malformed('a row with more values than columns');
}

function checkRowDescription(content: Buffer): number {
  if (content.length < 2) malformed('a row description without a number of columns');
  const count = content.readInt16BE(0);
  if (count < 0) malformed(`a row description of ${String(count)} columns`);
  let position = 2;
  for (let index = 0; index < count; index++) position = textEnd(content, position) + FIELD_BYTES;
  if (position !== content.length) malformed('a row description of another length than its columns have');
  return count;
}

/** The content of messages other than rows and their descriptions. */
function checkContent(type: number, content: Buffer): void {
  switch (type) {
    case MESSAGE.dataRow:
    case MESSAGE.rowDescription:
      return;
    case MESSAGE.parseComplete:
    case MESSAGE.bindComplete:
    case MESSAGE.closeComplete:
    case MESSAGE.emptyQuery:
    case MESSAGE.noData:
    case MESSAGE.portalSuspended:
      return exactly(type, content, 0);
    case MESSAGE.readyForQuery:
      return exactly(type, content, 1);
    case MESSAGE.commandComplete:
      return exactly(type, content, textEnd(content, 0));
    case MESSAGE.parameterStatus:
      return exactly(type, content, textEnd(content, textEnd(content, 0)));
    case MESSAGE.notification:
      return exactly(type, content, textEnd(content, textEnd(content, 4)));
    case MESSAGE.errorResponse:
    case MESSAGE.noticeResponse:
      return checkFields(type, content);
    case MESSAGE.parameterDescription:
      return exactly(type, content, 2 + 4 * (content.length < 2 ? 0 : content.readUInt16BE(0)));
    case MESSAGE.backendKeyData:
      if (content.length < 8) malformed('a cancellation key that is too short');
      return;
    case MESSAGE.authentication:
      return checkAuthentication(content);
    case MESSAGE.negotiateProtocolVersion:
      return;
    default:
      malformed(`a message of type ${typeName(type)}, which nothing asked for`);
  }
}

/** Checks a request to authenticate. The names of mechanisms (code 10) are a list of texts that an empty text ends. */
function checkAuthentication(content: Buffer): void {
  if (content.length < 4) malformed('a request to authenticate without its kind');
  if (content.readInt32BE(0) !== 10) return;
  let position = 4;
  while (content[position] !== 0) position = textEnd(content, position);
  exactly(MESSAGE.authentication, content, position + 1);
}

function checkFields(type: number, content: Buffer): void {
  let position = 0;
  while (content[position] !== 0) position = textEnd(content, position + 1);
  exactly(type, content, position + 1);
}

/** Returns the offset after the NUL that ends the text at `position`. */
function textEnd(content: Buffer, position: number): number {
  const zero = position < content.length ? content.indexOf(0, position) : -1;
  return zero < 0 ? malformed('a text without an end') : zero + 1;
}

function exactly(type: number, content: Buffer, bytes: number): void {
  if (content.length !== bytes)
    malformed(`a message of type ${typeName(type)} with ${String(content.length)} bytes of content`);
}
