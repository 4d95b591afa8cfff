/**
 * Derives all relationships between exposed relations (data API §1.7). A foreign key holds between every relation that
 * shows its columns and every relation that shows the columns it refers to: the tables themselves and views of them.
 */
import type { Sliced } from '../../base/turns.js';
import {
  findOrPut,
  type MutableByName,
  sameName,
  type ByName,
  type ColumnPair,
  type ForeignKeyRelationship,
  type JunctionRelationship,
  type Relationship,
  find,
  type QualifiedName,
  type SchemaCache,
} from './types.js';
import type { ConstraintRow, Relation } from './relations.js';
import type { RowFunctionRow } from './functions.js';

interface RelationshipInput {
  readonly relations: readonly Relation[];
  /** By table, exposed or not. */
  readonly constraints: ReadonlyMap<number, readonly ConstraintRow[]>;
  readonly rowFunctions: readonly RowFunctionRow[];
}

/** A foreign key between one pair of exposed relations, from the referring side. */
interface Reference {
  readonly source: Relation;
  readonly target: Relation;
  readonly constraint: string;
  readonly columns: readonly ColumnPair[];
  readonly isUnique: boolean;
}

/** Most combinations of columns for one key: a view may show the columns of a key several times. */
const MOST_COMBINATIONS = 64;

export function* deriveRelationships(input: RelationshipInput): Sliced<ByName<readonly Relationship[]>> {
  const found: MutableByName<Relationship[]> = new Map();
  const add = (relationship: Relationship): void => {
    findOrPut(found, relationship.source, () => []).push(relationship);
  };
  const showing = yield* relationsByTable(input.relations);
  const references = yield* deriveReferences(input, showing);
  for (const list of references.values()) {
    for (const reference of list) {
      addBothWays(reference, add);
      yield;
    }
    yield* addJunctions(list, add);
  }
  yield* addHidden(input, showing, found);
  yield* addComputed(input, found, add);
  for (const relationships of [...found.values()].flatMap((names) => [...names.values()])) {
    relationships.sort(compareRelationships);
    yield;
  }
  return found;
}

/** The exposed relations that show columns of a table, by the table. */
type Showing = ReadonlyMap<number, readonly Relation[]>;

function* relationsByTable(relations: readonly Relation[]): Sliced<Showing> {
  const showing = new Map<number, Relation[]>();
  for (const relation of relations) {
    for (const table of relation.shown.keys()) {
      const others = showing.get(table);
      if (others === undefined) showing.set(table, [relation]);
      else others.push(relation);
    }
    yield;
  }
  return showing;
}

/** By the relation that refers. */
function* deriveReferences(
  input: RelationshipInput,
  showing: Showing,
): Sliced<ReadonlyMap<Relation, readonly Reference[]>> {
  const references = new Map<Relation, Reference[]>();
  for (const [table, constraints] of input.constraints) {
    for (const constraint of constraints) {
      if (constraint[0] !== 'f') continue;
      const [, columns, name, referenced, referencedColumns] = constraint;
      const isUnique = isKey(columns, constraints);
      for (const source of showing.get(table) ?? []) {
        const lefts = namings(source, table, columns);
        if (lefts.length === 0) continue;
        const list = references.get(source) ?? [];
        references.set(source, list);
        for (const target of showing.get(referenced) ?? []) {
          for (const right of namings(target, referenced, referencedColumns)) {
            for (const left of lefts) {
              list.push({ source, target, constraint: name, columns: zip(left, right), isUnique });
            }
          }
          yield;
        }
      }
    }
    yield;
  }
  return references;
}

/** Whether some primary key or unique constraint of the table has exactly these columns. */
const isKey = (columns: readonly number[], constraints: readonly ConstraintRow[]): boolean =>
  constraints.some(
    ([kind, key]) =>
      (kind === 'p' || kind === 'u') &&
      key.length === columns.length &&
      key.every((column) => columns.includes(column)),
  );

