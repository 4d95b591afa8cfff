/**
 * What the service means to do for one request, every name resolved and every refusal behind it.
 * Plans are plain values: `sql/` turns them into statements, `execute/` runs those, `respond/` answers.
 */
import type {
  AggregateFunction,
  IsKeyword,
  JsonStep,
  PlainOperator,
  Quantifier,
  QuantifiableOperator,
  SearchFunction,
} from '../grammar/ast.js';
import type { PlanOption } from '../request/media-types.js';
import type { ColumnPair, Isolation, QualifiedName } from '../schema-cache/types.js';

/**
 * What travels as a statement parameter.
 * `value`: the text in this slot of the query string. `values`: the texts in these slots, as an array.
 * `field`: what a form body has under this name, the last or, as an array, all. `payload`: the body itself.
 * `object`: the texts in these slots as the members of a JSON object. `form object`: likewise the pairs of a form body.
 * `constant`: a name of the request, such as a JSON key, which belongs to the shape of the request.
 */
export type Operand =
  | { readonly kind: 'value'; readonly slot: number; readonly encoding: ValueEncoding }
  | { readonly kind: 'values'; readonly slots: readonly number[] }
  | { readonly kind: 'field'; readonly name: string; readonly many: boolean }
  | { readonly kind: 'payload'; readonly encoding: 'verbatim' | 'bytes' }
  | { readonly kind: 'object'; readonly members: readonly ObjectMember[] }
  | { readonly kind: 'form object' }
  | { readonly kind: 'constant'; readonly text: string };

/** A member of a JSON object: its name, and the slot of its value. */
export interface ObjectMember {
  readonly name: string;
  readonly slot: number;
}

/**
 * How a query-string value is written as PostgreSQL text: `verbatim`; `pattern`: each `*` becomes `%`;
 * `list`: the elements of `in.(…)` become an array literal.
 */
export type ValueEncoding = 'verbatim' | 'pattern' | 'list';

/** A column or computed field of the relation known as `relation`, and a JSON path into it. */
export interface FieldExpression {
  /** The alias that the relation has in the statement. */
  readonly relation: string;
  readonly column: string;
  readonly path: readonly JsonStep[];
  /** True when arrows need `to_jsonb(column)` first: the column is not known to be json or jsonb. */
  readonly viaJson: boolean;
}

/** A function that turns a value into its representation, or back (a cast of a domain, data API §1.3). */
export type Representation = QualifiedName;

/**
 * The type that a value is cast to. `known`: as it is written in SQL. `unknown`: the name of no type that requests may cast
 * to; it never becomes SQL.
 */
export type Cast =
  { readonly kind: 'known'; readonly sql: string } | { readonly kind: 'unknown'; readonly name: string };

/** An aggregate function, and what its value is cast to. */
export interface AggregateCall {
  readonly function: AggregateFunction;
  readonly cast: Cast | null;
}

/** What is selected. `name` is the key of the answer. */
export type SelectItem =
  | { readonly kind: 'all'; readonly relation: string }
  | {
      readonly kind: 'field';
      readonly expression: FieldExpression;
      readonly representation: Representation | null;
      readonly cast: Cast | null;
      readonly aggregate: AggregateCall | null;
      readonly name: string;
      /** Beside aggregates: whether rows are grouped by the bare field, or by what is shown of it. */
      readonly groupedBy: 'field' | 'value';
    }
  | { readonly kind: 'count'; readonly cast: Cast | null; readonly name: string }
  /** A related resource as an object or an array. */
  | { readonly kind: 'embed'; readonly embed: string; readonly name: string };

/** What must hold of a row. */
export type Condition =
  | {
      readonly kind: 'logic';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly terms: readonly Condition[];
    }
  | {
      readonly kind: 'comparison';
      readonly field: FieldExpression;
      readonly negated: boolean;
      readonly operator: QuantifiableOperator | PlainOperator;
      readonly quantifier: Quantifier | null;
      readonly operand: Operand;
      /** Applied to the operand: the function of an implicit cast from text to the column's domain. */
      readonly representation: Representation | null;
    }
  | {
      readonly kind: 'in';
      readonly field: FieldExpression;
      readonly negated: boolean;
      readonly operand: Operand;
      readonly representation: Representation | null;
    }
  | {
      readonly kind: 'is';
      readonly field: FieldExpression;
      readonly negated: boolean;
      readonly keyword: IsKeyword;
    }
  | {
      readonly kind: 'search';
      readonly field: FieldExpression;
      readonly negated: boolean;
      readonly function: SearchFunction;
      readonly language: Operand | null;
      readonly operand: Operand;
    }
  /** The embed with this alias has a row (or, negated, has none). */
  | { readonly kind: 'related'; readonly negated: boolean; readonly embed: string };

export interface OrderTerm {
  readonly field: FieldExpression;
  /** Set when the field belongs to the to-one embed with this alias. */
  readonly embed: string | null;
  readonly direction: 'asc' | 'desc' | null;
  readonly nulls: 'first' | 'last' | null;
}

/** Rows to take. A limit is a literal of the statement; an offset other than zero is a parameter. */
export interface RowRange {
  readonly limit: bigint | null;
  readonly offset: Operand | null;
}

/** How the rows of an embed belong to the row of its parent. */
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
 * Where the rows of a node come from. `rows`: the rows that a mutation, or a call, of the same statement gave, kept under a
 * name. `call`: a call itself.
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

/** One relation of the read tree with all that was asked of it. */
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

/**
 * The total that was asked for. `estimated`: exact up to the threshold (`db-max-rows`), the planner's estimate above it;
 * without a threshold it is planned as `exact`.
 */
export type Count =
  | { readonly mode: 'exact' }
  | { readonly mode: 'planned' }
  | { readonly mode: 'estimated'; readonly threshold: bigint };

