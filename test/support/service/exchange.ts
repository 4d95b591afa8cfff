/** Requests of tests, with status, headers and body of the response in one value. */

export interface Exchanged {
  readonly status: number;
  readonly reason: string;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined where there is none. */
  readonly json: unknown;
}

export interface ExchangeOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Sends one request and reads its whole response. */
export async function exchange(
  url: string,
  method: string,
  { headers = {}, body, signal }: ExchangeOptions = {},
): Promise<Exchanged> {
  const response = await fetch(url, {
    method,
    headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  return {
    status: response.status,
    reason: response.statusText,
    headers: response.headers,
    text,
    json: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}
