import type { JsonStep, SelectCount, SelectField, SelectItem as SelectSyntax } from '../grammar/ast.js';
import { castOf, resolveCast } from './cast.js';
import { aggregateFilter } from './conditions.js';
import type { AggregateCall, SelectItem } from './expression.js';
import { fieldExpression, findColumn, outputRepresentation, type Scope } from './scope.js';

/** Plans one selected field (data API §1.4). The representation of a domain is applied before casts and aggregates. */
export function planField(item: SelectField, scope: Scope): Extract<SelectItem, { kind: 'field' }> {
  const column = item.field.path.length === 0 ? findColumn(scope, item.field.name) : null;
  const representation = outputRepresentation(scope, column);
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
  const needed = byColumn || columns.some((column) => outputRepresentation(scope, column) !== null);
  if (!needed || columns.length === 0) return [{ kind: 'all', relation: scope.alias }];
  return columns.map((column) => ({
    kind: 'field',
    expression: { relation: scope.alias, column: column.name, path: [], viaJson: false },
    representation: outputRepresentation(scope, column),
    cast: null,
    aggregate: null,
    name: column.name,
    groupedBy: 'field',
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
