/** The endpoint of every path that belongs to no operation. The composition root passes in the area that serves it. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { withoutKeys, type ApiKeys } from '../auth/api-keys.js';
import type { Authenticator } from '../auth/identity.js';
import type { LiveTickets } from '../auth/live-tickets.js';
import { type DbrError, dbrError } from '../errors/dbr-error.js';
import type { ErrorStyle } from '../errors/error-style.js';
import type { Reply } from '../contract/reply.js';
import type { Caller } from '../contract/caller.js';
import type {
  Admission,
  BodyChunks,
  Identity,
  Request,
  RequestHandler,
  RequestHead,
} from '../contract/request.js';
import { carriedBy, readHeaders } from '../contract/request.js';
import type { Timings } from '../contract/timings.js';
import { readBody, type BodyBounds, clientGone, requireUncoded, writeContinue } from './read-body.js';

export interface DataEndpoint extends RequestHandler {
  /** Prefix of the paths of the endpoint (`server-path-prefix`); empty for none. */
  readonly pathPrefix: string;
  readonly inForce: DataInForce;
  /** The error of a request while there is no authenticator. */
  readonly notReady: () => DbrError;
  /** Null where API keys are switched off. */
  readonly apiKeys: ApiKeys | null;
  /** Null without live reads. */
  readonly liveTickets: LiveTickets | null;
}

/** What the settings in force give. The composition root replaces the members. */
export interface DataInForce {
  /** How errors are written that do not belong to an operation. */
  readonly errorStyle: ErrorStyle;
  /** Null until the settings of the database and the schema are known. */
  readonly authenticator: Authenticator | null;
}

/** The request line of an exchange, and its client. */
interface RequestLine extends Pick<RequestHead, 'method' | 'query' | 'trace'> {
  /** The path below the prefix of the endpoint; null for one outside of it. */
  readonly below: string | null;
  readonly client: Caller;
}

interface Sender {
  readonly identity: Identity;
  readonly timings: Timings | null;
  /** Those of the request, or those for which its ticket stands. */
  readonly headers: IncomingHttpHeaders;
}

interface Messages {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface BodyOptions {
  readonly bodies: BodyBounds;
  /** Longest body, in bytes. */
  readonly maxBodySize: number;
}

/** Who sends a request. @throws DbrError as the authenticator, and while there is none */
export function identify(
  { inForce: { authenticator }, notReady, apiKeys }: DataEndpoint,
  headers: IncomingHttpHeaders,
): Identity | Promise<Identity> {
  if (authenticator === null) throw notReady();
  return apiKeys === null
    ? authenticator.identify(headers.authorization)
    : apiKeys.identify(authenticator, headers);
}

const NO_BODY = Buffer.alloc(0);

/**
 * Serves a request of the endpoint.
 * @throws DbrError InvalidPath for a path outside of the endpoint, and those of the body (see `readBody`); ClientGone
 */
export function serveData(
  endpoint: DataEndpoint,
  line: RequestLine,
  messages: Messages,
  { identity, timings, headers }: Sender,
  options: BodyOptions,
): Promise<Reply> {
  const { request } = messages;
  const { apiKeys } = endpoint;
  const path = line.below;
  if (path === null) throw dbrError('InvalidPath');
  const data: Request = {
    method: line.method,
    path,
    query: line.query,
    carries: carriedBy(line.method, path),
    headers: readHeaders(line.method, headers),
    rawHeaders: apiKeys === null ? request.rawHeaders : withoutKeys(request.rawHeaders),
    body: NO_BODY,
    identity,
    timings,
    trace: line.trace,
    caller: line.client,
    charge: apiKeys === null ? null : (requests) => apiKeys.charge(headers, requests),
  };
  if (data.carries === 'nothing') return endpoint.handle(data);
  const upload = endpoint.upload(data);
  return upload === null
    ? serveWithBody(endpoint, data, messages, options)
    : serveUpload(upload, messages, options);
}

async function serveUpload(
  upload: (body: BodyChunks) => Promise<Reply>,
  { request, response }: Messages,
  { bodies }: BodyOptions,
): Promise<Reply> {
  const body = receiveChunks(request, response, bodies);
  try {
    return await upload(body);
  } finally {
    body.end();
  }
}

async function serveWithBody(
  endpoint: DataEndpoint,
  data: Request,
  { request, response }: Messages,
  options: BodyOptions,
): Promise<Reply> {
  const received = await receiveBody(request, response, options, () => endpoint.admit(data));
  if (!Buffer.isBuffer(received)) return received;
  data.timings?.skip();
  return await endpoint.handle(withBody(data, received));
}

/** A copy by spread would be an object in the slow form of V8, to which every later access is slow. */
const withBody = (
  {
    method,
    path,
    query,
    carries,
    headers,
    rawHeaders,
    identity,
    trace,
    timings,
    caller,
    charge,
  }: RequestHead,
  body: Buffer,
): Request => ({
  method,
  path,
  query,
  carries,
  headers,
  rawHeaders,
  identity,
  trace,
  timings,
  caller,
  charge,
  body,
});

/** Receives the body. Returns the response instead if a long body is refused before it is received. */
async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBodySize, bodies }: BodyOptions,
  admit: () => Promise<Admission>,
): Promise<Buffer | Reply> {
  let refusal: Reply | null = null;
  const body = await readBody(request, response, {
    memory: bodies.memory,
    rate: bodies.rate,
    limit: maxBodySize,
    async admit() {
      const admission = await admit();
      if (admission.kind === 'refuse') refusal = admission.reply;
      return admission.kind === 'receive';
    },
  });
  return refusal ?? body;
}

