/**
 * What the service means to do for one request, every name resolved and every refusal behind it.
 * Plans are plain values: `sql/` turns them into statements, `execute/` runs those, `respond/` answers.
 */
import type { Isolation, QualifiedName } from '../schema-cache/types.js';
import type { Call } from './call.js';
import type { DeleteChange, InsertChange, Returning, UpdateChange } from './mutation.js';
import type { Output } from './output.js';
import type { AssumedColumns, ReadNode } from './read-node.js';

/**
 * The total that was asked for. `estimated`: exact up to the threshold (`db-max-rows`), the planner's estimate above it;
 * without a threshold it is planned as `exact`.
 */
export type Count =
  | { readonly mode: 'exact' }
  | { readonly mode: 'planned' }
  | { readonly mode: 'estimated'; readonly threshold: bigint };

export interface ReadPlan {
  readonly kind: 'read';
  readonly root: ReadNode;
  readonly assumed: readonly AssumedColumns[];
  readonly count: Count | null;
  readonly output: Output;
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
  readonly output: Output;
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
  readonly output: Output;
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
