/** A proxy to PostgreSQL that alters messages of the server. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface AlteringProxy {
  /** The connection string with the proxy in place of the server. */
  readonly uri: string;
  /** Alters the next message of the server that has this type and contains the text. */
  alterNext(type: string, text: string, alter: (message: Buffer) => Buffer): void;
  /** Whether the alteration has been made. */
  readonly hasAltered: boolean;
  close(): Promise<void>;
}

interface Alteration {
  readonly type: number;
  readonly text: string;
  readonly alter: (message: Buffer) => Buffer;
}

export async function openAlteringProxy(serverUri: string): Promise<AlteringProxy> {
  const target = new URL(serverUri);
  const sockets = new Set<Socket>();
  let due: Alteration | null = null;

  /** Passes whole messages on, one of them altered. */
  const altering = (send: (bytes: Buffer) => void) => {
    let rest = Buffer.alloc(0);
    return (chunk: Buffer): void => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5) {
        const end = 1 + rest.readUInt32BE(1);
        if (end > rest.length) return;
        const message = rest.subarray(0, end);
        rest = rest.subarray(end);
        if (due !== null && message[0] === due.type && message.includes(due.text)) {
          const { alter } = due;
          due = null;
          send(alter(message));
        } else send(message);
      }
    };
  };

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on(
      'data',
      altering((bytes) => client.write(bytes)),
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
    alterNext(type, text, alter) {
      due = { type: type.charCodeAt(0), text, alter };
    },
    get hasAltered() {
      return due === null;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