interface ReceivedChunks extends BodyChunks {
  /** Stops to receive. What is left may be discarded. */
  end(): void;
}

const EVENTS = ['readable', 'end', 'error', 'close'] as const;

/**
 * A request body that is handled while it arrives: bounded in memory by what is not handled yet, and in time by a slowest rate.
 * @throws DbrError UnacceptableMediaType (415) for a body with a coding
 */
export function receiveChunks(
  request: IncomingMessage,
  response: ServerResponse,
  { memory, rate }: BodyBounds,
): ReceivedChunks {
  requireUncoded(request);
  let held = 0;
  let hasBegun = false;
  let hasEnded = false;
  let failure: Error | null = null;
  let onChange: () => void = () => undefined;
  const wake = (): void => onChange();
  const upload = rate.begin((error) => {
    failure = error;
    wake();
  });
  rate.pause(upload);
  for (const event of EVENTS) request.on(event, wake);
  response.once('close', wake);

  const isGone = (): boolean => (request.readableEnded ? response.destroyed : request.destroyed);

  async function receive(): Promise<Buffer | null> {
    for (;;) {
      if (failure !== null) throw failure;
      if (isGone()) throw clientGone();
      const chunk: unknown = request.read();
      if (Buffer.isBuffer(chunk)) return chunk;
      if (request.readableEnded) return null;
      await new Promise<void>((resolve) => (onChange = resolve));
    }
  }

  return {
    async next() {
      if (!hasBegun) writeContinue(request, response);
      hasBegun = true;
      rate.resume(upload);
      try {
        const chunk = await receive();
        if (chunk === null) return null;
        upload.received += chunk.length;
        if (!memory.take(chunk.length)) await memory.borrow(chunk.length);
        if (hasEnded) {
          // Nothing waits for the chunk, which was due when the request failed.
          memory.release(chunk.length);
          return null;
        }
        held += chunk.length;
        return chunk;
      } finally {
        rate.pause(upload);
      }
    },
    release(bytes) {
      held -= bytes;
      memory.release(bytes);
    },
    end() {
      hasEnded = true;
      rate.end(upload);
      memory.release(held);
      held = 0;
      for (const event of EVENTS) request.off(event, wake);
    },
  };
}
