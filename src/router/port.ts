/**
 * The socket of the router: accepts connections within limits, with TLS if certificates are set, and passes them on.
 */
import type { FixedSettings } from '../settings/settings.js';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  createServer as createTlsServer,
  type Server as TlsServer,
  type TLSSocket,
  type SecureVersion,
} from 'node:tls';
import { ANY_HOSTS } from '../http/listen.js';
import type { Observe } from '../observability/observation.js';
import { createOpenCount } from '../operations/limits.js';
import { HANDSHAKE_MS } from './limits.js';
import { clientNetwork } from '../base/client-network.js';
import { readFile } from 'node:fs/promises';

interface PortOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Null: connections are plain. */
  readonly credentials: Credentials | null;
  readonly limits: ConnectionLimits;
  readonly observe: Observe;
  /** Called with each connection after its handshake. */
  readonly onConnection: (socket: Socket) => void;
}

interface Port {
  readonly port: number;
  /**
   * Uses these credentials for new connections; open connections stay. @throws Error if certificate and key do not
   * match
   */
  renew(credentials: Credentials): void;
  /** Stops accepting connections. */
  close(): void;
}

/** The router cannot listen on its address. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  /** Code of the system, such as `EADDRINUSE`. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

/** @throws PortTaken */
export async function openPort(options: PortOptions): Promise<Port> {
  const { credentials, observe, onConnection } = options;
  const connections = createConnectionCount(options.limits);
  const tls = credentials === null ? null : openTls(credentials, onConnection);
  const refused = (address: string): void =>
    observe({ kind: 'router-connection-refused', address, open: connections.total });
  const server = createServer({ noDelay: true }, (socket) => {
    const address = socket.remoteAddress ?? '';
    const leave = connections.enter(address);
    if (leave === null) {
      socket.destroy();
      refused(address);
      return;
    }
    socket.once('close', leave);
    if (tls === null) onConnection(socket);
    // The event may be emitted for connections that another server accepted (Node.js manual, tls.Server).
    else tls.emit('connection', socket);
  });
  const port = await listen(server, options);
  return {
    port,
    renew(renewed) {
      tls?.setSecureContext(contextOf(renewed));
    },
    close() {
      server.close();
    },
  };
}

const contextOf = ({ certificate, key, authority }: Credentials) => ({
  cert: certificate,
  key,
  ca: authority,
  minVersion: TLS_VERSION,
});

function openTls(credentials: Credentials, onConnection: (socket: Socket) => void): TlsServer {
  const server = createTlsServer({
    ...contextOf(credentials),
    ALPNProtocols: ['h2'],
    handshakeTimeout: HANDSHAKE_MS,
    requestCert: true,
    rejectUnauthorized: credentials.certificateNeeded,
  });
  server.on('secureConnection', (socket) => {
    rememberCertificate(socket);
    onConnection(socket);
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

/**
 * Reads the certificate of the client once: grpc-js requests it for each call, and reading it takes longer than the
 * rest of the admission. A connection of TLS 1.3 keeps one certificate.
 */
function rememberCertificate(socket: TLSSocket): void {
  const certificate = socket.getPeerCertificate();
  Object.defineProperty(socket, 'getPeerCertificate', { value: () => certificate });
}

function listen(server: Server, { host, port }: Pick<PortOptions, 'host' | 'port'>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const text = `the router cannot listen on ${host}:${String(port)}: ${error.message}`;
      reject(new PortTaken(text, error.code ?? null));
    });
    server.listen({ host: ANY_HOSTS.get(host) ?? host, port }, () => {
      const address = server.address();
      resolve(isAddressInfo(address) ? address.port : port);
    });
  });
}

const isAddressInfo = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

// Counts of open connections, for each address and in total.

interface ConnectionLimits {
  /** Most open connections in total. */
  readonly total: number;
  /** Most open connections of one address. */
  readonly perAddress: number;
}

interface ConnectionCount {
  readonly total: number;
  /** Counts a connection. Returns a function that removes it from the count; null if a limit is reached. */
  enter(address: string): (() => void) | null;
}

export function createConnectionCount(limits: ConnectionLimits): ConnectionCount {
  const ofNetwork = createOpenCount(limits.perAddress);
  let total = 0;
  return {
    get total() {
      return total;
    },
    enter(address) {
      const leave = total < limits.total ? ofNetwork.enter(clientNetwork(address)) : null;
      if (leave === null) return null;
      total += 1;
      return () => {
        total -= 1;
        leave();
      };
    },
  };
}

// Credentials of connections to the router: certificates of both sides or, in development, tokens.

export type CredentialSettings = Pick<
  FixedSettings,
  'router-tls-cert' | 'router-tls-key' | 'router-tls-ca' | 'router-dev-tokens'
>;

/** Certificates and key of the router, in PEM. */
interface Credentials {
  readonly certificate: Buffer;
  readonly key: Buffer;
  /** Issues the certificates of parties. */
  readonly authority: Buffer;
  /** False if a client may send a token instead of a certificate. */
  readonly certificateNeeded: boolean;
}

/** The only version that the router speaks, and the oldest (RFC 8446). */
const TLS_VERSION: SecureVersion = 'TLSv1.3';

/** The way in which parties are identified. */
type Recognition = 'certificate' | 'token' | 'nothing';

export const recognitionOf = (settings: CredentialSettings): Recognition => {
  if (settings['router-tls-cert'] !== null) return 'certificate';
  return settings['router-dev-tokens'] ? 'token' : 'nothing';
};

/** @throws when development tokens are allowed in production */
export function checkDevTokens(settings: CredentialSettings, production: boolean): void {
  if (settings['router-dev-tokens'] && production)
    throw new Error(
      'router-dev-tokens is for development: where NODE_ENV is production, parties show certificates',
    );
}

/**
 * Reads the files that the settings name. Null: no file is named, and connections are plain.
 * @throws when only some of the files are named, or one cannot be read
 */
export async function readCredentials(settings: CredentialSettings): Promise<Credentials | null> {
  const paths = [settings['router-tls-cert'], settings['router-tls-key'], settings['router-tls-ca']];
  const given = paths.filter((path) => path !== null);
  if (given.length === 0) return null;
  if (given.length < paths.length)
    throw new Error('router-tls-cert, router-tls-key and router-tls-ca are needed together');
  const [certificate, key, authority] = await Promise.all(given.map((path) => readFile(path)));
  if (certificate === undefined || key === undefined || authority === undefined)
    throw new Error('a file of the router could not be read');
  return { certificate, key, authority, certificateNeeded: !settings['router-dev-tokens'] };
}
