/** A graph: rows of several relations that one request writes, linked by their keys. Each step is one statement. */
import type { QualifiedName } from '../schema-cache/types.js';
import type { Condition, Conflict, WrittenColumn } from './expression.js';

export interface Graph {
  /** In the order of their statements: a row follows the rows to which it refers. */
  readonly steps: readonly GraphStep[];
  /**
   * The lists of keys, by number: the columns of the keys of the rows of one resource, in the order of its objects. Each list
   * is a setting that is local to the transaction.
   */
  readonly lists: readonly (readonly KeyColumn[])[];
  /** Number of the list of the root. */
  readonly root: number;
  /** The columns of this list by which the response finds the rows; empty if it shows none. */
  readonly identified: readonly string[];
}

export interface KeyColumn {
  readonly name: string;
  /** The type with which a value is read from its text. */
  readonly type: string;
  /** The type of the column, with its length or precision. */
  readonly storedType: string;
}

export type GraphStep =
  | InsertStep
  | LookUpStep
  | JunctionStep
  | FindStep
  | RootStep
  | PutStep
  | WriteStep
  | DeleteStep
  | UnlinkStep;

/** The rows that the objects of one resource describe. */
export interface GraphRows {
  readonly target: QualifiedName;
  /** The path of the resource in the body, for errors. */
  readonly path: readonly string[];
  /** From the body to the objects. */
  readonly levels: readonly GraphLevelStep[];
  /** The level whose values a statement before has listed; null if the objects are read from the body. */
  readonly begin: { readonly list: number; readonly level: number } | null;
  readonly columns: readonly WrittenColumn[];
  readonly links: readonly GraphLink[];
  /** Those of the columns that the database always generates: they are not written, but compared with the row. */
  readonly generated: readonly GeneratedColumn[];
  /**
   * Whether null is a value that an object has for a column of a link, and differs from the key of the other row;
   * otherwise it stands for no value.
   */
  readonly nulls: boolean;
  /** Names of the columns with the number of the object and that of its parent; no column of the target has them. */
  readonly number: string;
  readonly parent: string;
  /** Name of the column with the JSON object, which shows the columns that the object lacks; null for none. */
  readonly object: string | null;
  /** The values of related resources whose statements follow. */
  readonly kept: readonly KeptValue[];
}

/** A column of the objects to which no statement can assign a value. */
export type GeneratedColumn = Pick<KeyColumn, 'name' | 'storedType'>;

/** The value of a related resource in each object. */
export interface KeptValue {
  readonly key: string;
  /** Number of the list of the resource. */
  readonly list: number;
  /** Name of the column with the value; no column of the target has it. */
  readonly name: string;
  /** Columns that may be null, and to which the related rows refer. */
  readonly keys: readonly string[];
}

/** One level on the way to the objects of a resource. */
interface GraphLevelStep {
  /** The key within the object of the level before; null for the body. */
  readonly key: string | null;
  /** True for an array of objects. */
  readonly many: boolean;
}

/** Columns that get the key of another row of the graph. */
export interface GraphLink {
  readonly list: number;
  /** Whether the other row is that of the parent object, or that of a related object within the object. */
  readonly to: 'parent' | 'child';
  readonly pairs: readonly GraphPair[];
  /** The key within the objects, and the relation, of a related object; null for the parent. */
  readonly child: { readonly key: string; readonly target: QualifiedName } | null;
  /** Columns that another link sets, whose row must have the same key. */
  readonly shared: readonly Pick<GraphPair, 'column' | 'key'>[];
}

export interface GraphPair {
  /** The column of the row. */
  readonly column: string;
  /** The column of the other row. */
  readonly key: string;
  /** SQL of the value if there is no related object: the default of the column; null for the value of the object, or null. */
  readonly otherwise: string | null;
  /** The stored type of the column if the objects may have it themselves, and then the same value; null otherwise. */
  readonly given: string | null;
}

/** Returns the columns that get keys of other rows. */
export const linkedColumns = (links: readonly GraphLink[]): readonly string[] =>
  links.flatMap(({ pairs }) => pairs.map(({ column }) => column));

/** Returns the columns to which objects and links assign values. */
export function assignedColumns({ columns, links, generated }: GraphRows): readonly string[] {
  const names = new Set([...columns.map(({ name }) => name), ...linkedColumns(links)]);
  for (const { name } of generated) names.delete(name);
  return [...names];
}

export interface InsertStep extends GraphRows {
  readonly kind: 'insert';
  /** Columns of the key that get their defaults before the rows are inserted. */
  readonly made: readonly { readonly name: string; readonly sql: string }[];
  readonly conflict: Conflict | null;
  /** Whether new rows are counted, for the status of an upsert. */
  readonly counts: boolean;
  readonly keys: WrittenKeys | null;
}

