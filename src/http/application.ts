/**
 * The public port: a Koa application with the router of the operations, and ahead of it the data endpoint, which
 * serves every other path. Each request ends in one reply.
 */
import type Router from '@koa/router';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Identity } from '../auth/identity.js';
import { SERVICE_STYLE, type ErrorStyle } from '../errors/error-style.js';
import { dbrError } from '../errors/dbr-error.js';
import type { Observe } from '../observability/observation.js';
import { startTimings } from '../observability/server-timing.js';
import type { Traces } from '../observability/tracer.js';
import { refuseSecondAuthorization } from './authorization.js';
import { commonHeaders } from './common-headers.js';
import type { CorsPolicy } from './cors.js';
import { serveData, type DataEndpoint } from './data-endpoint.js';
import { dataResourceOf } from './data-resource.js';
import { errorReply } from './error-reply.js';
import { beginExchange, noteReply, type Exchange } from './exchange.js';
import { lateHandler } from './late-handler.js';
import { discardRest } from './linger.js';
import type { ExchangeState, Operate } from './operations.js';
import { isServicePath, pathBelow } from '../paths.js';
import { browserReply, isUnknownRelation, replacementReply } from './landing.js';
import { allowedAt } from './protocol-fault.js';
import { ClientGone, leavesBody, type BodyBounds } from './read-body.js';
import { originForm } from './request-target.js';
import { sendReply, type HeaderList, type Reply } from './reply.js';
import type { ReplyCompression } from './reply-compression.js';

/** Settings that can be reloaded. */
export interface LiveHttpSettings {
  readonly 'server-trace-header': string | null;
  readonly 'server-timing-enabled': boolean;
  readonly 'db-root-spec': string | null;
}

export interface HttpParts {
  readonly observe: Observe;
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
  readonly cors: CorsPolicy;
  /** Null if the data API is switched off. */
  readonly data: DataEndpoint | null;
  /** Loads the operations of areas A and B and of the service itself. */
  readonly routes: () => Promise<Router<ExchangeState>>;
  /** Whether the published document and its page are served, and people are led to them. */
  readonly leadsToReference: boolean;
  /** Longest body of the data endpoint, in bytes. */
  readonly maxBodySize: number;
  readonly bodies: BodyBounds;
  readonly serverHeader: string;
  /** Null if responses are not compressed. */
  readonly compression: ReplyCompression | null;
  /** The settings in force. */
  readonly live: () => LiveHttpSettings;
}

/**
 * Creates the handler of the public port. Requests of the data endpoint bypass Koa and its router, which cost as much
 * as the rest of a quick request; requests of the service's paths pass through them.
 */
export function createHandler(parts: HttpParts): RequestListener {
  const operations = lateHandler(
    () => loadOperations(parts),
    (response, error) => abandon(parts, response, error),
  );
  return (request, response) => {
    const target = originForm(request.url ?? '/');
    if (isServicePath(target)) operations(request, response);
    else serve(parts, request, response).catch((error: unknown) => void abandon(parts, response, error));
  };
}

/** Imports Koa, the routes and the rules of their parameters and bodies. */
async function loadOperations(parts: HttpParts): Promise<RequestListener> {
  const [{ createOperations }, routes] = await Promise.all([import('./operations.js'), parts.routes()]);
  return createOperations(
    routes,
    (request, response, operate) => serve(parts, request, response, operate),
    parts.observe,
  );
}

/** Ends a response that failed by a fault of the service. */
function abandon({ observe }: HttpParts, response: ServerResponse, error: unknown): void {
  observe({ kind: 'response-failed', reason: error instanceof Error ? error.message : String(error) });
  response.destroy();
}

/** @param operate null for a path that no operation can have */
async function serve(
  parts: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
  operate: Operate | null = null,
): Promise<void> {
  const exchange = beginExchange(request, response, parts.observe, parts.traces);
  const live = parts.live();
  const reply = await replyOf(parts, live, exchange, request, response, operate);
  if (reply === null || response.destroyed) {
    response.destroy();
    return;
  }
  noteReply(exchange, reply);
  const discard = leavesBody(request) ? () => discardRest(request) : null;
  const sent =
    parts.compression === null ? reply : await compressed(parts.compression, reply, exchange, request);
  await sendReply(response, sent, headersOf(parts, live, exchange, request), exchange.method, discard);
}

const compressed = (
  compression: ReplyCompression,
  reply: Reply,
  { method }: Exchange,
  { headers }: IncomingMessage,
): Promise<Reply> => compression.compress(reply, method, headers['accept-encoding'], headers['if-none-match']);

