/** Builds the tables of the cache from catalogue rows, with the numbers by which constraints refer to them. */
import { withoutAcceptances } from '../../base/lint-acceptance.js';
import type { AccessList, Column, ColumnType, QualifiedName, Table } from './types.js';
import { type DirectOrigins, shownColumns, type ShownColumns } from './views.js';

/** An exposed relation and the table columns that it shows; a table shows its own. */
export interface Relation {
  readonly oid: number;
  readonly name: QualifiedName;
  readonly isView: boolean;
  readonly table: Table;
  readonly columnNames: ReadonlyMap<number, string>;
  readonly shown: ShownColumns;
}

/** Lookups in the catalogue for building one relation. */
export interface RelationContext {
  readonly types: ColumnTypes;
  readonly constraints: ReadonlyMap<number, readonly ConstraintRow[]>;
  readonly views: DirectOrigins;
  readonly access: (oid: number, acl: string) => AccessList;
  /** The privileges on the whole relation. */
  readonly tableAccess: (acl: string) => AccessList;
}

export function buildRelation(
  { oid, acl, columns: rows, ...row }: TableRow,
  context: RelationContext,
): Relation {
  const isView = row.kind === 'view' || row.kind === 'materialized view';
  const columnNames = new Map(rows.map((column) => [column[0], column[1]]));
  const shown = isView ? shownColumns(oid, context.views) : showItself(oid, columnNames.keys());
  const columns = buildColumns(rows, context.types, isView);
  const lastModified = lastModifiedOf(row.description, columns);
  const table: Table = {
    ...row,
    description: withoutAcceptances(row.description),
    columns,
    primaryKey: shownKeys('p', shown, columnNames, context.constraints).flat(),
    uniqueKeys: shownKeys('any', shown, columnNames, context.constraints),
    access: context.access(oid, acl),
    tableAccess: context.tableAccess(acl),
    ...(lastModified === null ? {} : { lastModified }),
  };
  return { oid, name: { schema: row.schema, name: row.name }, isView, table, columnNames, shown };
}

const showItself = (oid: number, columns: Iterable<number>): ShownColumns =>
  new Map([[oid, new Map(Array.from(columns, (column) => [column, [column]]))]]);

/**
 * Returns the names of the columns of each key. A view has the keys of all tables that it shows completely; of a column
 * that it shows twice, the first one is used.
 */
function shownKeys(
  wanted: 'p' | 'any',
  shown: ShownColumns,
  columnNames: ReadonlyMap<number, string>,
  constraints: ReadonlyMap<number, readonly ConstraintRow[]>,
): string[][] {
  return [...shown].flatMap(([table, columns]) =>
    (constraints.get(table) ?? []).flatMap(([kind, key]) => {
      if (kind === 'f' || (wanted === 'p' && kind !== 'p')) return [];
      const names = key.flatMap((column) => columnNames.get(columns.get(column)?.[0] ?? 0) ?? []);
      return names.length === key.length ? [names] : [];
    }),
  );
}

type ColumnTypes = ReadonlyMap<string, ColumnTypeRow>;

const typeKey = (oid: number, modifier: number): string => `${oid}:${modifier}`;

export const buildColumnTypes = (rows: readonly ColumnTypeRow[]): ColumnTypes =>
  new Map(rows.map((row) => [typeKey(row.oid, row.modifier), row]));

/** @param isView whether an outer join may give null for a column whose domain is not null */
function buildColumns(rows: readonly ColumnRow[], types: ColumnTypes, isView: boolean): Map<string, Column> {
  const columns = new Map<string, Column>();
  for (const [
    ,
    name,
    oid,
    modifier,
    notNull,
    defaultSql,
    description,
    identity,
    generated,
    isProven,
  ] of rows) {
    const declared = types.get(typeKey(oid, modifier));
    // The column was added between two queries of this load; the next reload includes it.
    if (declared === undefined) continue;
    const nullable = !notNull && (isView || !declared.domainNotNull);
    columns.set(name, {
      name,
      description: withoutAcceptances(description),
      nullable,
      ...(nullable || isProven ? {} : { isUnproven: true }),
      default: generated === '' ? (defaultSql ?? declared.domainDefault) : null,
      identity: identity === 'a' ? 'always' : identity === 'd' ? 'by default' : null,
      generated: generated !== '',
      type: declared.type,
    });
  }
  return columns;
}