/** The keys of the rows of a step. */
export interface WrittenKeys {
  readonly list: number;
  /** `given`: the values that are inserted. `returned`: the values of the inserted rows, in their order. */
  readonly from: 'given' | 'returned';
  /** Whether the inserted rows are compared with the given values, because a trigger or rule may change them. */
  readonly compared: boolean;
}

/** Finds the rows of `resolution=ignore-duplicates`, inserted or not, by the columns of the conflict. */
export interface LookUpStep extends GraphRows {
  readonly kind: 'look up';
  readonly by: readonly string[];
  readonly list: number;
}

/** Inserts the rows of a junction, for each related object one. */
export interface JunctionStep extends Pick<GraphRows, 'target' | 'path' | 'levels'> {
  readonly kind: 'junction';
  /** The rows of the related objects. */
  readonly child: JunctionSide;
  /** The rows of their parent objects. */
  readonly parent: JunctionSide;
  readonly conflict: Conflict | null;
  /** Whether rows that exist are left out, whatever the key of the junction is. */
  readonly unlessExists: boolean;
}

export interface JunctionSide {
  readonly list: number;
  /** The columns of the junction and those of the row. */
  readonly pairs: readonly { readonly column: string; readonly key: string }[];
}

/** Finds the one row of the root, checks the conditions of the request and locks the row. */
export interface FindStep {
  readonly kind: 'find';
  readonly target: QualifiedName;
  readonly where: readonly Condition[];
  /** Whether the row is locked; false for a view. */
  readonly locks: boolean;
  /** The columns of its primary key that the step keeps for the statement of the row. */
  readonly found: readonly KeyColumn[];
}

/** The columns of a row that refer to a to-one row within its object. */
export interface ReferringColumn {
  readonly name: string;
  /** The keys of the object with the related objects. */
  readonly keys: readonly string[];
  /** Whether objects may have the column itself instead. */
  readonly isWritten: boolean;
  /** Whether null in place of the related objects sets the column to null; otherwise the row keeps it. */
  readonly isCleared: boolean;
}

/** The assignments of an update. */
export interface Assignments {
  /** Whether a row keeps the columns that its object lacks. */
  readonly keeps: boolean;
  readonly columns: readonly WrittenColumn[];
  readonly referring: readonly ReferringColumn[];
}

/** Updates the one row of the root of a PATCH, or of a PUT of a row that exists, with the object of the body, and lists its key. */
export interface RootStep extends GraphRows {
  readonly kind: 'root';
  readonly list: number;
  readonly assignments: Assignments;
  readonly where: readonly Condition[];
  /** The key of the row that the first step found; empty if the conditions find no other row. */
  readonly found: readonly KeyColumn[];
}

/** Inserts or replaces the row of the root of a PUT, and lists its key. */
export interface PutStep extends GraphRows {
  readonly kind: 'put';
  readonly list: number;
  /** `ignore`: the row must not exist. */
  readonly conflict: Conflict;
  /** Conditions on the object, which has the key of the URL. */
  readonly where: readonly Condition[];
}

/** Updates the rows whose key the objects have, inserts rows for the other objects, and lists their keys. */
export interface WriteStep extends GraphRows {
  readonly kind: 'write';
  /** Null if no other row refers to these rows. */
  readonly list: number | null;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** Whether they are the primary key; otherwise several rows may have their values. */
  readonly isPrimary: boolean;
  /**
   * Those of them that the objects contain: an object with one of them is a row that exists. Without any, a row is
   * inserted unless the parent has it.
   */
  readonly own: readonly string[];
  /**
   * The objects without a row that are inserted; others are refused. `keyed`: also those with a key (PUT). `unkeyed`:
   * those without. `none`: the objects only refer to rows, and the role must not insert any.
   */
  readonly inserts: 'keyed' | 'unkeyed' | 'none';
  /** The columns in which a row that exists must refer to the row of the parent. */
  readonly owner: readonly string[];
  readonly assignments: Assignments;
  /** Columns that an inserted row gets, with their defaults for objects that lack them. */
  readonly inserted: readonly WrittenColumn[];
}

/** Deletes the rows of a parent that the array within its object does not contain (`missing-rows=delete`). */
export interface DeleteStep extends GraphRows {
  readonly kind: 'delete';
  /** List of the parents, and the columns by which the rows refer to them. */
  readonly owner: JunctionSide;
  /** The columns by which a row is found among the objects; empty if no object has a key. */
  readonly by: readonly string[];
  /** Those of them that may be null: no object has a row with null in one of them. */
  readonly nullable: readonly string[];
  /** Most rows of a parent that a read shows (`db-max-rows`): with more, none is deleted. Null for any number. */
  readonly most: bigint | null;
}

/** Deletes the rows of a junction for which the array of the parent has no object (`missing-rows=delete`). */
export interface UnlinkStep extends Pick<JunctionStep, 'target' | 'path' | 'levels' | 'child' | 'parent'> {
  readonly kind: 'unlink';
  readonly most: DeleteStep['most'];
  readonly begin: GraphRows['begin'];
}
