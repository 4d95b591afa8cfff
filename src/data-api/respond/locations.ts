import { canonicalQuery, type QueryPair } from '../request/query-string.js';
import type { Header } from './header-text.js';

/**
 * `Content-Location` of a read: the path of the relation with its query in canonical spelling. As in the reference,
 * each byte of UTF-8 is treated as a character and encoded again.
 */
export function contentLocation(path: string, pairs: readonly QueryPair[]): Header {
  const query = canonicalQuery(pairs.every(isAscii) ? pairs : pairs.map(byteByByte));
  return ['Content-Location', query === '' ? path : `${path}?${query}`];
}

/** `Location` of an inserted row, by its primary key. */
export function rowLocation(
  path: string,
  keyColumns: readonly string[],
  values: readonly (string | null)[],
): Header {
  const filters = keyColumns.map((column, index) => {
    const value = values[index] ?? null;
    const operation = value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`;
    return `${encodeURIComponent(column)}=${operation}`;
  });
  return ['Location', `${path}?${filters.join('&')}`];
}

const ASCII = /^[\0-\x7f]*$/;

const isAscii = ({ key, value }: QueryPair): boolean => ASCII.test(key) && ASCII.test(value ?? '');

const byteByByte = (pair: QueryPair): QueryPair => ({
  ...pair,
  key: bytesAsText(pair.key),
  value: pair.value === null ? null : bytesAsText(pair.value),
});

const bytesAsText = (text: string): string =>
  ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
