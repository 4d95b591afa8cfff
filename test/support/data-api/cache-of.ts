/** Makes a schema cache for tests from the given parts; all else is empty. */
import type { SchemaCache } from '../../../src/data-api/schema-cache/types.js';

export const cacheOf = (parts: Partial<SchemaCache>): SchemaCache => ({
  generation: 1,
  serverVersion: 180_000,
  schemas: [{ name: 'public', description: null }],
  tables: new Map(),
  relationships: new Map(),
  functions: new Map(),
  computedFields: new Map(),
  castTypes: new Map(),
  representations: new Map(),
  mediaHandlers: { any: new Map(), relation: new Map() },
  roleSettings: new Map(),
  roles: new Map(),
  ...parts,
});
