import { expect } from 'chai';
import { SignJWT } from 'jose';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSchemaCache } from '../../../src/data-api/schema-cache/load.js';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { openSession, withSession, type Session } from '../../../src/postgres/session.js';
import { operatorSettings } from '../../support/postgres/operator-settings.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const READER = 'operated_reader';
const ABROAD = 'operated_abroad';
const SCRIPT = `
  create role ${READER};
  create role ${ABROAD};
  alter role ${ABROAD} set client_encoding = 'LATIN1';
  create table public.sizes (id int primary key, size float8 not null);
  insert into public.sizes select n, 0.1 + n * 1e-16 from generate_series(0, 9) n;
  create table public.measured (size float8 primary key, note text);
  create table public.moments (id int primary key, at timestamptz not null);
  insert into public.moments select n, '2026-03-01 00:00:00Z'::timestamptz + n * interval '1 hour'
    from generate_series(0, 9) n;
  create table public.kinds (id int primary key, kind regclass not null);
  insert into public.kinds values (1, 'public.sizes'), (2, 'public.moments');
  create table public.places (name text primary key, since date default '2026-03-04');
  create table public.owned (id int primary key);
  alter table public.owned enable row level security;
  create policy own on public.owned using (id < 3);
  insert into public.owned select generate_series(1, 5);
  grant select, insert on all tables in schema public to ${READER}, ${ABROAD};
`;

describe('a database with settings of an operator', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let service: TestService;
  let session: Session;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(SCRIPT);
    await session.script(operatorSettings(database.name));
    service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': database.uri,
        'db-anon-role': READER,
        'jwt-secret': SECRET,
        'db-pool': '2',
      },
      { logLevel: 'warn' },
    );
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await session.script(
      [READER, ABROAD].map((role) => `drop owned by ${role}; drop role ${role};`).join(' '),
    );
    await session.close();
    await database.drop();
  });

  /** @param prefer of the first page, and of the others */
  async function walk(path: string, prefer: readonly [string, string]): Promise<readonly number[]> {
    const ids: number[] = [];
    for (let at: string | undefined = path; at !== undefined;) {
      const response: Response = await fetch(service.url + at, {
        headers: { prefer: `pagination=keyset, ${prefer[at === path ? 0 : 1]}` },
      });
      expect(response.status, at).to.be.oneOf([200, 206]);
      ids.push(...((await response.json()) as readonly { readonly id: number }[]).map(({ id }) => id));
      expect(ids.length, at).to.be.below(12);
      at = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return ids;
  }
  const TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

  it('has pages by key of numbers whose short texts are equal', async () => {
    expect(await walk('/sizes?select=id&order=size&limit=3', ['', ''])).to.deep.equal(TEN);
  });

  it('has pages by key of times in zones of one abbreviation', async () => {
    expect(
      await walk('/moments?select=id&order=at&limit=3', ['timezone=Asia/Kolkata', 'timezone=Asia/Jerusalem']),
    ).to.deep.equal(TEN);
  });

  it('refuses an order by names of objects on the first page by key', async () => {
    const response = await fetch(`${service.url}/kinds?order=kind&limit=1`, {
      headers: { prefer: 'pagination=keyset' },
    });
    expect(response.status).to.equal(400);
    expect(await response.json()).to.deep.include({ code: 'DBR145' });
  });

  it('names an inserted row by its exact number', async () => {
    const response = await fetch(`${service.url}/measured`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'return=headers-only' },
      body: '{"size":0.30000000000000004}',
    });
    expect(response.status).to.equal(201);
    expect(response.headers.get('location')).to.equal('/measured?size=eq.0.30000000000000004');
  });

  it('stores the letters of a role that has another encoding', async () => {
    const token = await new SignJWT({ role: ABROAD })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
    const response = await fetch(`${service.url}/places?select=name`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      body: '{"name":"Zürich"}',
    });
    expect([response.status, await response.json()]).to.deep.equal([201, [{ name: 'Zürich' }]]);
    const [row] = await session.query('select char_length(name) as letters from public.places');
    expect(row).to.deep.equal({ letters: 6 });
  });

  it('keeps the connection that listens, however long it is silent', async () => {
    await until(
      async () =>
        (
          await session.query(`select from pg_stat_activity where datname = current_database() and state = 'idle'
            and query like 'listen %' and clock_timestamp() - state_change > interval '2.5 s'`)
        ).length > 0,
    );
    expect(service.logs.join('\n')).not.to.include('listens for reloads was lost');
  });

  it('reads tables with policies', async () => {
    const response = await fetch(`${service.url}/owned`);
    expect([response.status, await response.json()]).to.deep.equal([200, [{ id: 1 }, { id: 2 }]]);
  });

  it('describes types and defaults without the quotes and forms of its sessions', async () => {
    const response = await fetch(service.url, { headers: { accept: 'application/openapi+json' } });
    const text = await response.text();
    expect(response.status).to.equal(200);
    expect(text).to.include('"format":"date"').and.to.include('"default":"2026-03-04"');
  });
});

