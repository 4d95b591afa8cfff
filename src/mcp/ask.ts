/** Requests of the data API on behalf of the caller of a tool: its role, its claims, its headers, its limits. */
import type { Reply } from '../contract/reply.js';
import { carriedBy, readHeaders, type ReceivedHeaders, type Request } from '../contract/request.js';
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
const OF_THE_MESSAGE: ReadonlySet<string> = new Set([
  ...['accept', 'accept-profile', 'accept-encoding', 'accept-language', 'prefer', 'range', 'last-event-id'],
  ...['dbr-position', 'idempotency-key', 'transfer-encoding', 'expect'],
]);
const isOfTheMessage = (name: string): boolean =>
  OF_THE_MESSAGE.has(name) ||
  name.startsWith('mcp-') ||
  name.startsWith('content-') ||
  name.startsWith('if-');

const NO_BODY = Buffer.alloc(0);

/** The headers of a question, beside what is left of those of the message. */
function receivedFor({ headers }: Question, { received }: Request['headers']): ReceivedHeaders {
  const left = Object.entries(received).filter(([name]) => !isOfTheMessage(name));
  return { ...Object.fromEntries(left), ...headers };
}

function rawHeadersFor({ headers }: Question, { rawHeaders }: Request): readonly string[] {
  const raw: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    if (!isOfTheMessage(name.toLowerCase())) raw.push(name, value);
  }
  for (const [name, value] of Object.entries(headers)) raw.push(name, value);
  return raw;
}

export function requestOf({ request }: Pick<Call, 'request'>, question: Question): Request {
  const { method, path, query, headers, body } = question;
  const { identity, timings, trace, caller, charge } = request;
  const usual = readHeaders(method, { cookie: request.headers.cookie, ...headers });
  return {
    method,
    path,
    query: query ?? '',
    body: body ?? NO_BODY,
    carries: carriedBy(method, path),
    // Only batches and idempotency keys need the others, whose object takes as long to make as all else.
    headers: body === undefined ? usual : { ...usual, received: receivedFor(question, request.headers) },
    rawHeaders: rawHeadersFor(question, request),
    identity,
    timings,
    trace,
    caller,
    charge,
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
  const take = (piece: string | Buffer): void => {
    const bytes = Buffer.from(piece);
    if (typeof piece !== 'string') release?.(piece);
    length += bytes.length;
    if (length > LONGEST_ANSWER) throw dbrError('ResultTooLarge', { length, limit: LONGEST_ANSWER });
    pieces.push(bytes);
  };
  if (Array.isArray(body)) body.forEach(take);
  else for await (const piece of body ?? []) take(piece);
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
