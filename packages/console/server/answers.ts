/** What the console asks about the database, and the answers: plain values, which the page and the server share. */

export type Question =
  | { readonly kind: 'catalogue' }
  | { readonly kind: 'overview' }
  | { readonly kind: 'relation'; readonly schema: string; readonly name: string }
  | VisibilityQuestion
  | { readonly kind: 'lint' }
  | ProposalQuestion;

/** About the caller's own proposals. */
export type ProposalQuestion =
  | { readonly kind: 'proposals' }
  | { readonly kind: 'dismiss-proposal'; readonly id: string };

export const COMMANDS = ['select', 'insert', 'update', 'delete'] as const;
export type Command = (typeof COMMANDS)[number];

/** Why the caller sees or does not see a row, or may not write it. */
export interface VisibilityQuestion {
  readonly kind: 'visibility';
  readonly schema: string;
  readonly name: string;
  readonly command: Command;
  /** The values of the row that are known, by column. */
  readonly row: Readonly<Record<string, unknown>>;
}

/** The role of the token, and the objects that it may use. */
export interface Catalogue {
  readonly role: string;
  readonly authenticated: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly schemas: readonly { readonly name: string; readonly comment: string | null }[];
  readonly relations: readonly RelationSummary[];
  readonly functions: readonly FunctionSummary[];
}

type RelationKind = 'table' | 'view' | 'materialized view' | 'foreign table';

interface RelationSummary {
  readonly schema: string;
  readonly name: string;
  readonly kind: RelationKind;
  readonly comment: string | null;
  readonly rowSecurity: boolean;
}

export interface FunctionSummary {
  readonly schema: string;
  readonly name: string;
  readonly comment: string | null;
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  readonly returns: string;
  readonly returnsSet: boolean;
  readonly parameters: readonly FunctionParameter[];
}

interface FunctionParameter extends Pick<ColumnDetail, 'name' | 'type' | 'enumLabels'> {
  readonly required: boolean;
}

/** Numbers of the relations that the role may use. */
export interface Overview {
  readonly relations: readonly RelationNumbers[];
}

export interface RelationNumbers {
  readonly schema: string;
  readonly name: string;
  /** The planner's estimate; null for views, and before the first `analyze`. */
  readonly rows: number | null;
  /** With indexes and partitions; null for what stores nothing, and while one of the tables is locked. */
  readonly bytes: number | null;
}

export interface RelationDetail extends RelationSummary {
  readonly privileges: Readonly<Record<Command, boolean>>;
  readonly columns: readonly ColumnDetail[];
  readonly primaryKey: readonly string[];
  /** Foreign keys of this relation. */
  readonly references: readonly ForeignKey[];
  /** Foreign keys of other relations that lead here. */
  readonly referencedBy: readonly ForeignKey[];
  readonly policies: readonly Policy[];
}

export interface ColumnDetail {
  readonly name: string;
  readonly comment: string | null;
  /** As PostgreSQL prints it. */
  readonly type: string;
  /** The type below a domain. */
  readonly baseType: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  /** The value cannot be given: a generated column, or an identity that is always generated. */
  readonly generated: boolean;
  readonly enumLabels: readonly string[];
  readonly select: boolean;
  readonly insert: boolean;
  readonly update: boolean;
}

export interface ForeignKey {
  readonly constraint: string;
  readonly schema: string;
  /** The other relation. */
  readonly name: string;
  /** Columns of this relation, and the columns of the other one that have the same values. */
  readonly columns: readonly string[];
  readonly otherColumns: readonly string[];
  /** The column of the other relation by which people know its rows; null if the role may read no text of it. */
  readonly label: string | null;
  /** At most one row of the other relation belongs to a row. */
  readonly toOne: boolean;
}

export interface Policy {
  readonly name: string;
  readonly comment: string | null;
  readonly permissive: boolean;
  readonly command: Command | 'all';
  /** `public` for every role. */
  readonly roles: readonly string[];
  /** Whether the policy applies to the role of the token. */
  readonly applies: boolean;
  readonly using: string | null;
  readonly check: string | null;
}

export interface Visibility {
  readonly role: string;
  readonly command: Command;
  readonly privilege: boolean;
  /** Why policies do not hold for the role; null if they hold. */
  readonly exempt: 'no row security' | 'owner' | 'bypass' | null;
  /** Whether the statement finds the row with these key values; null without a key, or where it cannot be asked. */
  readonly found: boolean | null;
  readonly policies: readonly EvaluatedPolicy[];
  /** The verdict of privilege and policies on the given values; null if a value that decides is unknown. */
  readonly allowed: boolean | null;
}

export interface EvaluatedPolicy extends Pick<Policy, 'name' | 'comment' | 'permissive'> {
  readonly clause: 'using' | 'with check';
  readonly expression: string;
  readonly holds: boolean | null;
  /** How the terms are joined. */
  readonly join: 'and' | 'or';
  readonly terms: readonly EvaluatedTerm[];
}

export interface EvaluatedTerm {
  readonly text: string;
  /** Null is neither true nor false for PostgreSQL: the row does not pass. */
  readonly holds: boolean | null;
  /** The sides of a comparison that are columns, constants or claims of the token, as text. */
  readonly sides: readonly { readonly text: string; readonly value: string | null }[];
  /** Columns of the term whose value was not given. */
  readonly unknown: readonly string[];
  /** Why PostgreSQL could not evaluate it; without its text where the term calls functions. */
  readonly error: string | null;
}

/** Changes that an agent has proposed for the caller. */
export interface Proposal {
  readonly id: string;
  /** Applies the changes, for the caller alone. */
  readonly token: string;
  /** Null for the first one. */
  readonly schema: string | null;
  /** JSON, as the agent sent it. */
  readonly changes: string;
  /** JSON: for each change, the answer with the rows as they would be. */
  readonly answer: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Metrics at one time. */
export interface MetricSample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Sums over all labels, by name. */
  readonly values: Readonly<Record<string, number>>;
  /** Requests that took at most so many seconds, by the bound; cumulative. */
  readonly latency: Readonly<Record<string, number>>;
}