// The column with the time of the last change of a row, which a comment names.

/** A line of the comment of a relation: `last-modified: updated_at`. */
const LINE = /^[ \t]*last-modified:[ \t]*(\S.*?)[ \t]*\r?$/m;

const TYPES: ReadonlySet<string> = new Set(['timestamp with time zone', 'timestamp without time zone']);

/**
 * Returns the column that the comment names; null without such a line, or if the column does not exist or is no
 * timestamp.
 */
function lastModifiedOf(comment: string | null, columns: ReadonlyMap<string, Column>): string | null {
  const name = comment === null ? undefined : LINE.exec(comment)?.[1];
  const column = name === undefined ? undefined : columns.get(name);
  return column === undefined || !TYPES.has(column.type.baseName) ? null : column.name;
}

/**
 * `[attnum, name, type oid, type modifier, not null, default, description, identity, generated, whether the constraint that
 * it is not null is validated and holds for each row]`
 */
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
  isProven: boolean,
];

export interface TableRow extends Omit<
  Table,
  'columns' | 'primaryKey' | 'uniqueKeys' | 'access' | 'tableAccess' | 'lastModified'
> {
  readonly oid: number;
  /** Key of the access lists. */
  readonly acl: string;
  readonly columns: readonly ColumnRow[];
}

/**
 * $1: exposed schemas. Columns are aggregated for all relations together, so that PostgreSQL can hash its joins. The
 * default of an identity column is the call of its sequence. The bits 1, 2 and 4 of a trigger are FOR EACH ROW, BEFORE and
 * INSERT; those of `pg_relation_is_updatable` are 4 update, 8 insert, 16 delete.
 * Not null is not enforced for rows of another server, for those of tables that inherit, and, from PostgreSQL 18 on, for those
 * that are older than a constraint that is not validated.
 */
export const TABLES = `
with
  relations as (
    select c.oid, n.nspname, c.relname, c.relkind, c.relacl, c.relowner, c.relhasrules, c.relhastriggers, c.relhassubclass,
      case c.relkind
        when 'r' then not exists (select from pg_catalog.pg_inherits i where i.inhparent = c.oid)
        when 'p' then not exists (
          select from pg_catalog.pg_partition_tree(c.oid) tree
          join pg_catalog.pg_class leaf on leaf.oid = tree.relid and leaf.relkind = 'f'
        )
        else false
      end as enforces
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
  unvalidated as (
    select conrelid, conkey[1] as attnum
    from pg_catalog.pg_constraint
    where contype = 'n' and not convalidated
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
          a.attgenerated,
          a.attnotnull and r.enforces and unvalidated.attnum is null
        )
        order by a.attnum
      ) as list
    from relations r
    join pg_catalog.pg_attribute a on a.attrelid = r.oid
    left join pg_catalog.pg_attrdef ad on ad.adrelid = a.attrelid and ad.adnum = a.attnum
    left join identity_sequences i on i.refobjid = a.attrelid and i.refobjsubid = a.attnum
    left join pg_catalog.pg_description d
      on d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
      and d.objoid = a.attrelid
      and d.objsubid = a.attnum
    left join unvalidated on unvalidated.conrelid = a.attrelid and unvalidated.attnum = a.attnum
    where a.attnum > 0
      and not a.attisdropped
    group by a.attrelid
  )
select
  pg_catalog.json_build_object(
    'oid', r.oid::int8,
    'schema', r.nspname,
    'name', r.relname,
    'kind',
      case r.relkind
        when 'r' then 'table'
        when 'v' then 'view'
        when 'm' then 'materialized view'
        when 'f' then 'foreign table'
        else 'partitioned table'
      end,
    'description', d.description,
    'insertable', possible.events & 8 <> 0,
    'updatable', possible.events & 4 <> 0,
    'deletable', possible.events & 16 <> 0,
    'keepsInserts',
      r.relkind = 'r'
      and not r.relhasrules
      and not (
        r.relhastriggers and exists (
          select from pg_catalog.pg_trigger t
          where t.tgrelid = r.oid and not t.tgisinternal and t.tgtype & 7 = 7
        )
      ),
    'isInherited', r.relkind = 'r' and r.relhassubclass,
    'acl', coalesce(r.relacl, pg_catalog.acldefault('r', r.relowner))::text,
    'columns', coalesce(columns.list, '[]')
  )::text as entry
from relations r
cross join lateral (
  select
    case
      when r.relkind in ('r', 'p') then 28
      when r.relkind = 'm' then 0
      else pg_catalog.pg_relation_is_updatable(r.oid::pg_catalog.regclass, true)
    end as events
) possible
left join columns on columns.attrelid = r.oid
left join pg_catalog.pg_description d
  on d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
  and d.objoid = r.oid
  and d.objsubid = 0
order by r.nspname, r.relname
`;

