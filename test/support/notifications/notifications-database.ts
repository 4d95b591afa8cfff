/** A migrated database as a deployment has it: an owner that is no superuser, a service role that owns nothing. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool } from '../../../src/postgres/pool.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { withSession } from '../../../src/postgres/session.js';
import { UNOBSERVED } from '../unobserved.js';
import { createTestDatabase, type TestDatabase, type TestServer } from '../postgres/database.js';

export interface NotificationsDatabase {
  readonly name: string;
  /** The superuser, who bypasses row security. */
  readonly superuser: Database;
  /** The role that owns the tables. */
  readonly owner: Database;
  /** The role that the service logs in as. */
  readonly service: Database;
  readonly serviceUri: string;
  readonly pool: Pool;
  drop(): Promise<void>;
}

const GROUPS = ['dbr_notifications_user', 'dbr_notifications_producer', 'dbr_notifications_system'].join(
  ', ',
);

/** @param server a server of the test's own, which it may stop and kill; the shared one otherwise */
export async function createNotificationsDatabase(server?: TestServer): Promise<NotificationsDatabase> {
  const database = server === undefined ? await createTestDatabase() : databaseOf(server);
  const suffix = randomBytes(4).toString('hex');
  const owner = `notifications_owner_${suffix}`;
  const service = `notifications_service_${suffix}`;
  await withSession(database.uri, async (session) => {
    await session.script(`
      create role ${owner} login createrole noinherit password 'owner';
      create role ${service} login noinherit password 'service';
      alter database ${database.name} owner to ${owner};
      do $$
      declare
        name text;
      begin
        -- Roles belong to the server, which other tests share: the migrations of another database may have made them.
        foreach name in array array['dbr_notifications_user', 'dbr_notifications_producer', 'dbr_notifications_system'] loop
          begin
            execute format('create role %I nologin', name);
          exception when duplicate_object or unique_violation then
            null;
          end;
        end loop;
      end
      $$;
      select pg_advisory_lock(1);
      grant ${GROUPS} to ${owner} with admin option;
      select pg_advisory_unlock(1);
    `);
  });
  await migrate(database.uriFor(owner, 'owner'), join(packageRoot(), 'migrations'));
  await withSession(database.uri, async (session) => {
    await session.script(
      `select pg_advisory_lock(1); grant ${GROUPS} to ${service}; select pg_advisory_unlock(1)`,
    );
  });
  const serviceUri = database.uriFor(service, 'service');
  const databases = {
    superuser: openDatabase(database.uri, { poolSize: 2 }),
    owner: openDatabase(database.uriFor(owner, 'owner'), { poolSize: 2 }),
    service: openDatabase(serviceUri, { poolSize: 10 }),
  };
  const pool = openPool(databases.service, {
    name: 'service',
    observe: UNOBSERVED,
    size: 5,
    depth: 8,
    prepared: true,
    acquisitionTimeoutMs: 10_000,
    maxLifetimeMs: 60_000,
    maxIdleMs: 60_000,
    queueLimit: 1000,
  });
  return {
    name: database.name,
    ...databases,
    serviceUri,
    pool,
    drop: async () => {
      await pool.close();
      await Promise.all(Object.values(databases).map(closeDatabase));
      await database.drop();
      if (server !== undefined) return;
      // A role cannot be removed while another database still depends on it; these have none left.
      await withSession(database.uri.replace(/\/[^/]*$/, '/postgres'), async (session) => {
        await session.script(`
          do $$
          begin
            if exists (select from pg_auth_members where grantor = '${owner}'::regrole) then
              revoke ${GROUPS} from ${service} granted by ${owner};
            end if;
          end
          $$;
          drop role ${service};
          revoke ${GROUPS} from ${owner};
          drop role ${owner};
        `);
      });
    },
  };
}

/** The only database of a server that is one's own, which goes with the server. */
function databaseOf({ uri }: TestServer): TestDatabase {
  return {
    name: 'postgres',
    uri,
    uriFor: (role, password) => {
      const other = new URL(uri);
      other.username = role;
      other.password = password;
      return other.href;
    },
    drop: () => Promise.resolve(),
  };
}
