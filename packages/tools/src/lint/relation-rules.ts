/** Rules about tables and views. */
import { PRELUDE } from './prelude.js';
import type { Rule } from './rule.js';

export const TABLE_WITHOUT_ROW_SECURITY: Rule = {
  name: 'table-without-row-security',
  level: 'error',
  meaning: 'An exposed table that API roles may use has no row security.',
  needsDecision: true,
  sql: `${PRELUDE}
select c.object,
  pg_catalog.format('%s may use every row: the table has no row security. With it, rows are hidden until policies show them.', reachable.roles) as message,
  pg_catalog.format('alter table %s enable row level security', c.object) as cure
from relation as c
join reachable on reachable.oid = c.oid
where c.relkind in ('r', 'p') and not c.relrowsecurity
  and not exists (select from pg_catalog.pg_policy as p where p.polrelid = c.oid)
order by c.object`,
};

/** Policies of a table bind those who read it, and not those who read a partition or a child by its own name. */
export const CHILD_WITHOUT_ROW_SECURITY: Rule = {
  name: 'child-without-row-security',
  level: 'error',
  meaning:
    'API roles may use a partition, or a table that inherits, without the row security of the table above it.',
  sql: `${PRELUDE},
above(child, parent) as (
  select i.inhrelid, i.inhparent from pg_catalog.pg_inherits as i
  union
  select above.child, i.inhparent from above join pg_catalog.pg_inherits as i on i.inhrelid = above.parent
)
select c.object,
  pg_catalog.format('%s may use it by its own name, and the policies of %s do not bind it: it has no row security.',
    pg_catalog.string_agg(distinct r.rolname, ', ' order by r.rolname),
    pg_catalog.string_agg(distinct t.oid::pg_catalog.regclass::text, ', ' order by t.oid::pg_catalog.regclass::text)) as message,
  pg_catalog.format('alter table %s enable row level security', c.object) as cure
from relation as c
join above on above.child = c.oid
join pg_catalog.pg_class as t on t.oid = above.parent and t.relrowsecurity
join api_role as r on pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'usage') and (
  pg_catalog.has_table_privilege(r.oid, c.oid, 'select, insert, update, delete')
  or pg_catalog.has_any_column_privilege(r.oid, c.oid, 'select, insert, update')
)
where c.relkind in ('r', 'p') and not c.relrowsecurity
group by c.object
order by c.object`,
};

const INVOKER = (relation: string): string => `coalesce((
  select option.option_value::boolean from pg_catalog.pg_options_to_table(${relation}.reloptions) as option
  where option.option_name = 'security_invoker'), false)`;

/** The relations that each view reads directly. */
const VIEW_READS = `${PRELUDE},
view_reads as (
  select distinct rule.ev_class as view, d.refobjid as relation
  from pg_catalog.pg_rewrite as rule
  join pg_catalog.pg_depend as d
    on d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and d.objid = rule.oid
    and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid <> rule.ev_class
)`;

