import { expect } from 'chai';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, startTestServer } from '../../support/postgres/database.js';
import { openSeveringProxy } from '../../support/postgres/severing-proxy.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

interface Readiness {
  readonly status: number;
  readonly parts: Readonly<Record<string, string>>;
}

async function readinessOf({ adminUrl }: TestService): Promise<Readiness> {
  const response = await fetch(`${adminUrl}/ready`);
  const { parts } = (await response.json()) as Pick<Readiness, 'parts'>;
  return { status: response.status, parts };
}

async function untilState(service: TestService, state: string): Promise<Readiness> {
  for (;;) {
    const readiness = await readinessOf(service);
    if (readiness.parts['data-api'] === state) return readiness;
    await delay(20);
  }
}

describe('/ready', function () {
  this.timeout(240_000);

  it('reports in time that a frozen server does not respond, and that it responds again', async () => {
    const database = await createTestDatabase();
    const proxy = await openSeveringProxy(database.uri);
    const service = await startTestService({
      areas: 'data-api',
      'db-uri': proxy.uri,
      'db-anon-role': 'postgres',
    });
    await untilReady(service);
    proxy.pause();
    expect((await untilState(service, 'down')).status).to.equal(503);
    proxy.resume();
    expect((await untilState(service, 'up')).status).to.equal(200);
    await service.stop();
    await proxy.close();
    await database.drop();
  });

  it('is ready for reads on a standby, where the schema is checked at an interval @long', async () => {
    const server = await startTestServer();
    await withSession(server.uri, (session) =>
      session.script('create table public.films (id int primary key); insert into public.films values (1)'),
    );
    await server.stop();
    await writeFile(join(server.dataDirectory, 'standby.signal'), '');
    await server.start();
    const service = await startTestService({
      areas: 'data-api',
      'db-uri': server.uri,
      'db-anon-role': 'postgres',
      'db-standby-reload-interval': '1',
    });
    expect(await untilState(service, 'read-only')).to.deep.equal({
      status: 200,
      parts: { 'data-api': 'read-only' },
    });
    expect(await (await fetch(`${service.url}/films`)).json()).to.deep.equal([{ id: 1 }]);
    while (!service.logs.some((line) => line.includes('"generation":3'))) await delay(20);
    await withSession(server.uri, (session) => session.query('select pg_catalog.pg_promote()'));
    expect((await untilState(service, 'up')).status).to.equal(200);
    await service.stop();
    await server.remove();
  });
});
