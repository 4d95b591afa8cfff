/** Every access to the tables of signing: a transaction that acts for one tenant, or for all of them to look around. */
import { asPostgresError, type Database, type DatabaseTask } from '../postgres/database.js';

/**
 * The login role may be a member of both groups, and policies apply to members: so each transaction says which one it is.
 * `set_config` takes parameters, `set local` does not.
 */
const AS_TENANT = `
select
  pg_catalog.set_config('role', 'dbr_signing_service', true),
  pg_catalog.set_config('app.tenant_id', $1, true)`;

const AS_SWEEPER = `
select pg_catalog.set_config('role', 'dbr_signing_sweeper', true)`;

/**
 * Runs `work` in a transaction that sees and changes the tenant's rows alone.
 * @throws PostgresError, PoolTimeout, ConnectFailed, ConnectionLost, and whatever `work` throws; then all is undone
 */
export const inTenant = <Result>(
  database: Database,
  tenantId: string,
  work: (transaction: DatabaseTask) => Promise<Result>,
): Promise<Result> => inTransaction(database, { text: AS_TENANT, values: [tenantId] }, work);

/** Runs `work` in a transaction that may look at what concerns every tenant. It may remove ended sessions, and note processes; nothing else. */
export const asSweeper = <Result>(
  database: Database,
  work: (transaction: DatabaseTask) => Promise<Result>,
): Promise<Result> => inTransaction(database, { text: AS_SWEEPER, values: [] }, work);

async function inTransaction<Result>(
  database: Database,
  identity: { readonly text: string; readonly values: readonly string[] },
  work: (transaction: DatabaseTask) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.tx(async (transaction) => {
      await transaction.one({ text: identity.text, values: [...identity.values] });
      return await work(transaction);
    });
  } catch (error) {
    throw asPostgresError(error, database);
  }
}
