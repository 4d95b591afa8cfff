/** One connection outside the driver's pool. */
import { Socket } from 'node:net';
import type { Database } from './database.js';
import { HostClient, closeClient, openClient } from './host-client.js';

export interface DirectConnection {
  readonly client: HostClient;
  /** TCP, TLS or Unix-domain socket of the connection. */
  readonly socket: Socket;
  /** Sends Terminate, and destroys the socket if the peer does not close it in time. */
  close(): Promise<void>;
}

/**
 * @param onLost called when the connection ends without `close`
 * @throws the driver's error when the connection cannot be opened
 */
export async function openDirectConnection(
  database: Database,
  onLost: () => void,
): Promise<DirectConnection> {
  const client = new HostClient(database.$cn);
  await openClient(client, onLost);
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) throw new Error('the driver gave no socket');
  return {
    client,
    socket: stream,
    close: () => closeClient(client),
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