/** The type of a column, with the constraints of its domain. */
export interface ColumnTypeRow {
  readonly oid: number;
  readonly modifier: number;
  readonly type: ColumnType;
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
    'type', pg_catalog.json_build_object(
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
      'isDomain', b.oid <> b.base
    ),
    'domainDefault', case when b.oid <> b.base then b.default_sql end,
    'domainNotNull', b.oid <> b.base and b.not_null
  )::text as entry
from bases b
join pg_catalog.pg_type base on base.oid = b.base and base.typtype <> 'd'
left join labels on labels.enumtypid = b.base
`;

/**
 * `['p' | 'u' | 'i', columns]` or `['f', columns, name, referenced table, referenced columns]`; columns by number. `i`: a
 * unique index without a constraint.
 */
export type ConstraintRow =
  | readonly [kind: 'p' | 'u' | 'i', columns: readonly number[]]
  | readonly [
      kind: 'f',
      columns: readonly number[],
      name: string,
      referenced: number,
      referencedColumns: readonly number[],
    ];

export interface TableConstraintsRow {
  readonly table: number;
  readonly constraints: readonly ConstraintRow[];
}

/**
 * Constraints and unique indexes of the tables of every schema, because views may show the keys of private tables. What
 * partitions inherit is omitted: it is that of the partitioned table. So are constraints with a period (PostgreSQL 18): a
 * foreign key is not an equation then, and no upsert can use a key. The tables of PostgreSQL itself have lower numbers.
 */
export const CONSTRAINTS = `
select
  pg_catalog.json_build_object(
    'table', c.conrelid::int8,
    'constraints',
      pg_catalog.json_agg(
        case c.contype
          when 'f' then
            pg_catalog.json_build_array(c.contype, c.conkey, c.conname, c.confrelid::int8, c.confkey)
          else pg_catalog.json_build_array(c.contype, c.conkey)
        end
        order by c.conname
      )
  )::text as entry
from (
  select conrelid, contype, conkey, conname, confrelid, confkey
  from pg_catalog.pg_constraint k
  where contype in ('p', 'u', 'f')
    and conrelid <> 0
    and conparentid = 0
    and not coalesce((pg_catalog.to_jsonb(k) ->> 'conperiod')::bool, false)
  union all
  select i.indrelid, 'i', (i.indkey::int2[])[0:i.indnkeyatts - 1], index.relname, null, null
  from pg_catalog.pg_index i
  join pg_catalog.pg_class index on index.oid = i.indexrelid and not index.relispartition
  join pg_catalog.pg_class t on t.oid = i.indrelid and t.relkind in ('r', 'p')
  where i.indrelid >= 16384
    and i.indisunique
    and i.indisvalid
    and i.indpred is null
    and i.indexprs is null
    and not exists (
      select from pg_catalog.pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u')
    )
) c
group by c.conrelid
order by c.conrelid
`;
