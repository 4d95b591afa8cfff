import type { JsonStep, SelectField, SelectItem as SelectSyntax } from '../grammar/ast.js';
import type { SelectItem } from './plan.js';
import { fieldExpression, findColumn, outputRepresentation, type Scope } from './scope.js';

/** The plan of one selected field (data API §1.4). */
export function planField(item: SelectField, scope: Scope): Extract<SelectItem, { kind: 'field' }> {
  const plain = item.field.path.length === 0 && item.cast === null && item.aggregate === null;
  return {
    kind: 'field',
    expression: fieldExpression(item.field, scope),
    representation: plain ? outputRepresentation(scope, findColumn(scope, item.field.name)) : null,
    cast: item.cast,
    aggregate: item.aggregate,
    name: fieldName(item),
  };
}

/** The key of a field in the answer: its alias, its aggregate, the last key of its JSON path, or the column. */
function fieldName(item: SelectField): string {
  return item.alias ?? item.aggregate?.function ?? lastKey(item.field.path) ?? item.field.name;
}

function lastKey(path: readonly JsonStep[]): string | undefined {
  return path.findLast((step) => step.kind === 'key')?.key;
}

/** `*`: as it is, or column by column where columns must be told apart (grouping, representations). */
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
  }));
}

/** True when an item of the list itself is an aggregate. */
export function hasAggregate(select: readonly SelectSyntax[]): boolean {
  return select.some((item) => item.kind === 'count' || (item.kind === 'field' && item.aggregate !== null));
}

/** True when nothing of the list is shown: `()`, and lists of such embeds only. */
export function showsNothing(select: readonly SelectSyntax[]): boolean {
  return select.every(
    (item) => (item.kind === 'relation' || item.kind === 'spread') && showsNothing(item.select),
  );
}
