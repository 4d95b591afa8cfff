import { quoteIdentifier } from '../../postgres/quote.js';
import type { Aggregate } from '../grammar/ast.js';
import type { Condition, Embed, Link, OrderTerm, ReadNode, RowRange, SelectItem } from '../plan/plan.js';
import type { ColumnPair } from '../schema-cache/types.js';
import { callSource } from './call-source.js';
import { conditionSql } from './condition.js';
import { columnSql, fieldSql, nameSql } from './field.js';
import { clauses, indent, type Slots } from './sql-text.js';

/** Name of the common table expression that holds the rows of a mutation or a call. */
export const ROWS = 'rows';

/**
 * A node of the read tree as a select statement: its columns, what is embedded in them, and which rows.
 *
 * How an embed is written decides what a page costs. A scalar sub-select in the select list is worked out for the rows
 * that are sent only, after `limit`; a lateral join for every row before it. So sub-selects are the rule, and joins are for
 * what needs columns of its own (spread, grouping), for what filters by an inner to-one relative, and for what may match
 * more than once though it is to-one (views, computed relationships), where a sub-select would fail.
 */
export function nodeSql(node: ReadNode, slots: Slots): string {
  return clauses(
    selectClause(node, slots),
    fromClause(node, slots),
    ...node.embeds.filter((embed) => isJoined(embed, node)).map((embed) => joinClause(embed, node, slots)),
    whereClause([...node.where, ...innerConditions(node)], node, slots),
    groupClause(node, slots),
    orderClause(node.order, node, slots),
    rangeClause(node.range, slots),
  );
}

/** `select from …` of the same rows without columns, order and joins: for counting and for the planner's estimate. */
export function countedSql(node: ReadNode, slots: Slots): string {
  return clauses(
    'select',
    fromClause(node, slots),
    whereClause([...node.where, ...requiredConditions(node)], node, slots),
  );
}

function selectClause(node: ReadNode, slots: Slots): string {
  const items = node.select.map((item) => itemSql(item, node, slots));
  return items.length === 0 ? 'select' : `select ${items.join(',\n       ')}`;
}

function itemSql(item: SelectItem, node: ReadNode, slots: Slots): string {
  switch (item.kind) {
    case 'all':
      return `${quoteIdentifier(item.relation)}.*`;
    case 'count':
      return `${castSql('pg_catalog.count(*)', item.cast)} as ${quoteIdentifier(item.name)}`;
    case 'embed':
      return `${embedValue(embedOf(node, item.embed), node, slots)} as ${quoteIdentifier(item.name)}`;
    case 'field': {
      const value = aggregateSql(fieldValue(item, slots), item.aggregate);
      return `${value} as ${quoteIdentifier(item.name)}`;
    }
  }
}

/** A selected field before it is aggregated: also what it is grouped by. */
function fieldValue(item: Extract<SelectItem, { kind: 'field' }>, slots: Slots): string {
  const field = fieldSql(item.expression, slots);
  return castSql(
    item.representation === null ? field : `${nameSql(item.representation)}(${field})`,
    item.cast,
  );
}

/** Not qualified, as operators are not: extensions bring aggregates of the same names for their types. */
function aggregateSql(value: string, aggregate: Aggregate | null): string {
  if (aggregate === null) return value;
  return castSql(`${aggregate.function}(${value})`, aggregate.cast);
}

/** Type names are letters, digits, `_`, `$` and blanks only (the grammar sees to it), so that aliases of types work. */
function castSql(value: string, type: string | null): string {
  return type === null ? value : `cast(${value} as ${type})`;
}

function fromClause(node: ReadNode, slots: Slots): string {
  const alias = quoteIdentifier(node.alias);
  switch (node.source.kind) {
    case 'relation':
      return `  from ${nameSql(node.source.name)} as ${alias}`;
    case 'rows':
      return `  from ${quoteIdentifier(ROWS)} as ${alias}`;
    case 'call':
      return `  from ${callSource(node.source.call, alias, slots)}`;
  }
}

function whereClause(conditions: readonly Condition[], node: ReadNode, slots: Slots): string | null {
  return whereSql(conditions.map((condition) => nodeConditionSql(condition, node, slots)));
}

/** A `where` clause of these terms; null when there are none. */
export function whereSql(terms: readonly string[]): string | null {
  return terms.length === 0 ? null : ` where ${terms.join('\n   and ')}`;
}

