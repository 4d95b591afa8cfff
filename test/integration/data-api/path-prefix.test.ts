import { expect } from 'chai';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange, type ExchangeOptions } from '../../support/service/exchange.js';
import { openRawClient, targetOf } from '../../support/service/raw-client.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const INVALID_PATH = {
  code: 'DBR125',
  message: 'Invalid path specified in request URL',
  details: null,
  hint: null,
};

describe('the data API below a path prefix', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let session: Session;
  let service: TestService;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(`
      create table public.plants (id int primary key, name text);
      insert into public.plants values (1, 'fern');
      create function public.seen_path() returns text language sql stable as $$
        select current_setting('request.path')
      $$;
      create function public.refuse() returns void language plpgsql as $$
        begin raise sqlstate 'PT405' using message = 'no'; end
      $$;
    `);
    service = await startTestService(
      {
        areas: 'notifications, data-api',
        'service-jwt-secret': 'a-secret-of-this-test-that-is-long-enough',
        'db-uri': database.uri,
        'db-anon-role': 'postgres',
        'db-channel-enabled': 'false',
        'server-path-prefix': '/rest/v1',
      },
      { logLevel: 'crit' },
    );
    await untilDataReady(service);
  });
  after(async () => {
    await service.stop();
    await session.close();
    await database.drop();
  });

  const send = (method: string, path: string, options?: ExchangeOptions) =>
    exchange(`${service.url}${path}`, method, options);

  it('reads a relation, and names its location with the prefix', async () => {
    const { status, headers, json } = await send('GET', '/rest/v1/plants?id=eq.1&select=name');
    expect([status, json]).to.deep.equal([200, [{ name: 'fern' }]]);
    expect(headers.get('content-location')).to.equal('/rest/v1/plants?id=eq.1&select=name');
  });

  it('names the location of an inserted row with the prefix', async () => {
    const { status, headers } = await send('POST', '/rest/v1/plants', {
      headers: { Prefer: 'return=headers-only' },
      body: { id: 2, name: 'moss' },
    });
    const location = headers.get('location');
    expect([status, location]).to.deep.equal([201, '/rest/v1/plants?id=eq.2']);
    const found = await send('DELETE', location ?? '', { headers: { Prefer: 'return=representation' } });
    expect([found.status, found.json]).to.deep.equal([200, [{ id: 2, name: 'moss' }]]);
  });

  it('shows functions the path without the prefix, as behind a gateway that removes it', async () => {
    const { status, json } = await send('GET', '/rest/v1/rpc/seen_path');
    expect([status, json]).to.deep.equal([200, '/rpc/seen_path']);
  });

  it('describes the schema at the prefix, with and without a slash', async () => {
    for (const path of ['/rest/v1', '/rest/v1/']) {
      const swagger = await send('GET', path);
      expect(swagger.status).to.equal(200);
      expect(swagger.json).to.include({ swagger: '2.0', basePath: '/rest/v1' });
      const openapi = await send('GET', path, {
        headers: { Accept: 'application/vnd.oai.openapi+json' },
      });
      expect(openapi.json).to.deep.include({ servers: [{ url: '/rest/v1' }] });
    }
  });

  it('answers OPTIONS and preflights', async () => {
    const plain = await send('OPTIONS', '/rest/v1/plants');
    expect([plain.status, plain.headers.get('allow')]).to.deep.equal([
      200,
      'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE',
    ]);
    const preflight = await send('OPTIONS', '/rest/v1/plants', {
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'PATCH' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).to.deep.equal([
      200,
      '*',
    ]);
  });

  it('has nothing outside of the prefix', async () => {
    for (const path of ['/', '/plants', '/rest', '/rest/v1plants', '/rest/v1//plants', '/REST/v1/plants']) {
      const { status, json } = await send('GET', path);
      expect([path, status, json]).to.deep.equal([path, 404, INVALID_PATH]);
    }
  });

  it('refuses a body for a path outside of the prefix', async () => {
    const { status, json } = await send('POST', '/plants', { body: { id: 3 } });
    expect([status, json]).to.deep.equal([404, INVALID_PATH]);
  });

  it('leaves the other areas and the published document at their paths', async () => {
    const inbox = await send('GET', '/api/v1/notifications/me');
    expect(inbox.status).to.equal(401);
    expect(inbox.json).to.include({ message: 'Missing authorization header' });
    expect((await send('GET', '/api/v1/openapi.json')).status).to.equal(200);
    expect((await send('GET', '/rest/v1/api/v1/openapi.json')).status).to.equal(404);
  });

  it('names the methods of the path below the prefix with 405', async () => {
    const put = await send('PUT', '/rest/v1/rpc/seen_path');
    expect([put.status, put.headers.get('allow')]).to.deep.equal([405, 'OPTIONS, GET, HEAD, POST']);
    const raised = await send('POST', '/rest/v1/rpc/refuse');
    expect([raised.status, raised.headers.get('allow')]).to.deep.equal([405, 'OPTIONS, GET, HEAD, POST']);
    const client = await openRawClient(targetOf(service.url));
    client.send('BREW /rest/v1/rpc/refuse HTTP/1.1\r\nHost: a\r\n\r\n');
    const answer = await client.closed();
    expect(answer).to.match(/^HTTP\/1\.1 405 /);
    expect(answer).to.match(/^Allow: OPTIONS, GET, HEAD, POST\r$/m);
  });
});

/** Resolves when the data API answers; the tables of notifications are missing, so that the service is never ready. */
async function untilDataReady(service: TestService): Promise<void> {
  await until(async () => (await exchange(`${service.url}/rest/v1/plants`, 'GET')).status === 200);
}
