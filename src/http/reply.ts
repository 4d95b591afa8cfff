/** What every handler ends in: one value, written to the socket in one place. */
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';

export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface Reply {
  readonly status: number;
  /** Reason phrase, where it is not the status's own. */
  readonly reason?: string | undefined;
  readonly headers: HeaderList;
  /** Bytes in hand, chunks yet to come, or nothing. */
  readonly body: readonly Buffer[] | AsyncIterable<string | Buffer> | null;
}

const isStream = (body: Reply['body']): body is AsyncIterable<string | Buffer> =>
  body !== null && Symbol.asyncIterator in body;

/** A JSON reply with its content type and length. */
export function jsonReply(status: number, value: unknown, headers: HeaderList = []): Reply {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8');
  return {
    status,
    headers: [['Content-Type', 'application/json; charset=utf-8'], ...headers],
    body: [bytes],
  };
}

/**
 * Writes the reply; resolves when the last byte has been handed over or the client has gone.
 * `HEAD` answers carry the headers alone.
 *
 * @param more headers that every reply has, unless the reply has its own of that name
 */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  more: HeaderList,
  method: string,
): Promise<void> {
  const { status, body } = reply;
  const flat: string[] = [];
  for (const header of more) if (!isNamed(reply.headers, header[0])) flat.push(header[0], header[1]);
  for (const [name, value] of reply.headers) flat.push(name, value);
  const bytes = body === null || isStream(body) ? null : body;
  if (!mayHaveBody(status)) response.writeHead(status, reply.reason, flat);
  else if (isStream(body)) response.writeHead(status, reply.reason, flat);
  else {
    let length = 0;
    for (const piece of bytes ?? []) length += piece.length;
    if (method !== 'HEAD') flat.push('Content-Length', String(length));
    response.writeHead(status, reply.reason, flat);
  }
  if (method === 'HEAD' || !mayHaveBody(status) || body === null) response.end();
  else if (isStream(body)) await sendStream(response, body);
  else sendBytes(response, body);
}

/** Field names are case-insensitive (RFC 9110 §5.1). */
function isNamed(headers: HeaderList, name: string): boolean {
  for (const [given] of headers)
    if (given.length === name.length && given.toLowerCase() === name.toLowerCase()) return true;
  return false;
}

/** RFC 9110 §15: 1xx, 204 and 304 have no content. */
const mayHaveBody = (status: number): boolean => status >= 200 && status !== 204 && status !== 304;

function sendBytes(response: ServerResponse, pieces: readonly Buffer[]): void {
  const last = pieces.length - 1;
  for (let index = 0; index < last; index++) response.write(pieces[index]);
  response.end(pieces[last]);
}

async function sendStream(response: ServerResponse, chunks: AsyncIterable<string | Buffer>): Promise<void> {
  response.flushHeaders();
  try {
    for await (const chunk of chunks) {
      if (response.destroyed) break;
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
  } catch {
    // The status is sent: that the body is not whole can be told only by breaking off.
    response.destroy();
  }
}

async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  try {
    await Promise.race([
      once(response, 'drain', { signal: gone.signal }),
      once(response, 'close', { signal: gone.signal }),
    ]);
  } finally {
    gone.abort();
  }
}
