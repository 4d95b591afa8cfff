import { canonicalQuery, type QueryPair } from '../request/query-string.js';
import type { Header } from './header-text.js';

/** `Content-Location` of a read: the relation with its query in canonical spelling. */
export function contentLocation(relation: string, pairs: readonly QueryPair[]): Header {
  const query = canonicalQuery(pairs);
  return ['Content-Location', `/${encodeURIComponent(relation)}${query === '' ? '' : `?${query}`}`];
}

/** `Location` of an inserted row, by its primary key. */
export function rowLocation(
  relation: string,
  keyColumns: readonly string[],
  values: readonly (string | null)[],
): Header {
  const filters = keyColumns.map((column, index) => {
    const value = values[index] ?? null;
    const operation = value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`;
    return `${encodeURIComponent(column)}=${operation}`;
  });
  return ['Location', `/${encodeURIComponent(relation)}?${filters.join('&')}`];
}
