import type { Condition, OrderTerm, Representation, RowRange } from './expression.js';

/** A column that a mutation writes. */
export interface WrittenColumn {
  readonly name: string;
  /** The type that it is read as from the JSON of the payload. */
  readonly type: string;
  /** Turns the JSON value into the column's domain. */
  readonly representation: Representation | null;
  /** SQL of the column's default, taken where the payload lacks the key; null when it is to be null. */
  readonly default: string | null;
}

/** The rows of the payload, which reaches PostgreSQL as JSON. */
export interface PayloadRows {
  /** True for an array of objects, false for one object. */
  readonly many: boolean;
  readonly columns: readonly WrittenColumn[];
}

export interface Conflict {
  readonly columns: readonly string[];
  readonly resolution: 'merge' | 'ignore';
}

export interface InsertChange {
  readonly kind: 'insert';
  readonly payload: PayloadRows;
  readonly conflict: Conflict | null;
  /** PUT: rows of the payload that do not satisfy the filters of the URL are left out. Of the payload's alias. */
  readonly where: readonly Condition[];
}

export interface UpdateChange {
  readonly kind: 'update';
  readonly payload: PayloadRows;
  readonly where: readonly Condition[];
  readonly limited: LimitedRows | null;
}

export interface DeleteChange {
  readonly kind: 'delete';
  readonly where: readonly Condition[];
  readonly limited: LimitedRows | null;
}

/** Limits a change to the first rows in this order (data API §1.10). */
export interface LimitedRows {
  readonly order: readonly OrderTerm[];
  readonly range: RowRange;
  /** Names the column that numbers the chosen rows; null where every name may be that of a column. */
  readonly position: string | null;
}

/** The RETURNING list of a change: all columns if `all` is set, then columns and computed fields by name. */
export interface Returning {
  readonly all: boolean;
  readonly names: readonly string[];
  /** The column of `LimitedRows.position`, by which the rows are sorted; null where their order is of no account. */
  readonly position: string | null;
}
