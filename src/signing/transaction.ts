/** The transactions of area B: each acts for one tenant, or reads the rows of all tenants. */
import type { TenantId } from '../identifiers.js';
import { asPostgresError, type Database, type DatabaseTask } from '../postgres/database.js';

/**
 * The login role may be a member of both roles, and the policies of both would apply to it, so each transaction sets its role.
 * `set_config` takes parameters; `set local` does not.
 */
const AS_TENANT = `
select
  pg_catalog.set_config('role', 'dbr_signing_service', true),
  pg_catalog.set_config('app.tenant_id', $1, true)`;

const AS_SWEEPER = `
select pg_catalog.set_config('role', 'dbr_signing_sweeper', true)`;

/**
 * Runs `work` in a transaction that sees and changes the rows of one tenant alone. It rolls back if `work` throws.
 * @throws PostgresError, PoolTimeout, ConnectFailed, ConnectionLost, and the errors of `work`
 */
export const inTenant = <Result>(
  database: Database,
  tenantId: TenantId,
  work: (transaction: DatabaseTask) => Promise<Result>,
): Promise<Result> => inTransaction(database, { text: AS_TENANT, values: [tenantId] }, work);

/**
 * Runs `work` in a transaction that reads the rows of every tenant. Its only rights to write are to delete ended sessions and to
 * register processes.
 */
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
