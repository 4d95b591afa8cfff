import { find } from '../schema-cache/lookups.js';
import type {
  Routine,
  SchemaCache,
  Table,
  Column,
  ForeignKeyRelationship,
  Relationship,
  Parameter as RoutineParameter,
} from '../schema-cache/types.js';
import {
  jsonMembers,
  jsonObject,
  jsonValue,
  type JsonPart,
  infoOf,
  visibleFunctions,
  visibleTables,
  type DocumentOptions,
  splitComment,
} from './model.js';
import { quoteIdentifier } from '../../postgres/sql.js';
import { builtInTypes, type ReplyForm } from '../request/media-types.js';

const spelledTypes = (isListed: (reply: ReplyForm | null) => boolean): readonly string[] =>
  [...builtInTypes()].flatMap(([name, { reply, swagger }]) =>
    isListed(reply) ? swagger.map((parameter) => `${name}${parameter}`) : [],
  );

const MEDIA_TYPES = spelledTypes(() => true);
const JSON_TYPES = spelledTypes((reply) => reply === 'json' || reply === 'object');

/**
 * Describes a schema as OpenAPI 2.0 (data API §1.14): the relations and functions on which the role has a privilege.
 * The text is generated in pieces on demand.
 */
export function describeAsSwagger(cache: SchemaCache, options: DocumentOptions): Iterable<string> {
  const tables = visibleTables(cache, options);
  // A path has one description: of overloads, that of the last one whose parameters have names.
  const functions = visibleFunctions(cache, options).flatMap((routines): readonly Routine[] => {
    const named = routines.filter(({ parameters }) => parameters.every(({ name }) => name !== ''));
    return (named.length === 0 ? routines : named).slice(-1);
  });
  const head = {
    swagger: '2.0',
    info: infoOf(cache, options.schema),
    ...addressOf(options),
    consumes: MEDIA_TYPES,
    produces: MEDIA_TYPES,
  };
  const security = options.withSecurity ? SECURITY : {};
  return jsonObject([
    ...valuesOf(head),
    ['paths', jsonMembers(pathsOf(tables, functions, options))],
    ['definitions', jsonMembers(definitionsOf(cache, tables))],
    ['parameters', jsonMembers(parametersOf(tables))],
    ...valuesOf(security),
  ]);
}

const valuesOf = (members: object): readonly (readonly [string, JsonPart])[] =>
  Object.entries(members).map(([name, value]: readonly [string, unknown]) => [name, jsonValue(value)]);

type Entries = Generator<readonly [name: string, value: Part]>;

function* pathsOf(
  tables: readonly Table[],
  functions: readonly Routine[],
  { searchPath, omitsVolatileGet }: DocumentOptions,
): Entries {
  yield ['/', { get: ROOT }];
  for (const table of tables) yield [`/${table.name}`, tablePath(table)];
  for (const routine of functions) {
    const hasGet = !omitsVolatileGet || routine.volatility !== 'volatile';
    yield [`/rpc/${routine.name}`, functionPath(routine, searchPath, hasGet)];
  }
}

function* definitionsOf(cache: SchemaCache, tables: readonly Table[]): Entries {
  for (const table of tables)
    yield [table.name, tableDefinition(table, find(cache.relationships, table.schema, table.name) ?? [])];
}

function* parametersOf(tables: readonly Table[]): Entries {
  yield* Object.entries(SHARED_PARAMETERS);
  for (const table of tables) yield* tableParameters(table);
}

const ROOT = {
  summary: 'OpenAPI description (this document)',
  tags: ['Introspection'],
  produces: ['application/openapi+json', 'application/json'],
  responses: { '200': { description: 'OK' } },
};

const SECURITY = {
  securityDefinitions: {
    JWT: {
      description: 'Add the token prepending "Bearer " (without quotes) to it',
      in: 'header',
      name: 'Authorization',
      type: 'apiKey',
    },
  },
  security: [{ JWT: [] }],
};

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function addressOf({ publicUri, pathPrefix }: DocumentOptions): Part {
  if (publicUri === null) return pathPrefix === '' ? {} : { basePath: pathPrefix };
  const { protocol, hostname, port, pathname } = new URL(publicUri);
  return {
    host: `${hostname}:${port === '' ? (PORTS[protocol] ?? '') : port}`,
    basePath: pathname,
    schemes: [protocol.slice(0, -1)],
  };
}

const text = (place: 'query' | 'header', name: string, description: string, more: Part = {}): Part => ({
  ...{ name, description, required: false, in: place, type: 'string' },
  ...more,
});

const query = (name: string, description: string): Part => text('query', name, description);

const prefer = (...values: readonly string[]): Part =>
  text('header', 'Prefer', 'Preference', { enum: values });

