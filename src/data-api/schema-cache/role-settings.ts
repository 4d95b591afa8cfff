/**
 * Settings of roles. The service applies them itself, because it sets the role instead of logging in as it (data API
 * §1.15).
 */
import { type CatalogueTransaction, parseEntry, queryEntries } from './queries/catalogue.js';
import type { Isolation, RoleSettings } from './types.js';

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
with
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
      and pg_catalog.pg_has_role(r.oid, 'member')
  ),
  effective as (
    select distinct on (rolname, name) rolname, name, value
    from settings
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
    settings: settings.filter(([name]) => name !== ISOLATION_SETTING && !isCeiling(name)),
    isolation: isolation === undefined ? null : readIsolation(isolation[1]),
    ceilings: new Map(
      settings.flatMap(([name, value]) => (isCeiling(name) ? [[name.toLowerCase(), value]] : [])),
    ),
  };
}

/** Settings of roles that limit what the role may ask for. Those with `db_` are settings of the service, too. */
const CEILING_SETTINGS: readonly string[] = [
  'dbr.db_idempotency_role_bytes',
  'dbr.db_idempotency_role_rows',
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
