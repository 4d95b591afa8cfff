import { block, catalogueSql, clauses, listed, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { Conflict, Operand, WrittenColumn } from '../plan/expression.js';
import type { KeyedUpdateChange, PayloadRows } from '../plan/plan.js';
import { commas, constantSql, nameSql, namesSql, operandSql, whereSql } from './sql-text.js';
import type { Graph } from '../plan/graph.js';

export const BODY: Operand = { kind: 'payload', encoding: 'verbatim' };

/**
 * Returns a select statement for the rows of the payload, with the columns to write under their names. Objects
 * without keys are rows without columns, which become rows of defaults. The body is one parameter, which PostgreSQL
 * parses as JSON. `first` uses only the first object of an array, and no row of an empty array (data API §1.10).
 */
export function payloadSql(payload: PayloadRows, first: boolean): Sql {
  const { columns, many } = payload;
  if (columns.length === 0 && !many) return sql`select`;
  const body = sql`${operandSql(BODY)}::pg_catalog.json`;
  if (columns.length === 0) return clauses(sql`select`, sql`  from pg_catalog.json_array_elements(${body})`);
  if (columns.some((column) => column.default !== null)) return rowsWithDefaults(payload, body, first);
  const source = many ? 'json_to_recordset' : 'json_to_record';
  return clauses(
    listed(sql`select `, columnItems(columns)),
    sql`  from pg_catalog.${source}(${body}) as "row" (${typed(columns)})`,
    firstOf(many, first),
  );
}

/**
 * An absent key gets the column's default, which is evaluated for the rows that need it only; a key with the value
 * null stays null.
 */
function rowsWithDefaults(payload: PayloadRows, body: Sql, first: boolean): Sql {
  const { columns, many } = payload;
  const objects = many ? sql`pg_catalog.json_array_elements(${body})` : sql`(select ${body})`;
  return clauses(
    listed(sql`select `, columnItems(columns)),
    sql`  from ${objects} as "object" ("value"),`,
    sql`       lateral pg_catalog.json_to_record("object"."value") as "row" (${typed(columns)})`,
    firstOf(many, first),
  );
}

/**
 * Returns a select statement for the rows of a keyed update, numbered from 1, with the JSON object if rows keep the
 * columns that it lacks.
 */
export function numberedPayloadSql({ payload: { columns, many }, position, object }: KeyedUpdateChange): Sql {
  const body = sql`${operandSql(BODY)}::pg_catalog.json`;
  const number = quoteIdentifier(position);
  const objects = many
    ? sql`pg_catalog.json_array_elements(${body}) with ordinality`
    : sql`(select ${body}, 1)`;
  return clauses(
    listed(sql`select `, [
      ...columnItems(columns),
      sql`"object"."number" as ${number}`,
      ...(object === null ? [] : [sql`"object"."value" as ${quoteIdentifier(object)}`]),
    ]),
    sql`  from ${objects} as "object" ("value", "number"),`,
    sql`       lateral pg_catalog.json_to_record("object"."value") as "row" (${typed(columns)})`,
  );
}

const firstOf = (many: boolean, first: boolean): Sql => (many && first ? sql` limit 1` : sql``);

/** Returns the values of the columns from "row" and "object", under the names of the columns. */
export function columnItems(columns: readonly WrittenColumn[]): readonly Sql[] {
  return columns.map((column) => {
    const name = quoteIdentifier(column.name);
    const { representation, cast } = column;
    const plain = sql`"row".${name}`;
    const read = cast === null ? plain : sql`${plain}::${catalogueSql(cast)}`;
    const given = representation === null ? read : sql`${nameSql(representation)}(${read})`;
    const value =
      column.default === null
        ? given
        : sql`case when "object"."value" -> ${constantSql(column.name)} is null then ${catalogueSql(column.default)} else ${given} end`;
    return value === plain ? value : sql`${value} as ${name}`;
  });
}

const typed = (columns: readonly WrittenColumn[]): Sql =>
  commas(columns.map((column) => sql`${quoteIdentifier(column.name)} ${catalogueSql(column.type)}`));

/**
 * Returns `on conflict`; empty without a conflict.
 * @param columns the written columns, which `merge` sets
 * @param counting whether updated rows are subtracted from the number of new rows
 */
export function conflictSql(
  conflict: Conflict | null,
  columns: readonly { readonly name: string }[],
  counting = true,
): Sql {
  if (conflict === null) return sql``;
  const clause = sql`on conflict (${namesSql(conflict.columns)})`;
  if (conflict.resolution === 'ignore' || columns.length === 0) return sql`${clause} do nothing`;
  const settings = columns.map(({ name }) => {
    const column = quoteIdentifier(name);
    return sql`${column} = excluded.${column}`;
  });
  const counted = counting ? whereSql([countBy('- 1')]) : sql``;
  return clauses(sql`${clause} do update`, listed(sql`   set `, settings), counted);
}

/** The setting, local to the transaction, with the number of new rows of an upsert. */
export const INSERTED = sql`coalesce(nullif(pg_catalog.current_setting('dbr.inserted', true), ''), '0')`;

/** A condition that is true and counts the row. */
export const countBy = (step: '+ 1' | '- 1'): Sql =>
  clauses(
    sql`pg_catalog.set_config('dbr.inserted',`,
    sql`  (${INSERTED}::pg_catalog.int8 ${step})::pg_catalog.text,`,
    sql`  true) <> ''`,
  );

// The lists of keys of a graph, which are settings of the transaction.

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
  sql`${alias}."key_${lists[list]?.findIndex(({ name }) => name === key) ?? -1}"`;

/** Returns a list of keys as a derived table with "number", "parent" and the columns of the key. */
export function listSource({ lists }: Graph, list: number, alias: Sql): Sql {
  const columns = lists[list] ?? [];
  const settings = [parentSetting(list), ...columns.map((_, index) => keySetting(list, index))];
  const names = [sql`"parent"`, ...columns.map((_, index) => sql`"key_${index}"`), sql`"number"`];
  const items = clauses(
    listed(sql`select `, [
      sql`"item"."number"`,
      sql`"item"."parent"::pg_catalog.int8`,
      ...columns.map(({ type }, index) => sql`"item"."key_${index}"::${catalogueSql(type)}`),
    ]),
    sql`  from rows from (${commas(settings.map(elements))})`,
    sql`       with ordinality as "item" (${commas(names)})`,
  );
  return sql`${block(items)} as ${alias} ("number", ${commas(names.slice(0, -1))})`;
}

const elements = (setting: Sql): Sql =>
  sql`pg_catalog.json_array_elements_text(pg_catalog.current_setting(${setting})::pg_catalog.json)`;
