import { toJson } from '../schema-cache/lookups.js';
import type {
  CastType,
  Field,
  JsonStep,
  OrderTerm as OrderSyntax,
  SelectCount,
  SelectField,
  SelectItem as SelectSyntax,
  At,
  Distinct as DistinctSyntax,
  EmbedPath,
  Filter,
  LogicGroup,
  LogicTree,
  SelectRelation,
  SelectSpread,
} from '../grammar/ast.js';
import { aggregateFilter, havingCondition } from './conditions.js';
import {
  type AggregateCall,
  ascending,
  type Cast,
  columnField,
  columnItem,
  type Condition,
  type Distinct,
  type FieldExpression,
  type OrderTerm,
  type SelectItem,
  type ValueItem,
} from './expression.js';
import { fieldExpression, findColumn, type Scope, type EmbedNames } from './plan-context.js';
import { catalogueSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest, RowRange } from '../request/api-request.js';

/** Plans one selected field (data API §1.4). The representation of a domain is applied before casts and aggregates. */
export function planField(item: SelectField, scope: Scope): Extract<SelectItem, { kind: 'field' }> {
  const column = item.field.path.length === 0 ? findColumn(scope, item.field.name) : null;
  const representation = toJson(scope.cache, column);
  return {
    kind: 'field',
    expression: fieldExpression(item.field, scope),
    representation,
    cast: castOf(item, scope),
    aggregate: aggregateOf(item, scope),
    name: fieldName(item),
    groupedBy: groupedBy(item, representation !== null),
  };
}

/** Plans `count()`. */
export const planCountItem = ({ cast, alias, filter }: SelectCount, scope: Scope): SelectItem => ({
  kind: 'count',
  filter: aggregateFilter(filter, scope),
  cast: cast === null ? null : resolveCast(cast, scope),
  name: alias ?? 'count',
});

function aggregateOf({ aggregate }: SelectField, scope: Scope): AggregateCall | null {
  if (aggregate === null) return null;
  const { cast, distinct, filter } = aggregate;
  return {
    function: aggregate.function,
    distinct: distinct ?? false,
    filter: aggregateFilter(filter, scope),
    cast: cast === null ? null : resolveCast(cast, scope),
  };
}

/**
 * An alias refers to the returned value, which may differ from the field. Representations are json, which cannot be
 * grouped.
 */
function groupedBy(item: SelectField, isRepresented: boolean): 'field' | 'value' {
  if (item.alias === null) return 'field';
  return isRepresented && item.cast === null ? 'field' : 'value';
}

/**
 * Returns the key of a field in the response: its alias, its aggregate, the last key of its JSON path, or the column.
 */
function fieldName(item: SelectField): string {
  return item.alias ?? item.aggregate?.function ?? lastKey(item.field.path) ?? item.field.name;
}

function lastKey(path: readonly JsonStep[]): string | undefined {
  return path.findLast((step) => step.kind === 'key')?.key;
}

/** Plans `*`, as a list of columns if they are handled separately (grouping, representations). */
export function planAll(scope: Scope, byColumn: boolean): readonly SelectItem[] {
  const columns = scope.table === null ? [] : [...scope.table.columns.values()];
  const needed = byColumn || columns.some((column) => toJson(scope.cache, column) !== null);
  if (!needed || columns.length === 0) return [{ kind: 'all', relation: scope.alias }];
  return columns.map((column) => ({
    ...columnItem(scope.alias, column.name),
    representation: toJson(scope.cache, column),
  }));
}

/** Whether an item of the list itself is an aggregate. */
export function hasAggregate(select: readonly SelectSyntax[]): boolean {
  return select.some((item) => item.kind === 'count' || (item.kind === 'field' && item.aggregate !== null));
}

/** Whether the list selects nothing: `()`, or only embeds with such lists. */
export function showsNothing(select: readonly SelectSyntax[]): boolean {
  return select.every(
    (item) => (item.kind === 'relation' || item.kind === 'spread') && showsNothing(item.select),
  );
}

/** Whether a cast or a function computes the value, which may therefore fail. */
export function isWorkedOut(item: SelectItem, scope: Scope): boolean {
  if (item.kind !== 'field') return false;
  const { cast, representation, aggregate, expression } = item;
  if (cast !== null || representation !== null || aggregate !== null) return true;
  return expression.relation === scope.alias && findColumn(scope, expression.column) === null;
}

