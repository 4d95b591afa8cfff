/**
 * Queries of the console about the catalogue. They run as the role of the token, so that `has_…_privilege` states its
 * rights, with the search path of a request. `$1` are the exposed schemas.
 */
import { sql } from '../../../src/face.js';

const KIND = sql`case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end`;

/** Most relations and functions that are listed: a page shows no more. */
const MOST = 20_000;

export const SCHEMAS = sql`
select n.nspname as name, pg_catalog.obj_description(n.oid, 'pg_namespace') as comment
from pg_catalog.unnest($1::text[]) with ordinality as exposed(name, place)
join pg_catalog.pg_namespace as n on n.nspname = exposed.name
where pg_catalog.has_schema_privilege(n.oid, 'usage')
order by exposed.place`;

export const RELATIONS = sql`
select n.nspname as schema, c.relname as name, ${KIND} as kind,
  pg_catalog.obj_description(c.oid, 'pg_class') as comment, c.relrowsecurity as "rowSecurity"
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and pg_catalog.has_schema_privilege(n.oid, 'usage')
  and (pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update')
    or pg_catalog.has_table_privilege(c.oid, 'delete'))
order by pg_catalog.array_position($1::text[], n.nspname::text), c.relname
limit ${MOST}`;

/**
 * Estimated rows and sizes of `RELATIONS`, of a partitioned table the sums of its partitions. `$2` says whether sizes are read,
 * which waits for the transaction that has locked a table.
 */
export const NUMBERS = sql`
select n.nspname as schema, c.relname as name,
  case when c.relkind in ('r', 'p', 'm') then stored.rows end as rows,
  case when c.relkind in ('r', 'p', 'm') and $2 then stored.bytes end as bytes
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
cross join lateral (
  select case when pg_catalog.bool_or(part.reltuples >= 0)
      then pg_catalog.sum(greatest(part.reltuples, 0))::float8 end as rows,
    pg_catalog.sum(case when $2 then pg_catalog.pg_total_relation_size(part.oid) end)::float8 as bytes
  from pg_catalog.pg_class as part
  where part.oid = c.oid and c.relkind <> 'p'
    or c.relkind = 'p' and part.relkind = 'r'
      and part.oid in (select tree.relid from pg_catalog.pg_partition_tree(c.oid) as tree)
) as stored
where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and pg_catalog.has_schema_privilege(n.oid, 'usage')
  and (pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update')
    or pg_catalog.has_table_privilege(c.oid, 'delete'))
limit ${MOST}`;

const ENUM_LABELS = sql`coalesce((
    select pg_catalog.json_agg(e.enumlabel order by e.enumsortorder)
    from pg_catalog.pg_enum as e where e.enumtypid = t.oid
  ), '[]')`;

export const FUNCTIONS = sql`
select n.nspname as schema, f.proname as name, pg_catalog.obj_description(f.oid, 'pg_proc') as comment,
  case f.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as volatility,
  pg_catalog.pg_get_function_result(f.oid) as returns, f.proretset as "returnsSet",
  coalesce((
    select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', coalesce(nullif(f.proargnames[a.place], ''), ''),
      'type', pg_catalog.format_type(a.type, null),
      'required', a.position <= f.pronargs - f.pronargdefaults,
      'enumLabels', ${ENUM_LABELS}
    ) order by a.place)
    from (
      select each.type, each.place, pg_catalog.row_number() over (order by each.place) as position
      from pg_catalog.unnest(coalesce(f.proallargtypes, f.proargtypes::pg_catalog.oid[])) with ordinality as each(type, place)
      where f.proargmodes is null or f.proargmodes[each.place] in ('i', 'b', 'v')
    ) as a
    join pg_catalog.pg_type as t on t.oid = a.type
  ), '[]') as parameters
from pg_catalog.pg_proc as f
join pg_catalog.pg_namespace as n on n.oid = f.pronamespace
where n.nspname = any ($1::text[]) and f.prokind = 'f'
  and f.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
  and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_function_privilege(f.oid, 'execute')
  -- The data API calls parameters by name, or gives one of JSON the whole body. Other functions are computed columns.
  and (f.pronargs = 1 and f.proargtypes[0] in ('pg_catalog.json'::pg_catalog.regtype, 'pg_catalog.jsonb'::pg_catalog.regtype)
    or not exists (
      select from pg_catalog.unnest(coalesce(f.proallargtypes, f.proargtypes::pg_catalog.oid[])) with ordinality as each(type, place)
      where (f.proargmodes is null or f.proargmodes[each.place] in ('i', 'b', 'v'))
        and coalesce(f.proargnames[each.place], '') = ''
    ))
order by pg_catalog.array_position($1::text[], n.nspname::text), f.proname, f.oid
limit ${MOST}`;

