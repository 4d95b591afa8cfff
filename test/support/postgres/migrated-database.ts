/** A migrated database as a deployment has it: an owner that is no superuser, a service role that owns nothing. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { until } from '../until.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { onServer } from './shared-server.js';

export interface MigratedDatabase extends Omit<TestDatabase, 'drop'> {
  /** @param provoked most deadlocks that tests cause on purpose @throws Error if PostgreSQL has found more */
  drop(provoked?: number): Promise<void>;
  /** As the role that owns the tables, which the databases of the shared server have in common. */
  readonly ownerUri: string;
  /** As the role that the service logs in as. */
  readonly serviceUri: string;
}

export const MIGRATIONS = join(packageRoot(), 'migrations');

const GROUPS = [
  'dbr_notifications_user',
  'dbr_notifications_producer',
  'dbr_notifications_system',
  'dbr_signing_service',
  'dbr_signing_sweeper',
  'dbr_erasure',
];
const GROUP_LIST = GROUPS.join(', ');

/** Roles belong to the server: one script at a time changes who is in a group. A script is one transaction. */
const alone = (statements: string): string => `select pg_advisory_xact_lock(1); ${statements}`;

const CREATE_GROUPS = `
  do $$
  declare
    name text;
  begin
    foreach name in array array[${GROUPS.map((group) => `'${group}'`).join(', ')}] loop
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end loop;
  end
  $$`;

interface Owned {
  readonly database: TestDatabase;
  readonly owner: string;
}

async function createOwned(server: string | undefined, migrations: string): Promise<Owned> {
  const database = await createTestDatabase(server);
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  await onServer(server, (session) =>
    session.script(`
      create role ${owner} login createrole noinherit password 'owner';
      alter database ${database.name} owner to ${owner};
      ${CREATE_GROUPS};
      ${alone(`grant ${GROUP_LIST} to ${owner} with admin option`)}`),
  );
  await migrate(database.uriFor(owner, 'owner'), migrations);
  return { database, owner };
}

let template: Promise<Owned> | null = null;

/** A copy takes a quarter of the time of the migrations. */
async function copyTemplate(): Promise<Owned> {
  template ??= createOwned(undefined, MIGRATIONS);
  const { database: original, owner } = await template;
  const database = await createTestDatabase(undefined, original.name);
  await onServer(undefined, (session) => session.script(`alter database ${database.name} owner to ${owner}`));
  return { database, owner };
}

/**
 * @param server the superuser's URI of a server of the test's own; without it the shared one
 * @param migrations folder of the migrations to apply
 */
export async function createMigratedDatabase(
  server?: string,
  migrations = MIGRATIONS,
): Promise<MigratedDatabase> {
  const isShared = server === undefined && migrations === MIGRATIONS;
  const { database, owner } = await (isShared ? copyTemplate() : createOwned(server, migrations));
  const service = `service_${randomBytes(4).toString('hex')}`;
  await onServer(server, (session) =>
    session.script(`
      create role ${service} login noinherit password 'service';
      ${alone(`grant ${GROUP_LIST} to ${service}`)}`),
  );
  return {
    ...database,
    ownerUri: database.uriFor(owner, 'owner'),
    serviceUri: database.uriFor(service, 'service'),
    drop: async (provoked = 0) => {
      const deadlocks = await deadlocksOf(server, database);
      await database.drop();
      await onServer(server, (session) =>
        session.script(alone(`revoke ${GROUP_LIST} from ${service}; drop role ${service}`)),
      );
      if (deadlocks > provoked)
        throw new Error(
          `PostgreSQL found ${String(deadlocks)} deadlocks, and the tests provoke at most ${String(provoked)}`,
        );
    },
  };
}

/** Ends the connections of the database, which report what they have counted at the latest then. */
const deadlocksOf = (server: string | undefined, { name }: TestDatabase): Promise<number> =>
  onServer(server, async (session) => {
    const ended = await session.query(
      'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    );
    const pids = ended.map(({ pid }) => pid);
    await until(async () => {
      const left = await session.query('select from pg_stat_activity where datname = $1 and pid = any ($2)', [
        name,
        pids,
      ]);
      return left.length === 0;
    });
    const [counted] = await session.query(
      'select deadlocks::integer from pg_stat_database where datname = $1',
      [name],
    );
    return Number(counted?.['deadlocks'] ?? 0);
  });