/** A condition on the rows of a node, which may ask for rows of its embeds. */
export function nodeConditionSql(condition: Condition, node: ReadNode, slots: Slots): string {
  return conditionSql(condition, slots, (alias) => existsSql(embedOf(node, alias), node, slots));
}

function groupClause(node: ReadNode, slots: Slots): string | null {
  if (!node.grouped) return null;
  const terms = node.select.flatMap((item) => {
    if (item.kind === 'field' && item.aggregate === null) return [fieldValue(item, slots)];
    if (item.kind === 'embed') return [embedValue(embedOf(node, item.embed), node, slots)];
    return [];
  });
  return terms.length === 0 ? null : ` group by ${terms.join(', ')}`;
}

/** The `order by` clause of a node; null when nothing is asked. */
export function orderClause(order: readonly OrderTerm[], node: ReadNode, slots: Slots): string | null {
  if (order.length === 0) return null;
  const terms = order.map((term) =>
    term.embed === null
      ? orderTermSql(term, slots)
      : orderedBy(relatedOrder(term, embedOf(node, term.embed), node, slots), term),
  );
  return ` order by ${terms.join(', ')}`;
}

/** A term by a field of the relation itself. */
export const orderTermSql = (term: OrderTerm, slots: Slots): string =>
  orderedBy(fieldSql(term.field, slots), term);

function orderedBy(value: string, { direction, nulls }: OrderTerm): string {
  return `${value}${direction === null ? '' : ` ${direction}`}${nulls === null ? '' : ` nulls ${nulls}`}`;
}

/** A literal limit: as a parameter it would have the statement planned anew each time. */
export function rangeClause(range: RowRange, slots: Slots): string | null {
  const limit = range.limit === null ? null : `limit ${range.limit}`;
  const offset = range.offset === null ? null : `offset ${slots.place(range.offset)}`;
  const parts = [limit, offset].filter((part) => part !== null);
  return parts.length === 0 ? null : ` ${parts.join(' ')}`;
}

// ---------------------------------------------------------------- embeds

function embedOf(node: ReadNode, alias: string): Embed {
  const embed = node.embeds.find((candidate) => candidate.alias === alias);
  if (embed === undefined) throw new Error(`plan without the embed ${alias}`);
  return embed;
}

/** True when the embed stands among the joins of its parent, not in its select list. */
function isJoined(embed: Embed, parent: ReadNode): boolean {
  if (embed.spread) return true;
  const shown = parent.select.some((item) => item.kind === 'embed' && item.embed === embed.alias);
  if (parent.grouped && shown) return true;
  return embed.cardinality === 'one' && shown && (embed.join === 'inner' || !embed.unique);
}

/** Conditions for the inner embeds that are not joined: a parent without a row of theirs is left out. */
function innerConditions(node: ReadNode): readonly Condition[] {
  return requiredConditions(node).filter((condition) => !filtersByJoin(embedOf(node, condition.embed), node));
}

/** An inner join of a to-one relative filters by itself; the lateral of a to-many always has its one row. */
const filtersByJoin = (embed: Embed, node: ReadNode): boolean =>
  embed.cardinality === 'one' && isJoined(embed, node);

function requiredConditions(node: ReadNode): readonly Extract<Condition, { kind: 'related' }>[] {
  return node.embeds
    .filter((embed) => embed.join === 'inner')
    .map((embed) => ({ kind: 'related', negated: false, embed: embed.alias }));
}

function joinClause(embed: Embed, parent: ReadNode, slots: Slots): string {
  const alias = quoteIdentifier(embed.alias);
  const join = embed.join === 'inner' && embed.cardinality === 'one' ? 'inner' : 'left';
  const rows =
    embed.cardinality === 'many' && !embed.spread
      ? arraySql(embed, parent, slots)
      : rowsSql(embed, parent, slots);
  return `  ${join} join lateral (\n${indent(indent(rows))}\n  ) as ${alias} on true`;
}

/** The embed's value in the select list of its parent. */
function embedValue(embed: Embed, parent: ReadNode, slots: Slots): string {
  const alias = quoteIdentifier(embed.alias);
  const object = `pg_catalog.row_to_json(${alias}.*)${embedCast(parent, slots)}`;
  if (isJoined(embed, parent)) return embed.cardinality === 'many' ? `${alias}."array"` : object;
  const value =
    embed.cardinality === 'many'
      ? arraySql(embed, parent, slots)
      : clauses(
          `select ${object}`,
          `  from (\n${indent(indent(rowsSql(embed, parent, slots)))}\n  ) as ${alias}`,
        );
  return `(\n${indent(value)}\n)`;
}

