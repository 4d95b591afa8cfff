/**
 * The connections of one port, limited in total and for each address. The requests of a connection run one after
 * another: a pipelined request starts when the previous response has been written, so that a client that does not
 * read its responses occupies only its connection. Requests that need no I/O would follow each other without a pause:
 * they begin within the time of a turn of the event loop, beyond which connections take turns. So do bodies in chunks of a
 * few bytes.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { clientNetwork } from '../base/client-network.js';
import { isTurnOver, runInTurn } from '../base/turns.js';
import type { ConnectionRefusal, Observe } from '../observability/observation.js';
import { peerOf, type ClientAddresses } from './client-address.js';

export interface ConnectionLimits {
  /** Most open connections. */
  readonly all: number;
  /**
   * Most open connections of one address, or of one /64 network of IPv6, and requests in progress that proxies send for it.
   * 0 for no limit.
   */
  readonly perAddress: number;
}

/** The refusal of a connection, or of a request. */
export interface RefusalReply {
  /** The response as bytes of the connection. */
  raw(): string;
  /** Sends it as the last response of a connection. */
  send(response: ServerResponse): void;
}

export interface Connection {
  readonly socket: Socket;
  /** Network of the client, see `clientNetwork`; null on a Unix socket and for a connection of a proxy. */
  readonly network: string | null;
  /** Whether its requests are of several clients, which count each for itself. */
  readonly isProxied: boolean;
  /** The response in progress, or of the request that begins next; null while the connection is idle. */
  current: ServerResponse | null;
  /** Pipelined requests, in order. */
  readonly waiting: Waiting[];
  /** Memory of the pipelined requests, in bytes. */
  waitingBytes: number;
  /** `bytesRead` of the socket when the connection last became idle. */
  idleAt: number;
  /** Requests that have arrived, at least their heads. */
  taken: number;
  /** The last of them; null once it is complete and answered. */
  last: IncomingMessage | null;
  /** Since when the connection is read, by `performance.now()`: Infinity while it is not, -Infinity if it always was. */
  readSince: number;
  /** Text that is sent after the last response, before the connection is closed. */
  farewell: string | null;
  /** True when no further request is accepted. */
  ending: boolean;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bytes: number;
}

export interface Connections {
  /** Accepts a connection, or refuses it and returns false. */
  add(socket: Socket): boolean;
  /** Starts the request, immediately or after the responses to earlier requests. */
  take(request: IncomingMessage, response: ServerResponse): void;
  find(socket: unknown): Connection | undefined;
  /** Closes the connection after the responses to all its requests. @param farewell text to send before */
  finish(connection: Connection, farewell: string | null): void;
  /** Makes every further response the last of its connection, with `Connection: close` (RFC 9112 §9.6). */
  retire(): void;
  /** Ends the effect of `retire` on further responses. */
  keep(): void;
  /** Closes the connections that await no response and have sent nothing of a request. */
  endIdle(): void;
  readonly size: number;
  /** Number of accepted connections since the start, including refused ones. */
  readonly accepted: number;
}

/** Memory that a pipelined request takes beside its head, in bytes. */
const REQUEST_BYTES = 2048;
/**
 * Most bytes of pipelined requests of one connection. Reading stops at the first pipelined request; bytes that the
 * socket has already read still arrive.
 */
const MOST_WAITING_BYTES = 8_388_608;
/** Most bytes of the pipelined requests of all connections. */
const MOST_WAITING_BYTES_OF_ALL = 67_108_864;

/** The connections of one port. */
interface ConnectionsState {
  readonly handle: RequestListener;
  readonly limits: ConnectionLimits;
  readonly clients: ClientAddresses;
  readonly refusal: RefusalReply;
  readonly observe: Observe;
  /** Refused connections that are not closed yet. */
  refused: number;
  readonly bySocket: Map<unknown, Connection>;
  /** Number of open connections, and of requests of proxies, by network. */
  readonly byNetwork: Map<string, number>;
  /** Bytes of the pipelined requests of all connections. */
  waitingBytes: number;
  /** The connections that are read again in the next turn of the event loop, while none is read; otherwise null. */
  held: Set<Connection> | null;
  /** Whether each response is the last of its connection. */
  retiring: boolean;
  accepted: number;
}

export function createConnections(
  handle: RequestListener,
  options: Pick<ConnectionsState, 'limits' | 'clients' | 'refusal' | 'observe'>,
): Connections {
  const state: ConnectionsState = {
    handle,
    ...options,
    refused: 0,
    bySocket: new Map(),
    byNetwork: new Map(),
    waitingBytes: 0,
    held: null,
    retiring: false,
    accepted: 0,
  };
  return {
    get size() {
      return state.bySocket.size;
    },
    get accepted() {
      return state.accepted;
    },
    add: (socket) => add(state, socket),
    take: (request, response) => take(state, request, response),
    find: (socket) => state.bySocket.get(socket),
    finish,
    retire: () => retire(state),
    keep: () => void (state.retiring = false),
    endIdle() {
      for (const connection of state.bySocket.values()) if (isIdle(connection)) end(connection);
    },
  };
}

