/** The lists of keys of a graph, which are settings of the transaction. */
import { catalogueSql, type Sql, sql } from '../../postgres/sql.js';
import type { Graph } from '../plan/graph.js';
import { commas, enclosed, type Lines, listed } from './sql-text.js';

/**
 * The settings of a list of keys, each a JSON array with one element for each row: the numbers of the parents, and the
 * texts of each column of the key.
 */
export const parentSetting = (list: number): Sql => sql`'dbr.graph_${list}_parent'`;
export const keySetting = (list: number, index: number): Sql => sql`'dbr.graph_${list}_key_${index}'`;

/** The setting of the values of a resource, a JSON array with one element for each row of its parent. */
export const objectsSetting = (list: number): Sql => sql`'dbr.graph_${list}_objects'`;

/** Returns the value of a column of the key. @param key its name in the relation of the rows */
export const keySql = (alias: Sql, { lists }: Graph, list: number, key: string): Sql =>
  sql`${alias}."key_${lists[list]?.columns.findIndex(({ name }) => name === key) ?? -1}"`;

/** Returns a list of keys as a derived table with "number", "parent" and the columns of the key. */
export function listSource({ lists }: Graph, list: number, alias: Sql): Lines {
  const columns = lists[list]?.columns ?? [];
  const settings = [parentSetting(list), ...columns.map((_, index) => keySetting(list, index))];
  const names = [sql`"parent"`, ...columns.map((_, index) => sql`"key_${index}"`), sql`"number"`];
  return enclosed(
    sql``,
    [
      ...listed(sql`select `, [
        [sql`"item"."number"`],
        [sql`"item"."parent"::pg_catalog.int8`],
        ...columns.map(({ type }, index): Lines => [sql`"item"."key_${index}"::${catalogueSql(type)}`]),
      ]),
      sql`  from rows from (${commas(settings.map(elements))})`,
      sql`       with ordinality as "item" (${commas(names)})`,
    ],
    sql` as ${alias} ("number", ${commas(names.slice(0, -1))})`,
  );
}

const elements = (setting: Sql): Sql =>
  sql`pg_catalog.json_array_elements_text(pg_catalog.current_setting(${setting})::pg_catalog.json)`;
