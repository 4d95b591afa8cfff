/** The reply to a request as a value, and the function that writes it to the socket. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Header, Reply } from '../contract/reply.js';
import { EVENT_STREAM } from '../operations/responses.js';

const isStream = (body: Reply['body']): body is AsyncIterable<string | Buffer> =>
  body !== null && Symbol.asyncIterator in body;

/** A JSON reply with its content type and length. */
export function jsonReply(status: number, value: unknown, headers: readonly Header[] = []): Reply {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8');
  return {
    status,
    headers: [['Content-Type', 'application/json; charset=utf-8'], ...headers],
    body: [bytes],
  };
}

/**
 * Writes the reply. Resolves when the last byte has been passed to the socket, or the client has disconnected. A
 * response to `HEAD` has headers only.
 *
 * @param common headers that every reply has, unless the reply has its own of that name
 * @param discard discards the rest of the request, after which the connection is closed; null keeps the connection
 */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  common: readonly Header[],
  method: string,
  discard: (() => Promise<void>) | null = null,
): Promise<void> {
  const { status, reason, body } = reply;
  const flat = flatHeaders(reply.headers, common);
  const isHead = method === 'HEAD';
  if (status === RESET_CONTENT) flat.push('Content-Length', '0');
  else if (mayHaveBody(status) && !isStream(body)) {
    const length = lengthOf(body ?? []);
    // HEAD has no body where GET would have rows: their length is unknown. Errors have their text.
    if (!isHead || length > 0) flat.push('Content-Length', String(length));
  }
  if (discard !== null) response.shouldKeepAlive = false;
  response.writeHead(status, reason, flat);
  if (body !== null && isStream(body) && !isHead && mayHaveBody(status))
    return sendStream(response, body, isEventStream(reply.headers), reply.release, discard);
  const pieces = isHead || !mayHaveBody(status) || body === null || isStream(body) ? [] : body;
  if (discard === null) sendBytes(response, pieces, reply.release);
  else {
    for (const piece of pieces) response.write(piece);
    response.flushHeaders();
    await discard();
    response.end();
  }
}

/** Names and values in turns, the form that Node.js accepts. */
function flatHeaders(own: readonly Header[], common: readonly Header[]): string[] {
  const flat: string[] = [];
  for (const [name, value] of common) if (!isNamed(own, name)) flat.push(name, value);
  for (const [name, value] of own) {
    flat.push(name, value);
    if (isDocument(name, value) && !isNamed(own, CONTENT_SECURITY_POLICY))
      flat.push(CONTENT_SECURITY_POLICY, "sandbox; frame-ancestors 'none'");
  }
  return flat;
}

/** Field names are case-insensitive (RFC 9110 §5.1). */
function isNamed(headers: readonly Header[], name: string): boolean {
  for (const [given] of headers)
    if (given.length === name.length && given.toLowerCase() === name.toLowerCase()) return true;
  return false;
}

const CONTENT_SECURITY_POLICY = 'Content-Security-Policy';

/**
 * Whether a browser could run scripts of the reply as a page of this origin: HTML, and every form of XML, such as SVG. A
 * function may give a list of types or one in capital letters, and browsers take it.
 */
const isDocument = (name: string, value: string): boolean =>
  name.toLowerCase() === 'content-type' && /html|xml|xsl/i.test(value);

function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

export const isEventStream = (headers: readonly Header[]): boolean =>
  headers.some(([name, value]) => name === 'Content-Type' && value === EVENT_STREAM);

const RESET_CONTENT = 205;

/** RFC 9110 §15: 1xx, 204, 205 and 304 have no content. */
const mayHaveBody = (status: number): boolean =>
  status >= 200 && status !== 204 && status !== RESET_CONTENT && status !== 304;

/** Longer bodies, in bytes, are not joined with the head. */
const JOINED_BYTES = 16_384;

/** Sends a short body with the head in one write: Node.js joins the head with a text, not with bytes. */
function sendBytes(response: ServerResponse, pieces: readonly Buffer[], release: Reply['release']): void {
  const last = pieces.length - 1;
  const [first] = pieces;
  if (last === 0 && first !== undefined && first.length <= JOINED_BYTES) {
    const text = first.toString('latin1');
    release?.(first);
    response.write(text, 'latin1');
    // Written now, because `end` would add an empty piece for which the socket makes a list of pieces.
    response.socket?.uncork();
    response.end();
    return;
  }
  for (let index = 0; index < last; index++) response.write(pieces[index]);
  // The last piece is undefined if there are no pieces.
  if (release === undefined || last < 0) response.end(pieces[last]);
  else response.end(pieces[last], () => pieces.forEach(release));
}

/**
 * @param isEndless true treats a client that has closed its sending side as gone, because the body has no end for
 * which it could wait
 */
async function sendStream(
  response: ServerResponse,
  chunks: AsyncIterable<string | Buffer>,
  isEndless: boolean,
  release: Reply['release'],
  discard: (() => Promise<void>) | null,
): Promise<void> {
  response.flushHeaders();
  // The client may send all of its body before it reads.
  void discard?.();
  const { socket } = response;
  if (chunks instanceof Readable) chunks.once('close', () => endWith(response, chunks));
  if (isEndless && socket?.readableEnded === true) response.destroy();
  else if (isEndless) socket?.once('end', () => response.destroy());
  try {
    for await (const chunk of chunks) {
      if (response.destroyed) break;
      const onWritten = release === undefined || typeof chunk === 'string' ? undefined : () => release(chunk);
      if (!response.write(chunk, onWritten)) await drained(response);
    }
    await discard?.();
    response.end();
  } catch {
    cut(response);
  }
}

/** Cuts the connection of a reader that takes no more of a body which will not be complete. */
function endWith(response: ServerResponse, body: Readable): void {
  if (!body.readableEnded && !response.writableEnded) cut(response);
}

/**
 * The status is already sent: the end of the connection is the only way to show that the body is incomplete. In HTTP/1.0,
 * where a body ends with its connection, only a reset shows it.
 */
function cut(response: ServerResponse): void {
  const { socket } = response;
  // A Unix-domain socket has no address, and no reset.
  if (response.req.httpVersionMinor === 0 && socket?.remoteAddress !== undefined) socket.resetAndDestroy();
  response.destroy();
}

/** Resolves when the response accepts more bytes, or its client has disconnected. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    function end(): void {
      response.off('drain', end);
      response.off('close', end);
      resolve();
    }
    response.on('drain', end);
    response.on('close', end);
  });
}
