/**
 * The plan of one request, with every name resolved. Plans are plain values: `sql/` writes their statements,
 * `execute/` runs them, `respond/` makes the reply.
 */
import type { Isolation, QualifiedName } from '../schema-cache/types.js';
import type {
  AssumedColumns,
  Call,
  Condition,
  Conflict,
  Cut,
  OrderTerm,
  ReadNode,
  RowRange,
  WrittenColumn,
} from './expression.js';
import type { DescribedVersion } from '../request/api-request.js';
import type { CsvDialect, PlanOption } from '../request/media-types.js';
import type { Graph } from './graph.js';

/**
 * The requested total. `estimated`: exact up to the threshold (`db-max-rows`), the planner's estimate above it;
 * without a threshold it is planned as `exact`.
 */
export type Count =
  | { readonly mode: 'exact' }
  | { readonly mode: 'planned' }
  | { readonly mode: 'estimated'; readonly threshold: bigint };

/** Last-Modified of a read. */
export interface Dated {
  /** The column with the time of a row's last change. */
  readonly column: string;
  /** The names of the columns of the response; none twice. */
  readonly names: readonly string[];
  /** A name that none of these columns has. */
  readonly alias: string;
  /** Whether the filters name the only row with its primary key, so that the response has it or none. */
  readonly isOfOneRow: boolean;
}

/** The rows of the body of a response. */
interface PlannedRows {
  readonly root: ReadNode;
  readonly assumed: readonly AssumedColumns[];
  /** The lists of related rows that `db-max-rows` may cut, by their numbers. */
  readonly cuts: readonly Cut[];
  readonly output: Output;
}

export interface ReadPlan extends PlannedRows {
  readonly kind: 'read';
  /** Path of the relation, percent-encoded. */
  readonly path: string;
  readonly count: Count | null;
  /** Whether the filters name one row by its primary key. */
  readonly isOneRow: boolean;
  /** Null for a read without Last-Modified. */
  readonly dated: Dated | null;
}

/** The condition of a write that its row has the entity tag of the request. */
export interface TagCondition {
  /** The GET (same URL and Accept) whose body the entity tag identifies. */
  readonly read: ReadPlan;
  /** Conditions on the row, those of the change. */
  readonly where: readonly Condition[];
}

/** Its rows are values of the changed rows. */
export interface MutationPlan extends PlannedRows {
  readonly kind: 'mutation';
  /** Path of the target, percent-encoded. */
  readonly path: string;
  readonly target: QualifiedName;
  /** The alias of the target, in filters and order. */
  readonly alias: string;
  readonly change: Change;
  /** Null if the row may have any entity tag. */
  readonly condition: TagCondition | null;
  /** The condition on the time of the row's last change; null for none. */
  readonly unmodified: Condition | null;
  readonly returning: Returning;
  /** True if Content-Range has a total: the number of changed rows. */
  readonly counted: boolean;
  readonly represent: 'full' | 'headers' | 'none';
  /** Columns of the primary key, for the Location header. */
  readonly keyColumns: readonly string[];
  readonly checks: readonly OutcomeCheck[];
}

/**
 * A condition on the number of rows after the statement; if it fails, the transaction is rolled back. `singular`: one
 * row (DBR116).
 * `match`: the condition of the write holds for its one row (DBR410). `absent`: the row was inserted (DBR142).
 * `put`: one row matches the URL (DBR115). `limit`: at most this many rows changed (DBR110).
 * `max-affected`: the same for the preference (DBR124).
 */
export type OutcomeCheck =
  | { readonly kind: 'singular' }
  | { readonly kind: 'put' }
  | { readonly kind: 'match' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'limit'; readonly maximum: bigint }
  | { readonly kind: 'max-affected'; readonly maximum: bigint };

export interface CallPlan extends PlannedRows {
  readonly kind: 'call';
  readonly call: Call;
  /** True if the rows are kept in a common table expression, so that the function runs once. */
  readonly keepRows: boolean;
  readonly access: 'read' | 'write';
  /** Whether the function is declared volatile: it may have side effects. */
  readonly volatile: boolean;
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly isolation: Isolation | null;
  readonly count: Count | null;
  readonly checks: readonly OutcomeCheck[];
}

/** OPTIONS: the response depends on the schema cache only. */
export interface InspectPlan {
  readonly kind: 'inspect';
  readonly allow: readonly string[];
  /** Whether QUERY reads the resource: false for the root and for functions that only POST calls. */
  readonly acceptsQuery: boolean;
}

/** The root: the description of the schema, for the role after the pre-request function. */
export interface DocumentPlan {
  readonly kind: 'document';
  readonly schema: string;
  readonly version: OpenApiVersion;
  readonly contentType: string;
}

/** A version of the OpenAPI Specification. */
export type OpenApiVersion = '2.0' | DescribedVersion;

/** A plan without a statement. */
export type PlainPlan = InspectPlan | DocumentPlan;

/** A plan that runs statements. */
export type RunnablePlan = ReadPlan | MutationPlan | CallPlan;

export type Plan = RunnablePlan | PlainPlan;

export type { CsvDialect };

/** The form of the body that the main statement produces. */
export type BodyForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'array'; readonly stripNulls: boolean }
  | { readonly kind: 'object'; readonly stripNulls: boolean }
  /** The value or values of a function that returns no rows. */
  | { readonly kind: 'value'; readonly many: boolean; readonly stripNulls: boolean }
  /** `header`: the names of the first line where there are no rows; null for none. */
  | { readonly kind: 'csv'; readonly dialect: CsvDialect; readonly header: readonly string[] | null }
  | { readonly kind: 'geojson' }
  /** One JSON text on each line: objects, or the values of a function. */
  | { readonly kind: 'lines'; readonly values: boolean }
  /** Rows are sent as PostgreSQL makes them. */
  | { readonly kind: 'stream'; readonly line: StreamLine }
  | { readonly kind: 'aggregate'; readonly function: QualifiedName; readonly binary: boolean }
  /** The function's result, unchanged. */
  | { readonly kind: 'raw'; readonly binary: boolean };

/** The form of a row in a stream: a JSON object, the JSON of a value, or a record of CSV below a first line with the names. */
export type StreamLine = 'object' | 'value' | CsvDialect;

export const isCsv = (line: StreamLine): line is CsvDialect => line === 'csv' || line === 'rfc4180';

/** EXPLAIN of the statement instead of its result. */
export interface Explain {
  readonly format: 'text' | 'json';
  readonly options: readonly PlanOption[];
}

/** The form of the response body. */
export interface Output {
  readonly form: BodyForm;
  /** The value of Content-Type with its parameters; null if the response never has a body. */
  readonly contentType: string | null;
  /** True if the client requests one object. Any other number of rows is DBR116. */
  readonly singular: boolean;
  readonly explain: Explain | null;
}

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
  change.kind === 'insert' ? change.graph : null;

export type Change = InsertChange | UpdateChange | KeyedUpdateChange | DeleteChange;

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
interface Returning {
  readonly all: boolean;
  readonly names: readonly string[];
  /** The column of a limited or keyed change by which the rows are sorted; null if their order is irrelevant. */
  readonly position: string | null;
}
