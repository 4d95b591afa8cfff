import type { Table } from '../schema-cache/types.js';

/** Returns a name that no column of the table has; null for a table whose columns are not known. */
export const freeColumn = (wanted: string, table: Table | null): string | null =>
  table === null ? null : freeName(wanted, table.columns);

/** Returns a name that is not among these. */
export function freeName(wanted: string, taken: { readonly has: (name: string) => boolean }): string {
  let name = wanted;
  while (taken.has(name)) name += '_';
  return name;
}
