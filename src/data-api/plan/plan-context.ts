import type { SchemaCache } from '../schema-cache/types.js';
import { type Aliases, createAliases } from './aliases.js';
import { type Assumptions, createAssumptions } from './assumed-columns.js';
import type { OpenApiVersion } from './plan.js';

/** Everything that planning depends on beside the request. */
export interface PlanContext {
  readonly cache: SchemaCache;
  /** The role that asks: hints name only what it may know of. */
  readonly role: string;
  /** `server-path-prefix`; empty for none. */
  readonly pathPrefix: string;
  /** `db-max-rows`; null for no limit. */
  readonly maxRows: bigint | null;
  readonly aggregatesEnabled: boolean;
  readonly planEnabled: boolean;
  /** `db-extra-search-path`: where computed fields are looked for behind the schema of the request. */
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
  /** The role that asks: hints name only what it may know of. */
  readonly role: string;
  /** `db-max-rows`; null when there is no such limit. */
  readonly maxRows: bigint | null;
  readonly aggregatesEnabled: boolean;
  readonly aliases: Aliases;
  readonly assumptions: Assumptions;
  /** The schema of the request, then the extra search path. */
  readonly searchPath: readonly string[];
}

/** The context of one request's tree. @param schema the schema of the request */
export const createTreeContext = (context: PlanContext, schema: string): TreeContext => ({
  cache: context.cache,
  role: context.role,
  maxRows: context.maxRows,
  aggregatesEnabled: context.aggregatesEnabled,
  aliases: createAliases(),
  assumptions: createAssumptions(),
  searchPath: [schema, ...context.extraSearchPath],
});
