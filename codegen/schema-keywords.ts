/**
 * The JSON Schema keywords and formats that the generators and the service understand.
 * An unlisted keyword fails the generation, because every written constraint must be checked.
 */
import { asList, asObject, asString, isObject } from './json.js';
import type { JsonObject, JsonValue } from './json.js';

/** Keywords whose value is one schema. */
const SCHEMA = ['items', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'not'];
/** Keywords whose value is a list of schemas. */
const SCHEMA_LIST = ['oneOf', 'anyOf', 'allOf', 'prefixItems'];
/** Keywords whose values are limits that Ajv checks. */
const ASSERTIONS = [
  ...['type', 'enum', 'const', 'required', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];
/** Annotations. */
const ANNOTATIONS = [
  ...[
    '$ref',
    'title',
    'description',
    'default',
    'example',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
  ],
  ...['contentMediaType', 'contentEncoding', 'contentSchema'],
  ...['x-enum-varnames', 'x-enum-descriptions', 'x-dbr-clamp', 'x-dbr-resource'],
];
const KNOWN = new Set(['properties', ...SCHEMA, ...SCHEMA_LIST, ...ASSERTIONS, ...ANNOTATIONS]);

/** The formats in use; each is checked by ajv-formats. */
export const KNOWN_FORMATS: readonly string[] = [
  'date-time',
  'date',
  'uuid',
  'uri',
  'uri-reference',
  'email',
  'int32',
  'int64',
];

/** Refuses, for a schema and all below it, keywords and formats that are not known. */
export function refuseUnknownKeywords(schema: JsonValue, place: string): void {
  if (typeof schema === 'boolean') return;
  const object = asObject(schema, place);
  const unknown = Object.keys(object).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0) throw new Error(`${place}: unknown schema keyword ${unknown.join(', ')}`);
  refuseUnknownFormat(object, place);
  for (const [path, inner] of innerSchemas(object, place)) refuseUnknownKeywords(inner, path);
}

function refuseUnknownFormat(schema: JsonObject, place: string): void {
  if (schema['format'] === undefined) return;
  const format = asString(schema['format'], `${place}/format`);
  if (!KNOWN_FORMATS.includes(format)) throw new Error(`${place}: unknown format ${format}`);
}

function innerSchemas(schema: JsonObject, place: string): readonly (readonly [string, JsonValue])[] {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return [
    ...properties.map(([name, inner]) => [`${place}/properties/${name}`, inner] as const),
    ...SCHEMA.flatMap((keyword) => member(schema, keyword, place)),
    ...SCHEMA_LIST.flatMap((keyword) => members(schema, keyword, place)),
  ];
}

function member(
  schema: JsonObject,
  keyword: string,
  place: string,
): readonly (readonly [string, JsonValue])[] {
  const inner = schema[keyword];
  return inner === undefined ? [] : [[`${place}/${keyword}`, inner]];
}

function members(
  schema: JsonObject,
  keyword: string,
  place: string,
): readonly (readonly [string, JsonValue])[] {
  const list = schema[keyword];
  if (list === undefined) return [];
  return asList(list, `${place}/${keyword}`).map((inner, index) => [
    `${place}/${keyword}/${String(index)}`,
    inner,
  ]);
}
