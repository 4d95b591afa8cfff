import type { SchemaCache } from '../schema-cache/types.js';

/** What planning depends on beside the request. */
export interface PlanContext {
  readonly cache: SchemaCache;
  /** The role that asks: hints name only what it may know of. */
  readonly role: string;
  /** `db-max-rows`; null for no limit. */
  readonly maxRows: bigint | null;
  readonly aggregatesEnabled: boolean;
  readonly planEnabled: boolean;
}
