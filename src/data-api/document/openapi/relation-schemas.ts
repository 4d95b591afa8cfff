/** Rows of a relation as schemas: as they are read, and as they are written. */
import { fromText, toJson } from '../../schema-cache/representations.js';
import type { Column, SchemaCache, Table } from '../../schema-cache/types.js';
import type { RowNames } from './component-names.js';
import { requiredColumns, type GraphSchemas } from './graph-schemas.js';
import { referenceTo, type Method, type Schema } from './openapi.js';
import { columnValueSchema } from './value-schema.js';

/**
 * Returns the schemas of a row: as read without `select`, and as written. In an insert, columns that are nullable or
 * have a default are optional; generated columns are absent.
 * @param methods of the relation; schemas of bodies that no method accepts are omitted
 * @param graphs the related resources of bodies
 */
export function relationSchemas(
  table: Table,
  { row, insert, update, graph, related }: RowNames,
  cache: SchemaCache,
  methods: readonly Method[],
  graphs: GraphSchemas,
): readonly (readonly [name: string, schema: Schema])[] {
  const columns = [...table.columns.values()];
  const written = columns.filter((column) => !column.generated && column.identity !== 'always');
  const required = new Set(requiredColumns(table));
  const demanded = written.filter(({ name }) => required.has(name));
  const relations = graphs.propertiesOf(table);
  const inserts = methods.includes('put') || (methods.includes('post') && relations === null);
  const about = table.description === null ? {} : { description: table.description };
  const schemaOf = (column: Column, purpose: 'read' | 'write'): Schema =>
    columnSchema(column, table, purpose, cache);
  return [
    [row, { ...about, ...objectOf(columns, columns, (column) => schemaOf(column, 'read')) }],
    ...(inserts
      ? [[insert, objectOf(written, demanded, (column) => schemaOf(column, 'write'))] as const]
      : []),
    ...(relations === null ? [] : [[graph, graphSchema(demanded)] as const]),
    ...(graphs.isRelated(table) ? [[related, relatedSchema()] as const] : []),
    ...(methods.includes('patch') ? [[update, updateSchema()] as const] : []),
  ];

  function graphSchema(demands: readonly Column[]): Schema {
    const own = objectOf(written, demands, (column) => schemaOf(column, 'write'));
    return { ...own, properties: { ...own.properties, ...relations } };
  }

  /** Columns that the related row fills in are optional. */
  function relatedSchema(): Schema {
    const filled = graphs.filledColumns(table);
    return graphSchema(demanded.filter(({ name }) => !filled.has(name)));
  }

  /** The schema of inserts if it is the same, by reference. */
  function updateSchema(): Schema {
    return inserts && demanded.length === 0
      ? referenceTo('schemas', insert)
      : objectOf(written, [], (column) => schemaOf(column, 'write'));
  }
}

function objectOf(
  columns: readonly Column[],
  required: readonly Column[],
  schemaOf: (column: Column) => Schema,
): Schema {
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
    properties: Object.fromEntries(columns.map((column) => [column.name, schemaOf(column)])),
  };
}

function columnSchema(
  { name, type, nullable, description }: Column,
  { primaryKey }: Table,
  purpose: 'read' | 'write',
  cache: SchemaCache,
): Schema {
  const jsonForm = purpose === 'read' ? toJson(cache, type) : fromText(cache, 'json', type);
  const notes = [
    ...(description === null ? [] : [description]),
    ...(purpose === 'read' && primaryKey.includes(name) ? ['Part of the primary key.'] : []),
  ];
  return {
    ...columnValueSchema(type, nullable, jsonForm !== null),
    ...(notes.length === 0 ? {} : { description: notes.join('\n\n') }),
  };
}
