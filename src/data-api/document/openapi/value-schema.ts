/** Schemas of the JSON values of PostgreSQL's types. */
import type { ColumnType } from '../../schema-cache/types.js';
import type { JsonType, Schema } from './openapi.js';

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
  const types: readonly JsonType[] = [schema.type, 'null'];
  return {
    ...schema,
    type: types,
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  };
}

function bareSchema({ baseName, enumLabels, maxLength }: ColumnType): Schema {
  if (enumLabels.length > 0) return { type: 'string', enum: enumLabels };
  const schema = valueSchema(baseName);
  return maxLength === null || schema.type !== 'string' ? schema : { ...schema, maxLength };
}
