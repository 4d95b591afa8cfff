/** Requests to the data API and to the areas, as values. */
import type { Json } from './json.js';

/** A request to the data API or to an area, as a client sends it. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Without `server-path-prefix`, encoded; parameters as `{name}`. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Numbers where the description of the operation has numbers. */
  readonly query?: readonly (readonly [name: string, value: string | number])[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless the headers name another type of JSON. */
  readonly body?: Json;
  /** A body as it is; the headers name its type. */
  readonly file?: { readonly name: string; readonly content: Blob };
  /** Of the relation, so that a call of a typed client has values of their types. */
  readonly columns?: readonly { readonly name: string; readonly baseType: string }[];
  /** Whether the path belongs to notifications or signing. */
  readonly area?: boolean;
  /** Whether the console answers it; the path is relative to the page. */
  readonly isOfConsole?: boolean;
}

/** Path and query as on the request line. */
export function targetOf({
  path,
  parameters = {},
  query = [],
}: Pick<ApiRequest, 'path' | 'parameters' | 'query'>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(parameters[name] ?? ''));
  const pairs = query.map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** Characters that a query may contain stay as they are, so that addresses can be read (RFC 3986 §3.4). */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(/%(2C|3A|40|2F|3F|24|28|29|2A|21|27)/g, (coded) =>
    decodeURIComponent(coded),
  );