/** Null if the client has closed the connection. */
async function replyOf(
  parts: HttpParts,
  live: LiveHttpSettings,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  operate: Operate | null,
): Promise<Reply | null> {
  const { method, path } = exchange;
  try {
    const preflight = parts.cors.preflightHeaders(method, request.headers);
    if (preflight !== null) return { status: 200, headers: preflight, body: null };
    if (path === '*' && method === 'OPTIONS') return ASTERISK_REPLY;
    refuseSecondAuthorization(request);
    if (operate !== null && isServicePath(path)) {
      const reply = await operate(exchange);
      if (reply !== null) return reply;
    }
    const given = await replyOutsideOfOperations(parts, live, exchange, request, response);
    const reply = withAllow(given, parts.data, path);
    return method === 'OPTIONS' && parts.cors.refuses(request.headers) ? withoutGrant(reply) : reply;
  } catch (error) {
    if (error instanceof ClientGone) return null;
    const accept = exchange.area === 'data-api' ? undefined : request.headers.accept;
    const style = errorStyleOf(parts, exchange);
    return errorReply(error, { accept, instance: path, style, observe: parts.observe });
  }
}

/** @throws DbrError as `dataReply` */
async function replyOutsideOfOperations(
  parts: HttpParts,
  live: LiveHttpSettings,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply> {
  if (!parts.leadsToReference) return await dataReply(parts, live, exchange, request, response);
  const { method, path } = exchange;
  // A function of the database that renders the root may render HTML.
  const reference = live['db-root-spec'] === null ? browserReply(method, path, request.headers.accept) : null;
  if (reference !== null) return reference;
  const replacement = replacementReply(method, path);
  if (replacement === null) return await dataReply(parts, live, exchange, request, response);
  if (parts.data === null || pathBelow(parts.data.pathPrefix, path) === null) return replacement;
  const reply = await dataReply(parts, live, exchange, request, response);
  return isUnknownRelation(reply) ? replacement : reply;
}

/** Errors of operations have the codes of the published document. */
function errorStyleOf({ data }: HttpParts, { area, path }: Exchange): ErrorStyle {
  if (data === null) return SERVICE_STYLE;
  return area === 'data-api' || !isServicePath(path) ? data.errorStyle() : SERVICE_STYLE;
}

/** Reply to `OPTIONS *`: the methods of the whole server (RFC 9110 §9.3.7). */
const ASTERISK_REPLY: Reply = { status: 204, headers: [['Allow', allowedAt('*')]], body: null };

/** The data API grants its methods to every origin; a list of origins in the settings takes precedence. */
const withoutGrant = (reply: Reply): Reply => ({
  ...reply,
  headers: reply.headers.filter(([name]) => name !== 'Access-Control-Allow-Origin'),
});

/** Every 405 names the allowed methods (RFC 9110 §15.5.6), also one whose status a function has set. */
function withAllow(reply: Reply, data: DataEndpoint | null, path: string): Reply {
  if (reply.status !== 405 || reply.headers.some(([name]) => name.toLowerCase() === 'allow')) return reply;
  const allow = allowedAt(pathBelow(data?.pathPrefix ?? '', path) ?? path);
  return { ...reply, headers: [...reply.headers, ['Allow', allow]] };
}

/** @throws DbrError InvalidPath if the data API is switched off, and those of authentication */
function dataReply(
  parts: HttpParts,
  live: LiveHttpSettings,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply> {
  const { data } = parts;
  if (data === null) throw dbrError('InvalidPath');
  exchange.area = 'data-api';
  exchange.operation = 'data-api';
  exchange.pathPrefix = data.pathPrefix;
  exchange.resource = dataResourceOf(pathBelow(data.pathPrefix, exchange.path) ?? '/');
  if (live['server-timing-enabled'] || exchange.trace?.isSampled === true) timeSteps(exchange);
  const serveAs = (identity: Identity): Promise<Reply> => {
    exchange.who = identity.role;
    exchange.timings?.lap('jwt');
    const caller = { identity, timings: exchange.timings };
    return serveData(data, exchange, { request, response }, caller, parts);
  };
  const found = data.authenticator().identify(request.headers.authorization);
  return 'role' in found ? serveAs(found) : found.then(serveAs);
}

function timeSteps(exchange: Exchange): void {
  exchange.timings = startTimings();
  exchange.client.onSent = exchange.timings.sent;
}

function headersOf(
  { serverHeader, cors, compression }: HttpParts,
  live: LiveHttpSettings,
  { method, requestId, area, timings }: Exchange,
  { headers }: IncomingMessage,
): HeaderList {
  const list = commonHeaders({
    serverHeader,
    cors,
    traceHeader: live['server-trace-header'],
    method,
    headers,
    requestId,
    isDataApi: area === 'data-api',
    isCompressed: compression !== null,
  });
  return live['server-timing-enabled'] && area === 'data-api' && timings?.isComplete() === true
    ? [...list, ['Server-Timing', timings.header()]]
    : list;
}
