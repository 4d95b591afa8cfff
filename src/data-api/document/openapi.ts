/** The parts of an OpenAPI 3.1 document that the description of the data API uses. */
import type { DocumentInfo } from './model.js';
import type { ColumnType, Table } from '../schema-cache/types.js';

export interface Info extends DocumentInfo {
  readonly contact: { readonly name: string };
  readonly license: { readonly name: string; readonly identifier: string };
}

/** A group of operations: those of one relation or of one function. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** `query` is a method of OpenAPI 3.2. */
export type PathOperations = Readonly<Partial<Record<Method | 'query', Operation>>>;

export interface PathItem extends PathOperations {
  /** Parameters of every operation of the path. */
  readonly parameters?: readonly (Parameter | Reference)[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: Content;
}

export interface Header {
  readonly description: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

/** The schema of a body, or that of each item of a stream (OpenAPI 3.2). */
export interface MediaTypeObject {
  readonly schema?: Schema;
  readonly itemSchema?: Schema;
  readonly example?: unknown;
}

/** By media type. */
export type Content = Readonly<Record<string, MediaTypeObject>>;

export interface Reference {
  readonly $ref: string;
}

/** @param name a name of components, which needs no escaping */
export const referenceTo = (
  part: 'schemas' | 'parameters' | 'requestBodies' | 'responses' | 'headers',
  name: string,
): Required<Reference> => ({ $ref: `#/components/${part}/${name}` });

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/** A schema of JSON Schema 2020-12. An empty one allows any value. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

/** Schemas by the name in the form of `format_type`. Formats are those of JSON Schema, else the name of the type. */
const SCHEMAS: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['integer', { type: 'integer' }],
  ...(['smallint', 'bigint'] as const).map((name) => number('integer', name)),
  ...(['numeric', 'real', 'double precision'] as const).map((name) => number('number', name)),
  ['boolean', { type: 'boolean' }],
  ['text', { type: 'string' }],
  ['character varying', { type: 'string' }],
  ['character', { type: 'string' }],
  ['uuid', { type: 'string', format: 'uuid' }],
  ['date', { type: 'string', format: 'date' }],
  ['timestamp with time zone', { type: 'string', format: 'date-time' }],
  ['json', {}],
  ['jsonb', {}],
]);

function number(type: 'integer' | 'number', format: string): [string, Schema] {
  return [format, { type, format }];
}

/** Names of types in the catalogue for which `format_type` prints the SQL name. */
const SQL_NAMES: ReadonlyMap<string, string> = new Map([
  ['int2', 'smallint'],
  ['int4', 'integer'],
  ['int8', 'bigint'],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['bool', 'boolean'],
  ['varchar', 'character varying'],
  ['bpchar', 'character'],
  ['timestamptz', 'timestamp with time zone'],
  ['timestamp', 'timestamp without time zone'],
  ['timetz', 'time with time zone'],
  ['time', 'time without time zone'],
  ['varbit', 'bit varying'],
]);

/** A type's name as `format_type` prints it. @param name as `pg_type` has it, of a type in `pg_catalog` */
export const sqlName = (name: string): string =>
  name.startsWith('_') ? `${sqlName(name.slice(1))}[]` : (SQL_NAMES.get(name) ?? name);

/** Text types of extensions that ship with PostgreSQL. */
const TEXT_OF_EXTENSIONS = /\.(citext|ltree|lquery|isbn|isbn13|ean13)$/;

/** @param type as `format_type` prints it, without a modifier */
export function valueSchema(type: string): Schema {
  if (type.endsWith('[]')) return { type: 'array', items: valueSchema(type.slice(0, -'[]'.length)) };
  const known = SCHEMAS.get(type);
  if (known !== undefined) return known;
  // Types outside pg_catalog may be rows, or have their own cast to JSON.
  if (type.includes('.') && !TEXT_OF_EXTENSIONS.test(type)) return {};
  return { type: 'string', format: type };
}

/** @param hasJsonForm true if a cast of the domain determines the JSON of its values (data API §1.3) */
export function columnValueSchema(type: ColumnType, nullable: boolean, hasJsonForm: boolean): Schema {
  if (hasJsonForm) return {};
  const schema = bareSchema(type);
  if (!nullable || schema.type === undefined || typeof schema.type !== 'string') return schema;
  // Several generators refuse null as a label.
  if (schema.enum !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema.type, 'null'] };
}

function bareSchema({ baseName, enumLabels, maxLength }: ColumnType): Schema {
  if (enumLabels.length > 0) return { type: 'string', enum: enumLabels };
  const schema = valueSchema(baseName);
  return maxLength === null || schema.type !== 'string' ? schema : { ...schema, maxLength };
}

/**
 * Names of the components of a relation: schemas of its rows as read, inserted, updated, inserted with related rows,
 * inserted as related rows, updated with related rows and replaced with related rows, the response of rows, and the request
 * body of one or many rows.
 */
export interface RowNames {
  readonly row: string;
  readonly rows: string;
  readonly insert: string;
  readonly update: string;
  readonly graph: string;
  readonly related: string;
  readonly updateGraph: string;
  readonly putGraph: string;
  readonly body: string;
}

/** Names of schemas that do not belong to relations. */
export const ERROR = 'Error';
export const FILTER = 'Filter';
export const QUERY = 'Query';

export const BATCH_ITEM = 'BatchItem';
export const BATCH_REFERENCE = 'BatchReference';
export const BATCH_ANSWER = 'BatchAnswer';

/** The body of a DELETE. */
export const DELETION = 'Deletion';

/**
 * Returns the component names of tables. Other characters become their code point between underscores; a name that is
 * taken gets a number.
 */
export function rowNames(tables: readonly Table[]): ReadonlyMap<string, RowNames> {
  const taken = new Set<string>([...[ERROR, FILTER, QUERY], ...[BATCH_ITEM, BATCH_REFERENCE, BATCH_ANSWER]]);
  return new Map(
    tables.map(({ name }) => {
      const plain = componentName(name);
      let row = plain;
      const all = (): RowNames => ({
        row,
        rows: `${row}.rows`,
        insert: `${row}.insert`,
        update: `${row}.update`,
        graph: `${row}.graph`,
        related: `${row}.related`,
        updateGraph: `${row}.update.graph`,
        putGraph: `${row}.put.graph`,
        body: `${row}.body`,
      });
      const names = (): readonly string[] => Object.values<string>({ ...all() });
      for (let count = 2; names().some((each) => taken.has(each)); count += 1) row = `${plain}_${count}`;
      for (const each of names()) taken.add(each);
      return [name, all()];
    }),
  );
}

/** Replaces characters that component names cannot have. Two names may become the same. */
export const componentName = (name: string): string =>
  name.replaceAll(/[^\w.-]/gu, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`);

/**
 * Returns a function that makes operation identifiers, unique in one document: `get_films`, `post_rpc_search`. An
 * identifier that is taken gets a number.
 * @returns a function of the method and the name of the relation, or the name of the function after `rpc_`
 */
export function operationIds(): (method: string, name: string) => string {
  const taken = new Set<string>();
  return (method, name) => {
    const plain = `${method}_${componentName(name)}`;
    let id = plain;
    for (let count = 2; taken.has(id); count += 1) id = `${plain}_${String(count)}`;
    taken.add(id);
    return id;
  };
}
