/** Rows of a relation as schemas: as they are read, and as they are written. */
import { fromText, toJson } from '../../schema-cache/representations.js';
import type { Column, SchemaCache, Table } from '../../schema-cache/types.js';
import type { RowNames } from './component-names.js';
import { requiredColumns, type GraphSchemas } from './graph-schemas.js';
import { referenceTo, type Method, type Schema } from './openapi.js';
import { columnValueSchema } from './value-schema.js';

export type NamedSchema = readonly [name: string, schema: Schema];

/**
 * Returns the schemas of a row: as read without `select`, and as written. In an insert, columns that are nullable or
 * have a default are optional; generated columns are absent.
 * @param methods of the relation; schemas of bodies that no method accepts are omitted
 * @param graphs the related resources of bodies
 */
export function relationSchemas(
  table: Table,
  { row, insert, update, graph, related, updateGraph, putGraph }: RowNames,
  cache: SchemaCache,
  methods: readonly Method[],
  graphs: GraphSchemas,
): readonly NamedSchema[] {
  const { read, written, demanded, about, schemaOf } = rowOf(table, cache);
  const relations = graphs.propertiesOf(table);
  const updatedRelations = graphs.updatedPropertiesOf(table);
  const updates = methods.includes('patch');
  const putsGraphs = methods.includes('put') && updatedRelations !== null;
  const inserts =
    (methods.includes('put') && !putsGraphs) || (methods.includes('post') && relations === null);
  return [
    [row, { ...about, ...objectOf(read, read, (column) => schemaOf(column, 'read')) }],
    ...(inserts
      ? [[insert, objectOf(written, demanded, (column) => schemaOf(column, 'write'))] as const]
      : []),
    ...(relations === null ? [] : [[graph, graphSchema(demanded)] as const]),
    ...(graphs.isRelated(table) ? [[related, relatedSchema()] as const] : []),
    ...(updates ? [[update, updateSchema()] as const] : []),
    ...(updatedRelations === null ? [] : [[updateGraph, updateGraphSchema(updatedRelations)] as const]),
    ...(putsGraphs ? [[putGraph, putGraphSchema()] as const] : []),
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

  /** The update, and the columns of a key by which rows are only found. */
  function updateGraphSchema(resources: Readonly<Record<string, Schema>>): Schema {
    const isFinding = (column: Column): boolean =>
      table.primaryKey.includes(column.name) && !written.includes(column);
    const columns = read.filter((column) => isFinding(column) || (!updates && written.includes(column)));
    const own = objectOf(columns, [], (column) => schemaOf(column, 'write'));
    return {
      ...(updates ? { allOf: [referenceTo('schemas', update)] } : {}),
      ...own,
      properties: { ...own.properties, ...resources },
    };
  }

  /** The update with its key and with the columns that an insert requires, unless related rows fill them in. */
  function putGraphSchema(): Schema {
    const filled = graphs.filledColumns(table);
    const columns = read.filter(
      (column) =>
        table.primaryKey.includes(column.name) || (demanded.includes(column) && !filled.has(column.name)),
    );
    const own = objectOf(columns, columns, (column) => schemaOf(column, 'write'));
    return { allOf: [referenceTo('schemas', updateGraph)], ...own };
  }
}

/**
 * Returns the schemas of a row for a large description: the row and its insert refer to the body in which each column
 * is optional, and require columns of it.
 * @param names of which `insert` and `update` are the same if the bodies are the same
 */
export function composedSchemas(
  table: Table,
  { row, insert, update }: RowNames,
  cache: SchemaCache,
  methods: readonly Method[],
): readonly NamedSchema[] {
  const { read, written, demanded, about, schemaOf } = rowOf(table, cache);
  const inserts = methods.includes('put') || methods.includes('post');
  const updates = methods.includes('patch');
  const bodyOf = (columns: readonly Column[], required: readonly Column[]): Schema =>
    objectOf(columns, required, (column) => schemaOf(column, 'write'));
  const base = updates ? update : insert;
  const hasBase = (updates || inserts) && written.every((column) => hasOneForm(column, cache));
  const own = hasBase ? ownColumns(table, read, written) : read;
  const rowSchema = { ...about, ...objectOf(own, read, (column) => schemaOf(column, 'read')) };
  return [
    [row, hasBase ? { allOf: [referenceTo('schemas', base)], ...rowSchema } : rowSchema],
    ...(updates ? [[update, bodyOf(written, [])] as const] : []),
    ...(inserts && insert !== base
      ? [[insert, { allOf: [referenceTo('schemas', base)], ...bodyOf(demanded, demanded) }] as const]
      : []),
    ...(inserts && !updates ? [[insert, bodyOf(written, demanded)] as const] : []),
  ];
}

/**
 * Returns the columns that a row states beside those of the body, at least one: some generators look for the required
 * columns in the body only if the row has properties.
 */
function ownColumns(
  { primaryKey }: Table,
  read: readonly Column[],
  written: readonly Column[],
): readonly Column[] {
  const own = read.filter((column) => primaryKey.includes(column.name) || !written.includes(column));
  return own.length > 0 ? own : read.slice(0, 1);
}

interface RowColumns {
  readonly read: readonly Column[];
  readonly written: readonly Column[];
  /** The columns that an insert requires. */
  readonly demanded: readonly Column[];
  readonly about: Pick<Schema, 'description'>;
  readonly schemaOf: (column: Column, purpose: 'read' | 'write') => Schema;
}

function rowOf(table: Table, cache: SchemaCache): RowColumns {
  const read = [...table.columns.values()];
  const written = read.filter((column) => !column.generated && column.identity !== 'always');
  const required = new Set(requiredColumns(table));
  return {
    read,
    written,
    demanded: written.filter(({ name }) => required.has(name)),
    about: table.description === null ? {} : { description: table.description },
    schemaOf: (column, purpose) => columnSchema(column, table, purpose, cache),
  };
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
  column: Column,
  { primaryKey }: Table,
  purpose: 'read' | 'write',
  cache: SchemaCache,
): Schema {
  const { name, type, nullable, description } = column;
  const notes = [
    ...(description === null ? [] : [description]),
    ...(purpose === 'read' && primaryKey.includes(name) ? ['Part of the primary key.'] : []),
  ];
  return {
    ...columnValueSchema(type, nullable, hasJsonForm(column, purpose, cache)),
    ...(notes.length === 0 ? {} : { description: notes.join('\n\n') }),
  };
}

/** Whether a cast of the domain makes the JSON of the column's values, or reads it. */
const hasJsonForm = ({ type }: Column, purpose: 'read' | 'write', cache: SchemaCache): boolean =>
  (purpose === 'read' ? toJson(cache, type) : fromText(cache, 'json', type)) !== null;

const hasOneForm = (column: Column, cache: SchemaCache): boolean =>
  hasJsonForm(column, 'read', cache) === hasJsonForm(column, 'write', cache);
