import { dbrError, type JsonValue } from '../../errors/dbr-error.js';
import type { OrderTerm as OrderSyntax, SelectRelation, SelectSpread } from '../grammar/ast.js';
import type { RowRange as RowRangeSyntax } from '../request/api-request.js';
import type { ColumnPair, QualifiedName, Relationship, Table } from '../schema-cache/types.js';
import {
  columnsOfRelation,
  namesOfColumns,
  namesOfRelation,
  relationSource,
  type TreeContext,
  fieldExpression,
  findTable,
  isSearchVector,
  type Scope,
} from './plan-context.js';
import { filterCondition, type FindEmbed, logicCondition, planSearch } from './conditions.js';
import {
  type Draft,
  type DraftEmbed,
  distinctOrder,
  embeddedOrder,
  handedItems,
  handOver,
  hasAggregate,
  isWorkedOut,
  planAll,
  planCountItem,
  planDistinct,
  planField,
  planHaving,
  selectedOrder,
  type Selection,
  showsNothing,
  type SpreadColumn,
  type SpreadOf,
} from './select.js';
import type {
  Condition,
  Embed,
  Link,
  OrderTerm,
  OrderValue,
  ReadNode,
  RowRange,
  SelectItem,
  Source,
} from './expression.js';
import { findRelationships, knownTo, relationshipHint } from '../schema-cache/lookups.js';

/** The rows of a read tree: their source, and the relation whose columns and relationships they have. */
interface PlacedRows {
  readonly source: Source;
  /** The relation whose row type the rows have. */
  readonly relation: QualifiedName;
  readonly alias: string;
  /** The known names of the rows. */
  readonly names: RootNames;
}

interface Root extends PlacedRows {
  /** False for the rows of a mutation, which `db-max-rows` does not limit. */
  readonly limited: boolean;
}

/**
 * `relation`: columns and computed fields of the relation. `columns`: its columns only. `changed`: columns and
 * computed fields that a mutation returns. A list: the columns that a function declares.
 */
export type RootNames = 'relation' | 'columns' | 'changed' | readonly string[];

/** Resolves a draft into a read tree. @throws DBR108, 118, 119, 120, 123, 185, 186, 187, 200 and 201 */
export function planTree(draft: Draft, root: Root, context: TreeContext): ReadNode {
  const range = planRange(draft.range, root.limited ? context.maxRows : null);
  const { node } = planNode(draft, { ...root, range, spreadOf: null, path: [] }, context);
  if (!context.aggregatesEnabled && usesAggregates(draft)) throw dbrError('AggregatesNotAllowed');
  return node;
}

function usesAggregates(draft: Draft): boolean {
  return hasAggregate(draft.select) || draft.embeds.some((embed) => usesAggregates(embed.draft));
}

interface Place extends PlacedRows {
  /** Keys in the response, from the root. */
  readonly path: readonly string[];
  readonly range: RowRange;
  readonly spreadOf: SpreadOf;
}

/** Whether aggregates of the resource are computed in its own rows, and not in those of its parent. */
const computesGroups = ({ spreadOf }: Place): boolean => spreadOf === null || spreadOf === 'arrays';

interface PlannedNode {
  readonly node: ReadNode;
  readonly handed: readonly SpreadColumn[];
  /** The values of the resource by their keys in the response. */
  readonly items: readonly SelectItem[];
  readonly scope: Scope;
}

interface PlannedEmbed extends Omit<PlannedNode, 'node'> {
  readonly key: string;
  readonly embed: Embed;
  readonly hidden: boolean;
}

function planNode(draft: Draft, place: Place, context: TreeContext): PlannedNode {
  const scope = scopeOf(place, context);
  const grouped = computesGroups(place) && isGrouped(draft, place.relation, context);
  const explicit = grouped || place.spreadOf === 'named' || place.spreadOf === 'arrays';
  const embeds = draft.embeds.map((embed) => planEmbed(embed, place, explicit, context));
  requireOwnNames(embeds, place.relation);
  const findEmbed: FindEmbed = (name) => embeds.find((embed) => embed.key === name)?.embed.alias;
  const items = [
    ...ownItems(draft, scope, explicit),
    ...embeds.flatMap((embed) => embedItems(embed, explicit)),
  ];
  const selection: Selection = { draft, items, scope, grouped, hasRows: computesGroups(place) };
  const distinct = planDistinct(selection);
  const order = draft.order.map(
    (term) => selectedOrder(term, selection) ?? planOrder(term, scope, place.relation, embeds),
  );
  const { inner, handed } = handOver(items, place.spreadOf, context.aliases.claim);
  const node: ReadNode = {
    source: place.source,
    alias: place.alias,
    select: inner,
    where: planConditions(draft, scope, findEmbed),
    having: planHaving(selection),
    distinct,
    order: distinctOrder(distinct, order),
    range: place.range,
    embeds: embeds.map(({ embed }) => embed),
    grouped,
    jsonbEmbeds: grouped || distinct?.kind === 'all',
    mayFail:
      hasExpressions(scope.table) ||
      items.some((item) => isWorkedOut(item, scope)) ||
      embeds.some(({ embed }) => isFallible(embed)),
  };
  return { node, handed, items, scope };
}

