/** What a check knows of the database: tables, policies, privileges and functions, as plain values. */
import { PRELUDE } from '../lint/prelude.js';
import type { Session } from '../../../../src/face.js';

export interface Column {
  readonly name: string;
  readonly type: string;
  /** The category of the type (PostgreSQL manual, pg_type.typcategory). */
  readonly category: string;
  /** The first value of an enum; null for other types. */
  readonly label: string | null;
  readonly isGenerated: boolean;
  /** Whether its default takes a number from a sequence, which no rollback gives back. */
  readonly hasSequence: boolean;
}

export interface Policy {
  readonly name: string;
  readonly command: 'r' | 'a' | 'w' | 'd' | '*';
  readonly isPermissive: boolean;
  /** With those that inherit from them; empty for all roles. */
  readonly roles: readonly string[];
  readonly using: string | null;
  readonly check: string | null;
  /** Columns of its table that it names. */
  readonly columns: readonly string[];
  readonly readsOtherTables: boolean;
  /** Functions outside of pg_catalog that it calls, with their sources. */
  readonly functions: readonly { readonly name: string; readonly source: string }[];
}

export interface Grant {
  readonly role: string;
  readonly select: readonly string[];
  readonly insert: readonly string[];
  readonly update: readonly string[];
  readonly delete: boolean;
}

export interface ForeignKey {
  readonly columns: readonly string[];
  /** Of the table that it refers to. */
  readonly table: number;
  readonly keys: readonly string[];
  /** Whether a delete of the row that it refers to deletes its rows. */
  readonly cascades: boolean;
}

export interface Table {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** Whether requests can name it; others are read by exposed views. */
  readonly isExposed: boolean;
  /** As in pg_class.relkind: table, partitioned table, view, materialized view, foreign table. */
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f';
  /** Whether rows can be written, of a view into its table or by its triggers. */
  readonly isUpdatable: boolean;
  readonly hasRowSecurity: boolean;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  /** Columns of unique indexes, the primary key among them. */
  readonly uniques: readonly (readonly string[])[];
  /** First columns of indexes, of the types of PostgreSQL itself. */
  readonly indexed: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly policies: readonly Policy[];
  readonly grants: readonly Grant[];
  /** The tables that a view reads, be it through other views. */
  readonly reads: readonly number[];
  /** Functions of users that a plan of the table may call for any reader: those of indexes, statistics and columns. */
  readonly readCode: readonly string[];
  /** What runs code of users at a write: triggers (also behind actions of foreign keys), rules, volatile functions. */
  readonly writeCode: readonly string[];
}

/** A function with the rights of its owner. */
export interface Definer {
  readonly schema: string;
  readonly name: string;
  readonly isVolatile: boolean;
  /** Whether it takes a row of a table, as a computed column does. */
  readonly isComputed: boolean;
  readonly isBoolean: boolean;
  /** Types of the arguments that have no default. */
  readonly arguments: readonly string[];
  readonly argumentNames: readonly string[];
  /** The table whose rows it returns; null for none. */
  readonly returns: number | null;
  readonly roles: readonly string[];
}

export interface Catalogue {
  /** Roles that requests may run as, without those that no row security binds. */
  readonly roles: readonly string[];
  readonly tables: readonly Table[];
  readonly definers: readonly Definer[];
}

const BOUND = `
bound as (select r.oid, r.rolname from api_role as r where not r.rolsuper and not r.rolbypassrls and r.rolname not like 'pg\\_%')`;

const names = (attributes: string, relation: string): string => `array(
  select b.attname from unnest(${attributes}) with ordinality as u(number, place)
  join pg_attribute as b on b.attrelid = ${relation} and b.attnum = u.number order by u.place)`;

const granted = (privilege: string): string => `array(
  select a.attname from pg_attribute as a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and has_schema_privilege(r.oid, c.relnamespace, 'usage') and has_column_privilege(r.oid, c.oid, a.attnum, '${privilege}')
  order by a.attnum)`;

/** What a trigger that only assigns columns of its row does not contain. */
const WRITES = `'\\(|\\m(insert|update|delete|merge|execute|copy)\\M'`;

