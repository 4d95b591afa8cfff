/** `dbr types` and `dbr openapi --database`: descriptions of the exposed schemas that need no running service. */
import {
  cacheOptions,
  closeDatabase,
  describeAsOpenApi,
  type DescriptionRequest,
  loadSchemaCache,
  openDatabase,
  type Sources,
} from '../../../../src/face.js';
import { databaseTypes } from './database-types.js';
import { withInspected } from '../inspected-database.js';

/**
 * Describes schemas as the service would, in a text that depends on the database alone.
 * @throws Error for a schema that is not exposed or a role that does not exist; the errors of settings and database
 */
export function describeDatabase(
  sources: Sources,
  { form, schemas: asked, role }: DescriptionRequest,
): Promise<string> {
  return withInspected(sources, async ({ data }, settings) => {
    const exposed = settings['db-schemas'];
    const unknown = asked.find((schema) => !exposed.includes(schema));
    if (unknown !== undefined) throw new Error(`the schema ${unknown} is not among db-schemas`);
    const load = async () => {
      const database = openDatabase(data, { poolSize: 1, pipelined: true });
      try {
        return await loadSchemaCache(database, { generation: 1, ...cacheOptions(settings) });
      } finally {
        await closeDatabase(database);
      }
    };
    const cache = await load();
    if (role !== null && !cache.roles.has(role)) throw new Error(`the role ${role} does not exist`);
    if (form === 'types') {
      const schemas = asked.length === 0 ? exposed : asked;
      return databaseTypes(cache, { schemas, role, version: settings['compatibility-level'] });
    }
    const schema = asked[0] ?? exposed[0] ?? '';
    const pieces = describeAsOpenApi(cache, {
      version: form,
      schema,
      role,
      searchPath: role === null ? [] : [schema, ...settings['db-extra-search-path']],
      omitsVolatileGet: settings['compatibility-level'] === '16',
      withSecurity: settings['openapi-security-active'],
      publicUri: settings['openapi-server-proxy-uri'],
      pathPrefix: settings['server-path-prefix'],
      maxBatch: settings['db-max-batch'],
      hasLive: settings['db-live'],
    });
    return `${JSON.stringify(JSON.parse([...pieces].join('')), null, 2)}\n`;
  });
}
