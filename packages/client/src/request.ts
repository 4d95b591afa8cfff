/** A request of the data API as a plain value: what a query is before it is sent, and an item of a batch. */

export type Method = 'GET' | 'HEAD' | 'QUERY' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface DataRequest {
  readonly method: Method;
  /** The schema of the relation or function; null for the first one of the service. */
  readonly schema: string | null;
  /** The relation or `rpc/<function>`, encoded. */
  readonly resource: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Prefer` by their names. */
  readonly preferences: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Items of a batch to whose answers the parameters refer. */
  readonly references: readonly string[];
  readonly signal?: AbortSignal;
}

/** Encodes what a query string cannot contain. Commas, parentheses and colons stay legible. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(2C|3A|2F|7B|7D|22)/g, (code) =>
    code === '%22' ? code : decodeURIComponent(code),
  );

export const queryText = ({ parameters }: DataRequest): string =>
  parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');

/** Returns the path with its query, from the root of the data API. */
export function pathOf(request: DataRequest): string {
  const query = queryText(request);
  return `/${request.resource}${query === '' ? '' : `?${query}`}`;
}

const isRead = (method: Method): boolean => method === 'GET' || method === 'HEAD' || method === 'QUERY';

/** Returns all headers, `Prefer` and the profile among them. */
export function headersOf({ method, schema, headers, preferences }: DataRequest): Record<string, string> {
  const prefer = Object.entries(preferences).map(([name, value]) =>
    value === '' ? name : `${name}=${value}`,
  );
  return {
    ...(schema === null ? {} : { [isRead(method) ? 'Accept-Profile' : 'Content-Profile']: schema }),
    ...headers,
    ...(prefer.length === 0 ? {} : { Prefer: prefer.join(', ') }),
  };
}

export const withHeader = (request: DataRequest, name: string, value: string): DataRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

export const withPreference = (request: DataRequest, name: string, value: string): DataRequest => ({
  ...request,
  preferences: { ...request.preferences, [name]: value },
});

export const withParameter = (request: DataRequest, name: string, value: string): DataRequest => ({
  ...request,
  parameters: [...request.parameters, [name, value]],
});

/** Replaces the parameter of that name. */
export const replacingParameter = (request: DataRequest, name: string, value: string): DataRequest =>
  withParameter(
    { ...request, parameters: request.parameters.filter(([other]) => other !== name) },
    name,
    value,
  );