/** A view reads as its owner, unless it has security_invoker; a view inside another one sets the role for what it reads itself. */
export const VIEW_BYPASSES_ROW_SECURITY: Rule = {
  name: 'view-bypasses-row-security',
  level: 'error',
  meaning:
    'A view that API roles may use reads a table as an owner whom the row security of the table does not bind.',
  needsDecision: true,
  sql: `${VIEW_READS},
-- The relations behind each view, with the view as whose owner they are read; null for the caller.
reads(relation, reader) as (
  select c.oid, case when ${INVOKER('c')} then null else c.oid end
  from relation as c
  join reachable on reachable.oid = c.oid
  where c.relkind = 'v'
  union
  select c.oid, case when c.relkind = 'v' and not ${INVOKER('c')} then c.oid else reads.reader end
  from reads
  join view_reads on view_reads.view = reads.relation
  join pg_catalog.pg_class as c on c.oid = view_reads.relation
)
select pg_catalog.format('%I.%I', n.nspname, v.relname) as object,
  pg_catalog.format('It reads %s as its owner %s, whom the row security of these tables does not bind.',
    pg_catalog.string_agg(distinct t.oid::pg_catalog.regclass::text, ', ' order by t.oid::pg_catalog.regclass::text), owner.rolname) as message,
  case when pg_catalog.current_setting('server_version_num')::integer >= 150000
    then pg_catalog.format('alter view %I.%I set (security_invoker = on)', n.nspname, v.relname)
    else pg_catalog.format('revoke all on %I.%I from public, %s', n.nspname, v.relname,
      (select pg_catalog.string_agg(pg_catalog.quote_ident(r.rolname), ', ' order by r.rolname) from api_role as r))
  end as cure
from reads
join pg_catalog.pg_class as c on c.oid = reads.relation
-- The row security of a partitioned table does not bind those who read a partition.
join pg_catalog.pg_class as t on t.oid = coalesce(pg_catalog.pg_partition_root(c.oid), c.oid)
  and t.relkind in ('r', 'p') and t.relrowsecurity
join pg_catalog.pg_class as v on v.oid = reads.reader
join pg_catalog.pg_namespace as n on n.oid = v.relnamespace
join pg_catalog.pg_roles as owner on owner.oid = v.relowner
where owner.rolsuper or owner.rolbypassrls or (c.relispartition and not c.relrowsecurity)
  or (not t.relforcerowsecurity and pg_catalog.pg_has_role(owner.oid, t.relowner, 'usage'))
group by n.nspname, v.relname, owner.rolname
order by object`,
};

const withoutRowSecurity = (name: string, kind: 'm' | 'f', what: string): Rule => ({
  name,
  level: 'warning',
  meaning: `API roles may read a ${what}, which has no row security.`,
  needsDecision: true,
  sql: `${PRELUDE}
select c.object,
  pg_catalog.format('%s may read every row: a ${what} has no row security.', reachable.roles) as message,
  pg_catalog.format('revoke all on %s from public, %s', c.object, reachable.quoted_roles) as cure
from relation as c
join reachable on reachable.oid = c.oid
where c.relkind = '${kind}'
order by c.object`,
});

export const MATERIALIZED_VIEW_EXPOSED = withoutRowSecurity(
  'materialized-view-exposed',
  'm',
  'materialized view',
);

export const FOREIGN_TABLE_EXPOSED = withoutRowSecurity('foreign-table-exposed', 'f', 'foreign table');

/** `auth.users` of Supabase Auth has addresses and hashes of passwords. */
export const LOGINS_EXPOSED: Rule = {
  name: 'logins-exposed',
  level: 'error',
  meaning: 'A view that API roles may use reads auth.users.',
  needsDecision: true,
  sql: `${VIEW_READS},
reads(top, relation) as (
  select c.oid, c.oid from relation as c join reachable on reachable.oid = c.oid where c.relkind in ('v', 'm')
  union
  select reads.top, view_reads.relation from reads join view_reads on view_reads.view = reads.relation
)
select c.object,
  pg_catalog.format('%s may read it, and it shows rows of auth.users.', reachable.roles) as message,
  pg_catalog.format('revoke all on %s from public, %s', c.object, reachable.quoted_roles) as cure
from relation as c
join reachable on reachable.oid = c.oid
where exists (
  select from reads
  join pg_catalog.pg_class as t on t.oid = reads.relation and t.relname = 'users'
  join pg_catalog.pg_namespace as n on n.oid = t.relnamespace and n.nspname = 'auth'
  where reads.top = c.oid
)
order by c.object`,
};

/** A setting ends it, so that it does not run where `db-estimates-under-policies` is false. */
export const ESTIMATES_UNDER_POLICIES: Rule = {
  name: 'estimates-under-policies',
  level: 'info',
  meaning: 'Roles may ask for estimates of the planner, which count the rows that policies hide from them.',
  needsDecision: true,
  sql: `${PRELUDE}
select c.object,
  pg_catalog.format('%s may ask for count=planned, count=estimated and max-cost: the estimates count the rows that policies hide.', bound.roles) as message,
  pg_catalog.format('alter role %I set dbr.db_estimates_under_policies = ''false''', session_user) as cure
from relation as c
cross join lateral (
  select pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles
  from api_role as r
  where not r.rolsuper and not r.rolbypassrls
    and pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'usage')
    and pg_catalog.has_any_column_privilege(r.oid, c.oid, 'select')
) as bound
where c.relkind in ('r', 'p') and c.relrowsecurity and bound.roles is not null
order by c.object`,
};

