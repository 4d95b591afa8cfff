/** A graph: rows of several relations that one request writes, linked by their keys. Each step is one statement. */
import type { QualifiedName } from '../schema-cache/types.js';
import type { Conflict, WrittenColumn } from './expression.js';

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

export type GraphStep = InsertStep | LookUpStep | JunctionStep;

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
}

export interface JunctionSide {
  readonly list: number;
  /** The columns of the junction and those of the row. */
  readonly pairs: readonly { readonly column: string; readonly key: string }[];
}
