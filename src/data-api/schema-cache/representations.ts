/** Domains with casts to json or from json and text (data API §1.3). */
import type { RepresentationRow } from './queries/types.js';
import type { ColumnType, QualifiedName, Representations, SchemaCache } from './types.js';

export function buildRepresentations(rows: readonly RepresentationRow[]): Representations {
  const bySource = new Map<string, Map<string, QualifiedName>>();
  for (const { source, target, schema, name } of rows) {
    const byTarget = bySource.get(source) ?? new Map<string, QualifiedName>();
    bySource.set(source, byTarget);
    byTarget.set(target, { schema, name });
  }
  return bySource;
}

/** Returns the function that renders a column's value as json, if its domain has one. */
export const toJson = (cache: SchemaCache, type: ColumnType): QualifiedName | null =>
  cache.representations.get(type.plainName)?.get('json') ?? null;

/**
 * Returns the function that converts json (a payload) or text (a filter) to a column's value, if its domain has one.
 */
export const fromText = (
  cache: SchemaCache,
  source: 'json' | 'text',
  type: ColumnType,
): QualifiedName | null => cache.representations.get(source)?.get(type.plainName) ?? null;
