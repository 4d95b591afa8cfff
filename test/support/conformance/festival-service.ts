/** The service on the database of the recorded requests, for tests that inspect the database afterwards. */
import { SignJWT } from 'jose';
import { loadFestival } from './festival-database.js';
import type { TestDatabase } from '../postgres/database.js';
import { startTestService, untilReady, type TestService } from '../service/service.js';

const SECRET = 'festival-secret-festival-secret-festival';

export interface FestivalService {
  readonly url: string;
  readonly service: TestService;
  readonly database: TestDatabase;
  readonly uri: string;
  stop(): Promise<void>;
}

/** @param settings in addition to those that expose the schema `festival` to `golden_anon` */
export async function startFestivalService(
  settings: Readonly<Record<string, string>> = {},
): Promise<FestivalService> {
  const { database, uri } = await loadFestival();
  const service = await startTestService(
    {
      areas: 'data-api',
      'db-uri': uri,
      'db-schemas': 'festival',
      'db-extra-search-path': 'toolbox',
      'db-anon-role': 'golden_anon',
      'jwt-secret': SECRET,
      ...settings,
    },
    { logLevel: 'crit' },
  );
  await untilReady(service);
  return {
    url: service.url,
    service,
    database,
    uri,
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}

/** A token for a role, for the Authorization header. */
export async function bearer(role: string): Promise<string> {
  const token = new SignJWT({ role }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h');
  return `Bearer ${await token.sign(Buffer.from(SECRET))}`;
}