export const FOREIGN_KEY_WITHOUT_INDEX: Rule = {
  name: 'foreign-key-without-index',
  level: 'warning',
  meaning:
    'The columns of a foreign key begin no index, so that embedding in the other direction, and deleting, read the whole table.',
  sql: `${PRELUDE}
select pg_catalog.format('%s.%I', c.object, k.conname) as object,
  pg_catalog.format('Embedding rows of %s in rows of %s reads the whole table: no index begins with (%s).',
    c.relname, k.confrelid::pg_catalog.regclass::text, columns.names) as message,
  pg_catalog.format('create index on %s (%s)', c.object, columns.names) as cure
from pg_catalog.pg_constraint as k
join relation as c on c.oid = k.conrelid
cross join lateral (
  select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by key.place) as names,
    pg_catalog.array_agg(key.number order by key.number) as numbers
  from pg_catalog.unnest(k.conkey) with ordinality as key(number, place)
  join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = key.number
) as columns
where k.contype = 'f' and k.conparentid = 0 and not exists (
  select from pg_catalog.pg_index as i
  where i.indrelid = k.conrelid and i.indisvalid and i.indpred is null and (
    select pg_catalog.array_agg(first.number order by first.number)
    from pg_catalog.unnest((i.indkey::int2[])[0:pg_catalog.cardinality(k.conkey) - 1]) as first(number)
  ) = columns.numbers
)
order by object`,
};

/** Names of columns that hold secrets, as a regular expression without regard to case. */
export const SECRET_NAME =
  '(^|_)(pass(word|wd|phrase)?|pwd|secrets?|api_?keys?|private_?key|tokens?|otp|totp|mfa|ssn|credit_?card|card_number|cvv|cvc|salt|password_?hash)(_|$)';

export const SECRET_COLUMN: Rule = {
  name: 'secret-column',
  level: 'warning',
  meaning: 'API roles may read a column whose name is that of a secret.',
  needsDecision: true,
  sql: `${PRELUDE},
secret as (
  select c.oid, c.object, c.relacl, a.attname, a.attacl
  from relation as c
  join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and a.attname ~* '${SECRET_NAME}'
),
grantee as (
  select r.oid, pg_catalog.quote_ident(r.rolname) as name from api_role as r
  union all
  select 0, 'public' where exists (select from api_role)
),
grants as (
  select secret.oid, secret.attname, grantee.name,
    pg_catalog.format('revoke select on %s from %s', secret.object, grantee.name) || coalesce((
      select pg_catalog.format('; grant select (%s) on %s to %s',
        pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by a.attnum), secret.object, grantee.name)
      from pg_catalog.pg_attribute as a
      where a.attrelid = secret.oid and a.attnum > 0 and not a.attisdropped and a.attname !~* '${SECRET_NAME}'
      having pg_catalog.count(*) > 0
    ), '') as cure
  from secret
  cross join lateral pg_catalog.aclexplode(secret.relacl) as acl
  join grantee on grantee.oid = acl.grantee
  where acl.privilege_type = 'SELECT'
  union
  select secret.oid, secret.attname, grantee.name,
    pg_catalog.format('revoke select (%I) on %s from %s', secret.attname, secret.object, grantee.name)
  from secret
  cross join lateral pg_catalog.aclexplode(secret.attacl) as acl
  join grantee on grantee.oid = acl.grantee
  where acl.privilege_type = 'SELECT'
)
select pg_catalog.format('%s.%I', secret.object, secret.attname) as object,
  pg_catalog.format('%s may read it, and its name is that of a secret.',
    pg_catalog.string_agg(distinct grants.name, ', ' order by grants.name)) as message,
  pg_catalog.string_agg(distinct grants.cure, '; ' order by grants.cure) as cure
from secret
join grants on grants.oid = secret.oid and grants.attname = secret.attname
group by secret.object, secret.attname
order by object`,
};
