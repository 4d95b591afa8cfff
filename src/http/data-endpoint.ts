/** The endpoint of every path that no operation has: the area behind it is given by the composition root. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticator, Identity } from '../auth/identity.js';
import type { Timings } from '../observability/server-timing.js';
import { readBody, type BodyBounds } from './read-body.js';
import type { Reply } from './reply.js';

/** A request before its body is received. */
export interface DataRequestHead {
  readonly method: string;
  /** Undecoded, without the query. */
  readonly path: string;
  /** Undecoded, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values by turns, as received. */
  readonly rawHeaders: readonly string[];
  readonly identity: Identity;
  /** Null if the steps are not timed. */
  readonly timings: Timings | null;
  /** Address of the client. */
  readonly client: string;
  /** Aborted when the client closes the connection. */
  readonly signal: AbortSignal;
}

export interface DataRequest extends DataRequestHead {
  readonly body: Buffer;
}

/** Whether the body of a request is received, or the response without it. */
export type Admission =
  | { readonly kind: 'receive' }
  | { readonly kind: 'ignore' }
  | { readonly kind: 'refuse'; readonly reply: Reply };

export interface DataEndpoint {
  /** The authenticator of the settings in force. @throws DbrError while the endpoint is not ready */
  readonly authenticator: () => Authenticator;
  /** Checks everything that does not depend on the body. @throws faults of the service only */
  readonly admit: (request: DataRequestHead) => Promise<Admission>;
  /** @throws faults of the service only */
  readonly handle: (request: DataRequest) => Promise<Reply>;
}

/** The request line of an exchange, and its client. */
interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly signal: AbortSignal;
}

interface BodyOptions {
  readonly bodies: BodyBounds;
  /** Longest body, in bytes. */
  readonly maxBodySize: number;
}

/** Methods whose request body has a meaning (RFC 9110 §9.3); other bodies are not received. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const NO_BODY = Buffer.alloc(0);

/**
 * Serves a request of the endpoint.
 * @throws DbrError of the body (see `readBody`), ClientGone
 */
export async function serveData(
  endpoint: DataEndpoint,
  line: RequestLine,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  caller: { readonly identity: Identity; readonly timings: Timings | null },
  options: BodyOptions,
): Promise<Reply> {
  const { identity, timings } = caller;
  const { method, path, query } = line;
  const head = (body: Buffer): DataRequest => ({
    method,
    path,
    query,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    body,
    identity,
    timings,
    client: request.socket.remoteAddress ?? '',
    // Few requests need the signal: it is made on the first use.
    get signal() {
      return line.signal;
    },
  });
  if (!WITH_BODY.has(method)) return endpoint.handle(head(NO_BODY));
  const received = await receiveBody(request, response, options, () => endpoint.admit(head(NO_BODY)));
  if (!Buffer.isBuffer(received)) return received;
  timings?.skip();
  return endpoint.handle(head(received));
}

/** The body, or the response of a request whose long body is not received. */
async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBodySize, bodies }: BodyOptions,
  admit: () => Promise<Admission>,
): Promise<Buffer | Reply> {
  let refusal: Reply | null = null;
  const body = await readBody(request, response, {
    ...bodies,
    limit: maxBodySize,
    async admit() {
      const admission = await admit();
      if (admission.kind === 'refuse') refusal = admission.reply;
      return admission.kind === 'receive';
    },
  });
  return refusal ?? body;
}
