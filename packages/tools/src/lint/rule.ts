/** A rule of `dbr lint` and its findings. */

export type Level = 'error' | 'warning' | 'info';

/** The result of a rule's query, with a row for each finding. */
export interface FindingRow {
  /** The object, qualified and quoted as in SQL. */
  readonly object: string;
  /** One sentence: what is wrong with the object. */
  readonly message: string;
  /** SQL statements that end the finding. */
  readonly cure: string;
}

export interface Rule {
  readonly name: string;
  readonly level: Level;
  /** One sentence for the list of rules. */
  readonly meaning: string;
  /**
   * Whether the cure needs more than the owner of the migrations may do, loses data or a policy, or takes something from
   * requests: `--fix` writes it as a comment.
   */
  readonly needsDecision?: true;
  /** Takes the parameters of the prelude. */
  readonly sql: string;
  /** Makes the finding of a row, null for none; without it, the row is the finding. */
  readonly finding?: (row: Readonly<Record<string, unknown>>) => FindingRow | null;
}

export interface Finding extends FindingRow {
  readonly rule: string;
  readonly level: Level;
}

/** A finding that a comment of its object accepts. */
export interface AcceptedFinding extends Finding {
  readonly reason: string;
}
