import type { QualifiedName, SchemaCache, Table } from '../schema-cache/types.js';
import type { AssumedColumns, Source } from './read-node.js';

/** Whether PostgreSQL can resolve a field name only as a column or computed field of the source. */
export type KnownNames = (name: string) => boolean;

/** Collects the names of one statement that the schema cache does not know. */
export interface Assumptions {
  /** Returns a function to call with the name of each field of a source's rows. */
  readonly about: (source: Source, isKnown: KnownNames) => (name: string) => void;
  readonly all: () => readonly AssumedColumns[];
}

export function createAssumptions(): Assumptions {
  const collected: { readonly source: Source; readonly names: Set<string> }[] = [];
  return {
    about: (source, isKnown) => {
      const names = new Set<string>();
      collected.push({ source, names });
      return (name) => {
        if (!isKnown(name)) names.add(name);
      };
    },
    all: () =>
      collected.flatMap(({ source, names }) => (names.size === 0 ? [] : [{ source, columns: [...names] }])),
  };
}

/** A lone `select=count` counts rows: clients of earlier releases of the reference send it (data API §1.4). */
const COUNT = 'count';

/**
 * Returns the known names of a relation: its columns, its computed fields on the search path, and `count`. No column
 * is known of a relation outside the cache.
 */
export function namesOfRelation(
  cache: SchemaCache,
  table: Table | null,
  searchPath: readonly string[],
): KnownNames {
  if (table === null) return (name) => name === COUNT;
  const computed = cache.computedFields.get(table.schema)?.get(table.name);
  return (name) =>
    table.columns.has(name) ||
    name === COUNT ||
    (computed?.get(name)?.some((field) => searchPath.includes(field.function.schema)) ?? false);
}

/** Field names of rows in a common table expression: they have the columns of the relation, not its row type. */
export const columnsOfRelation =
  (table: Table | null): KnownNames =>
  (name) =>
    name === COUNT || (table?.columns.has(name) ?? false);

/** Field names of rows whose columns a function declares. */
export const namesOfColumns = (columns: readonly string[]): KnownNames => {
  const names = new Set([...columns, COUNT]);
  return (name) => names.has(name);
};

/** The source of a relation's rows. */
export const relationSource = (name: QualifiedName): Source => ({ kind: 'relation', name });