/** Returns all lists of the relation's columns that show these columns of the table; none if it lacks one of them. */
function namings(relation: Relation, table: number, columns: readonly number[]): string[][] {
  let ways: string[][] = [[]];
  for (const column of columns) {
    const names = (relation.shown.get(table)?.get(column) ?? []).flatMap(
      (at) => relation.columnNames.get(at) ?? [],
    );
    ways = ways.flatMap((way) => names.map((name) => [...way, name])).slice(0, MOST_COMBINATIONS);
  }
  return ways;
}

const zip = (left: readonly string[], right: readonly string[]): ColumnPair[] =>
  left.flatMap((name, at) => {
    const other = right[at];
    return other === undefined ? [] : [{ left: name, right: other }];
  });

const swap = (pairs: readonly ColumnPair[]): ColumnPair[] =>
  pairs.map(({ left, right }) => ({ left: right, right: left }));

type Add = (relationship: Relationship) => void;

/** Adds relationships within one schema only, because a request uses one schema. */
function addBothWays({ source, target, constraint, columns, isUnique }: Reference, add: Add): void {
  if (source.name.schema !== target.name.schema) return;
  add({
    kind: 'foreign key',
    cardinality: isUnique ? 'one-to-one' : 'many-to-one',
    source: source.name,
    target: target.name,
    constraint,
    columns,
    sourceRefers: true,
    targetIsView: target.isView,
  });
  add({
    kind: 'foreign key',
    cardinality: isUnique ? 'one-to-one' : 'one-to-many',
    source: target.name,
    target: source.name,
    constraint,
    columns: swap(columns),
    sourceRefers: false,
    targetIsView: source.isView,
  });
}

/**
 * Adds a relationship for each pair of different foreign keys of one relation whose columns all belong to its primary
 * key.
 */
function* addJunctions(references: readonly Reference[], add: Add): Sliced<void> {
  const within = references.filter(
    ({ source, columns, isUnique }) =>
      !isUnique && columns.every(({ left }) => source.table.primaryKey.includes(left)),
  );
  for (const one of within) {
    for (const other of within) {
      if (one.constraint === other.constraint || one.target.name.schema !== other.target.name.schema)
        continue;
      add(junction(one, other));
    }
    yield;
  }
}

const junction = (one: Reference, other: Reference): JunctionRelationship => ({
  kind: 'junction',
  cardinality: 'many-to-many',
  source: one.target.name,
  target: other.target.name,
  junction: one.source.name,
  sourceConstraint: one.constraint,
  targetConstraint: other.constraint,
  sourceColumns: swap(one.columns),
  targetColumns: other.columns,
  targetIsView: other.target.isView,
});

/**
 * Adds empty lists for relations that only a junction outside the exposed schemas joins. Such a junction makes no
 * relationship, but the hint of DBR200 depends on whether a relation has any.
 */
function* addHidden(
  { relations, constraints }: RelationshipInput,
  showing: Showing,
  found: MutableByName<Relationship[]>,
): Sliced<void> {
  const exposed = new Set(relations.map(({ oid }) => oid));
  for (const [table, list] of constraints) {
    yield;
    if (exposed.has(table)) continue;
    const joined = joinedRelations(list, showing);
    for (const [key, targets] of joined.entries()) {
      const schemas = new Set(joined.flatMap((others, at) => (at === key ? [] : others.map(schemaOf))));
      for (const { name } of targets) if (schemas.has(name.schema)) findOrPut(found, name, () => []);
    }
  }
}

const schemaOf = ({ name }: Relation): string => name.schema;

/**
 * Returns the relations that a table joins as a junction: those to which the foreign keys within its primary key
 * refer.
 */
function joinedRelations(constraints: readonly ConstraintRow[], showing: Showing): readonly Relation[][] {
  const primary = constraints.find(([kind]) => kind === 'p')?.[1] ?? [];
  return constraints.flatMap((constraint) => {
    if (constraint[0] !== 'f') return [];
    const [, columns, , referenced, referencedColumns] = constraint;
    if (isKey(columns, constraints) || !columns.every((column) => primary.includes(column))) return [];
    const targets = showing.get(referenced) ?? [];
    return [targets.filter((target) => namings(target, referenced, referencedColumns).length > 0)];
  });
}