const RETURN = ['return=representation', 'return=minimal', 'return=none'];
const PAGING = 'Limiting and Pagination';

/** The parameters that all relations and functions share. */
const SHARED_PARAMETERS: Readonly<Record<string, Part>> = {
  preferParams: prefer('params=single-object'),
  preferReturn: prefer(...RETURN),
  preferCount: prefer('count=none'),
  preferPost: prefer(...RETURN, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'),
  select: query('select', 'Filtering Columns'),
  on_conflict: query('on_conflict', 'On Conflict'),
  order: query('order', 'Ordering'),
  range: text('header', 'Range', PAGING),
  rangeUnit: text('header', 'Range-Unit', PAGING, { default: 'items' }),
  offset: query('offset', PAGING),
  limit: query('limit', PAGING),
};

/** A part of the document. */
type Part = Readonly<Record<string, unknown>>;

interface Operation extends Part {
  readonly parameters?: readonly Part[];
}

export type PathItem = Readonly<Partial<Record<'get' | 'post' | 'patch' | 'delete', Operation>>>;

interface Schema extends Part {
  readonly description?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
}

interface RowSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
}

/**
 * Returns a reference to a part of this document. Separators of a JSON pointer are escaped in its name (RFC 6901 §3).
 */
export const referenceTo = (part: 'definitions' | 'parameters', name: string): Part => ({
  $ref: `#/${part}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
});

type SwaggerType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

const TYPES: ReadonlyMap<string, SwaggerType> = new Map<string, SwaggerType>([
  ['boolean', 'boolean'],
  ['smallint', 'integer'],
  ['integer', 'integer'],
  ['bigint', 'integer'],
  ['numeric', 'number'],
  ['real', 'number'],
  ['double precision', 'number'],
]);

/** Returns the JSON type of a PostgreSQL type; null for json and jsonb, which may be any value. */
function swaggerType(type: string): SwaggerType | null {
  if (type === 'json' || type === 'jsonb') return null;
  if (type.endsWith('[]')) return 'array';
  return TYPES.get(type) ?? 'string';
}

/** Type and format of a value, and of the elements of an array. */
function typedSchema(type: string, format: string): Part {
  const kind = swaggerType(type);
  if (kind === null) return { format };
  if (kind !== 'array') return { format, type: kind };
  return { format, type: kind, items: typeOf(type.slice(0, -'[]'.length)) };
}

/** The definition of a relation's rows. */
export function tableDefinition(table: Table, relationships: readonly Relationship[]): RowSchema {
  const columns = [...table.columns.values()];
  const required = columns.filter((column) => !column.nullable).map((column) => column.name);
  return {
    ...(table.description === null ? {} : { description: table.description }),
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      columns.map((column) => [column.name, columnSchema(column, table, relationships)]),
    ),
    type: 'object',
  };
}

function columnSchema(column: Column, table: Table, relationships: readonly Relationship[]): Schema {
  const { type } = column;
  const description = columnDescription(column, table, relationships);
  const value = defaultOf(column);
  return {
    ...typedSchema(type.baseName, type.baseName),
    ...(description === null ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
    ...(type.enumLabels.length === 0 ? {} : { enum: type.enumLabels }),
    ...(type.maxLength === null ? {} : { maxLength: type.maxLength }),
  };
}

/** Returns the column's comment with the marks of keys that tools recognise. */
function columnDescription(
  column: Column,
  table: Table,
  relationships: readonly Relationship[],
): string | null {
  const notes = [
    ...(table.primaryKey.includes(column.name) ? ['This is a Primary Key.<pk/>'] : []),
    ...foreignKeyNote(column, relationships),
  ];
  const note = notes.length === 0 ? null : ['Note:', ...notes].join('\n');
  if (column.description === null) return note;
  return note === null ? column.description : `${column.description}\n\n${note}`;
}

function foreignKeyNote(column: Column, relationships: readonly Relationship[]): readonly string[] {
  const keys = relationships.filter(
    (relationship): relationship is ForeignKeyRelationship =>
      relationship.kind === 'foreign key' &&
      relationship.sourceRefers &&
      relationship.columns.length === 1 &&
      relationship.columns[0]?.left === column.name,
  );
  const key = keys.find((relationship) => !relationship.targetIsView) ?? keys[0];
  const [pair] = key?.columns ?? [];
  if (key === undefined || pair === undefined) return [];
  const { name } = key.target;
  return [`This is a Foreign Key to \`${name}.${pair.right}\`.<fk table='${name}' column='${pair.right}'/>`];
}

