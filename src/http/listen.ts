/** Listening sockets: limits of connections, bytes that are no HTTP, and a stop that loses no response. */
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
import { dbrError } from '../errors/dbr-error.js';
import { clientAddresses, type ClientAddresses } from './client-address.js';
import { createConnections, type Connection, type Connections, type RefusalReply } from './connections.js';
import {
  MOST_HEADER_LINES,
  protocolError,
  protocolFault,
  rawAnswer,
  requestFault,
  type ProtocolFault,
} from './protocol-fault.js';
import type { Reply } from '../contract/reply.js';

export interface ListenOptions {
  /** An address, a name, `!4` and `*4` for any IPv4, `!6` and `*6` for any IPv6, `*` for any. */
  readonly host: string;
  readonly port: number;
  readonly unixSocket?:
    | {
        readonly path: string;
        readonly mode: number;
        /** True if another process may be listening for this one: a file that is there already stays. */
        readonly isShared?: boolean;
      }
    | undefined;
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
  /** Longest time in which a client reads nothing of a response that is ready, in milliseconds; 30 s by default. */
  readonly stallTimeoutMs?: number;
  /** Clients behind proxies; by default no proxy is trusted. */
  readonly clients?: ClientAddresses;
  readonly maxConnections?: number;
  /** Most connections of one address; 0 for no limit. */
  readonly maxConnectionsPerAddress?: number;
  /** Renders the response to bytes that are no HTTP request. */
  readonly renderError?: (error: DbrError) => Pick<Reply, 'headers'> & { readonly body: Buffer };
  readonly observe?: Observe;
}

export interface Listening {
  /** The port that was opened, or 0 on a Unix socket. */
  readonly port: number;
  readonly url: string;
  readonly connections: number;
  /** Whether a connection to the socket can be opened. */
  isReachable(): Promise<boolean>;
  /**
   * Makes every further response the last of its connection for a time in milliseconds. Connections are still accepted, and those
   * that are opened after the time are kept.
   */
  retireConnections(forMs: number): void;
  /**
   * Stops accepting connections. Requests in flight get their response, as do requests that arrive on open
   * connections for a short time. Idle connections are closed after that time, all others after `graceMs`.
   */
  stop(graceMs: number): Promise<void>;
}

/** Names for any address of a family, which settings of hosts accept. */
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
/** Longest time in which a client reads nothing of a response that is ready. */
const STALL_TIMEOUT_MS = 30_000;
/** Interval at which Node.js checks the time limits of requests. */
const TIMEOUT_CHECK_MS = 5000;
/** Time for which a stopping server keeps idle connections, for requests that are in transit. */
const IDLE_MOMENT_MS = 500;

/** Time limits of a request, in milliseconds, as Node.js names them. */
interface Timeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
}

function timeouts({
  headerTimeoutMs = HEADER_TIMEOUT_MS,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: ListenOptions): Timeouts {
  return { headersTimeout: Math.min(headerTimeoutMs, requestTimeoutMs), requestTimeout: requestTimeoutMs };
}

/** @throws the system's error if the address cannot be opened */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const { unixSocket, maxHeaderSize = MAX_HEADER_SIZE } = options;
  const server = createServer({
    keepAliveTimeout: options.keepAliveTimeoutMs ?? KEEP_ALIVE_MS,
    ...timeouts(options),
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    // `requestFault` checks Host.
    requireHostHeader: false,
    maxHeaderSize,
  });
  // Node.js drops header lines beyond its limit silently, so the lines are counted here.
  server.maxHeadersCount = 0;
  server.setTimeout(options.stallTimeoutMs ?? STALL_TIMEOUT_MS);
  // A client that has closed its sending side gets its response.
  Object.assign(server, { httpAllowHalfOpen: true });
  const { clients = NO_PROXIES, renderError = renderPlainly, observe = () => undefined } = options;
  const connections = createConnections(handler, {
    limits: { all: options.maxConnections ?? Infinity, perAddress: options.maxConnectionsPerAddress ?? 0 },
    clients,
    refusal: refusalReply(renderError),
    observe,
  });
  serve(server, connections, { ...options, maxHeaderSize });
  const where =
    unixSocket === undefined
      ? { host: ANY_HOSTS.get(options.host) ?? options.host, port: options.port }
      : { path: unixSocket.path };
  if (unixSocket !== undefined && unixSocket.isShared !== true) await removeStaleSocket(unixSocket.path);
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

const NO_PROXIES = clientAddresses({ trusted: [], header: 'none' });

const RETRY_AFTER = { 'Retry-After': '1' } as const;

function refusalReply(render: NonNullable<ListenOptions['renderError']>): RefusalReply {
  const rendered = () => render(dbrError('TooManyConnections', {}, { headers: RETRY_AFTER }));
  return {
    raw() {
      const { headers, body } = rendered();
      return rawAnswer(503, headers, body);
    },
    send(response) {
      const { headers, body } = rendered();
      response.shouldKeepAlive = false;
      response.writeHead(503, [...headers, ['Content-Length', String(body.length)]].flat());
      response.end(response.req.method === 'HEAD' ? undefined : body);
    },
  };
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
    const fault = request.rawHeaders.length > 2 * MOST_HEADER_LINES ? TOO_LARGE : requestFault(request);
    if (connection !== undefined && fault !== null) refuse(connection, fault);
    else connections.take(request, response);
  };

  server.on('connection', (socket: Socket) => void connections.add(socket));
  server.on('request', take);
  // 100 (Continue) is sent when the body is read.
  server.on('checkContinue', take);
  // Other expectations are ignored (RFC 9110 §10.1.1). Node.js would answer 417 past the limits, the order and the log.
  server.on('checkExpectation', take);
  server.on('connect', ({ method = '', url = '', socket }: IncomingMessage) => {
    const connection = connections.find(socket);
    if (connection === undefined) socket.destroy();
    else refuse(connection, { kind: 'method', method, target: url });
  });
  // Nothing was sent or received for the time of `setTimeout`, or for `keepAliveTimeout` between two requests.
  // Node.js does not emit this event for a slow reader, because bytes of the response leave.
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
    // No request has begun, or its response can no longer be sent.
    else if (fault.kind === 'timed out' && connection.socket.bytesRead === 0) socket.destroy();
    else if (fault.kind === 'timed out') timedOut(connection, fault, timeouts(options), fail);
    else fail(connection, fault);
  });

  function fail(connection: Connection, fault: ProtocolFault): void {
    const { current, socket } = connection;
    if (current?.req.complete !== false) return refuse(connection, fault);
    if (current.headersSent) return void socket.destroy();
    connection.current = null;
    refuse(connection, fault);
  }
}

