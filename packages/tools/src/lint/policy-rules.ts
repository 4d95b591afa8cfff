/** Rules about the policies of a table. */
import { PRELUDE } from './prelude.js';
import type { Rule } from './rule.js';

export const POLICIES_WITHOUT_ROW_SECURITY: Rule = {
  name: 'policies-without-row-security',
  level: 'error',
  meaning: 'A table has policies, and they have no effect, because its row security is switched off.',
  needsDecision: true,
  sql: `${PRELUDE}
select c.object,
  'It has policies, and row security is switched off: no policy has an effect.' as message,
  pg_catalog.format('alter table %s enable row level security', c.object) as cure
from relation as c
where c.relkind in ('r', 'p') and not c.relrowsecurity
  and exists (select from pg_catalog.pg_policy as p where p.polrelid = c.oid)
order by c.object`,
};

export const ROW_SECURITY_WITHOUT_POLICY: Rule = {
  name: 'row-security-without-policy',
  level: 'warning',
  meaning: 'API roles may use a table that has row security and no policy, so that it shows no row.',
  needsDecision: true,
  sql: `${PRELUDE}
select c.object,
  pg_catalog.format('%s may use it and see no row: it has row security and no policy. Write a policy, or revoke the grants.', reachable.roles) as message,
  pg_catalog.format('revoke all on %s from public, %s', c.object, reachable.quoted_roles) as cure
from relation as c
join reachable on reachable.oid = c.oid
where c.relkind in ('r', 'p') and c.relrowsecurity
  and not exists (select from pg_catalog.pg_policy as p where p.polrelid = c.oid)
order by c.object`,
};

/** The policies of exposed tables, with the expressions that PostgreSQL prints. */
const POLICIES = `${PRELUDE},
policy as (
  select p.*, c.object as table_name, pg_catalog.format('%I on %s', p.polname, c.object) as object,
    pg_catalog.pg_get_expr(p.polqual, p.polrelid) as condition,
    pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) as new_condition,
    case p.polcmd when '*' then array['select', 'insert', 'update', 'delete']
      when 'r' then array['select'] when 'a' then array['insert'] when 'w' then array['update'] else array['delete'] end as commands
  from pg_catalog.pg_policy as p
  join relation as c on c.oid = p.polrelid and c.relkind in ('r', 'p')
),
judged as (
  select policy.*, coalesce(policy.condition, policy.new_condition) in ('true', '(1 = 1)') as is_true from policy
),
-- The policies that apply to each API role: those for a role apply to its members that inherit from it, too.
bound as (
  select p.oid as policy, r.oid as role, r.rolname
  from policy as p
  join api_role as r on exists (
    select from pg_catalog.unnest(p.polroles) as role
    where case when role = 0 then true else pg_catalog.pg_has_role(r.oid, role, 'usage') end
  )
  where not r.rolsuper and not r.rolbypassrls
)`;

/** Users change what their token says there themselves (Supabase Auth, \`updateUser\`). */
export const POLICY_ON_USER_METADATA: Rule = {
  name: 'policy-on-user-metadata',
  level: 'error',
  meaning: 'A policy trusts the claim user_metadata, which users change themselves.',
  needsDecision: true,
  sql: `${POLICIES}
select p.object,
  'It reads user_metadata, which each user can change. Use app_metadata, or a table that users cannot write.' as message,
  pg_catalog.format('drop policy %s', p.object) as cure
from judged as p
where pg_catalog.concat_ws(' ', p.condition, p.new_condition) ~ 'user_metadata|raw_user_meta_data'
order by p.object`,
};

const SHARES_ROLES = (left: string, right: string): string =>
  `(0 = any (${left}.polroles) or 0 = any (${right}.polroles) or ${left}.polroles && ${right}.polroles or exists (
    select from bound as one join bound as two using (role) where one.policy = ${left}.oid and two.policy = ${right}.oid
  ))`;

/** A policy for more commands than the true one still restricts the rest: public reads beside `for all` of an owner. */
const HIDES_OTHERS = `p.is_true and p.polpermissive and exists (
  select from judged as other
  where other.polrelid = p.polrelid and other.polpermissive and not other.is_true
    and other.commands <@ p.commands and ${SHARES_ROLES('other', 'p')}
)`;

export const POLICY_TRUE_BESIDE_OTHERS: Rule = {
  name: 'policy-true-beside-others',
  level: 'error',
  meaning: 'A policy that is always true stands beside others, which then restrict nothing.',
  needsDecision: true,
  sql: `${POLICIES}
select p.object,
  'It is true for every row. Policies are joined with or, so the others of the table restrict nothing.' as message,
  pg_catalog.format('drop policy %s', p.object) as cure
from judged as p
where ${HIDES_OTHERS}
order by p.object`,
};

export const POLICY_TRUE_FOR_WRITES: Rule = {
  name: 'policy-true-for-writes',
  level: 'warning',
  meaning: 'A policy lets its roles change every row.',
  needsDecision: true,
  sql: `${POLICIES}
select p.object,
  pg_catalog.format('It is true for every row, and is a policy for %s.', pg_catalog.array_to_string(p.commands, ', ')) as message,
  pg_catalog.format('drop policy %s', p.object) as cure
from judged as p
where p.is_true and p.polpermissive and p.polcmd <> 'r' and not (${HIDES_OTHERS}) and not exists (
  select from judged as other where other.polrelid = p.polrelid and not other.polpermissive
)
order by p.object`,
};

export const MULTIPLE_PERMISSIVE_POLICIES: Rule = {
  name: 'multiple-permissive-policies',
  level: 'warning',
  meaning: 'Several policies of a table are for one role and one command; all of them run for each row.',
  needsDecision: true,
  sql: `${POLICIES},
combination as (
  select p.polrelid, p.table_name, command, bound.rolname,
    pg_catalog.array_agg(p.polname::text order by p.polname) as names
  from judged as p
  cross join lateral pg_catalog.unnest(p.commands) as command
  join bound on bound.policy = p.oid
  where p.polpermissive
  group by p.polrelid, p.table_name, command, bound.rolname
  having pg_catalog.count(*) > 1
)
select c.table_name as object,
  pg_catalog.format('%s of %s runs %s for each row. Join their conditions with or in one policy.',
    c.command, pg_catalog.string_agg(c.rolname, ', ' order by c.rolname), pg_catalog.array_to_string(c.names, ' and ')) as message,
  (select pg_catalog.string_agg(pg_catalog.format('drop policy %I on %s', name, c.table_name), '; ')
   from pg_catalog.unnest(c.names[2:]) as name) as cure
from combination as c
group by c.table_name, c.command, c.names
order by c.table_name, c.command`,
};
