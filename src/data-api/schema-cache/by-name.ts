/** Maps by schema and name. */
import type { ByName, QualifiedName } from './types.js';

export type MutableByName<T> = Map<string, Map<string, T>>;

/** Finds an object by its exact name. */
export const find = <T>(map: ByName<T>, schema: string, name: string): T | undefined =>
  map.get(schema)?.get(name);

export function put<T>(map: MutableByName<T>, { schema, name }: QualifiedName, value: T): void {
  const names = map.get(schema) ?? new Map<string, T>();
  map.set(schema, names);
  names.set(name, value);
}

/** Returns the value of a name. Creates and stores it if there is none. */
export function findOrPut<T>(map: MutableByName<T>, at: QualifiedName, make: () => T): T {
  const found = find(map, at.schema, at.name);
  if (found !== undefined) return found;
  const made = make();
  put(map, at, made);
  return made;
}

export const sameName = (a: QualifiedName, b: QualifiedName): boolean =>
  a.schema === b.schema && a.name === b.name;
