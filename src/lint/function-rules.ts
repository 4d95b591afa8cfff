/** Rules about functions. */
import { PRELUDE } from './prelude.js';
import type { Rule } from './rule.js';

export const DEFINER_SEARCH_PATH: Rule = {
  name: 'definer-without-search-path',
  level: 'error',
  meaning:
    'A function that API roles may call, or a trigger of an exposed table, runs as its owner with the search path of the caller.',
  sql: `${PRELUDE},
definer as (
  select p.object, p.nspname, p.proowner, p.proconfig from callable as p where p.prosecdef
  union
  select p.oid::pg_catalog.regprocedure::text, n.nspname, p.proowner, p.proconfig
  from pg_catalog.pg_trigger as t
  join relation as c on c.oid = t.tgrelid
  join pg_catalog.pg_proc as p on p.oid = t.tgfoid
  join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
  where p.prosecdef and not t.tgisinternal and not exists (
    select from extension_object as x
    where x.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and x.objid = p.oid
  )
)
select p.object,
  pg_catalog.format('It runs as its owner %s, and its caller chooses the search path, in which other functions and tables can take the place of those that it names.',
    pg_catalog.pg_get_userbyid(p.proowner)) as message,
  pg_catalog.format('alter routine %s set search_path = pg_catalog, %I, pg_temp', p.object, p.nspname) as cure
from definer as p
where not exists (
  select from pg_catalog.unnest(p.proconfig) as entry where entry like 'search\\_path=%'
)
order by p.object`,
};

const executableByPublic = (condition: string, message: string): string => `${PRELUDE}
select p.object,
  ${message} as message,
  pg_catalog.format('revoke execute on routine %s from public', p.object) as cure
from callable as p
where ${condition} and exists (
  select from pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) as acl
  where acl.grantee = 0 and acl.privilege_type = 'EXECUTE'
)
order by p.object`;

export const DEFINER_EXECUTABLE_BY_PUBLIC: Rule = {
  name: 'definer-executable-by-public',
  level: 'warning',
  meaning: 'Every role may call a function that runs as its owner.',
  sql: executableByPublic(
    'p.prosecdef',
    `pg_catalog.format('Every role may call it, and it runs as its owner %s. Grant it to the roles that call it.', pg_catalog.pg_get_userbyid(p.proowner))`,
  ),
};

export const FUNCTION_EXECUTABLE_BY_PUBLIC: Rule = {
  name: 'function-executable-by-public',
  level: 'info',
  meaning: 'Every role may call an exposed function, which is the default of PostgreSQL.',
  sql: executableByPublic(
    'not p.prosecdef',
    `'Every role may call it, also requests without a token. Grant it to the roles that call it.'`,
  ),
};

export const VOLATILE_BY_GET: Rule = {
  name: 'volatile-function-by-get',
  level: 'info',
  meaning: 'GET and HEAD call a function that is declared volatile; it runs in a read-only transaction.',
  sql: `${PRELUDE}
select p.object,
  'GET and HEAD call it, in a read-only transaction: if it writes, such a request fails with 405. If it only reads, declare it stable, so that POST runs it read-only, too.' as message,
  pg_catalog.format('alter function %s stable', p.object) as cure
from callable as p
where p.prokind = 'f' and p.provolatile = 'v'
order by p.object`,
};
