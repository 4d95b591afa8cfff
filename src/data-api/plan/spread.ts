import type { AggregateCall, Cast, SelectItem } from './expression.js';

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
  | { readonly kind: 'count'; readonly cast: Cast | null; readonly name: string };

/** The select list of a spread, and the columns that it passes to its parent. */
export interface SplitSelect {
  readonly inner: readonly SelectItem[];
  readonly handed: readonly SpreadColumn[];
}

/** Moves the aggregates of a spread to its parent. `claim` returns names that no other column has. */
export function splitSelect(items: readonly SelectItem[], claim: (name: string) => string): SplitSelect {
  const inner: SelectItem[] = [];
  const handed: SpreadColumn[] = [];
  for (const item of items) {
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
