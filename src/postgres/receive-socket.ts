/**
 * Sockets whose reader provides the buffers. Otherwise Node.js allocates 64 KiB for each read, of which PostgreSQL
 * fills a part, because it writes 8 KiB at a time; memory management is then the largest cost of a long result.
 */
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net';

/** Receives the bytes of a socket. */
export interface SocketReader {
  /** Takes received bytes, which are valid during the call only. */
  feed(chunk: Buffer): void;
  /** Returns the buffer for the next bytes; null if they are passed to `feed`. */
  bodySpace(): Buffer | null;
  /** Takes the bytes that were received at the start of `bodySpace`. */
  fillBody(bytes: number): void;
}

/** Most bytes of one read that go to `feed`. */
const READ_BYTES = 65_536;

const setReaders = new WeakMap<Socket, (reader: SocketReader) => void>();

/** Creates a socket for the driver, which receives copies of the bytes until `readSocket` is called. */
export function createReceiveSocket(): Socket {
  const shared = Buffer.allocUnsafeSlow(READ_BYTES);
  let reader: SocketReader | null = null;
  let space: Buffer | null = null;
  const options: SocketConstructorOpts & ConnectOpts = {
    onread: {
      buffer() {
        space = reader?.bodySpace() ?? null;
        return space ?? shared;
      },
      callback(bytes) {
        if (reader === null) socket.emit('data', Buffer.from(shared.subarray(0, bytes)));
        else if (space === null) reader.feed(shared.subarray(0, bytes));
        else reader.fillBody(bytes);
        return true;
      },
    },
  };
  const socket = new Socket(options);
  setReaders.set(socket, (given) => (reader = given));
  return socket;
}

/**
 * Passes the bytes of the socket to the reader only. A socket of another kind, such as TLS, receives into new
 * buffers.
 */
export function readSocket(socket: Socket, reader: SocketReader): void {
  socket.removeAllListeners('data');
  const setReader = setReaders.get(socket);
  if (setReader === undefined) socket.on('data', (chunk: Buffer) => reader.feed(chunk));
  else setReader(reader);
}
