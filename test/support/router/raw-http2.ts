/** HTTP/2 as a hostile client speaks it: frames of its own making, and requests that never end. */
import { once } from 'node:events';
import {
  connect as connectHttp2,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
} from 'node:http2';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** A frame of HTTP/2 (RFC 9113 §4.1). */
export function frame(
  type: number,
  flags: number,
  streamId: number,
  payload: Buffer,
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

// Types of frames, and a flag (RFC 9113 §6).
const HEADERS = 1;
const RST_STREAM = 3;
const END_HEADERS = 4;

/** Frames that begin calls and reset each of them at once. */
export function beginsAndResets(path: string, calls: number, reason: number): Buffer {
  // Fields without an index and with a new name (RFC 7541 §6.2.2).
  const field = (name: string, value: string): Buffer =>
    Buffer.from(`\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`);
  const fields = Buffer.concat([
    field(':method', 'POST'),
    field(':scheme', 'http'),
    field(':path', path),
    field(':authority', 'localhost'),
    field('te', 'trailers'),
    field('content-type', 'application/grpc'),
  ]);
  const code = Buffer.alloc(4);
  code.writeUInt32BE(reason);
  return Buffer.concat(
    Array.from({ length: calls }, (_, call) => [
      frame(HEADERS, END_HEADERS, 2 * call + 1, fields),
      frame(RST_STREAM, 0, 2 * call + 1, code),
    ]).flat(),
  );
}

/** A connection that has done the handshake of HTTP/2. @throws when the server ends it before */
export async function openRaw(port: number, tls: ConnectionOptions | null = null): Promise<Socket> {
  const at = { port, host: '127.0.0.1' };
  const socket = tls === null ? connect(at) : connectTls({ ...at, ...tls });
  socket.write(Buffer.concat([Buffer.from(PREFACE), frame(4, 0, 0, Buffer.alloc(0))]));
  await new Promise<void>((resolve, reject) => {
    socket.once('data', () => resolve());
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
  return socket;
}

/** Frames that are errors of the connection (RFC 9113 §4.2, §6.1, §4.3). */
export const PROTOCOL_ERRORS: ReadonlyMap<string, Buffer> = new Map([
  ['a frame beyond the size that was agreed', frame(0, 0, 1, Buffer.alloc(10), 100_000)],
  ['data on stream 0', frame(0, 0, 0, Buffer.from('x'))],
  ['a field block that is none', frame(1, 5, 1, Buffer.alloc(6, 0xff))],
]);

export async function openSession(
  port: number,
  tls: ConnectionOptions | null = null,
): Promise<ClientHttp2Session> {
  const session = connectHttp2(
    `${tls === null ? 'http' : 'https'}://127.0.0.1:${String(port)}`,
    // A client that holds more than this many megabytes would refuse the responses itself.
    { maxSessionMemory: 4000, ...(tls === null ? {} : { ...tls, checkServerIdentity: () => undefined }) },
  );
  session.on('error', () => undefined);
  // The settings of the server limit the streams: without them, the client begins more than the server accepts.
  await Promise.all([once(session, 'connect'), once(session, 'remoteSettings')]);
  return session;
}

export interface RawCall {
  readonly stream: ClientHttp2Stream;
  /** Status of gRPC; null: the stream ended without one. */
  readonly answered: Promise<number | null>;
}

/** Begins a call whose message the caller writes. */
export function beginCall(
  session: ClientHttp2Session,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): RawCall {
  const stream = session.request(
    {
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    },
    { endStream: false },
  );
  let code: number | null = null;
  const read = (fields: Readonly<Record<string, unknown>>): void => {
    const text = fields['grpc-status'];
    if (typeof text === 'string') code = Number(text);
  };
  stream.on('response', read);
  stream.on('trailers', read);
  stream.on('error', () => undefined);
  stream.resume();
  const answered = new Promise<number | null>((resolve) => stream.once('close', () => resolve(code)));
  return { stream, answered };
}

/** A message as gRPC sends it, with the length that it claims. */
export function message(bytes: Buffer, length = bytes.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, bytes]);
}
