/** The data API over a database of its own, for tests that bring a schema. */
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase } from '../postgres/database.js';
import { startTestService, untilReady } from '../service/service.js';

export interface DataApiService {
  readonly url: string;
  readonly adminUrl: string;
  /** Connection string of the superuser. */
  readonly databaseUri: string;
  /** A session of the superuser in the database of the service. */
  readonly session: Session;
  stop(): Promise<void>;
}

/**
 * Creates a database, runs the script in it and starts the data API, ready to serve.
 * @param script creates the schema and the role
 * @param role the anonymous role; it is dropped at the end, because roles belong to the whole server
 * @param settings in addition to those above
 */
export async function startDataApiService(
  script: string,
  role: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<DataApiService> {
  const database = await createTestDatabase();
  const session = await openSession(database.uri);
  await session.script(script);
  const service = await startTestService(
    {
      areas: 'data-api',
      'db-uri': database.uri,
      'db-anon-role': role,
      'db-channel-enabled': 'false',
      'db-pool': '2',
      ...settings,
    },
    { logLevel: 'crit' },
  );
  await untilReady(service);
  return {
    url: service.url,
    adminUrl: service.adminUrl,
    databaseUri: database.uri,
    session,
    async stop() {
      await service.stop();
      await session.script(`drop owned by ${role}; drop role ${role}`);
      await session.close();
      await database.drop();
    },
  };
}