/** Names of types that have several words in SQL, or that name another type in SQL than in PostgreSQL's catalogue. */
const SPELLINGS: ReadonlyMap<string, Sql> = new Map(
  [
    ...['smallint', 'int', 'integer', 'bigint', 'real', 'float', 'double precision'],
    ...['numeric', 'decimal', 'dec', 'boolean'],
    ...['char', 'character', 'nchar', 'national char', 'national character'],
    ...['varchar', 'char varying', 'character varying'],
    ...['nchar varying', 'national char varying', 'national character varying'],
    ...['bit', 'bit varying'],
    ...['time', 'time with time zone', 'time without time zone'],
    ...['timestamp', 'timestamp with time zone', 'timestamp without time zone'],
    ...['interval', 'interval year', 'interval month', 'interval day', 'interval hour', 'interval minute'],
    ...['interval second', 'interval year to month', 'interval day to hour', 'interval day to minute'],
    ...['interval day to second', 'interval hour to minute', 'interval hour to second'],
    'interval minute to second',
  ].map((name) => [name, catalogueSql(name)]),
);

/**
 * Returns the type that a request names in a cast. PostgreSQL searches pg_catalog first, then the search path, and
 * folds unquoted names to lower case (PostgreSQL manual, 4.1.1, 5.10.3).
 */
function resolveCast(type: CastType, { cache, searchPath }: Scope): Cast {
  const name = lowerCase(type).replaceAll(/ +/g, ' ');
  const spelling = SPELLINGS.get(name);
  if (spelling !== undefined) return { kind: 'known', sql: spelling };
  const builtIn = cache.castTypes.get('pg_catalog')?.get(name);
  if (builtIn !== undefined)
    return builtIn ? { kind: 'known', sql: sql`pg_catalog.${quoteIdentifier(name)}` } : unknown(type);
  const others = searchPath.map((schema) => cache.castTypes.get(schema)?.get(name));
  // PostgreSQL decides which schemas of the path the role may use, so no schema of the path may have a refused type
  // of this name.
  return others.includes(true) && !others.includes(false)
    ? { kind: 'known', sql: quoteIdentifier(name) }
    : unknown(type);
}

const unknown = (name: string): Cast => ({ kind: 'unknown', name });

/** Converts ASCII letters to lower case, as PostgreSQL does in UTF-8 databases. */
const lowerCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The cast of a selected field, or null. */
function castOf({ cast, field }: SelectField, scope: Scope): Cast | null {
  if (cast === null) return null;
  const isTableOid = field.name === 'tableoid' && field.path.length === 0;
  // Allowed, because it names only the relation that is read: clients show the table of a row by it.
  if (isTableOid && cast === 'regclass' && isPlainTable(scope, field.name))
    return { kind: 'known', sql: sql`pg_catalog.regclass` };
  return resolveCast(cast, scope);
}

/** Whether a name is a system column of a plain table. The schema cache does not list these. */
const isPlainTable = ({ table }: Scope, name: string): boolean =>
  table?.kind === 'table' && !table.columns.has(name);

/** A resource with its planned select list. */
export interface Selection {
  readonly draft: Draft;
  readonly items: readonly SelectItem[];
  readonly scope: Scope;
  /** Whether the rows of the resource are grouped. */
  readonly grouped: boolean;
  /** False for a spread of a to-one relationship, whose values become those of its parent. */
  readonly hasRows: boolean;
}

/** Plans `having`: conditions on values of the select list. @throws DBR185 */
export function planHaving({ draft, items, grouped, hasRows }: Selection): Condition | null {
  if (draft.having.length === 0) return null;
  if (!hasRows) throw noHaving('A spread of a to-one relationship has no groups.');
  if (!grouped) throw noHaving('No aggregate is selected.');
  return havingCondition(draft.having, ({ name, path }) => {
    const item = path.length === 0 ? findValue(items, name) : null;
    if (item === null) throw noHaving(`'${name}' is not the key of a selected value.`);
    return { selected: item };
  });
}

const noHaving = (reason: string): Error => dbrError('HavingNotPossible', { reason });

const isAggregate = (item: ValueItem): boolean => item.kind === 'count' || item.aggregate !== null;

const isValue = (item: SelectItem): item is ValueItem => item.kind === 'field' || item.kind === 'count';

