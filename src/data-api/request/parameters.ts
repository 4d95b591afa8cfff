/** Kinds of query parameters, by their key (data API §1.2). */

/** `ignored`: a second `select`, `columns` or `on_conflict`, or a key without value. */
export type ParameterKind =
  'select' | 'columns' | 'on_conflict' | 'order' | 'limit' | 'offset' | 'logic' | 'filter' | 'ignored';

/** The kind of a parameter. @param key decoded @param seen the keys before it */
export function kindOfParameter(key: string, hasValue: boolean, seen: Set<string>): ParameterKind {
  if (key === 'select' || key === 'columns' || key === 'on_conflict') {
    // The first occurrence is used, even if it has no value.
    if (seen.has(key)) return 'ignored';
    seen.add(key);
    return hasValue ? key : 'ignored';
  }
  if (!hasValue) return 'ignored';
  const word = key.slice(key.lastIndexOf('.') + 1);
  if (word === 'order' || word === 'limit' || word === 'offset') return word;
  return word === 'and' || word === 'or' ? 'logic' : 'filter';
}
