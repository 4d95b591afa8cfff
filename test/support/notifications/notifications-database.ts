/** A migrated database with connections of its roles, and a pool of the service role. */
import type { Observe } from '../../../src/observability/observation.js';
import { openPool, type Pool } from '../../../src/postgres/pool.js';
import { UNOBSERVED } from '../unobserved.js';
import type { TestServer } from '../postgres/database.js';
import { createSigningDatabase, type SigningDatabase } from '../signing/signing-database.js';

export interface NotificationsDatabase extends SigningDatabase {
  readonly pool: Pool;
}

/** @param server a server of the test's own, which it may stop and kill; the shared one otherwise */
export async function createNotificationsDatabase(server?: TestServer): Promise<NotificationsDatabase> {
  const database = await createSigningDatabase(server?.uri);
  const pool = openServicePool(database, 5);
  return {
    ...database,
    pool,
    drop: async (provoked) => {
      await pool.close();
      await database.drop(provoked);
    },
  };
}

/** A pool of the service role. @param size number of connections */
export const openServicePool = (
  { service }: Pick<SigningDatabase, 'service'>,
  size: number,
  observe: Observe = UNOBSERVED,
): Pool =>
  openPool(service, {
    name: 'service',
    observe,
    size,
    depth: 8,
    prepared: true,
    acquisitionTimeoutMs: 10_000,
    maxLifetimeMs: 60_000,
    maxIdleMs: 60_000,
    queueLimit: 1000,
  });
