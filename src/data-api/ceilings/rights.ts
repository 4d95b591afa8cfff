/** The operators and orders that a role may use (`dbr.operators`, `dbr.orders`). */
import { dbrError } from '../../errors/dbr-error.js';
import type { Filter, LogicTree, SelectItem } from '../grammar/ast.js';
import type { Operator } from '../grammar/operators.js';
import type { Query } from '../request/api-request.js';
import type { RoleCeilings } from './role-ceilings.js';
import type { Preferences } from '../request/preferences.js';
import type { SchemaCache } from '../schema-cache/types.js';

/** @throws DbrError OperatorNotAllowed, OrderNotAllowed (403) for the first one that the role may not use */
export function requireRights(query: Query, { operators, orders }: RoleCeilings): void {
  if (operators !== null)
    for (const operator of operatorsOf(query))
      if (!operators.has(operator)) throw dbrError('OperatorNotAllowed', { operator });
  if (orders === null) return;
  for (const column of orderedColumns(query))
    if (!orders.has(column)) throw dbrError('OrderNotAllowed', { column });
}

/** The comparisons that a cursor of keyset pagination makes, by the direction of the order. */
const OF_CURSORS: readonly Operator[] = ['gt', 'lt'];

/** Whether a role may choose rows by filters as it does by a cursor. */
export const mayFilterAsCursors = ({ operators }: RoleCeilings): boolean =>
  operators === null || OF_CURSORS.every((operator) => operators.has(operator));

function* operatorsOf({ select, filters, logic, order, having }: Query): Iterable<Operator> {
  for (const { item } of filters) yield operatorOf(item);
  for (const { item } of logic) yield* operatorsOfTree(item);
  for (const { item } of having) for (const tree of item) yield* operatorsOfTree(tree);
  for (const { item } of order) for (const { rank } of item) if (rank !== undefined) yield rank.operator;
  for (const { filter = [] } of aggregatesOf(select)) for (const tree of filter) yield* operatorsOfTree(tree);
}

function* operatorsOfTree(tree: LogicTree): Iterable<Operator> {
  if (tree.kind === 'filter') yield operatorOf(tree.filter);
  else for (const term of tree.terms) yield* operatorsOfTree(term);
}

function operatorOf({ operation }: Filter): Operator {
  switch (operation.kind) {
    case 'comparison':
    case 'search':
      return operation.operator;
    case 'in':
    case 'is':
      return operation.kind;
  }
}

/** What `distinct=(*)` orders by. */
const ALL_COLUMNS = '*';

/**
 * The columns by which a query orders, of the root and of embeds. A path into JSON counts as its column, and the name of an
 * aggregate, which the client chooses, counts as the column that is aggregated, too. The columns of `distinct` sort the
 * rows as well.
 */
function* orderedColumns({ select, order, distinct }: Query): Iterable<string> {
  const aggregates = [...aggregatesOf(select)];
  for (const { item } of distinct)
    if (item.kind === 'fields') for (const { name } of item.fields) yield name;
    else yield ALL_COLUMNS;
  for (const { item } of order)
    for (const { field } of item) {
      yield field.name;
      for (const { name, column } of aggregates) if (name === field.name) yield column;
    }
}

interface NamedAggregate {
  /** The name by which it can be ordered. */
  readonly name: string;
  /** The aggregated column; `count` for rows. */
  readonly column: string;
  readonly filter: readonly LogicTree[] | undefined;
}

/** The aggregates of a select list, on all levels. */
function* aggregatesOf(select: readonly SelectItem[]): Iterable<NamedAggregate> {
  for (const item of select)
    switch (item.kind) {
      case 'all':
        break;
      case 'count':
        yield { name: item.alias ?? 'count', column: 'count', filter: item.filter };
        break;
      case 'field':
        if (item.aggregate !== null)
          yield {
            name: item.alias ?? item.aggregate.function,
            column: item.field.name,
            filter: item.aggregate.filter,
          };
        break;
      case 'relation':
      case 'spread':
        yield* aggregatesOf(item.select);
        break;
    }
}

type Asked = Pick<Preferences, 'count' | 'maxCost'>;

interface Bounds {
  readonly settings: { readonly 'db-estimates-under-policies': boolean };
  readonly cache: Pick<SchemaCache, 'roles'>;
}

/** Whether a role may see estimates. */
export const mayEstimate = (role: string, { settings, cache }: Bounds): boolean =>
  settings['db-estimates-under-policies'] || cache.roles.get(role)?.bypassesPolicies === true;

/** @throws DbrError EstimateNotAllowed (403) for preferences whose response depends on an estimate */
export function requireEstimates({ count, maxCost }: Asked, role: string, bounds: Bounds): void {
  if (maxCost === null && count !== 'planned' && count !== 'estimated') return;
  if (!mayEstimate(role, bounds)) throw dbrError('EstimateNotAllowed');
}
