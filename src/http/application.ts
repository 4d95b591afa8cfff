/** The public port: one Koa application. The data API's paths never reach the router; everything ends in one reply. */
import type Router from '@koa/router';
import Koa from 'koa';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticator } from '../auth/identity.js';
import type { Admission, DataApi, DataApiRequest } from '../data-api/data-api.js';
import { startTimings, type Timings } from '../data-api/timings.js';
import { dbrError } from '../errors/dbr-error.js';
import type { Logger } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { boundedLog } from '../observability/bounded-log.js';
import { logAccess } from './access-log.js';
import { refuseSecondAuthorization } from './authorization.js';
import { commonHeaders } from './common-headers.js';
import type { CorsPolicy } from './cors.js';
import { departure, type Departure } from './departure.js';
import { errorReply } from './error-reply.js';
import { discardRest } from './linger.js';
import { isServicePath } from './paths.js';
import { allowedAt } from './protocol-fault.js';
import { ClientGone, leavesBody, readBody, type BodyBounds } from './read-body.js';
import { sendReply, type HeaderList, type Reply } from './reply.js';
import { requestIdOf } from './request-id.js';
import { originForm } from './request-target.js';

/** What may be reloaded while the service runs. */
export interface LiveHttpSettings {
  readonly 'server-trace-header': string | null;
  readonly 'server-timing-enabled': boolean;
}

export interface DataApiEndpoint {
  readonly api: DataApi;
  authenticator(): Authenticator;
}

/** What the middleware of the application pass on to the routes, and get back. */
export interface ExchangeState {
  requestId: string;
  log: Logger;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** Tells the access log who calls, once that is known. */
  identified: (who: string) => void;
  /** The operationId of the route that took the request, for metrics. */
  operation: string;
  /** Set by the route that took the request. */
  reply: Reply | null;
}

export interface HttpParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly cors: CorsPolicy;
  /** null where the area is switched off. */
  readonly dataApi: DataApiEndpoint | null;
  /** The operations of areas A and B and of the service itself. */
  readonly routes: Router<ExchangeState>;
  /** Longest body of the data API, in bytes. */
  readonly maxBodySize: number;
  readonly bodies: BodyBounds;
  readonly serverHeader: string;
  live(): LiveHttpSettings;
}

interface Exchange {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly departure: Departure;
  area: string;
  /** For metrics: an operationId, or the area. */
  operation: string;
  /** The answer is a stream of events, which lasts as long as its client likes. */
  isStream: boolean;
  who: string;
  timings: Timings | null;
  /** Why the status is 500 or above. */
  failure: string | undefined;
}

export function createApplication(parts: HttpParts): Koa<ExchangeState> {
  const app = new Koa<ExchangeState>();
  app.use((ctx, next) => exchange(parts, ctx, next));
  app.use(parts.routes.routes());
  const lost = boundedLog(parts.log, 'info', 'connections were lost');
  const failed = boundedLog(parts.log, 'error', 'response failed');
  app.on('error', (error: Error & { readonly syscall?: unknown }) => {
    if (error.syscall === undefined) failed(error.message);
    else lost(error.message);
  });
  return app;
}

type ExchangeContext = Koa.ParameterizedContext<ExchangeState>;

async function exchange(parts: HttpParts, ctx: ExchangeContext, next: Koa.Next): Promise<void> {
  const started = performance.now();
  ctx.respond = false;
  const { req: request, res: response } = ctx;
  const { method = 'GET' } = request;
  const url = originForm(request.url ?? '/');
  // The router reads it again.
  request.url = url;
  const mark = url.indexOf('?');
  const current: Exchange = {
    requestId: requestIdOf(request.headers['x-request-id']),
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    departure: departure(),
    area: 'service',
    operation: 'service',
    isStream: false,
    who: '',
    timings: null,
    failure: undefined,
  };
  response.once('close', () => {
    if (!response.writableFinished) current.departure.happened();
    finished(parts, current, response, started);
  });
  const live = parts.live();
  const reply = await replyTo(parts, live, current, ctx, next);
  // The data API has none.
  current.isStream = current.area === 'service' && reply !== null && isEventStream(reply);
  if (reply === null || response.destroyed) response.destroy();
  else {
    current.failure = reply.failure;
    const discard = leavesBody(request) ? () => discardRest(request) : null;
    await sendReply(response, reply, headersOf(parts, live, current, request), method, discard);
  }
}

/** null when the client has gone. */
async function replyTo(
  parts: HttpParts,
  live: LiveHttpSettings,
  current: Exchange,
  ctx: ExchangeContext,
  next: Koa.Next,
): Promise<Reply | null> {
  try {
    const preflight = parts.cors.preflightHeaders(current.method, ctx.req.headers);
    if (preflight !== null) return { status: 200, headers: preflight, body: null };
    if (current.path === '*' && current.method === 'OPTIONS') return ASTERISK_REPLY;
    refuseSecondAuthorization(ctx.req);
    if (isServicePath(current.path)) {
      const reply = await serviceReply(parts, current, ctx, next);
      if (reply !== null) return reply;
    }
    const reply = withAllow(await dataApiReply(parts, live, current, ctx), current.path);
    return current.method === 'OPTIONS' && parts.cors.refuses(ctx.req.headers) ? withoutGrant(reply) : reply;
  } catch (error) {
    if (error instanceof ClientGone) return null;
    const accept = current.area === 'service' ? ctx.req.headers.accept : undefined;
    return errorReply(error, { accept, instance: current.path, log: parts.log });
  }
}

