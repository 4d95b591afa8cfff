/** The objects of a resource of a graph, read from the body. */
import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { GraphLevelStep, GraphRows } from '../plan/graph.js';
import { enclosed, hang, type Lines, listed } from './lines.js';
import { columnItems, missingTest, typed } from './payload.js';
import type { ParameterList } from './sql-text.js';

/** The body, which the first statement sets, so that it is sent once. */
const BODY_JSON = sql`pg_catalog.current_setting('dbr.graph_body')::pg_catalog.json`;

const ROW = sql`"row"`;

/** Returns a select statement for the objects of a resource, with their numbers in the order of the body. */
export function objectLines(rows: GraphRows, parameters: ParameterList): Lines {
  const { columns, levels, number, parent } = rows;
  const last = levels.length - 1;
  const isRoot = last === 0;
  const value = isRoot ? BODY_JSON : sql`"outer"."value"`;
  const many = levels[last]?.many ?? true;
  const isMissing = missingTest(parameters);
  const plain = columns.length > 0 && columns.every((column) => column.default === null);
  const inner = plain ? sql`${ROW}.${quoteIdentifier(number)}` : sql`"object"."number"`;
  const items = [
    ...columnItems(columns, isMissing),
    isRoot
      ? [sql`${inner} as ${quoteIdentifier(number)}`]
      : [
          sql`pg_catalog.row_number() over (order by "outer"."number", ${inner}) as ${quoteIdentifier(number)}`,
        ],
    [sql`${isRoot ? sql`null::pg_catalog.int8` : sql`"outer"."number"`} as ${quoteIdentifier(parent)}`],
  ];
  const objects = plain ? recordSource(rows, value, many) : objectSource(rows, value, many);
  return [
    ...listed(sql`select `, items),
    ...(isRoot
      ? hang(sql`  from `, objects)
      : [
          ...enclosed(sql`  from `, outerLines(levels, last - 1), sql` as "outer" ("value", "number"),`),
          ...hang(sql`       lateral `, objects),
          sql` where "outer"."value" is not null`,
        ]),
  ];
}

/** The values of the columns, read with their types. */
function recordSource({ columns, number }: GraphRows, value: Sql, many: boolean): Lines {
  const names = joinSql([...columns.map(({ name }) => quoteIdentifier(name)), quoteIdentifier(number)], ', ');
  const read = many ? sql`json_to_recordset` : sql`json_to_record`;
  return [
    sql`rows from (pg_catalog.${read}(${value}) as (${typed(columns)}))`,
    sql`  with ordinality as ${ROW} (${names})`,
  ];
}

/** The objects, and the values of their columns, if there are columns. */
function objectSource({ columns }: GraphRows, value: Sql, many: boolean): Lines {
  const objects = many
    ? sql`pg_catalog.json_array_elements(${value}) with ordinality as "object" ("value", "number")`
    : sql`(select ${value}, 1::pg_catalog.int8) as "object" ("value", "number")`;
  if (columns.length === 0) return [objects];
  return [
    sql`${objects},`,
    sql`lateral pg_catalog.json_to_record("object"."value") as ${ROW} (${typed(columns)})`,
  ];
}

/** Returns a select statement for the values that contain the objects of the next level, with the number of their object. */
function outerLines(levels: readonly GraphLevelStep[], at: number): Lines {
  const key = quoteIdentifier(levels[at + 1]?.key ?? '');
  const many = levels[at]?.many ?? true;
  const read = many ? sql`json_to_recordset` : sql`json_to_record`;
  const record = (value: Sql): Sql =>
    sql`rows from (pg_catalog.${read}(${value}) as (${key} pg_catalog.json))`;
  if (at === 0)
    return [
      sql`select "inner"."value", "inner"."number"`,
      sql`  from ${record(BODY_JSON)} with ordinality as "inner" ("value", "number")`,
    ];
  return [
    sql`select "inner"."value", pg_catalog.row_number() over (order by "outer"."number", "inner"."number")`,
    ...enclosed(sql`  from `, outerLines(levels, at - 1), sql` as "outer" ("value", "number"),`),
    sql`       lateral ${record(sql`"outer"."value"`)} with ordinality as "inner" ("value", "number")`,
    sql` where "outer"."value" is not null`,
  ];
}
