/** A request of the data API as a plain value: what a query is before it is sent, and an item of a batch. */

export type Method = 'GET' | 'HEAD' | 'QUERY' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface DataRequest {
  readonly method: Method;
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

/** Returns all headers, `Prefer` among them. */
export function headersOf({ headers, preferences }: DataRequest): Record<string, string> {
  const prefer = Object.entries(preferences).map(([name, value]) =>
    value === '' ? name : `${name}=${value}`,
  );
  return prefer.length === 0 ? { ...headers } : { ...headers, Prefer: prefer.join(', ') };
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