/** Returns the value with this key: an aggregate, or else another value. */
function findValue(items: readonly SelectItem[], name: string): ValueItem | null {
  const found = items.filter(isValue).filter((item) => item.name === name);
  return found.find(isAggregate) ?? found[0] ?? null;
}

/** Plans `distinct`. @throws DBR187 */
export function planDistinct({ draft, items, scope, hasRows }: Selection): Distinct | null {
  const { distinct } = draft;
  if (distinct === null) return null;
  if (!hasRows) throw notDistinct('A spread of a to-one relationship has no rows.');
  if (distinct.kind === 'fields')
    return { kind: 'fields', fields: distinct.fields.map((field) => distinctField(field, scope)) };
  for (const item of items) requireComparable(item, scope);
  return distinct;
}

const notDistinct = (reason: string): Error => dbrError('DistinctNotPossible', { reason });

function distinctField(field: Field, scope: Scope): FieldExpression {
  const expression = fieldExpression(field, scope);
  requireComparableField(expression, scope);
  return expression;
}

function requireComparable(item: SelectItem, scope: Scope): void {
  if (item.kind === 'all' && item.relation === scope.alias) {
    for (const { name, type } of scope.table?.columns.values() ?? []) requireType(name, type.baseName);
  }
  if (item.kind !== 'field' || item.cast !== null || item.aggregate !== null) return;
  if (item.representation !== null) requireType(item.name, 'json');
  if (item.expression.relation === scope.alias) requireComparableField(item.expression, scope);
}

function requireComparableField({ column, path }: FieldExpression, scope: Scope): void {
  const type = findColumn(scope, column)?.type.baseName ?? null;
  const last = path.at(-1);
  if (type === null || last?.arrow === '->>') return;
  if (last === undefined || type === 'json') requireType(column, type);
}

function requireType(column: string, type: string): void {
  if (INCOMPARABLE.has(type.replace(/(?:\[\])+$/, '')))
    throw notDistinct(`'${column}' has the type ${type}, whose values PostgreSQL does not compare.`);
}

/** Types without an operator class: PostgreSQL cannot sort or hash their values. */
const INCOMPARABLE: ReadonlySet<string> = new Set([
  ...['json', 'xml', 'point', 'line', 'lseg', 'box', 'path', 'polygon', 'circle'],
]);

/**
 * Puts the fields of `distinct` before the other terms of an order, as PostgreSQL demands: the first row of each is
 * given. Terms of the order keep their direction.
 */
export function distinctOrder(distinct: Distinct | null, order: readonly OrderTerm[]): readonly OrderTerm[] {
  if (distinct?.kind !== 'fields') return order;
  const { fields } = distinct;
  const isOf = (term: OrderTerm, field: FieldExpression): boolean =>
    term.embed === null && term.value === undefined && isSame(term.field, field);
  const leading = order.filter((term) => fields.some((field) => isOf(term, field)));
  const missing = fields.filter((field) => !leading.some((term) => isOf(term, field)));
  return [...leading, ...missing.map(ascending), ...order.filter((term) => !leading.includes(term))];
}

const isSame = (one: FieldExpression, other: FieldExpression): boolean =>
  one.column === other.column && JSON.stringify(one.path) === JSON.stringify(other.path);

/**
 * Plans a term of the order that names a value of the select list: an aggregate of groups, or any value of distinct
 * rows. Null for a term that names a field: a column by which the rows are grouped takes precedence over a value with
 * its name, and other values of groups are named by their fields, as in the reference.
 */
export function selectedOrder(
  { relation, field, rank, direction, nulls }: OrderSyntax,
  { draft, items, scope, grouped, hasRows }: Selection,
): OrderTerm | null {
  if (relation !== null || rank !== undefined || field.path.length > 0 || !hasRows) return null;
  const item = findValue(items, field.name);
  if (item === null || isGroupedColumn(field.name, items, scope)) return null;
  if (draft.distinct?.kind !== 'all' && !(grouped && isAggregate(item))) return null;
  return {
    field: columnField(scope.alias, item.name),
    value: { kind: 'selected', item },
    embed: null,
    direction,
    nulls,
  };
}

