/** A request to the data API, and the answer to its head. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from './caller.js';
import type { Reply } from './reply.js';
import type { RequestTrace, Timings } from './timings.js';

/** The result of authentication (data API §1.15): the database role and the claims of a transaction. */
export interface Identity {
  readonly role: string;
  /** The claims as JSON text, with the role that was resolved: `request.jwt.claims`. */
  readonly claims: string;
  /** False for the anonymous role, with and without a token. A missing privilege then gives 401 rather than 403. */
  readonly authenticated: boolean;
}

/** A request whose body has not been received. */
export interface RequestHead {
  readonly method: string;
  /** As on the request line, undecoded, without the query and `server-path-prefix`. */
  readonly path: string;
  /** As on the request line, undecoded, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turns, as received. Of a repeated header, functions see the last line. */
  readonly rawHeaders: readonly string[];
  readonly identity: Identity;
  /** Null if the steps are not timed. */
  readonly timings: Timings | null;
  /** Null for a request that is part of no trace. */
  readonly trace: RequestTrace | null;
  readonly caller: Caller;
  /**
   * Counts further requests, which the body contains, against the limits of the client; null without limits.
   * @throws DbrError RateLimited (429)
   */
  readonly charge: ((requests: number) => Promise<void>) | null;
}

export interface Request extends RequestHead {
  readonly body: Buffer;
}

/** A body that is handled while it arrives. */
export interface BodyChunks {
  /**
   * Waits for the next bytes; null at the end. Nothing more is received until the next call.
   * @throws DbrError RequestTimeout (408) for a body that is too slow, BodyMemoryExhausted (503); ClientGone
   */
  next(): Promise<Buffer | null>;
  /** Gives back the memory of bytes that are no longer needed. */
  release(bytes: number): void;
}

/** Whether the body of a request is received, or the reply that is sent instead. */
export type Admission =
  | { readonly kind: 'receive' }
  | { readonly kind: 'ignore' }
  | { readonly kind: 'refuse'; readonly reply: Reply };

/** The area that answers requests. Errors become replies. */
export interface RequestHandler {
  /** Whether the body of a request has a meaning (RFC 9110 §9.3). Other bodies are not received. */
  readonly hasBody: (method: string, headers: IncomingHttpHeaders) => boolean;
  /** Checks everything that does not depend on the body, before a long one is received. @throws faults of the service only */
  readonly admit: (request: RequestHead) => Promise<Admission>;
  /** Returns the handler of a request whose body is handled while it arrives; null for any other request. */
  readonly upload: (request: RequestHead) => ((body: BodyChunks) => Promise<Reply>) | null;
  /** @throws faults of the service only */
  readonly handle: (request: Request) => Promise<Reply>;
}
