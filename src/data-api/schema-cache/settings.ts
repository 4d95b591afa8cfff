/**
 * Settings in the database: those of the service (data API §1.16), and those of roles, which the service applies itself,
 * because it sets the role instead of logging in as it (§1.15).
 */
import type { DatabaseEntry } from '../../settings/load.js';
import { quoteDotted } from '../../postgres/sql.js';
import {
  inOrder,
  parseEntry,
  queryEntries,
  type CatalogueDatabase,
  type CatalogueTransaction,
} from './catalogue.js';
import type { Isolation, RoleSettings } from './types.js';

/** The settings of roles, in this database and in all. */
const SETTINGS = `
  settings as (
    select
      r.rolname,
      s.setdatabase,
      pg_catalog.split_part(setting, '=', 1) as name,
      pg_catalog.substr(setting, pg_catalog.strpos(setting, '=') + 1) as value
    from pg_catalog.pg_db_role_setting s
    join pg_catalog.pg_roles r on r.oid = s.setrole
    cross join lateral pg_catalog.unnest(s.setconfig) setting
    where s.setdatabase in (
        0,
        (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())
      )
  )`;

/** $1: names of settings, with prefix, of the authenticator. Settings for this database win over those for all. */
const ROLE_SETTINGS = `
with ${SETTINGS}
select distinct on (name) pg_catalog.json_build_array(name, value)::text as entry
from settings
where rolname = current_user
  and name = any ($1)
order by name, setdatabase desc
`;

/** $1: a prefix. Names of settings of the authenticator that begin with it. */
const PREFIXED_SETTINGS = `
with ${SETTINGS}
select distinct pg_catalog.to_json(name)::text as entry
from settings
where rolname = current_user
  and pg_catalog.strpos(name, $1) = 1
order by entry
`;

/** $1: names of settings, with prefix. The settings that a function has set in this transaction. */
const CURRENT_SETTINGS = `
select pg_catalog.json_build_array(name, pg_catalog.current_setting(name, true))::text as entry
from pg_catalog.unnest($1::pg_catalog.text[]) name
where pg_catalog.current_setting(name, true) is not null
`;

interface DatabaseSettingsOptions {
  /** Names of the settings that the database may hold, such as `db-schemas`. */
  readonly names: readonly string[];
  /** What settings in the database begin with, as `dbr.` in `dbr.db_schemas`. Of one setting that of the last prefix wins. */
  readonly prefixes: readonly string[];
  /**
   * `db-pre-config` of file and environment: a function to call, as `schema.name` or `name`, which sets settings of its
   * transaction by `set_config`; null for none. That of the role takes its place.
   */
  readonly preConfig: string | null;
}

/** A setting and its name in the database, such as `dbr.db_schemas`. */
export type DatabaseSetting = DatabaseEntry;

/**
 * Reads the settings in one transaction, which is read-only unless the function is volatile. A setting of the role
 * takes precedence over one that the function sets.
 * @returns settings by name, for example `db-schemas`
 * @throws the error of the database, for example if the function does not exist
 */
export async function loadDatabaseSettings(
  database: CatalogueDatabase,
  options: DatabaseSettingsOptions,
): Promise<ReadonlyMap<string, DatabaseSetting>> {
  const byDatabaseName = new Map(
    options.prefixes.flatMap((prefix) =>
      options.names.map((name) => [prefix + name.replaceAll('-', '_'), name] as const),
    ),
  );
  const names = [...byDatabaseName.keys()];
  const named = (pairs: readonly Pair[]): ReadonlyMap<string, DatabaseSetting> =>
    new Map(
      pairs.flatMap(([inDatabase, text]) => {
        const name = byDatabaseName.get(inDatabase);
        return name === undefined ? [] : [[name, { inDatabase, text }] as const];
      }),
    );
  return database.tx(async (transaction) => {
    const [, pairs] = await inOrder([
      queryEntries(transaction, 'set transaction read only'),
      queryPairs(transaction, ROLE_SETTINGS, names),
    ]);
    const ofRole = named(pairs);
    const preConfig = ofRole.get('db-pre-config')?.text ?? options.preConfig ?? '';
    if (preConfig === '') return ofRole;
    return new Map([...named(await readFromFunction(transaction, names, preConfig)), ...ofRole]);
  });
}

