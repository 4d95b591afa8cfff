/** Casts of domains and media types: how the database itself renders values and bodies. */

export interface RepresentationRow {
  readonly source: string;
  readonly target: string;
  readonly schema: string;
  readonly name: string;
}

/**
 * Functions of implicit casts between a domain and json or text. Only those that the authenticator may execute,
 * since what it may not see must not change what others get.
 */
export const REPRESENTATIONS = `
select
  pg_catalog.json_build_object(
    'source', pg_catalog.format_type(c.castsource, null),
    'target', pg_catalog.format_type(c.casttarget, null),
    'schema', n.nspname,
    'name', p.proname
  )::text as entry
from pg_catalog.pg_cast c
join pg_catalog.pg_type source on source.oid = c.castsource
join pg_catalog.pg_type target on target.oid = c.casttarget
join pg_catalog.pg_proc p on p.oid = c.castfunc
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where c.castcontext = 'i'
  and c.castmethod = 'f'
  and (
    (source.typtype = 'd' and c.casttarget in ('pg_catalog.json'::pg_catalog.regtype, 'pg_catalog.text'::pg_catalog.regtype))
    or (target.typtype = 'd' and c.castsource in ('pg_catalog.json'::pg_catalog.regtype, 'pg_catalog.text'::pg_catalog.regtype))
  )
  and pg_catalog.has_function_privilege(c.castfunc, 'execute')
order by 1
`;

export interface MediaHandlerRow {
  readonly schema: string;
  readonly name: string;
  /** The relation whose rows it takes; null takes rows of any. */
  readonly relation: number | null;
  readonly domain: string;
  /** Name of the type that the domain is made of. */
  readonly baseType: string;
}

/** $1: exposed schemas. Aggregates over the rows of a relation, or of any, whose result is a domain. */
export const MEDIA_HANDLERS = `
select
  pg_catalog.json_build_object(
    'schema', n.nspname,
    'name', p.proname,
    'relation', relation.oid::int8,
    'domain', domain.typname,
    'baseType', base.typname
  )::text as entry
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_type domain on domain.oid = p.prorettype and domain.typtype = 'd'
join pg_catalog.pg_type base on base.oid = domain.typbasetype
join pg_catalog.pg_type argument on argument.oid = p.proargtypes[0]
left join pg_catalog.pg_class relation
  on relation.oid = argument.typrelid
  and relation.relkind in ('r', 'v', 'm', 'f', 'p')
where n.nspname = any ($1)
  and p.prokind = 'a'
  and p.pronargs = 1
  and (relation.oid is not null or argument.oid = 'pg_catalog.anyelement'::pg_catalog.regtype)
order by n.nspname, p.proname, p.oid
`;
