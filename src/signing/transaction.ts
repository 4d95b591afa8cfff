/** The transactions of area B: each acts for one tenant, or reads the rows of all tenants. */
import type { TenantId } from '../base/identifiers.js';
import type { Database, DatabaseTask } from '../postgres/database.js';
import { inSeparateTransactions, inTransaction, type ActingRole } from '../postgres/transaction.js';
import { AS_SWEEPER, AS_TENANT } from './role-sql.js';

type Work<Result> = (transaction: DatabaseTask) => Promise<Result>;

/**
 * Runs `work` in a transaction that sees and changes the rows of one tenant alone. It rolls back if `work` throws.
 * @throws PostgresError, PoolTimeout, ConnectFailed, ConnectionLost, and the errors of `work`
 */
export const inTenant = <Result>(
  database: Database,
  tenantId: TenantId,
  work: Work<Result>,
): Promise<Result> => inTransaction(database, tenant(tenantId), work);

/** As `inTenant`, but each query of `work` is a transaction of its own, in one round trip. For reads. */
export const queryInTenant = <Result>(
  database: Database,
  tenantId: TenantId,
  work: Work<Result>,
): Promise<Result> => inSeparateTransactions(database, tenant(tenantId), work);

/**
 * Runs each query of `work` in one round trip, as a transaction of its own that reads the rows of every tenant. Its only rights
 * to write are to delete ended sessions and to register processes.
 * @throws as `inTenant`
 */
export const asSweeper = <Result>(database: Database, work: Work<Result>): Promise<Result> =>
  inSeparateTransactions(database, SWEEPER, work);

const tenant = (tenantId: TenantId): ActingRole => ({ role: AS_TENANT, parameters: [tenantId] });

const SWEEPER: ActingRole = { role: AS_SWEEPER, parameters: [] };
