import { expect } from 'chai';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { openLackingProxy } from '../../support/postgres/lacking-proxy.js';
import type { Relay } from '../../support/postgres/relay.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SCRIPT = `
  create table public.directors (id int primary key, name text);
  create table public.films (id int primary key, director_id int references public.directors);
  create function public.answer() returns int stable language sql as 'select 42';
`;

describe('the data API on an engine that lacks features of PostgreSQL', () => {
  let database: TestDatabase;
  let proxy: Relay;
  let service: TestService;

  before(async () => {
    database = await createTestDatabase();
    await withSession(database.uri, (session) => session.script(SCRIPT));
  });
  afterEach(async () => {
    await service.stop();
    await proxy.close();
  });
  after(() => database.drop());

  const startWithout = async (...words: readonly string[]): Promise<void> => {
    proxy = await openLackingProxy(database.uri, words);
    service = await startTestService({
      areas: 'data-api',
      'db-uri': proxy.uri,
      'db-anon-role': 'postgres',
      'db-standby-reload-interval': '1',
    });
  };
  async function send(path: string, body?: unknown): Promise<readonly [status: number, body: unknown]> {
    const response = await fetch(`${service.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers:
        body === undefined ? {} : { 'Content-Type': 'application/json', Prefer: 'return=representation' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return [response.status, await response.json()];
  }

  it('runs without LISTEN and advisory locks, and reads the schema at intervals', async () => {
    await startWithout('listen', 'pg_advisory', 'pg_notify');
    await untilReady(service);
    expect(await send('/directors', { id: 1, name: 'Varda' })).to.deep.equal([
      201,
      [{ id: 1, name: 'Varda' }],
    ]);
    expect(await send('/films', { id: 1, director_id: 1 })).to.deep.equal([201, [{ id: 1, director_id: 1 }]]);
    expect(await send('/films?select=id,directors(name)')).to.deep.equal([
      200,
      [{ id: 1, directors: { name: 'Varda' } }],
    ]);
    expect(await send('/rpc/answer')).to.deep.equal([200, 42]);
    await withSession(database.uri, (session) => session.script('create table public.later (id int)'));
    await until(async () => (await send('/later'))[0] === 200);
  });

  it('does not serve where settings outlive their transaction, because they contain the claims of callers', async () => {
    await startWithout('set_config');
    await until(() =>
      service.logs.some((line) => line.includes('does not end settings with their transaction')),
    );
    const [status, body] = await send('/directors');
    expect(status).to.equal(503);
    expect(body).to.have.property('code', 'DBR002');
    const ready = await fetch(`${service.adminUrl}/ready`);
    await ready.arrayBuffer();
    expect(ready.status).to.equal(503);
  });

  it('reports the functions that the engine lacks', async () => {
    proxy = await openLackingProxy(database.uri, []);
    service = await startTestService({ areas: 'data-api', 'db-uri': proxy.uri, 'db-anon-role': 'postgres' });
    await untilReady(service);
    expect(service.logs.filter((line) => line.includes('lacks functions'))).to.deep.equal([]);
    await service.stop();
    await proxy.close();
    // The names in the question are changed, so that PostgreSQL has no such functions.
    await startWithout('row_to_json', 'json_strip_nulls');
    await until(() => service.logs.some((line) => line.includes('lacks functions')));
    const line = service.logs.find((each) => each.includes('lacks functions')) ?? '{}';
    expect(JSON.parse(line)).to.deep.include({ functions: ['json_strip_nullx', 'row_to_jsox'] });
  });
});
