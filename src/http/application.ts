/**
 * The public port: a Koa application with the router of the operations, and ahead of it the data endpoint, which
 * serves every other path. Each request ends in one reply.
 */
import type Router from '@koa/router';
import type { IncomingMessage, RequestListener, ServerResponse, IncomingHttpHeaders } from 'node:http';
import type { Header, Reply } from '../contract/reply.js';
import type { Identity } from '../contract/request.js';
import { SERVICE_STYLE, type ErrorStyle } from '../errors/error-style.js';
import { dbrError } from '../errors/dbr-error.js';
import { AGENTS, type Observe } from '../observability/observation.js';
import { startTimings } from '../observability/server-timing.js';
import type { Traces } from '../observability/tracer.js';
import type { ClientAddresses } from './client-address.js';
import { type CorsPolicy, isPreflight } from './cors.js';
import { identify, serveData, type DataEndpoint } from './data-endpoint.js';
import { errorReply } from './error-reply.js';
import { beginExchange, dataResourceOf, noteReply, type Exchange } from './exchange.js';
import { lazyHandler } from './lazy-handler.js';
import type { ExchangeState, Operate } from './operations.js';
import type { ProtectedResource } from './protected-resource.js';
import { allowedAt, headerCount } from './protocol-fault.js';
import { ClientGone, leavesBody, type BodyBounds } from './read-body.js';
import { sendReply } from './reply.js';
import { DBR_ERRORS } from '../../generated/errors.js';
import { qualityOf } from '../operations/preferred-type.js';
import { EVENT_STREAM } from '../operations/responses.js';

/** Settings that can be reloaded. */
interface LiveHttpSettings {
  readonly 'server-trace-header': string | null;
  readonly 'server-timing-enabled': boolean;
  readonly 'db-root-spec': string | null;
}

interface HttpParts {
  readonly observe: Observe;
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
  readonly cors: CorsPolicy;
  readonly clients: ClientAddresses;
  /** Null if the data API is switched off. */
  readonly data: DataEndpoint | null;
  /** Loads the operations of areas A and B and of the service itself. */
  readonly routes: () => Promise<Router<ExchangeState>>;
  /** Whether the published document and its page are served, and people are led to them. */
  readonly leadsToReference: boolean;
  /** Longest body of the data endpoint, in bytes. */
  readonly maxBodySize: number;
  readonly bodies: BodyBounds;
  /** The path of agents; null where they are not served. */
  readonly agents: ProtectedResource | null;
  readonly serverHeader: string;
  /** The settings in force. */
  readonly live: { readonly current: LiveHttpSettings };
}

/**
 * Creates the handler of the public port. Requests of the data endpoint bypass Koa and its router, which cost as much
 * as the rest of a quick request; requests of the service's paths pass through them.
 */
export function createHandler(parts: HttpParts): RequestListener {
  const begun = new WeakMap<IncomingMessage, Exchange>();
  const operations = lazyHandler(
    () => loadOperations(parts, begun),
    (response, error) => abandon(parts, response, error),
  );
  const { observe, traces, clients, data } = parts;
  return (request, response) => {
    const exchange = beginExchange(request, response, observe, traces, clients, data?.pathPrefix ?? '');
    if (exchange.isOfService) {
      begun.set(request, exchange);
      operations(request, response);
    } else
      serve(parts, exchange, request, response, null).catch(
        (error: unknown) => void abandon(parts, response, error),
      );
  };
}

/**
 * Imports Koa, the routes and the rules of their parameters and bodies.
 * @param begun the exchange of each request: Koa passes on the request alone
 */
async function loadOperations(
  parts: HttpParts,
  begun: WeakMap<IncomingMessage, Exchange>,
): Promise<RequestListener> {
  const [{ createOperations }, routes] = await Promise.all([import('./operations.js'), parts.routes()]);
  return createOperations(
    routes,
    (request, response, operate) => {
      const exchange = begun.get(request);
      if (exchange === undefined) throw new Error('the request has no exchange');
      return serve(parts, exchange, request, response, operate);
    },
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
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  operate: Operate | null,
): Promise<void> {
  const live = parts.live.current;
  const given = await replyOf(parts, live, exchange, request, response, operate);
  if (given === null || response.destroyed) {
    response.destroy();
    return;
  }
  const reply = parts.agents === null ? given : parts.agents.challenging(given, exchange, request.headers);
  noteReply(exchange, reply);
  const discard = leavesBody(request) ? () => discardRest(request) : null;
  await sendReply(response, reply, headersOf(parts, live, exchange, request), exchange.method, discard);
}

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
    const metadata = parts.agents === null ? null : parts.agents.metadata(exchange, request.headers);
    if (metadata !== null) return metadata;
    refuseSecond(request, 'Authorization');
    if (hasApiKeys(parts)) refuseSecond(request, 'apikey');
    if (operate !== null) {
      const reply = await operate(exchange);
      if (reply !== null) return reply;
    }
    const given = await replyOutsideOfOperations(parts, live, exchange, request, response);
    const reply = withAllow(given, exchange);
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
  if (parts.data === null || exchange.below === null) return replacement;
  const reply = await dataReply(parts, live, exchange, request, response);
  return isUnknownRelation(reply) ? replacement : reply;
}

