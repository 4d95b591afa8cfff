/** A request to the data API, whose head is read once, and the answer to its head. */
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

/** Claims that differ from token to token of one user. */
const OF_THE_TOKEN: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti']);

/** The claims of an identity without those that differ from token to token of one user, as JSON text. */
export function lastingClaims({ claims }: Identity): string {
  const all = Object.entries(JSON.parse(claims) as Readonly<Record<string, unknown>>);
  return JSON.stringify(Object.fromEntries(all.filter(([name]) => !OF_THE_TOKEN.has(name))));
}

/** Headers as received: names in lower case; several lines of one name may be separate or joined by commas. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers that the data API reads, each as one text; undefined for one that is absent. */
export interface RequestHeaders {
  readonly accept: string | undefined;
  readonly acceptProfile: string | undefined;
  readonly contentLength: string | undefined;
  readonly contentProfile: string | undefined;
  readonly contentType: string | undefined;
  readonly cookie: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly ifUnmodifiedSince: string | undefined;
  readonly lastEventId: string | undefined;
  /** `Dbr-Position`. */
  readonly position: string | undefined;
  readonly prefer: string | undefined;
  /** Of GET, for which alone it is defined (RFC 9110 §14.2), and of QUERY, which is read as GET. */
  readonly range: string | undefined;
  /** All of them, for those that a setting names and those that the items of a batch take over. */
  readonly received: ReceivedHeaders;
}

/** The value of a header, its lines joined by commas (RFC 9110 §5.3). @param name in lower case */
export function headerOf(headers: ReceivedHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** Reads the headers of a request. Nothing but this reads them by their names. */
export const readHeaders = (method: string, received: ReceivedHeaders): RequestHeaders => ({
  accept: headerOf(received, 'accept'),
  acceptProfile: headerOf(received, 'accept-profile'),
  contentLength: headerOf(received, 'content-length'),
  contentProfile: headerOf(received, 'content-profile'),
  contentType: headerOf(received, 'content-type'),
  cookie: headerOf(received, 'cookie'),
  idempotencyKey: headerOf(received, 'idempotency-key'),
  ifMatch: headerOf(received, 'if-match'),
  ifModifiedSince: headerOf(received, 'if-modified-since'),
  ifNoneMatch: headerOf(received, 'if-none-match'),
  ifUnmodifiedSince: headerOf(received, 'if-unmodified-since'),
  lastEventId: headerOf(received, 'last-event-id'),
  position: headerOf(received, 'dbr-position'),
  prefer: headerOf(received, 'prefer'),
  range: method === 'GET' || method === 'QUERY' ? headerOf(received, 'range') : undefined,
  received,
});

/**
 * What the body of a request has. `nothing`: a body would have no meaning (RFC 9110 §9.3), and is not received. `query`: the
 * query (QUERY, RFC 10008). `content`: rows, arguments, or a batch.
 */
type Carried = 'nothing' | 'query' | 'content';

/** @param path below the prefix */
export function carriedBy(method: string, path: string): Carried {
  if (method === 'QUERY') return path === '/' ? 'content' : 'query';
  return method === 'POST' || method === 'PATCH' || method === 'PUT' ? 'content' : 'nothing';
}

/** A request whose body has not been received. */
export interface RequestHead {
  readonly method: string;
  /** As on the request line, undecoded, without the query and `server-path-prefix`. */
  readonly path: string;
  /** As on the request line, undecoded, without the question mark. */
  readonly query: string;
  readonly carries: Carried;
  readonly headers: RequestHeaders;
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
  /** Checks everything that does not depend on the body, before a long one is received. @throws faults of the service only */
  readonly admit: (request: RequestHead) => Promise<Admission>;
  /** Returns a handler that reads the body as a stream; null if the body must be complete first. */
  readonly upload: (request: RequestHead) => ((body: BodyChunks) => Promise<Reply>) | null;
  /** @throws faults of the service only */
  readonly handle: (request: Request) => Promise<Reply>;
}
