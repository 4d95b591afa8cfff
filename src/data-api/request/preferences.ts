/** The preferences of a request (RFC 7240, data API §1.11). */

export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  readonly missing: 'default' | 'null' | null;
  readonly return: 'representation' | 'headers-only' | 'minimal' | null;
  readonly params: 'single-object' | null;
  readonly count: 'exact' | 'planned' | 'estimated' | null;
  /** Null as well when the service does not let clients choose how transactions end. */
  readonly tx: 'commit' | 'rollback' | null;
  readonly handling: 'strict' | 'lenient' | null;
  /** As written; whether PostgreSQL knows it is for the schema cache to say. */
  readonly timezone: string | null;
  readonly maxAffected: bigint | null;
  /** Tokens that mean nothing to the service, as written. With `handling=strict` they are DBR122. */
  readonly invalid: readonly string[];
}
