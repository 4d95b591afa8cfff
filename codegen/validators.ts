/**
 * Ajv validators. Those of parameters and bodies are standalone code, `generated/validators-{parameters,bodies}.ts`, so that
 * nothing is compiled when the service starts. Those of responses serve tests alone, which compile them.
 */
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { isObject } from './json.js';
import type { JsonObject, JsonValue } from './json.js';
import { isJson } from './operations.js';
import type { Content, Operation, Parameter, Place } from './model.js';
import { listSchema, parameterName } from './parameters.js';
import { withReadOnlyMembers } from './read-only-members.js';
import { banner, docComment, key, quote } from './text.js';

/** A table of validators, by operation. */
interface Table {
  readonly name: string;
  readonly text: string;
  readonly entries: readonly Entry[];
}
interface Entry {
  readonly operation: string;
  readonly schema: JsonObject;
}

/** Validators of parameters that were read into values: `{path, query, headers}` of each operation that has any. */
export function parameterValidators(document: JsonObject, operations: readonly Operation[]): string {
  const entries = operations
    .filter((operation) => !operation.raw && operation.parameters.length > 0)
    .map((operation) => ({
      operation: operation.id,
      schema: parametersSchema(document, operation.parameters),
    }));
  const text = 'Checks the parameters of an operation, read as `{path, query, headers}`.';
  return validatorsModule(document, { name: 'parameterChecks', text, entries }, false);
}

/** Validators of JSON request bodies; defaults are filled into the body. */
export function bodyValidators(document: JsonObject, operations: readonly Operation[]): string {
  const entries = operations
    .filter((operation) => !operation.raw)
    .flatMap((operation) => {
      const content = operation.body?.contents.find(({ mediaType }) => isJson(mediaType));
      return content === undefined ? [] : [{ operation: operation.id, schema: schemaOf(content) }];
    });
  const text = 'Checks the JSON body of an operation and fills in its defaults.';
  return validatorsModule(document, { name: 'bodyChecks', text, entries }, true);
}

/** True if the value matches the schema; otherwise `errors` has the violations, until the next call. */
type Check = Pick<ValidateFunction, 'errors'> & ((value: unknown) => boolean);

/** Returns the check of a JSON response body; undefined if the document has no such response. */
export type ResponseChecks = (operation: string, status: string, mediaType: string) => Check | undefined;

/** Returns the checks of JSON response bodies. Each is compiled at its first use, once for all responses of its schema. */
export function responseChecks(document: JsonObject, operations: readonly Operation[]): ResponseChecks {
  const ajv = documentAjv(document, {});
  const names = new Map<string, string>();
  return (id, status, mediaType) => {
    const operation = operations.find((each) => each.id === id);
    const response = operation?.responses.find((each) => String(each.status) === status);
    const content = response?.contents.find((each) => each.mediaType === mediaType);
    if (content === undefined || !isJson(mediaType)) return undefined;
    const schema = clean(schemaOf(content));
    const text = JSON.stringify(schema);
    const name = names.get(text) ?? `check_${String(names.size)}`;
    if (!names.has(text)) ajv.addSchema({ $id: name, ...schema }, name);
    names.set(text, name);
    return ajv.getSchema(name);
  };
}

