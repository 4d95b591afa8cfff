/** The database that the recorded requests were sent to: an invented film festival. */
import { readFile } from 'node:fs/promises';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase, type TestServer } from '../postgres/database.js';
import { onServer } from '../postgres/shared-server.js';

const SCRIPTS = ['roles.sql', 'schema.sql', 'data.sql'];

/**
 * Creates the database. The URI is that of the authenticator. On the shared server the scripts run once, and later databases are
 * copies, which take a quarter of the time.
 * @param server a server other than the shared one
 * @param rewrite changes the text of the scripts
 */
export async function loadFestival(
  server?: TestServer,
  rewrite?: (script: string) => string,
): Promise<{ readonly database: TestDatabase; readonly uri: string }> {
  const database = await (server === undefined && rewrite === undefined
    ? copyTemplate()
    : load(server, rewrite));
  return { database, uri: database.uriFor('golden_authenticator', 'golden') };
}

let template: Promise<TestDatabase> | null = null;

async function copyTemplate(): Promise<TestDatabase> {
  template ??= load();
  const { name } = await template;
  const database = await createTestDatabase(undefined, name);
  // A copy lacks what `alter database` sets.
  await onServer(undefined, (session) =>
    session.query(
      `insert into pg_db_role_setting (setdatabase, setrole, setconfig)
       select copy.oid, setrole, setconfig
       from pg_db_role_setting join pg_database as original on original.oid = setdatabase, pg_database as copy
       where original.datname = $1 and copy.datname = $2`,
      [name, database.name],
    ),
  );
  return database;
}

async function load(
  server?: TestServer,
  rewrite = (script: string): string => script,
): Promise<TestDatabase> {
  const database = await createTestDatabase(server?.uri);
  for (const script of SCRIPTS) {
    const text = await readFile(new URL(`../../conformance/${script}`, import.meta.url), 'utf8');
    await withSession(database.uri, (session) => session.script(rewrite(text)));
  }
  return database;
}
