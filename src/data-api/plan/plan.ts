/**
 * What the service means to do for one request, every name resolved and every refusal behind it.
 * Plans are plain values: `sql/` turns them into statements, `execute/` runs those, `respond/` answers.
 */

/** A relation, function or type by schema and name, as the catalogue spells both. */
export interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

/**
 * A value that the request carries and that travels as a statement parameter.
 * `query`: the value at this position among the values of the query string, in the order of the text.
 * `payload`: the request body. `constant`: known while planning.
 */
export type Operand =
  | { readonly kind: 'query'; readonly index: number; readonly encoding: OperandEncoding }
  | { readonly kind: 'payload' }
  | { readonly kind: 'constant'; readonly text: string };

/**
 * How a query-string value is written as PostgreSQL text: `verbatim`; `pattern`: each `*` becomes `%`;
 * `list`: the elements of `in.(…)` become an array literal.
 */
export type OperandEncoding = 'verbatim' | 'pattern' | 'list';

/** One arrow of a JSON path; a key is a parameter, an index a literal. */
export interface JsonStep {
  readonly arrow: '->' | '->>';
  readonly key: Operand | { readonly kind: 'index'; readonly index: number };
}

/** A column or computed field of the relation known as `relation`, and a JSON path into it. */
export interface FieldExpression {
  /** The alias that the relation has in the statement. */
  readonly relation: string;
  readonly column: string;
  readonly path: readonly JsonStep[];
  /** True when arrows need `to_jsonb(column)` first: the column is neither json nor jsonb. */
  readonly viaJson: boolean;
}

/** A function that turns a value into its representation, or back (a cast of a domain, data API §1.3). */
export type Representation = QualifiedName;

export type AggregateFunction = 'avg' | 'count' | 'max' | 'min' | 'sum';

/** What is selected. `name` is the key of the answer; null keeps the name that PostgreSQL gives. */
export type SelectItem =
  | { readonly kind: 'all'; readonly relation: string }
  | {
      readonly kind: 'field';
      readonly expression: FieldExpression;
      readonly representation: Representation | null;
      /** A type name as the request wrote it; letters, digits, `_`, `$` and blanks only. */
      readonly cast: string | null;
      readonly aggregate: Aggregate | null;
      readonly name: string | null;
    }
  | { readonly kind: 'count'; readonly cast: string | null; readonly name: string };

export interface Aggregate {
  readonly function: AggregateFunction;
  readonly cast: string | null;
}

export type ComparisonOperator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'like'
  | 'ilike'
  | 'match'
  | 'imatch'
  | 'isdistinct'
  | 'cs'
  | 'cd'
  | 'ov'
  | 'sl'
  | 'sr'
  | 'nxr'
  | 'nxl'
  | 'adj';

export type SearchFunction = 'fts' | 'plfts' | 'phfts' | 'wfts';

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
      readonly operator: ComparisonOperator;
      readonly quantifier: 'any' | 'all' | null;
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
      readonly value: 'null' | 'true' | 'false' | 'unknown';
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

/** Rows to take. A limit and an offset of zero are literals of the statement; other offsets are parameters. */
export interface RowRange {
  readonly limit: bigint | null;
  readonly offset: bigint;
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
  | { readonly kind: 'computed'; readonly function: QualifiedName; readonly argument: QualifiedName };

export interface ColumnPair {
  readonly left: string;
  readonly right: string;
}

/** Where the rows of a node come from. `rows`: the rows that a mutation or a call of the same statement gave. */
export type Source = { readonly kind: 'relation'; readonly name: QualifiedName } | { readonly kind: 'rows' };

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
}

/** A related resource within its parent's rows. */
export interface Embed {
  /** The alias of the node; unique within the statement. */
  readonly alias: string;
  /** Key of the parent's object that holds it; null when it shows nothing by itself. */
  readonly key: string | null;
  readonly cardinality: 'one' | 'many';
  /** `inner`: parents without a row of it are left out. */
  readonly join: 'left' | 'inner';
  /** `spread`: its columns become columns of the parent. `hidden`: it serves for filters and order only. */
  readonly output: 'nested' | 'spread' | 'hidden';
  readonly link: Link;
  readonly node: ReadNode;
  /** True when at most one row can match each parent by a constraint, so that a scalar sub-select is safe. */
  readonly unique: boolean;
}

export type CountMode = 'exact' | 'planned' | 'estimated';

