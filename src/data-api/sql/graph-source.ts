/** The rows of the objects of a resource, and the lists of their keys. */
import { catalogueSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { Graph, GraphLink, GraphRows, InsertStep, KeyColumn } from '../plan/graph.js';
import { keySetting, keySql, listSource, objectsSetting, parentSetting } from './graph-list.js';
import { objectLines } from './graph-objects.js';
import { enclosed, hang, type Lines, listed, tailed } from './lines.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const ROW = sql`"row"`;

/** Returns the names of the columns of a list. */
export const keyNames = ({ lists }: Graph, list: number): readonly Sql[] =>
  (lists[list]?.columns ?? []).map(({ name }) => quoteIdentifier(name));

/**
 * Returns a select statement that sets the settings of a list, and those of the values that its objects contain.
 * @param origin the rows with the key columns
 * @param from the from clause
 * @param refusal an expression that fails if the list cannot be made
 */
export function listingLines(
  rows: GraphRows,
  list: number,
  graph: Graph,
  origin: Sql,
  from: Lines,
  refusal: Lines | null,
): Lines {
  const number = quoteIdentifier(rows.number);
  const values: readonly (readonly [setting: Sql, value: Sql])[] = [
    [parentSetting(list), sql`${SOURCE}.${quoteIdentifier(rows.parent)}`],
    ...(graph.lists[list]?.columns ?? []).map(
      (column, index) =>
        [keySetting(list, index), sql`${storedKey(column, origin)}::pg_catalog.text`] as const,
    ),
    ...rows.kept.map(
      (kept) => [objectsSetting(kept.list), sql`${SOURCE}.${quoteIdentifier(kept.name)}`] as const,
    ),
  ];
  return [
    ...listed(sql`select `, [
      ...values.map(([setting], index): Lines => [
        sql`pg_catalog.set_config(${setting}, coalesce(pg_catalog.json_agg("row"."${index}"), '[]')::pg_catalog.text, true)`,
      ]),
      ...(refusal === null ? [] : [refusal]),
    ]),
    ...enclosed(
      sql`  from `,
      [
        ...listed(
          sql`select `,
          values.map(([, value], index) => [sql`${value} as "${index}"`]),
        ),
        ...from,
        sql` order by ${SOURCE}.${number}`,
      ],
      sql` as ${ROW}`,
    ),
  ];
}

/** The value of a key as it is stored: a numeric of two decimal places is rounded, for example. */
function storedKey({ name, type, storedType }: KeyColumn, origin: Sql): Sql {
  const value = sql`${origin}.${quoteIdentifier(name)}`;
  return type === storedType ? value : sql`${value}::${catalogueSql(storedType)}`;
}

/** Returns the index of a column in its list. */
export const indexOf = ({ lists }: Graph, list: number, key: string): number =>
  lists[list]?.columns.findIndex(({ name }) => name === key) ?? -1;

/**
 * Returns a select statement for the rows of a resource: the values of the objects, the keys of other rows, defaults, the
 * number of the object among all objects of the resource, and that of its parent.
 * @param isListed whether the keys of the rows are listed by these numbers
 */
export function graphSourceLines(
  rows: GraphRows & Pick<InsertStep, 'made'>,
  isListed: boolean,
  graph: Graph,
  parameters: ParameterList,
): Lines {
  const { columns, kept, links, made, number, object, parent } = rows;
  const counted = isListed || links.some(({ to }) => to === 'child');
  const linked = new Set(links.flatMap(({ pairs }) => pairs.map(({ column }) => column)));
  const items = [
    ...columns
      .filter(({ name }) => !linked.has(name))
      .map(({ name }) => sql`${ROW}.${quoteIdentifier(name)}`),
    ...links.flatMap((link) => linkItems(link, rows, graph)),
    ...made.map((column) => sql`${catalogueSql(column.sql)} as ${quoteIdentifier(column.name)}`),
    ...kept.map(({ name }) => sql`${ROW}.${quoteIdentifier(name)}`),
    ...(object === null ? [] : [sql`${ROW}.${quoteIdentifier(object)}`]),
    sql`${ROW}.${quoteIdentifier(number)}`,
    sql`${ROW}.${quoteIdentifier(parent)}`,
  ];
  return [
    ...listed(
      sql`select `,
      items.map((item) => [item]),
    ),
    ...enclosed(sql`  from `, objectLines(rows, counted, parameters), sql` as ${ROW}`),
    ...links.flatMap((link) => linkJoin(link, rows, graph)),
    // Sequences advance in the order of the objects: PostgreSQL evaluates volatile expressions after the sort.
    ...(made.length === 0 ? [] : [sql` order by ${ROW}.${quoteIdentifier(number)}`]),
  ];
}

const linkAlias = ({ list }: GraphLink): Sql => sql`"list_${list}"`;

function linkItems(link: GraphLink, { columns }: GraphRows, graph: Graph): readonly Sql[] {
  const alias = linkAlias(link);
  return link.pairs.map(({ column, key, otherwise }) => {
    const name = quoteIdentifier(column);
    const value = keySql(alias, indexOf(graph, link.list, key));
    if (link.to === 'parent') return sql`${value} as ${name}`;
    const own = columns.some((written) => written.name === column)
      ? sql`${ROW}.${name}`
      : otherwise === null
        ? null
        : catalogueSql(otherwise);
    return own === null
      ? sql`${value} as ${name}`
      : sql`case when ${alias}."number" is null then ${own} else ${value} end as ${name}`;
  });
}

function linkJoin(link: GraphLink, { number, parent }: GraphRows, graph: Graph): Lines {
  const alias = linkAlias(link);
  const source = listSource(graph, link.list, alias);
  return link.to === 'parent'
    ? hang(sql`  join `, tailed(source, sql` on ${alias}."number" = ${ROW}.${quoteIdentifier(parent)}`))
    : hang(sql`  left join `, tailed(source, sql` on ${alias}."parent" = ${ROW}.${quoteIdentifier(number)}`));
}
