import type { Table } from '../schema-cache/types.js';

/** Returns a name that no column of the table has; null for a table whose columns are not known. */
export function freeName(wanted: string, table: Table | null): string | null {
  if (table === null) return null;
  let name = wanted;
  while (table.columns.has(name)) name += '_';
  return name;
}