function add(state: ConnectionsState, socket: Socket): boolean {
  state.accepted += 1;
  const address = peerOf(socket);
  const isProxied = state.clients.isProxied(socket);
  const network = address === '' || isProxied ? null : clientNetwork(address);
  const reason = state.bySocket.size >= state.limits.all ? 'too many connections' : refusalOf(state, network);
  if (reason !== null) {
    refuse(state, socket, reason, address);
    return false;
  }
  const connection: Connection = {
    socket,
    network,
    isProxied,
    current: null,
    waiting: [],
    waitingBytes: 0,
    idleAt: socket.bytesRead,
    taken: 0,
    last: null,
    readSince: -Infinity,
    farewell: null,
    ending: false,
  };
  state.bySocket.set(socket, connection);
  enter(state, network);
  socket.once('close', () => remove(state, connection));
  socket.once('end', () => probeHalfClosed(connection));
  // Node.js resumes reading after each response and each chunk of a body; waiting requests and other connections come first.
  socket.on('resume', () => {
    if (connection.waiting.length > 0 || state.held !== null) socket.pause();
    state.held?.add(connection);
  });
  return true;
}

/** Most refused connections whose response is being sent; further ones are closed without one. */
const MOST_REFUSED = 1000;

function refuse(state: ConnectionsState, socket: Socket, reason: ConnectionRefusal, client: string): void {
  state.observe({ kind: 'connection-refused', reason, client });
  if (state.refused >= MOST_REFUSED) return void socket.destroy();
  state.refused += 1;
  socket.once('close', () => (state.refused -= 1));
  socket.end(state.refusal.raw(), 'latin1');
  setTimeout(() => socket.destroy(), CLOSING_MS).unref();
}

function refusalOf(
  { byNetwork, limits }: ConnectionsState,
  network: string | null,
): ConnectionRefusal | null {
  if (network === null || limits.perAddress === 0) return null;
  return (byNetwork.get(network) ?? 0) >= limits.perAddress ? 'too many connections of one address' : null;
}

function remove(state: ConnectionsState, connection: Connection): void {
  state.bySocket.delete(connection.socket);
  dropWaiting(state, connection);
  leave(state, connection.network);
}

function enter({ byNetwork }: ConnectionsState, network: string | null): void {
  if (network !== null) byNetwork.set(network, (byNetwork.get(network) ?? 0) + 1);
}

function leave(state: ConnectionsState, network: string | null): void {
  if (network === null) return;
  const others = (state.byNetwork.get(network) ?? 1) - 1;
  if (others === 0) state.byNetwork.delete(network);
  else state.byNetwork.set(network, others);
}

function dropWaiting(state: ConnectionsState, connection: Connection): void {
  state.waitingBytes -= connection.waitingBytes;
  connection.waitingBytes = 0;
  connection.waiting.length = 0;
}

function take(state: ConnectionsState, request: IncomingMessage, response: ServerResponse): void {
  const connection = state.bySocket.get(request.socket);
  // After the last response, or on a connection that is abandoned.
  if (connection === undefined || connection.ending) return;
  connection.taken += 1;
  connection.last = request;
  if (request.headers['transfer-encoding'] !== undefined) boundChunks(state, request);
  if (connection.current === null) beginInTurn(state, connection, request, response);
  else wait(state, connection, request, response);
}

function wait(
  state: ConnectionsState,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const bytes = REQUEST_BYTES + headLength(request);
  connection.waiting.push({ request, response, bytes });
  connection.waitingBytes += bytes;
  state.waitingBytes += bytes;
  if (connection.waitingBytes > MOST_WAITING_BYTES || state.waitingBytes > MOST_WAITING_BYTES_OF_ALL) {
    state.observe({ kind: 'client-refused', reason: 'too many pipelined requests' });
    connection.ending = true;
    connection.socket.destroy();
  } else if (connection.waiting.length === 1) {
    connection.readSince = Infinity;
    connection.socket.pause();
  }
  if (isTurnOver()) hold(state);
}

/**
 * Reads no connection for the rest of this turn: thousands of pipelined requests or chunks may arrive at once on each, and are
 * parsed when they are read.
 */
function hold(state: ConnectionsState): void {
  if (state.held !== null) return;
  const held = new Set([...state.bySocket.values()].filter(({ socket }) => !socket.isPaused()));
  state.held = held;
  for (const { socket } of held) socket.pause();
  setImmediate(() => {
    state.held = null;
    for (const connection of held) if (!isFull(connection)) connection.socket.resume();
  });
}

/** Whether as much of a body has arrived as is kept before it is taken, by which Node.js resumes reading. */
const isFull = ({ last }: Connection): boolean =>
  last?.complete === false && last.readableLength >= last.readableHighWaterMark;

/** Shorter chunks, in bytes, are mostly work of the parser: one read may contain 10,000 of one byte. */
const SHORT_CHUNK = 1024;

