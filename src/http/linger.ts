/**
 * Responses to requests whose body is not read to its end. The connection is closed after the response with a delay:
 * closing it while bytes of the body arrive resets it, and the client could lose the response (RFC 9112 §9.6).
 */
import type { IncomingMessage } from 'node:http';

const LINGER_MS = 2000;
const LINGER_BYTES = 16_777_216;

/** Reads and discards the rest of the body, for a short time at most. */
export function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(done, LINGER_MS);
    function done(): void {
      clearTimeout(timer);
      request.off('data', onData);
      resolve();
    }
    function onData(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > LINGER_BYTES) done();
    }
    request.on('data', onData);
    for (const event of ['end', 'close', 'error'] as const) request.once(event, done);
    request.resume();
  });
}
