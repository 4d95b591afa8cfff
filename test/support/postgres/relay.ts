/** A TCP relay in front of PostgreSQL: what proxies of tests have in common. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type Chunks = (chunk: Buffer) => void;

export interface Relay {
  /** The connection string with the relay in place of the server. */
  readonly uri: string;
  /** Cuts every connection. */
  close(): Promise<void>;
}

export interface RelayOptions {
  /** Called for each connection: returns what takes the bytes of the client. By default they pass to the server. */
  readonly fromClient?: (send: Chunks) => Chunks;
  /** Called for each connection: returns what takes the bytes of the server. By default they pass to the client. */
  readonly fromServer?: (send: Chunks) => Chunks;
}

const passOn = (send: Chunks): Chunks => send;

export async function openRelay(
  serverUri: string,
  { fromClient = passOn, fromServer = passOn }: RelayOptions,
): Promise<Relay> {
  const target = new URL(serverUri);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.on(
      'data',
      fromClient((bytes) => upstream.write(bytes)),
    );
    upstream.on(
      'data',
      fromServer((bytes) => client.write(bytes)),
    );
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
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
