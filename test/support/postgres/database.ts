/** Databases for tests. */
import { randomBytes } from 'node:crypto';
import { until } from '../until.js';
import { onServer, sharedServerUri } from './shared-server.js';

export {
  embeddedPrograms,
  findFreePort,
  startStandby,
  startTestServer,
  type TestServer,
} from './test-server.js';

/** A database of a test's own, on the server that the tests of a run share. */
export interface TestDatabase {
  readonly name: string;
  /** The superuser's, who owns it. */
  readonly uri: string;
  /** The same database as another role. Roles are the server's: give yours names that no other test uses. */
  uriFor(role: string, password: string): string;
  /** Removes the database, together with whatever is still connected to it. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database, UTF8 and sorted by code point. Call `drop()` in the `after` hook.
 * @param server the superuser's URI of a server of the test's own; without it the shared one
 * @param template a database of that server, to copy
 */
export async function createTestDatabase(server?: string, template = 'template0'): Promise<TestDatabase> {
  const serverUri = server ?? (await sharedServerUri());
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Fewer pages are written than by way of the log, whose segments are new on a server that has just started.
  await onServer(server, (session) =>
    session.query(`create database ${name} template ${template} strategy file_copy`),
  );
  return {
    name,
    uri: replaceDatabase(serverUri, name),
    uriFor: (role, password) => {
      const uri = new URL(replaceDatabase(serverUri, name));
      uri.username = encodeURIComponent(role);
      uri.password = encodeURIComponent(password);
      return uri.href;
    },
    drop: async () => {
      await onServer(server, async (session) => {
        // The sender of a service that has stopped may hold its slot for a moment, and force does not end that.
        const held = 'select from pg_catalog.pg_replication_slots where database = $1 and active';
        await until(async () => (await session.query(held, [name])).length === 0);
        await session.query(`drop database if exists ${name} with (force)`);
      });
    },
  };
}

function replaceDatabase(serverUri: string, name: string): string {
  const uri = new URL(serverUri);
  uri.pathname = `/${name}`;
  return uri.href;
}
