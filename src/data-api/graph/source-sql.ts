/** The objects of a resource of a graph, read from the body or from the values that a statement before has listed. */
import {
  keySetting,
  keySql,
  listSource,
  objectsSetting,
  parentSetting,
  columnItems,
} from '../sql/payload.js';
import {
  block,
  catalogueSql,
  clauses,
  hung,
  joinSql,
  listed,
  quoteIdentifier,
  type Sql,
  sql,
} from '../../postgres/sql.js';
import {
  type Graph,
  type GraphLink,
  type GraphPair,
  type GraphRows,
  type InsertStep,
  type KeyColumn,
  linkedColumns,
} from '../plan/graph.js';
import { columnOf, commas, constantSql, equalColumns, nameSql } from '../sql/sql-text.js';
import { firstRefusal, refusalOfRows, refusalSql } from '../sql/refusal.js';
import type { QualifiedName } from '../schema-cache/types.js';

/** The body, which the first statement sets, so that it is sent once. */
const BODY_JSON = sql`pg_catalog.current_setting('dbr.graph_body')::pg_catalog.json`;

const ROW = sql`"row"`;

/**
 * Returns a select statement for the objects of a resource, with their numbers in the order of the body.
 * @param counted whether the number is that among all objects of the resource; otherwise among those of its parent
 */
function objectSql(rows: GraphRows, counted: boolean): Sql {
  const { columns, kept, levels, number, object, parent } = rows;
  const last = levels.length - 1;
  const isRoot = last === 0;
  const value = isRoot ? BODY_JSON : sql`"outer"."value"`;
  const many = levels[last]?.many ?? true;
  const hasMembers = columns.length > 0 || kept.length > 0;
  const plain = hasMembers && object === null && columns.every((column) => column.default === null);
  const inner = plain ? columnOf(ROW, number) : sql`"object"."number"`;
  const items = [
    ...columnItems(columns),
    ...kept.map(({ name }) => columnOf(ROW, name)),
    ...(object === null ? [] : [sql`"object"."value" as ${quoteIdentifier(object)}`]),
    isRoot || !counted
      ? sql`${inner} as ${quoteIdentifier(number)}`
      : sql`pg_catalog.row_number() over (order by "outer"."number", ${inner}) as ${quoteIdentifier(number)}`,
    sql`${isRoot ? sql`null::pg_catalog.int8` : sql`"outer"."number"`} as ${quoteIdentifier(parent)}`,
  ];
  const objects = plain ? recordSource(rows, value, many) : objectSource(rows, value, many);
  const select = listed(sql`select `, items);
  if (isRoot) return clauses(select, sql`  from ${hung(objects)}`);
  return clauses(
    select,
    sql`  from ${block(outerSql(rows, last - 1))} as "outer" ("value", "number"),`,
    sql`       lateral ${hung(objects)}`,
    sql` where ${hasValue(sql`"outer"."value"`)}`,
  );
}

/** Whether the value is not null, neither of SQL nor of JSON. */
const hasValue = (value: Sql): Sql => sql`pg_catalog.json_typeof(${value}) <> 'null'`;

/** Whether the value of a related resource has rows; null for null. An object is a one-to-one resource. */
const hasRows = (value: Sql): Sql =>
  sql`case pg_catalog.json_typeof(${value}) when 'array' then pg_catalog.json_array_length(${value}) > 0 when 'object' then true end`;

/** The members of one object, or of each object of an array, read with their types. */
function members({ columns, kept }: GraphRows, value: Sql, many: boolean): Sql {
  const read = many ? sql`json_to_recordset` : sql`json_to_record`;
  const typed = [
    ...columns.map(({ name, type }) => sql`${quoteIdentifier(name)} ${catalogueSql(type)}`),
    ...kept.map(({ key }) => sql`${quoteIdentifier(key)} pg_catalog.json`),
  ];
  return sql`rows from (pg_catalog.${read}(${value}) as (${commas(typed)}))`;
}

const memberNames = ({ columns, kept }: GraphRows): readonly Sql[] =>
  [...columns, ...kept].map(({ name }) => quoteIdentifier(name));

function recordSource(rows: GraphRows, value: Sql, many: boolean): Sql {
  const names = commas([...memberNames(rows), quoteIdentifier(rows.number)]);
  return clauses(sql`${members(rows, value, many)}`, sql`  with ordinality as ${ROW} (${names})`);
}

/** The objects, and their members, if there are any. */
function objectSource(rows: GraphRows, value: Sql, many: boolean): Sql {
  const objects = many
    ? sql`pg_catalog.json_array_elements(${value}) with ordinality as "object" ("value", "number")`
    : sql`(select ${value}, 1::pg_catalog.int8) as "object" ("value", "number")`;
  const names = memberNames(rows);
  if (names.length === 0) return objects;
  return clauses(
    sql`${objects},`,
    sql`lateral ${members(rows, sql`"object"."value"`, false)} as ${ROW} (${commas(names)})`,
  );
}