/** Errors of operations have the codes of the published document. */
function errorStyleOf({ data }: HttpParts, { area, isOfService }: Exchange): ErrorStyle {
  if (data === null) return SERVICE_STYLE;
  return area === 'data-api' || !isOfService ? data.inForce.errorStyle : SERVICE_STYLE;
}

/** Reply to `OPTIONS *`: the methods of the whole server (RFC 9110 §9.3.7). */
const ASTERISK_REPLY: Reply = { status: 204, headers: [['Allow', allowedAt('*')]], body: null };

/** The data API grants its methods to every origin; a list of origins in the settings takes precedence. */
const withoutGrant = (reply: Reply): Reply => ({
  ...reply,
  headers: reply.headers.filter(([name]) => name !== 'Access-Control-Allow-Origin'),
});

/** Every 405 names the allowed methods (RFC 9110 §15.5.6), also one whose status a function has set. */
function withAllow(reply: Reply, { below, path }: Exchange): Reply {
  if (reply.status !== 405 || reply.headers.some(([name]) => name.toLowerCase() === 'allow')) return reply;
  return { ...reply, headers: [...reply.headers, ['Allow', allowedAt(below ?? path)]] };
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
  if (exchange.below !== null && exchange.below === parts.agents?.path) {
    exchange.operation = AGENTS;
    exchange.route = exchange.path;
  } else exchange.resource = dataResourceOf(exchange.below ?? '/');
  if (live['server-timing-enabled'] || exchange.trace?.isSampled === true) timeSteps(exchange);
  // Browsers cannot send a token with EventSource.
  const ticketed =
    data.liveTickets !== null && exchange.method === 'GET' && request.headers.accept === EVENT_STREAM
      ? data.liveTickets.open(exchange.path, exchange.query, request.headers)
      : null;
  const serveAs = (identity: Identity): Promise<Reply> => {
    exchange.who = identity.role;
    exchange.timings?.lap('jwt');
    const sender = { identity, timings: exchange.timings, headers: ticketed?.headers ?? request.headers };
    if (ticketed === null) return serveData(data, exchange, { request, response }, sender, parts);
    const line = { ...exchange, query: ticketed.query };
    const { below: path, query } = line;
    const admitted = ticketed.admit({ path: path ?? '', query, identity }, response);
    return serveData(data, line, { request, response }, { ...sender, identity: admitted }, parts);
  };
  const found = identify(data, ticketed?.headers ?? request.headers);
  return 'role' in found ? serveAs(found) : found.then(serveAs);
}

function timeSteps(exchange: Exchange): void {
  exchange.timings = startTimings();
  exchange.client.onSent = exchange.timings.sent;
}

function headersOf(
  { serverHeader, cors, data }: HttpParts,
  live: LiveHttpSettings,
  { method, requestId, area, timings }: Exchange,
  { headers }: IncomingMessage,
): readonly Header[] {
  const list = commonHeaders({
    serverHeader,
    cors,
    traceHeader: live['server-trace-header'],
    method,
    headers,
    requestId,
    isDataApi: area === 'data-api',
    hasApiKeys: hasApiKeys({ data }),
  });
  return live['server-timing-enabled'] && area === 'data-api' && timings?.isComplete() === true
    ? [...list, ['Server-Timing', timings.header()]]
    : list;
}

const hasApiKeys = ({ data }: Pick<HttpParts, 'data'>): boolean => data !== null && data.apiKeys !== null;

const CREDENTIALS = { Authorization: 'authorization', apikey: 'apikey' } as const;

/**
 * Refuses a second header of credentials: a proxy could check the first header while this service uses the last.
 * @throws DbrError InvalidParameter (400)
 */
function refuseSecond({ headers, rawHeaders }: IncomingMessage, parameter: keyof typeof CREDENTIALS): void {
  const wanted = CREDENTIALS[parameter];
  if (headers[wanted] !== undefined && headerCount(rawHeaders, wanted) > 1)
    throw dbrError('InvalidParameter', { parameter, problem: 'must be given once' });
}

