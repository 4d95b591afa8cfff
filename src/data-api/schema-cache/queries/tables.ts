/** Relations of the exposed schemas with their columns, and the types of these columns. */

/** `[attnum, name, type oid, type modifier, not null, default, description, identity, generated]` */
export type ColumnRow = readonly [
  attnum: number,
  name: string,
  type: number,
  modifier: number,
  notNull: boolean,
  defaultSql: string | null,
  description: string | null,
  identity: '' | 'a' | 'd',
  generated: '' | 's' | 'v',
];

export interface TableRow {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'r' | 'v' | 'm' | 'f' | 'p';
  readonly description: string | null;
  /**
   * Bits of `pg_relation_is_updatable`: 4 update, 8 insert, 16 delete. Bit 1: a trigger or rule of the table may change or
   * skip rows that are inserted.
   */
  readonly events: number;
  /** Key of the access lists. */
  readonly acl: string;
  readonly columns: readonly ColumnRow[];
}

/**
 * $1: exposed schemas. Columns are aggregated for all relations together, so that PostgreSQL can hash its joins. The
 * default of an identity column is the call of its sequence. The bits 1, 2 and 4 of a trigger are FOR EACH ROW, BEFORE and
 * INSERT.
 */
export const TABLES = `
with
  relations as (
    select c.oid, n.nspname, c.relname, c.relkind, c.relacl, c.relowner, c.relhasrules, c.relhastriggers
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1)
      and c.relkind in ('r', 'v', 'm', 'f', 'p')
      and not c.relispartition
  ),
  identity_sequences as (
    select d.refobjid, d.refobjsubid, pg_catalog.format('%I.%I', n.nspname, s.relname) as sequence
    from pg_catalog.pg_depend d
    join pg_catalog.pg_class s on s.oid = d.objid and s.relkind = 'S'
    join pg_catalog.pg_namespace n on n.oid = s.relnamespace
    where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
      and d.deptype = 'i'
  ),
  columns as (
    select
      a.attrelid,
      pg_catalog.json_agg(
        pg_catalog.json_build_array(
          a.attnum,
          a.attname,
          a.atttypid::int8,
          a.atttypmod,
          a.attnotnull,
          case
            when a.attidentity = 'd' then pg_catalog.format('nextval(%L)', i.sequence)
            when a.attgenerated = '' then pg_catalog.pg_get_expr(ad.adbin, ad.adrelid)
          end,
          d.description,
          a.attidentity,
          a.attgenerated
        )
        order by a.attnum
      ) as list
    from pg_catalog.pg_attribute a
    left join pg_catalog.pg_attrdef ad on ad.adrelid = a.attrelid and ad.adnum = a.attnum
    left join identity_sequences i on i.refobjid = a.attrelid and i.refobjsubid = a.attnum
    left join pg_catalog.pg_description d
      on d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
      and d.objoid = a.attrelid
      and d.objsubid = a.attnum
    where a.attrelid in (select oid from relations)
      and a.attnum > 0
      and not a.attisdropped
    group by a.attrelid
  )
select
  pg_catalog.json_build_object(
    'oid', r.oid::int8,
    'schema', r.nspname,
    'name', r.relname,
    'kind', r.relkind,
    'description', d.description,
    'events',
      case
        when r.relkind in ('r', 'p') then
          28 + (
            r.relhasrules
            or r.relhastriggers and exists (
              select from pg_catalog.pg_trigger t
              where t.tgrelid = r.oid and not t.tgisinternal and t.tgtype & 7 = 7
            )
          )::int4
        when r.relkind = 'm' then 0
        else pg_catalog.pg_relation_is_updatable(r.oid::pg_catalog.regclass, true)
      end,
    'acl', coalesce(r.relacl, pg_catalog.acldefault('r', r.relowner))::text,
    'columns', coalesce(columns.list, '[]')
  )::text as entry
from relations r
left join columns on columns.attrelid = r.oid
left join pg_catalog.pg_description d
  on d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
  and d.objoid = r.oid
  and d.objsubid = 0
order by r.nspname, r.relname
`;

export interface ColumnTypeRow {
  readonly oid: number;
  readonly modifier: number;
  readonly name: string;
  readonly plainName: string;
  readonly baseName: string;
  readonly maxLength: number | null;
  readonly enumLabels: readonly string[];
  readonly isDomain: boolean;
  /** Default of the domain; null if there is none. */
  readonly domainDefault: string | null;
  readonly domainNotNull: boolean;
}

/**
 * $1: exposed schemas. One row for each pair of type and modifier of a column. Domains over domains are resolved to
 * their base type; the modifier of character types includes four bytes for the header.
 */
export const COLUMN_TYPES = `
with recursive
  used as (
    select distinct a.atttypid as oid, a.atttypmod as modifier
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1)
      and c.relkind in ('r', 'v', 'm', 'f', 'p')
      and not c.relispartition
      and a.attnum > 0
      and not a.attisdropped
  ),
  bases as (
    select
      u.oid,
      u.modifier,
      case when t.typtype = 'd' then t.typbasetype else t.oid end as base,
      case when t.typtype = 'd' then t.typtypmod else u.modifier end as base_modifier,
      t.typnotnull as not_null,
      pg_catalog.pg_get_expr(t.typdefaultbin, 0) as default_sql
    from used u
    join pg_catalog.pg_type t on t.oid = u.oid
    union all
    select
      b.oid,
      b.modifier,
      t.typbasetype,
      t.typtypmod,
      b.not_null or t.typnotnull,
      coalesce(b.default_sql, pg_catalog.pg_get_expr(t.typdefaultbin, 0))
    from bases b
    join pg_catalog.pg_type t on t.oid = b.base and t.typtype = 'd'
  ),
  labels as (
    select enumtypid, pg_catalog.json_agg(enumlabel order by enumsortorder) as list
    from pg_catalog.pg_enum
    group by enumtypid
  )
select
  pg_catalog.json_build_object(
    'oid', b.oid::int8,
    'modifier', b.modifier,
    'name', pg_catalog.format_type(b.oid, b.modifier),
    'plainName', pg_catalog.format_type(b.oid, null),
    'baseName', pg_catalog.format_type(b.base, null),
    'maxLength',
      case
        when b.base_modifier = -1 then null
        when base.typname in ('bpchar', 'varchar') then b.base_modifier - 4
        when base.typname in ('bit', 'varbit') then b.base_modifier
      end,
    'enumLabels', coalesce(labels.list, '[]'),
    'isDomain', b.oid <> b.base,
    'domainDefault', case when b.oid <> b.base then b.default_sql end,
    'domainNotNull', b.oid <> b.base and b.not_null
  )::text as entry
from bases b
join pg_catalog.pg_type base on base.oid = b.base and base.typtype <> 'd'
left join labels on labels.enumtypid = b.base
`;
