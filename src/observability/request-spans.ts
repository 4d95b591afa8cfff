/** The spans of a request and of a call of the router, from their observations. Names are those of the semantic conventions. */
import {
  AGENTS,
  type LiveReadFinished,
  type RequestFinished,
  type RouterCallFinished,
} from './observation.js';
import { newSpanId } from './trace-context.js';
import type { Span } from './span.js';
import type { RequestTrace, StepTime, Timings } from '../contract/timings.js';

const METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS QUERY CONNECT TRACE'.split(' '),
);
const LONGEST_PATH = 500;
const SERVER_FAULT = 500;

/** A request: one span of the server, and one for each step below it. Times are those of `performance.now`. */
export function requestSpans(trace: RequestTrace, request: RequestFinished): readonly Span[] {
  const { method, status, startedAt, durationMs, code } = request;
  const to = startedAt + durationMs;
  const known = METHODS.has(method) ? method : '_OTHER';
  const own: Span = {
    name: request.route === null ? known : `${known} ${request.route}`,
    kind: 'server',
    spanId: trace.spanId,
    parentId: trace.parentId,
    from: startedAt,
    to,
    attributes: {
      'http.request.method': known,
      'http.request.method_original': known === method ? undefined : method.slice(0, LONGEST_PATH),
      'url.path': request.path.slice(0, LONGEST_PATH),
      'url.scheme': request.scheme,
      'client.address': request.client === '' ? undefined : request.client,
      'http.route': request.route ?? undefined,
      'http.response.status_code': status,
      'error.type': status < SERVER_FAULT ? undefined : (code ?? String(status)),
      'dbr.area': request.area,
      'dbr.operation': request.operation,
      'dbr.request_id': request.requestId,
      'dbr.error.code': code,
    },
    hasFailed: status >= SERVER_FAULT,
  };
  return [own, ...(request.timings === null ? [] : stepSpans(trace, request, request.timings, to))];
}

/** Names of the steps that do not access the database. */
const NAMES: Readonly<Record<Exclude<StepTime['step'], 'transaction'>, string>> = {
  jwt: 'authenticate',
  receive: 'receive body',
  parse: 'parse',
  plan: 'plan',
  response: 'respond',
};

function stepSpans(
  trace: RequestTrace,
  request: RequestFinished,
  { steps, sentAt }: Timings,
  end: number,
): readonly Span[] {
  const spans = steps.flatMap(({ step, from, to }) => {
    if (step === 'transaction') return databaseSpans(trace, request, from, to, sentAt);
    const isOperation = step === 'response' && request.area !== 'data-api';
    return [internal(trace, isOperation ? request.operation : NAMES[step], from, to)];
  });
  const last = steps.at(-1);
  if (last === undefined) return spans;
  // A transaction that fails ends no step: the rest of the time is that of the step in which it failed.
  const isPlanned = last.step === 'plan' && sentAt !== null;
  return isPlanned
    ? [...spans, ...databaseSpans(trace, request, last.to, end, sentAt)]
    : [...spans, internal(trace, last.step === 'response' ? 'send' : 'end', last.to, end)];
}

/** The read of a group, which has a trace of its own: many streams get its answer. */
export function liveReadSpans(trace: RequestTrace, read: LiveReadFinished): readonly Span[] {
  const { startedAt, durationMs, hasFailed, code, resource, sentAt } = read;
  const to = startedAt + durationMs;
  const own: Span = {
    ...internal(trace, `live read ${resource?.name ?? ''}`, startedAt, to),
    spanId: trace.spanId,
    parentId: trace.parentId,
    attributes: { 'dbr.area': 'data-api', 'dbr.operation': LIVE_READ, 'dbr.error.code': code },
    hasFailed,
  };
  const status = hasFailed ? SERVER_FAULT : OK;
  const stated = { method: 'GET', operation: LIVE_READ, resource, code, status };
  return [own, ...databaseSpans(trace, stated, startedAt, to, sentAt)];
}

const OK = 200;
const LIVE_READ = 'live-read';

/** What the span of a statement says. */
type Stated = Pick<RequestFinished, 'method' | 'operation' | 'resource' | 'code' | 'status'>;

function databaseSpans(
  trace: RequestTrace,
  request: Stated,
  from: number,
  to: number,
  sentAt: number | null,
): readonly Span[] {
  if (sentAt === null || sentAt < from || sentAt > to) return [internal(trace, 'execute', from, to)];
  return [internal(trace, 'wait for connection', from, sentAt), statementSpan(trace, request, sentAt, to)];
}

/** SQL operations by the method of the data API. */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['GET', 'SELECT'],
  ['HEAD', 'SELECT'],
  ['QUERY', 'SELECT'],
  ['POST', 'INSERT'],
  ['PUT', 'INSERT'],
  ['PATCH', 'UPDATE'],
  ['DELETE', 'DELETE'],
]);
const SQLSTATE = /^[0-9A-Z]{5}$/;
const SYSTEM = 'postgresql';

function statementSpan(
  trace: RequestTrace,
  { method, operation, resource, code, status }: Stated,
  from: number,
  to: number,
): Span {
  const calls = resource?.kind === 'function';
  // The root takes no other POST than a batch.
  const isBatch = resource === null && method === 'POST';
  const ofMethod = isBatch ? 'BATCH' : calls ? 'SELECT' : (OPERATIONS.get(method) ?? 'SELECT');
  const command = operation === AGENTS ? undefined : ofMethod;
  const sqlState = code !== undefined && SQLSTATE.test(code) ? code : undefined;
  const name = resource?.name;
  return {
    ...internal(trace, name === undefined ? (command ?? SYSTEM) : `${ofMethod} ${name}`, from, to),
    kind: 'client',
    attributes: {
      'db.system.name': SYSTEM,
      'db.operation.name': command,
      'db.collection.name': calls ? undefined : name,
      'db.stored_procedure.name': calls ? name : undefined,
      'db.response.status_code': sqlState,
      'error.type': sqlState,
    },
    hasFailed: sqlState !== undefined || status >= SERVER_FAULT,
  };
}

const internal = ({ spanId }: RequestTrace, name: string, from: number, to: number): Span => ({
  name,
  kind: 'internal',
  spanId: newSpanId(),
  parentId: spanId,
  from,
  to,
  attributes: {},
  hasFailed: false,
});

const RPC_SERVICE = 'router.v1.RouterService';

/** Codes of gRPC that are faults of the server (semantic conventions, gRPC). */
const FAULTS: ReadonlySet<string> = new Set([
  'UNKNOWN',
  'DEADLINE_EXCEEDED',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
]);

/** A call of the router. A stream is one span, from its beginning to its end. */
export function callSpan(
  trace: RequestTrace,
  { method, code, codeNumber, party, startedAt, durationSeconds }: RouterCallFinished,
): Span {
  return {
    name: `${RPC_SERVICE}/${method}`,
    kind: 'server',
    spanId: trace.spanId,
    parentId: trace.parentId,
    from: startedAt,
    to: startedAt + durationSeconds * 1000,
    attributes: {
      'rpc.system': 'grpc',
      'rpc.service': RPC_SERVICE,
      'rpc.method': method,
      'rpc.grpc.status_code': codeNumber,
      'error.type': FAULTS.has(code) ? code : undefined,
      'dbr.router.party_class': party,
    },
    hasFailed: FAULTS.has(code),
  };
}
