import { expect } from 'chai';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { openSeveringProxy, type SeveringProxy } from '../../support/postgres/severing-proxy.js';

describe('a long body whose connection to PostgreSQL is lost on the way', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let proxy: SeveringProxy;
  let service: TestService;

  before(async () => {
    database = await createTestDatabase();
    await withSession(database.uri, (session) =>
      session.script(`
        create table public.volumes (id int primary key, text text not null);
        insert into public.volumes select i, repeat(md5(i::text), 32) from generate_series(1, 20000) as i`),
    );
    proxy = await openSeveringProxy(database.uri);
    service = await startTestService(
      { areas: 'data-api', 'db-uri': proxy.uri, 'db-anon-role': 'postgres', 'db-channel-enabled': 'false' },
      { logLevel: 'crit' },
    );
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await database.drop();
  });

  it('ends the connection, so that no client treats the body as complete or waits for the rest', async () => {
    const response = await fetch(`${service.url}/volumes`);
    expect(response.status).to.equal(200);
    const reader = response.body?.getReader();
    await reader?.read();
    proxy.sever();
    const end = async (): Promise<string> => {
      for (;;) if ((await reader?.read())?.done !== false) return 'ended';
    };
    expect(await end().catch(() => 'broken off')).to.equal('broken off');
    const next = await exchange(`${service.url}/volumes?id=eq.1&select=id`, 'GET');
    expect(next.json).to.deep.equal([{ id: 1 }]);
  });
});
