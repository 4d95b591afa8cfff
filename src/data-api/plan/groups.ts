/** Conditions on groups, rows that differ, and orders by values of the select list. */
import { dbrError } from '../../errors/dbr-error.js';
import type { Field, OrderTerm as OrderSyntax } from '../grammar/ast.js';
import { havingCondition } from './conditions.js';
import type { Draft } from './draft.js';
import type { Condition, FieldExpression, OrderTerm, SelectItem, ValueItem } from './expression.js';
import type { Distinct } from './read-node.js';
import { fieldExpression, findColumn, type Scope } from './scope.js';

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
  return [
    ...leading,
    ...missing.map((field) => ({ field, embed: null, direction: null, nulls: null })),
    ...order.filter((term) => !leading.includes(term)),
  ];
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
    field: selectedField(item, scope),
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
  return { field: selectedField(item, scope), value: { kind: 'selected', item }, embed, direction, nulls };
}

const selectedField = ({ name }: ValueItem, { alias }: Scope): FieldExpression => ({
  relation: alias,
  column: name,
  path: [],
  viaJson: false,
});
