import type { SchemaCache } from '../schema-cache/types.js';
import { createAliases, type Aliases } from './aliases.js';

/** What all nodes of a read tree share. */
export interface TreeContext {
  readonly cache: SchemaCache;
  /** The role that asks: hints name only what it may know of. */
  readonly role: string;
  /** `db-max-rows`; null when there is no such limit. */
  readonly maxRows: bigint | null;
  readonly aggregatesEnabled: boolean;
  readonly aliases: Aliases;
}

/** The context of one request's tree. */
export const createTreeContext = (
  cache: SchemaCache,
  role: string,
  settings: { readonly maxRows: bigint | null; readonly aggregatesEnabled: boolean },
): TreeContext => ({ cache, role, ...settings, aliases: createAliases() });
