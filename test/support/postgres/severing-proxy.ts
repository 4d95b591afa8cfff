/** A proxy to PostgreSQL whose connections a test can cut, freeze or pause, without an error message. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SeveringProxy {
  /** The connection string with the proxy in place of the server. */
  readonly uri: string;
  /** Cuts every connection that is open now. */
  sever(): void;
  /**
   * The next connection that carries this text to the server is cut: before the server gets it, or before the client
   * gets what the server answers to it.
   */
  severAt(text: string, before: 'server' | 'answer'): void;
  /** Stops forwarding on all open connections, without closing either side. */
  freeze(): void;
  /** Accepts new connections and closes them at once. */
  refuse(): void;
  /** The next connection that carries this text is answered with these bytes in place of the server, and cut. */
  answerAt(text: string, bytes: Buffer): void;
  /** Passes nothing on until `resume`, on new connections neither, as a server that is stopped. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

export async function openSeveringProxy(serverUri: string): Promise<SeveringProxy> {
  const target = new URL(serverUri);
  const pairs = new Set<readonly [Socket, Socket]>();
  const frozen = new Set<readonly [Socket, Socket]>();
  let paused = false;
  let refusing = false;
  let trap: { readonly text: string; readonly before: 'server' | 'answer' | Buffer } | null = null;

  const server = createServer((client) => {
    if (refusing) return void client.destroy();
    if (paused) client.pause();
    const upstream = connect(Number(target.port), target.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const cut = (): void => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    let mute = false;
    client.on('data', (chunk) => {
      if (frozen.has(pair)) return;
      if (trap !== null && chunk.includes(trap.text)) {
        const { before } = trap;
        trap = null;
        if (before === 'server') return cut();
        if (Buffer.isBuffer(before)) {
          pairs.delete(pair);
          upstream.destroy();
          return void client.end(before);
        }
        mute = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (frozen.has(pair)) return;
      if (mute) cut();
      else client.write(chunk);
    });
    for (const socket of pair) {
      socket.on('error', cut);
      socket.on('close', cut);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const uri = new URL(serverUri);
  uri.hostname = '127.0.0.1';
  uri.port = String((server.address() as AddressInfo).port);
  const sever = (): void => {
    for (const pair of [...pairs]) for (const socket of pair) socket.destroy();
  };
  return {
    uri: uri.href,
    sever,
    pause() {
      paused = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    resume() {
      paused = false;
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    severAt: (text, before) => void (trap = { text, before }),
    refuse: () => void (refusing = true),
    freeze() {
      for (const pair of pairs) frozen.add(pair);
    },
    answerAt: (text, bytes) => void (trap = { text, before: bytes }),
    async close() {
      server.close();
      sever();
      await once(server, 'close');
    },
  };
}

/** The error with which PostgreSQL ends a connection that was idle for longer than idle_session_timeout. */
export function idleTimeout(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P05', 'Mterminating connection', 'RProcessInterrupts', ''];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
