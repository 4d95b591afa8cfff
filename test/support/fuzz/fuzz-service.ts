/** The data API over the schema of generated requests, once for each `compatibility-level`. */
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { startDataApiService } from '../data-api/data-api-service.js';
import { startTestService, untilReady } from '../service/service.js';
import { openFuzzClient, type FuzzClient } from './fuzz-client.js';
import { FUZZ_SETTINGS } from './fuzz-run.js';
import { FUZZ_DATABASE, FUZZ_ROLE, FUZZ_ROLES } from './fuzz-database.js';

export interface FuzzService {
  readonly client: FuzzClient;
  stop(): Promise<void>;
}

export async function startFuzzService(): Promise<FuzzService> {
  const settings = {
    ...FUZZ_SETTINGS,
    // Each new statement runs behind a guard.
    'db-max-cost': '1000000000000',
  };
  const service = await startDataApiService(FUZZ_DATABASE, FUZZ_ROLE, settings);
  await migrate(service.databaseUri, join(packageRoot(), 'migrations'));
  const later = await startTestService(
    { ...settings, 'db-uri': service.databaseUri, 'db-pool': '2', 'compatibility-level': '16' },
    { logLevel: 'crit' },
  );
  await untilReady(later);
  const client = openFuzzClient({ '12': service.url, '16': later.url });
  return {
    client,
    async stop() {
      client.close();
      await later.stop();
      for (const role of FUZZ_ROLES.filter((each) => each !== FUZZ_ROLE))
        await service.session.script(`drop owned by ${role}; drop role ${role}`);
      await service.stop();
    },
  };
}
