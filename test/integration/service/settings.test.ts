import { expect } from 'chai';
import { SignJWT } from 'jose';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession, withSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const PASSWORD = 'settings-of-the-service';

/** One authenticator role for each test, since its settings are those of the service. */
async function databaseWithRole(role: string): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await withSession(database.uri, (session) =>
    session.script(`
      drop role if exists ${role};
      create role ${role} login noinherit password '${PASSWORD}';
      create table public.films (id int primary key, year int);
      insert into public.films values (1, 1968), (2, 1970);
      create schema other;
      create table other.reels (id int primary key);
      grant usage on schema other to ${role};
      grant select on public.films, other.reels to ${role};
    `),
  );
  return database;
}

async function dropWithRole(database: TestDatabase, role: string): Promise<void> {
  await withSession(database.uri, (session) => session.script(`drop owned by ${role}; drop role ${role}`));
  await database.drop();
}

const run = (database: TestDatabase, sql: string): Promise<void> =>
  withSession(database.uri, (session) => session.script(sql));

const generations = (service: TestService): number =>
  service.logs.filter((line) => line.includes('schema cache loaded')).length;

/** Reloads, and waits until the reloaded settings are in effect. */
async function reload(service: TestService): Promise<void> {
  const before = generations(service);
  service.reloadSettings();
  await until(() => generations(service) > before);
}

const statusOf = async (service: TestService, path: string, headers = {}): Promise<number> => {
  const response = await fetch(`${service.url}${path}`, { headers });
  await response.arrayBuffer();
  return response.status;
};

const configOf = async (service: TestService): Promise<string> =>
  (await fetch(`${service.adminUrl}/config`)).text();

