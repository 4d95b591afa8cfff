import {
  block,
  clauses,
  hung,
  listed,
  quoteIdentifier,
  quoteLiteral,
  quoteQualified,
  type Sql,
  sql,
} from '../../postgres/sql.js';
import type {
  Condition,
  Cut,
  Embed,
  FieldExpression,
  Link,
  OrderTerm,
  ReadNode,
  RowRange,
  SelectItem,
  Source,
} from '../plan/expression.js';
import { callSource, type ExtraColumns } from './main-statement.js';
import {
  conditionSql,
  fieldValue,
  noEmbed,
  orderedSql,
  pageCondition,
  type TermSql,
  valueSql,
} from './condition.js';
import { columnSql, commas, fieldSql, nameSql, operandSql, ROWS, whereSql } from './sql-text.js';
import type { ColumnPair } from '../schema-cache/types.js';
import { refusalSql } from './refusal.js';

/**
 * Returns the select statement of a node of the read tree: its columns, its embeds, its rows.
 *
 * The form of an embed determines its cost (docs/internals/statements.md). A scalar sub-select in the select list is
 * evaluated after `limit`, for the returned rows only: this suits arrays and pages. If all rows are returned, a
 * to-one embed is joined, so that PostgreSQL can hash it. Embeds are also joined if they need separate columns
 * (spread, grouping), if an inner to-one embed filters the parents, and if a to-one embed may match several rows
 * (computed relationships), for which a sub-select would fail.
 */
export function nodeSql(node: ReadNode): Sql {
  return selectSql(node, sourceSql(node), []);
}

/**
 * `select from …` of the same rows without columns, order and joins: for counting and for the planner's estimate. Groups
 * with a condition and distinct rows depend on the columns.
 */
export function countedSql(node: ReadNode): Sql {
  if (isSelective(node)) return selectSql(unordered(node), sourceSql(node), []);
  return clauses(
    sql`select`,
    sql`  from ${hung(sourceSql(node))}`,
    whereSql(conditionsOf(node, requiredConditions(node))),
  );
}

/** Whether the select list determines which rows there are. */
const isSelective = ({ having, distinct }: ReadNode): boolean => having !== null || distinct !== null;

/** The same rows without their order. @param range all rows by default */
function unordered(node: ReadNode, range: RowRange = ALL): ReadNode {
  const { seek: _seek, ...rest } = node;
  return { ...rest, order: [], range };
}

const ALL: RowRange = { limit: null, offset: null };

/** @param link the conditions that link the rows to a row of the parent */
function selectSql(node: ReadNode, source: Sql, link: readonly Sql[]): Sql {
  const joined = node.embeds.filter((embed) => isJoined(embed, node));
  return clauses(
    selectClause(node),
    sql`  from ${hung(source)}`,
    ...joined.map((embed) => joinClause(embed, node)),
    whereSql([...link, ...conditionsOf(node, innerConditions(node)), ...seekTerms(node)]),
    groupClause(node),
    havingClause(node),
    orderClause(node),
    rangeClause(node.range),
  );
}

function selectClause(node: ReadNode): Sql {
  const select = sql`select${distinctSql(node)}`;
  if (node.select.length === 0) return select;
  return listed(
    sql`${select} `,
    node.select.map((item) => itemSql(item, node)),
  );
}

function distinctSql({ distinct }: ReadNode): Sql {
  if (distinct === null) return sql``;
  if (distinct.kind === 'all') return sql` distinct`;
  const fields = distinct.fields.map((field) => fieldSql(field));
  return sql` distinct on (${commas(fields)})`;
}

function itemSql(item: SelectItem, node: ReadNode): Sql {
  switch (item.kind) {
    case 'all':
      return sql`${quoteIdentifier(item.relation)}.*`;
    case 'embed':
      return sql`${embedValue(embedOf(node, item.embed), node)} as ${quoteIdentifier(item.name)}`;
    case 'count':
    case 'field':
      return sql`${valueSql(item)} as ${quoteIdentifier(item.name)}`;
  }
}

