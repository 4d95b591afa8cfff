/** The rows of the objects of a resource, and the lists of their keys. */
import { catalogueSql, joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { Graph, GraphLink, GraphPair, GraphRows, InsertStep, KeyColumn } from '../plan/graph.js';
import { keySetting, keySql, listSource, objectsSetting, parentSetting } from './graph-list.js';
import { hasRows, lacks, objectLines } from './graph-objects.js';
import { enclosed, hang, type Lines, listed, tailed, whereLines } from './lines.js';
import { firstRefusal, refusalSql } from './refusal.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const ROW = sql`"row"`;

/**
 * Returns a select statement that sets the settings of a list, and those of the values that its objects contain.
 * @param origin the rows with the key columns
 * @param from the from clause
 * @param refusals expressions that fail if the list cannot be made, and are null otherwise
 */
export function listingLines(
  rows: GraphRows,
  list: number,
  graph: Graph,
  origin: Sql,
  from: Lines,
  refusals: readonly Lines[],
): Lines {
  const number = quoteIdentifier(rows.number);
  const failures = [...refusals, ...keylessRefusals(rows, origin, from)];
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
      ...(failures.length === 0 ? [] : [firstRefusal(failures)]),
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

/** Makes the statement fail for the first row that related rows cannot refer to, because its key is null. */
function keylessRefusals(rows: GraphRows, origin: Sql, from: Lines): readonly Lines[] {
  const terms = rows.kept.flatMap(({ name, keys }) =>
    keys.map((key) => {
      const value = sql`${SOURCE}.${quoteIdentifier(name)}`;
      return sql`${origin}.${quoteIdentifier(key)} is null and ${hasRows(value)}`;
    }),
  );
  if (terms.length === 0) return [];
  const number = sql`pg_catalog.min(${SOURCE}.${quoteIdentifier(rows.number)})`;
  return [
    enclosed(sql``, [
      sql`select ${refusalSql('keyless', number)}`,
      ...from,
      ...whereLines([[joinSql(terms, ' or ')]]),
    ]),
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
  const counted =
    isListed || links.some(({ to, pairs }) => to === 'child' || pairs.some(({ given }) => given !== null));
  const linked = new Set(links.flatMap(({ pairs }) => pairs.map(({ column }) => column)));
  const items = [
    ...columns
      .filter(({ name }) => !linked.has(name))
      .map(({ name }) => sql`${ROW}.${quoteIdentifier(name)}`),
    ...links.flatMap((link) => linkItems(link, rows, graph, parameters)),
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

/** The key of a row to which a column may refer. */
export interface Candidate {
  /** Whether the row is there. */
  readonly isPresent: Sql;
  readonly value: Sql;
  /** Number of the object with the column, if the row is that of a related object; null for that of the candidate before. */
  readonly number: Sql | null;
  /** The refusal of a value that differs from those of the candidates before. */
  readonly refusal: 'unequal' | 'differs';
}

const candidate = (link: GraphLink, key: string, graph: Graph): Candidate => ({
  isPresent: link.to === 'parent' ? sql`true` : sql`${linkAlias(link)}."number" is not null`,
  value: keySql(linkAlias(link), indexOf(graph, link.list, key)),
  number: sql`${linkAlias(link)}."parent"`,
  refusal: 'unequal',
});

/** The value that the object itself has for a column of a link. */
function givenValues(
  { column, given }: GraphPair,
  { to }: GraphLink,
  rows: GraphRows,
  parameters: ParameterList,
): readonly Candidate[] {
  if (given === null) return [];
  const value = sql`${ROW}.${quoteIdentifier(column)}`;
  const isPresent = joinSql(
    [
      ...(rows.nulls ? [] : [sql`${value} is not null`]),
      ...(rows.object === null ? [] : [sql`not (${lacks(rows, ROW, column, parameters)})`]),
    ],
    ' and ',
  );
  // The number of the only object is a constant.
  const number = to === 'parent' ? sql`${ROW}.${quoteIdentifier(rows.number)}` : null;
  return [{ isPresent, value: sql`${value}::${catalogueSql(given)}`, number, refusal: 'differs' }];
}

function linkItems(
  link: GraphLink,
  rows: GraphRows,
  graph: Graph,
  parameters: ParameterList,
): readonly Sql[] {
  return link.pairs.map((pair) => {
    const { column, key, otherwise, given } = pair;
    const name = quoteIdentifier(column);
    const first = candidate(link, key, graph);
    const others = rows.links.flatMap((one) =>
      one.shared.filter((other) => other.column === column).map((other) => candidate(one, other.key, graph)),
    );
    const all = [first, ...others, ...givenValues(pair, link, rows, parameters)];
    if (link.to === 'parent') return sql`${equalValue(first.value, all)} as ${name}`;
    const own = given !== null ? sql`${ROW}.${name}` : otherwise === null ? null : catalogueSql(otherwise);
    if (own === null && others.length === 0) return sql`${first.value} as ${name}`;
    const cases = [first, ...others].map(({ isPresent, value }) => sql`when ${isPresent} then ${value}`);
    const value = sql`case ${joinSql(cases, ' ')} else ${own ?? sql`null`} end`;
    return sql`${equalValue(value, all)} as ${name}`;
  });
}

/** Returns the value of a column, or an expression that fails where the rows to which it may refer have different keys. */
export function equalValue(value: Sql, candidates: readonly Candidate[]): Sql {
  const refusals = candidates.flatMap((one, at) =>
    candidates.slice(at + 1).map((other) => {
      const differs = sql`${one.isPresent} and ${other.isPresent} and ${one.value} is distinct from ${other.value}`;
      // The number must come from a row: PostgreSQL evaluates an expression without columns when it plans the statement.
      const number = other.number ?? one.number ?? sql`null`;
      return sql`when ${differs} then ${refusalSql(other.refusal, number)} is null`;
    }),
  );
  return refusals.length === 0
    ? value
    : sql`case when case ${joinSql(refusals, ' ')} end then null else ${value} end`;
}

function linkJoin(link: GraphLink, { number, parent }: GraphRows, graph: Graph): Lines {
  const alias = linkAlias(link);
  const source = listSource(graph, link.list, alias);
  return link.to === 'parent'
    ? hang(sql`  join `, tailed(source, sql` on ${alias}."number" = ${ROW}.${quoteIdentifier(parent)}`))
    : hang(sql`  left join `, tailed(source, sql` on ${alias}."parent" = ${ROW}.${quoteIdentifier(number)}`));
}
