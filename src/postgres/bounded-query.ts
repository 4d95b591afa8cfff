/** A query whose response is awaited for a limited time. */
import { Socket } from 'node:net';
import type { Database } from './database.js';
import { ignoreLateErrors } from './late-errors.js';

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
