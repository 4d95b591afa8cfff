/**
 * The first statement of every transaction sets its role: the login role may be a member of both roles, and the policies of
 * both would apply to it. `set_config` takes parameters; `set local` does not.
 */

/** `$1` tenant. */
export const AS_TENANT = `
select
  pg_catalog.set_config('role', 'dbr_signing_service', true),
  pg_catalog.set_config('app.tenant_id', $1, true)`;

export const AS_SWEEPER = `
select pg_catalog.set_config('role', 'dbr_signing_sweeper', true)`;
