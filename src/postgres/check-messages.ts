/**
 * Cuts messages of PostgreSQL for the driver's parser: on a broken one, the parser would hold what it waits for without a
 * bound, throw an error that is not caught, or not return. What a message contains is the matter of the server.
 */
import type { EventEmitter } from 'node:events';
import { MalformedMessage, malformed } from './malformed-message.js';
import { HEADER_BYTES, MESSAGE, messageEnd, typeName } from './message-format.js';

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
