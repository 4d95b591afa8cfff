import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withSession } from '../../../src/postgres/session.js';
import {
  addressOf,
  createExampleDatabase,
  PASSWORDS,
  psqlMissing,
  runScript,
} from '../../support/deploy/example-database.js';
import { startTestServer, type TestServer } from '../../support/postgres/database.js';
import { findSystemPrograms } from '../../support/postgres/system-programs.js';
import {
  runDbr,
  serveDbr,
  type Environment,
  type ServingProcess,
} from '../../support/service/built-service.js';
import { untilReady } from '../../support/service/service.js';

const SECRET = { JWT_SECRET: 'a-secret-of-this-test-that-is-long-enough' };
// The programs that dump must be of the version of the server, and the embedded one has none.
const programs = findSystemPrograms();
const folderOfPrograms = programs === null ? '' : dirname(realpathSync(programs.postgres));

/** docs/operating/backup.md, command by command: a dump of one server, restored to another whose transaction ids are lower. */
describe('a dump', function () {
  this.timeout(360_000);
  let folder: string;
  let first: TestServer;
  let second: TestServer;
  let service: ServingProcess | null = null;
  let rowsBefore: readonly string[];
  let token: string;

  const environment = (server: TestServer): Environment => ({
    ...SECRET,
    DBR_DB_URI: addressOf(server.uri, 'app', 'authenticator', PASSWORDS.AUTHENTICATOR_PASSWORD),
    DBR_SERVICE_DB_URI: addressOf(server.uri, 'app', 'dbr_service', PASSWORDS.DBR_SERVICE_PASSWORD),
    DBR_MIGRATE_DB_URI: addressOf(server.uri, 'app', 'dbr_owner', PASSWORDS.DBR_OWNER_PASSWORD),
    DBR_DB_SCHEMAS: 'api',
    DBR_DB_ANON_ROLE: 'anon',
  });

  const run = (name: string, args: readonly string[]) =>
    spawnSync(join(folderOfPrograms, name), args, { encoding: 'utf8' });

  async function serve(server: TestServer): Promise<ServingProcess> {
    const serving = await serveDbr(environment(server));
    await untilReady(serving);
    return serving;
  }

  const authorised = async (path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${service?.url ?? ''}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status, path).to.be.within(200, 201);
    return response.json();
  };

  /** Number and content of the rows of every table of dbr and of the example. */
  const contents = (server: TestServer): Promise<readonly string[]> =>
    withSession(addressOf(server.uri, 'app'), async (session) => {
      const tables = await session.query(`select pg_catalog.format('%I.%I', schemaname, tablename) as name
        from pg_catalog.pg_tables where schemaname ~ '^dbr_|^api$' order by 1`);
      const lines: string[] = [];
      for (const { name } of tables) {
        const [row] = await session.query(`select pg_catalog.count(*) as rows,
          pg_catalog.md5(pg_catalog.string_agg(t::text, ',' order by t::text)) as content from ${String(name)} as t`);
        lines.push(`${String(name)} ${String(row?.['rows'])} ${String(row?.['content'])}`);
      }
      return lines;
    });

  const notify = (title: string): Promise<unknown> =>
    authorised('/api/v1/notifications', { userIds: ['ada'], type: 'greeting.sent', title });

  before(async function () {
    if (programs === null || psqlMissing) return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'dbr-backup-'));
    first = await startTestServer(programs);
    second = await startTestServer(programs);
    await createExampleDatabase(first.uri);
    // The first server has lived longer.
    await withSession(addressOf(first.uri, 'app'), (session) =>
      session.script(
        `do $$ begin for n in 1..3000 loop perform pg_catalog.pg_current_xact_id(); commit; end loop; end $$`,
      ),
    );
    expect((await runDbr(['migrate'], environment(first))).code).to.equal(0);
    const scopes = 'notifications:write parties:admin';
    const minted = await runDbr(['token', '--tenant', 't', '--user', 'ada', '--scope', scopes], SECRET);
    token = minted.stdout.trim();
    service = await serve(first);
    await notify('before the dump');
    await service.stop();
    // As the service leaves it when it deletes events that are a day old.
    await withSession(addressOf(first.uri, 'app'), (session) =>
      session.query('update dbr_notifications.stream_horizon set xid = pg_catalog.pg_current_xact_id()'),
    );
    rowsBefore = await contents(first);
  });
  after(async () => {
    await service?.stop();
    if (programs === null || psqlMissing) return;
    await first.remove();
    await second.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('by the owner of the tables, whom row security binds, fails instead of being partial', () => {
    const owner = addressOf(first.uri, 'app', 'dbr_owner', PASSWORDS.DBR_OWNER_PASSWORD);
    const dumped = run('pg_dump', [
      ...['--format=custom', '--schema=dbr_*', `--file=${join(folder, 'owner.dump')}`],
      owner,
    ]);
    expect(dumped.status).to.equal(1);
    expect(dumped.stderr).to.contain('query would be affected by row-level security policy');
  });

  it('restores every row on a server that has the roles', async () => {
    const file = join(folder, 'app.dump');
    const roles = join(folder, 'roles.sql');
    const dumps = [
      run('pg_dumpall', ['--roles-only', `--file=${roles}`, `--dbname=${first.uri}`]),
      run('pg_dump', ['--format=custom', `--file=${file}`, addressOf(first.uri, 'app')]),
    ];
    expect(dumps.map(({ status, stderr }) => ({ status, stderr }))).to.deep.equal(
      dumps.map(() => ({ status: 0, stderr: '' })),
    );
    // The role that runs the script exists already, which is the one error.
    const restoredRoles = run('psql', ['--no-psqlrc', '--quiet', '-f', roles, second.uri]);
    expect(restoredRoles.stderr.trim().split('\n')).to.have.length(1);
    expect(restoredRoles.stderr).to.contain('role "postgres" already exists');
    // Its password is now that of the first server, too.
    const superuser = addressOf(second.uri, 'postgres', 'postgres', new URL(first.uri).password);
    second = { ...second, uri: superuser };
    const restored = run('pg_restore', ['--create', '--exit-on-error', `--dbname=${superuser}`, file]);
    expect(restored.stderr).to.equal('');
    expect(restored.status).to.equal(0);
    expect(await contents(second)).to.deep.equal(rowsBefore);
  });

  it('needs no migration afterwards, and its data are served', async () => {
    runScript(addressOf(second.uri, 'app'), 'after-restore.sql');
    expect(await runDbr(['migrate'], environment(second))).to.deep.include({
      code: 0,
      stdout: 'nothing to apply\n',
    });
    service = await serve(second);
    const inbox = (await authorised('/api/v1/notifications/me')) as {
      readonly items: readonly { readonly title: string }[];
    };
    expect(inbox.items.map(({ title }) => title)).to.deep.equal(['before the dump']);
    expect(await (await fetch(`${service.url}/todos?select=id`)).json()).to.deep.equal([
      { id: 1 },
      { id: 2 },
    ]);
  });

  it('streams new events immediately, although their transaction ids are lower than those of the dump', async () => {
    const controller = new AbortController();
    const response = await fetch(`${service?.url ?? ''}/api/v1/notifications/me/stream`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: controller.signal,
    });
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    while (!text.includes('event: unread-count')) await delay(20);
    await notify('after the restore');
    while (!text.includes('after the restore')) await delay(20);
    controller.abort();
    await reading;
    // A client that comes back with the position of the new event has missed nothing, so it is not sent to list again.
    const position = [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
    const again = new AbortController();
    const resumed = await fetch(`${service?.url ?? ''}/api/v1/notifications/me/stream`, {
      headers: { Authorization: `Bearer ${token}`, 'Last-Event-ID': position },
      signal: again.signal,
    });
    let later = '';
    const readingLater = (async () => {
      for await (const chunk of resumed.body ?? []) later += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    await notify('after that');
    while (!later.includes('after that')) await delay(20);
    again.abort();
    await readingLater;
    expect(later).not.to.contain('event: reset');
  });
});
