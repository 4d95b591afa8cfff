/** A migrated database as a deployment has it: an owner that is no superuser, a service role that owns nothing. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase } from '../postgres/database.js';

export interface SigningDatabase {
  readonly uri: string;
  /** The superuser, who bypasses row security. */
  readonly superuser: Database;
  /** The role that owns the tables. */
  readonly owner: Database;
  /** The role that the service logs in as. */
  readonly service: Database;
  readonly serviceUri: string;
  readonly ownerUri: string;
  drop(): Promise<void>;
}

const GROUPS = [
  'dbr_notifications_user',
  'dbr_notifications_producer',
  'dbr_notifications_system',
  'dbr_signing_service',
  'dbr_signing_sweeper',
  'dbr_erasure',
];
const GROUP_LIST = GROUPS.join(', ');

/** Roles belong to the server, which other tests share: one at a time changes who is in a group. */
const alone = (statements: string): string =>
  `select pg_advisory_lock(1); ${statements}; select pg_advisory_unlock(1)`;

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

/**
 * @param server the superuser's URI of a server of the test's own; without it the shared one
 * @param migrations folder of the migrations to apply
 */
export async function createSigningDatabase(
  server?: string,
  migrations = join(packageRoot(), 'migrations'),
): Promise<SigningDatabase> {
  const database = await createTestDatabase(server);
  const suffix = randomBytes(4).toString('hex');
  const owner = `signing_owner_${suffix}`;
  const service = `signing_service_${suffix}`;
  await withSession(database.uri, async (session) => {
    await session.script(`
      create role ${owner} login createrole noinherit password 'owner';
      create role ${service} login noinherit password 'service';
      alter database ${database.name} owner to ${owner};
      ${CREATE_GROUPS};
      ${alone(`grant ${GROUP_LIST} to ${owner} with admin option; grant ${GROUP_LIST} to ${service}`)}`);
  });
  const ownerUri = database.uriFor(owner, 'owner');
  await migrate(ownerUri, migrations);
  const databases = {
    superuser: openDatabase(database.uri, { poolSize: 2 }),
    owner: openDatabase(ownerUri, { poolSize: 2 }),
    service: openDatabase(database.uriFor(service, 'service'), { poolSize: 10 }),
  };
  return {
    uri: database.uri,
    serviceUri: database.uriFor(service, 'service'),
    ownerUri,
    ...databases,
    drop: async () => {
      await Promise.all(Object.values(databases).map(closeDatabase));
      await database.drop();
      await withSession(database.uri.replace(/\/[^/]*$/, '/postgres'), async (session) => {
        await session.script(
          alone(`
            revoke ${GROUP_LIST} from ${service};
            drop role ${service};
            revoke ${GROUP_LIST} from ${owner};
            drop role ${owner}`),
        );
      });
    },
  };
}
