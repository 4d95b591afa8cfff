import type { Representation } from './expression.js';

/** A column that a mutation writes. */
export interface WrittenColumn {
  readonly name: string;
  /** The type to which the JSON value of the payload is converted. */
  readonly type: string;
  /** The type to which the value is cast then; null for none. A text of CSV that is JSON is not a JSON string. */
  readonly cast: string | null;
  /** Converts the JSON value to the column's domain. */
  readonly representation: Representation | null;
  /** SQL of the column's default, used if the payload lacks the key; null for null. */
  readonly default: string | null;
}

/** How an insert treats rows that exist, found by these columns. */
export interface Conflict {
  readonly columns: readonly string[];
  readonly resolution: 'merge' | 'ignore';
}
