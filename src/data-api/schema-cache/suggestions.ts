/**
 * "Perhaps you meant": names of the cache that resemble what a request asked for (data API §1.21). Only objects on which
 * the caller's role holds some privilege are named, so that hints do not enumerate what a role may not know.
 */
import { find } from './by-name.js';
import { buildNameIndex, findSimilar, findSimilarAmong, type NameIndex } from './name-index.js';
import { privilegesOf } from './privileges.js';
import type { Work } from './slices.js';
import type { ByName, Routine, SchemaCache, Suggestions, Table } from './types.js';

export function* buildSuggestions(
  tables: ByName<Table>,
  functions: ByName<readonly Routine[]>,
): Work<Suggestions> {
  return { tables: yield* indexEach(tables), functions: yield* indexEach(functions) };
}

function* indexEach<T>(objects: ByName<T>): Work<ReadonlyMap<string, NameIndex<T>>> {
  const indexes = new Map<string, NameIndex<T>>();
  for (const [schema, names] of objects) indexes.set(schema, yield* buildNameIndex(names));
  return indexes;
}

/** Which word of a request is taken for a slip, and what was meant by it. */
export interface RelationshipSuggestion {
  readonly instead: string;
  readonly candidate: string;
}

/**
 * For DBR200. When relationships of the source are known the slip is in the target, unless that is one of them;
 * otherwise it is in the source.
 */
export function suggestRelationship(
  cache: SchemaCache,
  role: string,
  schema: string,
  source: string,
  target: string,
): RelationshipSuggestion | null {
  const index = cache.suggestions.tables.get(schema);
  if (index === undefined) return null;
  const mayKnow = tablesKnownTo(cache, role);
  const known = find(cache.relationships, schema, source);
  if (known === undefined) {
    const isRelated = ({ name }: Table): boolean => find(cache.relationships, schema, name) !== undefined;
    const match = findSimilar(index, source, ({ value }) => isRelated(value) && mayKnow(value));
    return match === null ? null : { instead: source, candidate: match.name };
  }
  const relatives = new Set(known.map((relationship) => relationship.target.name));
  const match = findSimilar(index, target, ({ name, value }) => relatives.has(name) && mayKnow(value));
  return match === null || match.score === 1 ? null : { instead: target, candidate: match.name };
}

/** For DBR205: a relation of that schema with a similar name. */
export function suggestTable(cache: SchemaCache, role: string, schema: string, name: string): string | null {
  const index = cache.suggestions.tables.get(schema);
  if (index === undefined) return null;
  const mayKnow = tablesKnownTo(cache, role);
  return findSimilar(index, name, ({ value }) => mayKnow(value))?.name ?? null;
}

/**
 * For DBR202: `schema.name` of a similar function, or, where the name is right, `schema.name(a, b)` of the overload whose
 * parameters are most alike.
 */
export function suggestFunction(
  cache: SchemaCache,
  role: string,
  schema: string,
  name: string,
  argumentNames: readonly string[],
): string | null {
  const holds = privilegesOf(cache.roles, role);
  const mayCall = ({ access }: Routine): boolean => holds(access, 'EXECUTE');
  const overloads = (find(cache.functions, schema, name) ?? []).filter(mayCall);
  if (overloads.length > 0) {
    const lists = overloads
      .slice(0, MOST_OVERLOADS)
      .map(({ parameters }) => listText(parameters.map((p) => p.name)));
    const match = findSimilarAmong(lists, listText(argumentNames));
    return match === null ? null : `${schema}.${name}${match.name}`;
  }
  const index = cache.suggestions.functions.get(schema);
  if (index === undefined) return null;
  const match = findSimilar(index, name, ({ value }) => value.some(mayCall));
  return match === null ? null : `${schema}.${match.name}`;
}

const MOST_OVERLOADS = 100;

const listText = (names: readonly string[]): string => `(${names.toSorted().join(', ')})`;

function tablesKnownTo(cache: SchemaCache, role: string): (table: Table) => boolean {
  const holds = privilegesOf(cache.roles, role);
  return ({ access }) =>
    holds(access, 'SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN');
}
