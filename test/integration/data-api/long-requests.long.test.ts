/** Long request bodies: a caller that may not send one is refused before it is received, and reading one does not delay others. */
import { expect } from 'chai';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { until } from '../../support/until.js';
import { openRawClient, targetOf, type RawClient } from '../../support/service/raw-client.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const LONG = 99_000_000;

describe('long request bodies', function () {
  this.timeout(240_000);
  let database: TestDatabase;
  let service: TestService;
  let guarded: TestService;
  let session: Session;
  let role: string;

  before(async () => {
    database = await createTestDatabase();
    role = `${database.name}_anon`;
    session = await openSession(database.uri);
    await session.script(`
      create role ${role};
      create role ${role}_writer;
      grant usage on schema public to ${role}, ${role}_writer;
      create table public.closed (id int primary key, text text);
      create view public.closed_view as select * from public.closed;
      create table public.opened (id int primary key, text text);
      grant select, insert on public.opened to ${role};
      grant insert on public.closed to ${role}_writer;
      create table public.late (id int, text text);
      create function public.closed_call(a json) returns int language sql as 'select 1';
      create function public.opened_call(json) returns int language sql as 'select 1';
      revoke execute on function public.closed_call(json) from public;
      create schema hidden;
      create table hidden.things (id int);
      create function public.take_role() returns void language plpgsql as
        $$ begin if current_setting('request.headers')::json ->> 'x-writer' is not null then
          execute 'set local role ${role}_writer'; end if; end $$;
    `);
    const settings = {
      areas: 'data-api',
      'db-uri': database.uri,
      'db-anon-role': role,
      'db-schemas': 'public,hidden',
    };
    service = await startTestService(settings, { logLevel: 'crit' });
    guarded = await startTestService(
      { ...settings, 'db-pre-request': 'public.take_role' },
      { logLevel: 'crit' },
    );
    await Promise.all([untilReady(service), untilReady(guarded)]);
  });
  after(async () => {
    await Promise.all([service.stop(), guarded.stop()]);
    await session.script(`drop owned by ${role}, ${role}_writer; drop role ${role}, ${role}_writer`);
    await session.close();
    await database.drop();
  });

  /** A request of which the head and a little of the body are sent. */
  async function begin(
    request: string,
    headers: readonly string[] = [],
    url = service.url,
  ): Promise<RawClient> {
    const client = await openRawClient(targetOf(url));
    const head = [`${request} HTTP/1.1`, 'Host: x', `Content-Length: ${String(LONG)}`, ...headers];
    client.send(`${head.join('\r\n')}\r\n\r\n[{"id":1`);
    return client;
  }

  interface Refusal {
    readonly status: number;
    readonly code: string;
    readonly message: string;
  }

  async function refusalOf(client: RawClient): Promise<Refusal> {
    const text = await client.closed();
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).to.include('\r\nConnection: close');
    const { code, message } = JSON.parse(body) as { code: string; message: string };
    return { status: Number(head.slice(9, 12)), code, message };
  }

  const JSON_TYPE = 'Content-Type: application/json';
  const cases: readonly (readonly [request: string, headers: readonly string[], Refusal])[] = [
    [
      'POST /closed',
      [JSON_TYPE],
      { status: 401, code: '42501', message: 'permission denied for table closed' },
    ],
    [
      'PATCH /closed?id=eq.1',
      [],
      { status: 401, code: '42501', message: 'permission denied for table closed' },
    ],
    [
      'PUT /closed?id=eq.1',
      [],
      { status: 401, code: '42501', message: 'permission denied for table closed' },
    ],
    [
      'PATCH /opened?id=eq.1',
      [],
      { status: 401, code: '42501', message: 'permission denied for table opened' },
    ],
    [
      'POST /closed_view',
      [],
      { status: 401, code: '42501', message: 'permission denied for view closed_view' },
    ],
    [
      'POST /things',
      ['Content-Profile: hidden'],
      { status: 401, code: '42501', message: 'permission denied for schema hidden' },
    ],
    [
      'POST /rpc/closed_call',
      [JSON_TYPE],
      { status: 401, code: '42501', message: 'permission denied for function closed_call' },
    ],
    [
      'POST /nowhere',
      [],
      {
        status: 404,
        code: 'DBR205',
        message: "Could not find the table 'public.nowhere' in the schema cache",
      },
    ],
    [
      'POST /rpc/nowhere',
      [],
      {
        status: 404,
        code: 'DBR202',
        message: 'Could not find the function public.nowhere without parameters in the schema cache',
      },
    ],
    ['POST /a/b', [], { status: 404, code: 'DBR125', message: 'Invalid path specified in request URL' }],
    [
      'POST /opened',
      ['Content-Type: text/plain'],
      { status: 415, code: 'DBR107', message: 'Content-Type not acceptable: text/plain' },
    ],
    [
      'POST /opened',
      ['Content-Profile: other'],
      { status: 406, code: 'DBR106', message: 'The schema must be one of the following: public, hidden' },
    ],
    [
      'POST /opened?select=id(',
      [],
      { status: 400, code: 'DBR100', message: '"failed to parse select parameter (id()" (line 1, column 4)' },
    ],
    [
      'PATCH /rpc/opened_call',
      [],
      { status: 405, code: 'DBR101', message: 'Cannot use the PATCH method on RPC' },
    ],
  ];
  describe('are refused before they are received', () => {
    let refusals: readonly Refusal[];
    // A refused client has two seconds to read the response, so all of them wait at the same time.
    before(async () => {
      refusals = await Promise.all(
        cases.map(async ([request, headers]) => refusalOf(await begin(request, headers))),
      );
    });
    for (const [index, [request, headers, refusal]] of cases.entries())
      it(`${request} ${headers.join(' ')}`, () => {
        const { status, code, message } = refusals[index] ?? {};
        expect({ status, code }).to.deep.equal({ status: refusal.status, code: refusal.code });
        if (refusal.code !== 'DBR100') expect(message).to.equal(refusal.message);
      });
  });

  it('get the same errors as short ones', async () => {
    const short = await exchange(`${service.url}/closed`, 'POST', { body: [{ id: 1 }] });
    const long = await exchange(`${service.url}/closed`, 'POST', {
      body: JSON.stringify([{ id: 1, text: 'x'.repeat(1_000_000) }]),
    });
    expect({ status: long.status, json: long.json }).to.deep.equal({
      status: short.status,
      json: short.json,
    });
  });

  it('are not received for requests without a body', async () => {
    const requests = ['GET /opened', 'DELETE /opened?id=eq.99'];
    const texts = await Promise.all(requests.map(async (request) => (await begin(request)).closed()));
    expect(texts.map((text) => text.slice(0, 13))).to.deep.equal(['HTTP/1.1 200 ', 'HTTP/1.1 401 ']);
  });

  it('are received when a privilege was granted since the schema was read', async () => {
    const body = JSON.stringify([{ id: 1, text: 'x'.repeat(100_000) }]);
    const send = () => exchange(`${service.url}/late`, 'POST', { body });
    expect((await send()).status).to.equal(401);
    await session.script(`grant insert on public.late to ${role}`);
    expect((await send()).status).to.equal(201);
  });

  it('are received when db-pre-request sets a role with the privilege', async () => {
    const body = JSON.stringify([{ id: 7, text: 'x'.repeat(100_000) }]);
    const send = (headers: Record<string, string>) =>
      exchange(`${guarded.url}/closed`, 'POST', { body, headers });
    expect((await send({})).status).to.equal(401);
    expect((await send({ 'X-Writer': 'yes' })).status).to.equal(201);
  });

  it('use memory only for callers that may send them', async () => {
    const clients = await Promise.all(Array.from({ length: 15 }, () => begin('POST /rpc/nonexistent')));
    for (const refusal of await Promise.all(clients.map(refusalOf)))
      expect(refusal).to.include({ status: 404, code: 'DBR202' });
    expect(await bodyBytes()).to.equal(0);
  });

  async function bodyBytes(): Promise<number> {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    return Number(/^dbr_request_body_bytes (\d+)$/m.exec(text)?.[1]);
  }

  it('are discarded when the client disconnects during the upload', async () => {
    const client = await begin('POST /opened', [JSON_TYPE]);
    client.send(' '.repeat(500_000));
    await until(async () => (await bodyBytes()) > 400_000);
    client.socket.destroy();
    await until(async () => (await bodyBytes()) === 0);
  });

  it('may have a limited number of keys', async () => {
    const keys = Object.fromEntries(
      Array.from({ length: 1_000_000 }, (_, index) => [`k${String(index)}`, 1]),
    );
    const { status, json } = await exchange(`${service.url}/opened`, 'POST', { body: JSON.stringify(keys) });
    expect({ status, json }).to.deep.equal({
      status: 400,
      json: {
        code: 'DBR130',
        message: 'The request body has too many keys',
        details: 'The limit is 10000 different keys.',
        hint: null,
      },
    });
  });

  const rows = Array.from({ length: 200_000 }, (_, id) => ({
    id,
    text: `some text, "quoted" ${String(id)}`,
  }));
  const bodies: readonly (readonly [type: string, make: () => string])[] = [
    ['application/json', () => JSON.stringify(rows)],
    [
      'text/csv',
      () =>
        `id,text\n${rows.map(({ id, text }) => `${String(id)},"${text.replaceAll('"', '""')}"`).join('\n')}`,
    ],
  ];
  for (const [type, make] of bodies)
    it(`are parsed in pieces, so that other requests are answered meanwhile: ${type}`, async () => {
      const body = Buffer.from(make());
      // Of another relation that has a column too few, so that the rows are read and nothing is written.
      const path = '/late?select=nothing';
      let answered = 0;
      let done = false;
      const asked = fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      }).then(async (response) => {
        done = true;
        return response.text();
      });
      const loop = monitorEventLoopDelay({ resolution: 5 });
      loop.enable();
      while (!done) {
        expect((await fetch(`${service.url}/opened?limit=1`)).status).to.equal(200);
        answered += 1;
      }
      loop.disable();
      await asked;
      expect(answered).to.be.greaterThan(5);
    });
});