/** Requires that no two embeds are shown under one name. @throws DBR147 */
function requireOwnNames(embeds: readonly PlannedEmbed[], relation: QualifiedName): void {
  const names = new Set<string>();
  for (const { embed, hidden, key } of embeds) {
    if (hidden || embed.spread) continue;
    if (names.has(key)) throw dbrError('EmbedNameTwice', { relation: relation.name, name: key });
    names.add(key);
  }
}

function scopeOf({ source, relation, alias, names }: Place, context: TreeContext): Scope {
  const { cache, assumptions, searchPath } = context;
  const table = typeof names === 'string' ? findTable(cache, relation) : null;
  const { searchesDocuments } = context.rules;
  const scope = { cache, alias, table, searchPath, searchesDocuments };
  switch (names) {
    case 'relation':
      return { ...scope, assume: assumptions.about(source, namesOfRelation(cache, table, searchPath)) };
    case 'changed':
      return {
        ...scope,
        assume: assumptions.about(relationSource(relation), namesOfRelation(cache, table, searchPath)),
      };
    case 'columns':
      return { ...scope, assume: assumptions.about(source, columnsOfRelation(table)) };
    default:
      return { ...scope, assume: assumptions.about(source, namesOfColumns(names)) };
  }
}

/** Whether columns of the relation are expressions, or values of another server. */
const hasExpressions = (table: Table | null): boolean =>
  table !== null &&
  (table.kind === 'view' ||
    table.kind === 'foreign table' ||
    [...table.columns.values()].some(({ generated }) => generated));

/** Whether computing the embed may fail, or may show that it is cut, which includes a function that returns its rows. */
const isFallible = ({ link, node, cut }: Embed): boolean =>
  link.kind === 'computed' || node.mayFail || cut !== null;

/** Whether a resource is grouped: it, or a to-one resource that is spread into it, has an aggregate. */
function isGrouped(draft: Draft, relation: QualifiedName, context: TreeContext): boolean {
  return (
    hasAggregate(draft.select) ||
    draft.embeds.some((embed) => {
      if (embed.item.kind !== 'spread') return false;
      const [found] = findRelationships(context.cache, relation, embed.item.name, embed.item.hint);
      return found !== undefined && isToOne(found) && isGrouped(embed.draft, found.target, context);
    })
  );
}

function ownItems(draft: Draft, scope: Scope, byColumn: boolean): readonly SelectItem[] {
  return draft.select.flatMap((item): readonly SelectItem[] => {
    switch (item.kind) {
      case 'all':
        return planAll(scope, byColumn);
      case 'field':
        return [planField(item, scope)];
      case 'count':
        return [planCountItem(item, scope)];
      case 'relation':
      case 'spread':
        return [];
    }
  });
}

function embedItems(planned: PlannedEmbed, explicit: boolean): readonly SelectItem[] {
  const { embed, key, hidden, handed } = planned;
  if (hidden) return [];
  if (!embed.spread) return [{ kind: 'embed', embed: embed.alias, name: key }];
  return explicit || embed.cardinality === 'many'
    ? handedItems(handed, embed.alias)
    : [{ kind: 'all', relation: embed.alias }];
}

/** Returns the conditions of the query string on the rows of a resource. */
export function planConditions(draft: Draft, scope: Scope, findEmbed: FindEmbed): readonly Condition[] {
  return [
    ...draft.filters.map((filter) => filterCondition(filter, scope, findEmbed)),
    ...draft.logic.map((group) => logicCondition(group, scope, findEmbed)),
  ];
}

