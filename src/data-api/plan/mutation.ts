import type { Graph } from './graph.js';
import type { Condition, OrderTerm, RowRange } from './expression.js';
import type { Conflict, WrittenColumn } from './written-column.js';

/** The rows of the payload, which reaches PostgreSQL as JSON. */
export interface PayloadRows {
  /** True for an array of objects, false for one object. */
  readonly many: boolean;
  readonly columns: readonly WrittenColumn[];
}

export interface InsertChange {
  readonly kind: 'insert';
  readonly payload: PayloadRows;
  readonly conflict: Conflict | null;
  /**
   * PUT: conditions on the payload's rows, from the filters of the URL. Rows that do not satisfy them are not
   * written.
   */
  readonly where: readonly Condition[];
  /** Set if the objects contain related objects, which are inserted with them. */
  readonly graph: Graph | null;
}

/** Updates one row and the rows of its related resources. */
export interface GraphUpdateChange {
  readonly kind: 'graph-update';
  readonly graph: Graph;
}

export interface UpdateChange {
  readonly kind: 'update';
  readonly payload: PayloadRows;
  readonly where: readonly Condition[];
  readonly limited: LimitedRows | null;
}

/** Updates each row with the values of the payload's object that has its key (`Prefer: match=keys`). */
export interface KeyedUpdateChange {
  readonly kind: 'keyed-update';
  /** The columns to write and the key columns. */
  readonly payload: PayloadRows;
  /** The columns that identify a row. They are not written. */
  readonly keys: readonly string[];
  readonly where: readonly Condition[];
  /** Name of the column that numbers the objects from 1, in their order. */
  readonly position: string;
  /** Name of the column with the JSON object, by which a row keeps the columns that the object lacks; null if it does not. */
  readonly object: string | null;
  /** Whether the request is refused if an object has no row. */
  readonly requiresAll: boolean;
}

export interface DeleteChange {
  readonly kind: 'delete';
  readonly where: readonly Condition[];
  readonly limited: LimitedRows | null;
}

/** Returns the graph that a change writes; null for rows of one relation. */
export const graphOfChange = (change: Change): Graph | null =>
  change.kind === 'insert' || change.kind === 'graph-update' ? change.graph : null;

export type Change = InsertChange | GraphUpdateChange | UpdateChange | KeyedUpdateChange | DeleteChange;

/** Limits a change to the first rows in this order (data API §1.10). */
export interface LimitedRows {
  readonly order: readonly OrderTerm[];
  readonly range: RowRange;
  /** Columns of the order that are never null. */
  readonly notNull: ReadonlySet<string>;
  /** Whether the order has the key of a table: no two rows are equal in it. */
  readonly isTotal: boolean;
  /** Name of the column that numbers the chosen rows; null if any name could be that of a column. */
  readonly position: string | null;
}

/** The RETURNING list of a change: all columns if `all` is set, then columns and computed fields by name. */
export interface Returning {
  readonly all: boolean;
  readonly names: readonly string[];
  /** The column of a limited or keyed change by which the rows are sorted; null if their order is irrelevant. */
  readonly position: string | null;
}
