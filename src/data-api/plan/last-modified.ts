import type { At, Filter } from '../grammar/ast.js';
import type { ApiRequest } from '../request/api-request.js';
import { privilegesOf } from '../schema-cache/lookups.js';
import type { Table } from '../schema-cache/types.js';
import type { Condition } from './expression.js';
import { freeName } from './free-name.js';
import type { PlanContext } from './plan-context.js';
import type { Dated } from './plan.js';
import type { ReadNode } from './read-node.js';

/** Returns the column with the time of a row's last change, if the role may read it; null for none. */
export function lastModifiedColumn(
  table: Table | null,
  { cache, role }: Pick<PlanContext, 'cache' | 'role'>,
): string | null {
  const column = table?.lastModified;
  if (table === null || column === undefined) return null;
  return privilegesOf(cache.roles, role)(table.tableAccess, 'SELECT') ? column : null;
}

/**
 * Plans Last-Modified of a read. Null for a read whose rows contain anything but columns of the relation: an embed or a
 * computed field changes without the row, and a group has several rows.
 */
export function planDated(
  root: ReadNode,
  request: ApiRequest,
  table: Table | null,
  context: PlanContext,
): Dated | null {
  const column = lastModifiedColumn(table, context);
  if (column === null || table === null) return null;
  if (root.grouped || root.distinct !== null || root.embeds.length > 0) return null;
  const names = root.select.flatMap((item): readonly (string | null)[] => {
    if (item.kind === 'all') return [...table.columns.keys()];
    return item.kind === 'field' && table.columns.has(item.expression.column) ? [item.name] : [null];
  });
  const known = names.filter((name) => name !== null);
  if (known.length === 0 || known.length < names.length || new Set(known).size < known.length) return null;
  return {
    column,
    names: known,
    alias: freeName('last_modified', new Set(known)),
    isOneRow: namesRow(request.query.filters, table.primaryKey),
  };
}

/** Whether the filters name one row by its primary key. */
function namesRow(filters: readonly At<Filter>[], key: readonly string[]): boolean {
  const isNamed = (column: string): boolean =>
    filters.some(
      ({ path, item: { field, operation } }) =>
        path.length === 0 &&
        field.name === column &&
        field.path.length === 0 &&
        operation.kind === 'comparison' &&
        operation.operator === 'eq' &&
        operation.quantifier === null &&
        !operation.negated,
    );
  return key.length > 0 && key.every(isNamed);
}

/**
 * Returns the condition of a write that its row has not changed since the time of If-Unmodified-Since; null without
 * that header, and for a relation without the time of changes (RFC 9110 §13.1.4).
 */
export function unmodifiedCondition(
  { condition }: Pick<ApiRequest, 'condition'>,
  alias: string,
  table: Table | null,
  context: PlanContext,
): Condition | null {
  const column = condition === 'unmodified' ? lastModifiedColumn(table, context) : null;
  if (column === null) return null;
  return {
    kind: 'comparison',
    field: { relation: alias, column, path: [], viaJson: false },
    negated: false,
    operator: 'lt',
    quantifier: null,
    operand: { kind: 'unmodified before' },
    representation: null,
  };
}
