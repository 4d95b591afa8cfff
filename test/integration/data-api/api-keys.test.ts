import { expect } from 'chai';
import { SignJWT } from 'jose';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { readArguments } from '../../../src/command-line/arguments.js';
import { runKeyCommand } from '../../../packages/tools/src/key-command.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { runDbr, type Environment, type Finished } from '../../support/service/built-service.js';
import { exchange } from '../../support/service/exchange.js';
import { openRawClient, targetOf } from '../../support/service/raw-client.js';
import { startTestService, type TestService, untilReady } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const ROLES = ['keyed_authenticator', 'keyed_machine', 'keyed_anon', 'keyed_other'] as const;
const SCHEMA = `
  create role keyed_authenticator login noinherit password 'keyed';
  create role keyed_machine;
  create role keyed_anon;
  create role keyed_other;
  grant keyed_machine, keyed_anon to keyed_authenticator;
  create schema shop;
  create table shop.notes (id int primary key, owner text default current_user);
  insert into shop.notes values (1, 'one'), (2, 'two');
  create function shop.caller() returns json language sql stable as $$
    select json_build_object('role', current_user, 'claims', current_setting('request.jwt.claims')::json,
      'headers', current_setting('request.headers')::json) $$;
  grant usage on schema shop to keyed_machine, keyed_anon;
  grant select, insert on shop.notes to keyed_machine;
`;
const SECRET = 'a secret of the tests of API keys, long enough';