/**
 * Node.js counts the time of a request also while its connection is not read, because earlier requests are in progress, and
 * reports its end once. The rest of the head, and then of the body, has the whole time from when the connection is read.
 */
function timedOut(
  connection: Connection,
  fault: ProtocolFault,
  { headersTimeout, requestTimeout }: Timeouts,
  fail: (connection: Connection, fault: ProtocolFault) => void,
): void {
  const late = connection.last?.complete === false ? connection.taken : connection.taken + 1;
  (function judge(): void {
    const { taken, last, readSince, ending } = connection;
    if (ending || taken > late || (taken === late && last?.complete !== false)) return;
    const timeout = taken === late ? requestTimeout : headersTimeout;
    if (performance.now() - readSince >= timeout) fail(connection, fault);
    else setTimeout(judge, TIMEOUT_CHECK_MS).unref();
  })();
}

const TOO_LARGE: ProtocolFault = { kind: 'headers too large' };

const renderPlainly: NonNullable<ListenOptions['renderError']> = ({ message, headers }) => ({
  headers: [['Content-Type', 'text/plain; charset=utf-8'], ...Object.entries(headers)],
  body: Buffer.from(message),
});

/**
 * Removes the socket file of a killed process, which would make listening fail. The socket file of a running process
 * stays.
 */
export async function removeStaleSocket(path: string): Promise<void> {
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
  let keeping: NodeJS.Timeout | undefined;
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
    retireConnections(forMs) {
      clearTimeout(keeping);
      connections.retire();
      keeping = setTimeout(() => connections.keep(), forMs).unref();
    },
    stop(graceMs) {
      clearTimeout(keeping);
      return stop(server, connections, graceMs);
    },
  };
}

/**
 * Closing a socket while a request is in transit resets it, and the client cannot know whether a write has happened.
 * Therefore the last response of a connection has `Connection: close`, and connections that stay idle for a short
 * time are closed gracefully.
 */
async function stop(server: Server, connections: Connections, graceMs: number): Promise<void> {
  await acceptPending(connections);
  // `close` of node:http would close idle connections immediately.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  // After the listening socket is closed, because clients open new connections after a last response.
  connections.retire();
  const moment = Math.min(IDLE_MOMENT_MS, graceMs);
  const timers = [
    setTimeout(() => connections.endIdle(), moment),
    setTimeout(() => server.closeAllConnections(), graceMs),
  ];
  await closed;
  for (const timer of timers) clearTimeout(timer);
  // Ends the timer that checks the time limits of requests.
  server.close();
}

/** Longest time to accept connections that are still in the queue of the socket. */
const ACCEPTING_MS = 250;

/**
 * Accepts the connections in the queue of the socket, which closing it would reset. One connection is accepted in
 * each turn of the event loop.
 */
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
