/**
 * What the queries of all rules begin with. Parameters: `$1` exposed schemas, `$2` anonymous role or null, `$3` further schemas of
 * the search path. They run as the authenticator with an empty search path, so that PostgreSQL prints qualified names.
 */
export const PRELUDE = `
with recursive
exposed as (
  select n.oid, n.nspname from pg_catalog.pg_namespace as n where n.nspname = any ($1::text[])
),
searched as (
  select n.oid, n.nspname, n.nspowner, n.nspacl
  from pg_catalog.pg_namespace as n where n.nspname = any ($1::text[] || $3::text[])
),
authenticator as (
  select r.* from pg_catalog.pg_roles as r where r.rolname = session_user
),
membership(oid) as (
  select m.roleid from pg_catalog.pg_auth_members as m where m.member = (select a.oid from authenticator as a)
  union
  select m.roleid from pg_catalog.pg_auth_members as m join membership on m.member = membership.oid
),
-- Roles that requests may run as.
api_role as (
  select r.oid, r.rolname, r.rolsuper, r.rolbypassrls
  from pg_catalog.pg_roles as r
  where r.oid in (select membership.oid from membership) or r.rolname = $2::text
),
-- Objects of extensions are not the user's to change.
extension_object as (
  select d.classid, d.objid from pg_catalog.pg_depend as d
  where d.deptype = 'e' and d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
),
relation as (
  select c.*, e.nspname, pg_catalog.format('%I.%I', e.nspname, c.relname) as object
  from pg_catalog.pg_class as c
  join exposed as e on e.oid = c.relnamespace
  where not exists (
    select from extension_object as x
    where x.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and x.objid = c.oid
  )
),
-- The relations that an API role may read or write, with these roles. Requests read a partition by name if its table is no better protected.
reachable as (
  select c.oid, pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles,
    pg_catalog.string_agg(pg_catalog.quote_ident(r.rolname), ', ' order by r.rolname) as quoted_roles
  from relation as c
  join api_role as r on pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'usage') and (
    pg_catalog.has_table_privilege(r.oid, c.oid, 'select, insert, update, delete')
    or pg_catalog.has_any_column_privilege(r.oid, c.oid, 'select, insert, update')
  )
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  group by c.oid
),
-- The functions that requests can call, with the API roles that may.
callable as (
  select p.*, e.nspname, p.oid::pg_catalog.regprocedure::text as object, calls.roles
  from pg_catalog.pg_proc as p
  join exposed as e on e.oid = p.pronamespace
  cross join lateral (
    select pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles
    from api_role as r
    where pg_catalog.has_schema_privilege(r.oid, e.oid, 'usage') and pg_catalog.has_function_privilege(r.oid, p.oid, 'execute')
  ) as calls
  where p.prokind in ('f', 'p')
    and p.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
    and calls.roles is not null
    and not exists (
      select from extension_object as x
      where x.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and x.objid = p.oid
    )
)`;