describe('API keys of the data API', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let session: Session;
  let service: TestService;
  let folder: string;
  const given: string[] = [];
  const settings = (): Record<string, string> => ({
    areas: 'data-api',
    'api-keys': 'true',
    // The commands notify the service.
    'api-keys-refresh': '60',
    'db-uri': database.uriFor('keyed_authenticator', 'keyed'),
    'db-schemas': 'shop',
    'db-anon-role': 'keyed_anon',
    'jwt-secret': SECRET,
    'db-live': 'true',
    'db-live-uri': database.uri,
  });

  const environment = (): Environment => ({
    DBR_DB_URI: database.uriFor('keyed_authenticator', 'keyed'),
    DBR_MIGRATE_DB_URI: database.uri,
    DBR_DB_ANON_ROLE: 'keyed_anon',
    DBR_DB_SCHEMAS: 'shop',
  });
  const dbr = (...args: readonly string[]): Promise<Finished> => runDbr(args, environment());
  /** As `dbr key`, without its process, which takes a second of the processor. */
  function run(...args: readonly string[]): Promise<string> {
    const command = readArguments(['key', ...args]);
    if (command.name !== 'key') throw new Error(`${command.name} is another command`);
    return runKeyCommand({ file: undefined, environment: environment() }, command.request, command.format);
  }
  /** What `dbr key create` says when it refuses. */
  const refusal = (...args: readonly string[]): Promise<string> =>
    run('create', ...args).then(
      (made) => `made ${made}`,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  async function create(...args: readonly string[]): Promise<string> {
    const key = await run('create', ...args);
    given.push(key);
    await until(async () => (await get(key, '/rpc/caller')).status === 200);
    return key;
  }
  const get = (apikey: string, path = '/notes?select=id&order=id', headers: Record<string, string> = {}) =>
    exchange(`${service.url}${path}`, 'GET', { headers: { apikey, ...headers } });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-keys-'));
    database = await createTestDatabase();
    await migrate(database.uri, join(packageRoot(), 'migrations'));
    session = await openSession(database.uri);
    await session.script(SCHEMA);
    service = await startTestService(settings(), { logLevel: 'debug' });
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await session.script(`drop owned by ${ROLES.join(', ')}; drop role ${ROLES.join(', ')}`);
    await session.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('end the live reads of a key that is revoked', async () => {
    const key = await create('--name', 'live', '--role', 'keyed_machine');
    const headers = { apikey: key, Accept: 'text/event-stream' };
    const response = await fetch(`${service.url}/notes?select=id&order=id`, { headers });
    expect(response.status).to.equal(200);
    const path = '/notes?select=id&order=id';
    const made = await exchange(`${service.url}/api/v1/live-tickets`, 'POST', {
      headers: { apikey: key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ path }),
    });
    const { ticket } = JSON.parse(made.text) as { readonly ticket: string };
    const url = `${service.url}${path}&dbr-ticket=${ticket}`;
    const byTicket = await fetch(url, { headers: { Accept: 'text/event-stream' } });
    expect(byTicket.status).to.equal(200);
    const { id } = (await listed()).find(({ name }) => name === 'live') ?? {};
    expect((await dbr('key', 'revoke', String(id))).code).to.equal(0);
    const text = (await response.text()).replace(/^id: .*$/m, 'id: 1');
    expect(text).to.equal(
      'retry: 3000\n\nid: 1\nevent: snapshot\ndata: [{"id":1}, \ndata:  {"id":2}]\n\n' +
        'event: end\ndata: {"reason":"token expired"}\n\n',
    );
    expect((await byTicket.text()).replace(/^id: .*$/m, 'id: 1')).to.equal(text);
    const after = await fetch(url, { headers: { Accept: 'text/event-stream' } });
    expect(after.status).to.equal(401);
    expect(service.logs.join('\n')).not.to.include(ticket.slice(0, 20));
  });

  it('open the role of the key by either header, until the key is revoked', async () => {
    const before = await get('dbr_0123456789012345678901');
    expect(before.status, 'before the first key is made, the login role may not read the table').to.be.oneOf([
      401, 503,
    ]);
    const key = await create('--name', 'backup', '--role', 'keyed_machine');
    expect(key).to.match(/^dbr_[\w-]{43}$/);
    const rows = [{ id: 1 }, { id: 2 }];
    expect((await get(key)).json).to.deep.equal(rows);
    const bearer = { Authorization: `Bearer ${key}` };
    expect(
      (await exchange(`${service.url}/notes?select=id&order=id`, 'GET', { headers: bearer })).json,
    ).to.deep.equal(rows);
    const both = await get(key, '/notes?select=id&order=id', bearer);
    expect([both.status, both.headers.get('cache-control')]).to.deep.equal([200, 'private']);
    expect(both.headers.get('vary')).to.match(/, apikey$/);
    const body = { id: 3 };
    expect(
      (await exchange(`${service.url}/notes`, 'POST', { headers: { apikey: key }, body })).status,
    ).to.equal(201);

    const [{ id } = { id: '' }] = (await listed()).filter(({ name }) => name === 'backup');
    const revoked = await dbr('key', 'revoke', id);
    expect(revoked).to.deep.equal({ code: 0, stdout: `revoked ${id} (backup)\n`, stderr: '' });
    await until(async () => (await get(key)).status === 401);
    const refused = await get(key);
    expect(refused.json).to.deep.equal({
      code: 'DBR304',
      details: null,
      hint: null,
      message: 'Invalid API key',
    });
    expect(refused.headers.get('www-authenticate')).to.equal(
      'Bearer error="invalid_token", error_description="Invalid API key"',
    );
    expect((await listed()).find((each) => each.id === id)).to.include({ state: 'revoked' });
  });

  const listed = async (): Promise<readonly { id: string; name: string }[]> =>
    JSON.parse(await run('list', '--json')) as readonly { id: string; name: string }[];

  it('show a transaction the role and the ID, and never the key', async () => {
    const made = await dbr('key', 'create', '--name', 'seen', '--role', 'keyed_machine', '--json');
    expect([made.code, made.stderr]).to.deep.equal([0, '']);
    const { key, ...shown } = JSON.parse(made.stdout) as Record<string, string | null>;
    const text = String(key);
    given.push(text);
    expect(shown).to.include({
      name: 'seen',
      role: 'keyed_machine',
      state: 'valid',
      rate: null,
      expires: null,
      lastUsed: null,
    });
    await until(async () => (await get(text)).status === 200);
    const { json, text: whole } = await get(text, '/rpc/caller', {
      Authorization: `Bearer ${text}`,
      'X-Other': 'kept',
    });
    expect(json).to.have.property('role', 'keyed_machine');
    expect(json).to.have.deep.property('claims', { api_key_id: shown['id'], role: 'keyed_machine' });
    expect(json).to.have.nested.property('headers.x-other', 'kept');
    expect(whole).not.to.contain(text);
  });

  it('stand beside a token, which names the role', async () => {
    const key = await create('--name', 'app', '--kind', 'publishable');
    expect(key).to.match(/^sb_publishable_/);
    const alone = await get(key, '/rpc/caller');
    expect(alone.json).to.include({ role: 'keyed_anon' });
    const token = await new SignJWT({ role: 'keyed_machine', sub: 'ada' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
    const headers = { Authorization: `Bearer ${token}` };
    const caller = await get(key, '/rpc/caller', headers);
    expect(caller.json).to.deep.include({
      role: 'keyed_machine',
      claims: { role: 'keyed_machine', sub: 'ada' },
    });
    expect(caller.text).not.to.contain(key);
    const wrong = await get(`${key}x`, '/rpc/caller', headers);
    expect([wrong.status, wrong.json]).to.deep.equal([
      401,
      { code: 'DBR304', details: null, hint: null, message: 'Invalid API key' },
    ]);
    expect((await get(token, '/rpc/caller', headers)).status, 'a token in apikey').to.equal(200);
  });

  it('are refused beyond their rate', async () => {
    const key = await run('create', '--name', 'slow', '--role', 'keyed_machine', '--rate', '2/m');
    given.push(key);
    const answers: number[] = [];
    await until(async () => {
      answers.push((await get(key)).status);
      return answers.includes(429);
    });
    expect(answers.filter((status) => status !== 401)).to.deep.equal([200, 200, 429]);
    const refused = await get(key);
    expect(refused.json).to.deep.equal({
      code: 'DBR411',
      details: null,
      hint: null,
      message: 'Too many requests',
    });
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 30);
    expect((await exchange(`${service.url}/rpc/caller`, 'GET')).status, 'others').to.equal(200);
  });

  it('count each request of a batch', async () => {
    const key = await create('--name', 'batches', '--role', 'keyed_machine', '--rate', '60/m');
    const send = async (requests: number) => {
      const items = Array.from({ length: requests }, () => ({ method: 'GET', path: '/notes?select=id' }));
      const headers = { apikey: key, 'Content-Type': 'application/vnd.dbr.batch+json' };
      const { status, json } = await exchange(service.url, 'POST', { headers, body: items });
      return [status, status === 200 ? null : json];
    };
    const refused = { code: 'DBR411', details: null, hint: null, message: 'Too many requests' };
    expect(await send(40)).to.deep.equal([200, null]);
    expect(await send(40)).to.deep.equal([429, refused]);
    expect(await send(100), 'more than the key may ever send').to.deep.equal([429, refused]);
    expect((await get(key)).status, 'a refused batch counts as one request').to.equal(200);
  });

  it('end with their time, also while it is passing', async () => {
    const key = await create('--name', 'short', '--role', 'keyed_machine', '--expires', '1h');
    expect((await get(key)).status).to.equal(200);
    await session.script(
      `update dbr_keys.api_keys set expires_at = now() - interval '1 second' where name = 'short'; notify dbr, 'reload keys'`,
    );
    await until(async () => (await get(key)).status === 401);
    expect((await listed()).find(({ name }) => name === 'short')).to.include({ state: 'expired' });
  });

  it('of Supabase are imported from a file', async () => {
    const key = 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz';
    given.push(key);
    const file = join(folder, 'supabase.key');
    await writeFile(file, `${key}\n`);
    const imported = await run('create', '--name', 'legacy', '--role', 'keyed_machine', '--import', file);
    expect(imported).to.match(/^imported [0-9a-f]{12} \(legacy\)$/);
    await until(async () => (await get(key)).status === 200);
    const again = await refusal('--name', 'twice', '--role', 'keyed_machine', '--import', file);
    expect(again).to.equal('the table has this key already');
    await writeFile(file, 'eyJ.token.x');
    const other = await refusal('--name', 'x', '--role', 'keyed_machine', '--import', file);
    expect(other).to.equal(
      `${file} holds no key: dbr_, sb_publishable_ or sb_secret_, and 22 to 200 letters, digits, - and _`,
    );
  });

  it('are made while another command makes one', async () => {
    const other = await openSession(database.uri);
    await other.script(`begin; select pg_advisory_xact_lock(5347123);
      grant select on dbr_keys.revision to keyed_authenticator`);
    const made = create('--name', 'meanwhile', '--role', 'keyed_machine');
    await until(async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await session.query(waiting)).length > 0;
    });
    await other.script('commit');
    await other.close();
    expect((await get(await made)).status).to.equal(200);
  });

  it('are not made for roles that the login role may not become', async () => {
    const refused = await dbr('key', 'create', '--name', 'x', '--role', 'keyed_other');
    expect(refused).to.deep.equal({
      code: 1,
      stdout: '',
      stderr:
        'dbr: keyed_authenticator may not become keyed_other: grant keyed_other to keyed_authenticator\n',
    });
    const asRole = (role: string): Promise<string> => refusal('--name', 'x', '--role', role);
    expect(await asRole('keyed_nobody')).to.equal('the role keyed_nobody does not exist');
    expect(await asRole('keyed_authenticator')).to.contain('is a role of the service itself');
    expect(await asRole('dbr_idempotency')).to.contain('is a role of the service itself');
    const unknown = await dbr('key', 'revoke', 'nothing');
    expect(unknown).to.deep.equal({ code: 1, stdout: '', stderr: 'dbr: no key has the ID nothing\n' });
  });

  it('are at most 10,000, and are refused beyond', async () => {
    const key = await create('--name', 'kept', '--role', 'keyed_machine');
    await session.script(
      `insert into dbr_keys.api_keys (id, hash, name)
       select lpad(to_hex(n), 12, '0'), sha256(n::text::bytea), 'many' from generate_series(1, 10000) as n`,
    );
    expect(await refusal('--name', 'x', '--role', 'keyed_machine')).to.equal(
      '10000 keys are valid: revoke others first',
    );
    await session.script(`delete from dbr_keys.api_keys where name = 'many'; notify dbr, 'reload keys'`);
    await until(async () => (await get(key)).status === 200);
  });

  it('that are wrong in any form get 400 or 401', async () => {
    const key = await create('--name', 'right', '--role', 'keyed_machine');
    for (const wrong of [
      'x',
      key.slice(0, -1),
      `${key}a`,
      key.toUpperCase(),
      `dbr_${'a'.repeat(9000)}`,
      '"',
      'ä',
    ])
      expect((await get(wrong)).status, wrong.slice(0, 60)).to.equal(401);
    const line = async (headers: string): Promise<string> => {
      const client = await openRawClient(targetOf(service.url));
      client.send(`GET /notes HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);
      return client.closed();
    };
    expect(await line(`apikey: ${key}\r\napikey: ${key}\r\n`)).to.match(/^HTTP\/1\.1 400 /);
    expect(await line(`apikey: ${key}\r\nApiKey: ${key}\r\n`)).to.contain("'apikey' must be given once");
    expect(await line(`apikey: ${key}\r\n`)).to.match(/^HTTP\/1\.1 200 /);
    expect(await line(`apikey: ${key.slice(0, -1)}\u00e4\r\n`)).to.match(/^HTTP\/1\.1 401 /);
    expect(await line(`apikey: ${'a'.repeat(400_000)}\r\n`)).to.match(/^HTTP\/1\.1 431 /);
    expect(await line('apikey: \r\n'), 'an empty header is none').to.match(/^HTTP\/1\.1 401 /);
  });

  it('do not open notifications and signing', async () => {
    const key = await create('--name', 'other areas', '--role', 'keyed_machine');
    const headers = { apikey: key, Authorization: `Bearer ${key}` };
    const both = await startTestService(
      {
        ...settings(),
        areas: 'data-api, notifications',
        'service-db-uri': database.uri,
        'service-jwt-secret': SECRET,
      },
      { logLevel: 'crit' },
    );
    try {
      await until(async () => (await exchange(`${both.url}/notes`, 'GET', { headers })).status === 200);
      const inbox = await exchange(`${both.url}/api/v1/notifications/me`, 'GET', { headers });
      expect(inbox.status).to.equal(401);
      expect(inbox.json).to.have.property('code', 'DBR401');
    } finally {
      await both.stop();
    }
  });

  it('note their last use', async () => {
    const own = await startTestService(
      { ...settings(), 'db-channel-enabled': 'false', 'api-keys-refresh': '1' },
      { logLevel: 'crit' },
    );
    const key = await create('--name', 'used', '--role', 'keyed_machine');
    await until(
      async () => (await exchange(`${own.url}/notes`, 'GET', { headers: { apikey: key } })).status === 200,
    );
    await own.stop();
    const [row = {}] = await session.query(
      `select last_used_at > now() - interval '1 minute' as recent from dbr_keys.api_keys where name = 'used'`,
    );
    expect(row['recent']).to.equal(true);
  });

  it('are texts without a meaning where they are switched off', async () => {
    const { 'api-keys': _, ...others } = settings();
    const off = await startTestService(others, { logLevel: 'crit' });
    try {
      await untilReady(off);
      const [key = ''] = given;
      const ignored = await exchange(`${off.url}/rpc/caller`, 'GET', { headers: { apikey: key } });
      expect([ignored.status, ignored.headers.get('vary')?.includes('apikey')]).to.deep.equal([200, false]);
      const bearer = { Authorization: `Bearer ${key}` };
      expect((await exchange(`${off.url}/rpc/caller`, 'GET', { headers: bearer })).json).to.include({
        code: 'DBR301',
      });
    } finally {
      await off.stop();
    }
  });

  it('appear in no log, metric or table', async () => {
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).to.contain('dbr_tokens_refused_total{reason="unknown API key"}');
    const [row = {}] = await session.query('select json_agg(k)::text as all from dbr_keys.api_keys as k');
    const places = [metrics, service.logs.join('\n'), service.announced.join('\n'), String(row['all'])];
    expect(given.length).to.be.greaterThan(6);
    for (const key of given) for (const place of places) expect(place.includes(key)).to.equal(false);
  });
});