export function sourceSql(node: ReadNode): Sql {
  const alias = quoteIdentifier(node.alias);
  switch (node.source.kind) {
    case 'relation':
      return sql`${nameSql(node.source.name)} as ${alias}`;
    case 'rows':
      return sql`${quoteIdentifier(ROWS)} as ${alias}`;
    case 'call':
      return callSource(node.source.call, alias);
  }
}

export function termWriter(node: ReadNode): TermSql {
  return (term) =>
    term.embed === null ? orderedSql(term) : relatedField(term, embedOf(node, term.embed), node);
}

function seekTerms(node: ReadNode): readonly Sql[] {
  if (node.seek === undefined) return [];
  const condition = pageCondition(node.seek, 'after', termWriter(node));
  return condition === null ? [] : [condition];
}

export function conditionsOf(node: ReadNode, more: readonly Condition[]): readonly Sql[] {
  return [
    ...guardOf(node.source),
    ...[...node.where, ...more].map((condition) =>
      conditionSql(condition, (alias) => existsSql(embedOf(node, alias), node)),
    ),
  ];
}

/**
 * Returns a condition that makes the statement fail for a relation outside of the schema cache that is a partition
 * without the row security of a table above it: the policies of that table would not hide its rows. PostgreSQL evaluates
 * it once, before it reads a row.
 */
function guardOf(source: Source): readonly Sql[] {
  if (source.kind !== 'relation' || source.isKnown !== false) return [];
  const relation = quoteLiteral(quoteQualified(source.name.schema, source.name.name));
  const rows = clauses(
    sql`select case when pg_catalog.count(*) = 0 then true`,
    sql`            else ${refusalSql('unguarded', sql`(pg_catalog.count(*) * 0)`)} is null end`,
    sql`  from pg_catalog.pg_class as "partition"`,
    sql`  cross join lateral pg_catalog.pg_partition_ancestors("partition".oid) as "above"`,
    sql`  join pg_catalog.pg_class as "protected" on "protected".oid = "above".relid`,
    sql` where "partition".oid = ${relation}::pg_catalog.regclass`,
    sql`   and not "partition".relrowsecurity`,
    sql`   and "protected".relrowsecurity`,
  );
  return [block(rows)];
}

function groupClause(node: ReadNode): Sql {
  if (!node.grouped) return sql``;
  const terms = node.select.flatMap((item): readonly Sql[] => {
    if (item.kind === 'field' && item.aggregate === null)
      return [item.groupedBy === 'value' ? fieldValue(item) : fieldSql(item.expression)];
    if (item.kind === 'embed') return [embedValue(embedOf(node, item.embed), node)];
    return [];
  });
  return terms.length === 0 ? sql`` : listed(sql` group by `, terms);
}

function havingClause({ having }: ReadNode): Sql {
  if (having === null) return sql``;
  return sql`having ${hung(conditionSql(having, noEmbed))}`;
}

function orderClause(node: ReadNode): Sql {
  if (node.order.length === 0) return sql``;
  const terms = node.order.map((term) =>
    term.embed === null
      ? orderTermSql(term)
      : sql`${relatedValue(term, embedOf(node, term.embed), node)}${directionSql(term)}`,
  );
  return listed(sql` order by `, terms);
}

/** Returns a value of a to-one embed: from the joined row if it has the column, because the parent may be repeated. */
function relatedValue(term: OrderTerm, embed: Embed, parent: ReadNode): Sql {
  const isField = term.value === undefined;
  const column = isField && isJoined(embed, parent) ? joinedColumn(term.field, embed, parent) : null;
  return column === null ? relatedField(term, embed, parent) : columnSql(embed.alias, column);
}

/** A term by a value of the relation itself. */
export const orderTermSql = (term: OrderTerm): Sql => sql`${orderedSql(term)}${directionSql(term)}`;

export const directionSql = ({ direction, nulls }: OrderTerm): Sql =>
  sql`${direction === null ? '' : sql` ${direction}`}${nulls === null ? '' : sql` nulls ${nulls}`}`;

/** Returns the clause with a literal limit: with a parameter, PostgreSQL would plan the statement on every run. */
export function rangeClause(range: RowRange): Sql {
  const limit = range.limit === null ? sql`` : sql` limit ${range.limit}`;
  return range.offset === null ? limit : sql`${limit} offset ${operandSql(range.offset)}`;
}

