/** Connections by hand, for requests that no client would send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawClient {
  readonly socket: Socket;
  send(text: string): void;
  /** All that came so far, one character a byte. */
  received(): string;
  /** Resolves when what came matches; rejects when the connection is closed before. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with all that came when the connection is closed; with the error code behind it where it was reset. */
  closed(): Promise<string>;
}

export async function openRawClient(target: {
  readonly host: string;
  readonly port: number;
}): Promise<RawClient> {
  const socket = connect({ ...target, allowHalfOpen: true });
  let text = '';
  let ended = '';
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(text + ended));
  });
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    socket.emit('received');
  });
  socket.on('end', () => socket.end());
  socket.on('error', (error: NodeJS.ErrnoException) => (ended = `[${error.code ?? error.message}]`));
  await once(socket, 'connect');
  return {
    socket,
    send: (more) => void socket.write(more, 'latin1'),
    received: () => text,
    async until(pattern) {
      while (!pattern.test(text)) {
        if (socket.destroyed) throw new Error(`the connection is closed: ${text}${ended}`);
        await Promise.race([once(socket, 'received'), closed]);
      }
      return text;
    },
    closed: () => closed,
  };
}

/** Host and port of an URL. */
export function targetOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
