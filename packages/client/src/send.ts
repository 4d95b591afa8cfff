/** Sends requests with `fetch`. */
import { failure, isRefusal, readError, totalOf, type Answer, type Failed } from './answer.js';
import { headersOf, pathOf, queryText, type DataRequest } from './request.js';

export interface Connection {
  /** The root of the data API, without a slash at its end. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Headers of each request, such as `apikey`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The token of the next request; null for an anonymous one. */
  readonly token: () => string | null | Promise<string | null>;
  /** The schema that requests name; null for none. */
  readonly schema: string | null;
}

/** Waits for the value, at most until the signal is aborted. @throws the reason of the signal */
export async function orAborted<T>(value: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return value;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** @throws TypeError of `fetch` if there is no answer */
export async function send(connection: Connection, request: DataRequest): Promise<Response> {
  const { method, body, signal } = request;
  const token = await orAborted(connection.token(), signal);
  const headers: Record<string, string> = {
    ...connection.headers,
    ...headersOf(request),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
  const sent = signal === undefined ? {} : { signal };
  if (method === 'QUERY') {
    headers['Content-Type'] = 'application/x-www-form-urlencoded';
    return connection.fetch(`${connection.url}/${request.resource}`, {
      ...sent,
      method,
      headers,
      body: queryText(request),
    });
  }
  if (body !== undefined) headers['Content-Type'] ??= 'application/json';
  return connection.fetch(`${connection.url}${pathOf(request)}`, {
    ...sent,
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** Returns the body of JSON, null for none, and the text of any other. */
async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return null;
  const type = response.headers.get('content-type') ?? '';
  return /^application\/([\w.-]+\+)?json\b/.test(type) ? (JSON.parse(text) as unknown) : text;
}

export async function failed(response: Response): Promise<Failed> {
  const { status, statusText, headers } = response;
  const body = await readBody(response).catch(() => null);
  return { data: null, error: readError(body, status, statusText), count: null, status, headers };
}

/** @param read makes the data of the answer from its body */
export async function answerOf<T>(response: Response, read: (body: unknown) => T): Promise<Answer<T>> {
  const { status, headers } = response;
  if (isRefusal(status)) return failed(response);
  return { data: read(await readBody(response)), error: null, count: totalOf(headers), status, headers };
}

/**
 * Yields the rows of NDJSON as they arrive. Leaving the loop ends the request.
 * @throws DataApiFailure if the service refuses; an error of `fetch` if the stream is cut
 */
export async function* linesOf<T>(
  connection: Connection,
  request: DataRequest,
  read: (row: unknown) => T,
): AsyncGenerator<T> {
  const response = await send(connection, request);
  if (isRefusal(response.status)) throw failure(await failed(response));
  for await (const line of textLines(response)) if (line !== '') yield read(JSON.parse(line) as unknown);
}

/** Yields the lines of a body without their ends; the last one may have none. */
export async function* textLines({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      // What came before is not searched again: a line of many pieces would take the square of its length.
      const [first = '', ...others] = value.split('\n');
      rest += first;
      for (const next of others) {
        yield rest.replace(/\r$/, '');
        rest = next;
      }
    }
    if (rest !== '') yield rest;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