function planEmbed(
  { item, key, draft }: DraftEmbed,
  parent: Place,
  explicit: boolean,
  context: TreeContext,
): PlannedEmbed {
  const relationship = resolveRelationship(item, parent.relation, context);
  const toOne = isToOne(relationship);
  const spread = item.kind === 'spread';
  if (spread && !toOne && !context.rules.spreadsMany)
    throw dbrError('SpreadNotPossible', { origin: parent.relation.name, target: item.name });
  const alias = context.aliases.claim(key);
  // The rows of a function repeat their parent, as the reference has it.
  const isForeign = toOne && relationship.kind === 'foreign key';
  const isLimited = isForeign && !isProven(findTable(context.cache, relationship.target));
  const range = planRange(draft.range, toOne ? (isLimited ? 1n : null) : context.maxRows);
  const path = [...parent.path, key];
  const place: Place = {
    path,
    source: { kind: 'relation', name: relationship.target },
    relation: relationship.target,
    alias: context.aliases.claim(relationship.target.name),
    range,
    spreadOf: spread ? spreadOf(toOne, explicit) : null,
    names: 'relation',
  };
  const link = planLink(relationship, context);
  const { node, handed, items, scope } = planNode(draft, place, context);
  if (spread && !toOne && node.select.some(({ kind }) => kind === 'all'))
    throw dbrError('SpreadNotPossible', { origin: parent.relation.name, target: item.name });
  return {
    key,
    scope,
    items,
    hidden: showsNothing(draft.select),
    handed,
    embed: {
      alias,
      cardinality: toOne ? 'one' : 'many',
      join: item.join ?? 'left',
      spread,
      link,
      node,
      unique:
        isForeign &&
        (isLimited || node.embeds.every((inner) => inner.cardinality === 'many' || inner.unique)),
      cut:
        !toOne && isCut(draft.range, range) && range.limit !== null ? context.cutOf(path, range.limit) : null,
    },
  };
}

/** Whether the setting limits the rows, and not the request. */
const isCut = (wanted: RowRangeSyntax | null, { limit }: RowRange): boolean =>
  limit !== null && (wanted?.limit == null || limit < wanted.limit);

const spreadOf = (toOne: boolean, explicit: boolean): SpreadOf =>
  toOne ? (explicit ? 'named' : 'plain') : 'arrays';

/**
 * Plans the order. A related order (data API §1.5) names a to-one resource by its key in the response, or the aggregate
 * of a to-many resource that has no other values.
 */
export function planOrder(
  term: OrderSyntax,
  scope: Scope,
  relation: QualifiedName,
  embeds: readonly PlannedEmbed[],
): OrderTerm {
  const { direction, nulls } = term;
  if (term.relation === null)
    return {
      field: fieldExpression(term.field, scope),
      ...rankOf(term, scope),
      embed: null,
      direction,
      nulls,
    };
  const planned = embeds.find((embed) => embed.key === term.relation);
  if (planned === undefined) throw dbrError('NotEmbedded', { relation: term.relation });
  const { embed } = planned;
  if (embed.cardinality === 'many') {
    const found = embeddedOrder(
      term,
      planned.items,
      embed.spread
        ? { embed: null, values: handedItems(planned.handed, embed.alias), scope }
        : { embed: embed.alias, values: planned.items, scope: planned.scope },
    );
    if (found === null)
      throw dbrError('RelatedOrderNotPossible', { origin: relation.name, target: term.relation });
    return found;
  }
  const field = fieldExpression(term.field, planned.scope);
  return { field, ...rankOf(term, planned.scope), embed: embed.alias, direction, nulls };
}

/** A rank needs a text search vector, so a field that is not known to be one is converted. */
function rankOf({ field, rank }: OrderSyntax, scope: Scope): { readonly value?: OrderValue } {
  if (rank === undefined) return {};
  return { value: { kind: 'rank', search: planSearch(rank, isSearchVector(field, scope) === false) } };
}

/** Returns the range of rows to read, at most `db-max-rows`. */
export function planRange(range: RowRangeSyntax | null, maximum: bigint | null): RowRange {
  const wanted = range?.limit ?? null;
  const limit = wanted === null || (maximum !== null && maximum < wanted) ? maximum : wanted;
  const index = range?.offset.index ?? null;
  return { limit, offset: index === null ? null : { kind: 'value', index, encoding: 'verbatim' } };
}

/**
 * Returns the relationship of an item of `select` (data API §1.7). Throws DBR200 if there is none, DBR201 if there
 * are several.
 */
