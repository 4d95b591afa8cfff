import { expect } from 'chai';
import { writeFile } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { openSession } from '../../../src/postgres/session.js';
import { startTestServer, type TestServer } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { serveDbr, type ServingProcess } from '../../support/service/built-service.js';
import { untilReady } from '../../support/service/service.js';
import { connectToAll, send } from '../../support/service/worker-connections.js';

const SCHEMA = `
  create role narrow nologin;
  alter role narrow set dbr.operators = 'eq';
  create table public.films (id integer primary key);
  insert into public.films select generate_series(1, 20);
  grant select on public.films to narrow;
  create function public.backend() returns integer language sql volatile as 'select pg_catalog.pg_backend_pid()';`;

describe('cursors of several workers', function () {
  this.timeout(120_000);
  let server: TestServer;
  let service: ServingProcess;
  let agents: readonly Agent[] = [];
  before(async () => {
    server = await startTestServer();
    const session = await openSession(server.uri);
    await session.script(SCHEMA);
    await session.close();
    // A server whose clients need no password, so that the address has no secret.
    await server.stop();
    await writeFile(join(server.dataDirectory, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
    await server.start();
    const uri = new URL(server.uri);
    uri.password = '';
    service = await serveDbr({
      DBR_DB_URI: uri.href,
      DBR_DB_ANON_ROLE: 'narrow',
      DBR_AREAS: 'data-api',
      DBR_SERVER_WORKERS: '2',
      DBR_DB_POOL: '2',
      DBR_LOG_LEVEL: 'crit',
    });
    await untilReady(service);
    ({ agents } = await connectToAll(service.url, 2));
  });
  after(async () => {
    for (const agent of agents) agent.destroy();
    await service.stop();
    await server.remove();
  });

  it('are accepted by every worker, also without db-cursor-secret and a password of db-uri', async () => {
    const headers = { Prefer: 'pagination=keyset' };
    const first = await exchange(`${service.url}/films?order=id&limit=2`, 'GET', { headers });
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    for (const agent of agents) {
      const { status, body } = await send(`${service.url}${next}`, { agent, headers });
      expect([status, JSON.parse(body)]).to.deep.equal([200, [{ id: 3 }, { id: 4 }]]);
    }
  });
});
