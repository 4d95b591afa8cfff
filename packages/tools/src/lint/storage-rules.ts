/** Rules about keys, indexes and extensions. */
import { PRELUDE } from './prelude.js';
import type { Rule } from './rule.js';

export const TABLE_WITHOUT_PRIMARY_KEY: Rule = {
  name: 'table-without-primary-key',
  level: 'warning',
  meaning: 'A table that API roles may use has no primary key.',
  needsDecision: true,
  sql: `${PRELUDE}
select c.object,
  'It has no primary key: its rows cannot be named, upserted or paged by key.' as message,
  pg_catalog.format('alter table %s add column %I bigint generated always as identity primary key', c.object,
    case when exists (
      select from pg_catalog.pg_attribute as a where a.attrelid = c.oid and a.attname = 'id' and not a.attisdropped
    ) then 'row_id' else 'id' end) as cure
from relation as c
join reachable on reachable.oid = c.oid
where c.relkind in ('r', 'p') and not c.relispartition
  and not exists (select from pg_catalog.pg_index as i where i.indrelid = c.oid and i.indisprimary)
order by c.object`,
};

/** The indexes of exposed tables. */
const INDEXES = `${PRELUDE},
index as (
  select i.*, t.object as table_name, pg_catalog.format('%I.%I', t.nspname, x.relname) as object, x.relam,
    pg_catalog.pg_get_expr(i.indexprs, i.indrelid) as expressions, pg_catalog.pg_get_expr(i.indpred, i.indrelid) as predicate,
    exists (select from pg_catalog.pg_constraint as k where k.conindid = i.indexrelid) as is_constraint
  from pg_catalog.pg_index as i
  join relation as t on t.oid = i.indrelid
  join pg_catalog.pg_class as x on x.oid = i.indexrelid and not x.relispartition
)`;

export const DUPLICATE_INDEX: Rule = {
  name: 'duplicate-index',
  level: 'warning',
  meaning: 'Two indexes of a table are equal; each write maintains both.',
  sql: `${INDEXES}
select distinct on (b.object) b.object,
  pg_catalog.format('%s of %s is equal.', a.object, a.table_name) as message,
  pg_catalog.format('drop index %s', b.object) as cure
from index as a
join index as b on b.indrelid = a.indrelid and b.indexrelid <> a.indexrelid and not b.is_constraint
  and b.relam = a.relam and b.indkey = a.indkey and b.indclass = a.indclass and b.indcollation = a.indcollation
  and b.indoption = a.indoption and b.indnatts = a.indnatts
  and b.expressions is not distinct from a.expressions and b.predicate is not distinct from a.predicate
  and (a.indisunique or not b.indisunique)
  and (a.is_constraint or (a.indisunique and not b.indisunique) or (a.indisunique = b.indisunique and a.indexrelid < b.indexrelid))
where a.indisvalid
order by b.object, a.object`,
};

export const INVALID_INDEX: Rule = {
  name: 'invalid-index',
  level: 'warning',
  meaning:
    'An index is invalid, as a failed create index concurrently leaves it: no query uses it, each write maintains it.',
  sql: `${INDEXES}
select i.object,
  pg_catalog.format('It is an invalid index of %s: no query uses it.', i.table_name) as message,
  pg_catalog.format('reindex index %s', i.object) as cure
from index as i
where not i.indisvalid
order by i.object`,
};

/** Uses of a table after which an index without a use counts as unused. */
const MANY_SCANS = 1000;

export const UNUSED_INDEX: Rule = {
  name: 'unused-index',
  level: 'info',
  meaning: `No query has used an index, while its table was read ${String(MANY_SCANS)} times or more.`,
  needsDecision: true,
  sql: `${INDEXES}
select i.object,
  pg_catalog.format('No query has used it, and %s was read %s times since statistics began.', i.table_name, s.seq_scan + coalesce(s.idx_scan, 0)) as message,
  pg_catalog.format('drop index %s', i.object) as cure
from index as i
join pg_catalog.pg_stat_all_indexes as x on x.indexrelid = i.indexrelid and x.idx_scan = 0
join pg_catalog.pg_stat_all_tables as s on s.relid = i.indrelid and s.seq_scan + coalesce(s.idx_scan, 0) >= ${String(MANY_SCANS)}
where not i.indisunique and not i.is_constraint and i.indisvalid and not exists (
  select from pg_catalog.pg_constraint as k
  where k.contype = 'f' and k.conrelid = i.indrelid
    and (i.indkey::int2[])[0:pg_catalog.cardinality(k.conkey) - 1] @> k.conkey
)
order by i.object`,
};

export const EXTENSION_EXPOSED: Rule = {
  name: 'extension-in-exposed-schema',
  level: 'warning',
  meaning: 'An extension is in an exposed schema, so that its functions and tables are part of the data API.',
  needsDecision: true,
  sql: `${PRELUDE}
select pg_catalog.quote_ident(x.extname) as object,
  pg_catalog.format('The extension is in the schema %s: requests can call its functions.', e.nspname) as message,
  pg_catalog.format('create schema if not exists extensions; alter extension %I set schema extensions', x.extname) as cure
from pg_catalog.pg_extension as x
join exposed as e on e.oid = x.extnamespace
where x.extrelocatable
order by object`,
};

export const EXTENSION_OUTDATED: Rule = {
  name: 'extension-outdated',
  level: 'info',
  meaning: 'The server has a later version of an extension than the database.',
  needsDecision: true,
  sql: `${PRELUDE}
select pg_catalog.quote_ident(x.extname) as object,
  pg_catalog.format('The database has version %s, the server %s.', x.extversion, a.default_version) as message,
  pg_catalog.format('alter extension %I update', x.extname) as cure
from pg_catalog.pg_extension as x
join pg_catalog.pg_available_extensions as a on a.name = x.extname
where a.default_version <> x.extversion
order by object`,
};

/** PostgreSQL compares such values as texts then, if it can, or finds no operator. */
export const OPERATORS_OUTSIDE_SEARCH_PATH: Rule = {
  name: 'operators-outside-search-path',
  level: 'warning',
  meaning: 'A column has a type whose operators are in a schema that requests do not search.',
  sql: `${PRELUDE},
base(type, base) as (
  select t.oid, t.oid from pg_catalog.pg_type as t
  union
  select base.type, t.typbasetype from base join pg_catalog.pg_type as t on t.oid = base.base and t.typtype = 'd'
)
select t.oid::pg_catalog.regtype::text as object,
  pg_catalog.format('Filters of %s do not find its operators, which are in the schema %I.',
    pg_catalog.string_agg(distinct pg_catalog.format('%s.%I', c.object, a.attname), ', '), n.nspname) as message,
  pg_catalog.format('alter role %I set dbr.db_extra_search_path = %L', session_user,
    pg_catalog.array_to_string($3::text[] || n.nspname::text, ', ')) as cure
from relation as c
join reachable on reachable.oid = c.oid
join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join base on base.type = a.atttypid
join pg_catalog.pg_type as t on t.oid = base.base and t.typtype <> 'd'
join pg_catalog.pg_operator as o on o.oprleft = t.oid and o.oprname = '='
join pg_catalog.pg_namespace as n on n.oid = o.oprnamespace and n.nspname <> 'pg_catalog'
where n.oid not in (select searched.oid from searched)
group by t.oid, n.nspname
order by object`,
};