/** Returns the value of a constant default; undefined if it has no JSON value. */
function defaultOf({ default: text, type }: Column): unknown {
  if (text === null) return undefined;
  if (swaggerType(type.baseName) === 'string') {
    const cast = `::${type.baseName}`;
    return text.endsWith(cast) ? text.slice(0, -cast.length).replaceAll(/^'+|'+$/g, '') : text;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The operations of a relation: reading, and writing if the relation allows it. */
export function tablePath(table: Table): PathItem {
  const about = { tags: [table.name], ...splitComment(table.description) };
  const filters = [...table.columns.keys()].map((column) => reference(`rowFilter.${table.name}.${column}`));
  const body = reference(`body.${table.name}`);
  const get: Operation = {
    ...about,
    parameters: [...filters, ...READING.map(reference)],
    responses: {
      '200': {
        description: 'OK',
        schema: { type: 'array', items: referenceTo('definitions', table.name) },
      },
      '206': { description: 'Partial Content' },
    },
  };
  // Existing tools distinguish writable and read-only relations, so a relation that allows one kind of write lists
  // all three.
  if (!table.insertable && !table.updatable && !table.deletable) return { get };
  return {
    get,
    post: {
      ...about,
      parameters: [body, reference('select'), reference('preferPost')],
      responses: { '201': { description: 'Created' } },
    },
    patch: { ...about, parameters: [...filters, body, reference('preferReturn')], responses: NO_CONTENT },
    delete: { ...about, parameters: [...filters, reference('preferReturn')], responses: NO_CONTENT },
  };
}

const READING = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'];
const NO_CONTENT = { '204': { description: 'No Content' } };

const reference = (name: string): Part => referenceTo('parameters', name);

/** The parameters that a relation's operations refer to, by name. */
export function tableParameters(table: Table): readonly (readonly [name: string, parameter: Part])[] {
  const { name } = table;
  const body: Part = {
    name,
    description: name,
    required: false,
    in: 'body',
    schema: referenceTo('definitions', name),
  };
  const filters = [...table.columns.values()].map((column): readonly [string, Part] => [
    `rowFilter.${name}.${column.name}`,
    {
      name: column.name,
      ...(column.description === null ? {} : { description: column.description }),
      required: false,
      in: 'query',
      type: 'string',
    },
  ]);
  return [[`body.${name}`, body], ...filters];
}

/**
 * The operations of a function: arguments in the query, or as an object in the body. Types of the schemas on the search path
 * are named without their schema.
 */
export function functionPath(routine: Routine, searchPath: readonly string[], hasGet = true): PathItem {
  const about = { tags: [`(rpc) ${routine.name}`], ...splitComment(routine.description) };
  const parameters = routine.parameters.map((parameter) => queryParameter(parameter, searchPath));
  const get: Operation = {
    ...about,
    ...(parameters.length === 0 ? {} : { parameters }),
    produces: JSON_TYPES,
    responses: OK,
  };
  const post: Operation = {
    ...about,
    parameters: [
      { name: 'args', in: 'body', required: true, schema: argumentsSchema(routine, searchPath) },
      referenceTo('parameters', 'preferParams'),
    ],
    produces: JSON_TYPES,
    responses: OK,
  };
  return hasGet ? { get, post } : { post };
}

const OK = { '200': { description: 'OK' } };

function queryParameter(
  { name, type, required, variadic }: RoutineParameter,
  searchPath: readonly string[],
): Part {
  const format = plainName(type, searchPath);
  if (variadic) {
    const element = format.slice(0, -'[]'.length);
    const items = { format: element, ...typeOf(element) };
    return { name, in: 'query', required, type: 'array', items, collectionFormat: 'multi' };
  }
  const kind = swaggerType(type);
  // In a query string, an array or a JSON value is one text.
  const shown = kind === null || kind === 'array' ? 'string' : kind;
  return { name, in: 'query', required, type: shown, format };
}

function typeOf(type: string): Part {
  const kind = swaggerType(type);
  return kind === null ? {} : { type: kind };
}

function argumentsSchema({ parameters, description }: Routine, searchPath: readonly string[]): Part {
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  const properties = Object.fromEntries(
    parameters.map(({ name, type }) => [name, typedSchema(type, plainName(type, searchPath))]),
  );
  return {
    type: 'object',
    ...(description === null ? {} : { description }),
    ...(required.length === 0 ? {} : { required }),
    ...(parameters.length === 0 ? {} : { properties }),
  };
}

/** Returns a type's name, without its schema if that is on the search path. */
function plainName(type: string, searchPath: readonly string[]): string {
  const schema = searchPath.map(quotedWhereNeeded).find((name) => type.startsWith(`${name}.`));
  return schema === undefined ? type : type.slice(schema.length + 1);
}

/** Quotes a name in the form of `format_type`. */
const quotedWhereNeeded = (name: string): string =>
  /^[a-z_][a-z0-9_$]*$/.test(name) ? name : quoteIdentifier(name);
