/** One connection outside the driver's pool. */
import { Socket } from 'node:net';
import type { Database } from './database.js';
import { ignoreLateErrors } from './driver-error.js';

export interface DirectConnection {
  readonly connected: Awaited<ReturnType<Database['connect']>>;
  /** TCP, TLS or Unix-domain socket of the connection. */
  readonly socket: Socket;
  /** Sends Terminate, and destroys the socket if the peer does not close it in time. */
  close(): Promise<void>;
}

/** Longest wait for the peer to close the connection after Terminate, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2000;

/**
 * @param onLost called when the connection ends without `close`
 * @throws the driver's error when the connection cannot be opened
 */
export async function openDirectConnection(
  database: Database,
  onLost: () => void,
): Promise<DirectConnection> {
  const connected = await database.connect({ direct: true, onLost });
  const { client } = connected;
  ignoreLateErrors(client);
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) throw new Error('the driver gave no socket');
  const socket: Socket = stream;
  return {
    connected,
    socket,
    async close() {
      const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
      // A socket must be read to notice its end.
      socket.resume();
      try {
        await connected.done(true);
      } catch {
        socket.destroy();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

// Queries whose response is awaited for a limited time.

/**
 * Runs a query that returns one row, on a connection of the driver's pool. A connection that is silent for longer than the
 * limit is closed: the response may never come, and TCP would retry for a quarter of an hour.
 * @param timeoutMs longest wait for the response, in milliseconds; opening a connection has its own limit
 * @throws the error of the driver, also when the time is over
 */
export async function oneWithin<Row>(database: Database, text: string, timeoutMs: number): Promise<Row> {
  const connected = await database.connect();
  const { client } = connected;
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    ignoreLateErrors(client);
    const { stream } = client.connection;
    if (stream instanceof Socket) stream.destroy();
  }, timeoutMs);
  try {
    return await connected.one<Row>(text);
  } finally {
    clearTimeout(timer);
    await connected.done(isOver);
  }
}