/** Whether rows are grouped by a column of this name: it is selected, or the whole primary key is. */
function isGroupedColumn(name: string, items: readonly SelectItem[], scope: Scope): boolean {
  if (findColumn(scope, name) === null) return false;
  const key = scope.table?.primaryKey ?? [];
  const isSelected = (column: string): boolean =>
    items.some(
      (item) =>
        item.kind === 'field' &&
        item.aggregate === null &&
        item.expression.relation === scope.alias &&
        item.expression.path.length === 0 &&
        item.expression.column === column,
    );
  return isSelected(name) || (key.length > 0 && key.every(isSelected));
}

/**
 * Plans the order by an aggregate of all rows of a to-many embed; null if the embed has no such value.
 * @param items the select list of the embed: aggregates alone give one value each
 * @param values the values of the same keys, in the rows to sort or within the embed
 */
export function embeddedOrder(
  { field, rank, direction, nulls }: OrderSyntax,
  items: readonly SelectItem[],
  {
    embed,
    values,
    scope,
  }: {
    readonly embed: string | null;
    readonly values: readonly SelectItem[];
    readonly scope: Scope;
  },
): OrderTerm | null {
  if (!items.every((item) => isValue(item) && isAggregate(item)) || rank !== undefined) return null;
  const item = field.path.length === 0 ? findValue(values, field.name) : null;
  if (item === null) return null;
  return {
    field: columnField(scope.alias, item.name),
    value: { kind: 'selected', item },
    embed,
    direction,
    nulls,
  };
}

/**
 * A column that a spread resource passes to a grouped parent, under its name in the rows of the spread. The parent
 * computes the aggregates, because the rows of a spread are not grouped (data API §1.4).
 */
export type SpreadColumn =
  | {
      readonly kind: 'column';
      readonly column: string;
      readonly aggregate: AggregateCall | null;
      readonly name: string;
    }
  | Extract<SelectItem, { kind: 'count' }>;

/** The select list of a spread, and the columns that it passes to its parent. */
interface SplitSelect {
  readonly inner: readonly SelectItem[];
  readonly handed: readonly SpreadColumn[];
}

/**
 * The form in which a resource is spread. `plain`: its parent takes all its columns. `named`: its parent names each of
 * them. `arrays`: of a to-many relationship, one array for each column, or the value of an aggregate of all rows.
 * Null for a resource that is not a spread.
 */
export type SpreadOf = 'plain' | 'named' | 'arrays' | null;

/** Returns the select list of a resource, and the columns that it passes to its parent. */
export function handOver(
  items: readonly SelectItem[],
  spreadOf: SpreadOf,
  claim: (name: string) => string,
): SplitSelect {
  switch (spreadOf) {
    case null:
    case 'plain':
      return { inner: items, handed: [] };
    case 'named':
      return splitSelect(items, claim);
    case 'arrays':
      return renameSelect(items, claim);
  }
}

/** Passes each item on as it is. An item `*` is kept: the columns are not known. */
function renameSelect(items: readonly SelectItem[], claim: (name: string) => string): SplitSelect {
  const renamed = items.map((item) => (item.kind === 'all' ? item : { ...item, name: claim(item.name) }));
  const handed = items.flatMap((item, index): readonly SpreadColumn[] => {
    const own = renamed[index];
    if (item.kind === 'all' || own === undefined || own.kind === 'all') return [];
    return [{ kind: 'column', column: own.name, aggregate: null, name: item.name }];
  });
  return { inner: renamed, handed };
}

/**
 * Moves the aggregates of a spread to its parent. `claim` returns names that no other column has.
 * @throws DBR186 for an aggregate with a filter: the rows of the parent lack the columns that it names
 */
function splitSelect(items: readonly SelectItem[], claim: (name: string) => string): SplitSelect {
  const inner: SelectItem[] = [];
  const handed: SpreadColumn[] = [];
  for (const item of items) {
    if (item.kind !== 'all' && hasFilter(item))
      throw dbrError('AggregateFilterNotPossible', { name: item.name });
    switch (item.kind) {
      case 'count':
        handed.push(item);
        break;
      case 'field': {
        const column = claim(item.name);
        inner.push({ ...item, aggregate: null, name: column });
        handed.push({ kind: 'column', column, aggregate: item.aggregate, name: item.name });
        break;
      }
      case 'embed': {
        const column = claim(item.name);
        inner.push({ ...item, name: column });
        handed.push({ kind: 'column', column, aggregate: null, name: item.name });
        break;
      }
      case 'all':
        // Only for relations outside the cache, whose columns are not known.
        inner.push(item);
        break;
    }
  }
  return { inner, handed };
}