/**
 * Returns a select statement for the values that contain the objects of the next level, with the number of the object
 * that has the value.
 */
function outerSql({ levels, begin }: Pick<GraphRows, 'levels' | 'begin'>, at: number): Sql {
  if (begin !== null && begin.level === at + 1)
    return clauses(
      sql`select "item"."value", "item"."number"`,
      sql`  from pg_catalog.json_array_elements(pg_catalog.current_setting(${objectsSetting(begin.list)})::pg_catalog.json)`,
      sql`       with ordinality as "item" ("value", "number")`,
    );
  const key = quoteIdentifier(levels[at + 1]?.key ?? '');
  const many = levels[at]?.many ?? true;
  const read = many ? sql`json_to_recordset` : sql`json_to_record`;
  const record = (value: Sql): Sql =>
    sql`rows from (pg_catalog.${read}(${value}) as (${key} pg_catalog.json))`;
  if (at === 0)
    return clauses(
      sql`select "inner"."value", "inner"."number"`,
      sql`  from ${record(BODY_JSON)} with ordinality as "inner" ("value", "number")`,
    );
  return clauses(
    sql`select "inner"."value", pg_catalog.row_number() over (order by "outer"."number", "inner"."number")`,
    sql`  from ${block(outerSql({ levels, begin }, at - 1))} as "outer" ("value", "number"),`,
    sql`       lateral ${record(sql`"outer"."value"`)} with ordinality as "inner" ("value", "number")`,
    sql` where ${hasValue(sql`"outer"."value"`)}`,
  );
}

/** Returns the condition that the object of a row lacks a key. */
function lacks(rows: Pick<GraphRows, 'object'>, alias: Sql, key: string): Sql {
  const name = constantSql(key);
  return sql`${columnOf(alias, rows.object ?? '')} -> ${name} is null`;
}

/** Name of the common table expression with the rows that the objects of a resource describe. */
export const SOURCE = sql`"source"`;

/** Returns this common table expression. */
export const sourceExpression = (rows: DescribedRows, graph: Graph): Sql =>
  sql`with ${SOURCE} as materialized ${block(graphSourceSql(rows, true, graph))}`;

/** Rows, and the defaults that they get before they are inserted. */
type DescribedRows = GraphRows & Partial<Pick<InsertStep, 'made'>>;

/**
 * Returns a select statement that sets the settings of a list, and those of the values that its objects contain.
 * @param origin the rows with the key columns
 * @param from the from clause
 * @param refusals expressions that fail if the list cannot be made, and are null otherwise
 */
export function listingSql(
  rows: GraphRows,
  list: number,
  graph: Graph,
  origin: Sql,
  from: Sql,
  refusals: readonly Sql[],
): Sql {
  const number = quoteIdentifier(rows.number);
  const failures = [...refusals, ...keylessRefusals(rows, origin, from)];
  const values: readonly (readonly [setting: Sql, value: Sql])[] = [
    [parentSetting(list), columnOf(SOURCE, rows.parent)],
    ...(graph.lists[list] ?? []).map(
      (column, index) =>
        [keySetting(list, index), sql`${storedKey(column, origin)}::pg_catalog.text`] as const,
    ),
    ...rows.kept.map((kept) => [objectsSetting(kept.list), columnOf(SOURCE, kept.name)] as const),
  ];
  const lists = values.map(
    ([setting], index) =>
      sql`pg_catalog.set_config(${setting}, coalesce(pg_catalog.json_agg("row"."${index}"), '[]')::pg_catalog.text, true)`,
  );
  const items = values.map(([, value], index) => sql`${value} as "${index}"`);
  const listedRows = clauses(listed(sql`select `, items), from, sql` order by ${SOURCE}.${number}`);
  return clauses(
    listed(sql`select `, failures.length === 0 ? lists : [...lists, firstRefusal(failures)]),
    sql`  from ${block(listedRows)} as ${ROW}`,
  );
}

/** Makes the statement fail for the first row that related rows cannot refer to, because its key is null. */
function keylessRefusals(rows: GraphRows, origin: Sql, from: Sql): readonly Sql[] {
  const terms = rows.kept.flatMap(({ name, keys }) =>
    keys.map((key) => {
      const value = columnOf(SOURCE, name);
      return sql`${columnOf(origin, key)} is null and ${hasRows(value)}`;
    }),
  );
  if (terms.length === 0) return [];
  return [firstObject('keyless', rows, from, [joinSql(terms, ' or ')])];
}

/** The value of a key as it is stored: a numeric of two decimal places is rounded, for example. */
function storedKey({ name, type, storedType }: KeyColumn, origin: Sql): Sql {
  const value = columnOf(origin, name);
  return type === storedType ? value : sql`${value}::${catalogueSql(storedType)}`;
}

/**
 * Returns a select statement for the rows of a resource: the values of the objects, the keys of other rows, defaults, the
 * number of the object among all objects of the resource, and that of its parent.
 * @param isListed whether the keys of the rows are listed by these numbers
 */
