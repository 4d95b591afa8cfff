/** The transactions of area B: each acts for one tenant, or reads the rows of all tenants. */
import type { TenantId } from '../base/identifiers.js';
import type { Pool } from '../postgres/pool.js';
import {
  inSeparateTransactions,
  inTransaction,
  type ActingRole,
  type DatabaseTask,
  transactionRole,
} from '../postgres/transaction.js';
import { WITH_POLICIES } from '../postgres/own-settings.js';
import { sql } from '../postgres/sql.js';

// The roles of area B. The first query of every transaction sets the role: the login role may be a member of both
// roles, and the policies of both would apply to it. `set_config` takes parameters; `set local` does not. The queries
// return no row.

/** `$1` tenant. */
const AS_TENANT = transactionRole(sql`
select where pg_catalog.num_nulls(
  ${WITH_POLICIES},
  pg_catalog.set_config('role', 'dbr_signing_service', true),
  pg_catalog.set_config('app.tenant_id', $1, true)
) > 0`);

const AS_SWEEPER = transactionRole(sql`
select where pg_catalog.num_nulls(
  ${WITH_POLICIES},
  pg_catalog.set_config('role', 'dbr_signing_sweeper', true)
) > 0`);

type TransactionBody<Result> = (transaction: DatabaseTask) => Promise<Result>;

/**
 * Runs `body` in a transaction that sees and changes the rows of one tenant alone. It rolls back if `body` throws.
 * @throws PostgresError, PoolTimeout, ConnectFailed, ConnectionLost, and the errors of `body`
 */
export const inTenant = <Result>(
  pool: Pool,
  tenantId: TenantId,
  body: TransactionBody<Result>,
): Promise<Result> => inTransaction(pool, tenant(tenantId), body);

/** As `inTenant`, but each query of `body` is a transaction of its own, in one round trip. For reads. */
export const queryInTenant = <Result>(
  pool: Pool,
  tenantId: TenantId,
  body: TransactionBody<Result>,
): Promise<Result> => inSeparateTransactions(pool, tenant(tenantId), body);

/**
 * Runs each query of `body` in one round trip, as a transaction of its own that reads the rows of every tenant. Its only rights
 * to write are to delete ended sessions, to register processes and to note which audit heads were delivered.
 * @throws as `inTenant`
 */
export const asSweeper = <Result>(pool: Pool, body: TransactionBody<Result>): Promise<Result> =>
  inSeparateTransactions(pool, SWEEPER, body);

const tenant = (tenantId: TenantId): ActingRole => ({ role: AS_TENANT, parameters: [tenantId] });

const SWEEPER: ActingRole = { role: AS_SWEEPER, parameters: [] };
