/** Domains with casts to json or from json and text (data API §1.3). */
import {
  type Column,
  find,
  put,
  type QualifiedName,
  type Representations,
  type SchemaCache,
  findOrPut,
  type MutableByName,
  type Media,
  type MediaHandler,
  type MediaHandlers,
} from './types.js';
import type { Relation } from './relations.js';

export function buildRepresentations(rows: readonly RepresentationRow[]): Representations {
  const bySource: MutableByName<QualifiedName> = new Map();
  for (const { source, target, schema, name } of rows)
    put(bySource, { schema: source, name: target }, { schema, name });
  return bySource;
}

type Typed = Pick<Column, 'type'> | null;

/** Returns the function that renders a column's value as json, if its domain has one. */
export const toJson = ({ representations }: SchemaCache, column: Typed): QualifiedName | null =>
  (column && find(representations, column.type.plainName, 'json')) ?? null;

/**
 * Returns the function that converts json (a payload) or text (a filter) to a column's value, if its domain has one.
 */
export const fromText = (
  { representations }: SchemaCache,
  source: 'json' | 'text',
  column: Typed,
): QualifiedName | null => (column && find(representations, source, column.type.plainName)) ?? null;

export interface RepresentationRow extends QualifiedName {
  readonly source: string;
  readonly target: string;
}

/**
 * Functions of implicit casts between a domain and json or text. Only functions that the authenticator may execute,
 * because a function without this privilege must not affect responses.
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

export interface CastTypesRow {
  readonly schema: string;
  /** By name: whether requests may cast to it. */
  readonly types: Readonly<Record<string, boolean>>;
}

/**
 * $1: schemas to search beside pg_catalog. Types that a request can name in a cast, without row types of relations
 * and pseudo-types. Casts to types that look names up in the catalogue (`regclass`, `regrole`, `aclitem`, …), and to
 * types composed of them, are refused, because they reveal names that the role may not see.
 */
export const CAST_TYPES = `
with recursive
  refused as (
    select oid
    from pg_catalog.pg_type
    where typnamespace = 'pg_catalog'::pg_catalog.regnamespace
      and (typname like 'reg%' or typname = 'aclitem')
    union
    select made.oid
    from refused r
    cross join lateral (
      select t.oid from pg_catalog.pg_type t where t.typbasetype = r.oid or t.typelem = r.oid
      union all
      select g.rngtypid from pg_catalog.pg_range g where g.rngsubtype = r.oid
      union all
      select c.reltype
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind = 'c'
      where a.atttypid = r.oid and a.attnum > 0 and not a.attisdropped
    ) made
  )
select
  pg_catalog.json_build_object(
    'schema', n.nspname,
    'types', pg_catalog.json_object_agg(t.typname, t.oid not in (select r.oid from refused r))
  )::text as entry
from pg_catalog.pg_type t
join pg_catalog.pg_namespace n on n.oid = t.typnamespace
left join pg_catalog.pg_class c on c.oid = t.typrelid
left join pg_catalog.pg_type element on element.oid = t.typelem and t.typlen = -1
left join pg_catalog.pg_class of_element on of_element.oid = element.typrelid
where (n.nspname = 'pg_catalog' or n.nspname = any ($1))
  and t.typtype <> 'p'
  and t.typisdefined
  and coalesce(c.relkind, 'c') = 'c'
  and coalesce(of_element.relkind, 'c') = 'c'
group by n.nspname
`;

export interface MediaHandlerRow extends QualifiedName {
  /** The relation whose rows it aggregates; null for any relation. */
  readonly relation: number | null;
  readonly domain: string;
  /** Name of the base type of the domain. */
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

const MEDIA_TYPE = /^[a-z0-9.-]+\/[a-z0-9.+-]+$/i;
const ANY = '*/*';

/** Returns the media type of a domain; null if its name is not a media type. */
export function readMedia(domain: string, baseType: string): Media | null {
  if (domain !== ANY && !MEDIA_TYPE.test(domain)) return null;
  return {
    mediaType: domain.toLowerCase(),
    contentType: domain === ANY ? 'application/octet-stream' : domain,
    binary: baseType === 'bytea',
  };
}

export function buildMediaHandlers(
  rows: readonly MediaHandlerRow[],
  relations: ReadonlyMap<number, Relation>,
): MediaHandlers {
  const any = new Map<string, MediaHandler>();
  const relation: MutableByName<Map<string, MediaHandler>> = new Map();
  for (const row of rows) {
    const media = readMedia(row.domain, row.baseType);
    if (media === null) continue;
    const handler: MediaHandler = { ...media, aggregate: { schema: row.schema, name: row.name } };
    if (row.relation === null) any.set(media.mediaType, handler);
    else {
      const taken = relations.get(row.relation);
      if (taken !== undefined) findOrPut(relation, taken.name, () => new Map()).set(media.mediaType, handler);
    }
  }
  return { any, relation };
}
