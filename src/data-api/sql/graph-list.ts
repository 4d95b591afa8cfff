import { catalogueSql, type Sql, sql } from '../../postgres/sql.js';
import type { Graph, KeyColumn } from '../plan/graph.js';
import { enclosed, type Lines, listed } from './lines.js';

/** Returns the setting that contains a list of keys: a JSON array of `[parent, key, …]`, one for each row. */
export const listSetting = (list: number): Sql => sql`'dbr.graph_${list}'`;

/** Returns a column of the key of a list. @param index of the column in the list */
export const keySql = (alias: Sql, index: number): Sql => sql`${alias}."key_${index}"`;

/** Returns a list of keys as a derived table with "number", "parent" and the columns of the key. */
export function listSource({ lists }: Graph, list: number, alias: Sql): Lines {
  const columns: readonly KeyColumn[] = lists[list]?.columns ?? [];
  return enclosed(
    sql``,
    [
      ...listed(sql`select `, [
        [sql`"item"."number"`],
        [sql`("item"."value" ->> 0)::pg_catalog.int8 as "parent"`],
        ...columns.map(({ type }, index): Lines => [
          sql`("item"."value" ->> ${index + 1})::${catalogueSql(type)} as "key_${index}"`,
        ]),
      ]),
      sql`  from pg_catalog.json_array_elements(pg_catalog.current_setting(${listSetting(list)})::pg_catalog.json)`,
      sql`       with ordinality as "item" ("value", "number")`,
    ],
    sql` as ${alias}`,
  );
}
