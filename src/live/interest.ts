/**
 * Which groups a change of the log concerns. Groups are found by the relation, then by the value of a column that their
 * request demands, and by the keys of the rows that their answer has: a row that leaves an answer has its key there.
 */
import type { LoggedChange, LoggedRelation, LoggedRow, WantedColumns } from './pgoutput.js';

/** What a request reads of one relation. */
export interface RelationInterest {
  readonly relation: number;
  /**
   * The values one of which a row must have in a column to appear in the answer; null if rows are found in another way.
   * Values are texts as PostgreSQL writes them.
   */
  readonly demand: { readonly column: string; readonly values: readonly string[] } | null;
  /**
   * The key columns of the relation by which rows of the answer are found. Null if a row that is not in the answer can
   * change it when it goes: it is counted, or comes before the page.
   */
  readonly key: readonly string[] | null;
}

export interface Interests<Group> {
  add(group: Group, interests: readonly RelationInterest[]): void;
  /** While a group reads, its keys are not known: every row that goes concerns it. */
  setReading(group: Group, isReading: boolean): void;
  /** @param keys of all rows of the answer, each as `rowKey` makes it */
  setKeys(group: Group, relation: number, keys: ReadonlySet<string>): void;
  remove(group: Group): void;
  /** The columns of a relation whose values decide. */
  readonly wanted: WantedColumns;
  /** Takes the columns of a relation from the log. */
  describe(relation: LoggedRelation): void;
  /** The groups that a change concerns. */
  ofChange(change: LoggedChange): ReadonlySet<Group>;
  /** The groups that read a relation. */
  ofRelation(relation: number): ReadonlySet<Group>;
  /** All groups. */
  all(): Iterable<Group>;
}

/** A key as a text that is equal for equal values. */
export const rowKey = (values: readonly string[]): string => JSON.stringify(values);

interface Watched<Group> {
  /** Every group that reads the relation. */
  readonly groups: Set<Group>;
  /** Groups that a new row concerns whatever its values are. */
  readonly anyNew: Set<Group>;
  /** The other ones, by the column of their demand, then by its values. */
  readonly byValue: Map<string, Map<string, Set<Group>>>;
  /** Groups that a row concerns which goes, whatever its key is. */
  readonly anyGone: Set<Group>;
  /** The other ones, and by the keys of their rows. */
  readonly keyed: Set<Group>;
  readonly byKey: Map<string, Set<Group>>;
  readonly reading: Set<Group>;
  /** The columns of `byKey`: the primary key, so that all groups have the same ones. */
  key: readonly string[];
  /** Found once; null after a change of what they depend on. */
  positions: Positions | null;
}

/** The positions of columns in the log. */
interface Positions {
  readonly wanted: readonly boolean[];
  /** Null if the log lacks a column of the key. */
  readonly key: readonly number[] | null;
  readonly demands: readonly { readonly position: number; readonly column: string }[];
}

interface Added {
  readonly interests: readonly RelationInterest[];
  readonly keys: Map<number, ReadonlySet<string>>;
}

export function createInterests<Group>(): Interests<Group> {
  const relations = new Map<number, Watched<Group>>();
  /** Described before the first row of each, also of those that no group reads yet. */
  const logged = new Map<number, LoggedRelation>();
  const added = new Map<Group, Added>();

  function add(group: Group, interests: readonly RelationInterest[]): void {
    added.set(group, { interests, keys: new Map() });
    for (const { relation, demand, key } of interests) {
      const watched = relations.get(relation) ?? newWatched<Group>();
      relations.set(relation, watched);
      watched.positions = null;
      watched.groups.add(group);
      if (demand === null) watched.anyNew.add(group);
      else for (const value of demand.values) addTo(valuesOf(watched, demand.column), value, group);
      if (key === null) watched.anyGone.add(group);
      else {
        watched.keyed.add(group);
        watched.key = key;
      }
    }
  }

  function setReading(group: Group, isReading: boolean): void {
    for (const { relation, key } of added.get(group)?.interests ?? []) {
      const reading = key === null ? undefined : relations.get(relation)?.reading;
      if (isReading) reading?.add(group);
      else reading?.delete(group);
    }
  }

  function setKeys(group: Group, relation: number, keys: ReadonlySet<string>): void {
    const own = added.get(group)?.keys;
    const watched = relations.get(relation);
    if (own === undefined || watched === undefined) return;
    const before = own.get(relation);
    own.set(relation, keys);
    for (const key of before ?? []) if (!keys.has(key)) removeFrom(watched.byKey, key, group);
    for (const key of keys) if (before?.has(key) !== true) addTo(watched.byKey, key, group);
  }

  function remove(group: Group): void {
    const own = added.get(group);
    added.delete(group);
    for (const { relation, demand } of own?.interests ?? []) {
      const watched = relations.get(relation);
      if (watched === undefined) continue;
      watched.positions = null;
      const { groups, anyNew, anyGone, keyed, reading } = watched;
      for (const set of [groups, anyNew, anyGone, keyed, reading]) set.delete(group);
      for (const value of demand?.values ?? []) {
        const values = valuesOf(watched, demand?.column ?? '');
        removeFrom(values, value, group);
        if (values.size === 0) watched.byValue.delete(demand?.column ?? '');
      }
      for (const key of own?.keys.get(relation) ?? []) removeFrom(watched.byKey, key, group);
      if (watched.groups.size === 0) relations.delete(relation);
    }
  }

  return {
    add,
    setReading,
    setKeys,
    remove,
    wanted: (relation) => {
      const watched = relations.get(relation);
      return watched === undefined ? null : positionsOf(watched, logged.get(relation)).wanted;
    },
    describe(relation) {
      logged.set(relation.oid, relation);
      const watched = relations.get(relation.oid);
      if (watched !== undefined) watched.positions = null;
    },
    ofChange: (change) => {
      const watched = relations.get(change.relation);
      if (watched === undefined) return new Set();
      return groupsOfChange(watched, positionsOf(watched, logged.get(change.relation)), change);
    },
    ofRelation: (relation) => relations.get(relation)?.groups ?? new Set(),
    all: () => added.keys(),
  };
}

