import type { SchemaCache } from '../schema-cache/types.js';
import { createAliases, type Aliases } from './aliases.js';
import { createAssumptions, type Assumptions } from './assumed-columns.js';
import type { PlanContext } from './plan-context.js';

/** What all nodes of a read tree share. */
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
