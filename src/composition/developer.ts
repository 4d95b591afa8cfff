/** The user for whom `dbr dev`, the address of the console and `dbr token` make tokens: one user, so that all show the same. */
import { SERVICE_ROLES } from '../base/service-roles.js';
import type { TokenRequest } from '../auth/mint-token.js';
import { withSession } from '../postgres/session.js';

/** The role of users in the sample data. */
export const SAMPLE_ROLE = 'web_user';

const DAY = 86_400;

/** @param role of the data API; null for requests as the anonymous role */
export const developer = (role: string | null): TokenRequest => ({
  tenant: 'acme',
  user: 'ada',
  role: role ?? undefined,
  scope:
    'notifications:write notifications:webhooks accounts:read accounts:write parties:admin signing-config:write audit:read',
  expiresIn: DAY,
});

/**
 * The role of the requests of users; null if requests can only be anonymous.
 * @param uri of the authenticator
 */
export const userRole = (uri: string, anonymous: string | null): Promise<string | null> =>
  withSession(uri, async (session) => {
    const [row] = await session.query(
      `select r.rolname from pg_catalog.pg_auth_members as m
       join pg_catalog.pg_roles as r on r.oid = m.roleid
       where m.member = (select a.oid from pg_catalog.pg_roles as a where a.rolname = session_user)
         and r.rolname is distinct from $1 and r.rolname <> all ($2::text[]) and not r.rolsuper and not r.rolbypassrls
       order by r.rolname limit 1`,
      [anonymous, SERVICE_ROLES],
    );
    return row === undefined ? null : String(row['rolname']);
  });