const newWatched = <Group>(): Watched<Group> => ({
  groups: new Set(),
  anyNew: new Set(),
  byValue: new Map(),
  anyGone: new Set(),
  keyed: new Set(),
  byKey: new Map(),
  reading: new Set(),
  key: [],
  positions: null,
});

function valuesOf<Group>({ byValue }: Watched<Group>, column: string): Map<string, Set<Group>> {
  const values = byValue.get(column) ?? new Map<string, Set<Group>>();
  byValue.set(column, values);
  return values;
}

function addTo<Group>(sets: Map<string, Set<Group>>, key: string, group: Group): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([group]));
  else set.add(group);
}

function removeFrom<Group>(sets: Map<string, Set<Group>>, key: string, group: Group): void {
  const set = sets.get(key);
  set?.delete(group);
  if (set?.size === 0) sets.delete(key);
}

function positionsOf<Group>(watched: Watched<Group>, logged: LoggedRelation | undefined): Positions {
  if (watched.positions !== null) return watched.positions;
  const names = logged?.columns.map(({ name }) => name) ?? [];
  const key = watched.key.map((name) => names.indexOf(name));
  const demands = [...watched.byValue.keys()].map((column) => ({ column, position: names.indexOf(column) }));
  const wanted = new Set([...key, ...demands.map(({ position }) => position)]);
  watched.positions = {
    wanted: names.map((_, position) => wanted.has(position)),
    key: key.includes(-1) ? null : key,
    demands,
  };
  return watched.positions;
}

function groupsOfChange<Group>(
  watched: Watched<Group>,
  positions: Positions,
  { kind, before, after }: LoggedChange,
): ReadonlySet<Group> {
  const found = new Set<Group>();
  if (after !== null) addNew(watched, positions, after, found);
  // The key of an updated row is logged only if it has changed; an inserted row is in no answer.
  if (kind !== 'insert') addGone(watched, positions, before ?? after ?? [], found);
  return found;
}

/** Adds the groups in whose answers a row with these values may appear. */
function addNew<Group>(
  { anyNew, byValue }: Watched<Group>,
  { demands }: Positions,
  row: LoggedRow,
  found: Set<Group>,
): void {
  for (const group of anyNew) found.add(group);
  for (const { column, position } of demands) {
    const groups = byValue.get(column);
    const value = row[position];
    // No value is equal to null; a value that the log does not repeat may be any.
    if (value === null || groups === undefined) continue;
    if (value === undefined) for (const set of groups.values()) for (const group of set) found.add(group);
    else for (const group of groups.get(value) ?? []) found.add(group);
  }
}

/** Adds the groups from whose answers the row with this key may go. */
function addGone<Group>(
  { anyGone, keyed, byKey, reading }: Watched<Group>,
  { key }: Positions,
  row: LoggedRow,
  found: Set<Group>,
): void {
  for (const group of anyGone) found.add(group);
  for (const group of reading) found.add(group);
  const values = key?.map((position) => row[position]) ?? [];
  const known = values.filter((value) => typeof value === 'string');
  const isKnown = key !== null && known.length === key.length;
  const groups = isKnown ? (byKey.get(rowKey(known)) ?? []) : keyed;
  for (const group of groups) found.add(group);
}
