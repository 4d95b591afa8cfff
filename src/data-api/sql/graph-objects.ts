/** The objects of a resource of a graph, read from the body or from the values that a statement before has listed. */
import { catalogueSql, joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { GraphRows } from '../plan/graph.js';
import { objectsSetting } from './graph-list.js';
import { enclosed, hang, type Lines, listed } from './lines.js';
import { columnItems, missingTest } from './payload.js';
import type { ParameterList } from './sql-text.js';

/** The body, which the first statement sets, so that it is sent once. */
const BODY_JSON = sql`pg_catalog.current_setting('dbr.graph_body')::pg_catalog.json`;

const ROW = sql`"row"`;

/**
 * Returns a select statement for the objects of a resource, with their numbers in the order of the body.
 * @param counted whether the number is that among all objects of the resource; otherwise among those of its parent
 */
export function objectLines(rows: GraphRows, counted: boolean, parameters: ParameterList): Lines {
  const { columns, kept, levels, number, object, parent } = rows;
  const last = levels.length - 1;
  const isRoot = last === 0;
  const value = isRoot ? BODY_JSON : sql`"outer"."value"`;
  const many = levels[last]?.many ?? true;
  const hasMembers = columns.length > 0 || kept.length > 0;
  const plain = hasMembers && object === null && columns.every((column) => column.default === null);
  const inner = plain ? sql`${ROW}.${quoteIdentifier(number)}` : sql`"object"."number"`;
  const items = [
    ...columnItems(columns, missingTest(parameters)),
    ...kept.map(({ name }) => [sql`${ROW}.${quoteIdentifier(name)}`]),
    ...(object === null ? [] : [[sql`"object"."value" as ${quoteIdentifier(object)}`]]),
    isRoot || !counted
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
          ...enclosed(sql`  from `, outerLines(rows, last - 1), sql` as "outer" ("value", "number"),`),
          ...hang(sql`       lateral `, objects),
          sql` where ${hasValue(sql`"outer"."value"`)}`,
        ]),
  ];
}

/** Whether the value is not null, neither of SQL nor of JSON. */
export const hasValue = (value: Sql): Sql => sql`pg_catalog.json_typeof(${value}) <> 'null'`;

/** Whether the value of a related resource has rows; null for null. An object is a one-to-one resource. */
export const hasRows = (value: Sql): Sql =>
  sql`case pg_catalog.json_typeof(${value}) when 'array' then pg_catalog.json_array_length(${value}) > 0 when 'object' then true end`;

/** The members of one object, or of each object of an array, read with their types. */
function members({ columns, kept }: GraphRows, value: Sql, many: boolean): Sql {
  const read = many ? sql`json_to_recordset` : sql`json_to_record`;
  const typed = [
    ...columns.map(({ name, type }) => sql`${quoteIdentifier(name)} ${catalogueSql(type)}`),
    ...kept.map(({ key }) => sql`${quoteIdentifier(key)} pg_catalog.json`),
  ];
  return sql`rows from (pg_catalog.${read}(${value}) as (${joinSql(typed, ', ')}))`;
}

const memberNames = ({ columns, kept }: GraphRows): readonly Sql[] =>
  [...columns, ...kept].map(({ name }) => quoteIdentifier(name));

function recordSource(rows: GraphRows, value: Sql, many: boolean): Lines {
  const names = joinSql([...memberNames(rows), quoteIdentifier(rows.number)], ', ');
  return [sql`${members(rows, value, many)}`, sql`  with ordinality as ${ROW} (${names})`];
}

/** The objects, and their members, if there are any. */
function objectSource(rows: GraphRows, value: Sql, many: boolean): Lines {
  const objects = many
    ? sql`pg_catalog.json_array_elements(${value}) with ordinality as "object" ("value", "number")`
    : sql`(select ${value}, 1::pg_catalog.int8) as "object" ("value", "number")`;
  const names = memberNames(rows);
  if (names.length === 0) return [objects];
  return [
    sql`${objects},`,
    sql`lateral ${members(rows, sql`"object"."value"`, false)} as ${ROW} (${joinSql(names, ', ')})`,
  ];
}

/**
 * Returns a select statement for the values that contain the objects of the next level, with the number of the object
 * that has the value.
 */
export function outerLines({ levels, begin }: Pick<GraphRows, 'levels' | 'begin'>, at: number): Lines {
  if (begin !== null && begin.level === at + 1)
    return [
      sql`select "item"."value", "item"."number"`,
      sql`  from pg_catalog.json_array_elements(pg_catalog.current_setting(${objectsSetting(begin.list)})::pg_catalog.json)`,
      sql`       with ordinality as "item" ("value", "number")`,
    ];
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
    ...enclosed(sql`  from `, outerLines({ levels, begin }, at - 1), sql` as "outer" ("value", "number"),`),
    sql`       lateral ${record(sql`"outer"."value"`)} with ordinality as "inner" ("value", "number")`,
    sql` where ${hasValue(sql`"outer"."value"`)}`,
  ];
}

/** Returns the condition that the object of a row lacks a key. */
export function lacks(
  rows: Pick<GraphRows, 'object'>,
  alias: Sql,
  key: string,
  parameters: ParameterList,
): Sql {
  const name = parameters.place({ kind: 'constant', text: key });
  return sql`${alias}.${quoteIdentifier(rows.object ?? '')} -> ${name} is null`;
}
