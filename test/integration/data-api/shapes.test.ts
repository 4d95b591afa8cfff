import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange, type Exchanged } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const FORM = 'application/x-www-form-urlencoded';

describe('the list of allowed shapes', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'dbr-shapes-'));
  const file = join(folder, 'shapes');
  /** Roles belong to the server. */
  const reader = `shape_reader_${String(process.pid)}`;
  const editor = `shape_editor_${String(process.pid)}`;
  const free = `shape_free_${String(process.pid)}`;
  let database: TestDatabase;
  let session: Session;
  let service: TestService | null = null;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(`
      create role ${reader}; create role ${editor}; create role ${free};
      alter role ${free} set dbr.db_shapes = 'off';
      create table public.films (id int primary key, title text, year int);
      create table public.roles (film int references public.films, name text);
      insert into public.films values (1, 'A', 1950), (2, 'B', 1960);
      create function public.add(a int, b int) returns int language sql immutable as $$ select a + b $$;
      grant select, insert, update, delete on public.films, public.roles to ${reader}, ${editor}, ${free}`);
  });
  afterEach(async () => {
    await service?.stop();
    service = null;
  });
  after(async () => {
    await session.script(
      `drop owned by ${reader}, ${editor}, ${free}; drop role ${reader}, ${editor}, ${free}`,
    );
    await session.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  async function start(settings: Readonly<Record<string, string>>): Promise<TestService> {
    const started = await startTestService({
      'db-uri': database.uri,
      areas: 'data-api',
      'db-anon-role': reader,
      'jwt-secret': SECRET,
      'db-channel-enabled': 'false',
      'db-pool': '1',
      'db-shapes-file': file,
      ...settings,
    });
    service = started;
    await untilReady(started);
    return started;
  }

  async function send(
    line: string,
    { role, headers = {}, body }: { role?: string; headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Exchanged> {
    const [method = '', path = ''] = line.split(' ');
    const token =
      role === undefined
        ? {}
        : {
            Authorization: `Bearer ${await new SignJWT({ role })
              .setProtectedHeader({ alg: 'HS256' })
              .sign(Buffer.from(SECRET))}`,
          };
    return exchange(`${service?.url ?? ''}${path}`, method, { headers: { ...token, ...headers }, body });
  }

  it('is what is logged of each shape that succeeds, once, without values', async () => {
    writeFileSync(file, '');
    const { logs } = await start({ 'db-shapes': 'record' });
    await send('GET /films?select=title&year=gte.1950&limit=5');
    await send('GET /films?select=title&year=gte.1960&limit=5');
    await send('HEAD /films?limit=5&year=gte.1&select=title');
    await send('QUERY /films', {
      headers: { 'Content-Type': FORM },
      body: 'select=title&year=gte.7&limit=5',
    });
    await send('GET /films?missing=eq.1');
    await send('GET /films?or=(id.eq.1,title.like.*secret*)&order=id.desc&offset=1', {
      headers: { Prefer: 'count=exact, timezone=UTC' },
    });
    await send('GET /films?select=*,roles(name)&roles.name=in.(a,b)', { role: editor });
    await send('POST /films', {
      role: editor,
      body: { id: 3, title: 'secret' },
      headers: { Prefer: 'return=minimal' },
    });
    await send('GET /rpc/add?a=1&b=2');
    await send('POST /rpc/add', { body: { a: 1, b: 2 } });
    await send('GET /');
    await send('OPTIONS /films');
    await send('GET /films?id=eq.1', { role: free });
    const shapes = [
      `${reader} GET public /films?limit=5&select=title&year=gte.$`,
      `${reader} GET public /films?offset=$&or=("id".eq.$,"title".like.$)&order=id.desc count=exact`,
      `${editor} GET public /films?roles.name=in.$&select=*,roles(name)`,
      `${editor} POST public /films return=minimal`,
      `${reader} GET public /rpc/add?a=$&b=$`,
      `${reader} POST public /rpc/add`,
      `${reader} GET public /`,
    ];
    const logged = logs.flatMap((line) => {
      const { shape } = JSON.parse(line) as { readonly shape?: string };
      return shape === undefined ? [] : [shape];
    });
    expect(logged).to.deep.equal(shapes);
    writeFileSync(file, shapes.map((line) => `${line}\n`).join(''));
  });

  it('is enforced for each role: other requests give 403 before the database is asked', async () => {
    const { logs } = await start({ 'db-shapes': 'enforce' });
    expect(logs.join('\n')).not.to.contain('shape');
    const served = await send('GET /films?limit=5&year=gte.1955&select=title');
    expect([served.status, served.json]).to.deep.equal([200, [{ title: 'B' }]]);
    expect((await send('HEAD /films?limit=5&year=gte.1955&select=title')).status).to.equal(200);
    const query = { headers: { 'Content-Type': FORM }, body: 'limit=5&select=title&year=gte.1955' };
    expect((await send('QUERY /films', query)).status).to.equal(200);
    expect((await send('OPTIONS /films')).status).to.equal(200);
    const refused = await send('GET /films?limit=6&year=gte.1955&select=title');
    expect([refused.status, refused.json]).to.deep.equal([
      403,
      {
        code: 'DBR191',
        message: 'The request is not on the list of allowed shapes',
        details: `${reader} GET public /films?limit=6&select=title&year=gte.$`,
        hint: null,
      },
    ]);
    for (const line of [
      'GET /films',
      'GET /films?limit=5&year=gt.1955&select=title',
      'GET /films?limit=5&year=gte.1955&select=title,id',
      'GET /films?limit=5&year=gte.1955&select=title&id=eq.1',
      'GET /roles?limit=5&year=gte.1955&select=title',
      'GET /rpc/add?a=1',
    ])
      expect([line, (await send(line)).status]).to.deep.equal([line, 403]);
    // The preference and the role are parts of the line.
    expect((await send('GET /films?offset=0&or=(id.eq.1,title.like.*x*)&order=id.desc')).status).to.equal(
      403,
    );
    expect((await send('GET /films?select=*,roles(name)&roles.name=in.(a)')).status).to.equal(403);
    expect(
      (await send('GET /films?select=*,roles(name)&roles.name=in.(a)', { role: editor })).status,
    ).to.equal(200);
    const body = { id: 4 };
    expect((await send('POST /films', { body })).status).to.equal(403);
    // A long body is refused before it is received.
    const long = { title: 'x'.repeat(1_000_000) };
    expect((await send('PATCH /films?id=eq.1', { body: long })).status).to.equal(403);
    // A graph writes other relations, too.
    const graph = { id: 5, roles: [{ name: 'R' }] };
    const minimal = { Prefer: 'return=minimal' };
    const written = await send('POST /films', { role: editor, body: graph, headers: minimal });
    expect([written.status, written.json]).to.deep.equal([
      403,
      {
        code: 'DBR191',
        message: 'The request is not on the list of allowed shapes',
        details: `${editor} POST public /films graph=roles return=minimal`,
        hint: null,
      },
    ]);
    const upload = { headers: { 'Content-Type': 'application/x-ndjson' }, body: '{"id":6}\n' };
    expect((await send('POST /films', { ...upload, role: editor })).status).to.equal(403);
    expect((await send('GET /films?id=eq.1&select=id', { role: free })).json).to.deep.equal([{ id: 1 }]);
    const [row] = await session.query('select count(*)::int as films from public.films where id > 3');
    expect(row).to.deep.equal({ films: 0 });
  });

  it('is read again with the settings, and a file that cannot be read leaves the former list in force', async () => {
    const enforcing = await start({ 'db-shapes': 'enforce' });
    const line = 'GET /films?id=eq.1&select=id';
    expect((await send(line)).status).to.equal(403);
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    enforcing.reloadSettings();
    await until(() => enforcing.logs.some((each) => each.includes('the previous list stays in force')));
    expect((await send('GET /rpc/add?a=1&b=2')).status).to.equal(200);
    writeFileSync(file, `${text}* GET public /films?id=eq.$&select=id\n`);
    enforcing.reloadSettings();
    await until(async () => (await send(line)).status === 200);
    expect((await send(line, { role: editor })).status).to.equal(200);
    expect((await send('GET /rpc/add?a=1&b=2')).status).to.equal(200);
  });

  it('stops the start if it cannot be read', async () => {
    const failure = (settings: Readonly<Record<string, string>>): Promise<string> =>
      start({ 'db-shapes': 'enforce', ...settings }).then(
        () => 'started',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
    expect(await failure({ 'db-shapes-file': '' })).to.equal(
      'db-shapes = enforce: db-shapes-file is not set',
    );
    expect(await failure({ 'db-shapes-file': join(folder, 'none') })).to.match(/^db-shapes-file = .*ENOENT/);
  });
});
