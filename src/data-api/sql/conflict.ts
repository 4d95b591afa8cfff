import { joinSql, quoteIdentifier, sql } from '../../postgres/sql.js';
import type { Conflict } from '../plan/written-column.js';
import { type Lines, listed, whereLines } from './lines.js';

/**
 * Returns `on conflict`; no lines without a conflict.
 * @param columns the written columns, which `merge` sets
 * @param counting whether updated rows are subtracted from the number of new rows
 */
export function conflictLines(
  conflict: Conflict | null,
  columns: readonly { readonly name: string }[],
  counting = true,
): Lines {
  if (conflict === null) return [];
  const clause = sql`on conflict (${joinSql(conflict.columns.map(quoteIdentifier), ', ')})`;
  if (conflict.resolution === 'ignore' || columns.length === 0) return [sql`${clause} do nothing`];
  const settings = columns.map(({ name }): Lines => {
    const column = quoteIdentifier(name);
    return [sql`${column} = excluded.${column}`];
  });
  const counted = counting ? whereLines([countBy('- 1')]) : [];
  return [sql`${clause} do update`, ...listed(sql`   set `, settings), ...counted];
}

/** The setting, local to the transaction, with the number of new rows of an upsert. */
export const INSERTED_SETTING = 'dbr.inserted';

export const INSERTED = sql`coalesce(nullif(pg_catalog.current_setting('dbr.inserted', true), ''), '0')`;

/** A condition that is true and counts the row. */
export const countBy = (step: '+ 1' | '- 1'): Lines => [
  sql`pg_catalog.set_config('dbr.inserted',`,
  sql`  (${INSERTED}::pg_catalog.int8 ${step})::pg_catalog.text,`,
  sql`  true) <> ''`,
];