function joinClause(embed: Embed, parent: ReadNode): Sql {
  const toOne = embed.cardinality === 'one';
  const join = embed.join === 'inner' && toOne ? 'inner' : 'left';
  const rows = joinedRows(embed, parent);
  return sql`  ${join} join lateral ${block(rows)} as ${quoteIdentifier(embed.alias)} on true`;
}

/**
 * The rows that an embed is joined as: its own, or one row for a to-many embed, with arrays or with the aggregates of all
 * rows.
 */
function joinedRows(embed: Embed, parent: ReadNode): Sql {
  if (embed.cardinality === 'one') return embedRows(embed, parent);
  if (!embed.spread) return arraySql(embed, parent);
  return hasOneGroup(embed.node) ? embedRows(embed, parent) : columnArrays(embed, parent);
}

/** Whether all rows of a node are one group, so that the node has one row also if there are none. */
const hasOneGroup = ({ grouped, select }: ReadNode): boolean =>
  grouped &&
  select.every((item) => item.kind === 'count' || (item.kind === 'field' && item.aggregate !== null));

/** Returns each column of a to-many spread as one JSON array, `[]` if there are no rows. */
function columnArrays(embed: Embed, parent: ReadNode): Sql {
  const alias = quoteIdentifier(embed.alias);
  const cast = embedCast(parent);
  const arrays = embed.node.select.flatMap((item): readonly (readonly [array: Sql, name: Sql])[] => {
    if (item.kind === 'all') return [];
    const name = quoteIdentifier(item.name);
    const array = sql`pg_catalog.json_agg(${alias}.${name})${cast}`;
    return [[array, name]];
  });
  const items = arrays.map(([array, name], at) =>
    at === 0 ? sql`${noticedSql(array, embed, parent)} as ${name}` : sql`coalesce(${array}, '[]') as ${name}`,
  );
  return clauses(
    listed(sql`select `, items.length === 0 ? [sql`pg_catalog.count(*)`] : items),
    sql`  from ${block(embedRows(embed, parent))} as ${alias}`,
  );
}

/** The embed's value in the select list of its parent. */
function embedValue(embed: Embed, parent: ReadNode): Sql {
  const alias = quoteIdentifier(embed.alias);
  const object = sql`pg_catalog.row_to_json(${alias}.*)${embedCast(parent)}`;
  if (isJoined(embed, parent)) return embed.cardinality === 'many' ? sql`${alias}."array"` : object;
  if (embed.cardinality === 'many') return block(arraySql(embed, parent));
  const rows = sql`  from ${block(embedRows(embed, parent))} as ${alias}`;
  return block(clauses(sql`select ${object}`, rows));
}

const embedCast = ({ jsonbEmbeds }: ReadNode): Sql => (jsonbEmbeds ? sql`::pg_catalog.jsonb` : sql``);

/** Returns all rows of a to-many embed as one JSON array, `[]` if there are none. */
function arraySql(embed: Embed, parent: ReadNode): Sql {
  const alias = quoteIdentifier(embed.alias);
  const array = sql`pg_catalog.json_agg(${alias}.*)${embedCast(parent)}`;
  return clauses(
    sql`select ${hung(noticedSql(array, embed, parent))} as "array"`,
    sql`  from ${block(embedRows(embed, parent))} as ${alias}`,
  );
}

/**
 * Returns the array, `[]` for none, and notices whether it is cut. PostgreSQL looks for a further row only if the array
 * is full.
 */
function noticedSql(array: Sql, embed: Embed, parent: ReadNode): Sql {
  const { cut } = embed;
  if (cut === null) return sql`coalesce(${array}, '[]')`;
  const cast = embedCast(parent);
  return clauses(
    sql`coalesce(case when pg_catalog.count(*) = ${cut.limit}`,
    sql`          and ${hung(existsSql(embed, parent, cut.limit))}`,
    // The notice is the number, so that the value is null.
    sql`         then nullif(${noticeOf(cut)}, '${cut.number}')::pg_catalog.json${cast} end,`,
    sql`         ${array}, '[]')`,
  );
}

