import { expect } from 'chai';
import { openSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

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
      { areas: 'data-api', 'db-uri': database.uri, 'db-anon-role': 'postgres' },
      { logLevel: 'crit' },
    );
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const answered = async (method: string, path: string) => {
    const response = await fetch(`${service.url}${path}`, { method, headers: { prefer: 'count=exact' } });
    await response.arrayBuffer();
    const { status, headers } = response;
    return { status, range: headers.get('content-range'), type: headers.get('content-type') };
  };

  for (const [path, status] of [
    ['/pages?select=id', 200],
    ['/pages?select=id&limit=1', 206],
    ['/pages?select=text::int', 400],
    ['/pages?select=id,broken', 400],
    ['/pages?select=id,neighbours(id)', 400],
    ['/pages?select=id,neighbours()', 200],
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
