import type { AggregateFunction, IsKeyword, JsonStep, Quantifier } from '../grammar/ast.js';
import type { ComparisonOperator, SearchOperator } from '../grammar/operators.js';
import type { QualifiedName } from '../schema-cache/types.js';
import type { Sql } from '../../postgres/sql.js';

/**
 * The origin of the value of a statement parameter.
 * `value`: the value of the query string at this index. `values`: the values at these indexes, as an array.
 * `field`: the last value of a form body under this name or, as an array, all of them. `payload`: the whole body.
 * `object`: the values at these indexes as members of a JSON object. `form object`: the same of the pairs of a form
 * body.
 * `digests`: those of the entity tags of If-Match, as an array. `unmodified before`: the first moment after the second
 * of If-Unmodified-Since.
 * `constant`: a name of the request, such as a JSON key, which belongs to the shape of the request.
 */
export type Operand =
  | { readonly kind: 'value'; readonly index: number; readonly encoding: ValueEncoding }
  | { readonly kind: 'values'; readonly indexes: readonly number[] }
  | { readonly kind: 'field'; readonly name: string; readonly many: boolean }
  | { readonly kind: 'payload'; readonly encoding: 'verbatim' | 'bytes' }
  | { readonly kind: 'object'; readonly members: readonly ObjectMember[] }
  | { readonly kind: 'form object' }
  | { readonly kind: 'digests' }
  | { readonly kind: 'unmodified before' }
  | { readonly kind: 'constant'; readonly text: string };

/** A member of a JSON object: its name, and the index of its value. */
export interface ObjectMember {
  readonly name: string;
  readonly index: number;
}

/**
 * The encoding of a query-string value as PostgreSQL text: `verbatim`; `pattern`: each `*` becomes `%`;
 * `list`: the elements of `in.(…)` become an array literal.
 */
export type ValueEncoding = 'verbatim' | 'pattern' | 'list';

/** A column or computed field of the relation with the alias `relation`, and a JSON path into it. */
export interface FieldExpression {
  /** The alias that the relation has in the statement. */
  readonly relation: string;
  readonly column: string;
  readonly path: readonly JsonStep[];
  /** True if the column is not known to be json or jsonb, so that arrows apply to `to_jsonb(column)`. */
  readonly viaJson: boolean;
}

/** A function that converts a value to its representation, or back (a cast of a domain, data API §1.3). */
export type Representation = QualifiedName;

/**
 * The target type of a cast. `known`: its name in SQL. `unknown`: a name that requests must not cast to; it never
 * becomes SQL.
 */
export type Cast =
  { readonly kind: 'known'; readonly sql: Sql } | { readonly kind: 'unknown'; readonly name: string };

/** An aggregate function, and the type to which its value is cast. */
export interface AggregateCall {
  readonly function: AggregateFunction;
  /** Whether equal values count once. */
  readonly distinct: boolean;
  /** The condition on the aggregated rows; null for all rows. */
  readonly filter: Condition | null;
  readonly cast: Cast | null;
}

/** An item of the select list. `name` is its key in the response. */
export type SelectItem =
  | { readonly kind: 'all'; readonly relation: string }
  | {
      readonly kind: 'field';
      readonly expression: FieldExpression;
      readonly representation: Representation | null;
      readonly cast: Cast | null;
      readonly aggregate: AggregateCall | null;
      readonly name: string;
      /** With aggregates: whether rows are grouped by the field itself, or by the value that is returned for it. */
      readonly groupedBy: 'field' | 'value';
    }
  | {
      readonly kind: 'count';
      /** The condition on the counted rows; null for all rows. */
      readonly filter: Condition | null;
      readonly cast: Cast | null;
      readonly name: string;
    }
  /** A related resource as an object or an array. */
  | { readonly kind: 'embed'; readonly embed: string; readonly name: string };

/** An item of the select list that is one value. */
export type ValueItem = Extract<SelectItem, { kind: 'field' | 'count' }>;

/** The value of an item of the select list, in conditions on groups and in orders. */
export interface SelectedValue {
  readonly selected: ValueItem;
}

/** A value that a condition tests. */
export type Tested = FieldExpression | SelectedValue;

/** A text search. */
export interface Search {
  /** True if the value of the field is converted by `to_tsvector` with the configuration of the search. */
  readonly isDocument: boolean;
  readonly operator: SearchOperator;
  readonly language: Operand | null;
  readonly operand: Operand;
}

/** A condition on a row. */
export type Condition =
  | {
      readonly kind: 'logic';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly terms: readonly Condition[];
    }
  | {
      readonly kind: 'comparison';
      readonly field: Tested;
      readonly negated: boolean;
      readonly operator: ComparisonOperator;
      readonly quantifier: Quantifier | null;
      readonly operand: Operand;
      /** Applied to the operand: the function of an implicit cast from text to the column's domain. */
      readonly representation: Representation | null;
    }
  | {
      readonly kind: 'in';
      readonly field: Tested;
      readonly negated: boolean;
      readonly operand: Operand;
      readonly representation: Representation | null;
    }
  | {
      readonly kind: 'is';
      readonly field: Tested;
      readonly negated: boolean;
      readonly keyword: IsKeyword;
    }
  | ({ readonly kind: 'search'; readonly field: Tested; readonly negated: boolean } & Search)
  /** The embed with this alias has a row (or, negated, has none). */
  | { readonly kind: 'related'; readonly negated: boolean; readonly embed: string };

/**
 * The value by which rows are sorted, if it is not that of a field. `rank`: the rank of the field for a text search.
 * `selected`: the value of an item of the select list.
 */
export type OrderValue =
  | { readonly kind: 'rank'; readonly search: Search }
  | { readonly kind: 'selected'; readonly item: ValueItem };

export interface OrderTerm {
  /** For a selected value, its key in the response as a field. */
  readonly field: FieldExpression;
  readonly value?: OrderValue;
  /** Set when the value belongs to the embed with this alias: to one row, or an aggregate of all its rows. */
  readonly embed: string | null;
  readonly direction: 'asc' | 'desc' | null;
  readonly nulls: 'first' | 'last' | null;
}

/** The rows to read. The limit is a literal of the statement; an offset other than zero is a parameter. */
export interface RowRange {
  readonly limit: bigint | null;
  readonly offset: Operand | null;
}
