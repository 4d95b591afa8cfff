import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../postgres/batch.js';
import type { Timings } from '../observability/server-timing.js';
import type { RequestTrace } from '../observability/span.js';

/** The identity of the client: the result of authentication (data API §1.15). */
export interface DataApiIdentity {
  readonly role: string;
  /** JSON text of the claims, with the resolved role. */
  readonly claims: string;
  /** False for the anonymous role. Selects 401 or 403 for SQLSTATE 42501. */
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
  /** Names and values in turns, as received. Of a repeated header, functions see the last line. */
  readonly rawHeaders: readonly string[];
  readonly identity: DataApiIdentity;
  /** Null if the steps are not timed. */
  readonly timings: Timings | null;
  /** Null for a request that is part of no trace. */
  readonly trace: RequestTrace | null;
  /** The client. Waiting requests of one client share one turn; its signal is aborted when the client disconnects. */
  readonly caller: Caller;
}

export interface DataApiRequest extends DataApiRequestHead {
  readonly body: Buffer;
}
