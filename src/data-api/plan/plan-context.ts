import type { SchemaCache } from '../schema-cache/types.js';
import { type Aliases, createAliases } from './aliases.js';
import { type Assumptions, createAssumptions } from './assumed-columns.js';
import type { OpenApiVersion } from './plan.js';
import type { Cut } from './read-node.js';
import type { ReleaseRules } from './release-rules.js';

/** The inputs of planning beside the request. */
export interface PlanContext {
  readonly cache: SchemaCache;
  /** The role of the request. Hints name only objects on which it has privileges. */
  readonly role: string;
  /** `server-path-prefix`; empty for none. */
  readonly pathPrefix: string;
  /** `db-max-rows`; null for no limit. */
  readonly maxRows: bigint | null;
  readonly aggregatesEnabled: boolean;
  readonly rules: ReleaseRules;
  readonly planEnabled: boolean;
  /** `db-extra-search-path`: schemas that are searched for computed fields after the schema of the request. */
  readonly extraSearchPath: readonly string[];
  readonly root: RootContext;
}

/** The response of the root path: none, the description of the schema, or the result of a function (`db-root-spec`). */
export type RootContext =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'document'; readonly version: OpenApiVersion }
  | { readonly kind: 'function'; readonly name: string };

/** State that all nodes of a read tree share. */
export interface TreeContext {
  readonly cache: SchemaCache;
  /** The role of the request. Hints name only objects on which it has privileges. */
  readonly role: string;
  /** `db-max-rows`; null for no limit. */
  readonly maxRows: bigint | null;
  readonly aggregatesEnabled: boolean;
  readonly rules: ReleaseRules;
  readonly aliases: Aliases;
  readonly assumptions: Assumptions;
  /** Returns what happens to a list that `db-max-rows` limits; null if no one is to know. */
  readonly cutOf: (path: readonly string[], limit: bigint) => Cut | null;
  /** The lists of all calls of `cutOf`. */
  readonly cuts: readonly Cut[];
  /** The schema of the request, then the extra search path. */
  readonly searchPath: readonly string[];
}

/**
 * Returns the context of one request's tree.
 * @param schema the schema of the request
 * @param handling what happens to lists that `db-max-rows` cuts: they are refused, named or not looked at
 */
export function createTreeContext(
  context: PlanContext,
  schema: string,
  handling: 'strict' | 'lenient' | 'none',
): TreeContext {
  const cuts: Cut[] = [];
  return {
    cache: context.cache,
    role: context.role,
    maxRows: context.maxRows,
    aggregatesEnabled: context.aggregatesEnabled,
    rules: context.rules,
    aliases: createAliases(),
    assumptions: createAssumptions(),
    cuts,
    cutOf: (keys, limit) => {
      if (handling === 'none') return null;
      const path = keys.map(encodeURIComponent).join('.');
      const cut = { number: cuts.length, limit, path, refused: handling === 'strict' };
      cuts.push(cut);
      return cut;
    },
    searchPath: [schema, ...context.extraSearchPath],
  };
}
