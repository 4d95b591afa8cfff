/**
 * The syntax tree of a query string. Names are unquoted and unescaped, and are not checked against the schema. No tree
 * contains a value that must not become SQL text: it has the index of the value.
 */
import type { ComparisonOperator, SearchOperator } from './operators.js';

/** A value of the query string: a text, or the elements of `in.(…)`, unquoted; none for `in.()` and `in.("")`. */
export type QueryValue = string | readonly string[];

/**
 * A value that becomes a statement parameter.
 * `index` is its position among all values of the query string, in the order of the text: requests of one shape have
 * equal trees with other values.
 */
export interface Value {
  readonly index: number;
}

/**
 * One arrow of a JSON path. Keys are names of a request, not values, so they have no index; in SQL text they are
 * always quoted. An index is decimal digits with an optional minus.
 */
export type JsonStep =
  | { readonly kind: 'key'; readonly arrow: JsonArrow; readonly key: string }
  | { readonly kind: 'index'; readonly arrow: JsonArrow; readonly index: string };

export type JsonArrow = '->' | '->>';

/** A column or computed field, and a JSON path into it. */
export interface Field {
  readonly name: string;
  readonly path: readonly JsonStep[];
}

/** Names of embedded resources, from the root to the innermost; empty for the root. */
export type EmbedPath = readonly string[];

export type AggregateFunction = 'sum' | 'avg' | 'count' | 'max' | 'min';

/** A type name after `::`: letters, digits, `_`, `$` and blanks only, never quotes, dots, parentheses or brackets. */
export type CastType = string;

export type SelectItem = SelectAll | SelectField | SelectCount | SelectRelation | SelectSpread;

/** `*` */
interface SelectAll {
  readonly kind: 'all';
}

/** `alias:field::type.sum()::type` */
export interface SelectField {
  readonly kind: 'field';
  readonly alias: string | null;
  readonly field: Field;
  readonly cast: CastType | null;
  readonly aggregate: Aggregate | null;
}

/** `sum(distinct).filter(…)::type` */
export interface Aggregate {
  readonly function: AggregateFunction;
  /** Set if equal values count once. */
  readonly distinct?: true;
  /** The conditions on the aggregated rows; absent for all rows. */
  readonly filter?: readonly LogicTree[];
  readonly cast: CastType | null;
}

/** `alias:count().filter(…)::type` */
export interface SelectCount {
  readonly kind: 'count';
  readonly alias: string | null;
  /** The conditions on the counted rows; absent for all rows. */
  readonly filter?: readonly LogicTree[];
  readonly cast: CastType | null;
}

/** `alias:name!hint!inner(…)` */
export interface SelectRelation {
  readonly kind: 'relation';
  readonly alias: string | null;
  readonly name: string;
  readonly hint: string | null;
  readonly join: JoinKind | null;
  readonly select: readonly SelectItem[];
}

/** `...name!hint(…)` */
export interface SelectSpread extends Omit<SelectRelation, 'kind' | 'alias'> {
  readonly kind: 'spread';
}

/** `columns` with related resources: `title,year,roles(character,actors(name))`. */
export interface ColumnTree {
  readonly columns: readonly string[];
  readonly relations: readonly ColumnRelation[];
}

/** `alias:name!hint(…)` in `columns`: related objects under a key of the body. */
export interface ColumnRelation {
  /** The key: the alias, otherwise the name. */
  readonly key: string;
  readonly name: string;
  readonly hint: string | null;
  readonly tree: ColumnTree;
}

export type JoinKind = 'left' | 'inner';

export type Quantifier = 'any' | 'all';
/** `not_null` from release 16 on (`compatibility-level`). */
export type IsKeyword = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Operation =
  | {
      readonly kind: 'comparison';
      readonly negated: boolean;
      readonly operator: ComparisonOperator;
      /** Null for a plain comparison, and always for plain operators. */
      readonly quantifier: Quantifier | null;
      readonly value: Value;
    }
  | { readonly kind: 'in'; readonly negated: boolean; readonly value: Value }
  | { readonly kind: 'is'; readonly negated: boolean; readonly keyword: IsKeyword }
  | ({ readonly kind: 'search'; readonly negated: boolean } & Search);

/** `field=operation` */
export interface Filter {
  readonly field: Field;
  readonly operation: Operation;
}

export type LogicOperator = 'and' | 'or';

/** `and=(…)`, `or=(…)` and their terms. */
export type LogicTree = LogicFilter | LogicGroup;

interface LogicFilter {
  readonly kind: 'filter';
  readonly filter: Filter;
}

export interface LogicGroup {
  readonly kind: 'group';
  readonly negated: boolean;
  readonly operator: LogicOperator;
  /** Never empty. */
  readonly terms: readonly LogicTree[];
}

/** A text search: `fts(english).query` */
export interface Search {
  readonly operator: SearchOperator;
  /** The text search configuration: letters, digits, `_`, `$` and blanks only. */
  readonly language: string | null;
  readonly value: Value;
}

/** The values in which rows must differ: all that are selected, or these fields. */
export type Distinct =
  | { readonly kind: 'all' }
  | { readonly kind: 'fields'; readonly fields: readonly Field[] };

export interface OrderTerm {
  /** The to-one embed of the field in `relation(field)`; null for a field of the resource itself. */
  readonly relation: string | null;
  readonly field: Field;
  /** Set if rows are sorted by the rank of the field for this search. */
  readonly rank?: Search;
  readonly direction: 'asc' | 'desc' | null;
  readonly nulls: 'first' | 'last' | null;
}

/** A part of the query string with the resource to which it applies: the root (empty path) or an embedded resource. */
export interface At<T> {
  readonly path: EmbedPath;
  readonly item: T;
}