const rejection = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'done', String);

describe('limits of a login', function () {
  this.timeout(60_000);
  const LOGIN = 'operated_login';
  /** Longer than a statement of the tests takes on a busy machine, in milliseconds. */
  const LIMIT_MS = 2000;
  let database: TestDatabase;
  let own: Session;
  let uri: string;

  before(async () => {
    database = await createTestDatabase();
    own = await openSession(database.uri);
    await own.script(`
      create role ${LOGIN} login superuser password 'login';
      alter role ${LOGIN} set statement_timeout = ${String(LIMIT_MS)};
      alter role ${LOGIN} set lock_timeout = ${String(LIMIT_MS)};
      do $$ begin
        if current_setting('server_version_num')::int >= 170000 then
          alter role ${LOGIN} set transaction_timeout = ${String(LIMIT_MS)};
        end if;
      end $$`);
    uri = database.uriFor(LOGIN, 'login');
  });
  after(async () => {
    await own.script(`drop owned by ${LOGIN}; drop role ${LOGIN}`);
    await own.close();
    await database.drop();
  });

  /** Holds a lock until a session of the login has waited for it for longer than the limits. */
  async function holdLock(table: string): Promise<void> {
    await own.script(`begin; lock table ${table} in access exclusive mode`);
    const WAITED = `select from pg_stat_activity where usename = '${LOGIN}' and wait_event_type = 'Lock'
      and clock_timestamp() - query_start > interval '${String(LIMIT_MS + 200)} ms'`;
    try {
      await withSession(database.uri, (other) => until(async () => (await other.query(WAITED)).length > 0));
    } finally {
      await own.script('rollback');
    }
  }

  it('do not hold for reading the catalogue', async () => {
    const login = openDatabase(uri, { poolSize: 1, pipelined: true });
    const holding = holdLock('pg_catalog.pg_description');
    await until(async () =>
      withSession(
        database.uri,
        async (other) =>
          (
            await other.query(
              `select from pg_locks where relation = 'pg_catalog.pg_description'::regclass and mode = 'AccessExclusiveLock'`,
            )
          ).length > 0,
      ),
    );
    try {
      const [cache] = await Promise.all([
        loadSchemaCache(login, {
          generation: 1,
          schemas: ['public'],
          extraSearchPath: [],
          hoistedSettings: [],
          roleSettings: true,
        }),
        holding,
      ]);
      expect(cache.schemas).to.have.length(1);
    } finally {
      await closeDatabase(login);
    }
  });

  it('do not hold for migrations', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dbr-migrations-'));
    try {
      await writeFile(join(folder, '0001_first.sql'), 'create table public.firsts (id int);\n');
      await writeFile(join(folder, '0002_slow.sql'), `select pg_sleep(${String(LIMIT_MS / 1000 + 0.2)});\n`);
      expect(await migrate(uri, folder)).to.deep.equal({ applied: ['0001_first.sql', '0002_slow.sql'] });
      const strict = `${uri}?options=-c%20statement_timeout%3D1s`;
      await writeFile(join(folder, '0003_slow.sql'), 'select pg_sleep(30);\n');
      expect(await rejection(migrate(strict, folder))).to.match(/0003_slow\.sql failed.*57014/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
