import type { Field } from '../grammar/ast.js';
import type { Column, SchemaCache, Table } from '../schema-cache/types.js';
import type { FieldExpression, Representation } from './expression.js';

/** A relation of the statement under its alias, with its entry of the schema cache. */
export interface Scope {
  readonly cache: SchemaCache;
  readonly alias: string;
  /** Null for relations that the cache does not know, and for results of functions without a relation's type. */
  readonly table: Table | null;
  /** The schema of the request, then the extra search path. */
  readonly searchPath: readonly string[];
  /** Takes the name of every field that a request names (`Assumptions`). */
  readonly assume: (name: string) => void;
}

/** The column of this name; null for computed fields and for names that the cache does not know. */
export function findColumn(scope: Scope, name: string): Column | null {
  return scope.table?.columns.get(name) ?? null;
}

/** The expression of a field of the relation, as a request names it. */
export function fieldExpression(field: Field, scope: Scope): FieldExpression {
  scope.assume(field.name);
  const base = findColumn(scope, field.name)?.type.baseName;
  return {
    relation: scope.alias,
    column: field.name,
    path: field.path,
    viaJson: field.path.length > 0 && base !== 'json' && base !== 'jsonb',
  };
}

/** The function that shows values of a column of this domain in JSON; null where there is none. */
export function outputRepresentation(scope: Scope, column: Column | null): Representation | null {
  if (column === null || !column.type.isDomain) return null;
  return scope.cache.representations.get(column.type.plainName)?.get('json') ?? null;
}

/** The function that reads values of the query string, or of a payload, as this domain; null where there is none. */
export function inputRepresentation(
  cache: SchemaCache,
  column: Column | null,
  from: 'text' | 'json',
): Representation | null {
  if (column === null || !column.type.isDomain) return null;
  return cache.representations.get(from)?.get(column.type.plainName) ?? null;
}
