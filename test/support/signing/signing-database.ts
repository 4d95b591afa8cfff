/** A migrated database with connections of its roles. */
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool } from '../../../src/postgres/pool.js';
import { POOL_OPTIONS } from '../postgres/batches.js';
import { createMigratedDatabase, type MigratedDatabase } from '../postgres/migrated-database.js';

export interface SigningDatabase extends MigratedDatabase {
  /** The superuser, who bypasses row security. */
  readonly superuser: Database;
  /** The role that owns the tables. */
  readonly owner: Database;
  /** The role that the service logs in as. */
  readonly service: Database;
  /** Connections of this role for transactions. */
  readonly pool: Pool;
}

/** The connections of tests may be silent for longer than an operator's `idle_session_timeout`. */
function patient(uri: string): string {
  const patientUri = new URL(uri);
  patientUri.searchParams.set('options', '-cidle_session_timeout=0');
  return patientUri.href;
}

/**
 * @param server the superuser's URI of a server of the test's own; without it the shared one
 * @param migrations folder of the migrations to apply
 */
export async function createSigningDatabase(server?: string, migrations?: string): Promise<SigningDatabase> {
  const database = await createMigratedDatabase(server, migrations);
  const connections = {
    superuser: openDatabase(patient(database.uri), { poolSize: 2 }),
    owner: openDatabase(patient(database.ownerUri), { poolSize: 2 }),
    service: openDatabase(database.serviceUri, { poolSize: 10 }),
  };
  const pool = openPool(connections.service, { ...POOL_OPTIONS, size: 10 });
  return {
    ...database,
    ...connections,
    pool,
    drop: async (provoked) => {
      await pool.close();
      await Promise.all(Object.values(connections).map(closeDatabase));
      await database.drop(provoked);
    },
  };
}
