/** The Koa application of the operations: their routes, and what they reply. */
import type Router from '@koa/router';
import Koa from 'koa';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { dbrError } from '../errors/dbr-error.js';
import type { Observe } from '../observability/observation.js';
import type { Exchange } from './exchange.js';
import type { Reply } from '../contract/reply.js';

/** The state of Koa that a route reads and writes. */
export interface ExchangeState {
  exchange: Exchange;
  /** Set by the route. */
  reply: Reply | null;
}

type ExchangeContext = Koa.ParameterizedContext<ExchangeState>;

/** The reply of the operation with the exchange's path; null if there is none. */
export type Operate = (exchange: Exchange) => Promise<Reply | null>;

/** Serves a request, whose reply is that of the operation if there is one. */
type ServeOperation = (request: IncomingMessage, response: ServerResponse, operate: Operate) => Promise<void>;

/** @param routes the operations of areas A and B and of the service itself */
export function createOperations(
  routes: Router<ExchangeState>,
  serve: ServeOperation,
  observe: Observe,
): RequestListener {
  const app = new Koa<ExchangeState>();
  app.use((ctx, next) => {
    ctx.respond = false;
    return serve(ctx.req, ctx.res, (exchange) => operationReply(routes, exchange, ctx, next));
  });
  app.use(routes.routes());
  app.on('error', (error: Error & { readonly syscall?: unknown }) => {
    // An error of the connection is observed where the connection is (`listen.ts`).
    if (error.syscall === undefined) observe({ kind: 'response-failed', reason: error.message });
  });
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

/** Null if no operation has the path. @throws DbrError MethodNotAllowed */
async function operationReply(
  routes: Router<ExchangeState>,
  exchange: Exchange,
  ctx: ExchangeContext,
  next: Koa.Next,
): Promise<Reply | null> {
  const { method, path } = exchange;
  ctx.state.exchange = exchange;
  ctx.state.reply = null;
  await next();
  if (ctx.state.reply !== null) return ctx.state.reply;
  const layers = routes.match(path, method).path;
  if (layers.length === 0) return null;
  // The methods of the path itself, without those of a template that matches it, too.
  const fewest = Math.min(...layers.map(({ paramNames }) => paramNames.length));
  const methods = layers
    .filter(({ paramNames }) => paramNames.length === fewest)
    .flatMap((layer) => layer.methods);
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: [['Allow', allow]], body: null };
  throw dbrError('MethodNotAllowed', { method }, { headers: { Allow: allow } });
}
