import { expect } from 'chai';
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { decodeJwt, jwtVerify } from 'jose';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { asObject, asString } from '../../../../../codegen/json.js';
import { packageRoot } from '../../../../../src/base/package.js';
import { runningPostmaster } from '../../../../embedded-postgres/src/postmaster.js';
import { withSession } from '../../../../../src/postgres/session.js';
import {
  expectShown,
  manualCommands,
  runManualCommand,
} from '../../../../../test/support/end-to-end/manual-commands.js';
import { startProgram, type RunningProgram } from '../../../../../test/support/end-to-end/run-program.js';
import { member, strings } from '../../../../../test/support/deploy/manifests.js';
import { startTestServer, type TestServer } from '../../../../../test/support/postgres/database.js';
import { runDbr, type Finished } from '../../../../../test/support/service/built-service.js';
import { inAllRuns, some } from '../../../../../test/support/runs.js';
import { until } from '../../../../../test/support/until.js';

const MAIN = join(packageRoot(), 'dist', 'src', 'main.js');
const PORTS = { DBR_SERVER_HOST: '127.0.0.1', DBR_ADMIN_SERVER_PORT: '0', DBR_ROUTER_PORT: '0' };
const THINGS = 'create table api.things (id integer primary key);\ngrant select on api.things to anon;\n';

/** The claims of a token, without its times. */
function personOf(token: string): Readonly<Record<string, unknown>> {
  const { iat, exp, ...person } = decodeJwt(token);
  expect([iat, exp].map((time) => typeof time)).to.deep.equal(['number', 'number']);
  return person;
}

/** A policy and a default that call a function. */
const OWN = `create function api.me() returns text language sql stable
  as $$ select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub' $$;
create table api.own (id integer primary key, owner text not null default api.me());
alter table api.own enable row level security;
create policy own on api.own to web_user using (owner = api.me()) with check (owner = api.me());
grant select, insert on api.own to web_user;
`;