function hasFilter(item: SelectItem): boolean {
  if (item.kind === 'count') return item.filter !== null;
  return item.kind === 'field' && item.aggregate !== null && item.aggregate.filter !== null;
}

/** Returns the parent's items for the columns of a spread that is joined as `relation`. */
export function handedItems(handed: readonly SpreadColumn[], relation: string): readonly SelectItem[] {
  return handed.map((column) =>
    column.kind === 'count'
      ? column
      : { ...columnItem(relation, column.column), aggregate: column.aggregate, name: column.name },
  );
}

/** One resource of `select` with its filters, order and range, before names are resolved. */
export interface Draft {
  readonly select: readonly SelectSyntax[];
  readonly filters: readonly Filter[];
  readonly logic: readonly LogicGroup[];
  readonly order: readonly OrderSyntax[];
  /** Conditions on the groups; empty for none. */
  readonly having: readonly LogicTree[];
  readonly distinct: DistinctSyntax | null;
  readonly range: RowRange | null;
  /** In the order of `select`. */
  readonly embeds: readonly DraftEmbed[];
}

export interface DraftEmbed {
  readonly item: SelectRelation | SelectSpread;
  /** Its key in the response: its alias, otherwise its name. */
  readonly key: string;
  readonly draft: Draft;
}

/** A draft while parameters are being added to it. */
interface OpenDraft extends Draft {
  readonly filters: Filter[];
  readonly logic: LogicGroup[];
  order: readonly OrderSyntax[];
  readonly having: LogicTree[];
  distinct: DistinctSyntax | null;
  range: RowRange | null;
  readonly embeds: readonly OpenEmbed[];
}

interface OpenEmbed extends DraftEmbed {
  readonly draft: OpenDraft;
}

/**
 * Groups the parameters of the query string by the embedded resource that they name; DBR108 if there is none.
 * The first of several orders, and of several `distinct`, is used.
 */
export function draftTree(request: ApiRequest, names: EmbedNames): Draft {
  const { query } = request;
  const root = openDraft(query.select.length === 0 ? EVERYTHING : query.select);
  const find = (path: EmbedPath): OpenDraft => findDraft(root, path, names);
  each(query.filters, (path, filter) => find(path).filters.push(filter));
  each(query.order, (path, order) => {
    const draft = find(path);
    if (draft.order.length === 0) draft.order = order;
  });
  each(query.having, (path, terms) => find(path).having.push(...terms));
  each(query.distinct, (path, distinct) => {
    find(path).distinct ??= distinct;
  });
  each(query.ranges, (path, range) => {
    find(path).range = range;
  });
  each(query.logic, (path, group) => find(path).logic.push(group));
  root.range = request.range;
  return root;
}

/** An empty list at the root selects all columns. */
const EVERYTHING: readonly SelectSyntax[] = [{ kind: 'all' }];

const openDraft = (select: readonly SelectSyntax[]): OpenDraft => ({
  select,
  filters: [],
  logic: [],
  order: [],
  having: [],
  distinct: null,
  range: null,
  embeds: select.flatMap((item) =>
    item.kind === 'relation' || item.kind === 'spread'
      ? [{ item, key: keyOf(item), draft: openDraft(item.select) }]
      : [],
  ),
});

function each<T>(list: readonly At<T>[], place: (path: EmbedPath, item: T) => void): void {
  for (const { path, item } of list) place(path, item);
}

function findDraft(root: OpenDraft, path: EmbedPath, names: EmbedNames): OpenDraft {
  let draft = root;
  for (const step of path) {
    const next = findEmbed(draft.embeds, step, names);
    if (next === undefined) throw dbrError('NotEmbedded', { relation: step });
    draft = next.draft;
  }
  return draft;
}

function findEmbed(embeds: readonly OpenEmbed[], step: string, names: EmbedNames): OpenEmbed | undefined {
  const isKey = ({ key }: OpenEmbed): boolean => key === step;
  const isName = ({ item }: OpenEmbed): boolean => item.name === step;
  switch (names) {
    case 'first':
      return embeds.find((embed) => isName(embed) || isKey(embed));
    case 'key first':
      return embeds.find(isKey) ?? embeds.find(isName);
    case 'key':
      return embeds.find(isKey);
  }
}

const keyOf = (item: SelectRelation | SelectSpread): string =>
  (item.kind === 'relation' ? item.alias : null) ?? item.name;
