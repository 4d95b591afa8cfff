import { expect } from 'chai';
import { openSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';

const SCRIPT = `
  create table public.pages (id int primary key, text text);
  insert into public.pages values (1, 'one'), (2, 'two');
  create function public.refused() returns record stable language plpgsql as
    $$ begin raise exception 'refused'; end $$;
  create function public.divided() returns setof public.pages stable language sql as
    $$ select id / 0, text from public.pages $$;
  create function public.broken(public.pages) returns int stable language sql as $$ select $1.id / 0 $$;
  create function public.neighbours(public.pages) returns setof public.pages stable language sql as
    $$ select id / 0, text from public.pages $$;
  create view public.quotients as select id, id / 0 as quotient from public.pages;
`;

describe('HEAD', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let service: TestService;

  before(async () => {
    database = await createTestDatabase();
    const session = await openSession(database.uri);
    await session.script(SCRIPT);
    await session.close();
    service = await startTestService(
      {
        'db-uri': database.uri,
        'db-anon-role': 'postgres',
        'jwt-secret': SECRET,
        'service-jwt-secret': SECRET,
      },
      { logLevel: 'crit' },
    );
    await untilDataApi();
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const untilDataApi = (): Promise<void> =>
    until(async () => (await fetch(`${service.url}/pages`)).status === 200);

  const answered = async (method: string, path: string) => {
    const response = await fetch(`${service.url}${path}`, { method, headers: { prefer: 'count=exact' } });
    await response.arrayBuffer();
    const { status, headers } = response;
    return { status, range: headers.get('content-range'), type: headers.get('content-type') };
  };

  /** Status and all headers but those that belong to the exchange. */
  const head = async (method: string, path: string, given: Readonly<Record<string, string>>) => {
    const { status, headers } = await fetch(`${service.url}${path}`, { method, headers: given });
    const ofExchange = new Set(['connection', 'date', 'keep-alive', 'x-request-id']);
    return { status, headers: [...headers].filter(([name]) => !ofExchange.has(name)).toSorted() };
  };

  for (const [path, status, headers = {}] of [
    ['/pages?select=text::int', 400],
    ['/pages?select=nothing', 400],
    ['/pages?id=eq.x', 400],
    ['/nothing', 404],
    ['/nothing/more', 404],
    ['/pages', 406, { accept: 'application/vnd.pgrst.object+json' }],
    ['/pages', 406, { accept: 'text/unknown' }],
    ['/pages', 406, { 'accept-profile': 'unknown' }],
    ['/pages', 400, { prefer: 'handling=strict,unknown' }],
    ['/pages?offset=5', 416, { prefer: 'count=exact' }],
    ['/pages', 401, { authorization: 'Bearer unknown' }],
    ['/rpc/refused', 400],
    ['/rpc/nothing', 404],
    ['/api/v1/notifications/me', 401],
    ['/api/v1/notifications/me', 401, { accept: 'application/problem+json' }],
    ['/api/v1/notifications/me/unread-count', 401, { authorization: 'Bearer unknown' }],
    ['/accounts/a/signing-config', 401],
  ] as const) {
    it(`has the error of GET ${path} with all headers: ${JSON.stringify(headers)}`, async () => {
      const expected = await head('GET', path, headers);
      expect(expected.status).to.equal(status);
      expect(new Map(expected.headers).get('content-length')).to.match(/^[1-9]\d*$/);
      expect(await head('HEAD', path, headers)).to.deep.equal(expected);
    });
  }

  for (const [path, status] of [
    ['/pages?select=id', 200],
    ['/pages?select=id&limit=1', 206],
    ['/pages?select=text::int', 400],
    ['/pages?select=id,broken', 400],
    ['/pages?select=id,neighbours(id)', 400],
    ['/pages?select=id,neighbours()', 200],
    ['/pages?order=broken', 400],
    ['/quotients', 400],
    ['/quotients?select=quotient', 400],
    ['/quotients?select=id', 200],
    ['/rpc/refused', 400],
    ['/rpc/divided', 400],
    ['/rpc/divided?select=text', 200],
  ] as const) {
    it(`answers ${path} as GET does, without a body`, async () => {
      const expected = await answered('GET', path);
      expect(expected.status).to.equal(status);
      expect(await answered('HEAD', path)).to.deep.equal(expected);
    });
  }
});