/** The form of the body that the statement itself produces. */
export type BodyForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'array'; readonly stripNulls: boolean }
  | { readonly kind: 'object'; readonly stripNulls: boolean }
  /** The value, or the values, of a function that gives no rows. */
  | { readonly kind: 'value'; readonly many: boolean; readonly stripNulls: boolean }
  /** `header`: the names of the first line, where the line is there without any row; otherwise those of the first row. */
  | { readonly kind: 'csv'; readonly header: readonly string[] | null }
  | { readonly kind: 'geojson' }
  | { readonly kind: 'aggregate'; readonly function: QualifiedName; readonly binary: boolean }
  /** The function's own result, sent as it is. */
  | { readonly kind: 'raw'; readonly binary: boolean };

/** The plan of the statement is wanted in place of its result. */
export interface Explain {
  readonly format: 'text' | 'json';
  readonly options: readonly PlanOption[];
}

/** The form of the answer. */
export interface Output {
  readonly form: BodyForm;
  /** The value of Content-Type with its parameters; null for an answer that never has a body. */
  readonly contentType: string | null;
  /** One object was asked for: any other number of rows than one is refused (DBR116). */
  readonly singular: boolean;
  readonly explain: Explain | null;
}

export interface ReadPlan {
  readonly kind: 'read';
  readonly root: ReadNode;
  readonly assumed: readonly AssumedColumns[];
  readonly count: Count | null;
  readonly answer: Output;
}

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

/** Only the first rows by this order are changed (data API §1.10). */
export interface LimitedRows {
  readonly order: readonly OrderTerm[];
  readonly range: RowRange;
  /** Names the column that numbers the chosen rows; null where every name may be that of a column. */
  readonly position: string | null;
}

export interface MutationPlan {
  readonly kind: 'mutation';
  readonly target: QualifiedName;
  /** The alias of the target, in filters and order. */
  readonly alias: string;
  readonly change: InsertChange | UpdateChange | DeleteChange;
  readonly returning: Returning;
  /** What is read of the changed rows for the body. */
  readonly root: ReadNode;
  readonly assumed: readonly AssumedColumns[];
  /** True when the total is to be told: of a change, the rows changed. */
  readonly counted: boolean;
  readonly represent: 'full' | 'headers' | 'none';
  /** Columns of the primary key, for the Location header. */
  readonly keyColumns: readonly string[];
  readonly checks: readonly OutcomeCheck[];
  readonly answer: Output;
}

/** What the changed rows are returned with: columns and computed fields by name, after every column where `all` is set. */
export interface Returning {
  readonly all: boolean;
  readonly names: readonly string[];
  /** The column of `LimitedRows.position`, by which the rows are sorted; null where their order is of no account. */
  readonly position: string | null;
}

/**
 * What must hold after the statement ran, or everything is undone. `singular`: exactly one row (DBR116).
 * `put`: exactly one row satisfied the URL (DBR115). `limit`: no more rows changed than that (DBR110).
 * `max-affected`: likewise for the preference (DBR124).
 */
export type OutcomeCheck =
  | { readonly kind: 'singular' }
  | { readonly kind: 'put' }
  | { readonly kind: 'limit'; readonly maximum: bigint }
  | { readonly kind: 'max-affected'; readonly maximum: bigint };

export interface CallArgument {
  readonly name: string;
  /** As `format_type` prints it, without lengths. */
  readonly type: string;
  readonly variadic: boolean;
}

export interface GivenArgument extends CallArgument {
  readonly operand: Operand;
}

/**
 * What a function is called with.
 * `given`: arguments that come one by one as text (GET, forms). `json`: by name, from a JSON object; of an array, its first.
 * `whole`: the body, or all arguments as one JSON object, is the single argument, unnamed as a rule.
 */
export type CallArguments =
  | { readonly kind: 'given'; readonly list: readonly GivenArgument[] }
  | { readonly kind: 'json'; readonly list: readonly CallArgument[]; readonly many: boolean }
  | {
      readonly kind: 'whole';
      readonly name: string | null;
      readonly type: string;
      readonly operand: Operand;
    };

export interface Call {
  readonly function: QualifiedName;
  readonly arguments: CallArguments;
  /** `rows`: of a composite type. `record`: rows whose columns only the call knows. `value`: anything else. */
  readonly gives: 'rows' | 'record' | 'value' | 'nothing';
  /** False for a function that gives one value: filtered away, it is null. */
  readonly many: boolean;
}

export interface CallPlan {
  readonly kind: 'call';
  readonly call: Call;
  readonly root: ReadNode;
  readonly assumed: readonly AssumedColumns[];
  /** True when the rows must be kept under a name, lest the function run twice. */
  readonly keepRows: boolean;
  readonly access: 'read' | 'write';
  /** Whether the function is declared volatile: it may do more than answer. */
  readonly volatile: boolean;
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly isolation: Isolation | null;
  readonly count: Count | null;
  readonly checks: readonly OutcomeCheck[];
  readonly answer: Output;
}

/** OPTIONS: answered from the schema cache alone. */
export interface InspectPlan {
  readonly kind: 'inspect';
  readonly allow: readonly string[];
}

/** The root: the description of the schema, after the pre-request function has had its say. */
export interface DocumentPlan {
  readonly kind: 'document';
  readonly schema: string;
  readonly version: OpenApiVersion;
  readonly contentType: string;
}

/** Of the OpenAPI Specification. */
export type OpenApiVersion = '2.0' | '3.1';

/** A plan that needs no statement of its own. */
export type PlainPlan = InspectPlan | DocumentPlan;

export type Plan = ReadPlan | MutationPlan | CallPlan | PlainPlan;
