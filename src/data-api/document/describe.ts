/** Descriptions of schemas as JSON text, kept until the schema cache or a setting changes. */
import { lruCache } from '../../lru-cache.js';
import type { Settings } from '../../settings/settings.js';
import type { DocumentPlan } from '../plan/plan.js';
import type { SchemaCache } from '../schema-cache/types.js';
import { describeAsOpenApi } from './openapi/openapi-document.js';
import { describeAsSwagger } from './swagger/swagger-document.js';

export interface Descriptions {
  /** The description of a schema for a role, in UTF-8. */
  of(plan: DocumentPlan, role: string): Buffer;
}

export type DescriptionSettings = Pick<
  Settings,
  'db-extra-search-path' | 'openapi-mode' | 'openapi-security-active' | 'openapi-server-proxy-uri'
>;

/** The description of a large schema takes megabytes. */
const MAX_ENTRIES = 64;
const MAX_BYTES = 67_108_864;

export function createDescriptions(cache: SchemaCache, settings: DescriptionSettings): Descriptions {
  const descriptions = lruCache<Buffer>({
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    bytesOf: ({ length }) => length,
  });
  const showsAll = settings['openapi-mode'] === 'ignore-privileges';

  function describe({ schema, version }: DocumentPlan, role: string): Buffer {
    const describeSchema = version === '2.0' ? describeAsSwagger : describeAsOpenApi;
    const description = describeSchema(cache, {
      schema,
      role: showsAll ? null : role,
      searchPath: showsAll ? [] : [schema, ...settings['db-extra-search-path']],
      withSecurity: settings['openapi-security-active'],
      publicUri: settings['openapi-server-proxy-uri'],
    });
    return Buffer.from(JSON.stringify(description), 'utf8');
  }

  return {
    of(plan, role) {
      const key = `${plan.version}\0${plan.schema}${showsAll ? '' : `\0${role}`}`;
      const known = descriptions.get(key);
      if (known !== undefined) return known;
      const description = describe(plan, role);
      descriptions.set(key, description);
      return description;
    },
  };
}
