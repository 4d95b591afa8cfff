import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../postgres/batch.js';
import type { Timings } from '../observability/server-timing.js';

/** Who asks: the outcome of authentication (data API §1.15). */
export interface DataApiIdentity {
  readonly role: string;
  /** JSON text of the claims, with the resolved role. */
  readonly claims: string;
  /** False for the anonymous role: decides 401 or 403 for SQLSTATE 42501. */
  readonly authenticated: boolean;
}

/** A request whose body has not been received. */
export interface DataApiRequestHead {
  readonly method: string;
  /** As on the request line, undecoded, without the query and `server-path-prefix`. */
  readonly path: string;
  /** As on the request line, undecoded, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values by turns, as received: what functions see of a header that came twice is its last line. */
  readonly rawHeaders: readonly string[];
  readonly identity: DataApiIdentity;
  /** Null where the steps are not timed. */
  readonly timings: Timings | null;
  /** Requests of one client share one turn where requests wait; its signal is aborted when the client is gone. */
  readonly caller: Caller;
}

export interface DataApiRequest extends DataApiRequestHead {
  readonly body: Buffer;
}