/** The rows of an embed that belong to the current row of the parent. */
function embedRows(embed: Embed, parent: ReadNode): Sql {
  return selectSql(embed.node, embedSource(embed, parent), linkTerms(embed, parent));
}

function embedSource(embed: Embed, parent: ReadNode): Sql {
  return linkedSource(embed, parent) ?? sourceSql(embed.node);
}

/**
 * `exists (…)`: the embed has a row for the current row of the parent.
 * @param after the number of rows of its range that come before this row; null for any row that is decisive
 */
function existsSql(embed: Embed, parent: ReadNode, after: bigint | null = null): Sql {
  const { node } = embed;
  const source = embedSource(embed, parent);
  const link = linkTerms(embed, parent);
  const range = after === null ? decisiveRange(node.range) : ALL;
  const beyond = after === null ? sql`` : beyondClause(node.range, after);
  if (isSelective(node) || (after !== null && node.grouped))
    return sql`exists ${block(clauses(selectSql(unordered(node, range), source, link), beyond))}`;
  const rows = clauses(
    sql`select`,
    sql`  from ${hung(source)}`,
    whereSql([...link, ...conditionsOf(node, requiredConditions(node))]),
    rangeClause(range),
    beyond,
  );
  return sql`exists ${block(rows)}`;
}

function beyondClause({ offset }: RowRange, after: bigint): Sql {
  const first = offset === null ? sql`` : sql`${operandSql(offset)}::pg_catalog.int8 + `;
  return sql` offset ${first}${after} limit 1`;
}

/**
 * Returns a value of an embed by its own sub-select, because the embed may not select it: a value of one row, or an
 * aggregate of all rows.
 */
function relatedField(term: OrderTerm, embed: Embed, parent: ReadNode): Sql {
  const { node } = embed;
  const ofAll = term.value?.kind === 'selected';
  const rows = clauses(
    sql`select ${orderedSql(term)}`,
    sql`  from ${hung(embedSource(embed, parent))}`,
    whereSql([...linkTerms(embed, parent), ...conditionsOf(node, requiredConditions(node))]),
    ofAll
      ? havingClause(node)
      : node.range.limit === 1n
        ? firstRow(node)
        : embed.unique
          ? sql``
          : sql` limit 1`,
  );
  return block(rows);
}

/** The clauses that choose the row that is shown. */
function firstRow(node: ReadNode): Sql {
  const write = termWriter(node);
  const terms = node.order.map((term) => sql`${write(term)}${directionSql(term)}`);
  return clauses(terms.length === 0 ? sql`` : listed(sql` order by `, terms), rangeClause(node.range));
}

/** Returns the from clause of an embed; null if it is just the embedded relation. */
function linkedSource({ link, node }: Embed, parent: ReadNode): Sql | null {
  const alias = quoteIdentifier(node.alias);
  switch (link.kind) {
    case 'columns':
      return null;
    case 'junction': {
      if (node.source.kind !== 'relation') return null;
      const junction = sql`${nameSql(link.junction)} as ${quoteIdentifier(link.alias)}`;
      return clauses(sql`${nameSql(node.source.name)} as ${alias},`, junction);
    }
    case 'computed':
      return sql`${nameSql(link.function)}(${rowArgument(parent, link)}) as ${alias}`;
  }
}

/** Returns the parent's row as the argument of a computed relationship. Rows of a mutation have no row type. */
function rowArgument(parent: ReadNode, link: Extract<Link, { kind: 'computed' }>): Sql {
  if (parent.source.kind !== 'rows') return sql`${quoteIdentifier(parent.alias)}.*`;
  const columns = link.columns.map((column) => columnSql(parent.alias, column));
  return sql`row(${commas(columns)})::${nameSql(link.argument)}`;
}

/** Returns the equations between an embed's rows and the current row of the parent. */
function linkTerms({ link, node }: Embed, parent: ReadNode): readonly Sql[] {
  switch (link.kind) {
    case 'columns':
      return equations(link.pairs, parent.alias, node.alias);
    case 'junction':
      return [
        ...equations(link.parentPairs, parent.alias, link.alias),
        ...equations(link.childPairs, link.alias, node.alias),
      ];
    case 'computed':
      return [];
  }
}

