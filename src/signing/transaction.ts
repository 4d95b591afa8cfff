/** The transactions of area B: each acts for one tenant, or reads the rows of all tenants. */
import type { TenantId } from '../identifiers.js';
import { asPostgresError, type Database, type DatabaseTask } from '../postgres/database.js';
import { AS_SWEEPER, AS_TENANT } from './role-sql.js';

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
