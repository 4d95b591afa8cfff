/** Kinds of query parameters, by their key (data API §1.2). */

import { LONGEST_NAMES, tooLong } from './query-string.js';

/** `ignored`: a second `select`, `columns` or `on_conflict`, or a key without value. */
export type ParameterKind =
  | 'select'
  | 'columns'
  | 'on_conflict'
  | 'related on_conflict'
  | 'order'
  | 'limit'
  | 'offset'
  | 'having'
  | 'distinct'
  | 'logic'
  | 'filter'
  | 'ignored';

/** The beginning of an operation, which the names of `on_conflict` cannot have. */
const OPERATION = /^[a-z.]+(?:\([^)]*\))?\./;

/**
 * Returns the kind of a parameter. The values of `having` and `distinct` begin with a parenthesis, and no filter operation
 * does: with any other value, the parameter filters a column of this name.
 * @param key decoded
 * @param value decoded; null for none
 * @param seen the keys before it
 * @throws DBR100 for a list of names that is too long
 */
export function kindOfParameter(key: string, value: string | null, seen: Set<string>): ParameterKind {
  const kind = kindOf(key, value, seen);
  if (value !== null && value.length > LONGEST_NAMES && kind !== 'filter' && kind !== 'logic')
    throw tooLong(`parameter "${kind}"`);
  return kind;
}

function kindOf(key: string, value: string | null, seen: Set<string>): ParameterKind {
  if (key === 'select' || key === 'columns' || key === 'on_conflict') {
    // The first occurrence is used, even if it has no value.
    if (seen.has(key)) return 'ignored';
    seen.add(key);
    return value !== null ? key : 'ignored';
  }
  if (value === null) return 'ignored';
  const word = key.slice(key.lastIndexOf('.') + 1);
  if (word === 'order' || word === 'limit' || word === 'offset') return word;
  if (word === 'on_conflict' && key !== word && !OPERATION.test(value)) return 'related on_conflict';
  if ((word === 'having' || word === 'distinct') && value.startsWith('(')) return word;
  return word === 'and' || word === 'or' ? 'logic' : 'filter';
}

const LISTS: ReadonlySet<string> = new Set(['select', 'columns', 'on_conflict']);

/** How many values a parameter has: a list with commas, one, or several that each have a meaning. */
export function arityOfParameter(key: string): 'list' | 'one' | 'several' {
  const word = key.slice(key.lastIndexOf('.') + 1);
  if (LISTS.has(key) || word === 'order') return 'list';
  return word === 'limit' || word === 'offset' ? 'one' : 'several';
}
