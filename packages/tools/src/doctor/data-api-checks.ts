/** Checks of what the data API needs in its database beside roles and schemas: functions, the grant of idempotency, replicas. */
import type { Database, Session, Settings } from '../../../../src/face.js';
import { fault, ok, reasonOf, warning, type Check } from './check.js';

/** Functions that settings name: without them every request fails, or every request for the root. */
export async function checkFunctions(session: Session, settings: Settings): Promise<readonly Check[]> {
  const { 'db-schemas': schemas, 'db-extra-search-path': further } = settings;
  const named = [
    ['db-pre-request', settings['db-pre-request'], [...schemas, ...further]],
    ['db-root-spec', settings['db-root-spec'], schemas],
  ] as const;
  const checks: Check[] = [];
  for (const [setting, name, searched] of named) {
    if (name === null) continue;
    const dot = name.indexOf('.');
    const own = setting === 'db-pre-request' && dot >= 0 ? [name.slice(0, dot)] : searched;
    const bare = own === searched ? name : name.slice(dot + 1);
    const [row] = await session.query(
      `select exists(
         select from pg_catalog.pg_proc as p join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
          where n.nspname = any ($1::text[]) and p.proname = $2 and p.pronargs = p.pronargdefaults
       ) as there`,
      [[...own], bare],
    );
    checks.push(
      row?.['there'] === true
        ? ok(setting, `the function ${name} exists`)
        : fault(
            setting,
            `there is no function ${name} without arguments in ${own.join(', ')}`,
            `create the function, or correct ${setting}`,
          ),
    );
  }
  return checks;
}

/** The table of kept answers, and the role that reads and writes it. */
export async function checkIdempotency(session: Session, role: string): Promise<Check> {
  const subject = 'db-idempotency';
  const [row = {}] = await session.query(
    `select pg_catalog.to_regnamespace('dbr_requests') is not null as migrated,
       coalesce((select pg_catalog.pg_has_role(session_user, oid, 'member')
         from pg_catalog.pg_roles where rolname = 'dbr_idempotency'), false) as member`,
  );
  if (row['migrated'] !== true)
    return fault(subject, 'the database of db-uri has no table for kept answers', 'run dbr migrate');
  return row['member'] === true
    ? ok(subject, `${role} is a member of dbr_idempotency`)
    : fault(subject, `${role} is no member of dbr_idempotency`, `grant dbr_idempotency to "${role}"`);
}

/** The table of API keys, and the privilege to read it. */
export async function checkApiKeys(session: Session, role: string): Promise<Check> {
  const subject = 'api-keys';
  const [row = {}] = await session.query(
    `select exists(select from pg_catalog.pg_namespace where nspname = 'dbr_keys') as migrated,
       coalesce((select pg_catalog.has_schema_privilege(n.oid, 'usage')
           and pg_catalog.has_table_privilege(c.oid, 'select')
           and pg_catalog.has_column_privilege(c.oid, 'last_used_at', 'update')
         from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
         where n.nspname = 'dbr_keys' and c.relname = 'api_keys'), false) as readable`,
  );
  if (row['migrated'] !== true)
    return fault(subject, 'the database of db-uri has no table of API keys', 'run dbr migrate');
  return row['readable'] === true
    ? ok(subject, `${role} may read the API keys`)
    : fault(subject, `${role} may not read the API keys`, 'run dbr key create, which grants it');
}

const IDENTITY = `
select system_identifier::text as system, pg_catalog.pg_is_in_recovery() as standby
  from pg_catalog.pg_control_system()`;

interface Identity {
  readonly system: string;
  readonly standby: boolean;
}

/** Whether each replica can be reached and is a copy of the primary, which has the same system identifier. */
export async function checkReplicas(
  primary: Database,
  replicas: readonly { readonly name: string; readonly database: Database }[],
): Promise<readonly Check[]> {
  const subject = 'db-replica-uri';
  // A primary that does not answer is a fault of `db-uri`.
  const own = await primary.one<Identity>(IDENTITY).catch(() => null);
  return Promise.all(
    replicas.map(async ({ name, database }) => {
      try {
        const { system, standby } = await database.one<Identity>(IDENTITY);
        if (own !== null && system !== own.system)
          return fault(
            subject,
            `${name} is a copy of another server than that of db-uri`,
            'name a standby of the server in db-uri',
          );
        return standby
          ? ok(subject, `${name} is a standby of the server in db-uri`)
          : warning(subject, `${name} is no standby`, 'name standbys of the server in db-uri');
      } catch (error) {
        return fault(
          subject,
          `no connection to ${name}: ${reasonOf(error)}`,
          'start the replica, or take it out of db-replica-uri',
        );
      }
    }),
  );
}

/** A number of a transaction that the server has not begun comes from another server: a dump was restored. */
const FROM_ANOTHER_SERVER = {
  dbr_notifications_system: 'select xid from dbr_notifications.stream_horizon',
  dbr_signing_sweeper: 'select xid from dbr_signing.session_events',
} as const;

/** Whether a dump was restored without the script that lets streams continue. */
export async function checkRestored(session: Session): Promise<readonly Check[]> {
  for (const [role, numbers] of Object.entries(FROM_ANOTHER_SERVER)) {
    await session.script('begin read only');
    try {
      await session.script(`set local role ${role}`);
      const [row] = await session.query(
        `select exists(
           select from (${numbers}) as stored
            where xid >= pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())
         ) as restored`,
      );
      if (row?.['restored'] === true)
        return [
          fault(
            'service-db-uri',
            'the database was restored from a dump, whose numbers of transactions belong to another server: streams deliver nothing',
            'stop the service and run deploy/after-restore.sql (docs/operating/backup.md)',
          ),
        ];
    } catch {
      // A role or a table that is missing is a fault of another check.
    } finally {
      await session.script('rollback');
    }
  }
  return [];
}
