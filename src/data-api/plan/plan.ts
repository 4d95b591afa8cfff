/**
 * The plan of one request, with every name resolved. Plans are plain values: `sql/` writes their statements,
 * `execute/` runs them, `respond/` makes the reply.
 */
import type { Isolation, QualifiedName } from '../schema-cache/types.js';
import type { Call } from './call.js';
import type { Change, Returning } from './mutation.js';
import type { Condition } from './expression.js';
import type { Output } from './output.js';
import type { AssumedColumns, Cut, ReadNode } from './read-node.js';

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
  /**
   * Whether the filters name one row. Of several rows, the time does not tell that one was deleted, so that the response
   * is never 304 for it.
   */
  readonly isOneRow: boolean;
}

export interface ReadPlan {
  readonly kind: 'read';
  /** Path of the relation, percent-encoded. */
  readonly path: string;
  readonly root: ReadNode;
  readonly assumed: readonly AssumedColumns[];
  /** The lists of related rows that `db-max-rows` may cut, by their numbers. */
  readonly cuts: readonly Cut[];
  readonly count: Count | null;
  /** Null for a read without Last-Modified. */
  readonly dated: Dated | null;
  readonly output: Output;
}

/** The condition of a write that its row has the entity tag of the request. */
export interface TagCondition {
  /** The read whose body has the tag: GET with the same URL and Accept. */
  readonly read: ReadPlan;
  /** Conditions on the row, those of the change. */
  readonly where: readonly Condition[];
}

export interface MutationPlan {
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
  /** The values of the changed rows that the body contains. */
  readonly root: ReadNode;
  readonly assumed: readonly AssumedColumns[];
  /** The lists of related rows that `db-max-rows` may cut, by their numbers. */
  readonly cuts: readonly Cut[];
  /** True if Content-Range has a total: the number of changed rows. */
  readonly counted: boolean;
  readonly represent: 'full' | 'headers' | 'none';
  /** Columns of the primary key, for the Location header. */
  readonly keyColumns: readonly string[];
  readonly checks: readonly OutcomeCheck[];
  readonly output: Output;
}

/**
 * A condition on the number of rows after the statement; if it fails, the transaction is rolled back. `singular`: one
 * row (DBR116).
 * `match`: the condition of the write holds for its one row (DBR410). `absent`: the row was inserted (DBR142).
 * `put`: one row matches the URL (DBR115). `limit`: at most this many rows changed (DBR110).
 * `max-affected`: the same for the preference (DBR124). `graph root`: the related rows belong to one row (DBR175, DBR176).
 */
export type OutcomeCheck =
  | { readonly kind: 'singular' }
  | { readonly kind: 'put' }
  | { readonly kind: 'match' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'graph root' }
  | { readonly kind: 'limit'; readonly maximum: bigint }
  | { readonly kind: 'max-affected'; readonly maximum: bigint };

export interface CallPlan {
  readonly kind: 'call';
  readonly call: Call;
  readonly root: ReadNode;
  readonly assumed: readonly AssumedColumns[];
  /** The lists of related rows that `db-max-rows` may cut, by their numbers. */
  readonly cuts: readonly Cut[];
  /** True if the rows are kept in a common table expression, so that the function runs once. */
  readonly keepRows: boolean;
  readonly access: 'read' | 'write';
  /** Whether the function is declared volatile: it may have side effects. */
  readonly volatile: boolean;
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly isolation: Isolation | null;
  readonly count: Count | null;
  readonly checks: readonly OutcomeCheck[];
  readonly output: Output;
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
export type OpenApiVersion = '2.0' | '3.1';

/** A plan without a statement. */
export type PlainPlan = InspectPlan | DocumentPlan;

/** A plan that runs statements. */
export type RunnablePlan = ReadPlan | MutationPlan | CallPlan;

export type Plan = RunnablePlan | PlainPlan;
