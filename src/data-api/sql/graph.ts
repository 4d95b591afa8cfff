/**
 * The statements that insert a graph, one for each resource (docs/graphs.md). A statement reads the objects of its
 * resource from the body, inserts their rows, and leaves their keys in a setting for the statements after it. Policies
 * and triggers therefore see all rows of the statements before.
 */
import { catalogueSql, joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type {
  Graph,
  GraphLink,
  GraphRows,
  GraphStep,
  InsertStep,
  JunctionSide,
  JunctionStep,
  KeyColumn,
  LookUpStep,
  WrittenKeys,
} from '../plan/graph.js';
import { nameSql } from './field.js';
import { keySetting, keySql, listSource, objectsSetting, parentSetting } from './graph-list.js';
import { enclosed, hang, type Lines, listed, tailed, whereLines } from './lines.js';
import { conflictLines, countBy } from './conflict.js';
import { objectLines } from './graph-objects.js';
import { BODY } from './payload.js';
import { refusalSql } from './refusal.js';
import { parameterList, type ParameterList, type SqlText } from './sql-text.js';

const SOURCE = sql`"source"`;
const ROW = sql`"row"`;

/** Returns the statements of a graph, in order. */
export const graphSql = (graph: Graph): readonly SqlText[] => [
  { text: sql`select pg_catalog.set_config('dbr.graph_body', $1, true)`, parameters: [BODY] },
  ...graph.steps.map((step) => {
    const parameters = parameterList();
    const lines = stepLines(step, graph, parameters);
    return { text: joinSql(lines, '\n'), parameters: parameters.all() };
  }),
];

function stepLines(step: GraphStep, graph: Graph, parameters: ParameterList): Lines {
  switch (step.kind) {
    case 'insert':
      return step.keys === null
        ? insertLines(step, sourceLines(step, false, graph, parameters))
        : listedInsert(step, step.keys, graph, parameters);
    case 'look up':
      return lookUpLines(step, graph, parameters);
    case 'junction':
      return junctionLines(step, graph);
  }
}

/** The names of the columns that an insert writes. */
const writtenNames = ({ columns, links, made }: InsertStep): readonly string[] => [
  ...new Set([
    ...columns.map(({ name }) => name),
    ...links.flatMap(({ pairs }) => pairs.map(({ column }) => column)),
    ...made.map(({ name }) => name),
  ]),
];

/** @param rows a select statement for the rows */
function insertLines(step: InsertStep, rows: Lines | null): Lines {
  const names = writtenNames(step).map(quoteIdentifier);
  const list = joinSql(names, ', ');
  const updated = writtenNames({ ...step, made: [] }).map((name) => ({ name }));
  return [
    sql`insert into ${nameSql(step.target)}${names.length === 0 ? '' : sql` (${list})`}`,
    names.length === 0 ? sql`select` : sql`select ${list}`,
    ...(rows === null ? [sql`  from ${SOURCE}`] : enclosed(sql`  from `, rows, sql` as ${SOURCE}`)),
    ...(step.counts ? whereLines([countBy('+ 1')]) : []),
    sql` order by ${rows === null ? '' : sql`${quoteIdentifier(step.parent)}, `}${quoteIdentifier(step.number)}`,
    ...conflictLines(step.conflict, updated, step.counts),
  ];
}

/** Inserts rows and lists their keys. */
function listedInsert(step: InsertStep, keys: WrittenKeys, graph: Graph, parameters: ParameterList): Lines {
  const names = keyNames(graph, keys.list);
  const returns = keys.from === 'returned' || keys.compared;
  const insert = [
    ...insertLines(step, null),
    ...(returns ? [sql`returning ${names.length === 0 ? '1' : joinSql(names, ', ')}`] : []),
  ];
  const number = quoteIdentifier(step.number);
  const origin = keys.from === 'given' ? SOURCE : RETURNED;
  const from = [
    sql`  from ${SOURCE}`,
    ...(returns ? [sql`  left join ${RETURNED} on ${RETURNED}.${number} = ${SOURCE}.${number}`] : []),
  ];
  return [
    ...tailed(
      enclosed(sql`with ${SOURCE} as materialized `, sourceLines(step, true, graph, parameters)),
      sql`,`,
    ),
    ...enclosed(sql`     "inserted" as `, insert, returns ? sql`,` : sql``),
    ...(returns
      ? enclosed(sql`     ${RETURNED} as `, [
          sql`select pg_catalog.row_number() over () as ${number}, "inserted".*`,
          sql`  from "inserted"`,
        ])
      : []),
    ...listingLines(step, keys.list, graph, origin, from, returns ? changedRefusal(step, keys, graph) : null),
  ];
}

const RETURNED = sql`"returned"`;

const keyNames = ({ lists }: Graph, list: number): readonly Sql[] =>
  (lists[list]?.columns ?? []).map(({ name }) => quoteIdentifier(name));

/**
 * Returns a select statement that sets the settings of a list, and those of the values that its objects contain.
 * @param origin the rows with the key columns
 * @param from the from clause
 * @param refusal an expression that fails if the list cannot be made
 */
function listingLines(
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

/** Makes the statement fail for the first object whose row was skipped or has another key than the given one. */
function changedRefusal(step: InsertStep, keys: WrittenKeys, graph: Graph): Lines {
  const number = quoteIdentifier(step.number);
  const columns = graph.lists[keys.list]?.columns ?? [];
  const differs = keys.compared
    ? columns.map(({ name, storedType }) => {
        const column = quoteIdentifier(name);
        return sql`${SOURCE}.${column}::${catalogueSql(storedType)} is distinct from ${RETURNED}.${column}`;
      })
    : [];
  const terms = [sql`${RETURNED}.${number} is null`, ...differs];
  return enclosed(sql``, [
    sql`select ${refusalSql('changed', sql`pg_catalog.min(${SOURCE}.${number})`)}`,
    sql`  from ${SOURCE}`,
    sql`  left join ${RETURNED} on ${RETURNED}.${number} = ${SOURCE}.${number}`,
    sql` where ${joinSql(terms, ' or ')}`,
  ]);
}

/** Lists the keys of the rows that have the values of the objects in the columns of the conflict. */
function lookUpLines(step: LookUpStep, graph: Graph, parameters: ParameterList): Lines {
  const found = sql`"found"`;
  const terms = step.by.map(
    (name) => sql`${found}.${quoteIdentifier(name)} = ${SOURCE}.${quoteIdentifier(name)}`,
  );
  const from = [
    sql`  from ${SOURCE}`,
    sql`  left join ${nameSql(step.target)} as ${found} on ${joinSql(terms, ' and ')}`,
  ];
  const [first = ''] = step.by;
  const refusal = enclosed(sql``, [
    sql`select ${refusalSql('unfound', sql`pg_catalog.min(${SOURCE}.${quoteIdentifier(step.number)})`)}`,
    ...from,
    sql` where ${found}.${quoteIdentifier(first)} is null`,
  ]);
  return [
    ...enclosed(
      sql`with ${SOURCE} as materialized `,
      sourceLines({ ...step, made: [] }, true, graph, parameters),
    ),
    ...listingLines(step, step.list, graph, found, from, refusal),
  ];
}

function junctionLines(step: JunctionStep, graph: Graph): Lines {
  const child = sql`"child"`;
  const parent = sql`"parent"`;
  const values = (side: JunctionSide, alias: Sql): readonly Sql[] =>
    side.pairs.map(({ key }) => keySql(alias, indexOf(graph, side.list, key)));
  const columns = [...step.child.pairs, ...step.parent.pairs].map(({ column }) => quoteIdentifier(column));
  return [
    sql`insert into ${nameSql(step.target)} (${joinSql(columns, ', ')})`,
    sql`select ${joinSql([...values(step.child, child), ...values(step.parent, parent)], ', ')}`,
    ...hang(sql`  from `, listSource(graph, step.child.list, child)),
    ...hang(
      sql`  join `,
      tailed(listSource(graph, step.parent.list, parent), sql` on ${parent}."number" = ${child}."parent"`),
    ),
    sql` order by ${child}."number"`,
    ...conflictLines(step.conflict, [], false),
  ];
}

const indexOf = ({ lists }: Graph, list: number, key: string): number =>
  lists[list]?.columns.findIndex(({ name }) => name === key) ?? -1;

/**
 * Returns a select statement for the rows of a resource: the values of the objects, the keys of other rows, defaults, the
 * number of the object among all objects of the resource, and that of its parent.
 * @param isListed whether the keys of the rows are listed by these numbers
 */
function sourceLines(
  rows: GraphRows & Pick<InsertStep, 'made'>,
  isListed: boolean,
  graph: Graph,
  parameters: ParameterList,
): Lines {
  const { columns, kept, links, made, number, parent } = rows;
  const counted = isListed || links.some(({ to }) => to === 'child');
  const linked = new Set(links.flatMap(({ pairs }) => pairs.map(({ column }) => column)));
  const items = [
    ...columns
      .filter(({ name }) => !linked.has(name))
      .map(({ name }) => sql`${ROW}.${quoteIdentifier(name)}`),
    ...links.flatMap((link) => linkItems(link, rows, graph)),
    ...made.map((column) => sql`${catalogueSql(column.sql)} as ${quoteIdentifier(column.name)}`),
    ...kept.map(({ name }) => sql`${ROW}.${quoteIdentifier(name)}`),
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