describe('a project', function () {
  this.timeout(600_000);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-project-'));
    // The embedded server runs as another account.
    await chmod(folder, 0o755);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const dbr = (...args: readonly string[]): Promise<Finished> => runDbr(args, PORTS, folder);
  const put = (name: string, sql: string): Promise<void> =>
    writeFile(join(folder, 'db/migrations', name), sql);
  const dev = (): RunningProgram =>
    startProgram(process.execPath, [MAIN, 'dev', '--port', '0'], { cwd: folder, environment: PORTS });
  const urlOf = async (running: RunningProgram): Promise<string> =>
    (await running.until(/serves on (\S+), admin/))[1] ?? '';

  async function useNotes(url: string, token: string): Promise<void> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    await until(async () => (await fetch(`${url}/notes`, { headers })).status !== 503);
    const body = JSON.stringify({ body: 'Buy milk' });
    expect((await fetch(`${url}/notes`, { method: 'POST', headers, body })).status).to.equal(201);
    const read = await fetch(`${url}/notes?select=owner,body`, { headers });
    expect([read.status, await read.json()]).to.deep.equal([200, [{ owner: 'ada', body: 'Buy milk' }]]);
    expect((await fetch(`${url}/notes`)).status).to.equal(401);
  }

  it('is not made in a folder that cannot be written', async function () {
    if (process.platform !== 'linux') return this.skip();
    const why = "ENOENT: no such file or directory, mkdir '/proc/dbr'";
    const refused = await dbr('init', '--yes', '/proc/dbr');
    expect(refused).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `dbr: cannot write /proc/dbr/dbr.conf: ${why}\n`,
    });
    const served = await runDbr(['serve'], { ...PORTS, DBR_DATA_DIRECTORY: '/proc/dbr/data' }, folder);
    expect(served.code).to.equal(1);
    expect(served.stderr).to.contain(why);
  });

  for (const args of some([['dev', '--port', '0'], ['migrate', '--folder', 'db/migrations'], ['test']], 3))
    it(`leaves no server behind when \`${args.join(' ')}\` is interrupted in the database @long`, async () => {
      await dbr('init', '--yes');
      const data = join(folder, '.dbr/postgres/data');
      if (args[0] === 'test') expect((await dbr('migrate', '--folder', 'db/migrations')).code).to.equal(0);
      await put('0002_slow.sql', 'select pg_sleep(600);');
      await writeFile(join(folder, 'db/tests/slow.policies'), 'fixture\n  select pg_sleep(600);\n');
      const running = startProgram(process.execPath, [MAIN, ...args], { cwd: folder, environment: PORTS });
      await until(async () => (await runningPostmaster(data))?.status === 'ready');
      await running.stop();
      expect(await runningPostmaster(data)).to.equal(null);
    });

  inAllRuns(
    'gets no token from `dev` that the data API would refuse, or where that has no key @long',
    async () => {
      await dbr('init', '--yes');
      const secret = { DBR_JWT_SECRET: 'of another service, with more than 32 bytes' };
      const environment = { ...PORTS, ...secret };
      const other = startProgram(process.execPath, [MAIN, 'dev', '--port', '0'], {
        cwd: folder,
        environment,
      });
      const [, line] = await other.until(/^(token.*?)(?:: \S+)?$/m);
      expect(line).to.equal('tokens     are signed with the key of jwt-secret');
      await other.stop();
      await appendFile(join(folder, 'dbr.conf'), 'jwt-secret = ""\n');
      const without = dev();
      const [refused] = await without.until(/^token.*$/m);
      expect(refused).to.equal('tokens     are refused by the data API: jwt-secret is no key');
      await without.stop();
    },
  );

  it('is made, served and followed with the embedded PostgreSQL @long', async () => {
    expect(await dbr('init', '--yes')).to.include({ code: 0, stderr: '' });
    const running = dev();
    const url = await urlOf(running);
    // The server of the folder starts before the first migration.
    expect(running.output()).to.match(
      /^settings read from dbr\.conf\nstarting the embedded PostgreSQL in \.dbr\napplied 0001_notes\.sql\n/,
    );
    expect(running.output().match(/starting the embedded|WARN|warning/g)).to.deep.equal([
      'starting the embedded',
    ]);
    await running.until(/^schema read: 1 table$/m);
    const [, token = ''] = await running.until(/token {6}of user ada with role web_user, for a day: (\S+)/);
    await useNotes(url, token);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const tools = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(message),
    });
    expect([tools.status, tools.headers.get('content-type')]).to.deep.equal([200, 'application/json']);
    expect(await tools.text()).to.contain('"propose_change"');
    const [, ofConsole = ''] = await running.until(/console is at \S+#token=(\S+)/);
    const ofCommand = (await dbr('token')).stdout.trim();
    const secret = (await readFile(join(folder, '.jwt-secret'), 'utf8')).trim();
    for (const each of [token, ofConsole, ofCommand]) await jwtVerify(each, Buffer.from(secret));
    const console = (await running.until(/console is at (\S+)#/))[1] ?? '';
    const information = await fetch(`${console}information`, { headers: { 'X-Dbr-Console': '1' } });
    expect(await information.json()).to.include({ development: true });
    const people = [token, ofConsole, ofCommand].map(personOf);
    expect(people).to.deep.equal(
      Array.from({ length: 3 }, () => ({ ...people[0], sub: 'ada', role: 'web_user' })),
    );
    const [, , insert, tests] = await manualCommands('README.md');
    const inserted = await runManualCommand(insert?.command ?? '', { url, variables: { TOKEN: ofCommand } });
    expectShown(inserted, insert?.shown ?? '', 'README.md');
    await put('0002_things.sql', THINGS);
    await running.until(/applied 0002_things\.sql/);
    await until(async () => (await fetch(`${url}/things`)).status === 200);
    await put('0003_wrong.sql', 'select nonsense;');
    await running.until(/The migration 0003_wrong\.sql failed at line 1: column "nonsense" does not exist/);
    expect((await fetch(`${url}/things`)).status).to.equal(200);
    await put('0003_wrong.sql', 'create table api.more (id integer primary key);');
    await running.until(/applied 0003_wrong\.sql/);
    // As a change of branch does.
    const migrations = join(folder, 'db/migrations');
    await cp(migrations, join(folder, 'saved'), { recursive: true });
    await rm(migrations, { recursive: true });
    await cp(join(folder, 'saved'), migrations, { recursive: true });
    await put('0004_late.sql', 'create table api.late (id integer primary key);');
    await running.until(/applied 0004_late\.sql/);
    await put('0005_own.sql', OWN);
    await running.until(/applied 0005_own\.sql/);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const write = async (id: number): Promise<number> =>
      (await fetch(`${url}/own`, { method: 'POST', headers, body: JSON.stringify({ id }) })).status;
    await until(async () => (await write(1)) === 201);
    const linted = await dbr('lint', '--fix', '--fail-on', 'never');
    expect(linted.stdout).to.contain('\nwrote db/migrations/0006_lint.sql.draft, a draft');
    expect((await dbr('migrate')).stdout).to.not.contain('lint');
    await rename(join(migrations, '0006_lint.sql.draft'), join(migrations, '0006_lint.sql'));
    await running.until(/applied 0006_lint\.sql/);
    expect(await write(2)).to.equal(201);
    const own = await fetch(`${url}/own?select=id`, { headers });
    expect([own.status, await own.json()]).to.deep.equal([200, [{ id: 1 }, { id: 2 }]]);
    expect((await dbr('lint', '--fail-on', 'never')).stdout)
      .to.not.contain('-by-public')
      .and.not.contain('-per-row');
    const tested = await dbr('test');
    expect(tested.stdout.trim()).to.equal(tests?.shown);
    expect(tested.code).to.equal(0);
    await running.stop();
  });

  it('refuses folders and environments that are none', async () => {
    expect(await dbr('migrate', '--folder', 'nowhere')).to.include({
      code: 1,
      stderr: 'dbr: there is no folder nowhere: `dbr init` makes a project, --folder names another folder\n',
    });
    expect(await dbr('test')).to.include({
      code: 1,
      stderr: 'dbr: there is no db/tests: `dbr init` makes a project\n',
    });
    expect((await dbr('migrate', '--dry-run')).code).to.equal(2);
    const production = await runDbr(['dev'], { ...PORTS, NODE_ENV: 'production' }, folder);
    expect([production.code, production.stderr]).to.deep.equal([
      1,
      'dbr: dbr dev is for development, and NODE_ENV is production: use dbr serve\n',
    ]);
    const asked = await dbr('init');
    expect([asked.code, asked.stderr]).to.deep.equal([2, 'dbr: the input ended: --yes takes the defaults\n']);
    expect(await readdir(folder)).to.deep.equal([]);
  });

  describe('with a server', () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer();
    });
    after(() => server.remove());

    /** Makes a project in the folder, and its roles in a database of that name. */
    async function make(name: string, ...options: readonly string[]): Promise<void> {
      const address = `postgresql://127.0.0.1:${String(server.port)}/${name}`;
      await withSession(server.uri, (session) => session.script(`create database ${name}`));
      expect(await dbr('init', '--yes', '--database', address, ...options)).to.include({ code: 0 });
      // Scripts that ran before change nothing.
      for (const file of ['roles.sql', 'roles.sql', 'passwords.sql'])
        await withSession(server.uri.replace(/\/postgres$/, `/${name}`), async (session) =>
          session.script(await readFile(join(folder, file), 'utf8')),
        );
    }

    it('has migrations that can be tried, and are applied once @long', async () => {
      await make('migrated');
      await put('0002_things.sql', THINGS);
      await put('0003_index.sql', '-- dbr: no transaction\ncreate index concurrently on api.notes (body);\n');
      await put('0004_more.sql', 'create table api.more (id integer primary key);\n');
      const dry = await dbr('migrate', '--folder', 'db/migrations', '--dry-run');
      expect(dry).to.deep.equal({
        code: 0,
        stderr: '',
        stdout: `would apply 0001_notes.sql
would apply 0002_things.sql
would apply 0003_index.sql, not tried: a file from 0003_index.sql on runs outside a transaction
would apply 0004_more.sql, not tried: a file from 0003_index.sql on runs outside a transaction
`,
      });
      const applied = await dbr('migrate', '--folder', 'db/migrations');
      expect(applied.stdout.match(/applied .*/g)).to.have.lengthOf(4);
      expect((await dbr('migrate', '--folder', 'db/migrations')).stdout).to.contain('nothing to apply\n');
      await put('0002_things.sql', `${THINGS}-- changed\n`);
      const changed = await dbr('migrate', '--folder', 'db/migrations');
      expect(changed).to.include({
        code: 1,
        stderr:
          'dbr: The migration 0002_things.sql was changed after this database had applied it: restore it, and put the change into a new one\n',
      });
      await put('0002_things.sql', THINGS);
      await put('0005_commits.sql', 'create table api.kept (id integer primary key);\ncommit;\n');
      const committed = await dbr('migrate', '--folder', 'db/migrations', '--dry-run');
      expect(committed.code).to.equal(1);
      expect(committed.stderr).to.contain('this_transaction_is_rolled_back');
      await put('0005_commits.sql', 'select 1;');
      expect((await dbr('migrate', '--folder', 'db/migrations')).stdout).to.contain(
        'applied 0005_commits.sql',
      );
    });

    it('is made for a schema that exists, as the manual says @long', async () => {
      const page = await readFile(join(packageRoot(), 'docs/guide/a-database-that-you-have.md'), 'utf8');
      const blocks = [...page.matchAll(/(?:[Ww]rite `([^`]+)`:\n\n)?^```(\w*)\n([^]*?)^```$/gm)];
      const [, , , tables = ''] = blocks[0] ?? [];
      const given = server.uri.replace(/\/postgres$/, '/shop');
      await withSession(server.uri, (session) => session.script('create role shop_app login'));
      await withSession(server.uri, (session) => session.script('create database shop'));
      await withSession(given, (session) =>
        session.script(
          `${tables} alter table shop.customers owner to shop_app; alter table shop.orders owner to shop_app`,
        ),
      );
      const project = join(folder, 'shop-api');
      const run = async (command: string): Promise<string> => {
        const [, program = '', rest = ''] = /^(\w+) ?(.*)$/.exec(command) ?? [];
        if (program === 'cd') return '';
        if (program === 'psql') {
          for (const file of ['roles.sql', 'passwords.sql'])
            await withSession(given, async (session) =>
              session.script(await readFile(join(project, file), 'utf8')),
            );
          return '';
        }
        const [words = '', filter] = rest.split(' | ');
        const args = words.split(' ').map((word) => (word.startsWith('postgresql:') ? given : word));
        const { code, stdout, stderr } = await runDbr(args, PORTS, args[0] === 'init' ? folder : project);
        expect([code, stderr], command).to.deep.equal([0, '']);
        return filter === undefined ? stdout.trim() : (stdout.trim().split('\n').at(-1) ?? '');
      };
      for (const [, path, language, text = ''] of blocks.slice(1)) {
        if (path !== undefined) {
          await mkdir(dirname(join(project, path)), { recursive: true });
          await writeFile(join(project, path), text);
          continue;
        }
        if (language !== 'sh') continue;
        for (const step of text.split(/^\$ /m).slice(1)) {
          const end = step.indexOf('\n');
          const printed = await run(step.slice(0, end));
          const shown = step
            .slice(end + 1)
            .trim()
            .replace('localhost:5432', `127.0.0.1:${String(server.port)}`);
          expectShown(printed, shown, step.slice(0, end));
        }
      }
    });

    inAllRuns('is made by its scripts, and served with their passwords @long', async () => {
      await make('app', '--compose');
      expect(await dbr('migrate')).to.include({ code: 0, stderr: '' });
      const running = dev();
      const url = await urlOf(running);
      const [, token = ''] = await running.until(/for a day: (\S+)/);
      await useNotes(url, token);
      expect((await dbr('test')).stdout).to.match(/\n7 sentences, all of them right\n$/);
      await running.stop();
      await rm(join(folder, '.pgpass'));
      expect(await dbr('migrate', '--folder', 'db/migrations')).to.include({
        code: 1,
        stderr: `dbr: connection to server at "127.0.0.1", port ${String(server.port)} failed: fe_sendauth: no password supplied
     cure: run roles.sql and passwords.sql of the project in the database, as a superuser, or restore .pgpass\n`,
      });
    });

    it('is migrated and served by the commands of its containers @long', async () => {
      const place = `127.0.0.1:${String(server.port)}/deployed`;
      await make('deployed', '--deploy', 'compose');
      const logins = (await readFile(join(folder, '.pgpass'), 'utf8')).trim().split('\n');
      const passwords = new Map(logins.map((line) => [line.split(':').at(-2), line.split(':').at(-1)]));
      const secret = 'of the servers, which the project does not have';
      const file = await readFile(join(folder, 'deploy/compose/compose.yaml'), 'utf8');
      const services = member(asObject(parse(file, { merge: true }), 'compose.yaml'), 'services');
      const container = (name: string) => ({
        args: strings(member(services, name)['command'], name).map((each) =>
          each.replace('/project', folder),
        ),
        environment: Object.fromEntries(
          Object.entries(member(services, name, 'environment')).map(([variable, value]) => [
            variable,
            asString(value, variable)
              .replace('postgres/deployed', place)
              .replace('${JWT_SECRET:-}', secret)
              .replace(/\$\{(dbr_\w+)\}/, (_, role: string) => passwords.get(role) ?? ''),
          ]),
        ),
      });
      // Nothing of the project is there but what the file mounts.
      const image = await mkdtemp(join(tmpdir(), 'dbr-image-'));
      await rm(join(folder, '.pgpass'));
      await rm(join(folder, '.jwt-secret'));
      for (const [name, line] of [
        ['migrate', /^applied 0001_/],
        ['migrate-project', /^applied 0001_notes\.sql\n$/],
      ] as const) {
        const { args, environment } = container(name);
        const { code, stdout, stderr } = await runDbr(args, environment, image);
        expect([code, stderr]).to.deep.equal([0, '']);
        expect(stdout).to.match(line);
      }
      const { args, environment } = container('dbr');
      const running = startProgram(process.execPath, [MAIN, ...args], {
        cwd: image,
        environment: { ...PORTS, DBR_SERVER_PORT: '0', NODE_ENV: 'production', ...environment },
      });
      const token = await runDbr(['token', '--tenant', 'acme', '--user', 'ada', '--role', 'web_user'], {
        JWT_SECRET: secret,
      });
      await useNotes(await urlOf(running), token.stdout.trim());
      await running.stop();
      expect(running.output()).not.to.match(/warning|fault/);
      await rm(image, { recursive: true });
    });
  });
});
