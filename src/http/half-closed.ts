/**
 * A client that has closed its sending side may still read (RFC 9112 §9.6), or may be gone: the two look alike until
 * something is sent. While its answer is made, interim responses (RFC 9110 §15.2, 102 of RFC 2518 §10.1) are sent now and
 * then: a client that is gone resets the connection, one that reads skips them.
 */
import type { ServerResponse } from 'node:http';

interface Answering {
  readonly current: ServerResponse | null;
}

/** When interim responses are sent, in milliseconds after the one before: a reset is noticed by the second. */
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

/** HTTP/1.0 has no interim responses: its slow answers are given up. */
function probe(response: ServerResponse): void {
  if (response.req.httpVersionMinor >= 1) response.writeProcessing();
  else response.destroy();
}
