/** Properties of every response: headers, request ids, 405 with Allow, log lines. */
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { until } from '../../support/until.js';
import { openRawClient, targetOf } from '../../support/service/raw-client.js';
import { startTestService, type TestService } from '../../support/service/service.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const ORIGIN = 'https://shop.example';

interface LogLine {
  readonly level: string;
  readonly requestId?: string;
  readonly status?: number;
  readonly path?: string;
  readonly reason?: string;
}

describe('responses of the service', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let anon: string;
  let service: TestService;
  let listed: TestService;

  const settings = (): Record<string, string> => ({
    areas: 'data-api,notifications',
    'db-uri': database.uri,
    'db-anon-role': anon,
    'jwt-secret': SECRET,
    'service-jwt-secret': SECRET,
  });

  before(async () => {
    database = await createTestDatabase();
    anon = `${database.name}_anon`;
    await withSession(database.uri, (session) =>
      session.script(`
        create role ${anon};
        grant usage on schema public to ${anon};
        create table public.items (id int primary key, label text);
        grant select on public.items to ${anon};

        create function public.raise_full() returns void language plpgsql as $$ begin
          raise sqlstate 'DBR00' using message = '{"code":"OWN","message":"own"}',
            detail = '{"status":402,"headers":{"Content-Type":"application/problem+json","Server":"own","vary":"X"}}';
        end $$;
        create function public.raise_503() returns void language plpgsql as $$ begin
          raise sqlstate 'PT503' using message = 'closed for today';
        end $$;
        create function public.own_headers() returns text language sql stable as $$
          select set_config('response.headers', '[{"Cache-Control":"max-age=60"},{"Access-Control-Allow-Origin":"https://a.example"}]', true) $$;
        create function public.status_205() returns text language sql stable as $$
          select set_config('response.status', '205', true) $$;
        create function public.status_405() returns text language sql stable as $$
          select set_config('response.status', '405', true) $$;
        create function public.volatile_write() returns void language sql as $$ insert into public.items values (99) $$;
        create function public.sleep(seconds float8) returns void language sql as $$ select pg_sleep(seconds) $$;
        create domain public."text/html" as text;
        create function public.page() returns public."text/html" language sql stable as $$ select '<p>'::public."text/html" $$;

        create table public.people (id int primary key);
        create table public.letters (id int primary key, sender int constraint hidden_sender references public.people,
          receiver int constraint hidden_receiver references public.people);
        create table public.open_notes (id int primary key,
          author int constraint note_author references public.people, reader int constraint note_reader references public.people);
        create table public.secret_pairs (person int references public.people, note int references public.open_notes, primary key (person, note));
        grant select on public.people, public.open_notes to ${anon};
        create function public.pick(value int) returns int language sql as 'select 1';
        create function public.pick(value text) returns int language sql as 'select 2';
        create function public.hidden_pick(value int) returns int language sql as 'select 1';
        create function public.hidden_pick(value text) returns int language sql as 'select 2';
        revoke execute on function public.pick(text), public.hidden_pick(int), public.hidden_pick(text) from public;
      `),
    );
    service = await startTestService(settings());
    listed = await startTestService({ ...settings(), 'server-cors-allowed-origins': ORIGIN });
    await Promise.all([untilDataApi(service), untilDataApi(listed)]);
  });
  after(async () => {
    await Promise.all([service.stop(), listed.stop()]);
    await database.drop();
    await withSession(database.uri.replace(database.name, 'postgres'), (session) =>
      session.script(`drop role ${anon}`),
    );
  });

  const untilDataApi = ({ url }: TestService): Promise<void> =>
    until(async () => (await fetch(`${url}/items`)).status === 200);

  const lines = (): readonly LogLine[] => service.logs.map((line) => JSON.parse(line) as LogLine);

  async function lineOf(requestId: string): Promise<LogLine> {
    let found: LogLine | undefined;
    await until(() => {
      found = lines().find((line) => line.requestId === requestId && line.status !== undefined);
      return Promise.resolve(found !== undefined);
    });
    if (found === undefined) throw new Error('no line');
    return found;
  }

  const bearer = async (): Promise<string> =>
    `Bearer ${await new SignJWT({ role: anon }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET))}`;

  describe('of the data API', () => {
    it('have a Vary header and nosniff', async () => {
      const { headers } = await exchange(`${service.url}/items`, 'GET');
      expect(headers.get('vary')).to.equal('Accept, Accept-Profile, Authorization, Origin, Prefer, Range');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('cache-control')).to.equal(null);
    });

    it('to requests with a token are private', async () => {
      const authorization = await bearer();
      const { status, headers } = await exchange(`${service.url}/items`, 'GET', {
        headers: { authorization },
      });
      expect(status).to.equal(200);
      expect(headers.get('cache-control')).to.equal('private');
    });

    it('have headers of functions instead of those of the service', async () => {
      const { headers } = await exchange(`${service.url}/rpc/own_headers`, 'GET', {
        headers: { authorization: await bearer(), origin: ORIGIN },
      });
      expect(headers.get('cache-control')).to.equal('max-age=60');
      expect(headers.get('access-control-allow-origin')).to.equal('https://a.example');
    });

    it('have headers of raised errors instead of those of the service', async () => {
      const { status, headers, json } = await exchange(`${service.url}/rpc/raise_full`, 'POST');
      expect({ status, json }).to.deep.equal({
        status: 402,
        json: { code: 'OWN', message: 'own', details: null, hint: null },
      });
      expect(headers.get('content-type')).to.equal('application/problem+json');
      expect(headers.get('server')).to.equal('own');
      expect(headers.get('vary')).to.equal('X');
    });

    it('have no body with status 205', async () => {
      const { status, text, headers } = await exchange(`${service.url}/rpc/status_205`, 'GET');
      expect({ status, text }).to.deep.equal({ status: 205, text: '' });
      expect(headers.get('content-length')).to.equal('0');
    });

    it('in HTML forbid framing, and run no script as a page of this origin', async () => {
      const { headers, text } = await fetch(`${service.url}/rpc/page`, {
        headers: { accept: 'text/html' },
      }).then(async (response) => ({ headers: response.headers, text: await response.text() }));
      expect(text).to.equal('<p>');
      expect(headers.get('content-security-policy')).to.equal("sandbox; frame-ancestors 'none'");
    });

    it('carry the request id of the log', async () => {
      const own = await exchange(`${service.url}/items`, 'GET', { headers: { 'X-Request-Id': 'mine-1' } });
      expect(own.headers.get('x-request-id')).to.equal('mine-1');
      const given = (await exchange(`${service.url}/items`, 'GET')).headers.get('x-request-id') ?? '';
      expect(given).to.match(/^[0-9a-f]{12}-[0-9a-z]+$/);
      expect(await lineOf(given)).to.include({ path: '/items', status: 200 });
    });
  });

  describe('to other origins', () => {
    const preflight = (url: string, origin: string): Promise<Response> =>
      fetch(`${url}/items`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      });

    it('expose the headers that scripts need', async () => {
      const { headers } = await exchange(`${service.url}/items`, 'GET', { headers: { origin: ORIGIN } });
      const exposed = (headers.get('access-control-expose-headers') ?? '').split(', ');
      expect(exposed).to.include.members([
        'Content-Range',
        'ETag',
        'Location',
        'Preference-Applied',
        'Retry-After',
        'WWW-Authenticate',
        'X-Request-Id',
      ]);
    });

    it('vary by origin where there is a list', async () => {
      const allowed = await preflight(listed.url, ORIGIN);
      expect(allowed.headers.get('access-control-allow-origin')).to.equal(ORIGIN);
      expect(allowed.headers.get('vary')).to.match(/(^|, )Origin(,|$)/);
      const plain = await fetch(`${listed.url}/items`);
      expect(plain.headers.get('vary')).to.match(/(^|, )Origin(,|$)/);
    });

    it('allow nothing to an origin that is not on the list, not even in a preflight response', async () => {
      const { headers } = await preflight(listed.url, 'https://evil.example');
      const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect(names).to.deep.equal([]);
    });
  });

  describe('with status 405', () => {
    const cases: readonly (readonly [method: string, path: string, code: string, allow: string])[] = [
      ['PROPFIND', '/items', 'DBR117', 'OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE'],
      ['FOO', '/items', 'DBR117', 'OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE'],
      ['FOO', '/rpc/sleep', 'DBR101', 'OPTIONS, GET, HEAD, POST'],
      ['CONNECT', '/rpc/sleep', 'DBR101', 'OPTIONS, GET, HEAD, POST'],
      ['TRACE', '/rpc/sleep', 'DBR101', 'OPTIONS, GET, HEAD, POST'],
      ['POST', '/', 'DBR117', 'OPTIONS, GET, HEAD, POST'],
      ['DELETE', '/rpc/sleep', 'DBR101', 'OPTIONS, GET, HEAD, POST'],
      ['PUT', '/items?id=gt.1', 'DBR105', 'OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE'],
      ['GET', '/rpc/volatile_write', '25006', 'OPTIONS, GET, HEAD, POST'],
      ['DELETE', '/api/v1/notifications/me', 'DBR406', 'GET, HEAD, OPTIONS'],
      // The path of another operation has a template that matches it.
      ['DELETE', '/api/v1/notifications/me/mark-read', 'DBR406', 'POST, OPTIONS'],
      ['GET', '/api/v1/notifications/me/mark-read/', 'DBR406', 'POST, OPTIONS'],
      ['PROPFIND', '/api/v1/notifications/me/unread-count', 'DBR406', 'GET, HEAD, OPTIONS'],
    ];
    for (const [method, path, code, allow] of cases)
      it(`name the allowed methods: ${method} ${path}`, async () => {
        const client = await openRawClient(targetOf(service.url));
        const length = method === 'PUT' ? 'Content-Type: application/json\r\nContent-Length: 8\r\n' : '';
        const body = method === 'PUT' ? '{"id":1}' : '';
        client.send(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${length}Connection: close\r\n\r\n${body}`);
        const answer = await client.closed();
        expect(answer).to.match(/^HTTP\/1.1 405 Method Not Allowed\r\n/);
        expect(/\r\nAllow: (.*)\r\n/.exec(answer)?.[1]?.split(', ').toSorted()).to.deep.equal(
          allow.split(', ').toSorted(),
        );
        expect((JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as { code: string }).code).to.equal(code);
      });

    it('name the allowed methods where a function set the status', async () => {
      const { status, headers } = await exchange(`${service.url}/rpc/status_405`, 'GET');
      expect(status).to.equal(405);
      expect(headers.get('allow')).to.equal('OPTIONS, GET, HEAD, POST');
    });
  });

  describe('name no object that is hidden from the role', () => {
    it('where an embed is ambiguous (DBR201)', async () => {
      const { status, text } = await exchange(`${service.url}/people?select=open_notes(*)`, 'GET');
      expect(status).to.equal(300);
      expect(text).to.include('note_author').and.include('note_reader').and.not.include('secret_pairs');
    });

    it('where all candidates are hidden', async () => {
      const { status, text } = await exchange(`${service.url}/people?select=letters(*)`, 'GET');
      expect(status).to.equal(400);
      expect(text).to.include('DBR200').and.not.include('hidden_');
    });

    it('where a call is ambiguous (DBR203)', async () => {
      const { status, text } = await exchange(`${service.url}/rpc/pick?value=1`, 'GET');
      expect(status).to.equal(300);
      expect(text).to.include('public.pick(value => integer)').and.not.include('value => text');
      expect((await exchange(`${service.url}/rpc/hidden_pick?value=1`, 'GET')).status).to.equal(404);
    });
  });

  describe('to odd requests', () => {
    it('refuse two Authorization headers', async () => {
      const authorization = await bearer();
      for (const path of ['/items', '/api/v1/notifications/me']) {
        const client = await openRawClient(targetOf(service.url));
        client.send(
          `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nauthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
        );
        const answer = await client.closed();
        expect(answer).to.match(/^HTTP\/1.1 400 Bad Request\r\n/);
        expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).to.deep.equal({
          code: 'DBR403',
          message: 'Invalid parameter',
          details: "'Authorization' must be given once",
          hint: null,
        });
      }
    });

    it('take targets in absolute form', async () => {
      for (const [target, status] of [
        ['http://other.example:81/items?id=eq.1&select=id', 200],
        ['HTTP://other.example/nothing/here', 404],
        ['http://other.example?x=y', 200],
        ['http://other.example/api/v1/notifications/me', 401],
      ] as const) {
        const client = await openRawClient(targetOf(service.url));
        client.send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        expect(await client.closed()).to.match(new RegExp(`^HTTP/1.1 ${String(status)} `));
      }
    });

    it('take OPTIONS of the server as a whole', async () => {
      const client = await openRawClient(targetOf(service.url));
      client.send('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      expect(await client.closed()).to.match(/^HTTP\/1.1 204 No Content\r\n[^]*Allow: OPTIONS, GET/);
    });
  });

  describe('and the log', () => {
    it('has a line for each failure, with its reason', async () => {
      const { status } = await exchange(`${service.url}/rpc/raise_503`, 'POST', {
        headers: { 'X-Request-Id': 'failure-1' },
      });
      expect(status).to.equal(503);
      expect(await lineOf('failure-1')).to.include({
        level: 'error',
        status: 503,
        reason: 'PT503: closed for today',
      });
      const unready = await exchange(`${service.url}/api/v1/notifications/me`, 'GET', {
        headers: {
          'X-Request-Id': 'failure-2',
          authorization: `Bearer ${await new SignJWT({ tenantId: 't', sub: 'u' }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET))}`,
        },
      });
      expect(unready.status).to.equal(503);
      const line = await lineOf('failure-2');
      expect(line.level).to.equal('error');
      expect(line.reason).to.match(/^DBR412: /);
    });

    it('records an abandoned request as 499', async () => {
      const abort = new AbortController();
      const asked = exchange(`${service.url}/rpc/sleep?seconds=60`, 'GET', {
        headers: { 'X-Request-Id': 'abandoned-1' },
        signal: abort.signal,
      }).catch(() => undefined);
      await until(async () =>
        withSession(database.uri, async (session) => {
          const rows = await session.query("select from pg_stat_activity where wait_event = 'PgSleep'");
          return rows.length > 0;
        }),
      );
      abort.abort();
      await asked;
      expect(await lineOf('abandoned-1')).to.include({ status: 499, level: 'warn' });
    });

    it('has few lines for many bad requests, and none at level error', async () => {
      const errors = (): number => lines().filter(({ level }) => level === 'error').length;
      const before = { errors: errors(), lines: lines().length };
      for (let round = 0; round < 50; round += 1) {
        const client = await openRawClient(targetOf(service.url));
        client.send('nonsense\r\n\r\n');
        await client.closed();
        const reset = await openRawClient(targetOf(service.url));
        reset.send('POST /items HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12');
        reset.socket.resetAndDestroy();
      }
      expect(errors()).to.equal(before.errors);
      const refusals = lines()
        .slice(before.lines)
        .filter(({ status }) => status === undefined);
      expect(refusals.length).to.be.lessThan(10);
    });
  });

  it('to probes report the service as alive and not ready while it stops', async () => {
    const stopping = await startTestService(settings());
    await untilDataApi(stopping);
    const slow = exchange(`${stopping.url}/rpc/sleep?seconds=1`, 'GET');
    await until(async () =>
      withSession(database.uri, async (session) => {
        const rows = await session.query("select from pg_stat_activity where wait_event = 'PgSleep'");
        return rows.length > 0;
      }),
    );
    const stopped = stopping.stop();
    const ready = await exchange(`${stopping.adminUrl}/ready`, 'GET');
    expect({ status: ready.status, json: ready.json }).to.deep.equal({
      status: 503,
      json: { ready: false, parts: { service: 'stopping' } },
    });
    expect((await exchange(`${stopping.adminUrl}/live`, 'GET')).status).to.equal(200);
    const { status, headers } = await slow;
    expect(status).to.equal(204);
    expect(headers.get('connection')).to.equal('close');
    await stopped;
  });
});