/** Adds computed relationships. A function with the name of a relation replaces all other relationships to it. */
function* addComputed(
  input: RelationshipInput,
  found: MutableByName<Relationship[]>,
  add: Add,
): Sliced<void> {
  const byOid = new Map(input.relations.map((relation) => [relation.oid, relation]));
  for (const row of input.rowFunctions) {
    const source = byOid.get(row.relation);
    const target = row.gives === null ? undefined : byOid.get(row.gives);
    if (source === undefined || target === undefined || row.schema !== source.name.schema) continue;
    const name = { schema: row.schema, name: row.name };
    const others = findOrPut(found, source.name, () => []);
    const kept = others.filter((other) => other.kind === 'computed' || !sameName(other.target, name));
    others.splice(0, others.length, ...kept);
    add({
      kind: 'computed',
      cardinality: row.single ? 'to-one' : 'to-many',
      source: source.name,
      target: target.name,
      function: name,
    });
    yield;
  }
}

/** The order in which DBR201 lists the candidates. */
const RANK: Readonly<Record<Relationship['cardinality'], number>> = {
  'one-to-many': 0,
  'many-to-one': 1,
  'one-to-one': 2,
  'many-to-many': 3,
  'to-one': 4,
  'to-many': 5,
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function compareRelationships(a: Relationship, b: Relationship): number {
  return (
    RANK[a.cardinality] - RANK[b.cardinality] ||
    compareText(a.target.name, b.target.name) ||
    compareText(nameOf(a), nameOf(b)) ||
    compareText(columnsOf(a), columnsOf(b))
  );
}

function nameOf(relationship: Relationship): string {
  switch (relationship.kind) {
    case 'foreign key':
      return relationship.constraint;
    case 'junction':
      return `${relationship.junction.name} ${relationship.sourceConstraint} ${relationship.targetConstraint}`;
    case 'computed':
      return relationship.function.name;
  }
}

const columnsOf = (relationship: ForeignKeyRelationship | Relationship): string =>
  relationship.kind === 'foreign key' ? relationship.columns.map(({ left }) => left).join() : '';

/**
 * Returns all relationships that match the names in a request. The caller reports none as DBR200 and several as
 * DBR201.
 * @param source the embedding relation; its schema is that of the request
 * @param target the embedded resource: a relation or, as a short form, a constraint or column
 * @param hint the name behind `!`, if any
 */
export function findRelationships(
  cache: SchemaCache,
  source: QualifiedName,
  target: string,
  hint: string | null,
): readonly Relationship[] {
  const all = find(cache.relationships, source.schema, source.name) ?? [];
  return all.filter((relationship) => isMeant(relationship, target, hint));
}

function isMeant(relationship: Relationship, target: string, hint: string | null): boolean {
  if (relationship.kind === 'computed') return relationship.function.name === target;
  if (sameName(relationship.source, relationship.target)) return isMeantWithin(relationship, target, hint);
  if (hint !== null) return relationship.target.name === target && hintFits(relationship, hint);
  return (
    relationship.target.name === target ||
    (!relationship.targetIsView &&
      relationship.kind === 'foreign key' &&
      (relationship.constraint === target || onlyPair(relationship)?.left === target))
  );
}

function hintFits(relationship: ForeignKeyRelationship | JunctionRelationship, hint: string): boolean {
  if (relationship.kind === 'junction') return relationship.junction.name === hint;
  const pair = onlyPair(relationship);
  return relationship.constraint === hint || pair?.left === hint || pair?.right === hint;
}

/**
 * A foreign key of a relation to itself makes two relationships. The relation's name selects the rows that refer to
 * the row, with the referring column as a hint; the name of the column selects the referenced row.
 */
function isMeantWithin(
  relationship: ForeignKeyRelationship | JunctionRelationship,
  target: string,
  hint: string | null,
): boolean {
  if (relationship.kind === 'junction') return false;
  const pair = onlyPair(relationship);
  if (relationship.cardinality === 'one-to-many') {
    return relationship.target.name === target && (hint === null || pair?.right === hint);
  }
  return relationship.cardinality === 'many-to-one' && hint === null && pair?.left === target;
}

const onlyPair = ({
  columns,
}: ForeignKeyRelationship): ForeignKeyRelationship['columns'][number] | undefined =>
  columns.length === 1 ? columns[0] : undefined;
