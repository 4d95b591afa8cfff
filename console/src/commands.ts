/** A request as commands of other programs. */
import type { Json } from './json.js';

export interface Command {
  readonly method: string;
  readonly address: string;
  /** Without the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly hasToken: boolean;
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function curlOf({ method, address, headers, body, hasToken }: Command): string {
  const parts = ['curl', ...(method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : ['-X', method])];
  parts.push(shellQuoted(address));
  if (hasToken) parts.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${shellQuoted(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`-d ${shellQuoted(body)}`);
  return parts.join(' ');
}

export interface Call {
  /** Of the path. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

/** A call of openapi-fetch, whose types `openapi-typescript` makes of the description at `/openapi.json`. @param path encoded */
export function openApiFetchOf(
  method: string,
  path: string,
  { parameters: inPath, query, headers, body }: Call,
): string {
  const parameters = {
    ...(inPath === undefined ? {} : { path: inPath }),
    ...(query.length === 0 ? {} : { query: queryOf(query) }),
    ...(Object.keys(headers).length === 0 ? {} : { header: headers }),
  };
  const options = [
    ...(Object.keys(parameters).length === 0 ? [] : [`  params: ${indented(parameters)},`]),
    ...(body === undefined ? [] : [`  body: ${indented(body)},`]),
  ];
  const text = JSON.stringify(decodeURI(path));
  return options.length === 0
    ? `await client.${method}(${text});`
    : `await client.${method}(${text}, {\n${options.join('\n')}\n});`;
}

/** The parameters that the descriptions declare as numbers. */
const NUMBERS = new Set(['limit', 'offset']);

type QueryValue = string | number | readonly (string | number)[];

/** The parameters with their types. One that is repeated has several values. */
export function queryOf(pairs: Call['query']): Readonly<Record<string, QueryValue>> {
  const query: Record<string, QueryValue> = {};
  for (const [name, text] of pairs) {
    const value = NUMBERS.has(name) && /^\d{1,15}$/.test(text) ? Number(text) : text;
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

export const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
