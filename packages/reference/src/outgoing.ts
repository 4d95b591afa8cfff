/** The request of an operation, and the call of a typed client that sends it: of the values of a form. */
import { indented, openApiFetchOf, queryOf, type Scalar } from '../../console/page/src/commands.js';
import type { Json, JsonRow } from '../../console/page/src/json.js';
import { quoted } from '../../console/page/src/names.js';
import { resolve, type MediaType, type Operation, type Parameter } from './description.js';
import { exampleOf } from './json-schema.js';

export interface Outgoing {
  readonly method: string;
  /** Encoded, without the prefix of the data API. */
  readonly path: string;
  readonly isOfDatabase: boolean;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Without the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The header that names the schema. @param schema empty for the first, which has none */
export const profileOf = (schema: string, method: string): Readonly<Record<string, string>> =>
  schema === ''
    ? {}
    : {
        [['GET', 'HEAD', 'QUERY', 'OPTIONS'].includes(method) ? 'Accept-Profile' : 'Content-Profile']: schema,
      };

/** Identifies the field of a parameter. */
export const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

/** The parameters of a place that have a value. */
const givenIn = (
  place: string,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): readonly (readonly [Parameter, string])[] =>
  parameters.flatMap((parameter) => {
    const value = values[keyOf(parameter)] ?? '';
    return parameter.in === place && value !== '' ? [[parameter, value] as const] : [];
  });

/** Rows of the first answer, and columns of it: a table may have millions of the one and dozens of the other. */
const FIRST_ROWS = '10';
const FIRST_COLUMNS = 5;

/** What the form of a read of a table begins with: some columns of its own, and a limit. */
export function firstValues(
  { method, isOfDatabase }: Operation,
  parameters: readonly Parameter[],
): Readonly<Record<string, string>> {
  const columns = parameters.filter(({ isFilter }) => isFilter);
  if (!isOfDatabase || method !== 'GET' || columns.length === 0) return {};
  // The description has names in quotes where they need them as keys of filters.
  const select = columns
    .slice(0, FIRST_COLUMNS)
    .map(({ name }) => (name.startsWith('"') ? name : quoted(name)));
  const given: Readonly<Record<string, string>> = { select: select.join(','), limit: FIRST_ROWS };
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = parameter.in === 'query' ? given[parameter.name] : undefined;
      return value === undefined ? [] : [[keyOf(parameter), value]];
    }),
  );
}

/** The body with which the form begins. */
export function sampleOf({ document }: Operation, type: MediaType | undefined): string {
  if (type === undefined) return '';
  const example = type.examples[0] ?? (type.name.includes('json') ? exampleOf(document, type.schema) : '');
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}

/** The request of the form. @param schema of the database; empty for the first @param values of the fields, by `keyOf` */
export function requestOf(
  schema: string,
  { method, path, isOfDatabase }: Operation,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
  type: MediaType | undefined,
  body: string,
): Outgoing {
  const given = (place: string): readonly (readonly [string, string])[] =>
    givenIn(place, parameters, values).map(([{ name }, value]) => [name, value]);
  const filled = given('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value.toWellFormed())),
    path,
  );
  const hasBody = type !== undefined && body !== '';
  return {
    ...{ method, path: filled, isOfDatabase, query: given('query') },
    headers: {
      ...(isOfDatabase ? profileOf(schema, method) : {}),
      ...Object.fromEntries(given('header')),
      ...(hasBody ? { 'Content-Type': type.name } : {}),
    },
    body: hasBody ? body : undefined,
  };
}

/** The call of openapi-fetch for the database, that of dbr-client for other operations. */
export function clientOf(
  { document, id, method, isOfDatabase }: Operation,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
  { path, headers: { 'Content-Type': type = '', ...headers }, body: text }: Outgoing,
): string {
  const body = text === undefined ? undefined : type.includes('json') ? jsonIn(text) : text;
  const query = givenIn('query', parameters, values).map(
    ([{ name, schema }, value]) => [name, typed(document, schema, value)] as const,
  );
  if (isOfDatabase) return openApiFetchOf({ method, path, query, headers, body });
  const inPath = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => [parameter.name, values[keyOf(parameter)] ?? '']);
  const options = {
    ...(inPath.length === 0 ? {} : { path: Object.fromEntries(inPath) as Json }),
    ...(query.length === 0 ? {} : { query: queryOf(query) }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
  const lines = Object.entries(options).map(([name, value]) => `  ${name}: ${indented(value)},`);
  return lines.length === 0 ? `await ${id}();` : `await ${id}({\n${lines.join('\n')}\n});`;
}

/** The value that the text of a parameter stands for. */
function typed(document: JsonRow, schema: Json | undefined, text: string): Scalar | readonly Scalar[] {
  const { type, items } = resolve(document, schema);
  if (type === 'array') return [typed(document, items, text)].flat();
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && String(Number(text)) === text ? Number(text) : text;
}

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
