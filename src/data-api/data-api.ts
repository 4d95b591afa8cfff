import type { IncomingHttpHeaders } from 'node:http';

/** Who asks: the outcome of authentication (data API §1.15). */
export interface DataApiIdentity {
  readonly role: string;
  /** JSON text of the claims, with the resolved role. */
  readonly claims: string;
  /** False for the anonymous role: decides 401 or 403 for SQLSTATE 42501. */
  readonly authenticated: boolean;
}

export interface DataApiRequest {
  readonly method: string;
  /** As on the request line, undecoded, without the query. */
  readonly path: string;
  /** As on the request line, undecoded, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly identity: DataApiIdentity;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

export interface DataApiReply {
  readonly status: number;
  /** The reason phrase, where it is not the standard one. */
  readonly reason?: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body in pieces as PostgreSQL sent them; null for none. */
  readonly body: readonly Buffer[] | null;
}

export interface DataApi {
  readonly handle: (request: DataApiRequest) => Promise<DataApiReply>;
}
