/** Kinds of query parameters, by their key (data API §1.2). */

/** `ignored`: a second `select`, `columns` or `on_conflict`, or a key without value. */
export type ParameterKind =
  | 'select'
  | 'columns'
  | 'on_conflict'
  | 'related on_conflict'
  | 'order'
  | 'limit'
  | 'offset'
  | 'logic'
  | 'filter'
  | 'ignored';

/** The beginning of an operation, which the names of `on_conflict` cannot have. */
const OPERATION = /^[a-z.]+(?:\([^)]*\))?\./;

/** The kind of a parameter. @param key decoded @param value decoded, null without one @param seen the keys before it */
export function kindOfParameter(key: string, value: string | null, seen: Set<string>): ParameterKind {
  const hasValue = value !== null;
  if (key === 'select' || key === 'columns' || key === 'on_conflict') {
    // The first occurrence is used, even if it has no value.
    if (seen.has(key)) return 'ignored';
    seen.add(key);
    return hasValue ? key : 'ignored';
  }
  if (!hasValue) return 'ignored';
  const word = key.slice(key.lastIndexOf('.') + 1);
  if (word === 'order' || word === 'limit' || word === 'offset') return word;
  if (word === 'on_conflict' && key !== word && value !== null && !OPERATION.test(value))
    return 'related on_conflict';
  return word === 'and' || word === 'or' ? 'logic' : 'filter';
}
