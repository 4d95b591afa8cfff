/** One request with its response, from the request line to the access log. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DataResource, Observe, RequestFinished } from '../observability/observation.js';
import { Departure } from '../base/gone.js';
import type { Caller } from '../contract/caller.js';
import type { Reply } from '../contract/reply.js';
import type { Traces } from '../observability/tracer.js';
import type { ClientAddresses } from './client-address.js';
import { isEventStream } from './reply.js';
import { originForm, readTarget, type Target } from '../base/paths.js';
import { randomBytes } from 'node:crypto';

/** What is observed of a request and known from its head. */
type Head = Pick<RequestFinished, 'requestId' | 'method' | 'path' | 'startedAt' | 'scheme' | 'trace'>;

/** What is observed of a request and becomes known while it is handled. */
type Handled = Pick<
  RequestFinished,
  'area' | 'operation' | 'route' | 'resource' | 'isStream' | 'who' | 'timings' | 'code'
>;

export interface Exchange extends Head, Target, Mutable<Handled> {
  readonly path: string;
  readonly client: RequestClient;
  /** The prefix of the paths of the data API. */
  readonly pathPrefix: string;
  failure: Reply['failure'];
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Begins the exchange. The request's URL becomes its origin-form. @param pathPrefix of the data API */
export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  observe: Observe,
  traces: Traces | null,
  clients: ClientAddresses,
  pathPrefix: string,
): Exchange {
  const url = originForm(request.url ?? '/');
  // The router reads the URL again.
  request.url = url;
  const target = readTarget(url, pathPrefix);
  const exchange: Exchange = {
    requestId: requestIdOf(request.headers['x-request-id']),
    method: request.method ?? 'GET',
    path: target.path,
    query: target.query,
    isOfService: target.isOfService,
    below: target.below,
    pathPrefix,
    startedAt: performance.now(),
    client: new RequestClient(clients.of(request)),
    scheme: clients.scheme(request),
    area: 'service',
    operation: 'service',
    route: null,
    resource: null,
    isStream: false,
    who: '',
    timings: null,
    trace:
      traces === null ? null : traces.begin(request.headers['traceparent'], request.headers['tracestate']),
    failure: undefined,
    code: undefined,
  };
  response.on('close', () => {
    // HEAD leaves out the body: nothing reads a stream to its end, where it would release what it holds.
    if (!response.writableFinished || exchange.method === 'HEAD') exchange.client.abort();
    observeEnd(exchange, response, observe);
  });
  return exchange;
}

/** Records the properties of the reply that log and metrics report. */
export function noteReply(exchange: Exchange, reply: Reply): void {
  exchange.failure = reply.failure;
  exchange.code = reply.code;
  exchange.isStream = !Array.isArray(reply.body) && isEventStream(reply.headers);
}

/** Status of a request whose client closed the connection before the response began (499 of nginx). */
const CLIENT_CLOSED_REQUEST = 499;

/** Operations below it have the identifier of a user in their path, which logs and traces must not have. */
const USERS = '/api/v1/users/';

function observeEnd(exchange: Exchange, response: ServerResponse, observe: Observe): void {
  const { requestId, method, path, who, operation, isStream, failure, startedAt } = exchange;
  const { area, code, resource, timings, trace } = exchange;
  const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
  observe({
    kind: 'request-finished',
    requestId,
    method,
    path: path.startsWith(USERS) ? `${USERS}{id}` : path,
    status,
    durationMs: performance.now() - startedAt,
    startedAt,
    who,
    client: exchange.client.client,
    scheme: exchange.scheme,
    reason: status < 500 ? undefined : (failure ?? 'the status was set by a function'),
    code,
    area,
    operation,
    route: exchange.route ?? (area === 'data-api' ? dataRouteOf(exchange.pathPrefix, resource) : null),
    resource,
    timings,
    trace,
    isStream,
  });
}

const SANE = /^[A-Za-z0-9._-]{1,128}$/;
const PROCESS = randomBytes(6).toString('hex');
let count = 0;

/** Unique within the process and, by its random prefix, among processes. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : `${PROCESS}-${(count++).toString(36)}`;
}

/** The client of one request. It has gone when it closes the connection before the end of the response, and after a response to HEAD. */
export class RequestClient extends Departure implements Caller {
  /** The client's address; empty on a Unix socket. */
  readonly client: string;
  /** Called when a batch of the request is sent; null if the steps are not timed. */
  onSent: (() => void) | null = null;

  constructor(address: string) {
    super();
    this.client = address;
  }

  get signal(): this {
    return this;
  }
}

/** Paths of well-known requests are few; the memory of others is bounded. */
const MOST_PATHS = 1000;
const LONGEST_PATH = 200;
const known = new Map<string, DataResource | null>();

/**
 * Returns the relation or function that a path of the data API names, for metrics and spans; null for `/`, and for a path
 * that names neither.
 * @param path undecoded, without the prefix of the endpoint
 */
export function dataResourceOf(path: string): DataResource | null {
  const found = known.get(path);
  if (found !== undefined) return found;
  const resource = readPath(path);
  if (path.length > LONGEST_PATH) return resource;
  if (known.size === MOST_PATHS) known.clear();
  // A copy, because V8 keeps the whole text of a substring in memory, here the request line.
  known.set(Buffer.from(path, 'latin1').toString('latin1'), resource);
  return resource;
}

function readPath(path: string): DataResource | null {
  const [, first = '', second, more] = path.split('/');
  if (more !== undefined) return null;
  if (first === 'rpc' && second !== undefined && second !== '') return named('function', second);
  return second !== undefined || first === '' ? null : named('relation', first);
}

function named(kind: DataResource['kind'], encoded: string): DataResource | null {
  try {
    return { kind, name: decodeURIComponent(encoded) };
  } catch {
    return null;
  }
}

/** The template of a path of the data API (semantic conventions, `http.route`). */
const dataRouteOf = (prefix: string, resource: DataResource | null): string => {
  if (resource === null) return `${prefix}/`;
  return resource.kind === 'relation' ? `${prefix}/{relation}` : `${prefix}/rpc/{function}`;
};
