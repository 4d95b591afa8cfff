import { dbrError } from '../../errors/dbr-error.js';
import { tableHint } from '../schema-cache/lookups.js';
import type { QualifiedName, SchemaCache, Table } from '../schema-cache/types.js';

/** DBR205: the schema cache knows no relation of this name. */
export function unknownTable(
  context: { readonly cache: SchemaCache; readonly role: string },
  schema: string,
  table: string,
) {
  const hint = tableHint(context.cache, context.role, { schema, name: table });
  return dbrError('TableNotFound', { schema, table, hint });
}

/** The table or view of this name; null when it is not in an exposed schema. */
export function findTable(cache: SchemaCache, name: QualifiedName): Table | null {
  return cache.tables.get(name.schema)?.get(name.name) ?? null;
}
