/** Listening sockets: bounded connections, requests that are no HTTP, and stopping so that no answer is lost. */
import { chmodSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import {
  createConnection,
  Server as NetServer,
  type AddressInfo,
  type NetConnectOpts,
  type Socket,
} from 'node:net';
import type { DbrError } from '../errors/dbr-error.js';
import type { Observe } from '../observability/observation.js';
import { createConnections, type Connection, type Connections } from './connections.js';
import {
  MOST_HEADER_LINES,
  protocolError,
  protocolFault,
  rawAnswer,
  type ProtocolFault,
} from './protocol-fault.js';
import type { Reply } from './reply.js';

export interface ListenOptions {
  /** An address, a name, `!4` and `*4` for any IPv4, `!6` and `*6` for any IPv6, `*` for any. */
  readonly host: string;
  readonly port: number;
  readonly unixSocket?: { readonly path: string; readonly mode: number } | undefined;
  /** The path below which the data API is served; empty for the root. */
  readonly pathPrefix?: string;
  /** In bytes. */
  readonly maxHeaderSize?: number;
  /** Longest time to receive the head of a request, in milliseconds. */
  readonly headerTimeoutMs?: number;
  /** Longest time to receive a whole request, in milliseconds. */
  readonly requestTimeoutMs?: number;
  /** Longest time between two requests of a connection, in milliseconds. */
  readonly keepAliveTimeoutMs?: number;
  /** How long a client may take nothing of an answer that waits for it, in milliseconds; 30 s by default. */
  readonly stallTimeoutMs?: number;
  readonly maxConnections?: number;
  /** 0 for any number. */
  readonly maxConnectionsPerAddress?: number;
  /** Renders the answer to what is no request. */
  readonly renderError?: (error: DbrError) => Pick<Reply, 'headers'> & { readonly body: Buffer };
  readonly observe?: Observe;
}

export interface Listening {
  /** The port that was taken, or 0 on a Unix socket. */
  readonly port: number;
  readonly url: string;
  readonly connections: number;
  /** Whether a connection to the socket can be opened. */
  isReachable(): Promise<boolean>;
  /**
   * Takes no more connections. Requests in flight are answered, and those that arrive on open connections in the next
   * moment; idle connections are closed then, and what is left after `graceMs`.
   */
  stop(graceMs: number): Promise<void>;
}

/** Names for any address of a family, as settings of hosts take them. */
export const ANY_HOSTS: ReadonlyMap<string, string> = new Map([
  ['!4', '0.0.0.0'],
  ['*4', '0.0.0.0'],
  ['!6', '::'],
  ['*6', '::'],
  ['*', '::'],
]);

const KEEP_ALIVE_MS = 65_000;
const HEADER_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 300_000;
const MAX_HEADER_SIZE = 65_536;
/** How long a client may take nothing of an answer that waits for it. */
const STALL_TIMEOUT_MS = 30_000;
/** How often Node looks for requests that take too long. */
const TIMEOUT_CHECK_MS = 5000;
/** How long idle connections are kept when the server stops, for requests that are on their way. */
const IDLE_MOMENT_MS = 500;

/** @throws the system's error when the address cannot be taken */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const { unixSocket, maxHeaderSize = MAX_HEADER_SIZE, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const server = createServer({
    keepAliveTimeout: options.keepAliveTimeoutMs ?? KEEP_ALIVE_MS,
    headersTimeout: Math.min(options.headerTimeoutMs ?? HEADER_TIMEOUT_MS, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    maxHeaderSize,
  });
  // Lines beyond a limit of Node's would be dropped in silence: they are counted here instead.
  server.maxHeadersCount = 0;
  server.setTimeout(options.stallTimeoutMs ?? STALL_TIMEOUT_MS);
  // A client that has closed its sending side gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  const connections = createConnections(
    handler,
    { all: options.maxConnections ?? Infinity, perAddress: options.maxConnectionsPerAddress ?? 0 },
    options.observe ?? (() => undefined),
  );
  serve(server, connections, { ...options, maxHeaderSize });
  const where =
    unixSocket === undefined
      ? { host: ANY_HOSTS.get(options.host) ?? options.host, port: options.port }
      : { path: unixSocket.path };
  if (unixSocket !== undefined) await removeStaleSocket(unixSocket.path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
  if (unixSocket !== undefined) chmodSync(unixSocket.path, unixSocket.mode);
  return listening(server, connections, unixSocket?.path);
}

function serve(
  server: Server,
  connections: Connections,
  options: ListenOptions & { readonly maxHeaderSize: number },
): void {
  const { maxHeaderSize, pathPrefix = '', renderError = renderPlainly, observe } = options;

  function refuse(connection: Connection, fault: ProtocolFault): void {
    observe?.({ kind: 'client-refused', reason: fault.kind });
    const error = protocolError(fault, maxHeaderSize, pathPrefix);
    const { headers, body } = renderError(error);
    connections.finish(connection, rawAnswer(error.status, headers, body));
  }

  const take: RequestListener = (request, response) => {
    const connection = connections.find(request.socket);
    if (connection !== undefined && request.rawHeaders.length > 2 * MOST_HEADER_LINES)
      refuse(connection, { kind: 'headers too large' });
    else connections.take(request, response);
  };

  server.on('connection', (socket: Socket) => void connections.add(socket));
  server.on('request', take);
  // The body is asked for when it is going to be read.
  server.on('checkContinue', take);
  server.on('connect', ({ method = '', url = '', socket }: IncomingMessage) => {
    const connection = connections.find(socket);
    if (connection === undefined) socket.destroy();
    else refuse(connection, { kind: 'method', method, target: url });
  });
  // Nothing was sent or received for the time of `setTimeout`, or of `keepAliveTimeout` between two requests. A client that
  // reads slowly is not meant: Node looks whether any bytes of the answer have left.
  server.on('timeout', (socket: Socket) => {
    const connection = connections.find(socket);
    if (connection === undefined || connection.current === null) return void socket.destroy();
    if (socket.writableLength === 0) return;
    observe?.({ kind: 'client-refused', reason: 'answer not read' });
    socket.destroy();
  });
  server.on('clientError', (error: Error, socket) => {
    const connection = connections.find(socket);
    const fault = protocolFault(error);
    if ('syscall' in error && connection !== undefined && connection.current !== null)
      observe?.({ kind: 'client-connection-failed', reason: error.message });
    if (connection?.ending === true) return;
    if (connection === undefined || fault === null || !socket.writable) socket.destroy();
    // No request was begun, or one whose answer cannot be made any more.
    else if (fault.kind === 'timed out' && connection.socket.bytesRead === 0) socket.destroy();
    else if (connection.current?.req.complete === false) {
      if (connection.current.headersSent) socket.destroy();
      else {
        connection.current = null;
        refuse(connection, fault);
      }
    } else refuse(connection, fault);
  });
}

const renderPlainly: NonNullable<ListenOptions['renderError']> = ({ message, headers }) => ({
  headers: [['Content-Type', 'text/plain; charset=utf-8'], ...Object.entries(headers)],
  body: Buffer.from(message),
});

/** A socket file that a killed process left behind would make listening fail; that of a living one is left to it. */
async function removeStaleSocket(path: string): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  if (!(await accepts({ path }))) rmSync(path, { force: true });
}

/** Whether a connection can be opened. */
function accepts(target: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(target, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function listening(server: Server, connections: Connections, socketPath: string | undefined): Listening {
  const address = server.address();
  const { port, address: host } = isAddressInfo(address) ? address : { port: 0, address: '' };
  const reachableHost = host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host;
  const target = socketPath === undefined ? { host: reachableHost, port } : { path: socketPath };
  return {
    port,
    url:
      socketPath === undefined
        ? `http://${reachableHost.includes(':') ? `[${reachableHost}]` : reachableHost}:${port}`
        : `unix:${socketPath}`,
    get connections() {
      return connections.size;
    },
    isReachable: () => accepts(target),
    stop: (graceMs) => stop(server, connections, graceMs),
  };
}

/**
 * Closing a socket on which a request is on its way resets it, and the client cannot know what became of a write. So
 * the last answer of a connection says that it is, and connections that stay idle for a moment are closed gracefully.
 */
async function stop(server: Server, connections: Connections, graceMs: number): Promise<void> {
  await acceptPending(connections);
  // The method of node:http would close idle connections at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  // Only now: clients open new connections after a last answer.
  connections.stop();
  const moment = Math.min(IDLE_MOMENT_MS, graceMs);
  const timers = [
    setTimeout(() => connections.endIdle(), moment),
    setTimeout(() => server.closeAllConnections(), graceMs),
  ];
  await closed;
  for (const timer of timers) clearTimeout(timer);
  // Ends the search for requests that take too long.
  server.close();
}

/** Longest time to accept connections that are still in the queue of the socket. */
const ACCEPTING_MS = 250;

/** Closing the socket would reset what is in its queue. One connection is accepted in each turn of the event loop. */
async function acceptPending(connections: Connections): Promise<void> {
  const until = performance.now() + ACCEPTING_MS;
  let before = -1;
  while (before !== connections.accepted && performance.now() < until) {
    before = connections.accepted;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const isAddressInfo = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;
