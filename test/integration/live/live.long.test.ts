/** What clients of live reads see beside the rows: heads, ends, refusals, and connections that are lost. */
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { setTimeout as delay } from 'node:timers/promises';
import { openLiveReader, type LiveReader } from '../../support/live/live-reader.js';
import { startLiveServer, type LiveServer } from '../../support/live/live-server.js';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { startTestServer, type TestServer } from '../../support/postgres/test-server.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'live reads are signed with this secret, of tests alone';

const tokenOf = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ role: 'reader', sub: 'ada', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(SECRET));

const settingsOf = (uri: string): Readonly<Record<string, string>> => ({
  areas: 'data-api',
  'db-uri': uri,
  'db-anon-role': 'web_anon',
  'db-schemas': 'live',
  'db-live': 'true',
  'db-live-pause': '5',
  'db-live-interval': '1',
  'db-live-max-bytes': '4096',
  'db-live-max-streams': '6',
  'jwt-secret': SECRET,
});

describe('live reads', function () {
  this.timeout(60_000);
  let live: LiveServer;
  let service: TestService;
  const readers: LiveReader[] = [];

  before(async () => {
    live = await startLiveServer();
    service = await startTestService(settingsOf(live.server.uri), { logLevel: 'debug' });
    await untilReady(service);
    // Nothing asks for changes before the first live read.
    expect(await slots()).to.equal(0);
  });

  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  after(async () => {
    await service.stop();
    // The slot goes with its connection.
    await until(async () => (await slots()) === 0);
    await live.remove();
  });

  const slots = async (): Promise<number> =>
    (await live.session.query('select from pg_catalog.pg_replication_slots')).length;

  async function open(
    query: string,
    { claims = {}, prefer = null }: { readonly claims?: object; readonly prefer?: string | null } = {},
  ): Promise<LiveReader> {
    const token = await tokenOf({ ...claims });
    const headers = { Authorization: `Bearer ${token}`, ...(prefer === null ? {} : { Prefer: prefer }) };
    const reader = openLiveReader({ url: `${service.url}${query}`, headers });
    readers.push(reader);
    await reader.opened;
    return reader;
  }

  async function read(query: string): Promise<string> {
    const token = await tokenOf({});
    const response = await fetch(`${service.url}${query}`, { headers: { Authorization: `Bearer ${token}` } });
    return JSON.stringify(await response.json());
  }

  async function refused(query: string, headers: Readonly<Record<string, string>> = {}) {
    const token = await tokenOf({});
    const response = await fetch(`${service.url}${query}`, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...headers },
    });
    const { code } = (await response.json()) as { readonly code: string };
    return { status: response.status, code };
  }

  it('are also asked at an interval where a function runs before each request', async () => {
    await live.session.script(
      'create function live.before_request() returns void language sql begin atomic select 1; end',
    );
    const checked = await startTestService(
      { ...settingsOf(live.server.uri), 'db-pre-request': 'live.before_request' },
      { logLevel: 'crit' },
    );
    try {
      await untilReady(checked);
      const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${await tokenOf({})}` };
      const response = await fetch(`${checked.url}/notes?id=eq.1&select=id`, { headers });
      expect([response.status, response.headers.get('preference-applied')]).to.deep.equal([
        200,
        'live=interval',
      ]);
      await response.body?.cancel();
    } finally {
      await checked.stop();
      await live.session.script('drop function live.before_request()');
    }
  });

  it('begin with a snapshot, whose head says how it stays true', async () => {
    const token = await tokenOf({});
    const gone = new AbortController();
    const response = await fetch(`${service.url}/notes?id=eq.1&select=id,list`, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}` },
      signal: gone.signal,
    });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('preference-applied')).to.equal(null);
    const first = await response.body?.getReader().read();
    const text = Buffer.from(first?.value ?? []).toString();
    expect(text.replace(/id: \S+/, 'id: 1')).to.equal(
      'retry: 3000\n\nid: 1\nevent: snapshot\ndata: [{"id":1,"list":1}]\n\n',
    );
    gone.abort();
    expect((await open('/notes?select=body', { prefer: 'count=exact' })).applied).to.equal('live=whole');
    expect((await open('/keyless')).applied).to.equal('live=whole, live=interval');
    expect((await open('/tags', { prefer: 'live=whole' })).applied).to.equal('live=whole');
  });

  it('have a row deleted that whole bodies had', async () => {
    await live.session.script(`insert into live.notes (id, list, body) values (1000, 1, 'goes')`);
    const reader = await open('/notes?list=eq.1&select=id&order=id.desc&limit=2', { prefer: 'live=whole' });
    await live.session.script('delete from live.notes where id = 1000');
    await until(() => !JSON.stringify(reader.state.rows).includes('1000'));
    expect(reader.events).to.not.have.property('change');
  });

  it('find changes of a table without a key at their interval', async () => {
    const reader = await open('/keyless');
    await live.session.script(`insert into live.keyless values (1, 'one')`);
    await until(() => reader.state.rows.length === 1);
    expect(reader.state.rows).to.deep.equal([{ a: 1, b: 'one' }]);
  });

  it('are refused where there is nothing to keep true', async () => {
    expect(await refused('/')).to.deep.equal({ status: 406, code: 'DBR107' });
    expect(await refused('/nothing')).to.deep.equal({ status: 404, code: '42P01' });
    expect(await refused('/notes?nothing=eq.1')).to.deep.equal({ status: 400, code: '42703' });
    expect(await refused('/notes', { Authorization: 'Bearer x' })).to.deep.equal({
      status: 401,
      code: 'DBR301',
    });
  });

  it('end when the token expires', async () => {
    const reader = await open('/notes?id=eq.2', { claims: { exp: Math.floor(Date.now() / 1000) + 2 } });
    await until(() => reader.ends.length > 0);
    expect(reader.ends[0]).to.equal('token expired');
  });

  it('end when the role may no longer read', async () => {
    const reader = await open('/parts?order=id');
    await live.session.script('revoke select on live.parts from reader');
    await live.session.script('update live.parts set value = value + 1 where id = 1');
    await until(() => reader.ends.length > 0);
    expect(reader.ends[0]).to.equal('rights');
    await live.session.script('grant select on live.parts to reader');
  });

  it('end with an answer that is too long', async () => {
    const reader = await open('/notes?list=eq.3&order=id');
    await live.session.script(`update live.notes set body = repeat('x', 5000) where id = 3`);
    await until(() => reader.ends.length > 0);
    expect(reader.ends[0]).to.equal('too large');
    await live.session.script(`update live.notes set body = 'n3' where id = 3`);
  });

  it('are limited for each user', async () => {
    const claims = { sub: 'many' };
    for (let index = 0; index < 6; index += 1) await open('/tags?limit=1', { claims });
    const token = await tokenOf(claims);
    expect(await refused('/tags?limit=1', { Authorization: `Bearer ${token}` })).to.deep.equal({
      status: 429,
      code: 'DBR422',
    });
    expect((await open('/tags?limit=1')).events['snapshot']).to.equal(1);
  });

  const JSON_FROM_A = { 'Content-Type': 'application/json', Origin: 'http://a.example' };

  const ticketOf = async (
    path: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, string>> }> => {
    const response = await fetch(`${service.url}/api/v1/live-tickets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${await tokenOf({})}`, ...JSON_FROM_A, ...headers },
      body: JSON.stringify({ path }),
    });
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, string>> };
  };

  /** As EventSource sends it. */
  const byTicket = (
    path: string,
    ticket: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    fetch(`${service.url}${path}&dbr-ticket=${String(ticket)}`, {
      headers: { Accept: 'text/event-stream', Origin: 'http://a.example', ...headers },
    });

  it('are opened by a ticket, for the request and the headers of its maker', async () => {
    const path = '/notes?list=eq.4&order=id&select=id,list&limit=1';
    const { status, body } = await ticketOf(path, { Prefer: 'live=whole' });
    expect([status, Object.keys(body)]).to.deep.equal([200, ['ticket', 'expiresAt']]);
    const first = await byTicket(path, body['ticket']);
    expect(first.status).to.equal(200);
    expect(first.headers.get('preference-applied')).to.equal('live=whole');
    expect(first.headers.get('access-control-allow-origin')).to.equal('*');
    const reader = first.body?.getReader();
    const text = Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(text).to.include('data: [{"id":4,"list":4}]');
    // The next stream of the ticket ends this one.
    const id = /^id: (.*)$/m.exec(text)?.[1] ?? '';
    const again = await byTicket(path, body['ticket'], { 'Last-Event-ID': id });
    expect(again.status).to.equal(200);
    const failure = await reader?.read().then(
      ({ done }) => (done ? 'ended' : 'goes on'),
      () => 'ended',
    );
    expect(failure).to.equal('ended');
    await again.body?.cancel();
    const other = await byTicket('/notes?list=eq.3', body['ticket']);
    expect(other.status).to.equal(401);
    expect(((await other.json()) as { readonly code: string }).code).to.equal('DBR301');
    // A ticket opens live reads alone.
    const plain = await fetch(`${service.url}${path}&dbr-ticket=${String(body['ticket'])}`);
    expect(plain.status).to.equal(400);
    expect(service.logs.join('\n')).not.to.include(String(body['ticket']).slice(0, 20));
  });

  it('end by ticket when the token of its maker expires', async () => {
    const token = await tokenOf({ exp: Math.floor(Date.now() / 1000) + 2 });
    const { body } = await ticketOf('/notes?id=eq.2', { Authorization: `Bearer ${token}` });
    const response = await byTicket('/notes?id=eq.2', body['ticket']);
    expect(await response.text()).to.match(/event: end\ndata: \{"reason":"token expired"\}\n\n$/);
    // Tokens are accepted for 30 seconds more, and no read outlives its token.
    const late = await byTicket('/notes?id=eq.2', body['ticket']);
    expect(await late.text()).to.match(/event: end\ndata: \{"reason":"token expired"\}\n\n$/);
  });

  it('have no ticket without a token that is valid, or for what is not a path', async () => {
    expect((await ticketOf('/notes', { Authorization: 'Bearer x' })).status).to.equal(401);
    for (const path of ['notes', 1, null]) expect((await ticketOf(path)).status).to.equal(400);
    const { status, headers } = await fetch(`${service.url}/api/v1/live-tickets`);
    expect([status, headers.get('allow')]).to.deep.equal([405, 'POST, OPTIONS']);
  });

  it('have all changes after a lost connection to the log', async () => {
    const reader = await open('/notes?list=eq.1&order=id&select=id,body');
    await live.session.script(`select pg_terminate_backend(active_pid) from pg_replication_slots`);
    await live.session.script(`update live.notes set body = 'meanwhile' where id = 1`);
    await until(() => JSON.stringify(reader.state.rows).includes('meanwhile'));
    expect(reader.ends).to.deep.equal([]);
    await live.session.script(`update live.notes set body = 'after' where id = 1`);
    await until(() => JSON.stringify(reader.state.rows).includes('after'));
  });

  it('send what has changed to a client that connects again', async () => {
    const first = await open('/notes?list=eq.2&order=id&select=id,body');
    const token = await tokenOf({});
    const response = await fetch(`${service.url}/notes?list=eq.2&order=id&select=id,body`, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}` },
    });
    const reader = response.body?.getReader();
    const begun = await reader?.read();
    const id = /^id: (.*)$/m.exec(Buffer.from(begun?.value ?? []).toString())?.[1] ?? '';
    await reader?.cancel();
    await live.session.script(`update live.notes set body = 'changed' where id = 2`);
    await until(() => JSON.stringify(first.state.rows).includes('changed'));
    const again = await fetch(`${service.url}/notes?list=eq.2&order=id&select=id,body`, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, 'Last-Event-ID': id },
    });
    const rest = again.body?.getReader();
    const text = Buffer.from((await rest?.read())?.value ?? []).toString();
    await rest?.cancel();
    expect(text.replace(/id: \S+/, 'id: 2')).to.equal(
      'retry: 3000\n\nid: 2\nevent: change\ndata: {"key":["id"],"upsert":[{"id":2,"body":"changed"}],"delete":[]}\n\n',
    );
  });

  it('follow a policy that has changed', async () => {
    const reader = await open('/tags?order=note&limit=2&select=note,tag');
    await live.session.script(`alter policy all_tags on live.tags using (tag = 'none')`);
    await until(() => reader.state.rows.length === 0);
    await live.session.script(
      `drop policy all_tags on live.tags;
      create table live.shown (tag text primary key);
      grant select on live.shown to reader;
      create policy all_tags on live.tags for select to reader
        using (exists (select from live.shown where shown.tag = tags.tag))`,
    );
    await until(async () => (await read('/tags?order=note&limit=2&select=note,tag')) === '[]');
    // The other table of the policy is followed from then on.
    await until(async () => {
      await live.session.script(`delete from live.shown; insert into live.shown values ('red')`);
      return reader.state.rows.length === 2;
    });
    await live.session.script(
      `alter policy all_tags on live.tags using (tag <> 'secret'); drop table live.shown`,
    );
    await until(
      async () =>
        JSON.stringify(reader.state.rows) === (await read('/tags?order=note&limit=2&select=note,tag')),
    );
    expect(reader.ends).to.deep.equal([]);
  });

  it('follow row security that is switched on, and the rows of another owner', async () => {
    const reader = await open('/parts?order=area,id&select=id,area');
    expect(reader.state.rows).to.have.length(10);
    await live.session.script('alter table live.parts enable row level security');
    await until(() => reader.state.rows.length === 0);
    await live.session.script(`create policy of_area on live.parts to reader using (area = 'a')`);
    await until(() => reader.state.rows.length === 5);
    await live.session.script(
      'alter table live.parts disable row level security; drop policy of_area on live.parts',
    );
    await until(() => reader.state.rows.length === 10);
    expect(reader.ends).to.deep.equal([]);
  });

  it('end when a grant or a membership is taken, without a change of rows', async () => {
    await live.session.script(
      `create role team; grant select on live.parts to team; grant team to reader; revoke select on live.parts from reader`,
    );
    const reader = await open('/parts?area=eq.a');
    await live.session.script('revoke team from reader');
    await until(() => reader.ends.includes('rights'));
    await live.session.script('grant select (id) on live.parts to reader');
    const again = await open('/parts?select=id');
    await live.session.script('revoke select (id) on live.parts from reader');
    await until(() => again.ends.includes('rights'));
    await live.session.script('grant select on live.parts to reader');
    const last = await open('/parts?area=eq.b');
    await live.session.script('revoke usage on schema live from reader');
    await until(() => last.ends.includes('rights'));
    await live.session.script('grant usage on schema live to reader');
  });

  it('follow columns, views and functions that are altered', async () => {
    const [tags, ranked, top] = [
      await open('/tags?order=note&limit=2'),
      await open('/ranked?order=id&limit=2'),
      await open('/rpc/top?wanted=1&select=id'),
    ];
    await live.session.script(
      `alter table live.tags add column colour text default 'none';
      create or replace view live.ranked with (security_invoker = true) as
        select id, list, rank from live.notes where rank > 4;
      create or replace function live.top(wanted int) returns setof live.notes language sql stable
      begin atomic
        select * from live.notes where list = wanted order by id limit 2;
      end`,
    );
    for (const [reader, query] of [
      [tags, '/tags?order=note&limit=2'],
      [ranked, '/ranked?order=id&limit=2'],
      [top, '/rpc/top?wanted=1&select=id'],
    ] as const)
      await until(async () => JSON.stringify(reader.state.rows) === (await read(query)));
    expect(top.state.rows).to.have.length(2);
    expect(JSON.stringify(ranked.state.rows))
      .to.match(/"rank":[56]/)
      .and.not.match(/"rank":[0-4]/);
    await live.session.script('alter table live.tags drop column colour');
    await until(async () => JSON.stringify(tags.state.rows) === (await read('/tags?order=note&limit=2')));
    expect([...tags.ends, ...ranked.ends, ...top.ends]).to.deep.equal([]);
  });

  it('have a row deleted after they were planned again with the same answer', async () => {
    const reader = await open('/notes?list=eq.1&order=id&select=id');
    const { rows } = reader.state;
    await live.session.script('alter table live.notes alter column body set statistics 50');
    // The next comparison of rights plans the request again.
    await delay(2500);
    await live.session.script('update live.notes set list = 2 where id = 11');
    await until(() => reader.state.rows.length === rows.length - 1);
    expect(reader.ends).to.deep.equal([]);
  });

  it('go on under a schema that has changed', async () => {
    const reader = await open('/tags?order=note&limit=2&select=note,tag');
    await live.session.script(`alter table live.tags add column colour text default 'none'`);
    await live.session.script(`delete from live.tags where note = 3`);
    await until(() => JSON.stringify(reader.state.rows).includes('"note":6'));
    expect(reader.ends).to.deep.equal([]);
  });
});

describe('live reads without a log of changes', function () {
  this.timeout(60_000);
  let server: TestServer;
  let session: Session;
  const services: TestService[] = [];

  before(async () => {
    server = await startTestServer();
    const before = await openSession(server.uri);
    await before.script('alter system set max_replication_slots = 0');
    await before.close();
    await server.stop();
    await server.start();
    session = await openSession(server.uri);
    await session.script(
      `create role web_anon; create table t (id int primary key); grant select on t to web_anon;
      create role logs_in login password 'live'; create role replicates login replication password 'live'`,
    );
  });

  after(async () => {
    for (const each of services) await each.stop();
    await session.close();
    await server.remove();
  });

  /** What a service answers, whose plain reads have their answer. */
  async function refusal(settings: Readonly<Record<string, string>>) {
    const service = await startTestService(
      {
        ...{ areas: 'data-api', 'db-uri': server.uri, 'db-anon-role': 'web_anon', 'db-schemas': 'public' },
        ...settings,
      },
      { logLevel: 'crit' },
    );
    services.push(service);
    await untilReady(service);
    expect((await fetch(`${service.url}/t`)).status).to.equal(200);
    const response = await fetch(`${service.url}/t`, { headers: { Accept: 'text/event-stream' } });
    const { details, ...error } = (await response.json()) as Readonly<Record<string, unknown>>;
    const message = 'Live reads are not possible here';
    expect([response.status, error]).to.deep.equal([501, { code: 'DBR183', message, hint: null }]);
    expect((await fetch(`${service.url}/t`)).status).to.equal(200);
    const ticket = await fetch(`${service.url}/api/v1/live-tickets`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"path":"/t"}',
    });
    expect(ticket.status).to.equal('db-live' in settings ? 200 : 501);
    return details;
  }

  /** What a service answers whose live reads log in as a role. */
  function refusalAs(role: string) {
    const uri = new URL(server.uri);
    uri.username = role;
    uri.password = 'live';
    return refusal({ 'db-live': 'true', 'db-live-uri': uri.href });
  }

  it('are refused where they are off', async () => {
    expect(await refusal({})).to.equal('The setting db-live is off.');
  });

  it('are refused with the words of PostgreSQL', async () => {
    expect(await refusalAs('logs_in')).to.equal('permission denied for database postgres');
    await session.script('create publication dbr_live with (publish_via_partition_root = true)');
    expect(await refusalAs('logs_in')).to.equal('permission denied to start WAL sender');
    expect(await refusalAs('replicates')).to.match(/max_replication_slots/);
  });
});
