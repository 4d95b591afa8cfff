/**
 * `generated/type-tests.ts`: the types of `generated/types.ts` beside what the schemas say, which the validators are compiled
 * from. If the two differ, the module does not compile.
 */
import { asString, isObject, listMember, objectMember } from './json.js';
import type { JsonObject, JsonValue } from './json.js';
import { schemaName } from './document.js';
import { banner, key, quote } from './text.js';

/** The text of `generated/type-tests.ts`. Errors: a schema in a form that this module does not know. */
export function typeTestsModule(document: JsonObject): string {
  const schemas = objectMember(objectMember(document, 'components', 'document'), 'schemas', 'components');
  const tests = Object.entries(schemas).map(
    ([name, schema]) => `  Same<types.${name}, ${typeOf(document, schema, name)}>,\n`,
  );
  return `${banner('openapi/')}import type * as types from './types.js';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** True if each type accepts every value of the other, and neither is \`any\`. */
type Same<A, B> =
  true extends IsAny<A> | IsAny<B> ? false : [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Compiles only where every member of the tuple is \`true\`. */
type AllTrue<Tests extends readonly true[]> = Tests;

/** One member for each schema, in document order. */
export type TypeTests = AllTrue<[
${tests.join('')}]>;
`;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function typeOf(document: JsonObject, schema: JsonValue, place: string): string {
  if (!isObject(schema)) return schema === false ? 'never' : 'unknown';
  const reference = schemaName(document, schema);
  if (reference !== null) return `types.${reference}`;
  const parts = [...alternatives(document, schema, place), ...own(document, schema, place)];
  return parts.length === 0 ? 'unknown' : parts.map((part) => `(${part})`).join(' & ');
}

/** The constraints of \`oneOf\`, \`anyOf\` and \`allOf\`. */
function alternatives(document: JsonObject, schema: JsonObject, place: string): readonly string[] {
  const all = (keyword: string): readonly string[] =>
    listMember(schema, keyword, place).map((part, index) =>
      typeOf(document, part, `${place}/${keyword}/${String(index)}`),
    );
  const unions = [all('oneOf'), all('anyOf')].filter((union) => union.length > 0);
  return [...all('allOf'), ...unions.map((union) => union.join(' | '))];
}

/** The constraints of the schema without its alternatives. */
function own(document: JsonObject, schema: JsonObject, place: string): readonly string[] {
  const { const: constant, enum: values, type } = schema;
  if (constant !== undefined) return [literal(constant)];
  if (Array.isArray(values)) return [values.map(literal).join(' | ')];
  const types = typeof type === 'string' ? [type] : listMember(schema, 'type', place);
  if (types.length === 0) return [];
  return [types.map((one) => ofType(document, schema, asString(one, place), place)).join(' | ')];
}

function ofType(document: JsonObject, schema: JsonObject, type: string, place: string): string {
  if (type === 'array') return `readonly (${typeOf(document, schema['items'] ?? true, `${place}/items`)})[]`;
  if (type === 'object') return objectType(document, schema, place);
  const primitive = PRIMITIVES[type];
  if (primitive === undefined) throw new Error(`${place}: the type ${type} is not known`);
  return primitive;
}

function objectType(document: JsonObject, schema: JsonObject, place: string): string {
  const required = new Set(listMember(schema, 'required', place));
  const members = Object.entries(objectMember(schema, 'properties', place)).map(
    ([name, inner]) =>
      `readonly ${key(name)}${required.has(name) ? '' : '?'}: ${typeOf(document, inner, `${place}/${name}`)}`,
  );
  const extra = schema['additionalProperties'];
  if (extra === true || isObject(extra))
    members.push(`readonly [member: string]: ${typeOf(document, extra, `${place}/*`)}`);
  return members.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${members.join('; ')} }`;
}

const literal = (value: JsonValue): string =>
  typeof value === 'string' ? quote(value) : JSON.stringify(value);
