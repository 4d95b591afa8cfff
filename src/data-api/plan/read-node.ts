import type { ColumnPair, QualifiedName } from '../schema-cache/types.js';
import type { Call } from './call.js';
import type { Condition, FieldExpression, Operand, OrderTerm, RowRange, SelectItem } from './expression.js';

/** The link from a row of the parent to the rows of an embed. */
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
  /** `columns`: the columns of the argument's type, in order, for a parent whose rows have no row type. */
  | {
      readonly kind: 'computed';
      readonly function: QualifiedName;
      readonly argument: QualifiedName;
      readonly columns: readonly string[];
    };

/**
 * The source of a node's rows. `rows`: the rows of a mutation or call of the same statement, in a common table
 * expression. `call`: a call in the from clause.
 */
export type Source =
  | { readonly kind: 'relation'; readonly name: QualifiedName }
  | { readonly kind: 'rows' }
  | { readonly kind: 'call'; readonly call: Call };

/**
 * Columns that a request names and the schema cache does not contain. The statement fails unless the rows of the
 * source have them: PostgreSQL would otherwise resolve the name as a function, because `"films"."json_agg"` is also a
 * call of `json_agg` with the row (PostgreSQL manual, 8.16.5).
 */
export interface AssumedColumns {
  readonly source: Source;
  readonly columns: readonly string[];
}

/** A term of a total order, whose row a page begins after. */
export interface SeekTerm {
  readonly term: OrderTerm;
  readonly nullable: boolean;
  /** Whether the type may be a composite one, whose values PostgreSQL does not read without its name. */
  readonly maybeComposite: boolean;
  /** The value of the row; null for null, and for a page that does not begin after a row. */
  readonly operand: Operand | null;
}

/** A page of keyset pagination. */
export interface Seek {
  /** Never empty. */
  readonly terms: readonly SeekTerm[];
  readonly start: 'first' | 'row' | 'rest';
}

/** The values in which the rows of a node differ: all of the select list, or these fields. */
export type Distinct =
  { readonly kind: 'all' } | { readonly kind: 'fields'; readonly fields: readonly FieldExpression[] };

/** One relation of the read tree. */
export interface ReadNode {
  readonly source: Source;
  /** Unique within the statement. */
  readonly alias: string;
  readonly select: readonly SelectItem[];
  readonly where: readonly Condition[];
  /** The condition on the groups; null for none. Only for a grouped node. */
  readonly having: Condition | null;
  /** Null if rows may repeat. The fields of `distinct` are the first of the order. */
  readonly distinct: Distinct | null;
  readonly order: readonly OrderTerm[];
  readonly range: RowRange;
  /** Set for the root of a read with keyset pagination. */
  readonly seek?: Seek;
  readonly embeds: readonly Embed[];
  /** True if the select list contains an aggregate. Rows are grouped by all other selected values. */
  readonly grouped: boolean;
  /** True if an expression may compute a value of the select list, which may therefore fail. */
  readonly mayFail: boolean;
}

/** A list of related rows that `db-max-rows` may cut. */
export interface Cut {
  /** Identifies the list within the statement, from 0. */
  readonly number: number;
  /** Most rows of the list. */
  readonly limit: bigint;
  /** Keys of the list in the response, from the root, percent-encoded and joined by dots. */
  readonly path: string;
  /** Whether the statement fails if the list is cut (`handling=strict`). */
  readonly refused: boolean;
}

/** A related resource within its parent's rows. */
export interface Embed {
  /**
   * Its name among its siblings and as a derived table; unique within the statement, and different from the node's
   * alias.
   */
  readonly alias: string;
  readonly cardinality: 'one' | 'many';
  /** `inner`: parents without a row of the embed are omitted. */
  readonly join: 'left' | 'inner';
  /** True if the parent's select list contains its columns instead of an object. */
  readonly spread: boolean;
  readonly link: Link;
  readonly node: ReadNode;
  /** True if constraints ensure that each parent has at most one row, which no embed within it repeats. */
  readonly unique: boolean;
  /** Null if only the request limits the rows. */
  readonly cut: Cut | null;
}
