/** Listening sockets, and stopping them so that requests in flight finish. */
import { chmodSync, rmSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createConnection, type AddressInfo, type Socket } from 'node:net';

export interface ListenOptions {
  /** An address, a name, `!4` and `*4` for any IPv4, `!6` and `*6` for any IPv6, `*` for any. */
  readonly host: string;
  readonly port: number;
  readonly unixSocket?: { readonly path: string; readonly mode: number } | undefined;
  /** In bytes. */
  readonly maxHeaderSize?: number;
  /** In milliseconds. */
  readonly requestTimeoutMs?: number;
}

export interface Listening {
  /** The port that was taken, or 0 on a Unix socket. */
  readonly port: number;
  readonly url: string;
  /** Whether a connection to the socket can be opened. */
  isReachable(): Promise<boolean>;
  /** Takes no more connections, lets requests in flight finish; closes what is left after `graceMs`. */
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

const IDLE_CHECK_MS = 20;

/** @throws the system's error when the address cannot be taken */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const server = createServer(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: 30_000,
      ...(options.maxHeaderSize === undefined ? {} : { maxHeaderSize: options.maxHeaderSize }),
      ...(options.requestTimeoutMs === undefined ? {} : { requestTimeout: options.requestTimeoutMs }),
    },
    handler,
  );
  const untouched = untouchedConnections(server);
  const { unixSocket } = options;
  const where =
    unixSocket === undefined
      ? { host: ANY_HOSTS.get(options.host) ?? options.host, port: options.port }
      : { path: unixSocket.path };
  if (unixSocket !== undefined) removeStaleSocket(unixSocket.path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
  if (unixSocket !== undefined) chmodSync(unixSocket.path, unixSocket.mode);
  return listening(server, untouched, unixSocket?.path);
}

/** Connections that no request has come on yet. Node does not count them as idle, but nobody waits for an answer on them. */
function untouchedConnections(server: Server): ReadonlySet<Socket> {
  const untouched = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    untouched.add(socket);
    socket.once('close', () => untouched.delete(socket));
  });
  server.prependListener('request', ({ socket }) => untouched.delete(socket));
  return untouched;
}

/** A socket file that a killed process left behind would make listening fail. */
function removeStaleSocket(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isSocket() === true) rmSync(path);
}

function listening(
  server: Server,
  untouched: ReadonlySet<Socket>,
  socketPath: string | undefined,
): Listening {
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
    isReachable: () =>
      new Promise((resolve) => {
        const socket = createConnection(target, () => {
          socket.destroy();
          resolve(true);
        });
        socket.once('error', () => resolve(false));
      }),
    async stop(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      for (const socket of untouched) socket.destroy();
      // Clients keep their connection when its last answer has come.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const grace = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(grace);
    },
  };
}

const isAddressInfo = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;
