import type { ColumnPair, QualifiedName } from '../schema-cache/types.js';
import type { Call } from './call.js';
import type { Condition, OrderTerm, RowRange, SelectItem } from './expression.js';

/** How the rows of an embed are found from the row of its parent. */
export type Link =
  | { readonly kind: 'columns'; readonly pairs: readonly ColumnPair[] }
  | {
      readonly kind: 'junction';
      readonly junction: QualifiedName;
      readonly alias: string;
      /** parent column = junction column */
      readonly parentPairs: readonly ColumnPair[];
      /** junction column = child column */
      readonly childPairs: readonly ColumnPair[];
    }
  /** `columns`: those of the argument's type, in order, for a parent whose rows have lost their type. */
  | {
      readonly kind: 'computed';
      readonly function: QualifiedName;
      readonly argument: QualifiedName;
      readonly columns: readonly string[];
    };

/**
 * Where the rows of a node come from. `rows`: the rows of a mutation or call of the same statement, in a common table
 * expression. `call`: a call in the from clause.
 */
export type Source =
  | { readonly kind: 'relation'; readonly name: QualifiedName }
  | { readonly kind: 'rows' }
  | { readonly kind: 'call'; readonly call: Call };

/**
 * Columns that a request names and the schema cache does not know. The rows of the source must have them, or the statement
 * is refused: PostgreSQL would otherwise take the name for that of a function, since `"films"."json_agg"` is also a call
 * of `json_agg` with the row (PostgreSQL manual, 8.16.5).
 */
export interface AssumedColumns {
  readonly source: Source;
  readonly columns: readonly string[];
}

/** One relation of the read tree. */
export interface ReadNode {
  readonly source: Source;
  /** Unique within the statement. */
  readonly alias: string;
  readonly select: readonly SelectItem[];
  readonly where: readonly Condition[];
  readonly order: readonly OrderTerm[];
  readonly range: RowRange;
  readonly embeds: readonly Embed[];
  /** True when the select list holds an aggregate: everything else selected is grouped by. */
  readonly grouped: boolean;
  /** True when a value of the select list is worked out by a cast or a function, and so may fail. */
  readonly mayFail: boolean;
}

/** A related resource within its parent's rows. */
export interface Embed {
  /** Names it among its siblings and as a derived table; unique within the statement, other than the node's alias. */
  readonly alias: string;
  readonly cardinality: 'one' | 'many';
  /** `inner`: parents without a row of it are left out. */
  readonly join: 'left' | 'inner';
  /** True when its columns, not an object, stand in the parent's select list. */
  readonly spread: boolean;
  readonly link: Link;
  readonly node: ReadNode;
  /** True when constraints see to it that each parent has at most one row, which nothing embedded in it repeats. */
  readonly unique: boolean;
}
