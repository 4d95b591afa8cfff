/** The values in the trees of a query string: collected by index, and taken out. */
import type {
  Filter,
  LogicGroup,
  LogicTree,
  Operation,
  OrderTerm,
  Search,
  SelectItem,
  Value,
} from '../grammar/ast.js';
import type { ParseFailure } from '../grammar/complaint.js';
import { LONGEST_VALUE, MOST_ELEMENTS, TOO_LONG_VALUE, TOO_MANY_ELEMENTS } from '../grammar/limits.js';
import type { QueryValue } from './api-request.js';

/** Returns the reason why values are too many or too long, or null. */
export function excessOfValues(values: readonly QueryValue[]): ParseFailure | null {
  let elements = 0;
  for (const value of values) {
    if (typeof value === 'string' ? isTooLong(value) : value.some(isTooLong)) return TOO_LONG_VALUE;
    if (typeof value !== 'string') elements += value.length;
  }
  return elements > MOST_ELEMENTS ? TOO_MANY_ELEMENTS : null;
}

const isTooLong = ({ length }: string): boolean => length > LONGEST_VALUE;

/** Appends the values of a select list in the order of their indexes. */
export function collectFromSelect(items: readonly SelectItem[], values: QueryValue[]): void {
  for (const item of items) {
    if (item.kind === 'relation' || item.kind === 'spread') collectFromSelect(item.select, values);
    else for (const tree of filterOf(item)) collectFromTree(tree, values);
  }
}

export function collectFromOrder(terms: readonly OrderTerm[], values: QueryValue[]): void {
  for (const { rank } of terms) if (rank !== undefined) values.push(rank.value.text);
}

export function collectFromTree(tree: LogicTree, values: QueryValue[]): void {
  if (tree.kind === 'filter') collectFromOperation(tree.filter.operation, values);
  else for (const term of tree.terms) collectFromTree(term, values);
}

export function collectFromOperation(operation: Operation, values: QueryValue[]): void {
  if (operation.kind === 'in') values.push(operation.value.elements);
  else if (operation.kind !== 'is') values.push(operation.value.text);
}

/** The conditions of the aggregate of an item. */
function filterOf(item: SelectItem): readonly LogicTree[] {
  if (item.kind === 'count') return item.filter ?? [];
  return item.kind === 'field' ? (item.aggregate?.filter ?? []) : [];
}

/** Returns a select list without the texts of its values. */
export const selectWithoutValues = (items: readonly SelectItem[]): readonly SelectItem[] =>
  items.map((item): SelectItem => {
    switch (item.kind) {
      case 'all':
        return item;
      case 'relation':
      case 'spread':
        return { ...item, select: selectWithoutValues(item.select) };
      case 'count':
        return item.filter === undefined ? item : { ...item, filter: item.filter.map(treeWithoutValues) };
      case 'field': {
        const filter = item.aggregate?.filter;
        if (item.aggregate === null || filter === undefined) return item;
        return { ...item, aggregate: { ...item.aggregate, filter: filter.map(treeWithoutValues) } };
      }
    }
  });

export const orderWithoutValues = (terms: readonly OrderTerm[]): readonly OrderTerm[] =>
  terms.map((term) => (term.rank === undefined ? term : { ...term, rank: searchWithoutValue(term.rank) }));

export const filterWithoutValue = ({ field, operation }: Filter): Filter => ({
  field,
  operation: operationWithoutValue(operation),
});

export const groupWithoutValues = (group: LogicGroup): LogicGroup => ({
  ...group,
  terms: group.terms.map(treeWithoutValues),
});

export const treeWithoutValues = (tree: LogicTree): LogicTree =>
  tree.kind === 'group'
    ? groupWithoutValues(tree)
    : { kind: 'filter', filter: filterWithoutValue(tree.filter) };

const emptied = ({ index }: Value): Value => ({ index, text: '' });

const searchWithoutValue = (search: Search): Search => ({ ...search, value: emptied(search.value) });

function operationWithoutValue(operation: Operation): Operation {
  switch (operation.kind) {
    case 'is':
      return operation;
    case 'in':
      return { ...operation, value: { index: operation.value.index, elements: [] } };
    case 'comparison':
      return { ...operation, value: emptied(operation.value) };
    case 'search':
      return { ...operation, value: emptied(operation.value) };
  }
}
