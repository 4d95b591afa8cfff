/**
 * What a request reads beyond the relations that it names: tables below views and in policies, partitions, bodies of
 * functions. PostgreSQL records these dependencies, except for those of functions whose bodies are texts.
 */
import { asPostgresError, type Database } from '../postgres/database.js';
import { quoteQualified, type Sql, sql } from '../postgres/sql.js';
import type { QualifiedName } from '../data-api/schema-cache/types.js';
import { parseEntry, queryEntries } from '../data-api/schema-cache/catalogue.js';
import { PUBLICATION } from './feed.js';

/** A table whose changes may change an answer. */
export interface ReadTable extends QualifiedName {
  readonly oid: number;
  /** Whether its policies read the table itself: then every row may decide about every other one. */
  readonly readsItself: boolean;
  /** Columns in which different texts are equal (nondeterministic collations). */
  readonly inexact: readonly string[];
}

export interface Dependencies {
  readonly tables: readonly ReadTable[];
  /** The oids of all relations and functions, each as a text. */
  readonly objects: readonly string[];
  /** What can change an answer and is in no log, in words; empty if the log shows all changes. */
  readonly unlogged: readonly string[];
}

interface Found extends ReadTable {
  readonly kind: string;
  readonly isPublished: boolean;
  /** Whether the log has a key of each row that is updated or deleted. PostgreSQL refuses both in a publication without one. */
  readonly hasIdentity: boolean;
}

interface FoundRow {
  readonly tables: readonly Found[];
  readonly objects: readonly string[];
  /** Functions whose bodies are texts, so that nothing is recorded of what they read. */
  readonly functions: readonly string[];
  /** Whether a view or policy depends on the time. */
  readonly readsClock: boolean;
}

/** Names without a schema are those of the catalogue. */
export const OF_THE_CATALOGUE = sql`set local search_path = pg_catalog`;

/**
 * $1, $2: schemas and names of relations; $3, $4: those of functions; $5: the publication. Trees of expressions name each
 * function by its number: 1299, 1386, 2647 and 2648 are now, age, transaction_timestamp and statement_timestamp; volatile
 * ones read a clock or a random number.
 */
const SELECT_DEPENDENCIES: Sql = sql`
with recursive
named as (
  select class.oid
  from unnest($1::text[], $2::text[]) as wanted (schema, name)
  join pg_namespace schema on schema.nspname = wanted.schema
  join pg_class class on class.relnamespace = schema.oid and class.relname = wanted.name
),
called as (
  select routine.oid
  from unnest($3::text[], $4::text[]) as wanted (schema, name)
  join pg_namespace schema on schema.nspname = wanted.schema
  join pg_proc routine on routine.pronamespace = schema.oid and routine.proname = wanted.name
),
reached (class, object) as (
  select 'pg_class'::regclass::oid, oid from named
  union
  select 'pg_proc'::regclass::oid, oid from called
  union
  select next.class, next.object
  from reached
  cross join lateral (
    select depend.refclassid, depend.refobjid
    from pg_rewrite rule
    join pg_depend depend
      on depend.classid = 'pg_rewrite'::regclass and depend.objid = rule.oid
    where reached.class = 'pg_class'::regclass and rule.ev_class = reached.object and rule.ev_type = '1'
    union all
    select depend.refclassid, depend.refobjid
    from pg_policy policy
    join pg_depend depend
      on depend.classid = 'pg_policy'::regclass and depend.objid = policy.oid
    where reached.class = 'pg_class'::regclass and policy.polrelid = reached.object
    union all
    select reached.class, inherits.inhrelid
    from pg_inherits inherits
    where reached.class = 'pg_class'::regclass and inherits.inhparent = reached.object
    union all
    select reached.class, inherits.inhparent
    from pg_inherits inherits
    join pg_class part on part.oid = inherits.inhrelid and part.relispartition
    where reached.class = 'pg_class'::regclass and inherits.inhrelid = reached.object
    union all
    select depend.refclassid, depend.refobjid
    from pg_depend depend
    where reached.class = 'pg_proc'::regclass
      and depend.classid = reached.class and depend.objid = reached.object
    union all
    select 'pg_proc'::regclass, operator.oprcode
    from pg_operator operator
    where reached.class = 'pg_operator'::regclass and operator.oid = reached.object
  ) as next (class, object)
  where next.class in (
    'pg_class'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass
  )
),
trees as (
  select policy.polqual::text as tree, policy.polrelid as relation
  from pg_policy policy
  join reached on reached.class = 'pg_class'::regclass and reached.object = policy.polrelid
  union all
  select rule.ev_action::text, null
  from pg_rewrite rule
  join reached on reached.class = 'pg_class'::regclass and reached.object = rule.ev_class
  where rule.ev_type = '1'
),
tables as (
  select
    class.oid::int8 as oid, schema.nspname as schema, class.relname as name, class.relkind as kind,
    exists (
      select from pg_publication_tables published
      where published.pubname = $5
        and published.schemaname = schema.nspname and published.tablename = class.relname
    ) as "isPublished",
    case class.relreplident
      when 'f' then true
      when 'i' then exists (
        select from pg_index index where index.indrelid = class.oid and index.indisreplident
      )
      when 'd' then exists (
        select from pg_index index where index.indrelid = class.oid and index.indisprimary
      )
      else false
    end as "hasIdentity",
    exists (
      select from trees where trees.relation = class.oid and trees.tree like '%:relid ' || class.oid || ' %'
    ) as "readsItself",
    array (
      select attribute.attname
      from pg_attribute attribute
      join pg_collation rules on rules.oid = attribute.attcollation
      where attribute.attrelid = class.oid and not rules.collisdeterministic
    ) as inexact
  from reached
  join pg_class class
    on reached.class = 'pg_class'::regclass and class.oid = reached.object
  join pg_namespace schema on schema.oid = class.relnamespace
  where class.relkind in ('r', 'p', 'm', 'f') and not class.relispartition and class.relnamespace <> 'pg_catalog'::regnamespace
),
functions as (
  select routine.oid::regprocedure::text as name
  from reached
  join pg_proc routine
    on reached.class = 'pg_proc'::regclass and routine.oid = reached.object
  join pg_language language on language.oid = routine.prolang
  where routine.prosqlbody is null
    and not (language.lanname in ('c', 'internal') and routine.provolatile <> 'v')
)
select json_build_object(
  'tables', coalesce((select json_agg(tables) from tables), '[]'),
  'objects', coalesce((
    select json_agg(reached.object::text)
    from reached
    where reached.class <> 'pg_operator'::regclass and reached.object >= 16384
  ), '[]'),
  'functions', coalesce((select json_agg(name) from functions), '[]'),
  'readsClock', exists (
    select
    from trees
    where trees.tree ~ 'SQLVALUEFUNCTION :op [0-8] '
      or exists (
        select
        from regexp_matches(trees.tree, ':(?:funcid|opfuncid) ([0-9]+)', 'g') as called (number)
        join pg_proc routine on routine.oid = called.number[1]::oid
        where routine.provolatile = 'v' or routine.oid in (1299, 1386, 2647, 2648)
      )
  )
)::text as entry`;

