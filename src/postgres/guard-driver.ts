/** Inserts the check of messages before the driver's parser, on every connection that the driver opens. */
import type { Duplex } from 'node:stream';
import { messageChecker } from './check-messages.js';
import { MalformedMessage } from './malformed-message.js';

const guarded = new WeakSet<object>();

/**
 * A malformed message, or any error of the driver's parser, ends the connection with MalformedMessage. Without the
 * guard, it would end the process, or the parser would not return.
 * @param driver the module of the driver
 */
export function guardDriver(driver: object): void {
  const prototype = connectionPrototype(driver);
  if (guarded.has(prototype)) return;
  guarded.add(prototype);
  const attach: unknown = Reflect.get(prototype, 'attachListeners');
  if (typeof attach !== 'function') throw new Error('the driver reads its connections in another way');
  Reflect.set(prototype, 'attachListeners', function (this: unknown, stream: Duplex): void {
    Reflect.apply(attach, this, [readerOf(stream)]);
  });
}

function connectionPrototype(driver: object): object {
  const connection: unknown = Reflect.get(driver, 'Connection');
  const prototype: unknown = typeof connection === 'function' ? connection.prototype : null;
  if (typeof prototype !== 'object' || prototype === null) throw new Error('the driver has no connections');
  return prototype;
}

type Handler = (chunk: Buffer) => void;

/** The stream that the parser reads: checked data, and the end. */
const readerOf = (stream: Duplex) => ({
  on(event: string, handler: Handler): void {
    stream.on(event, event === 'data' ? checked(stream, handler) : handler);
  },
});

function checked(stream: Duplex, handler: Handler): Handler {
  const check = messageChecker();
  return (chunk) => {
    try {
      const messages = check(chunk);
      if (messages.length > 0) handler(messages);
    } catch (error) {
      stream.destroy(error instanceof MalformedMessage ? error : asMalformed(error));
    }
  };
}

const asMalformed = (error: unknown): MalformedMessage =>
  new MalformedMessage(
    `malformed answer of the database: ${error instanceof Error ? error.message : String(error)}`,
  );
