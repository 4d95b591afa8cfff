/**
 * A client that has closed its sending side may still read (RFC 9112 §9.6) or may have gone: the server cannot
 * distinguish the two until it sends. While the response is prepared, interim responses (RFC 9110 §15.2, 102 of RFC
 * 2518 §10.1) are sent at intervals: a client that has gone resets the connection, and one that reads ignores them.
 */
import type { ServerResponse } from 'node:http';

interface Answering {
  readonly current: ServerResponse | null;
}

/**
 * Intervals between interim responses, in milliseconds. A reset that the first one causes is noticed when the second
 * is sent.
 */
const INTERVALS_MS = [500, 500, 5000] as const;

/** @param connection whose client has closed its sending side */
export function probeHalfClosed(connection: Answering, round = 0): void {
  if (connection.current === null) return;
  const interval = INTERVALS_MS[round] ?? INTERVALS_MS[2];
  setTimeout(() => {
    const { current } = connection;
    if (current?.headersSent === false) probe(current);
    probeHalfClosed(connection, round + 1);
  }, interval).unref();
}

/** HTTP/1.0 has no interim responses: a response that is not ready is abandoned. */
function probe(response: ServerResponse): void {
  if (response.req.httpVersionMinor >= 1) response.writeProcessing();
  else response.destroy();
}
