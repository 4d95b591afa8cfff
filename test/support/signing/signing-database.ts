/** A migrated database with connections of its roles. */
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { createMigratedDatabase, type MigratedDatabase } from '../postgres/migrated-database.js';

export interface SigningDatabase extends MigratedDatabase {
  /** The superuser, who bypasses row security. */
  readonly superuser: Database;
  /** The role that owns the tables. */
  readonly owner: Database;
  /** The role that the service logs in as. */
  readonly service: Database;
}

/**
 * @param server the superuser's URI of a server of the test's own; without it the shared one
 * @param migrations folder of the migrations to apply
 */
export async function createSigningDatabase(server?: string, migrations?: string): Promise<SigningDatabase> {
  const database = await createMigratedDatabase(server, migrations);
  const connections = {
    superuser: openDatabase(database.uri, { poolSize: 2 }),
    owner: openDatabase(database.ownerUri, { poolSize: 2 }),
    service: openDatabase(database.serviceUri, { poolSize: 10 }),
  };
  return {
    ...database,
    ...connections,
    drop: async (provoked) => {
      await Promise.all(Object.values(connections).map(closeDatabase));
      await database.drop(provoked);
    },
  };
}
