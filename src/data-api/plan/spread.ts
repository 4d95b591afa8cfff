import type { AggregateCall, Cast, SelectItem } from './expression.js';

/**
 * A column that a spread resource hands to a grouped parent, under the name that it has in the spread's rows.
 * Aggregates are not worked out inside the spread, where each row stands alone, but by the parent (data API §1.4).
 */
export type SpreadColumn =
  | {
      readonly kind: 'column';
      readonly column: string;
      readonly aggregate: AggregateCall | null;
      readonly name: string;
    }
  | { readonly kind: 'count'; readonly cast: Cast | null; readonly name: string };

/** What stays inside the spread, and what its parent is handed. */
export interface SplitSelect {
  readonly inner: readonly SelectItem[];
  readonly handed: readonly SpreadColumn[];
}

/** Takes the aggregates out of the select list of a spread. `claim` gives names that no other column has. */
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
        // Only of relations that the cache does not know: their columns cannot be told apart.
        inner.push(item);
        break;
    }
  }
  return { inner, handed };
}

/** The parent's items for the columns of a spread that is joined as `relation`. */
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
