import type { Field } from '../grammar/ast.js';
import type { Column, QualifiedName, SchemaCache, Table } from '../schema-cache/types.js';
import type { FieldExpression, Representation } from './expression.js';
import { dbrError } from '../../errors/dbr-error.js';
import { tableHint } from '../schema-cache/lookups.js';

/** A relation of the statement under its alias, with its entry of the schema cache. */
export interface Scope {
  readonly cache: SchemaCache;
  readonly alias: string;
  /** Null for relations outside the cache, and for results of functions without a relation's type. */
  readonly table: Table | null;
  /** The schema of the request, then the extra search path. */
  readonly searchPath: readonly string[];
  /** Whether a text search converts columns that are no `tsvector` by `to_tsvector`. */
  readonly searchesDocuments: boolean;
  /** Called with the name of every field in the request (`Assumptions`). */
  readonly assume: (name: string) => void;
}

/** Returns the column of this name; null for computed fields and unknown names. */
export function findColumn(scope: Scope, name: string): Column | null {
  return scope.table?.columns.get(name) ?? null;
}

/** Returns the expression of a field that a request names. */
export function fieldExpression(field: Field, scope: Scope): FieldExpression {
  scope.assume(field.name);
  const base = findColumn(scope, field.name)?.type.baseName;
  return {
    relation: scope.alias,
    column: field.name,
    path: field.path,
    viaJson: field.path.length > 0 && base !== 'json' && base !== 'jsonb',
  };
}

/**
 * Whether a field is searched as the text search vector of its value. Null for a field whose type the schema cache does
 * not know, such as a column of rows that a function declares.
 */
export function isSearchVector(field: Field, scope: Scope): boolean | null {
  if (field.path.length > 0) return false;
  const type = findColumn(scope, field.name)?.type.baseName ?? computedType(field.name, scope);
  return type === null ? null : type === 'tsvector';
}

function computedType(name: string, { cache, table, searchPath }: Scope): string | null {
  const fields =
    table === null ? [] : (cache.computedFields.get(table.schema)?.get(table.name)?.get(name) ?? []);
  return fields.find((field) => searchPath.includes(field.function.schema))?.type ?? null;
}

/** Returns the function that renders values of a column's domain as JSON, or null. */
export function outputRepresentation(scope: Scope, column: Column | null): Representation | null {
  if (column === null || !column.type.isDomain) return null;
  return scope.cache.representations.get(column.type.plainName)?.get('json') ?? null;
}

/** Returns the function that converts values of the query string or of a payload to a domain, or null. */
export function inputRepresentation(
  cache: SchemaCache,
  column: Column | null,
  from: 'text' | 'json',
): Representation | null {
  if (column === null || !column.type.isDomain) return null;
  return cache.representations.get(from)?.get(column.type.plainName) ?? null;
}

/** Returns a name that no column of the table has; null for a table whose columns are not known. */
export const freeColumn = (wanted: string, table: Table | null): string | null =>
  table === null ? null : freeName(wanted, table.columns);

/** Returns a name that is not among these. */
export function freeName(wanted: string, taken: { readonly has: (name: string) => boolean }): string {
  let name = wanted;
  while (taken.has(name)) name += '_';
  return name;
}

/** Returns DBR205 for a relation that the schema cache does not contain. */
export function unknownTable(
  context: { readonly cache: SchemaCache; readonly role: string },
  schema: string,
  table: string,
) {
  const hint = tableHint(context.cache, context.role, { schema, name: table });
  return dbrError('TableNotFound', { schema, table, hint });
}

/** Returns the table or view of this name; null if it is not in an exposed schema. */
export function findTable(cache: SchemaCache, name: QualifiedName): Table | null {
  return cache.tables.get(name.schema)?.get(name.name) ?? null;
}

/** Returns the names of the columns in their order; empty for an unknown relation. */
export const columnNames = (table: Table | null): readonly string[] => [...(table?.columns.keys() ?? [])];