/** What a request names. */
export interface NamedObjects {
  readonly relations: readonly QualifiedName[];
  readonly functions: readonly QualifiedName[];
}

/** @throws PostgresError, ConnectFailed */
export async function readDependencies(database: Database, named: NamedObjects): Promise<Dependencies> {
  try {
    return await dependenciesOf(database, named);
  } catch (error) {
    throw asPostgresError(error, database);
  }
}

async function dependenciesOf(
  database: Database,
  { relations, functions }: NamedObjects,
): Promise<Dependencies> {
  const parameters = [relations, functions].flatMap((names) => [
    names.map(({ schema }) => schema),
    names.map(({ name }) => name),
  ]);
  const entry = await database.tx(async (transaction) => {
    await transaction.none(OF_THE_CATALOGUE);
    const [read] = await queryEntries(transaction, SELECT_DEPENDENCIES, ...parameters, PUBLICATION);
    return read ?? '';
  });
  const found = parseEntry<FoundRow>(entry);
  const published = await publish(database, found.tables);
  const unlogged = [
    ...found.tables.filter((table) => !published.has(table.oid)).map(unloggedTable),
    ...found.functions.map((name) => `the body of the function ${name} is a text`),
    ...(found.readsClock ? ['a view or a policy depends on the time'] : []),
  ];
  return { tables: found.tables, objects: found.objects, unlogged };
}

const unloggedTable = ({ schema, name, kind, hasIdentity }: Found): string => {
  const table = `${schema}.${name}`;
  if (kind === 'f') return `the rows of ${table} are on another server`;
  if (kind === 'm') return `${table} is a materialized view`;
  return hasIdentity ? `${table} is not in the publication ${PUBLICATION}` : `${table} has no primary key`;
};

/**
 * Adds tables to the publication where the login may. A table without a replica identity is left out: PostgreSQL would
 * refuse to update it.
 * @returns the oids of those that are in it
 */
async function publish(database: Database, tables: readonly Found[]): Promise<ReadonlySet<number>> {
  const published = new Set(tables.filter(({ isPublished }) => isPublished).map(({ oid }) => oid));
  for (const { oid, schema, name, kind, isPublished, hasIdentity } of tables) {
    if (isPublished || !hasIdentity || (kind !== 'r' && kind !== 'p')) continue;
    const added = await addTable(database, { schema, name }).then(
      () => true,
      (error: unknown) => codeOf(error) === DUPLICATE_OBJECT,
    );
    if (added) published.add(oid);
  }
  return published;
}

/** Another process has added the table. */
const DUPLICATE_OBJECT = '42710';

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : null;

/** Waits shortly for a lock of the table: a migration may hold it for long, and other statements wait behind this one. */
const addTable = (database: Database, { schema, name }: QualifiedName): Promise<void> =>
  database.tx<void>(async (transaction) => {
    await transaction.none(sql`set local lock_timeout = '1s'`);
    await transaction.none(sql`alter publication dbr_live add table only ${quoteQualified(schema, name)}`);
  });
