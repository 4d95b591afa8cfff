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
  /** Until the keys of the group are set, every row that goes concerns it. */
  add(group: Group, interests: readonly RelationInterest[]): void;
  /** While a group reads, its keys are not known: every row that goes concerns it. */
  setReading(group: Group, isReading: boolean): void;
  /** @param keys of all rows of the answer, each as `rowKey` makes it; null if they are not known */
  setKeys(group: Group, relation: number, keys: ReadonlySet<string> | null): void;
  remove(group: Group): void;
  /** The columns of a relation whose values decide. */
  readonly wanted: WantedColumns;
  /** Takes the columns of a relation from the log. */
  describe(relation: LoggedRelation): void;
  /** Notes the groups that a change of the open transaction concerns. */
  note(change: LoggedChange): void;
  /** Notes the groups that read a relation, which the open transaction has emptied. */
  noteTruncate(relation: number): void;
  /** Returns the groups that the transaction concerns, which ends. */
  endTransaction(): ReadonlySet<Group>;
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
  /** Groups whose keys are not known: they read, or have too many rows. */
  readonly reading: Set<Group>;
  readonly unkeyed: Set<Group>;
  /**
   * Whether the open transaction concerns all groups of `anyNew`, and all that a row concerns which goes: a transaction may
   * change a million rows of a table that thousands of groups read.
   */
  isSwept: { new: boolean; gone: boolean };
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

const NOT_SWEPT = { new: false, gone: false } as const;

export function createInterests<Group>(): Interests<Group> {
  const relations = new Map<number, Watched<Group>>();
  /** Described before the first row of each, also of those that no group reads yet. */
  const logged = new Map<number, LoggedRelation>();
  const added = new Map<Group, Added>();
  let concerned = new Set<Group>();
  const swept = new Set<Watched<Group>>();

  function add(group: Group, interests: readonly RelationInterest[]): void {
    added.set(group, { interests, keys: new Map() });
    for (const { relation, demand, key } of interests) {
      const watched = relations.get(relation) ?? newWatched<Group>();
      relations.set(relation, watched);
      watched.positions = null;
      watched.isSwept = { ...NOT_SWEPT };
      watched.groups.add(group);
      if (demand === null) watched.anyNew.add(group);
      else for (const value of demand.values) addTo(valuesOf(watched, demand.column), value, group);
      if (key === null) watched.anyGone.add(group);
      else {
        watched.keyed.add(group);
        watched.unkeyed.add(group);
        watched.key = key;
      }
    }
  }

  function setReading(group: Group, isReading: boolean): void {
    for (const { relation, key } of added.get(group)?.interests ?? []) {
      const watched = key === null ? undefined : relations.get(relation);
      if (isReading) addUnknown(watched, watched?.reading, group);
      else watched?.reading.delete(group);
    }
  }

  function addUnknown(
    watched: Watched<Group> | undefined,
    groups: Set<Group> | undefined,
    group: Group,
  ): void {
    groups?.add(group);
    if (watched !== undefined) watched.isSwept.gone = false;
  }

  function setKeys(group: Group, relation: number, keys: ReadonlySet<string> | null): void {
    const own = added.get(group)?.keys;
    const watched = relations.get(relation);
    if (own === undefined || watched === undefined) return;
    const before = own.get(relation);
    if (keys === null) {
      own.delete(relation);
      addUnknown(watched, watched.unkeyed, group);
    } else {
      own.set(relation, keys);
      watched.unkeyed.delete(group);
    }
    for (const key of before ?? []) if (keys?.has(key) !== true) removeFrom(watched.byKey, key, group);
    for (const key of keys ?? []) if (before?.has(key) !== true) addTo(watched.byKey, key, group);
  }

  function remove(group: Group): void {
    const own = added.get(group);
    added.delete(group);
    concerned.delete(group);
    for (const { relation, demand } of own?.interests ?? []) {
      const watched = relations.get(relation);
      if (watched === undefined) continue;
      watched.positions = null;
      const { groups, anyNew, anyGone, keyed, reading, unkeyed } = watched;
      for (const set of [groups, anyNew, anyGone, keyed, reading, unkeyed]) set.delete(group);
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
    note(change) {
      const watched = relations.get(change.relation);
      if (watched === undefined) return;
      addConcerned(watched, positionsOf(watched, logged.get(change.relation)), change, concerned);
      swept.add(watched);
    },
    noteTruncate(relation) {
      for (const group of relations.get(relation)?.groups ?? []) concerned.add(group);
    },
    endTransaction() {
      const groups = concerned;
      concerned = new Set();
      for (const watched of swept) watched.isSwept = { ...NOT_SWEPT };
      swept.clear();
      return groups;
    },
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
  unkeyed: new Set(),
  isSwept: { ...NOT_SWEPT },
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
  const names = logged?.columns ?? [];
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

function addConcerned<Group>(
  watched: Watched<Group>,
  positions: Positions,
  { kind, before, after }: LoggedChange,
  found: Set<Group>,
): void {
  if (after !== null) addNew(watched, positions, after, found);
  // The key of an updated row is logged only if it has changed; an inserted row is in no answer.
  if (kind !== 'insert') addGone(watched, positions, before ?? after ?? [], found);
}

/** Adds the groups in whose answers a row with these values may appear. */
function addNew<Group>(
  { anyNew, byValue, isSwept }: Watched<Group>,
  { demands }: Positions,
  row: LoggedRow,
  found: Set<Group>,
): void {
  if (!isSwept.new) for (const group of anyNew) found.add(group);
  isSwept.new = true;
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
  { anyGone, keyed, byKey, reading, unkeyed, isSwept }: Watched<Group>,
  { key }: Positions,
  row: LoggedRow,
  found: Set<Group>,
): void {
  if (!isSwept.gone)
    for (const groups of [anyGone, reading, unkeyed]) for (const group of groups) found.add(group);
  isSwept.gone = true;
  const values = key?.map((position) => row[position]) ?? [];
  const known = values.filter((value) => typeof value === 'string');
  const isKnown = key !== null && known.length === key.length;
  const groups = isKnown ? (byKey.get(rowKey(known)) ?? []) : keyed;
  for (const group of groups) found.add(group);
}
