/**
 * Limits on the HTTP/2 connections of grpc-js. grpc-js limits neither the time nor the bytes of a request, and does
 * not detect a connection that nghttp2 has ended because of a protocol error.
 */
import { EventEmitter } from 'node:events';
import {
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import { runInTurn } from '../base/turns.js';
import { GRPC_STATUS, type RefusalReason } from './refusal.js';
import {
  CONNECTION_REQUEST_BYTES,
  HANDSHAKE_MS,
  MAX_REQUEST_BYTES,
  REQUEST_MS,
  RESET_BURST,
  RESETS_PER_SECOND,
  TOTAL_REQUEST_BYTES,
} from './limits.js';

interface Http2Sessions {
  /** Ends all connections immediately. */
  destroy(): void;
}

export interface SessionLimits {
  /** Longest time to receive a whole request, in milliseconds. */
  readonly requestMs: number;
  /** Most bytes of requests in memory, of one connection and of all. */
  readonly connectionBytes: number;
  readonly totalBytes: number;
}

const LIMITS: SessionLimits = {
  requestMs: REQUEST_MS,
  connectionBytes: CONNECTION_REQUEST_BYTES,
  totalBytes: TOTAL_REQUEST_BYTES,
};

/** Interval between checks of all connections. */
const SWEEP_MS = 250;

interface Request {
  readonly stream: ServerHttp2Stream;
  readonly startedAt: number;
  readonly compressed: boolean;
  /** Bytes received so far. */
  bytes: number;
  /** Bytes that count against the limits. */
  held: number;
  ended: boolean;
}

interface Connection {
  readonly session: ServerHttp2Session;
  readonly openedAt: number;
  readonly requests: Set<Request>;
  held: number;
  /** Streams that have not ended, or whose end was not counted yet. */
  readonly streams: Set<ServerHttp2Stream>;
  /** Streams that the client has reset, less those that its rate allows. */
  resets: number;
  /** True after the client's first SETTINGS frame, which ends the handshake of HTTP/2. */
  greeted: boolean;
  /** `bytesRead` of the socket at the last check. */
  read: number;
  /** `bytesWritten` of the socket when the pending PING was sent; null if no PING is pending. */
  pingedAt: number | null;
  /** True if a PING was sent since bytes were last read. */
  probed: boolean;
}

interface SessionsState {
  /** The HTTP/2 server of grpc-js, which begins the calls. */
  readonly server: EventEmitter;
  readonly limits: SessionLimits;
  readonly connections: Set<Connection>;
  /** Bytes of requests that are held, of all connections. */
  total: number;
  /** Runs while there are connections. */
  timer: NodeJS.Timeout | null;
}

/**
 * Watches the connections of a server that has its injector.
 * @throws Error if the server has no list of HTTP/2 servers, because grpc-js has changed
 */
export function watchSessions(server: Server, limits = LIMITS): Http2Sessions {
  const state: SessionsState = {
    server: http2ServerOf(server),
    limits,
    connections: new Set(),
    total: 0,
    timer: null,
  };
  state.server.on('session', (session: ServerHttp2Session) => add(state, session));
  return {
    destroy() {
      for (const { session } of state.connections) session.destroy();
    },
  };
}

function add(state: SessionsState, session: ServerHttp2Session): void {
  const connection: Connection = {
    session,
    openedAt: performance.now(),
    requests: new Set(),
    held: 0,
    streams: new Set(),
    resets: 0,
    greeted: false,
    read: -1,
    pingedAt: null,
    probed: false,
  };
  state.connections.add(connection);
  session.once('remoteSettings', () => (connection.greeted = true));
  // In place of the listener of Node.js, which passes each stream to the server at once.
  session.removeAllListeners('stream');
  session.on('stream', (...received) => receive(state, connection, received));
  session.once('close', () => {
    state.connections.delete(connection);
    if (state.connections.size > 0 || state.timer === null) return;
    clearInterval(state.timer);
    state.timer = null;
  });
  state.timer ??= setInterval(sweep, SWEEP_MS, state).unref();
}

type Received = [stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number];

/** Begins the call in its turn, unless the client has reset the stream until then. */
function receive(state: SessionsState, connection: Connection, received: Received): void {
  const [stream, headers] = received;
  // A stream that its client resets may fail before grpc-js listens.
  stream.on('error', () => undefined);
  countResets(connection);
  connection.streams.add(stream);
  stream.once('close', () => countReset(connection, stream));
  runInTurn(() => {
    if (stream.closed) return;
    state.server.emit('stream', ...received);
    track(state, connection, stream, headers);
  });
}

/** Streams that end while a piece of input is read report it after the piece. */
function countResets(connection: Connection): void {
  for (const stream of connection.streams) if (stream.closed) countReset(connection, stream);
}

/**
 * Closes a connection whose client resets more streams than it may: each costs work, and none counts against the streams at
 * a time (RFC 9113 §10.5).
 */
function countReset(connection: Connection, stream: ServerHttp2Stream): void {
  const { session, streams } = connection;
  if (!streams.delete(stream) || !stream.aborted) return;
  connection.resets += 1;
  if (connection.resets <= RESET_BURST || session.closed || session.destroyed) return;
  session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  // Refuses the streams that were read already. Node.js would crash if the session ended while its input is read.
  session.close();
  setImmediate(() =>
    session.destroy(new Error('too many streams were reset'), constants.NGHTTP2_ENHANCE_YOUR_CALM),
  );
}

function track(
  state: SessionsState,
  connection: Connection,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): void {
  const encoding = headers['grpc-encoding'];
  const request: Request = {
    stream,
    startedAt: performance.now(),
    compressed: encoding !== undefined && encoding !== 'identity',
    bytes: 0,
    held: 0,
    ended: false,
  };
  connection.requests.add(request);
  // The stream is paused by now, and stays so until grpc-js reads.
  stream.on('data', (chunk: Buffer) => {
    request.bytes += chunk.length;
    hold(state, connection, request, heldBy(request));
  });
  stream.once('end', () => {
    request.ended = true;
    hold(state, connection, request, heldBy(request));
  });
  stream.once('close', () => {
    connection.requests.delete(request);
    hold(state, connection, request, 0);
  });
}

/** Counts the bytes that a request holds, and refuses requests above the limits. */
function hold(state: SessionsState, connection: Connection, request: Request, bytes: number): void {
  const more = bytes - request.held;
  request.held = bytes;
  connection.held += more;
  state.total += more;
  if (more <= 0) return;
  if (connection.held > state.limits.connectionBytes) refuse(request, 'too-many-bytes', TOO_MUCH);
  else if (state.total > state.limits.totalBytes) refuseLargest(state);
}

/** Of the connection that holds most, so that one client does not take the room of the others. */
function refuseLargest({ connections }: SessionsState): void {
  const [first, ...others] = connections;
  if (first === undefined) return;
  const connection = others.reduce((most, other) => (other.held > most.held ? other : most), first);
  const largest = [...connection.requests]
    .filter(({ ended }) => !ended)
    .reduce<Request | null>((most, other) => (other.held > (most?.held ?? -1) ? other : most), null);
  if (largest !== null) refuse(largest, 'too-many-bytes', TOO_MUCH);
}

function sweep({ connections, limits }: SessionsState): void {
  const now = performance.now();
  for (const connection of connections) {
    connection.resets = Math.max(0, connection.resets - (RESETS_PER_SECOND * SWEEP_MS) / 1000);
    if (isOver(connection, now)) connection.session.destroy();
    else for (const request of connection.requests) check(request, now - limits.requestMs);
  }
}

/** @param latest the time at which a request that is not complete must have begun */
function check(request: Request, latest: number): void {
  const { stream } = request;
  if (request.ended) return;
  // A request that is answered need not come in whole (RFC 9113 §8.1).
  if (stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR);
  else if (request.startedAt < latest)
    refuse(request, 'request-too-slow', 'the request did not come in whole in time');
}

const TOO_MUCH = 'too many bytes of unfinished requests';

/** A compressed request counts as the largest message, because it may expand to it. */
const heldBy = ({ compressed, ended, bytes }: Request): number =>
  compressed && !ended ? Math.max(bytes, MAX_REQUEST_BYTES) : bytes;

function refuse({ stream }: Request, reason: RefusalReason, details: string): void {
  if (stream.closed || stream.destroyed) return;
  if (!stream.headersSent)
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc+proto',
        'grpc-status': String(GRPC_STATUS[reason]),
        'grpc-message': details,
      },
      { endStream: true },
    );
  stream.close(constants.NGHTTP2_NO_ERROR);
}

