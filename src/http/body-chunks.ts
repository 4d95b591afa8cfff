/** A request body that is handled while it arrives: bounded in memory by what is not handled yet, and in time by a slowest rate. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyChunks } from '../contract/request.js';
import { clientGone, requireUncoded, type BodyBounds } from './read-body.js';

export interface ReceivedChunks extends BodyChunks {
  /** Stops to receive. What is left may be discarded. */
  end(): void;
}

const EVENTS = ['readable', 'end', 'error', 'close'] as const;

/** @throws DbrError UnacceptableMediaType (415) for a body with a coding */
export function receiveChunks(
  request: IncomingMessage,
  response: ServerResponse,
  { memory, rate }: BodyBounds,
): ReceivedChunks {
  requireUncoded(request);
  let held = 0;
  let hasBegun = false;
  let hasEnded = false;
  let failure: Error | null = null;
  let onChange: () => void = () => undefined;
  const wake = (): void => onChange();
  const upload = rate.begin((error) => {
    failure = error;
    wake();
  });
  rate.pause(upload);
  for (const event of EVENTS) request.on(event, wake);
  response.once('close', wake);

  const isGone = (): boolean => (request.readableEnded ? response.destroyed : request.destroyed);

  async function receive(): Promise<Buffer | null> {
    for (;;) {
      if (failure !== null) throw failure;
      if (isGone()) throw clientGone();
      const chunk: unknown = request.read();
      if (Buffer.isBuffer(chunk)) return chunk;
      if (request.readableEnded) return null;
      await new Promise<void>((resolve) => (onChange = resolve));
    }
  }

  return {
    async next() {
      // RFC 9110 §10.1.1: the client waits for this before it sends the body.
      if (!hasBegun && request.headers.expect !== undefined) response.writeContinue();
      hasBegun = true;
      rate.resume(upload);
      try {
        const chunk = await receive();
        if (chunk === null) return null;
        upload.received += chunk.length;
        if (!memory.take(chunk.length)) await memory.borrow(chunk.length);
        if (hasEnded) {
          // Nothing waits for the chunk, which was due when the request failed.
          memory.release(chunk.length);
          return null;
        }
        held += chunk.length;
        return chunk;
      } finally {
        rate.pause(upload);
      }
    },
    release(bytes) {
      held -= bytes;
      memory.release(bytes);
    },
    end() {
      hasEnded = true;
      rate.end(upload);
      memory.release(held);
      held = 0;
      for (const event of EVENTS) request.off(event, wake);
    },
  };
}