describe('settings of the database', function () {
  this.timeout(240_000);
  const role = 'dbr_settings_reload';
  let database: TestDatabase;
  let service: TestService;

  before(async () => {
    database = await databaseWithRole(role);
    service = await startTestService({
      areas: 'data-api',
      'db-uri': database.uriFor(role, PASSWORD),
      'db-anon-role': role,
      'service-jwt-secret': SECRET,
    });
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await dropWithRole(database, role);
  });
  afterEach(() => run(database, `alter role ${role} reset all`));

  it('are ignored when invalid, logged by name, and do not affect requests', async () => {
    const token = await new SignJWT({ role }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));
    const bearer = { Authorization: `Bearer ${token}` };
    await run(
      database,
      `alter role ${role} set dbr.db_tx_end = 'random';
       alter role ${role} set dbr.jwt_role_claim_key = 'role.other';
       alter role ${role} set dbr.db_schemas = '';
       alter role ${role} set dbr.jwt_secret = 'short';
       alter role ${role} set dbr.db_max_rows = '1'`,
    );
    await reload(service);
    expect(await statusOf(service, '/films')).to.equal(200);
    expect(await statusOf(service, '/films', bearer)).to.equal(200);
    expect(await (await fetch(`${service.url}/films`)).json(), 'db-max-rows').to.have.length(1);
    const config = await configOf(service);
    expect(config).to.contain('db-tx-end = "commit"\n').and.to.contain('jwt-role-claim-key = ".role"\n');
    expect(config).to.contain('db-schemas = "public"\n').and.to.contain('db-max-rows = 1\n');
    const logged = service.logs.join('\n');
    for (const name of ['db-tx-end', 'jwt-role-claim-key', 'db-schemas', 'jwt-secret'])
      expect(logged, name).to.match(new RegExp(`"(?:problem|error)":"${name}\\b`));
    expect(logged).not.to.contain('"short"');
  });

  it('come from the function of db-pre-config', async () => {
    await run(
      database,
      `create or replace function public.configure() returns void language sql as
         $$ select set_config('dbr.db_max_rows', '1', true) $$`,
    );
    for (const name of ['public.configure', 'configure']) {
      const own = await startTestService({
        areas: 'data-api',
        'db-uri': database.uriFor(role, PASSWORD),
        'db-anon-role': role,
        'db-pre-config': name,
      });
      await untilReady(own);
      expect(await (await fetch(`${own.url}/films`)).json(), name).to.have.length(1);
      expect(await configOf(own)).to.contain('db-max-rows = 1\n');
      await own.stop();
    }
  });

  it('name db-pre-config from the first start to the reload that takes it away', async () => {
    await run(
      database,
      `create function public.one_row() returns void language sql as
         $$ select set_config('dbr.db_max_rows', '1', true) $$;
       alter role ${role} set dbr.db_pre_config = 'public.one_row'`,
    );
    const own = await startTestService({
      areas: 'data-api',
      'db-uri': database.uriFor(role, PASSWORD),
      'db-anon-role': role,
    });
    const films = async (): Promise<unknown> => (await fetch(`${own.url}/films?select=id`)).json();
    await untilReady(own);
    expect(await films()).to.deep.equal([{ id: 1 }]);
    await run(database, `alter role ${role} reset all; drop function public.one_row()`);
    await reload(own);
    expect(await films()).to.deep.equal([{ id: 1 }, { id: 2 }]);
    await own.stop();
  });

  it('apply db-prepared-statements without a restart', async () => {
    await run(
      database,
      `create or replace function public.prepared() returns bigint language sql volatile as
        $$ select count(*) from pg_catalog.pg_prepared_statements $$`,
    );
    await reload(service);
    const prepared = async (): Promise<unknown> => (await fetch(`${service.url}/rpc/prepared`)).json();
    expect(await prepared()).to.be.greaterThan(0);
    await run(database, `alter role ${role} set dbr.db_prepared_statements = 'false'`);
    await reload(service);
    await until(async () => (await prepared()) === 0);
  });

  it('apply db-channel-enabled without a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dbr-settings-'));
    const file = join(folder, 'dbr.conf');
    const enable = (enabled: boolean): Promise<void> =>
      writeFile(file, `db-channel-enabled = ${String(enabled)}\ndb-channel = "switched"\n`);
    await enable(true);
    const own = await startTestService(
      { areas: 'data-api', 'db-uri': database.uriFor(role, PASSWORD), 'db-anon-role': role },
      { file },
    );
    const listeners = (): Promise<number> =>
      withSession(database.uri, async (session) => {
        const rows = await session.query(
          `select 1 from pg_catalog.pg_stat_activity
           where datname = pg_catalog.current_database() and query = 'listen "switched"'`,
        );
        return rows.length;
      });
    await untilReady(own);
    expect(await listeners()).to.equal(1);
    for (const enabled of [false, true]) {
      await enable(enabled);
      own.reloadSettings();
      await until(async () => (await listeners()) === Number(enabled));
    }
    await own.stop();
    await rm(folder, { recursive: true });
  });
});

describe('settings and schema', function () {
  this.timeout(240_000);
  const role = 'dbr_settings_swap';
  let database: TestDatabase;
  let holder: Session;

  before(async () => {
    database = await databaseWithRole(role);
    holder = await openSession(database.uri);
  });
  after(async () => {
    await holder.close();
    await dropWithRole(database, role);
  });

  /** The settings are read, and loading the schema waits; reading tables goes on. */
  const holdLoads = (): Promise<void> =>
    holder.script('begin; lock table pg_catalog.pg_constraint in access exclusive mode');
  const letLoadsGo = (): Promise<void> => holder.script('commit');
  const waiting = async (): Promise<boolean> =>
    (
      await holder.query(
        `select 1 from pg_catalog.pg_locks where relation = 'pg_catalog.pg_constraint'::regclass and not granted`,
      )
    ).length > 0;

  it('cause 503 with DBR002 until they have been read for the first time', async () => {
    await run(database, `alter role ${role} set dbr.db_anon_role = '${role}'`);
    await holdLoads();
    const service = await startTestService({ areas: 'data-api', 'db-uri': database.uriFor(role, PASSWORD) });
    await until(waiting);
    for (const headers of [{}, { Authorization: 'Bearer a.b.c' }]) {
      const response = await fetch(`${service.url}/films`, { headers });
      expect(response.status).to.equal(503);
      expect(Number(response.headers.get('retry-after'))).to.be.at.least(1);
      expect(await response.json()).to.include({ code: 'DBR002' });
    }
    await letLoadsGo();
    await untilReady(service);
    expect(await statusOf(service, '/films')).to.equal(200);
    await service.stop();
  });

  it('take effect together', async () => {
    const service = await startTestService({
      areas: 'data-api',
      'db-uri': database.uriFor(role, PASSWORD),
      'db-anon-role': role,
      'db-pool': '1',
    });
    await untilReady(service);
    // The backend looks up the constraints of the table once.
    expect(await statusOf(service, '/films')).to.equal(200);
    await run(database, `alter role ${role} set dbr.db_schemas = 'other'`);
    await holdLoads();
    service.reloadSettings();
    await until(waiting);
    expect(await statusOf(service, '/films')).to.equal(200);
    expect(await configOf(service)).to.contain('db-schemas = "public"\n');
    await letLoadsGo();
    await until(async () => (await statusOf(service, '/reels')) === 200);
    expect(await statusOf(service, '/films')).to.equal(404);
    expect(await configOf(service)).to.contain('db-schemas = "other"\n');
    await service.stop();
  });
});

