/**
 * Privileges of roles in the cache: for hints, documents and early checks. They never replace the checks of
 * PostgreSQL.
 */
import type { AccessListRow, ColumnGrantsRow, Grant, RoleRow } from './queries/privileges.js';
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
