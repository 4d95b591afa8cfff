import { type Session, withSession } from '../../../src/embedded-face.js';
import type { EmbeddedRole, Passwords } from './passwords.js';

export const DATABASE = 'dbr';

/** The names of the database roles (architecture: "Own tables, roles, connections"). */
export const ROLE_NAMES: Readonly<Record<EmbeddedRole, string>> = {
  superuser: 'postgres',
  owner: 'dbr_owner',
  authenticator: 'dbr_authenticator',
  service: 'dbr_service',
};

/**
 * Creates the database and the roles of dbr on an embedded server, unless they exist: the owner runs migrations
 * and may create further roles, and receives the log of changes for live reads; the authenticator has no
 * privileges of its own and may only become the roles granted to it; the service is a member of the groups to
 * which the tables of the areas are granted, and has no privileges until it sets one of them as its role.
 *
 * @param superuserUri on the maintenance database
 */
export async function provision(superuserUri: string, passwords: Passwords): Promise<void> {
  await withSession(superuserUri, async (session) => {
    await session.script(`begin; select pg_catalog.pg_advisory_xact_lock(${String(PROVISION_LOCK)})`);
    for (const role of ['owner', 'authenticator', 'service'] as const) {
      await createLogin(session, role, passwords[role]);
    }
    await session.script(`${GROUPS}; commit`);
    await createDatabase(session);
  });
}

const PROVISION_LOCK = 5_347_115;

const LOGIN_ATTRIBUTES: Readonly<Record<'owner' | 'authenticator' | 'service', string>> = {
  owner: 'createrole replication',
  authenticator: 'noinherit',
  service: 'noinherit',
};

async function createLogin(
  session: Session,
  role: 'owner' | 'authenticator' | 'service',
  password: string,
): Promise<void> {
  const name = ROLE_NAMES[role];
  const found = await session.query('select from pg_catalog.pg_roles where rolname = $1', [name]);
  if (found.length > 0) return;
  // A utility statement takes no parameters, so PostgreSQL quotes the values in its text.
  const [row] = await session.query(
    `select pg_catalog.format('create role %I login ${LOGIN_ATTRIBUTES[role]} password %L', $1::text, $2::text) as text`,
    [name, password],
  );
  await session.script(String(row?.['text']));
}

/**
 * The groups to which the migrations of the areas grant their tables. The owner administers them, because the
 * migrations expect them; the service is a member. The owner may also set the ceilings of roles.
 */
const GROUPS = `
  do $provision$
  declare
    group_role text;
  begin
    foreach group_role in array array[
      'dbr_notifications_user', 'dbr_notifications_producer', 'dbr_notifications_system',
      'dbr_signing_service', 'dbr_signing_sweeper', 'dbr_erasure'
    ] loop
      if not exists (select from pg_catalog.pg_roles where rolname = group_role) then
        execute pg_catalog.format('create role %I nologin', group_role);
      end if;
      execute pg_catalog.format('grant %I to dbr_owner with admin option', group_role);
      execute pg_catalog.format('grant %I to dbr_service', group_role);
    end loop;
  end
  $provision$;
  alter role dbr_owner replication;
  grant set on parameter
    "dbr.operators", "dbr.orders", "dbr.db_max_cost", "dbr.db_max_result_bytes", "dbr.db_shapes"
  to dbr_owner
`;

/**
 * `create database` has no "if not exists" and runs in no transaction; if two processes run it, the error of the
 * second is ignored.
 */
async function createDatabase(session: Session): Promise<void> {
  const found = await session.query('select from pg_catalog.pg_database where datname = $1', [DATABASE]);
  if (found.length > 0) return;
  try {
    await session.query(`create database ${DATABASE} owner ${ROLE_NAMES.owner} template template0`);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

/** 42P04 duplicate_database; 23505 when both write the catalogue at the same moment. */
function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '42P04' || error.code === '23505');
}