describe('settings without the data API', function () {
  this.timeout(120_000);

  it('are reloaded, and fixed settings keep their values', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dbr-settings-'));
    const file = join(folder, 'dbr.conf');
    await writeFile(file, 'server-trace-header = "X-One"\n');
    const database = await createTestDatabase();
    const service = await startTestService(
      { areas: 'notifications', 'db-uri': database.uri, 'service-jwt-secret': SECRET },
      { file },
    );
    const traced = async (name: string): Promise<string | null> =>
      (await fetch(`${service.url}/api/v1/openapi.json`, { headers: { [name]: 'me' } })).headers.get(name);
    expect(await traced('X-One')).to.equal('me');
    await writeFile(file, 'server-trace-header = "X-Two"\nserver-max-body-size = 2048\n');
    service.reloadSettings();
    expect(await traced('X-One')).to.equal(null);
    expect(await traced('X-Two')).to.equal('me');
    const config = await configOf(service);
    expect(config).to.contain('server-trace-header = "X-Two"\n');
    expect(config).to.contain('server-max-body-size = 104857600\n');
    expect(service.logs.join('\n')).to.contain('"settings":["server-max-body-size"]');
    await writeFile(file, 'server-trace-header = "X-Three"\nlog-level = "loud"\n');
    service.reloadSettings();
    expect(await traced('X-Two'), 'a wrong file changes nothing').to.equal('me');
    expect(service.logs.join('\n')).to.contain('"problem":"log-level ');
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  });
});

describe('a type that was changed without a notification', function () {
  this.timeout(120_000);
  const role = 'dbr_changed_type';
  let database: TestDatabase;
  let service: TestService;

  before(async () => {
    database = await databaseWithRole(role);
    await run(database, 'create function public.twice(n int) returns int language sql as $$ select n * 2 $$');
    service = await startTestService({
      areas: 'data-api',
      'db-uri': database.uriFor(role, PASSWORD),
      'db-anon-role': role,
    });
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await dropWithRole(database, role);
  });

  it('of a column keeps reads correct', async () => {
    expect(await statusOf(service, '/films?year=eq.1968')).to.equal(200);
    await run(database, 'alter table public.films alter column year type text');
    const response = await fetch(`${service.url}/films?year=eq.1968`);
    expect(await response.json()).to.deep.equal([{ id: 1, year: '1968' }]);
  });

  it('causes one schema reload on a read that fails with 42883, which then succeeds', async () => {
    expect(await (await fetch(`${service.url}/rpc/twice?n=2`)).json()).to.equal(4);
    await run(
      database,
      `drop function public.twice(int);
       create function public.twice(n text) returns text language sql as $$ select n || n $$`,
    );
    const response = await fetch(`${service.url}/rpc/twice?n=2`);
    expect(await response.json()).to.equal('22');
    expect(generations(service)).to.equal(2);
    await run(
      database,
      `drop function public.twice(text);
       create function public.twice(n int) returns int language sql as $$ select n * 2 $$`,
    );
    expect(await statusOf(service, '/rpc/twice?n=2'), 'once a minute').to.equal(404);
    expect(generations(service)).to.equal(2);
  });
});
