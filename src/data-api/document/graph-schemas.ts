/** Schemas of rows that are written with their related rows (docs/data-api/graphs.md). */
import { find, findRelationships } from '../schema-cache/lookups.js';
import type { Relationship, SchemaCache, Table } from '../schema-cache/types.js';
import { type RowNames, referenceTo, type Method, type OperationIds, type Schema } from './openapi.js';

/** A relation with at least one operation that the role may use. */
export interface DescribedRelation {
  readonly table: Table;
  readonly names: RowNames;
  readonly methods: readonly Method[];
  readonly ids: OperationIds;
}

/** The graphs of a schema. */
export interface GraphSchemas {
  /** Returns the related resources of an inserted row as properties; null if rows are inserted alone. */
  propertiesOf(table: Table): Readonly<Record<string, Schema>> | null;
  /** Whether bodies of other relations contain rows of the relation with other required members. */
  isRelated(table: Table): boolean;
  /** The columns of the foreign keys of a relation, which related rows fill in. */
  filledColumns(table: Table): ReadonlySet<string>;
}

export const NO_GRAPHS: GraphSchemas = {
  propertiesOf: () => null,
  isRelated: () => false,
  filledColumns: () => new Set(),
};

/** Longest key that names a related resource, in bytes. */
const LONGEST_KEY = 63;

export function graphSchemas(cache: SchemaCache, relations: readonly DescribedRelation[]): GraphSchemas {
  const insertable: Relations = new Map(
    relations.filter(({ methods }) => methods.includes('post')).map((one) => [one.table.name, one]),
  );
  const relationshipsOf = relationshipsIn(cache);
  const filledColumns = (table: Table): ReadonlySet<string> =>
    new Set(
      relationshipsOf(table).flatMap((one) =>
        one.kind === 'foreign key' && one.sourceRefers ? one.columns.map(({ left }) => left) : [],
      ),
    );
  const related = relatedResources(cache, insertable);
  /** The schema of a graph serves related rows too, unless it requires columns that the related row fills in. */
  const hasOwnSchema = (table: Table): boolean =>
    !related.has(table.name) || requiredColumns(table).some((column) => filledColumns(table).has(column));
  const referred = new Set(
    [...related.values()].flatMap((list) => list.map(({ target }) => target.table.name)),
  );
  return {
    filledColumns,
    isRelated: (table) => referred.has(table.name) && hasOwnSchema(table),
    propertiesOf: (table) => {
      const list = related.get(table.name);
      if (list === undefined) return null;
      return Object.fromEntries(
        list.map(({ key, many, target: { table: other, names } }) => {
          const items = referenceTo('schemas', hasOwnSchema(other) ? names.related : names.graph);
          return [key, many ? { type: 'array', items } : { anyOf: [items, { type: 'null' }] }];
        }),
      );
    },
  };
}

/** By name. */
type Relations = ReadonlyMap<string, DescribedRelation>;

const relationshipsIn =
  ({ relationships }: SchemaCache) =>
  ({ schema, name }: Table): readonly Relationship[] =>
    find(relationships, schema, name) ?? [];

/** Returns the related resources of each relation that has some. */
function relatedResources(
  cache: SchemaCache,
  insertable: Relations,
): ReadonlyMap<string, readonly Related[]> {
  const relationshipsOf = relationshipsIn(cache);
  const all = [...insertable].map(([name, { table }]) => {
    const list = relationshipsOf(table).flatMap((one) => relatedOf(one, table, insertable, cache));
    return [name, list] as const;
  });
  return new Map(all.filter(([, list]) => list.length > 0));
}

interface Related {
  readonly key: string;
  readonly many: boolean;
  readonly target: DescribedRelation;
}

function relatedOf(
  relationship: Relationship,
  table: Table,
  insertable: Relations,
  cache: SchemaCache,
): readonly Related[] {
  const target = insertable.get(relationship.target.name);
  if (target === undefined || relationship.kind === 'computed') return [];
  if (relationship.kind === 'junction' && !insertable.has(relationship.junction.name)) return [];
  const key = keysOf(relationship).find((one) => means(one, relationship, table, cache));
  const { cardinality } = relationship;
  return key === undefined
    ? []
    : [{ key, many: cardinality === 'one-to-many' || cardinality === 'many-to-many', target }];
}

/** The keys that may name the relationship in a body, the plain name first. */
function keysOf(relationship: Exclude<Relationship, { kind: 'computed' }>): readonly string[] {
  const { name } = relationship.target;
  const hints =
    relationship.kind === 'junction'
      ? [relationship.junction.name]
      : [relationship.constraint, ...relationship.columns.map(({ right }) => right)];
  return [name, ...hints.map((hint) => `${name}!${hint}`)];
}

/** Whether a body can contain the key, and the key names this relationship alone. */
function means(key: string, relationship: Relationship, table: Table, cache: SchemaCache): boolean {
  if (table.columns.has(key) || Buffer.byteLength(key) > LONGEST_KEY || !PLAIN.test(key)) return false;
  const [name = '', hint] = key.split('!');
  const found = findRelationships(cache, table, name, hint ?? null);
  return found.length === 1 && found[0] === relationship;
}

/** A key whose names need no quotes. */
const PLAIN = /^[\w$]+(?:![\w$]+)?$/;

/** The columns without which a row cannot be inserted. */
export const requiredColumns = ({ columns }: Table): readonly string[] =>
  [...columns.values()]
    .filter(
      ({ nullable, default: value, identity, generated }) =>
        !generated && !nullable && value === null && identity === null,
    )
    .map(({ name }) => name);