/** One exposed relation that the role may use. `$2` schema, `$3` name. */
export const RELATION = sql`
select c.oid::text as oid, n.nspname as schema, c.relname as name, ${KIND} as kind,
  pg_catalog.obj_description(c.oid, 'pg_class') as comment, c.relrowsecurity as "rowSecurity",
  pg_catalog.json_build_object(
    'select', pg_catalog.has_any_column_privilege(c.oid, 'select'),
    'insert', pg_catalog.has_any_column_privilege(c.oid, 'insert')
      and pg_catalog.pg_relation_is_updatable(c.oid, true) & 8 = 8,
    'update', pg_catalog.has_any_column_privilege(c.oid, 'update')
      and pg_catalog.pg_relation_is_updatable(c.oid, true) & 4 = 4,
    'delete', pg_catalog.has_table_privilege(c.oid, 'delete')
      and pg_catalog.pg_relation_is_updatable(c.oid, true) & 16 = 16
  ) as privileges,
  case
    when not c.relrowsecurity then 'no row security'
    when (select r.rolsuper or r.rolbypassrls from pg_catalog.pg_roles as r where r.rolname = current_user) then 'bypass'
    when not c.relforcerowsecurity and pg_catalog.pg_has_role(c.relowner, 'usage') then 'owner'
  end as exempt
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = any ($1::text[]) and n.nspname = $2 and c.relname = $3
  and c.relkind in ('r', 'p', 'v', 'm', 'f') and pg_catalog.has_schema_privilege(n.oid, 'usage')
  and (pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update')
    or pg_catalog.has_table_privilege(c.oid, 'delete'))`;

/** `$1` is the OID of the relation, here and below. */
export const COLUMNS = sql`
select a.attname as name, pg_catalog.col_description(a.attrelid, a.attnum) as comment,
  pg_catalog.format_type(a.atttypid, a.atttypmod) as type,
  pg_catalog.format_type(t.oid, null) as "baseType",
  not (a.attnotnull or d.typnotnull) as nullable,
  a.atthasdef or a.attidentity <> '' or d.typdefault is not null as "hasDefault",
  a.attgenerated <> '' or a.attidentity = 'a' as generated,
  ${ENUM_LABELS} as "enumLabels",
  pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'select') as select,
  pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'insert') as insert,
  pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'update') as update
from pg_catalog.pg_attribute as a
join pg_catalog.pg_type as d on d.oid = a.atttypid
join pg_catalog.pg_type as t on t.oid = case when d.typtype = 'd' then d.typbasetype else d.oid end
where a.attrelid = $1::pg_catalog.oid and a.attnum > 0 and not a.attisdropped
order by a.attnum`;

export const PRIMARY_KEY = sql`
select a.attname as name
from pg_catalog.pg_constraint as k
cross join lateral pg_catalog.unnest(k.conkey) with ordinality as part(number, place)
join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = part.number
where k.conrelid = $1::pg_catalog.oid and k.contype = 'p'
order by part.place`;

const namesOf = sql`select pg_catalog.json_agg(a.attname order by part.place)
    from pg_catalog.unnest`;

/** Columns by whose names people know rows, the likeliest first. */
const LABELS = sql`array['name', 'title', 'label', 'display_name', 'full_name', 'subject', 'email', 'username', 'slug', 'code']`;

/** Foreign keys of the relation and those that lead to it, between exposed relations (`$2` schemas). */
export const FOREIGN_KEYS = sql`
select k.conname as constraint, n.nspname as schema, other.relname as name, side.outgoing,
  (${namesOf}(case when side.outgoing then k.conkey else k.confkey end) with ordinality as part(number, place)
    join pg_catalog.pg_attribute as a on a.attrelid = $1::pg_catalog.oid and a.attnum = part.number) as columns,
  (${namesOf}(case when side.outgoing then k.confkey else k.conkey end) with ordinality as part(number, place)
    join pg_catalog.pg_attribute as a on a.attrelid = other.oid and a.attnum = part.number) as "otherColumns",
  (select a.attname from pg_catalog.pg_attribute as a join pg_catalog.pg_type as t on t.oid = a.atttypid
    where a.attrelid = other.oid and a.attnum > 0 and not a.attisdropped and t.typcategory = 'S'
      and a.attnum <> all (case when side.outgoing then k.confkey else k.conkey end)
      and pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'select')
    order by pg_catalog.array_position(${LABELS}, a.attname::text), a.attnum limit 1) as label,
  side.outgoing or exists (
    select from pg_catalog.pg_index as i
    where i.indrelid = k.conrelid and i.indisunique and i.indpred is null
      and i.indkey::int2[] <@ k.conkey and pg_catalog.cardinality(i.indkey::int2[]) > 0
  ) as "toOne"
from (values (true), (false)) as side(outgoing)
join pg_catalog.pg_constraint as k
  on k.contype = 'f' and k.conparentid = 0
  and case when side.outgoing then k.conrelid else k.confrelid end = $1::pg_catalog.oid
join pg_catalog.pg_class as other on other.oid = case when side.outgoing then k.confrelid else k.conrelid end
join pg_catalog.pg_namespace as n on n.oid = other.relnamespace
where n.nspname = any ($2::text[]) and not other.relispartition
  and pg_catalog.has_any_column_privilege(other.oid, 'select')
order by side.outgoing desc, other.relname, k.conname`;

export const POLICIES = sql`
select p.polname as name, pg_catalog.obj_description(p.oid, 'pg_policy') as comment, p.polpermissive as permissive,
  case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end
    as command,
  coalesce((
    select pg_catalog.json_agg(coalesce(r.rolname, 'public') order by r.rolname)
    from pg_catalog.unnest(p.polroles) as member(oid) left join pg_catalog.pg_roles as r on r.oid = member.oid
  ), '[]') as roles,
  exists (
    select from pg_catalog.unnest(p.polroles) as member(oid)
    where member.oid = 0 or pg_catalog.pg_has_role(member.oid, 'usage')
  ) as applies,
  pg_catalog.pg_get_expr(p.polqual, p.polrelid) as using,
  pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) as check
from pg_catalog.pg_policy as p
where p.polrelid = $1::pg_catalog.oid
order by p.polname`;