export function graphSourceSql(rows: DescribedRows, isListed: boolean, graph: Graph): Sql {
  const { columns, kept, links, made = [], number, object, parent } = rows;
  const counted =
    isListed || links.some(({ to, pairs }) => to === 'child' || pairs.some(({ given }) => given !== null));
  const linked = new Set(linkedColumns(links));
  const items = [
    ...columns.filter(({ name }) => !linked.has(name)).map(({ name }) => columnOf(ROW, name)),
    ...links.flatMap((link) => linkItems(link, rows, graph)),
    ...made.map((column) => sql`${catalogueSql(column.sql)} as ${quoteIdentifier(column.name)}`),
    ...kept.map(({ name }) => columnOf(ROW, name)),
    ...(object === null ? [] : [columnOf(ROW, object)]),
    columnOf(ROW, number),
    columnOf(ROW, parent),
  ];
  return clauses(
    listed(sql`select `, items),
    sql`  from ${block(objectSql(rows, counted))} as ${ROW}`,
    ...links.map((link) => linkJoin(link, rows, graph)),
    // Sequences advance in the order of the objects: PostgreSQL evaluates volatile expressions after the sort.
    made.length === 0 ? sql`` : sql` order by ${columnOf(ROW, number)}`,
  );
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
  value: keySql(linkAlias(link), graph, link.list, key),
  number: sql`${linkAlias(link)}."parent"`,
  refusal: 'unequal',
});

/** The value that the object itself has for a column of a link. */
function givenValues({ column, given }: GraphPair, { to }: GraphLink, rows: GraphRows): readonly Candidate[] {
  if (given === null) return [];
  const value = columnOf(ROW, column);
  const isPresent = joinSql(
    [sql`${value} is not null`, ...(rows.object === null ? [] : [sql`not (${lacks(rows, ROW, column)})`])],
    ' and ',
  );
  // The number of the only object is a constant.
  const number = to === 'parent' ? columnOf(ROW, rows.number) : null;
  return [{ isPresent, value: sql`${value}::${catalogueSql(given)}`, number, refusal: 'differs' }];
}

function linkItems(link: GraphLink, rows: GraphRows, graph: Graph): readonly Sql[] {
  return link.pairs.map((pair) => {
    const { column, key, otherwise, given } = pair;
    const name = quoteIdentifier(column);
    const first = candidate(link, key, graph);
    const others = rows.links.flatMap((one) =>
      one.shared.filter((other) => other.column === column).map((other) => candidate(one, other.key, graph)),
    );
    const all = [first, ...others, ...givenValues(pair, link, rows)];
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

function linkJoin(link: GraphLink, { number, parent }: GraphRows, graph: Graph): Sql {
  const alias = linkAlias(link);
  const source = listSource(graph, link.list, alias);
  return link.to === 'parent'
    ? sql`  join ${hung(sql`${source} on ${alias}."number" = ${columnOf(ROW, parent)}`)}`
    : sql`  left join ${hung(sql`${source} on ${alias}."parent" = ${columnOf(ROW, number)}`)}`;
}

const STORED = sql`"stored"`;

/** Returns the join with the rows as they were before the statement, found by these columns. */
export function storedRows(target: QualifiedName, key: readonly string[]): Sql {
  const terms = equalColumns(STORED, SOURCE, key);
  return sql`  left join ${nameSql(target)} as ${STORED} on ${joinSql(terms, ' and ')}`;
}

/**
 * Makes the statement fail for the first object with a value of a generated column that its row neither had nor has.
 * The values are compared as JSON, which every type has.
 * @param stored the join with the rows before the statement; empty for none
 * @param written the alias of the rows after the statement
 * @param from the from clause of the objects and these rows
 */
export function generatedRefusals(step: GraphRows, stored: Sql, written: Sql, from: Sql): readonly Sql[] {
  if (step.generated.length === 0) return [];
  const aliases = stored.length === 0 ? [written] : [STORED, written];
  const terms = step.generated.map(({ name, storedType }) => {
    const column = quoteIdentifier(name);
    const value = sql`${SOURCE}.${column}`;
    const differences = aliases.map(
      (alias) =>
        sql`pg_catalog.to_jsonb(${value}::${catalogueSql(storedType)}) is distinct from pg_catalog.to_jsonb(${alias}.${column})`,
    );
    return sql`(${joinSql([sql`${value} is not null`, ...differences], ' and ')})`;
  });
  return [firstObject('generated', step, clauses(from, stored), [joinSql(terms, ' or ')])];
}

/** Makes the statement fail for the first object of the rows. */
export const firstObject = (
  kind: Parameters<typeof refusalOfRows>[0],
  { number }: GraphRows,
  from: Sql,
  terms: readonly Sql[],
): Sql => refusalOfRows(kind, sql`pg_catalog.min(${columnOf(SOURCE, number)})`, from, terms);
