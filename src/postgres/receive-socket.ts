/**
 * Sockets whose reader chooses where bytes are received. Node.js allocates 64 KiB for each read otherwise, of which
 * PostgreSQL, which writes 8 KiB at a time, fills a part: a long result then costs memory management more than anything else.
 */
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net';

/** Takes the bytes of a socket. */
export interface SocketReader {
  /** Takes received bytes, which are valid during the call only. */
  feed(chunk: Buffer): void;
  /** Where the next bytes are received; null if they go to `feed`. */
  bodySpace(): Buffer | null;
  /** Takes the bytes that were received at the start of `bodySpace`. */
  fillBody(bytes: number): void;
}

/** Most bytes of one read that go to `feed`. */
const READ_BYTES = 65_536;

const setReaders = new WeakMap<Socket, (reader: SocketReader) => void>();

/** A socket for the driver, which gets copies of what arrives until `readSocket` is called. */
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

/** Gives what the socket receives to the reader alone. A socket of another kind, as of TLS, receives into new buffers. */
export function readSocket(socket: Socket, reader: SocketReader): void {
  socket.removeAllListeners('data');
  const setReader = setReaders.get(socket);
  if (setReader === undefined) socket.on('data', (chunk: Buffer) => reader.feed(chunk));
  else setReader(reader);
}