/** The names of the authenticator's settings that begin with a prefix, in order. */
export async function settingsWithPrefix(
  database: CatalogueTransaction,
  prefix: string,
): Promise<readonly string[]> {
  const entries = await queryEntries(database, PREFIXED_SETTINGS, prefix);
  return entries.map((entry) => parseEntry<string>(entry));
}

type Pair = readonly [name: string, value: string];

async function readFromFunction(
  transaction: CatalogueTransaction,
  names: readonly string[],
  preConfig: string,
): Promise<readonly Pair[]> {
  const [, pairs] = await inOrder([
    queryEntries(transaction, `select ${quoteDotted(preConfig)}()`),
    queryPairs(transaction, CURRENT_SETTINGS, names),
  ]);
  return pairs;
}

/** In the order of the names, so that of one setting the last prefix wins. */
async function queryPairs(
  transaction: CatalogueTransaction,
  query: string,
  names: readonly string[],
): Promise<readonly Pair[]> {
  const entries = await queryEntries(transaction, query, names);
  const places = new Map(names.map((name, place) => [name, place] as const));
  const placeOf = ([name]: Pair): number => places.get(name) ?? 0;
  return entries
    .map((entry) => parseEntry<Pair>(entry))
    .sort((left, right) => placeOf(left) - placeOf(right));
}

interface RoleSettingsRow {
  readonly role: string;
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/**
 * Settings of all roles that the authenticator may become; those for this database take precedence over those for all
 * databases. Only parameters that every user may set, or (since PostgreSQL 15) that the authenticator may set by a
 * grant, and those of `$1`, which the service reads itself.
 */
const roleSettingsQuery = (serverVersion: number): string => `
with ${SETTINGS},
  effective as (
    select distinct on (rolname, name) rolname, name, value
    from settings
    where pg_catalog.pg_has_role(rolname, 'member')
    order by rolname, name, setdatabase desc
  )
select
  pg_catalog.json_build_object(
    'role', e.rolname,
    'settings', pg_catalog.json_agg(pg_catalog.json_build_array(e.name, e.value) order by e.name)
  )::text as entry
from effective e
left join pg_catalog.pg_settings p on pg_catalog.lower(p.name) = pg_catalog.lower(e.name)
where p.context = 'user'
  or pg_catalog.lower(e.name) = any ($1)
${serverVersion >= 150_000 ? "  or pg_catalog.has_parameter_privilege(p.name, 'set')" : ''}
group by e.rolname
`;

/** @returns by role; a role without settings is absent. */
export async function queryRoleSettings(
  transaction: CatalogueTransaction,
  serverVersion: number,
): Promise<ReadonlyMap<string, RoleSettings>> {
  const entries = await queryEntries(transaction, roleSettingsQuery(serverVersion), CEILING_SETTINGS);
  const rows = entries.map((entry) => parseEntry<RoleSettingsRow>(entry));
  return new Map(rows.map((row) => [row.role, buildRoleSettings(row)]));
}

function buildRoleSettings({ settings }: RoleSettingsRow): RoleSettings {
  const isolation = settings.find(([name]) => name === ISOLATION_SETTING);
  const isCeiling = (name: string): boolean => CEILING_SETTINGS.includes(name.toLowerCase());
  return {
    settings: settings.filter(
      ([name]) => name !== ISOLATION_SETTING && !NEVER_APPLIED.has(name) && !isCeiling(name),
    ),
    isolation: isolation === undefined ? null : readIsolation(isolation[1]),
    ceilings: new Map(
      settings.flatMap(([name, value]) => (isCeiling(name) ? [[name.toLowerCase(), value]] : [])),
    ),
  };
}

/** The service sends and reads UTF-8: in another encoding it would store other letters. */
const NEVER_APPLIED: ReadonlySet<string> = new Set(['client_encoding']);

/** Settings of roles that limit what the role may ask for. Those with `db_` are settings of the service, too. */
const CEILING_SETTINGS: readonly string[] = [
  'dbr.db_max_cost',
  'dbr.db_max_result_bytes',
  'dbr.db_shapes',
  'dbr.operators',
  'dbr.orders',
];

/** Read uncommitted is read committed in PostgreSQL (manual, chapter 13.2). */
export function readIsolation(text: string): Isolation {
  const level = text.toLowerCase();
  return level === 'serializable' || level === 'repeatable read' ? level : 'read committed';
}

/** A setting of the catalogue (`name=value`) as a pair. */
export type Setting = readonly [name: string, value: string];

export function readSetting(text: string): Setting {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}

export const ISOLATION_SETTING = 'default_transaction_isolation';
