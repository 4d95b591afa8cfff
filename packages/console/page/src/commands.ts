/** A request as commands of other programs. */
import type { Json } from './json.js';

export interface Command {
  readonly method: string;
  readonly address: string;
  /** Without the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Name of the file that is the body, in place of a text. */
  readonly file?: string | undefined;
  readonly hasToken: boolean;
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function curlOf({ method, address, headers, body, file, hasToken }: Command): string {
  const parts = ['curl', ...(method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : ['-X', method])];
  parts.push(shellQuoted(address));
  if (hasToken) parts.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${shellQuoted(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`-d ${shellQuoted(body)}`);
  if (file !== undefined) parts.push(`--data-binary ${shellQuoted(`@${file}`)}`);
  return parts.join(' ');
}

export type Scalar = string | number | boolean;

/** A request with the types that its description has. */
export interface Call {
  readonly method: string;
  /** As the description has it: encoded, with parameters as `{name}`. */
  readonly path: string;
  /** Of the path. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [name: string, value: Scalar | readonly Scalar[]])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json | undefined;
}

/** A call of openapi-fetch, whose types `openapi-typescript` makes of the description at `/openapi.json`. */
export function openApiFetchOf({
  method,
  path,
  parameters: inPath,
  query = [],
  headers = {},
  body,
}: Call): string {
  const parameters = {
    ...(inPath === undefined ? {} : { path: inPath }),
    ...(query.length === 0 ? {} : { query: queryOf(query) }),
    ...(Object.keys(headers).length === 0 ? {} : { header: headers }),
  };
  const options = [
    ...(Object.keys(parameters).length === 0 ? [] : [`  params: ${indented(parameters)},`]),
    ...(body === undefined ? [] : [`  body: ${indented(body)},`]),
  ];
  const text = JSON.stringify(path);
  return options.length === 0
    ? `await client.${method}(${text});`
    : `await client.${method}(${text}, {\n${options.join('\n')}\n});`;
}

/** A parameter that is repeated has several values. */
export function queryOf(
  pairs: NonNullable<Call['query']>,
): Readonly<Record<string, Scalar | readonly Scalar[]>> {
  const query: Record<string, Scalar | readonly Scalar[]> = {};
  for (const [name, value] of pairs) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

export const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
