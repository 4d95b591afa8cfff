/**
 * Sockets whose reader provides the buffers. Otherwise Node.js allocates 64 KiB for each read, of which PostgreSQL
 * fills a part, because it writes 8 KiB at a time; memory management is then the largest cost of a long result.
 */
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net';

/** Receives the bytes of a socket. */
interface SocketReader {
  /** Takes received bytes, which are valid during the call only. */
  feed(chunk: Buffer): void;
  /** Returns the buffer for the next bytes; null if they are passed to `feed`. */
  bodySpace(): Buffer | null;
  /** Takes the bytes that were received at the start of `bodySpace`. */
  fillBody(bytes: number): void;
}

/** Most bytes of one read that go to `feed`. */
const READ_BYTES = 65_536;

/**
 * Most bytes that sockets receive in one turn of the event loop, before each ends its turn with the buffer that it has filled.
 * Otherwise the loop reads up to 32 buffers from each socket in turn, 2 MB, and a short response waits behind those of all
 * long ones.
 */
const TURN_BYTES = 262_144;

/** Bytes of full buffers in this turn. */
let received = 0;
/** Sockets that go on in the next turn. */
let stopped: Socket[] = [];

/** Counts a full buffer. Returns whether the socket may read on in this turn. */
function mayReadOn(socket: Socket, bytes: number): boolean {
  if (received === 0) setImmediate(endTurn);
  received += bytes;
  if (received <= TURN_BYTES) return true;
  stopped.push(socket);
  return false;
}

function endTurn(): void {
  const sockets = stopped;
  received = 0;
  stopped = [];
  // One that is paused waits for its own reader.
  for (const socket of sockets) if (!socket.isPaused()) socket.resume();
}

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
        const isFull = bytes === (space ?? shared).length;
        return !isFull || mayReadOn(socket, bytes);
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
