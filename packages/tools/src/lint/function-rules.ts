/** Rules about functions. */
import { PRELUDE } from './prelude.js';
import type { Rule } from './rule.js';

/** The functions that requests run: those that they call, triggers of exposed tables, and what policies of these call. */
const RUN = `${PRELUDE},
indirect(oid) as (
  select t.tgfoid from pg_catalog.pg_trigger as t join relation as c on c.oid = t.tgrelid where not t.tgisinternal
  union
  select d.refobjid
  from pg_catalog.pg_policy as p
  join relation as c on c.oid = p.polrelid
  join pg_catalog.pg_depend as d on d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass and d.objid = p.oid
    and d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
),
run as (
  select p.oid, p.object, p.nspname, p.prosecdef, p.proowner, p.proconfig from callable as p
  union
  select p.oid, p.oid::pg_catalog.regprocedure::text, n.nspname, p.prosecdef, p.proowner, p.proconfig
  from indirect
  join pg_catalog.pg_proc as p on p.oid = indirect.oid
  join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
  where n.nspname <> 'pg_catalog' and p.prokind = 'f' and not exists (
    select from extension_object as x
    where x.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and x.objid = p.oid
  )
)`;

export const DEFINER_SEARCH_PATH: Rule = {
  name: 'definer-without-search-path',
  level: 'error',
  meaning:
    'A function that API roles may call, or that a trigger or a policy of an exposed table calls, runs as its owner with the search path of the caller.',
  sql: `${RUN}
select p.object,
  pg_catalog.format('It runs as its owner %s, and its caller chooses the search path, in which other functions and tables can take the place of those that it names.',
    pg_catalog.pg_get_userbyid(p.proowner)) as message,
  pg_catalog.format('alter routine %s set search_path = pg_catalog, %I, pg_temp', p.object, p.nspname) as cure
from run as p
where p.prosecdef and not exists (
  select from pg_catalog.unnest(p.proconfig) as entry where entry like 'search\\_path=%'
)
order by p.object`,
};

/** What a function can leave in the session, and the text of one that does. */
const LEFT = [
  ['settings', String.raw`\yset_config\s*\((?:[^();]|\([^()]*\))*,\s*false\s*\)`],
  [
    'settings',
    String.raw`(?:;|\$|\ybegin|\ythen|\yelse|\yloop)\s*set\s+(?!local\y|constraints\y|transaction\y|role\y)`,
  ],
  [
    'temporary tables',
    String.raw`\ycreate\s+(?:local\s+|global\s+)?temp(?:orary)?\s+table\y(?![^;]*\yon\s+commit\s+drop\y)`,
  ],
  ['advisory locks', String.raw`\ypg_(?:try_)?advisory_lock(?:_shared)?\s*\((?!.*\ypg_advisory_unlock)`],
  ['cursors', String.raw`\ycursor\s+with\s+hold\y`],
] as const;

export const SESSION_STATE: Rule = {
  name: 'session-state',
  level: 'warning',
  meaning:
    'A function that requests run leaves settings, temporary tables, advisory locks or cursors in the session, which requests of others share.',
  needsDecision: true,
  sql: `${RUN},
left_behind(kind, pattern) as (
  values ${LEFT.map(([kind, pattern]) => `('${kind}', '${pattern}')`).join(',\n    ')}
)
select p.object,
  pg_catalog.format('It leaves %s in the session, which requests of other callers may meet. Use set_config(…, true) or set local, on commit drop, pg_advisory_xact_lock, and cursors without hold.',
    pg_catalog.string_agg(distinct l.kind, ' and ')) as message,
  pg_catalog.format('drop routine %s', p.object) as cure
from run as p
join left_behind as l on pg_catalog.pg_get_functiondef(p.oid) ~* l.pattern
group by p.object
order by p.object`,
};

/**
 * The cure keeps the function for all roles of requests: also policies, views and defaults of tables call it as the role
 * of the request, whether it may use the schema or not.
 */
const executableByPublic = (condition: string, message: string): string => `${PRELUDE}
select p.object,
  ${message} as message,
  pg_catalog.format('revoke execute on routine %s from public; grant execute on routine %s to %s', p.object, p.object, (
    select pg_catalog.string_agg(pg_catalog.quote_ident(r.rolname), ', ' order by r.rolname)
    from api_role as r where pg_catalog.has_function_privilege(r.oid, p.oid, 'execute')
  )) as cure
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
    `pg_catalog.format('Every role may call it, and it runs as its owner %s. Leave those that need not call it out of the grant.', pg_catalog.pg_get_userbyid(p.proowner))`,
  ),
};

export const FUNCTION_EXECUTABLE_BY_PUBLIC: Rule = {
  name: 'function-executable-by-public',
  level: 'info',
  meaning: 'Every role may call an exposed function, which is the default of PostgreSQL.',
  sql: executableByPublic(
    'not p.prosecdef',
    `'Every role may call it, also requests without a token. Leave those that need not call it out of the grant.'`,
  ),
};

export const VOLATILE_BY_GET: Rule = {
  name: 'volatile-function-by-get',
  level: 'info',
  meaning: 'GET and HEAD call a function that is declared volatile; it runs in a read-only transaction.',
  needsDecision: true,
  sql: `${PRELUDE}
select p.object,
  'GET and HEAD call it, in a read-only transaction: if it writes, such a request fails with 405. If it only reads, declare it stable, so that POST runs it read-only, too.' as message,
  pg_catalog.format('alter function %s stable', p.object) as cure
from callable as p
where p.prokind = 'f' and p.provolatile = 'v'
order by p.object`,
};