function parametersSchema(document: JsonObject, parameters: readonly Parameter[]): JsonObject {
  const schemaOfParameter = (parameter: Parameter): readonly [string, JsonValue] => [
    parameterName(parameter),
    listSchema(document, parameter) ?? parameter.schema,
  ];
  const places: readonly (readonly [string, Place])[] = [
    ['path', 'path'],
    ['query', 'query'],
    ['headers', 'header'],
  ];
  const properties = places.map(([member, place]) => {
    const inPlace = parameters.filter((parameter) => parameter.in === place);
    const required = inPlace.filter((parameter) => parameter.required).map(parameterName);
    return [
      member,
      { type: 'object', properties: Object.fromEntries(inPlace.map(schemaOfParameter)), required },
    ] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

const schemaOf = (content: Content): JsonObject => (isObject(content.schema) ? content.schema : {});

function validatorsModule(document: JsonObject, table: Table, useDefaults: boolean): string {
  const ajv = documentAjv(document, { useDefaults, code: { source: true, esm: true, lines: true } });
  const distinct = distinctSchemas(table.entries);
  for (const [name, schema] of distinct.schemas) ajv.addSchema({ $id: name, ...schema });
  const code = importedAsModules(
    standalone.default(ajv, Object.fromEntries([...distinct.schemas.keys()].map((name) => [name, name]))),
  );
  const members = table.entries.map(
    ({ operation }, index) => `  ${key(operation)}: ${distinct.names[index] ?? ''},\n`,
  );
  return `${banner('openapi/')}// @ts-nocheck
import type { ErrorObject } from 'ajv';
${code.imports}
/** True if the value matches the schema; otherwise \`errors\` has the violations, until the next call. */
export interface Check {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

${code.text}

${docComment(table.text)}export const ${table.name}: Readonly<Record<string, Check>> = {
${members.join('')}};
`;
}

/** Returns an Ajv that knows the schemas of the document. */
function documentAjv(document: JsonObject, options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    // Unions of types are described by anyOf, whose pieces name the types.
    strictTypes: false,
    allowUnionTypes: true,
    // The first error ends the check: a hostile body must not cost an object for each of its items.
    allErrors: false,
    inlineRefs: false,
    keywords: ['components'],
    ...options,
  });
  formats.default(ajv);
  const schemas = withReadOnlyMembers(document, componentSchemas(document));
  ajv.addSchema({ $id: 'document', components: { schemas: cleanEach(schemas) } });
  return ajv;
}

/** A schema is compiled once, also if several places use it. */
function distinctSchemas(entries: readonly Entry[]): {
  readonly names: readonly string[];
  readonly schemas: ReadonlyMap<string, JsonObject>;
} {
  const nameOfText = new Map<string, string>();
  const schemas = new Map<string, JsonObject>();
  const names = entries.map(({ operation, schema }) => {
    const text = JSON.stringify(schema);
    const known = nameOfText.get(text);
    if (known !== undefined) return known;
    const name = `check_${operation.replaceAll(/\W/g, '_')}`;
    nameOfText.set(text, name);
    schemas.set(name, clean(schema));
    return name;
  });
  return { names, schemas };
}

function componentSchemas(document: JsonObject): JsonObject {
  const components = document['components'];
  const schemas = isObject(components) ? components['schemas'] : undefined;
  return isObject(schemas) ? schemas : {};
}

/** The schema for Ajv: references point to the schema `document`, annotations are left out. */
function clean(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).filter(
    ([keyword]) => !TELLING.includes(keyword) && !keyword.startsWith('x-'),
  );
  return Object.fromEntries(members.map(([keyword, value]) => [keyword, cleanMember(keyword, value)]));
}

const TELLING = ['title', 'description', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

function cleanMember(keyword: string, value: JsonValue): JsonValue {
  if (keyword === '$ref' && typeof value === 'string') return `document${value}`;
  if (keyword === 'enum' || keyword === 'const' || keyword === 'default') return value;
  if (keyword === 'properties' && isObject(value)) return cleanEach(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => (isObject(item) ? clean(item) : item));
  return isObject(value) ? clean(value) : value;
}

const cleanEach = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isObject(schema) ? clean(schema) : schema]),
  );

/** Ajv's ES modules still call `require`, which an ES module does not have: each becomes one import. */
function importedAsModules(source: string): { readonly imports: string; readonly text: string } {
  const aliases = new Map<string, string>();
  const text = source
    .replace('"use strict";', '')
    .replace(/require\("([^"]+)"\)/g, (_call, module: string) => {
      const alias = aliases.get(module) ?? `module${String(aliases.size)}`;
      aliases.set(module, alias);
      return alias;
    })
    .replace(/^export const check_/gm, 'const check_')
    .replace(/\n{3,}/g, '\n\n');
  const imports = [...aliases].map(([module, alias]) => `import ${alias} from ${quote(`${module}.js`)};\n`);
  return { imports: imports.join(''), text: text.trim() };
}
