import { dbrError } from '../../errors/dbr-error.js';
import type { AggregateCall, SelectItem } from './expression.js';

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
 * Null for a resource that is no spread.
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
      : {
          kind: 'field',
          expression: { relation, column: column.column, path: [], viaJson: false },
          representation: null,
          cast: null,
          aggregate: column.aggregate,
          name: column.name,
          groupedBy: 'field',
        },
  );
}
