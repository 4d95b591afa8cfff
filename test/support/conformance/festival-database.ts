/** The database that the recorded requests were sent to: an invented film festival. */
import { readFile } from 'node:fs/promises';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase, type TestServer } from '../postgres/database.js';

const SCRIPTS = ['roles.sql', 'schema.sql', 'data.sql'];

/**
 * Creates and loads the database. The URI is that of the authenticator.
 * @param server a server other than the shared one
 * @param rewrite changes the text of the scripts
 */
export async function loadFestival(
  server?: TestServer,
  rewrite: (script: string) => string = (script) => script,
): Promise<{ readonly database: TestDatabase; readonly uri: string }> {
  const database = await createTestDatabase(server?.uri);
  for (const script of SCRIPTS) {
    const text = await readFile(new URL(`../../conformance/${script}`, import.meta.url), 'utf8');
    await withSession(database.uri, (session) => session.script(rewrite(text)));
  }
  return { database, uri: database.uriFor('golden_authenticator', 'golden') };
}
