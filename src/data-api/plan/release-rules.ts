/** Rules of planning in which releases of PostgREST differ (`compatibility-level`, `url-use-legacy-target-names`). */
export interface ReleaseRules {
  /** Whether a spread of a to-many relationship gives arrays. */
  readonly spreadsMany: boolean;
  /** Whether a text search converts columns that are no `tsvector` by `to_tsvector` with its configuration. */
  readonly searchesDocuments: boolean;
  /** Whether the rows that a write returns are sorted by `order`. */
  readonly ordersWrites: boolean;
  /** Whether a read of a relation that the schema cache does not contain is DBR205 instead of PostgreSQL's 42P01. */
  readonly looksUpRelations: boolean;
  readonly embedNames: EmbedNames;
}

/**
 * How filters, orders and ranges name an embedded resource. `first`: the first one with this name or alias. `key first`:
 * its key in the response, or else its name although it has an alias. `key`: its key alone.
 */
export type EmbedNames = 'first' | 'key first' | 'key';

/** @param usesTargetNames whether a resource with an alias may also be named by its own name */
export function releaseRules(level: '12' | '16', usesTargetNames: boolean): ReleaseRules {
  const isLater = level === '16';
  return {
    spreadsMany: isLater,
    searchesDocuments: isLater,
    ordersWrites: isLater,
    looksUpRelations: isLater,
    embedNames: usesTargetNames ? (isLater ? 'key first' : 'first') : 'key',
  };
}
