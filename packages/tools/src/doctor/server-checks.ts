/** Checks of a connection: server and version, TLS, clock, limits. */
import type { Session } from '../../../../src/face.js';
import { fault, ok, warning, type Check } from './check.js';

/** The properties of the server and of the role on which other checks depend. */
export interface ServerFacts {
  readonly role: string;
  readonly maxConnections: number;
  /** Connections that the role may have; null for no limit of its own. */
  readonly roleLimit: number | null;
}

const FACTS = `
select
  pg_catalog.current_setting('server_version') as version,
  pg_catalog.current_setting('server_version_num')::integer as number,
  pg_catalog.current_database()::text as database,
  session_user::text as role,
  pg_catalog.pg_is_in_recovery() as standby,
  pg_catalog.pg_backend_pid() as process_id,
  extract(epoch from pg_catalog.clock_timestamp())::double precision * 1000 as now,
  coalesce((select ssl from pg_catalog.pg_stat_ssl where pid = pg_catalog.pg_backend_pid()), false) as tls,
  coalesce(pg_catalog.host(pg_catalog.inet_server_addr()) in ('127.0.0.1', '::1'), true) as local,
  pg_catalog.current_setting('max_connections')::integer
    - pg_catalog.current_setting('superuser_reserved_connections')::integer as connections,
  (select nullif(rolconnlimit, -1) from pg_catalog.pg_roles where rolname = session_user) as role_limit`;

/** Requirements of dbr on a server. */
interface ServerNeeds {
  /** The schemas of notifications and signing. */
  readonly needsMigrations: boolean;
  /** State that a connection must keep from one transaction to the next. */
  readonly keeps: readonly Kept[];
}

export type Kept = 'prepared statements' | 'notifications of schema changes' | 'the lock of the migrations';

/** Major versions of PostgreSQL: of the data API alone, and of the migrations (`oldest-server.ts`). */
const OLDEST = 12;
const OLDEST_WITH_MIGRATIONS = 14;

/** Differences of the clocks in milliseconds: tokens have seconds, and 30 s of them are tolerated. */
const CLOCK_WARNING_MS = 2000;
const CLOCK_FAULT_MS = 30_000;

/** @param setting the setting of the address */
export async function checkServer(
  session: Session,
  setting: string,
  { needsMigrations, keeps }: ServerNeeds,
): Promise<{ readonly checks: readonly Check[]; readonly facts: ServerFacts }> {
  const before = Date.now();
  const [row = {}] = await session.query(FACTS);
  const middle = (before + Date.now()) / 2;
  const role = String(row['role']);
  const version = String(row['version']);
  return {
    checks: [
      ok(setting, `PostgreSQL ${version}, database ${String(row['database'])}, as role ${role}`),
      ...versionChecks(setting, version, Number(row['number']), needsMigrations),
      ...(row['standby'] === true
        ? [warning(setting, 'the server is a standby: writes are refused', 'name the primary, or promote it')]
        : []),
      ...poolerChecks(setting, session.processId !== row['process_id'], keeps),
      tlsCheck(setting, row['tls'] === true, row['local'] === true),
      clockCheck(setting, Number(row['now']) - middle),
    ],
    facts: {
      role,
      maxConnections: Number(row['connections']),
      roleLimit: row['role_limit'] === null ? null : Number(row['role_limit']),
    },
  };
}

function versionChecks(
  setting: string,
  version: string,
  number: number,
  needsMigrations: boolean,
): readonly Check[] {
  const oldest = needsMigrations ? OLDEST_WITH_MIGRATIONS : OLDEST;
  if (number >= oldest * 10_000) return [];
  const remedy = needsMigrations
    ? 'upgrade it, or serve the data API alone (areas = data-api)'
    : 'upgrade it';
  return [fault(setting, `the server is ${version}, and ${String(oldest)} or newer is needed`, remedy)];
}

const POOLER = 'a pooler is between dbr and PostgreSQL';

function poolerChecks(setting: string, isPooled: boolean, keeps: ServerNeeds['keeps']): readonly Check[] {
  if (!isPooled) return [];
  if (keeps.length === 0) return [ok(setting, `${POOLER}, and no statement is prepared`)];
  return keeps.map((kept) => warning(setting, `${POOLER}, and may lose ${kept}`, REMEDIES[kept]));
}

const REMEDIES: Readonly<Record<Kept, string>> = {
  'prepared statements': 'set db-prepared-statements = false, unless the pooler pools sessions',
  'notifications of schema changes': 'set db-channel-enabled = false, unless the pooler pools sessions',
  'the lock of the migrations': 'name PostgreSQL itself',
};

const tlsCheck = (setting: string, tls: boolean, local: boolean): Check =>
  tls
    ? ok(setting, 'the connection uses TLS')
    : local
      ? ok(setting, 'the connection does not leave this machine, and uses no TLS')
      : warning(setting, 'the connection uses no TLS', `add sslmode=verify-full to ${setting}`);

function clockCheck(setting: string, differenceMs: number): Check {
  const seconds = `${(Math.abs(differenceMs) / 1000).toFixed(1)} s`;
  if (Math.abs(differenceMs) < CLOCK_WARNING_MS) return ok(setting, 'the clocks agree');
  const message = `the clock of the server is ${seconds} ${differenceMs > 0 ? 'ahead of' : 'behind'} this one`;
  const remedy = 'synchronise both clocks (NTP): tokens and sessions expire by them';
  return Math.abs(differenceMs) < CLOCK_FAULT_MS
    ? warning(setting, message, remedy)
    : fault(setting, message, remedy);
}
