/**
 * Privileges of roles in the cache: for hints, documents and early checks. They never replace the checks of
 * PostgreSQL.
 */
import type { AccessList, Grantee, Privilege, Role, Roles } from './types.js';

const NO_GRANTS: AccessList = new Map();

/** Parses the access lists of tables and functions. The result is indexed by their text. */
export function buildAccessLists(rows: readonly AccessListRow[]): ReadonlyMap<string, AccessList> {
  return new Map(rows.map((row) => [row.acl, addGrants(NO_GRANTS, row.grants)]));
}

/** Returns an access list. An unknown one grants nothing until the next reload. */
export const accessList = (lists: ReadonlyMap<string, AccessList>, acl: string): AccessList =>
  lists.get(acl) ?? NO_GRANTS;

export function addColumnGrants(list: AccessList, row: ColumnGrantsRow | undefined): AccessList {
  return row === undefined ? list : addGrants(list, row.grants);
}

function addGrants(list: AccessList, grants: readonly Grant[]): AccessList {
  const sum = new Map<Grantee, ReadonlySet<Privilege>>(list);
  for (const [grantee, privileges] of grants) {
    sum.set(grantee, new Set([...(sum.get(grantee) ?? []), ...privileges]));
  }
  return sum;
}

export const buildRoles = (rows: readonly RoleRow[]): Roles =>
  new Map(rows.map(({ name, ...role }): [string, Role] => [name, role]));

/** Predefined roles that hold a privilege on everything (PostgreSQL manual, chapter 22.5). */
const HOLDS_ON_ALL: ReadonlyMap<string, ReadonlySet<Privilege>> = new Map([
  ['pg_read_all_data', new Set<Privilege>(['SELECT'])],
  ['pg_write_all_data', new Set<Privilege>(['INSERT', 'UPDATE', 'DELETE'])],
]);

/**
 * Returns a function that checks whether an access list gives a role one of some privileges: directly, as PUBLIC, or
 * by inheritance. A role that the authenticator cannot become has the privileges of PUBLIC.
 */
export function privilegesOf(
  roles: Roles,
  role: string,
): (list: AccessList, ...privileges: Privilege[]) => boolean {
  const { names, superuser } = rolesUsableBy(roles, role);
  const sums = new WeakMap<AccessList, Set<Privilege>>();
  const held = (list: AccessList): Set<Privilege> => {
    const known = sums.get(list);
    if (known !== undefined) return known;
    const sum = new Set<Privilege>();
    for (const name of [null, ...names]) for (const privilege of list.get(name) ?? []) sum.add(privilege);
    for (const name of names) for (const privilege of HOLDS_ON_ALL.get(name) ?? []) sum.add(privilege);
    sums.set(list, sum);
    return sum;
  };
  return (list, ...privileges) => superuser || privileges.some((privilege) => held(list).has(privilege));
}

function rolesUsableBy(
  roles: Roles,
  role: string,
): { readonly names: ReadonlySet<string>; readonly superuser: boolean } {
  const names = new Set([role]);
  // Iterating a set includes elements that are added meanwhile, so each role is visited once, also with cycles.
  for (const name of names) for (const inherited of roles.get(name)?.inherits ?? []) names.add(inherited);
  return { names, superuser: roles.get(role)?.superuser ?? false };
}

/** PUBLIC is null. */
type Grant = readonly [grantee: string | null, privileges: readonly Privilege[]];

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

export interface RoleRow extends Role {
  readonly name: string;
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
