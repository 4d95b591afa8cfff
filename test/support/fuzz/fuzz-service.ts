/** The data API over the schema of generated requests. */
import { startDataApiService } from '../data-api/data-api-service.js';
import { openFuzzClient, type FuzzClient } from './fuzz-client.js';
import { FUZZ_SETTINGS } from './fuzz-run.js';
import { FUZZ_DATABASE, FUZZ_ROLE, GUARDED_ROLE } from './fuzz-database.js';

export interface FuzzService {
  readonly client: FuzzClient;
  stop(): Promise<void>;
}

export async function startFuzzService(): Promise<FuzzService> {
  const service = await startDataApiService(FUZZ_DATABASE, FUZZ_ROLE, {
    ...FUZZ_SETTINGS,
    // Each new statement runs behind a guard.
    'db-max-cost': '1000000000000',
  });
  const client = openFuzzClient(service.url);
  return {
    client,
    async stop() {
      client.close();
      await service.session.script(`drop owned by ${GUARDED_ROLE}; drop role ${GUARDED_ROLE}`);
      await service.stop();
    },
  };
}