/** Makes the chunks of a body take turns with what other connections send. */
function boundChunks(state: ConnectionsState, request: IncomingMessage): void {
  const push = request.push.bind(request);
  // The parser calls it for each chunk, whether the body is read or discarded.
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (Buffer.isBuffer(chunk) && chunk.length < SHORT_CHUNK && isTurnOver()) hold(state);
    return push(chunk, encoding);
  };
}

/** Begins the request, unless the connection has ended or refused it when its turn has come. */
function beginInTurn(
  state: ConnectionsState,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  connection.current = response;
  runInTurn(() => {
    if (connection.current === response && !connection.socket.destroyed)
      begin(state, connection, request, response);
  });
}

function begin(
  state: ConnectionsState,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (state.retiring && connection.waiting.length === 0) lastAnswer(response);
  if (connection.isProxied) handleForClient(state, request, response);
  else state.handle(request, response);
  response.on('close', () => answered(state, connection));
}

/** Handles a request of a proxy, which counts as a connection of the client. */
function handleForClient(state: ConnectionsState, request: IncomingMessage, response: ServerResponse): void {
  const client = state.clients.of(request);
  const network = client === '' ? null : clientNetwork(client);
  const reason = refusalOf(state, network);
  if (reason !== null) {
    state.observe({ kind: 'connection-refused', reason, client });
    return state.refusal.send(response);
  }
  enter(state, network);
  response.on('close', () => leave(state, network));
  state.handle(request, response);
}

function answered(state: ConnectionsState, connection: Connection): void {
  connection.current = null;
  connection.idleAt = connection.socket.bytesRead;
  if (connection.waiting.length === 0 && connection.last?.complete === true) connection.last = null;
  if (!connection.socket.writable) return abandonWaiting(state, connection);
  const next = connection.waiting.shift();
  if (next !== undefined) {
    connection.waitingBytes -= next.bytes;
    state.waitingBytes -= next.bytes;
    if (connection.waiting.length === 0) {
      connection.readSince = performance.now();
      connection.socket.resume();
    }
    beginInTurn(state, connection, next.request, next.response);
  } else if (state.retiring || connection.ending) end(connection);
}

/**
 * Drops the requests behind the last response of a connection, which are not handled (RFC 9112 §9.6): their responses have
 * no socket any more, and would never be written nor closed.
 */
function abandonWaiting(state: ConnectionsState, connection: Connection): void {
  connection.ending = true;
  dropWaiting(state, connection);
}

function finish(connection: Connection, farewell: string | null): void {
  connection.farewell = farewell;
  connection.ending = true;
  if (connection.current === null) end(connection);
}

function retire(state: ConnectionsState): void {
  state.retiring = true;
  for (const connection of state.bySocket.values()) {
    const { current, waiting } = connection;
    if (current !== null && waiting.length === 0) lastAnswer(current);
  }
}

/** The rest of a head that has begun is waited for, within the time for heads. */
const isIdle = ({ current, socket, idleAt }: Connection): boolean =>
  current === null && socket.bytesRead === idleAt;

function lastAnswer(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/** Time in which a client must notice that its connection is closed. */
const CLOSING_MS = 1000;

/** Closes the sending side first: bytes in transit would cause a reset, and the client could lose the response. */
function end(connection: Connection): void {
  const { socket, farewell } = connection;
  connection.ending = true;
  if (socket.destroyed || socket.writableEnded) return;
  if (farewell === null) socket.end();
  else socket.end(farewell, 'latin1');
  setTimeout(() => socket.destroy(), CLOSING_MS).unref();
}

function headLength({ rawHeaders, url = '' }: IncomingMessage): number {
  let length = url.length;
  for (const text of rawHeaders) length += text.length;
  return length;
}

interface Answering {
  readonly current: ServerResponse | null;
}

// A client that has closed its sending side may still read (RFC 9112 §9.6) or may have gone: the server cannot
// distinguish the two until it sends. While the response is prepared, interim responses (RFC 9110 §15.2, 102 of RFC
// 2518 §10.1) are sent at intervals: a client that has gone resets the connection, and one that reads ignores them.

/**
 * Intervals between interim responses, in milliseconds. A reset that the first one causes is noticed when the second
 * is sent.
 */
const INTERVALS_MS = [500, 500, 5000] as const;

/** @param connection whose client has closed its sending side */
function probeHalfClosed(connection: Answering, round = 0): void {
  if (connection.current === null) return;
  const interval = INTERVALS_MS[round] ?? INTERVALS_MS[2];
  setTimeout(() => {
    const { current } = connection;
    if (current?.headersSent === false) probe(current);
    probeHalfClosed(connection, round + 1);
  }, interval).unref();
}

/** HTTP/1.0 has no interim responses: a response that is not ready is abandoned. */
function probe(response: ServerResponse): void {
  if (response.req.httpVersionMinor >= 1) response.writeProcessing();
  else response.destroy();
}
