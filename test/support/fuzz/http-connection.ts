/** One connection of HTTP/1.1 that sends requests without waiting for the responses before (RFC 9112, 9.3.2). */
import { connect, type Socket } from 'node:net';

export interface HttpRequest {
  readonly method: string;
  /** With the query. Characters above U+00FF cannot be sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; values of a repeated header are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface Waiting {
  readonly method: string;
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: Error) => void;
}

export interface HttpConnection {
  readonly socket: Socket;
  /** Requests without a response, in the order of their responses. */
  readonly waiting: Waiting[];
  received: Buffer;
  /** Whether the connection takes no further request. */
  closed: boolean;
}

/** The longest wait for the next byte, in milliseconds, also on a machine that is busy with other work. */
const PATIENCE = 120_000;

export function openConnection(target: { readonly host: string; readonly port: number }): HttpConnection {
  const socket = connect({ ...target, noDelay: true });
  const connection: HttpConnection = { socket, waiting: [], received: Buffer.alloc(0), closed: false };
  const fail = (error: Error): void => {
    connection.closed = true;
    for (const { reject } of connection.waiting.splice(0)) reject(error);
    socket.destroy();
  };
  socket.on('data', (chunk: Buffer) => {
    connection.received =
      connection.received.length === 0 ? chunk : Buffer.concat([connection.received, chunk]);
    try {
      takeResponses(connection);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection ends without a response')));
  socket.setTimeout(PATIENCE, () => fail(new Error('no response arrives')));
  return connection;
}

/** Sends a request. Requests of one turn of the event loop leave in one packet. */
export function sendRequest(connection: HttpConnection, request: HttpRequest): Promise<HttpResponse> {
  const { method, path, headers, body } = request;
  const { socket, waiting } = connection;
  return new Promise((resolve, reject) => {
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    waiting.push({ method, resolve, reject });
    let head = `${method} ${path} HTTP/1.1\r\nHost: fuzz\r\n`;
    for (const name in headers) head += `${name}: ${headers[name] ?? ''}\r\n`;
    if (body !== undefined) head += `Content-Length: ${String(Buffer.byteLength(body))}\r\n`;
    socket.write(`${head}\r\n`, 'latin1');
    if (body !== undefined && body !== '') socket.write(body);
  });
}

function takeResponses(connection: HttpConnection): void {
  for (;;) {
    const [first] = connection.waiting;
    if (first === undefined || connection.received.length === 0) return;
    const found = readResponse(connection.received, first.method);
    if (found === null) return;
    connection.received = connection.received.subarray(found.end);
    connection.waiting.shift();
    if (found.response.headers['connection'] === 'close') connection.closed = true;
    first.resolve(found.response);
  }
}

interface Found {
  readonly response: HttpResponse;
  /** Position behind the response. */
  readonly end: number;
}

/** Reads the response at the beginning of the bytes; null if it is not complete. */
function readResponse(bytes: Buffer, method: string): Found | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(statusLine.slice(9, 12));
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const start = headEnd + 4;
  if (method === 'HEAD' || status === 204 || status === 304)
    return { response: { status, headers, text: '' }, end: start };
  const body =
    headers['transfer-encoding'] === 'chunked'
      ? readChunks(bytes, start)
      : readSized(bytes, start, Number(headers['content-length'] ?? '0'));
  return body === null ? null : { response: { status, headers, text: body.text }, end: body.end };
}

interface Body {
  readonly text: string;
  readonly end: number;
}

function readSized(bytes: Buffer, start: number, length: number): Body | null {
  const end = start + length;
  return bytes.length < end ? null : { text: bytes.toString('utf8', start, end), end };
}

/** Chunks (RFC 9112, 7.1) without trailers. */
function readChunks(bytes: Buffer, start: number): Body | null {
  const parts: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error('a chunk without its size');
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return null;
    if (size === 0) return { text: Buffer.concat(parts).toString('utf8'), end };
    parts.push(bytes.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}
