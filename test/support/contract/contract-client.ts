/** Calls operations of the document by name and checks every response against the document. */
import { ROUTES, type OperationId } from '../../../generated/operations.js';
import { responseCheck } from '../openapi/response-check.js';
import { documentedStatuses } from './documented-statuses.js';

export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  /** The query string as it is sent, without the question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
  /** null: none. */
  readonly token?: string | null;
}

export interface ContractResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed when it is JSON; an array of lines when each line is JSON; null without a body. */
  readonly body: unknown;
}

export interface ContractClient {
  /** @throws Error if the response does not match the document */
  call(operation: OperationId, call?: Call): Promise<ContractResponse>;
  /** The open response of a streaming operation; its status counts as seen. */
  open(operation: OperationId, call?: Call, signal?: AbortSignal): Promise<Response>;
  /** The statuses that were seen, as `operation status`. */
  seen(): ReadonlySet<string>;
  /** Documented statuses of a tag that were not seen, as `operation status`. */
  unseen(tag: string): readonly string[];
}

export function createContractClient(baseUrl: () => string, defaultToken: string): ContractClient {
  const seen = new Set<string>();

  function send(operation: OperationId, call: Call, signal?: AbortSignal): Promise<Response> {
    const route = ROUTES.find(({ id }) => id === operation);
    if (route === undefined) throw new Error(`there is no operation ${operation}`);
    // A backslash is before a colon that belongs to the path.
    const path = route.path
      .replaceAll(/(?<!\\):(\w+)/g, (_match, name: string) => encodeURIComponent(call.path?.[name] ?? ''))
      .replaceAll('\\:', ':');
    const { token = defaultToken, query, body } = call;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const headers = new Headers(body === undefined || raw ? {} : { 'Content-Type': 'application/json' });
    if (token !== null) headers.set('Authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    return fetch(`${baseUrl()}${path}${query === undefined ? '' : `?${query}`}`, {
      method: route.method.toUpperCase(),
      headers,
      ...(body === undefined ? {} : { body: raw ? Buffer.from(body) : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  return {
    async call(operation, call = {}) {
      const response = await send(operation, call);
      const text = await response.text();
      const mediaType = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
      const { status, headers } = response;
      const body = bodyOf(mediaType, text);
      if (mediaType !== LINES) checkAnswer(operation, status, mediaType, body);
      seen.add(`${operation} ${String(status)}`);
      return { status, headers, body };
    },
    async open(operation, call = {}, signal) {
      const response = await send(operation, call, signal);
      seen.add(`${operation} ${String(response.status)}`);
      return response;
    },
    seen: () => seen,
    unseen(tag) {
      const documented = [...documentedStatuses(tag)].flatMap(([operation, statuses]) =>
        statuses.map((status) => `${operation} ${String(status)}`),
      );
      return documented.filter((name) => !seen.has(name));
    },
  };
}

/** Checked by the tests of the operation: the document describes such a body as text. */
const LINES = 'application/x-ndjson';

function bodyOf(mediaType: string, text: string): unknown {
  if (mediaType === LINES)
    return text
      .split('\n')
      .slice(0, -1)
      .map((line): unknown => JSON.parse(line));
  if (text === '') return null;
  return /json$/.test(mediaType) ? JSON.parse(text) : text;
}

function checkAnswer(operation: string, status: number, mediaType: string, body: unknown): void {
  const said = `${operation} answered ${String(status)} ${mediaType} ${JSON.stringify(body)}`;
  if (status === 204 || status === 304) {
    if (body !== null) throw new Error(`${said}: there must be no body`);
    return;
  }
  const check = responseCheck(operation, String(status), mediaType);
  if (check === undefined) throw new Error(`${said}: the status or its media type is not documented`);
  if (!check(body)) throw new Error(`${said}: ${JSON.stringify(check.errors)}`);
}
