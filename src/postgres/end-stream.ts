import { setTimeout as delay } from 'node:timers/promises';
import type { PipelinedConnection } from './pipelined-connection.js';

/** Pause between two cancel requests, in milliseconds: one that precedes its query has no effect. */
const CANCEL_INTERVAL_MS = 1000;
/** Longest wait for the backend, in milliseconds. */
const END_TIMEOUT_MS = 10_000;

/**
 * Ends the connection of a stream. Resolves when its backend has ended its query and the connection, so that no more
 * backends run than streams are counted; at the latest after a bounded time.
 * @param idle resolves when PostgreSQL has executed the current batch, which is cancelled; null if there is none
 */
export async function endStream(
  connection: Pick<PipelinedConnection, 'resume' | 'cancel' | 'abort' | 'close'>,
  idle: Promise<void> | null,
  timeoutMs = END_TIMEOUT_MS,
): Promise<void> {
  if (idle !== null && !(await isCancelled(connection, idle, timeoutMs)))
    return connection.abort('PostgreSQL does not cancel the query of the stream');
  await connection.close();
}

async function isCancelled(
  connection: Pick<PipelinedConnection, 'resume' | 'cancel'>,
  idle: Promise<void>,
  timeoutMs: number,
): Promise<boolean> {
  // What the backend still sends is discarded.
  connection.resume();
  void connection.cancel();
  const cancelling = setInterval(() => void connection.cancel(), CANCEL_INTERVAL_MS);
  const timer = new AbortController();
  try {
    const late = delay(timeoutMs, false, { signal: timer.signal }).catch(() => false);
    return await Promise.race([idle.then(() => true), late]);
  } finally {
    clearInterval(cancelling);
    timer.abort();
  }
}