/** What the server as a whole can do (RFC 9110 §9.3.7). */
const ASTERISK_REPLY: Reply = { status: 204, headers: [['Allow', allowedAt('*')]], body: null };

/** The data API allows every origin to ask for its methods; a list of origins counts for more. */
const withoutGrant = (reply: Reply): Reply => ({
  ...reply,
  headers: reply.headers.filter(([name]) => name !== 'Access-Control-Allow-Origin'),
});

/** Every 405 names the allowed methods (RFC 9110 §15.5.6), also a 405 that a function chose. */
function withAllow(reply: Reply, path: string): Reply {
  if (reply.status !== 405 || reply.headers.some(([name]) => name.toLowerCase() === 'allow')) return reply;
  return { ...reply, headers: [...reply.headers, ['Allow', allowedAt(path)]] };
}

/** null when no operation has this path. */
async function serviceReply(
  parts: HttpParts,
  current: Exchange,
  ctx: ExchangeContext,
  next: Koa.Next,
): Promise<Reply | null> {
  const { requestId, method } = current;
  ctx.state.requestId = requestId;
  ctx.state.log = parts.log.child({ requestId });
  ctx.state.signal = current.departure.signal;
  ctx.state.identified = (who) => void (current.who = who);
  ctx.state.operation = 'service';
  ctx.state.reply = null;
  try {
    await next();
  } finally {
    current.operation = ctx.state.operation;
  }
  if (ctx.state.reply !== null) return ctx.state.reply;
  const methods = parts.routes.match(current.path, method).path.flatMap((layer) => layer.methods);
  if (methods.length === 0) return null;
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: [['Allow', allow]], body: null };
  throw dbrError('MethodNotAllowed', { method }, { headers: { Allow: allow } });
}

/** Methods whose body means something; that of another request is not received. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const NO_BODY = Buffer.alloc(0);

async function dataApiReply(
  parts: HttpParts,
  live: LiveHttpSettings,
  current: Exchange,
  { req: request, res: response }: ExchangeContext,
): Promise<Reply> {
  const { dataApi } = parts;
  if (dataApi === null) throw dbrError('InvalidPath');
  current.area = 'data-api';
  current.operation = 'data-api';
  current.timings = live['server-timing-enabled'] ? startTimings() : null;
  const found = dataApi.authenticator().identify(request.headers.authorization);
  const identity = 'role' in found ? found : await found;
  current.who = identity.role;
  current.timings?.lap('jwt');
  const { method, path, query, timings } = current;
  const head = (body: Buffer): DataApiRequest => ({
    method,
    path,
    query,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    body,
    identity,
    timings,
    client: request.socket.remoteAddress ?? '',
    get signal() {
      return current.departure.signal;
    },
  });
  if (!WITH_BODY.has(method)) return dataApi.api.handle(head(NO_BODY));
  const { api } = dataApi;
  const received = await receive(parts, request, response, () => api.admit(head(NO_BODY)));
  if (!Buffer.isBuffer(received)) return received;
  current.timings?.skip();
  return api.handle(head(received));
}

/** The body, or what is answered without a long one. */
async function receive(
  { maxBodySize, bodies }: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
  admit: () => Promise<Admission>,
): Promise<Buffer | Reply> {
  const answered: { refusal: Reply | null } = { refusal: null };
  const body = await readBody(request, response, {
    ...bodies,
    limit: maxBodySize,
    async admit() {
      const admission = await admit();
      if (admission.kind === 'refuse') answered.refusal = admission.reply;
      return admission.kind === 'receive';
    },
  });
  return answered.refusal ?? body;
}

function headersOf(
  { serverHeader, cors }: HttpParts,
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
  });
  return timings?.isComplete() === true ? [...list, ['Server-Timing', timings.header()]] : list;
}

/** Of a client that went away before anything was answered (nginx's code). */
const CLIENT_CLOSED_REQUEST = 499;

function finished(parts: HttpParts, current: Exchange, response: ServerResponse, started: number): void {
  const durationMs = performance.now() - started;
  const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
  if (current.isStream) parts.metrics.streamFinished(current.operation, status);
  else parts.metrics.requestFinished(current.operation, current.method, status, durationMs / 1000);
  const { requestId, method, path, who } = current;
  const reason = status < 500 ? undefined : (current.failure ?? 'the status was set by a function');
  logAccess(parts.log, { requestId, method, path, status, durationMs, who, reason });
}

const isEventStream = ({ headers }: Reply): boolean =>
  headers.some(([name, value]) => name === 'Content-Type' && value === 'text/event-stream');
