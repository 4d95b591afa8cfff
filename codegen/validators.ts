/** Ajv validators as standalone code: `generated/validators-{parameters,bodies,responses}.ts`. Nothing is compiled when the service starts. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { isObject } from './json.js';
import type { JsonObject, JsonValue } from './json.js';
import { isJson } from './operations.js';
import type { Content, Operation, Parameter, Place } from './model.js';
import { parameterName } from './parameters.js';
import { withReadOnlyMembers } from './read-only-members.js';
import { banner, docComment, key, quote } from './text.js';

/** A nested table of validators: by operation, and below it by part. */
interface Table {
  readonly name: string;
  readonly text: string;
  readonly type: string;
  readonly entries: readonly Entry[];
}
interface Entry {
  /** The keys that lead to the validator. */
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

/** Validators of parameters that were read into values: `{path, query, headers}` of each operation that has any. */
export function parameterValidators(document: JsonObject, operations: readonly Operation[]): string {
  const entries = operations
    .filter((operation) => !operation.raw && operation.parameters.length > 0)
    .map((operation) => ({ path: [operation.id], schema: parametersSchema(operation.parameters) }));
  const text = 'Checks the parameters of an operation, read as `{path, query, headers}`.';
  return validatorsModule(
    document,
    { name: 'parameterChecks', text, type: 'Record<string, Check>', entries },
    false,
  );
}

/** Validators of JSON request bodies; defaults are filled into the body. */
export function bodyValidators(document: JsonObject, operations: readonly Operation[]): string {
  const entries = operations
    .filter((operation) => !operation.raw)
    .flatMap((operation) => {
      const content = operation.body?.contents.find(({ mediaType }) => isJson(mediaType));
      return content === undefined ? [] : [{ path: [operation.id], schema: schemaOf(content) }];
    });
  const text = 'Checks the JSON body of an operation and fills in its defaults.';
  return validatorsModule(
    document,
    { name: 'bodyChecks', text, type: 'Record<string, Check>', entries },
    true,
  );
}

/** Validators of JSON response bodies, for tests: by operation, status and media type. */
export function responseValidators(document: JsonObject, operations: readonly Operation[]): string {
  const entries = operations.flatMap((operation) =>
    operation.responses.flatMap((response) =>
      response.contents
        .filter(({ mediaType }) => isJson(mediaType))
        .map((content) => ({
          path: [operation.id, String(response.status), content.mediaType],
          schema: schemaOf(content),
        })),
    ),
  );
  const text = 'Checks the JSON body of a response, by operation, status and media type.';
  return validatorsModule(
    document,
    { name: 'responseChecks', text, type: 'Record<string, Record<string, Record<string, Check>>>', entries },
    false,
  );
}

function parametersSchema(parameters: readonly Parameter[]): JsonObject {
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
      { type: 'object', properties: Object.fromEntries(inPlace.map(parameterSchema)), required },
    ] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

const parameterSchema = (parameter: Parameter): readonly [string, JsonValue] => [
  parameterName(parameter),
  parameter.schema,
];

const schemaOf = (content: Content): JsonObject => (isObject(content.schema) ? content.schema : {});

function validatorsModule(document: JsonObject, table: Table, useDefaults: boolean): string {
  const ajv = new Ajv2020({
    strict: true,
    // Unions of types are described by anyOf, whose pieces name the types.
    strictTypes: false,
    allowUnionTypes: true,
    // The first error ends the check: a hostile body must not cost an object for each of its items.
    allErrors: false,
    useDefaults,
    inlineRefs: false,
    code: { source: true, esm: true, lines: true },
    keywords: ['components'],
  });
  formats.default(ajv);
  const schemas = withReadOnlyMembers(document, componentSchemas(document));
  ajv.addSchema({ $id: 'document', components: { schemas: cleanEach(schemas) } });
  const distinct = distinctSchemas(table.entries);
  for (const [name, schema] of distinct.schemas) ajv.addSchema({ $id: name, ...schema });
  const code = importedAsModules(
    standalone.default(ajv, Object.fromEntries([...distinct.schemas.keys()].map((name) => [name, name]))),
  );
  const leaves = table.entries.map(({ path }, index) => ({ path, name: distinct.names[index] ?? '' }));
  return `${banner('openapi/')}// @ts-nocheck
import type { ErrorObject } from 'ajv';
${code.imports}
/** True if the value matches the schema; otherwise \`errors\` has the violations, until the next call. */
export interface Check {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

${code.text}

${docComment(table.text)}export const ${table.name}: Readonly<${table.type}> = ${tableText(leaves)};
`;
}

/** A schema is compiled once, also if several places use it. */
function distinctSchemas(entries: readonly Entry[]): {
  readonly names: readonly string[];
  readonly schemas: ReadonlyMap<string, JsonObject>;
} {
  const nameOfText = new Map<string, string>();
  const schemas = new Map<string, JsonObject>();
  const names = entries.map(({ path, schema }) => {
    const text = JSON.stringify(schema);
    const known = nameOfText.get(text);
    if (known !== undefined) return known;
    const name = `check_${path.join('_').replaceAll(/\W/g, '_')}`;
    nameOfText.set(text, name);
    schemas.set(name, clean(schema));
    return name;
  });
  return { names, schemas };
}

interface Leaf {
  readonly path: readonly string[];
  readonly name: string;
}

function tableText(leaves: readonly Leaf[], indent = ''): string {
  const keys = [...new Set(leaves.map(({ path }) => path[0] ?? ''))];
  const inner = `${indent}  `;
  const members = keys.map((name) => {
    const below = leaves.filter(({ path }) => path[0] === name);
    const [first] = below;
    if (first?.path.length === 1) return `${inner}${key(name)}: ${first.name},\n`;
    const deeper = below.map((leaf) => ({ path: leaf.path.slice(1), name: leaf.name }));
    return `${inner}${key(name)}: ${tableText(deeper, inner)},\n`;
  });
  return `{\n${members.join('')}${indent}}`;
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
