/** Privileges on the objects of the exposed schemas. */
import type { Privilege } from '../types.js';

/** PUBLIC is null. */
export type Grant = readonly [grantee: string | null, privileges: readonly Privilege[]];

export interface AccessListRow {
  /** The text of the list, by which tables and functions refer to it. */
  readonly acl: string;
  readonly grants: readonly Grant[];
}

/** $1: exposed schemas. Most objects share a few lists, so each list is expanded once. */
export const ACCESS_LISTS = `
with
  lists as (
    select coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner)) as acl
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1)
      and c.relkind in ('r', 'v', 'm', 'f', 'p')
    union all
    select coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = any ($1)
  ),
  distinct_lists as (
    select distinct on (acl::text) acl::text as text, acl
    from lists
    order by acl::text
  ),
  grants as (
    select l.text, r.rolname, pg_catalog.json_agg(g.privilege_type order by g.privilege_type) as privileges
    from distinct_lists l
    cross join lateral pg_catalog.aclexplode(l.acl) g
    left join pg_catalog.pg_roles r on r.oid = g.grantee
    where g.grantee = 0 or r.rolname is not null
    group by l.text, r.rolname
  )
select
  pg_catalog.json_build_object(
    'acl', text,
    'grants', pg_catalog.json_agg(pg_catalog.json_build_array(rolname, privileges))
  )::text as entry
from grants
group by text
`;

export interface ColumnGrantsRow {
  readonly relation: number;
  readonly grants: readonly Grant[];
}

/** $1: exposed schemas. Relations with privileges on single columns. */
export const COLUMN_GRANTS = `
with
  grants as (
    select a.attrelid, r.rolname, pg_catalog.json_agg(distinct g.privilege_type) as privileges
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    cross join lateral pg_catalog.aclexplode(a.attacl) g
    left join pg_catalog.pg_roles r on r.oid = g.grantee
    where n.nspname = any ($1)
      and a.attacl is not null
      and (g.grantee = 0 or r.rolname is not null)
    group by a.attrelid, r.rolname
  )
select
  pg_catalog.json_build_object(
    'relation', attrelid::int8,
    'grants', pg_catalog.json_agg(pg_catalog.json_build_array(rolname, privileges))
  )::text as entry
from grants
group by attrelid
`;

export interface RoleRow {
  readonly name: string;
  readonly superuser: boolean;
  readonly bypassesPolicies: boolean;
  readonly inherits: readonly string[];
}

/**
 * Roles that the authenticator may become, and those whose privileges they inherit. Since PostgreSQL 16, inheritance
 * is an attribute of the membership, before of the member; `to_jsonb` reads the column if it exists.
 */
export const ROLES = `
select
  pg_catalog.json_build_object(
    'name', r.rolname,
    'superuser', r.rolsuper,
    'bypassesPolicies', r.rolsuper or r.rolbypassrls,
    'inherits',
      coalesce(
        pg_catalog.json_agg(g.rolname order by g.rolname) filter (
          where g.rolname is not null
            and coalesce((pg_catalog.to_jsonb(m) ->> 'inherit_option')::boolean, r.rolinherit)
        ),
        '[]'
      )
  )::text as entry
from pg_catalog.pg_roles r
left join pg_catalog.pg_auth_members m on m.member = r.oid
left join pg_catalog.pg_roles g on g.oid = m.roleid
where pg_catalog.pg_has_role(r.oid, 'member')
group by r.oid, r.rolname, r.rolsuper, r.rolbypassrls
`;