/** Only jsonb can be grouped by. */
const embedCast = (parent: ReadNode, slots: Slots): string =>
  parent.grouped || slots.jsonbEmbeds ? '::pg_catalog.jsonb' : '';

/** All rows of a to-many embed as one JSON array, `[]` when there are none. */
function arraySql(embed: Embed, parent: ReadNode, slots: Slots): string {
  const alias = quoteIdentifier(embed.alias);
  return clauses(
    `select coalesce(pg_catalog.json_agg(${alias}.*)${embedCast(parent, slots)}, '[]') as "array"`,
    `  from (\n${indent(indent(rowsSql(embed, parent, slots)))}\n  ) as ${alias}`,
  );
}

/** The rows of an embed that belong to the current row of the parent. */
function rowsSql(embed: Embed, parent: ReadNode, slots: Slots): string {
  const { node } = embed;
  return clauses(
    selectClause(node, slots),
    embedFrom(embed, parent, slots),
    ...node.embeds.filter((child) => isJoined(child, node)).map((child) => joinClause(child, node, slots)),
    whereSql([
      ...linkTerms(embed, parent),
      ...[...node.where, ...innerConditions(node)].map((condition) =>
        nodeConditionSql(condition, node, slots),
      ),
    ]),
    groupClause(node, slots),
    orderClause(node.order, node, slots),
    rangeClause(node.range, slots),
  );
}

/** `exists (…)`: the embed has a row for the current row of the parent. */
function existsSql(embed: Embed, parent: ReadNode, slots: Slots): string {
  const { node } = embed;
  const body = clauses(
    'select',
    embedFrom(embed, parent, slots),
    whereSql([
      ...linkTerms(embed, parent),
      ...[...node.where, ...requiredConditions(node)].map((condition) =>
        nodeConditionSql(condition, node, slots),
      ),
    ]),
    rangeClause(decisiveRange(node.range), slots),
  );
  return `exists (\n${indent(indent(body))}\n  )`;
}

/** Of a range only an offset and a limit of zero decide whether there is a row at all. */
function decisiveRange(range: RowRange): RowRange {
  return { offset: range.offset, limit: range.limit === 0n ? 0n : null };
}

/** A column of a to-one relative, looked up by itself: the embed need not select it. */
function relatedOrder(term: OrderTerm, embed: Embed, parent: ReadNode, slots: Slots): string {
  const value = fieldSql(term.field, slots);
  const body = clauses(
    `select ${value}`,
    embedFrom(embed, parent, slots),
    whereSql([
      ...linkTerms(embed, parent),
      ...[...embed.node.where, ...requiredConditions(embed.node)].map((condition) =>
        nodeConditionSql(condition, embed.node, slots),
      ),
    ]),
    embed.unique ? null : ' limit 1',
  );
  return `(\n${indent(indent(body))}\n  )`;
}

function embedFrom(embed: Embed, parent: ReadNode, slots: Slots): string {
  const { link, node } = embed;
  const alias = quoteIdentifier(node.alias);
  switch (link.kind) {
    case 'columns':
      return fromClause(node, slots);
    case 'junction':
      return `${fromClause(node, slots)},\n       ${nameSql(link.junction)} as ${quoteIdentifier(link.alias)}`;
    case 'computed':
      return `  from ${nameSql(link.function)}(${rowArgument(parent, link)}) as ${alias}`;
  }
}

/** The parent's row as the argument of a computed relationship; rows of a mutation have lost their type. */
function rowArgument(parent: ReadNode, link: Extract<Link, { kind: 'computed' }>): string {
  if (parent.source.kind !== 'rows') return quoteIdentifier(parent.alias);
  const columns = link.columns.map((column) => columnSql(parent.alias, column));
  return `row(${columns.join(', ')})::${nameSql(link.argument)}`;
}

function linkTerms(embed: Embed, parent: ReadNode): readonly string[] {
  const { link, node } = embed;
  switch (link.kind) {
    case 'columns':
      return joined(link.pairs, parent.alias, node.alias);
    case 'junction':
      return [
        ...joined(link.parentPairs, parent.alias, link.alias),
        ...joined(link.childPairs, link.alias, node.alias),
      ];
    case 'computed':
      return [];
  }
}

const joined = (pairs: readonly ColumnPair[], left: string, right: string): readonly string[] =>
  pairs.map((pair) => `${columnSql(left, pair.left)} = ${columnSql(right, pair.right)}`);
