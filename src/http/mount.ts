/**
 * Mounts the generated routes on the router: authentication, parameters, body, handler, reply. All operations pass
 * through the same steps.
 */
import type { Router, RouterContext } from '@koa/router';
import {
  ROUTES,
  type Route,
  type HandlerResponse,
  type BoundHandlers,
  type JsonText,
  type OperationId,
} from '../../generated/operations.js';
import type { PrincipalAuthenticator } from '../auth/principal.js';
import { invalidToken } from '../auth/verify-token.js';
import { dbrError } from '../errors/dbr-error.js';
import type { RequestArea } from '../observability/observation.js';
import { startTimings } from '../observability/server-timing.js';
import { tenantIdOf, userIdOf } from '../base/identifiers.js';
import type { ExchangeState } from './operations.js';
import type { Principal, RequestContext } from '../contract/principal.js';
import type { Reply } from '../contract/reply.js';
import { readJsonBody } from './json-body.js';
import { type RequestParameters, readByRules, type ParameterSources, textsOfQuery } from './read-by-rules.js';
import type { BodyBounds } from './read-body.js';
import { PARAMETERS } from '../../generated/parameters.js';
import { parameterChecks } from '../../generated/validators-parameters.js';

export interface MountParts {
  /** Handlers of the areas that run. */
  readonly handlers: BoundHandlers<RequestContext>;
  /** The authentication in force. */
  readonly authentication: {
    readonly current: { readonly principals: Pick<PrincipalAuthenticator, 'authenticate'> };
  };
  readonly bodies: BodyBounds;
  /** Returns the principal of a stream ticket, which clients send that cannot send headers; null for an invalid ticket. */
  readonly ticketHolder: (ticket: string) => Promise<Principal | null>;
}

type Context = RouterContext<ExchangeState>;

type MountedRoute = Route & { readonly id: keyof BoundHandlers<RequestContext> };

/** The principal of an operation that needs no token. It has no tenant and no scope, so that no row is visible to it. */
const ANONYMOUS: Principal = {
  tenantId: tenantIdOf(''),
  userId: userIdOf(''),
  scopes: new Set(),
  tenants: new Set(),
  expiresAt: null,
  authenticatedAt: null,
};

/** The security requirement of the operation (OpenAPI 3.1 §4.8.10): `none` is `security: []`. */
function authenticated(
  { current }: MountParts['authentication'],
  security: Route['security'],
  authorization: string | undefined,
): Principal | Promise<Principal> {
  const needsNone = security === 'none' || (security === 'optional' && authorization === undefined);
  return needsNone ? ANONYMOUS : current.principals.authenticate(authorization);
}

/** @param routes those of the published document; others in tests */
export function mountRoutes(
  router: Router<ExchangeState>,
  parts: MountParts,
  routes: readonly MountedRoute[] = ROUTES,
): void {
  const literalPaths = new Set(routes.map(({ path }) => path).filter((path) => !isTemplate(path)));
  for (const route of routes) {
    const handle = parts.handlers[route.id];
    if (handle === undefined) continue;
    const template = isTemplate(route.path);
    router.register(route.path, [route.method], async (ctx: Context) => {
      // A path without parameters precedes the templates that match it (OpenAPI 3.1 §4.8.8.2), whatever its methods are.
      if (template && literalPaths.has(withoutSlash(ctx.path))) return;
      const { exchange } = ctx.state;
      exchange.operation = route.id;
      exchange.area = areaOf(route.tag);
      exchange.route = templateOf(route.path);
      const timings = exchange.trace?.isSampled === true ? startTimings() : null;
      exchange.timings = timings;
      const { query } = exchange;
      // Authentication comes first, so that a client without a token learns nothing about parameters and bodies.
      const ticket = takesTicket(route.alternatives) ? ticketOf(ctx.req.headers.authorization, query) : null;
      const principal =
        ticket === null
          ? await authenticated(parts.authentication, route.security, ctx.req.headers.authorization)
          : principalOf(await parts.ticketHolder(ticket));
      exchange.who = `${principal.tenantId}/${principal.userId}`;
      timings?.lap('jwt');
      if (route.scope !== null) requireScope(principal, route.scope);
      const parameters: RequestParameters = readParameters(route.id, {
        query,
        headers: ctx.req.headers,
        path: ctx.params,
      });
      const body =
        route.consumes.length === 0
          ? undefined
          : await readJsonBody(ctx.req, ctx.res, parts.bodies, {
              operation: route.id,
              required: route.bodyRequired,
            });
      timings?.lap('parse');
      const response = await handle({ ...parameters, body }, contextOf(ctx, principal));
      timings?.lap('response');
      ctx.state.reply = replyOf(response);
    });
  }
}

const PARAMETER = /(?<!\\):([A-Za-z]+)/g;
const isTemplate = (path: string): boolean => path.search(PARAMETER) >= 0;
/** The router matches a path with a slash at its end as the path without it. */
const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/** The path as the published document writes it. */
const templateOf = (path: string): string => path.replaceAll(PARAMETER, '{$1}').replaceAll('\\:', ':');

function areaOf(tag: string): RequestArea {
  return tag === 'notifications' || tag === 'signing' ? tag : 'service';
}

const takesTicket = (alternatives: readonly string[]): boolean => alternatives.includes('streamTicket');

/** The ticket of the query string, for clients that cannot send an Authorization header. */
function ticketOf(authorization: string | undefined, query: string): string | null {
  return authorization === undefined ? (textsOfQuery(query, ['ticket']).get('ticket')?.[0] ?? null) : null;
}

function principalOf(principal: Principal | null): Principal {
  if (principal === null) throw invalidToken();
  return principal;
}

function requireScope(principal: Principal, scope: string): void {
  if (principal.scopes?.has(scope) !== true)
    throw dbrError('Forbidden', { details: `The token lacks the scope ${scope}.` });
}

function contextOf(ctx: Context, principal: Principal): RequestContext {
  return {
    principal,
    signal: ctx.state.exchange.client,
    headers: ctx.req.headers,
    remoteAddress: ctx.state.exchange.client.client,
  };
}

function replyOf({ status, type, headers, body }: HandlerResponse): Reply {
  const named = Object.entries(headers ?? {});
  if (body === undefined) return { status, headers: named, body: null };
  const contentType = [
    'Content-Type',
    type === 'application/json' ? 'application/json; charset=utf-8' : (type ?? 'application/octet-stream'),
  ] as const;
  return { status, headers: [contentType, ...named], body: bodyOf(body) };
}

function bodyOf(body: unknown): Reply['body'] {
  if (isStream(body)) return body;
  if (isJsonText(body))
    return body.jsonText.map((bytes) => (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)));
  return [typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body))];
}

const isStream = (body: unknown): body is AsyncIterable<string> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
const isJsonText = (body: unknown): body is JsonText =>
  typeof body === 'object' && body !== null && 'jsonText' in body;

/**
 * Reads and checks the parameters of `operation`; parameters that the document does not know are ignored.
 * Errors: `InvalidParameter` (400), whose details name the parameter.
 */
export function readParameters(operation: OperationId, sources: ParameterSources): RequestParameters {
  return readByRules(PARAMETERS[operation], parameterChecks[operation], sources);
}