/**
 * Whether the connection is dead: its handshake took too long, or nghttp2 has ended it. To detect the latter, a PING
 * is sent when nothing has been read for a while: on a live connection it is written immediately.
 */
function isOver(connection: Connection, now: number): boolean {
  const { session } = connection;
  if (session.destroyed) return false;
  if (!connection.greeted && now - connection.openedAt > HANDSHAKE_MS) return true;
  const { bytesRead, bytesWritten } = session.socket;
  if (bytesRead !== connection.read) {
    connection.read = bytesRead;
    connection.pingedAt = null;
    connection.probed = false;
    return false;
  }
  if (connection.pingedAt !== null) {
    const stuck = bytesWritten === connection.pingedAt && !isWriting(connection);
    connection.pingedAt = null;
    return stuck;
  }
  if (!connection.probed && !isWriting(connection)) {
    connection.probed = true;
    const sent = session.ping(() => {
      // The acknowledgement of the PING does not count as activity.
      if (!session.destroyed) connection.read = session.socket.bytesRead;
    });
    if (sent) connection.pingedAt = bytesWritten;
  }
  return false;
}

/** The client does not read, so a PING waits behind what was written before. */
const isWriting = ({ requests }: Connection): boolean =>
  [...requests].some(({ stream }) => stream.writableLength > 0);

/**
 * The HTTP/2 server of grpc-js, which offers no public way to it: an injector takes sockets, an interceptor sees calls without
 * their stream, and Node.js 20 has no diagnostics channel of HTTP/2 servers. The session is needed before its first call, to end
 * connections whose handshake does not end. Nothing is written to the private member; the version of grpc-js is pinned, and one
 * that stores its servers elsewhere fails at the start.
 */
function http2ServerOf(server: Server): EventEmitter {
  const servers: unknown = server['http2Servers'];
  const found: Iterable<unknown> = servers instanceof Map ? servers.keys() : [];
  for (const one of found) if (isEmitter(one)) return one;
  throw new Error('grpc-js keeps no HTTP/2 server where one is expected');
}

const isEmitter = (value: unknown): value is EventEmitter => value instanceof EventEmitter;
