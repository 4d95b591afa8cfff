/**
 * Hints such as "Perhaps you meant": names of the cache that resemble a name in the request (data API §1.21). They
 * name only objects on which the caller's role has a privilege, so that they do not reveal others.
 */
import { find, type QualifiedName, type Routine, type SchemaCache, type Table } from './types.js';
import { findSimilar, findSimilarAmong } from './name-index.js';
import { privilegesOf } from './privileges.js';

/**
 * Returns the hint of DBR200. If the source has relationships (also through a junction that is not exposed), the
 * target is assumed to be misspelt, unless it is related to the source; otherwise the source is assumed to be
 * misspelt.
 */
export function relationshipHint(
  cache: SchemaCache,
  role: string,
  source: QualifiedName,
  target: string,
): string | null {
  const tables = cache.tables.get(source.schema);
  if (tables === undefined) return null;
  const mayKnow = tablesKnownTo(cache, role);
  const known = find(cache.relationships, source.schema, source.name);
  if (known === undefined) {
    const isRelated = (table: Table): boolean =>
      find(cache.relationships, table.schema, table.name) !== undefined;
    const match = findSimilar(tables, source.name, (table) => isRelated(table) && mayKnow(table));
    return match === null ? null : `Perhaps you meant '${match.name}' instead of '${source.name}'.`;
  }
  const relatives = new Set(known.map((relationship) => relationship.target.name));
  const match = findSimilar(tables, target, (table, name) => relatives.has(name) && mayKnow(table));
  return match === null || match.score === 1
    ? null
    : `Perhaps you meant '${match.name}' instead of '${target}'.`;
}

/** Returns the hint of DBR205: a relation of that schema with a similar name. */
export function tableHint(cache: SchemaCache, role: string, table: QualifiedName): string | null {
  const tables = cache.tables.get(table.schema);
  if (tables === undefined) return null;
  const mayKnow = tablesKnownTo(cache, role);
  const match = findSimilar(tables, table.name, mayKnow);
  return match === null ? null : `Perhaps you meant the table '${table.schema}.${match.name}'`;
}

/**
 * Returns the hint of DBR202: a function with a similar name or, if the name exists, the overload whose parameters
 * resemble the arguments most.
 */
export function functionHint(
  cache: SchemaCache,
  role: string,
  called: QualifiedName,
  argumentNames: readonly string[],
): string | null {
  const meant = similarFunction(cache, role, called, argumentNames);
  return meant === null ? null : `Perhaps you meant to call the function ${called.schema}.${meant}`;
}

function similarFunction(
  cache: SchemaCache,
  role: string,
  { schema, name }: QualifiedName,
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
    return match === null ? null : name + match.name;
  }
  const functions = cache.functions.get(schema);
  return functions === undefined
    ? null
    : (findSimilar(functions, name, (all) => all.some(mayCall))?.name ?? null);
}

/** Overloads beyond this number are not compared. */
const MOST_OVERLOADS = 100;

const listText = (names: readonly string[]): string => `(${names.toSorted().join(', ')})`;

/** The objects that hints for a role may name: those on which it has a privilege. */
export interface Known {
  readonly table: (name: QualifiedName) => boolean;
  /**
   * Functions of computed relationships are always named, because the cache has no privileges of functions that are
   * not endpoints.
   */
  readonly function: (name: QualifiedName) => boolean;
  readonly routine: (routine: Routine) => boolean;
}

export function knownTo(cache: SchemaCache, role: string): Known {
  const mayKnow = tablesKnownTo(cache, role);
  const holds = privilegesOf(cache.roles, role);
  const routine = ({ access }: Routine): boolean => holds(access, 'EXECUTE');
  return {
    table({ schema, name }) {
      const table = find(cache.tables, schema, name);
      return table !== undefined && mayKnow(table);
    },
    function: ({ schema, name }) => find(cache.functions, schema, name)?.some(routine) ?? true,
    routine,
  };
}

function tablesKnownTo(cache: SchemaCache, role: string): (table: Table) => boolean {
  const holds = privilegesOf(cache.roles, role);
  return ({ access }) =>
    holds(access, 'SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN');
}
