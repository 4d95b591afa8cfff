/**
 * What decides about an answer and is in no log of changes: policies, grants, memberships of roles, columns, definitions of
 * views and functions. PostgreSQL sends no client an event about their changes, so that they are compared at an interval.
 */
import { parseEntry, queryEntries } from '../data-api/schema-cache/catalogue.js';
import type { Database } from '../postgres/database.js';
import { type Sql, sql } from '../postgres/sql.js';
import { OF_THE_CATALOGUE } from './dependencies.js';

/** Digests by the oid of a relation or function, or the key of a role. What does not exist has none. */
export type Rights = ReadonlyMap<string, string>;

/** The name of a role is no oid. */
export const roleKey = (name: string): string => `role ${name}`;

/**
 * $1: oids; $2: names of roles. Each change of a row of the catalogue has another `xmin`, also one that is taken back: a
 * group may have been asked meanwhile.
 */
const SELECT_RIGHTS: Sql = sql`
with recursive
held as (
  select wanted.name, role.oid as role
  from unnest($2::text[]) as wanted (name)
  join pg_roles role on role.rolname = wanted.name
  union
  select held.name, member.roleid
  from held
  join pg_auth_members member on member.member = held.role
),
facts (key, fact) as (
  select class.oid::text, row(class.xmin, schema.xmin)::text
  from pg_class class
  join pg_namespace schema on schema.oid = class.relnamespace
  where class.oid = any ($1::oid[])
  union all
  select attrelid::text, row(attnum, xmin)::text from pg_attribute where attrelid = any ($1::oid[]) and attnum > 0
  union all
  select polrelid::text, row(oid, xmin)::text from pg_policy where polrelid = any ($1::oid[])
  union all
  select ev_class::text, row(oid, xmin)::text from pg_rewrite where ev_class = any ($1::oid[])
  union all
  select inhparent::text, row(inhrelid, xmin)::text from pg_inherits where inhparent = any ($1::oid[])
  union all
  select indrelid::text, row(indexrelid, xmin)::text
  from pg_index
  where indrelid = any ($1::oid[]) and (indisprimary or indisreplident)
  union all
  select prrelid::text, row(prpubid, xmin)::text from pg_publication_rel where prrelid = any ($1::oid[])
  union all
  select routine.oid::text, row(routine.xmin, schema.xmin)::text
  from pg_proc routine
  join pg_namespace schema on schema.oid = routine.pronamespace
  where routine.oid = any ($1::oid[])
  union all
  select 'role ' || held.name, row(
    role.oid, role.rolsuper, role.rolbypassrls, role.rolinherit, member.roleid, member.xmin,
    pg_has_role(session_user, role.oid, 'member')
  )::text
  from held
  join pg_roles role on role.oid = held.role
  left join pg_auth_members member on member.member = held.role
)
select json_build_array(key, md5(string_agg(fact, ' ' order by fact)))::text as entry
from facts
group by key`;

/** @param database logs in as requests do @throws the error of the driver */
export async function readRights(
  database: Database,
  objects: readonly string[],
  roles: readonly string[],
): Promise<Rights> {
  const entries = await database.tx(async (transaction) => {
    await transaction.none(OF_THE_CATALOGUE);
    return await queryEntries(transaction, SELECT_RIGHTS, objects, roles);
  });
  return new Map(entries.map((entry) => parseEntry<[string, string]>(entry)));
}
