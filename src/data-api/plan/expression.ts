import type { AggregateFunction, IsKeyword, JsonStep, Quantifier } from '../grammar/ast.js';
import type { ComparisonOperator, SearchOperator } from '../grammar/operators.js';
import type { ColumnPair, QualifiedName } from '../schema-cache/types.js';
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
interface ObjectMember {
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

/** A column itself, or a computed field. */
export const columnField = (relation: string, column: string): FieldExpression => ({
  relation,
  column,
  path: [],
  viaJson: false,
});

/** A function that converts a value to its representation, or back (a cast of a domain, data API §1.3). */
export type Representation = QualifiedName;

/**
 * The target type of a cast. `known`: its name in SQL. `unknown`: a name that requests must not cast to; it never
 * becomes SQL.
 */
export type Cast =
  | { readonly kind: 'known'; readonly sql: Sql }
  | { readonly kind: 'unknown'; readonly name: string };

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

/** A column under its own name. */
export const columnItem = (relation: string, column: string): Extract<SelectItem, { kind: 'field' }> => ({
  kind: 'field',
  expression: columnField(relation, column),
  representation: null,
  cast: null,
  aggregate: null,
  name: column,
  groupedBy: 'field',
});

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

/** The order by a field, in the direction that is the default. */
export const ascending = (field: FieldExpression): OrderTerm => ({
  field,
  embed: null,
  direction: null,
  nulls: null,
});

/** The rows to read. The limit is a literal of the statement; an offset other than zero is a parameter. */
export interface RowRange {
  readonly limit: bigint | null;
  readonly offset: Operand | null;
}

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
  | {
      readonly kind: 'relation';
      readonly name: QualifiedName;
      /** Whether the schema cache contains it; true by default. */
      readonly isKnown?: boolean;
    }
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
  | { readonly kind: 'all' }
  | { readonly kind: 'fields'; readonly fields: readonly FieldExpression[] };

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
  /**
   * Whether embedded objects are values of jsonb: those of json cannot be compared (groups, distinct rows), and keep their
   * spacing and order of keys, which bodies of text show.
   */
  readonly jsonbEmbeds: boolean;
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

export interface CallArgument {
  readonly name: string;
  /** Name of the type in the form of `format_type`, without lengths. */
  readonly type: string;
  readonly variadic: boolean;
}

export interface GivenArgument extends CallArgument {
  readonly operand: Operand;
}

/**
 * The arguments of a call.
 * `given`: separate arguments as text (GET, forms). `json`: arguments by name, from a JSON object or the first object
 * of an array.
 * `whole`: the body, or one JSON object of all arguments, is the single argument, which usually has no name.
 */
export type CallArguments =
  | { readonly kind: 'given'; readonly list: readonly GivenArgument[] }
  | {
      readonly kind: 'json';
      readonly list: readonly CallArgument[];
      readonly many: boolean;
      /** Whether each value is the text of its type: a text of CSV that is JSON is not a JSON string. */
      readonly isText: boolean;
    }
  | {
      readonly kind: 'whole';
      readonly name: string | null;
      readonly type: string;
      readonly operand: Operand;
    };

export interface Call {
  readonly function: QualifiedName;
  readonly arguments: CallArguments;
  /** Parameters of a variadic function that have no argument, and the SQL of their defaults. */
  readonly omitted: readonly { readonly name: string; readonly variadic: boolean; readonly sql: string }[];
  /**
   * `rows`: rows of a composite type. `record`: rows whose columns only the call determines. `value`: any other
   * result.
   */
  readonly gives: 'rows' | 'record' | 'value' | 'nothing';
  /** False for a function that returns one value, which is null if a filter removes it. */
  readonly many: boolean;
}