const equations = (pairs: readonly ColumnPair[], left: string, right: string): readonly Sql[] =>
  pairs.map((pair) => sql`${columnSql(left, pair.left)} = ${columnSql(right, pair.right)}`);

/** @throws Error if the plan lacks the embed, which is a fault of the planner */
function embedOf(node: ReadNode, alias: string): Embed {
  const embed = node.embeds.find((candidate) => candidate.alias === alias);
  if (embed === undefined) throw new Error(`plan without the embed ${alias}`);
  return embed;
}

/** Whether the embed is joined to its parent instead of being a sub-select. */
function isJoined(embed: Embed, parent: ReadNode): boolean {
  if (embed.spread) return true;
  const shown = parent.select.some((item) => item.kind === 'embed' && item.embed === embed.alias);
  if (parent.grouped && shown) return true;
  if (embed.cardinality === 'many') return false;
  // An embed that may have several rows repeats its parent, even if it is not returned.
  if (!embed.unique) return true;
  return shown && (embed.join === 'inner' || parent.range.limit === null);
}

/** Returns conditions for inner embeds that are not joined, which omit parents without a row. */
function innerConditions(node: ReadNode): readonly Condition[] {
  return requiredConditions(node).filter((condition) => !filtersByJoin(embedOf(node, condition.embed), node));
}

/**
 * Whether the join itself filters: an inner join of a to-one embed does; the lateral join of a to-many embed always
 * has one row.
 */
const filtersByJoin = (embed: Embed, node: ReadNode): boolean =>
  embed.cardinality === 'one' && isJoined(embed, node);

/** Returns a condition for each inner embed: it has a row. */
export function requiredConditions(node: ReadNode): readonly Extract<Condition, { kind: 'related' }>[] {
  return node.embeds
    .filter((embed) => embed.join === 'inner')
    .map((embed) => ({ kind: 'related', negated: false, embed: embed.alias }));
}

/** Returns the column of a joined embed that contains a field, or null. A grouped parent can only use such a column. */
function joinedColumn(field: FieldExpression, embed: Embed, parent: ReadNode): string | null {
  const isKept = (name: string): boolean =>
    parent.select.some(
      (item) =>
        item.kind === 'field' &&
        item.aggregate === null &&
        item.expression.relation === embed.alias &&
        item.expression.column === name,
    );
  const found = embed.node.select.find(
    (item) =>
      item.kind === 'field' &&
      item.aggregate === null &&
      isSameField(item.expression, field) &&
      (parent.grouped ? isKept(item.name) : item.cast === null && item.representation === null),
  );
  return found?.kind === 'field' ? found.name : null;
}

const isSameField = (one: FieldExpression, other: FieldExpression): boolean =>
  one.column === other.column && JSON.stringify(one.path) === JSON.stringify(other.path);

/** Returns the part of a range that can exclude all rows: an offset, or a limit of zero. */
function decisiveRange(range: RowRange): RowRange {
  return { offset: range.offset, limit: range.limit === 0n ? 0n : null };
}

/** A setting of the transaction, because a list is a value deep within the rows. */
const settingOf = (number: number): Sql => sql`'dbr.cut_${number}'`;

/** Returns an expression that notes a cut list, and is the text of its number, or makes the statement fail. */
const noticeOf = ({ number, refused }: Cut): Sql =>
  refused
    ? // PostgreSQL evaluates an expression without columns when it plans the statement.
      sql`${refusalSql('cut', sql`(pg_catalog.count(*) * 0 + ${number})`)}::pg_catalog.text`
    : sql`pg_catalog.set_config(${settingOf(number)}, '${number}', true)`;

/** Returns the column with the numbers of the cut lists. It resets the settings for other statements of the transaction. */
export function cutColumn(cuts: readonly Cut[]): ExtraColumns {
  const noted = cuts.filter(({ refused }) => !refused);
  if (noted.length === 0) return {};
  const values = noted.flatMap(({ number }) => [
    sql`nullif(pg_catalog.current_setting(${settingOf(number)}, true), '')`,
    sql`nullif(pg_catalog.set_config(${settingOf(number)}, '', true), '')`,
  ]);
  return { cut: sql`pg_catalog.concat_ws(',', ${commas(values)})` };
}
