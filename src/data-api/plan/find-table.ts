import { dbrError } from '../../errors/dbr-error.js';
import { tableHint } from '../schema-cache/lookups.js';
import type { QualifiedName, SchemaCache, Table } from '../schema-cache/types.js';

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