/** The form of the body that the statement itself produces. */
export type BodyForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'array'; readonly stripNulls: boolean }
  | { readonly kind: 'object'; readonly stripNulls: boolean }
  | { readonly kind: 'scalar'; readonly many: boolean; readonly stripNulls: boolean }
  | { readonly kind: 'csv' }
  | { readonly kind: 'geojson' }
  | { readonly kind: 'aggregate'; readonly function: QualifiedName; readonly binary: boolean }
  /** The function's own result, sent as it is. */
  | { readonly kind: 'raw'; readonly binary: boolean };

export type ExplainOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal';

/** The plan of the statement is wanted in place of its result. */
export interface Explain {
  readonly format: 'text' | 'json';
  readonly options: readonly ExplainOption[];
}

/** What every plan that runs a statement has. */
export interface Answer {
  readonly form: BodyForm;
  /** The value of Content-Type, with parameters. */
  readonly contentType: string;
  readonly explain: Explain | null;
}

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

export interface ReadPlan {
  readonly kind: 'read';
  readonly root: ReadNode;
  readonly count: CountMode | null;
  readonly answer: Answer;
}

/** A column that a mutation writes. */
export interface WrittenColumn {
  readonly name: string;
  /** The type that json_to_record gives it, as format_type prints it. */
  readonly type: string;
  /** Turns the JSON value into the column's domain. */
  readonly representation: Representation | null;
  /** SQL of the default, used where the payload lacks the key and `missing=default` was asked for. */
  readonly default: string | null;
}

export interface PayloadShape {
  /** `text/csv` and forms are turned into JSON before they get here. */
  readonly many: boolean;
  readonly columns: readonly WrittenColumn[];
  readonly useDefaults: boolean;
}

export interface Conflict {
  readonly columns: readonly string[];
  readonly resolution: 'merge' | 'ignore';
}

export interface InsertPlan {
  readonly kind: 'insert';
  readonly target: QualifiedName;
  readonly payload: PayloadShape;
  readonly conflict: Conflict | null;
  /** PUT: the inserted row must satisfy the filters of the URL. */
  readonly where: readonly Condition[];
}

export interface UpdatePlan {
  readonly kind: 'update';
  readonly target: QualifiedName;
  readonly payload: PayloadShape;
  readonly where: readonly Condition[];
  readonly limited: LimitedRows | null;
}

export interface DeletePlan {
  readonly kind: 'delete';
  readonly target: QualifiedName;
  readonly where: readonly Condition[];
  readonly limited: LimitedRows | null;
}

/** Only the first rows by this order are changed (data API §1.10). */
export interface LimitedRows {
  readonly order: readonly OrderTerm[];
  readonly range: RowRange;
}

export interface MutationPlan {
  readonly kind: 'mutation';
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly change: InsertPlan | UpdatePlan | DeletePlan;
  /** Columns that the changed rows must carry for the read tree, the Location header and the checks; `all` = every one. */
  readonly returning: readonly string[] | 'all';
  readonly read: ReadNode;
  readonly count: CountMode | null;
  readonly represent: 'full' | 'headers' | 'none';
  /** Columns of the primary key, for Location. */
  readonly keyColumns: readonly string[];
  readonly checks: readonly OutcomeCheck[];
  readonly answer: Answer;
}

/** What must hold after the statement ran, or everything is undone. */
export type OutcomeCheck =
  | { readonly kind: 'singular' }
  | { readonly kind: 'put' }
  | { readonly kind: 'limit'; readonly limit: bigint }
  | { readonly kind: 'max-affected'; readonly maximum: bigint };

/** An argument of a call. */
export interface CallArgument {
  readonly name: string;
  readonly type: string;
  readonly variadic: boolean;
  readonly representation: Representation | null;
}

/** `none`; `record`: named arguments from a JSON object; `whole`: the body is the single, unnamed argument. */
export type CallArguments =
  | { readonly kind: 'none' }
  | { readonly kind: 'record'; readonly arguments: readonly CallArgument[]; readonly many: boolean }
  | { readonly kind: 'whole'; readonly type: string };

export interface CallPlan {
  readonly kind: 'call';
  readonly function: QualifiedName;
  readonly arguments: CallArguments;
  readonly returns: 'void' | 'scalar' | 'setof scalar' | 'row' | 'setof row' | 'record' | 'setof record';
  readonly access: 'read' | 'write';
  readonly settings: readonly (readonly [string, string])[];
  readonly isolation: Isolation | null;
  readonly read: ReadNode;
  readonly count: CountMode | null;
  readonly checks: readonly OutcomeCheck[];
  readonly answer: Answer;
}

/** OPTIONS: answered from the cache alone. */
export interface InspectPlan {
  readonly kind: 'inspect';
  readonly allow: readonly string[];
}

export type Plan = ReadPlan | MutationPlan | CallPlan | InspectPlan;
