/** Rules about roles and schemas. */
import { PRELUDE } from './prelude.js';
import type { Rule } from './rule.js';

export const AUTHENTICATOR_POWERS: Rule = {
  name: 'authenticator-powers',
  needsDecision: true,
  level: 'error',
  meaning: 'The role of db-uri has powers beyond those of the API roles.',
  sql: `${PRELUDE}
select pg_catalog.quote_ident(a.rolname) as object,
  pg_catalog.format('The authenticator has %s. It needs LOGIN and membership in the API roles alone.', pg_catalog.concat_ws(', ',
    case when a.rolsuper then 'SUPERUSER' end, case when a.rolbypassrls then 'BYPASSRLS' end,
    case when a.rolcreaterole then 'CREATEROLE' end, case when a.rolcreatedb then 'CREATEDB' end,
    case when a.rolreplication then 'REPLICATION' end)) as message,
  pg_catalog.format('alter role %I nosuperuser nobypassrls nocreaterole nocreatedb noreplication', a.rolname) as cure
from authenticator as a
where a.rolsuper or a.rolbypassrls or a.rolcreaterole or a.rolcreatedb or a.rolreplication`,
};

/** Since PostgreSQL 16 each membership says whether it inherits; earlier, the role does. */
export const AUTHENTICATOR_INHERITS: Rule = {
  name: 'authenticator-inherits',
  needsDecision: true,
  level: 'warning',
  meaning: 'The role of db-uri has the privileges of an API role without becoming it.',
  sql: `${PRELUDE}
select pg_catalog.quote_ident(a.rolname) as object,
  pg_catalog.format('The authenticator inherits the privileges of %s. It needs to become that role, not to inherit from it.', r.rolname) as message,
  case when pg_catalog.current_setting('server_version_num')::integer >= 160000
    then pg_catalog.format('grant %I to %I with inherit false granted by %I', r.rolname, a.rolname, pg_catalog.pg_get_userbyid(m.grantor))
    else pg_catalog.format('alter role %I noinherit', a.rolname)
  end as cure
from authenticator as a
join pg_catalog.pg_auth_members as m on m.member = a.oid
join pg_catalog.pg_roles as r on r.oid = m.roleid
where not a.rolsuper and coalesce((pg_catalog.to_jsonb(m) ->> 'inherit_option')::boolean, a.rolinherit)
order by r.rolname`,
};

export const API_ROLE_BYPASSES_ROW_SECURITY: Rule = {
  name: 'api-role-bypasses-row-security',
  needsDecision: true,
  level: 'warning',
  meaning: 'A role that requests may run as is a superuser or has BYPASSRLS.',
  sql: `${PRELUDE}
select pg_catalog.quote_ident(r.rolname) as object,
  'Requests may run as this role, and no policy binds it.' as message,
  pg_catalog.format('alter role %I nosuperuser nobypassrls', r.rolname) as cure
from api_role as r
where r.rolsuper or r.rolbypassrls
order by r.rolname`,
};

export const CREATE_ON_SCHEMA: Rule = {
  name: 'create-on-schema',
  level: 'error',
  meaning:
    'Every role, an API role or the authenticator may create objects in an exposed schema, or in one of the search path.',
  sql: `${PRELUDE}
select pg_catalog.quote_ident(n.nspname) as object,
  pg_catalog.format('%s may create tables and functions in it, which other requests then use.', grantee.name) as message,
  pg_catalog.format('revoke create on schema %I from %s', n.nspname, grantee.quoted) as cure
from searched as n
cross join lateral pg_catalog.aclexplode(coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))) as acl
join (
  select 0 as oid, 'Every role' as name, 'public' as quoted
  union all
  select r.oid, r.rolname, pg_catalog.quote_ident(r.rolname) from api_role as r
  union
  select a.oid, a.rolname, pg_catalog.quote_ident(a.rolname) from authenticator as a
) as grantee on grantee.oid = acl.grantee
where acl.privilege_type = 'CREATE' and acl.grantee <> n.nspowner
order by object, message`,
};
