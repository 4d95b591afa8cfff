/** A proxy to PostgreSQL that counts the messages of the client. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CountingProxy {
  /** The connection string with the proxy in place of the server. */
  readonly uri: string;
  /** Messages of the client since the last call, by type (PostgreSQL manual, 55.7). */
  take(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** The protocol version that begins a StartupMessage without encryption, 3.0. */
const STARTUP_VERSION = 196_608;

export async function openCountingProxy(serverUri: string): Promise<CountingProxy> {
  const target = new URL(serverUri);
  const sockets = new Set<Socket>();
  let counts = new Map<string, number>();

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const count = createMessageReader((type) => counts.set(type, (counts.get(type) ?? 0) + 1));
    client.on('data', (chunk: Buffer) => {
      count(chunk);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => client.write(chunk));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const uri = new URL(serverUri);
  uri.hostname = '127.0.0.1';
  uri.port = String((server.address() as AddressInfo).port);
  return {
    uri: uri.href,
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Calls back with the type of each message. A message without a type begins a connection. */
function createMessageReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let begun = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = begun ? 1 : 0;
      if (rest.length < typeBytes + 4) return;
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (begun) onMessage(String.fromCharCode(rest[0] ?? 0));
      else begun = rest.readUInt32BE(4) === STARTUP_VERSION;
      rest = rest.subarray(end);
    }
  };
}
