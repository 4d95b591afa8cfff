/** Checks of the three roles: the authenticator of the data API, the service role, and the owner of the service's tables. */
import {
  MigrationError,
  OWN_HISTORY,
  OWN_SCHEMAS,
  pendingMigrations,
  readHistory,
  readMigrations,
  type Session,
} from '../../../../src/face.js';
import { fault, ok, warning, type Check } from './check.js';

const quoted = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

interface ApiScope {
  readonly schemas: readonly string[];
  readonly anonymousRole: string | null;
}

/** The authenticator: its powers, the anonymous role, the exposed schemas. */
export async function checkAuthenticator(
  session: Session,
  role: string,
  { schemas, anonymousRole }: ApiScope,
): Promise<readonly Check[]> {
  const [powers = {}] = await session.query(
    'select rolsuper or rolbypassrls or rolcreaterole as powerful from pg_catalog.pg_roles where rolname = session_user',
  );
  const missing = await session.query(
    `select name from pg_catalog.unnest($1::text[]) as name
     where not exists (select from pg_catalog.pg_namespace where nspname = name)`,
    [[...schemas]],
  );
  return [
    ...(powers['powerful'] === true
      ? [
          warning(
            'db-uri',
            `${role} is a superuser, or has BYPASSRLS or CREATEROLE`,
            'use a role with LOGIN and membership in the API roles alone; `dbr lint` has the statement',
          ),
        ]
      : []),
    ...missing.map(({ name }) =>
      fault(
        'db-schemas',
        `the schema ${String(name)} does not exist`,
        `create schema ${quoted(String(name))}, or change db-schemas`,
      ),
    ),
    ...(await anonymousChecks(session, role, anonymousRole, schemas)),
  ];
}

async function anonymousChecks(
  session: Session,
  role: string,
  anonymousRole: string | null,
  schemas: readonly string[],
): Promise<readonly Check[]> {
  const subject = 'db-anon-role';
  if (anonymousRole === null) return [ok(subject, 'not set: requests without a token are refused')];
  const name = quoted(anonymousRole);
  const [found] = await session.query(
    `select pg_catalog.pg_has_role(session_user, oid, 'member') as member,
       array(select n.nspname::text from pg_catalog.pg_namespace as n
         where n.nspname = any ($2::text[]) and not pg_catalog.has_schema_privilege(r.oid, n.oid, 'usage')) as closed
     from pg_catalog.pg_roles as r where rolname = $1`,
    [anonymousRole, [...schemas]],
  );
  const grant = `grant ${name} to ${quoted(role)}`;
  if (found === undefined)
    return [
      fault(subject, `the role ${anonymousRole} does not exist`, `create role ${name} nologin; ${grant}`),
    ];
  if (found['member'] !== true) return [fault(subject, `${role} may not become ${anonymousRole}`, grant)];
  const closed = Array.isArray(found['closed']) ? found['closed'].map(String) : [];
  if (closed.length > 0)
    return [
      warning(
        subject,
        `${anonymousRole} has no access to the schema ${closed.join(', ')}`,
        `grant usage on schema ${closed.map(quoted).join(', ')} to ${name}`,
      ),
    ];
  return [ok(subject, `${role} may become ${anonymousRole}`)];
}

/** The group roles of the migrations, by area. */
const GROUPS = {
  notifications: ['dbr_notifications_user', 'dbr_notifications_producer', 'dbr_notifications_system'],
  signing: ['dbr_signing_service', 'dbr_signing_sweeper'],
} as const;

/** The role that erases a person from every area. */
const ERASURE_ROLE = 'dbr_erasure';

/** The role that keeps answers to requests with an idempotency key. */
const IDEMPOTENCY_ROLE = 'dbr_idempotency';

export type ServiceArea = keyof typeof GROUPS;

/** The service role: its memberships. */
export async function checkServiceRole(
  session: Session,
  role: string,
  areas: readonly ServiceArea[],
): Promise<readonly Check[]> {
  const groups = [...areas.flatMap((area) => GROUPS[area]), ERASURE_ROLE];
  const rows = await session.query(
    `select rolname::text as name, pg_catalog.pg_has_role(session_user, oid, 'member') as member
     from pg_catalog.pg_roles where rolname = any ($1::text[])`,
    [groups],
  );
  const member = new Map(rows.map((row) => [String(row['name']), row['member'] === true]));
  const absent = groups.filter((group) => !member.has(group));
  const notMember = groups.filter((group) => member.get(group) === false);
  const subject = 'service-db-uri';
  if (absent.length > 0)
    return [
      fault(subject, `the roles ${absent.join(', ')} do not exist`, 'run dbr migrate, which creates them'),
    ];
  if (notMember.length > 0)
    return [
      fault(
        subject,
        `${role} is no member of ${notMember.join(', ')}`,
        `grant ${notMember.join(', ')} to ${quoted(role)}`,
      ),
    ];
  return [ok(subject, `${role} is a member of ${groups.join(', ')}`)];
}

/** The migrations of a database. @param directory the files of this version */
export async function checkMigrations(session: Session, directory: string): Promise<Check> {
  const subject = 'migrations';
  const [found] = await session.query(
    `select pg_catalog.to_regclass('dbr_meta.migrations') is not null as there`,
  );
  const migrations = await readMigrations(directory);
  const applied = found?.['there'] === true ? await readHistory(session, OWN_HISTORY) : [];
  try {
    const pending = pendingMigrations(migrations, applied);
    if (pending.length === 0) return ok(subject, `all ${String(migrations.length)} are applied`);
    return fault(subject, `not applied: ${pending.map(({ file }) => file).join(', ')}`, 'run dbr migrate');
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return fault(subject, error.message, 'serve the database with the version of dbr that migrated it');
  }
}

/** The owner of the service's tables: whether it can apply migrations. */
export async function checkOwner(session: Session, role: string, setting: string): Promise<readonly Check[]> {
  const [row = {}] = await session.query(
    `
    select pg_catalog.has_database_privilege(pg_catalog.current_database(), 'create') as creates,
      (select rolcreaterole or rolsuper from pg_catalog.pg_roles where rolname = session_user) as creates_roles,
      array(select n.nspname::text from pg_catalog.pg_namespace as n
        where n.nspname = any ($2::text[])
          and not pg_catalog.pg_has_role(session_user, n.nspowner, 'usage') order by 1) as foreign_schemas,
      (select pg_catalog.count(*) = pg_catalog.cardinality($1::text[])
        from pg_catalog.pg_roles where rolname = any ($1::text[])) as has_groups`,
    [[...Object.values(GROUPS).flat(), IDEMPOTENCY_ROLE], [...OWN_SCHEMAS]],
  );
  const foreign = Array.isArray(row['foreign_schemas']) ? row['foreign_schemas'].map(String) : [];
  if (foreign.length > 0)
    return [
      fault(
        setting,
        `${role} does not own the schema ${foreign.join(', ')}`,
        'set migrate-db-uri to the role that owns it',
      ),
    ];
  return [
    ...(row['creates'] === true
      ? []
      : [
          fault(setting, `${role} may not create schemas`, `grant create on the database to ${quoted(role)}`),
        ]),
    ...(row['has_groups'] === true || row['creates_roles'] === true
      ? []
      : [fault(setting, `${role} may not create the group roles`, `alter role ${quoted(role)} createrole`)]),
    ...(row['creates'] === true && (row['has_groups'] === true || row['creates_roles'] === true)
      ? [ok(setting, `${role} can apply migrations`)]
      : []),
  ];
}