interface HeaderSources {
  readonly serverHeader: string;
  readonly cors: CorsPolicy;
  readonly traceHeader: string | null;
  readonly method: string;
  /** Headers of the request. */
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly isDataApi: boolean;
  readonly hasApiKeys: boolean;
}

/** Request headers on which a response of the data API depends. Caches store one response for each combination. */
const DATA_API_VARY = 'Accept, Accept-Profile, Authorization, Origin, Prefer, Range';
const SERVICE_VARY = 'Accept, Authorization, Origin';
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';

/** Returns the common headers. A response may replace them by its own headers. */
function commonHeaders(sources: HeaderSources): readonly Header[] {
  const { serverHeader, cors, traceHeader, method, headers, requestId, isDataApi } = sources;
  const preflight = isPreflight(method, headers);
  const isKeyed = isDataApi && sources.hasApiKeys;
  const list: (readonly [string, string])[] = [
    ['Server', serverHeader],
    ['X-Content-Type-Options', 'nosniff'],
    ['Vary', preflight ? PREFLIGHT_VARY : varyOf(isDataApi, isKeyed)],
  ];
  if (headers.origin !== undefined) list.push(...cors.responseHeaders(method, headers));
  if (headers.authorization !== undefined || (isKeyed && headers['apikey'] !== undefined))
    list.push(['Cache-Control', 'private']);
  if (traceHeader?.toLowerCase() !== 'x-request-id') list.push(['X-Request-Id', requestId]);
  if (traceHeader !== null) list.push([traceHeader, printable(headers[traceHeader.toLowerCase()])]);
  return list;
}

function varyOf(isDataApi: boolean, isKeyed: boolean): string {
  const names = isDataApi ? DATA_API_VARY : SERVICE_VARY;
  return isKeyed ? `${names}, apikey` : names;
}

/** Removes bytes that Node.js accepts in a request header and refuses to send (obs-text). */
const printable = (value: string | string[] | undefined): string =>
  String(value ?? '').replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');

// Responses to requests whose body is not read to its end. The connection is closed after the response with a delay:
// closing it while bytes of the body arrive resets it, and the client could lose the response (RFC 9112 §9.6).

const LINGER_MS = 2000;
const LINGER_BYTES = 16_777_216;

/** Reads and discards the rest of the body, for a short time at most. */
function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) return resolve();
    let bytes = 0;
    const timer = setTimeout(done, LINGER_MS);
    function done(): void {
      clearTimeout(timer);
      request.off('data', onData);
      resolve();
    }
    function onData(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > LINGER_BYTES) done();
    }
    request.on('data', onData);
    for (const event of ['end', 'close', 'error'] as const) request.once(event, done);
    request.resume();
  });
}

// Replies to people who look at the service: `/` in a browser, and `/docs` and `/health` where no relation has the name.

/** Relative to `/`, so that a proxy may add a prefix. */
const REFERENCE: Reply = { status: 303, headers: [['Location', 'api/v1/docs']], body: null };

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * The reply to a browser that opens the root: its `Accept` names HTML first and takes other types, too. Clients that take
 * HTML alone, or JSON as well as HTML, get the description of the schema or its refusal.
 */
function browserReply(method: string, path: string, accept: string | undefined): Reply | null {
  if (path !== '/' || accept === undefined || !isRead(method)) return null;
  const json = qualityOf('application/json', accept);
  return json > 0 && qualityOf('text/html', accept) > json ? REFERENCE : null;
}

/** The reply at a path that nothing else serves; null for any other. */
function replacementReply(method: string, path: string): Reply | null {
  if (!isRead(method)) return null;
  if (path === '/docs') return REFERENCE;
  return path === '/health' ? HEALTHY : null;
}

/**
 * The service responds. So did the database, which the data API has asked for a relation of the name, except where the
 * data API does not have the path.
 */
const HEALTHY: Reply = {
  status: 200,
  headers: [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Cache-Control', 'no-store'],
  ],
  body: [Buffer.from('{"status":"up"}')],
};

/** SQLSTATE `undefined_table`: unknown relations are left to PostgreSQL, except in the plan of an embed. */
const UNDEFINED_TABLE = '42P01';

/** Whether the reply says that the exposed schemas have no relation of the name. */
function isUnknownRelation({ status, body }: Reply): boolean {
  if (status !== 404 || !Array.isArray(body)) return false;
  const text = Buffer.concat(body);
  return [UNDEFINED_TABLE, DBR_ERRORS.TableNotFound.code].some((code) => text.includes(`"code":"${code}"`));
}
