/**
 * The roles of area B. The first query of every transaction sets the role: the login role may be a member of both roles, and
 * the policies of both would apply to it. `set_config` takes parameters; `set local` does not. The queries return no row.
 */
import { sql } from '../postgres/sql.js';
import { transactionRole } from '../postgres/transaction.js';

/** `$1` tenant. */
export const AS_TENANT = transactionRole(sql`
select where pg_catalog.num_nulls(
  pg_catalog.set_config('role', 'dbr_signing_service', true),
  pg_catalog.set_config('app.tenant_id', $1, true)
) > 0`);

export const AS_SWEEPER = transactionRole(sql`
select where pg_catalog.set_config('role', 'dbr_signing_sweeper', true) is null`);