const TABLES = `${PRELUDE}, ${BOUND},
-- The functions that an object of the catalogue calls.
called as (
  select d.classid, d.objid, f.oid, 'function ' || f.oid::regproc::text as name, f.provolatile = 'v' as is_volatile, not exists (
    select from extension_object as x where x.classid = 'pg_proc'::regclass and x.objid = f.oid) as is_of_user
  from pg_depend as d join pg_proc as f on f.oid = d.refobjid and f.prokind = 'f' and f.oid >= 16384
  where d.refclassid = 'pg_proc'::regclass
),
-- The tables above partitions and tables that inherit.
above(child, parent) as (
  select i.inhrelid, i.inhparent from pg_inherits as i
  union
  select above.child, i.inhparent from above join pg_inherits as i on i.inhrelid = above.parent
),
-- The relations that each exposed one reads.
behind(top, oid) as (
  select relation.oid, relation.oid from relation where relation.relkind in ('r', 'p', 'v', 'm', 'f')
  union
  -- A view of a partition reads rows of the table.
  select behind.top, coalesce(pg_partition_root(d.refobjid), d.refobjid) from behind
  join pg_class as v on v.oid = behind.oid and v.relkind in ('v', 'm')
  join pg_rewrite as w on w.ev_class = v.oid
  join pg_depend as d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
    and d.refclassid = 'pg_class'::regclass and d.refobjid >= 16384
),
-- The tables that a write of each one changes, by actions of foreign keys.
written(top, oid) as (
  select relation.oid, relation.oid from relation where relation.relkind in ('r', 'p')
  union
  select written.top, k.conrelid from written
  join pg_constraint as k on k.confrelid = written.oid and k.contype = 'f' and (k.confupdtype in ('c', 'n') or k.confdeltype in ('c', 'n'))
)
select json_build_object(
  'oid', c.oid::bigint, 'schema', n.nspname, 'name', c.relname, 'isExposed', n.nspname = any ($1), 'kind', c.relkind,
  'isUpdatable', pg_relation_is_updatable(c.oid, true) & 28 <> 0, 'hasRowSecurity', c.relrowsecurity,
  'columns', array(
    select json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'category', t.typcategory,
      'isGenerated', a.attgenerated <> '',
      'label', (select e.enumlabel from pg_enum as e where e.enumtypid = t.oid order by e.enumsortorder limit 1),
      'hasSequence', a.attidentity <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid) like '%nextval(%', false))
    from pg_attribute as a
    join pg_type as t on t.oid = a.atttypid
    left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum),
  'key', coalesce((select ${names('i.indkey::int2[]', 'c.oid')} from pg_index as i where i.indrelid = c.oid and i.indisprimary), '{}'),
  'uniques', array(
    select to_json(${names('i.indkey::int2[]', 'c.oid')}) from pg_index as i
    where i.indrelid = c.oid and i.indisunique and i.indexprs is null and i.indpred is null order by i.indexrelid),
  'indexed', array(
    select distinct a.attname from pg_index as i
    join pg_attribute as a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    join pg_class as x on x.oid = i.indexrelid join pg_am as m on m.oid = x.relam and m.amname = 'btree'
    where i.indrelid = c.oid and i.indpred is null and a.atttypid < 16384),
  'foreignKeys', array(
    select json_build_object('columns', ${names('k.conkey', 'k.conrelid')}, 'table', k.confrelid::bigint,
      'keys', ${names('k.confkey', 'k.confrelid')}, 'cascades', k.confdeltype = 'c')
    from pg_constraint as k where k.conrelid = c.oid and k.contype = 'f' order by k.conname),
  'policies', array(
    select json_build_object('name', p.polname, 'command', p.polcmd, 'isPermissive', p.polpermissive,
      'roles', array(
        select r.rolname from pg_roles as r where r.oid = any (p.polroles)
        union
        select r.rolname from bound as r, unnest(p.polroles) as named(oid) where named.oid <> 0 and pg_has_role(r.oid, named.oid, 'usage')),
      'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid),
      'columns', array(select distinct a.attname from pg_depend as d
        join pg_attribute as a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refobjid = p.polrelid and d.refobjsubid > 0),
      'readsOtherTables', exists (select from pg_depend as d where d.classid = 'pg_policy'::regclass and d.objid = p.oid
        and d.refclassid = 'pg_class'::regclass and (d.refobjid <> p.polrelid
          or concat(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) ~ '\\mFROM\\M')),
      'functions', array(
        select json_build_object('name', called.oid::regproc::text, 'source', coalesce(pg_get_functiondef(called.oid), ''))
        from called where called.classid = 'pg_policy'::regclass and called.objid = p.oid order by called.oid))
    -- A table without row security is judged by the policies that it lacks.
    from pg_policy as p where p.polrelid = c.oid
      or (not c.relrowsecurity and p.polrelid in (select above.parent from above where above.child = c.oid))
    order by p.polname),
  'grants', array(
    select json_build_object('role', r.rolname, 'select', ${granted('select')}, 'insert', ${granted('insert')},
      'update', ${granted('update')}, 'delete', has_schema_privilege(r.oid, c.relnamespace, 'usage')
        and has_table_privilege(r.oid, c.oid, 'delete'))
    from bound as r order by r.rolname),
  'reads', array(select b.oid::bigint from behind join pg_class as b on b.oid = behind.oid and b.relkind in ('r', 'p')
    where behind.top = c.oid and b.oid <> c.oid order by b.oid),
  'readCode', array(
    select distinct called.name from called where called.is_of_user and (called.classid, called.objid) in (
      select 'pg_class'::regclass::oid, c.oid
      union all
      select 'pg_class'::regclass::oid, i.indexrelid from pg_index as i
      where i.indrelid = c.oid or i.indrelid in (select tree.relid from pg_partition_tree(c.oid) as tree)
      union all
      select 'pg_statistic_ext'::regclass::oid, s.oid from pg_statistic_ext as s where s.stxrelid = c.oid
      union all
      select 'pg_attrdef'::regclass::oid, e.oid from pg_attrdef as e
      join pg_attribute as a on a.attrelid = e.adrelid and a.attnum = e.adnum and a.attgenerated = 'v'
      where e.adrelid = c.oid)),
  'writeCode', array(
    select 'trigger ' || g.tgname from written join pg_trigger as g on g.tgrelid = written.oid
    join pg_proc as f on f.oid = g.tgfoid join pg_language as l on l.oid = f.prolang
    where written.top = c.oid and not g.tgisinternal and g.tgenabled <> 'D' and not (l.lanname = 'plpgsql'
      and regexp_replace(f.prosrc, '\\m(now|timezone|coalesce|nullif|lower|upper|trim)\\s*\\(', '', 'gi') !~* ${WRITES})
      and not exists (select from extension_object as x where x.classid = 'pg_proc'::regclass and x.objid = f.oid)
    union all
    select 'rule ' || w.rulename from pg_rewrite as w where w.ev_class = c.oid and c.relkind in ('r', 'p')
    union all
    select 'foreign key ' || k.conname from written join pg_constraint as k on k.confrelid = written.oid
    where written.top = c.oid and k.contype = 'f' and 'd' in (k.confupdtype, k.confdeltype)
    union all
    select distinct called.name from called
    where called.is_volatile and called.is_of_user and (called.classid, called.objid) in (
      select 'pg_attrdef'::regclass::oid, e.oid from pg_attrdef as e where e.adrelid = c.oid
      union all
      select 'pg_constraint'::regclass::oid, k.oid from pg_constraint as k where k.conrelid = c.oid
      union all
      select 'pg_policy'::regclass::oid, p.oid from pg_policy as p where p.polrelid = c.oid))
) as value
from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
where c.oid in (select behind.oid from behind) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
order by n.nspname, c.relname`;

