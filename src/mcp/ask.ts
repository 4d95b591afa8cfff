/** Requests of the data API on behalf of the caller of a tool: its role, its claims, its headers, its limits. */
import type { Reply } from '../contract/reply.js';
import { carriedBy, headerOf, readHeaders, type Request } from '../contract/request.js';
import type { AgentFace } from '../data-api/pipeline.js';
import { dbrError } from '../errors/dbr-error.js';

/** Longest answer of the data API that an agent is given, in bytes. */
export const LONGEST_ANSWER = 1_048_576;

/** What tools use of the data API. */
export interface AgentApi extends AgentFace {
  readonly handle: (request: Request) => Promise<Reply>;
}

/** One call of a tool. */
export interface Call {
  /** The request that carries the call. */
  readonly request: Request;
  readonly api: AgentApi;
  /** The reply in place of the tool's answer: the caller has no token, and needs one. */
  refusal: Reply | null;
  /** A fault of the service, which the reply hides as on every other path. */
  fault: { readonly error: unknown } | null;
}

export interface Question {
  readonly method: string;
  /** Undecoded. */
  readonly path: string;
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** An answer of the data API. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

/** A refusal of the data API: its body, an error of the contract. */
export class Refused extends Error {}

/** Headers that describe the message of the protocol, or choose an answer. The question has its own. */
const OF_THE_MESSAGE =
  /^(?:accept(?:-profile|-encoding|-language)?|content-.*|prefer|mcp-.*|range|if-.*|last-event-id|dbr-position|idempotency-key|transfer-encoding|expect)$/;

const NO_BODY = Buffer.alloc(0);

export function requestOf({ request }: Pick<Call, 'request'>, question: Question): Request {
  const { method, path, query = '', headers, body = NO_BODY } = question;
  const received: Record<string, string> = {};
  for (const name of Object.keys(request.headers.received)) {
    const value = OF_THE_MESSAGE.test(name) ? undefined : headerOf(request.headers.received, name);
    if (value !== undefined) received[name] = value;
  }
  const { rawHeaders } = request;
  const kept = rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || OF_THE_MESSAGE.test(name.toLowerCase()) ? [] : [name, rawHeaders[index + 1] ?? ''],
  );
  return {
    ...{ method, path, query, body, carries: carriedBy(method, path) },
    headers: readHeaders(method, { ...received, ...headers }),
    rawHeaders: [...kept, ...Object.entries(headers).flat()],
    identity: request.identity,
    timings: request.timings,
    trace: request.trace,
    caller: request.caller,
    charge: request.charge,
  };
}

/**
 * Reads the answer of the data API.
 * @throws Refused for an error of the contract; DbrError ResultTooLarge
 */
export async function answerOf(call: Call, reply: Reply): Promise<Answer> {
  const { status, headers, body, release } = reply;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    const bytes = Buffer.from(piece);
    if (Buffer.isBuffer(piece)) release?.(piece);
    length += bytes.length;
    if (length > LONGEST_ANSWER) throw dbrError('ResultTooLarge', { length, limit: LONGEST_ANSWER });
    pieces.push(bytes);
  }
  const text = Buffer.concat(pieces).toString('utf8');
  if (status === 401) call.refusal = { ...reply, body: pieces };
  if (status >= 400) throw new Refused(text);
  return {
    status,
    text,
    header: (wanted) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1],
  };
}

export const ask = async (call: Call, question: Question): Promise<Answer> =>
  answerOf(call, await call.api.handle(requestOf(call, question)));

/** What one answer may have: rows, and the cost that PostgreSQL estimates for its statement; null for no ceiling. */
export function budgetOf({ api, request }: Call): {
  readonly maxRows: number;
  readonly maxCost: number | null;
} {
  const { settings, ceilings } = api.snapshot();
  return {
    maxRows: Math.min(settings['mcp-max-rows'], settings['db-max-rows'] ?? Infinity),
    maxCost: ceilings.of(request.identity.role).maxCost,
  };
}

/** The body of an answer as JSON. */
export function jsonOf({ text }: Answer): unknown {
  const value: unknown = JSON.parse(text);
  return value;
}

/** @throws DbrError InvalidParameter */
export function invalid(parameter: string, problem: string): never {
  throw dbrError('InvalidParameter', { parameter, problem });
}

export const optionalText = (args: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = args[name];
  return typeof value === 'string' ? value : null;
};

export const optionalNumber = (args: Readonly<Record<string, unknown>>, name: string): number | null => {
  const value = args[name];
  return typeof value === 'number' ? value : null;
};

/** A relation or function by its name; `schema` names an exposed schema, and may be left out for the first one. */
export function profileOf(args: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const schema = optionalText(args, 'schema');
  if (schema === null) return {};
  if (/[^\x20-\x7e]/.test(schema)) return invalid('schema', 'is not exposed');
  return { 'accept-profile': schema, 'content-profile': schema };
}

/** Longest query string, in characters: as many as the head of an HTTP request has bytes. It is read at once. */
const LONGEST_QUERY = 65_536;

/** A query string of pairs. @throws DbrError InvalidParameter */
export function queryOf(pairs: readonly (readonly [name: string, value: string])[]): string {
  // What is too long before it is encoded takes long to encode.
  const length = pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const query =
    length > LONGEST_QUERY
      ? null
      : pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  if (query === null || query.length > LONGEST_QUERY)
    return invalid('arguments', `have more than ${String(LONGEST_QUERY)} characters as a query string`);
  return query;
}

/** Half a surrogate pair, which JSON may contain as an escape, has no UTF-8. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

export const segment = (name: string): string => `/${encoded(name)}`;

/** A decoded segment of a path; empty where it is malformed, which is the name of nothing. */
export function decodeText(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
}