export function resolveRelationship(
  item: SelectRelation | SelectSpread,
  source: QualifiedName,
  context: TreeContext,
): Relationship {
  const found = findRelationships(context.cache, source, item.name, item.hint);
  const [first] = found;
  if (first === undefined) throw notFound(item, source, context);
  if (found.length > 1) {
    const visible = visibleOf(found, context);
    throw visible.length === 0 ? notFound(item, source, context) : ambiguous(source, item.name, visible);
  }
  return first;
}

function notFound(item: SelectRelation | SelectSpread, source: QualifiedName, context: TreeContext) {
  const holes = {
    parent: source.name,
    child: item.name,
    schema: source.schema,
    hint: relationshipHint(context.cache, context.role, source, item.name),
  };
  return item.hint === null
    ? dbrError('RelationshipNotFound', { ...holes, details: 'plain' })
    : dbrError('RelationshipNotFound', { ...holes, details: 'withHint', disambiguation: item.hint });
}

/** Returns the relationships of tables and functions on which the role has privileges. Errors name no others. */
function visibleOf(found: readonly Relationship[], { cache, role }: TreeContext): readonly Relationship[] {
  const mayKnow = knownTo(cache, role);
  return found.filter((relationship) => {
    if (!mayKnow.table(relationship.target)) return false;
    switch (relationship.kind) {
      case 'foreign key':
        return true;
      case 'junction':
        return mayKnow.table(relationship.junction);
      case 'computed':
        return mayKnow.function(relationship.function);
    }
  });
}

function ambiguous(source: QualifiedName, child: string, found: readonly Relationship[]) {
  return dbrError('AmbiguousRelationship', {
    parent: source.name,
    child,
    details: found.map((relationship) => ({
      cardinality: relationship.cardinality,
      embedding: `${relationship.source.name} with ${relationship.target.name}`,
      relationship: described(relationship),
    })) satisfies JsonValue,
    choices: found
      .map((relationship) => `'${relationship.target.name}!${handleOf(relationship)}'`)
      .join(', '),
  });
}

function described(relationship: Relationship): string {
  switch (relationship.kind) {
    case 'foreign key': {
      const { source, target, columns } = relationship;
      return `${relationship.constraint} using ${source.name}(${left(columns)}) and ${target.name}(${right(columns)})`;
    }
    case 'junction': {
      const { junction, sourceConstraint, targetConstraint, sourceColumns, targetColumns } = relationship;
      return `${junction.name} using ${sourceConstraint}(${right(sourceColumns)}) and ${targetConstraint}(${left(targetColumns)})`;
    }
    case 'computed':
      return `${relationship.function.name}(${relationship.source.name})`;
  }
}

/** Returns the hint after an exclamation mark that names the relationship. */
function handleOf(relationship: Relationship): string {
  switch (relationship.kind) {
    case 'foreign key':
      return relationship.constraint;
    case 'junction':
      return relationship.junction.name;
    case 'computed':
      return relationship.function.name;
  }
}

const left = (pairs: readonly ColumnPair[]): string => pairs.map((pair) => pair.left).join(', ');
const right = (pairs: readonly ColumnPair[]): string => pairs.map((pair) => pair.right).join(', ');

/** Returns the link from a row of the relationship's source to the rows of its target. */
function planLink(relationship: Relationship, context: TreeContext): Link {
  switch (relationship.kind) {
    case 'foreign key':
      return { kind: 'columns', pairs: relationship.columns };
    case 'junction':
      return {
        kind: 'junction',
        junction: relationship.junction,
        alias: context.aliases.claim(relationship.junction.name),
        parentPairs: relationship.sourceColumns,
        childPairs: relationship.targetColumns,
      };
    case 'computed':
      return {
        kind: 'computed',
        function: relationship.function,
        argument: relationship.source,
        columns: [...(findTable(context.cache, relationship.source)?.columns.keys() ?? [])],
      };
  }
}

/** Whether a row of the source has at most one row of the target. */
export function isToOne(relationship: Relationship): boolean {
  switch (relationship.cardinality) {
    case 'many-to-one':
    case 'one-to-one':
    case 'to-one':
      return true;
    case 'one-to-many':
    case 'many-to-many':
    case 'to-many':
      return false;
  }
}

/**
 * Whether PostgreSQL enforces that a table has at most one row of a key. It does not for a view, and not for the rows of a
 * table together with those of tables that inherit from it.
 */
const isProven = (target: Table | null): boolean =>
  target !== null &&
  (target.kind === 'table' || target.kind === 'partitioned table') &&
  target.isInherited !== true;