const DEFINERS = `${PRELUDE}, ${BOUND}
select json_build_object(
  'schema', f.nspname, 'name', f.proname, 'isVolatile', f.provolatile = 'v',
  'isComputed', exists (select from pg_class as c where c.reltype = any (f.proargtypes) and c.relkind <> 'c'),
  'isBoolean', f.prorettype = 'boolean'::regtype,
  'arguments', array(select format_type(t.type, null) from unnest(f.proargtypes::oid[]) with ordinality as t(type, place)
    where t.place <= f.pronargs - f.pronargdefaults order by t.place),
  'argumentNames', coalesce(f.proargnames, '{}'),
  'returns', (select c.oid::bigint from pg_class as c where c.reltype = f.prorettype and c.relkind in ('r', 'p')),
  'roles', array(select r.rolname from bound as r where has_schema_privilege(r.oid, f.pronamespace, 'usage')
    and has_function_privilege(r.oid, f.oid, 'execute') order by r.rolname)
) as value
from callable as f where f.prosecdef and f.prokind = 'f' and f.prorettype <> 'void'::regtype order by f.nspname, f.oid`;

/** @param session of the authenticator, whose search path is empty, so that PostgreSQL prints qualified names */
export async function readCatalogue(
  session: Session,
  schemas: readonly string[],
  anonymousRole: string | null,
): Promise<Catalogue> {
  const parameters = [[...schemas], anonymousRole, []];
  const roles = await session.query(`${PRELUDE}, ${BOUND} select rolname from bound order by 1`, parameters);
  const tables = await session.query(TABLES, parameters);
  const definers = await session.query(DEFINERS, parameters);
  return {
    roles: roles.map(({ rolname }) => String(rolname)),
    // The queries make values of these types.
    tables: tables.map(({ value }) => value as Table),
    definers: definers.map(({ value }) => value as Definer),
  };
}

const NO_GRANT = { select: [], insert: [], update: [], delete: false };

export const grantOf = (table: Table, role: string): Grant =>
  table.grants.find((grant) => grant.role === role) ?? { ...NO_GRANT, role };
