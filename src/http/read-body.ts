/** Request bodies as bytes, never more than a limit. */
import type { IncomingMessage } from 'node:http';
import { dbrError } from '../errors/dbr-error.js';

const EMPTY = Buffer.alloc(0);

/** Thrown when the client went away before its body was complete: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/**
 * Reads the whole body. A declared length over the limit is refused before a byte is read, an undeclared one as soon
 * as it is passed; what follows is not read.
 * @param limit in bytes
 * @throws DbrError PayloadTooLarge (413); ClientGone
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = request.headers['content-length'];
  if (declared === undefined && request.headers['transfer-encoding'] === undefined)
    return Promise.resolve(EMPTY);
  if (declared === '0') return Promise.resolve(EMPTY);
  if (declared !== undefined && Number(declared) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const fail = (error: Error): void => {
      request.off('data', onData);
      request.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) fail(tooLarge(limit));
      else chunks.push(chunk);
    };
    request.on('data', onData);
    request.once('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, length)),
    );
    const gone = (): void => {
      if (!request.complete) fail(new ClientGone('the client closed the connection'));
    };
    request.once('error', gone);
    request.once('close', gone);
  });
}

/** The connection is closed after this answer: the rest of the body is never read. */
const tooLarge = (limit: number): Error =>
  dbrError('PayloadTooLarge', { limit }, { headers: { Connection: 'close' } });
