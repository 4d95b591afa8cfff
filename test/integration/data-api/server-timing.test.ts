import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { openSession } from '../../../src/postgres/session.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const STEPS = ['jwt', 'parse', 'plan', 'transaction', 'response'];

describe('Server-Timing', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let timed: TestService;
  let untimed: TestService;

  before(async () => {
    database = await createTestDatabase();
    const session = await openSession(database.uri);
    await session.script(
      'create table public.pages (id int primary key); insert into public.pages values (1)',
    );
    await session.close();
    const settings = { areas: 'data-api', 'db-uri': database.uri, 'db-anon-role': 'postgres' };
    const start = (more: Readonly<Record<string, string>>) =>
      startTestService({ ...settings, ...more }, { logLevel: 'crit' });
    [timed, untimed] = await Promise.all([start({ 'server-timing-enabled': 'true' }), start({})]);
    await Promise.all([untilReady(timed), untilReady(untimed)]);
  });
  after(async () => {
    await Promise.all([timed.stop(), untimed.stop()]);
    await database.drop();
  });

  const timingOf = async (service: TestService, path: string, init: RequestInit = {}) =>
    (await fetch(`${service.url}${path}`, init)).headers.get('server-timing');

  it('names every step of a successful request, with a new and with a cached plan', async () => {
    const json = { 'content-type': 'application/json' };
    const requests: readonly (readonly [path: string, init: RequestInit])[] = [
      ['/pages?id=eq.1', {}],
      ['/pages?id=eq.2', {}],
      ['/pages', { method: 'HEAD' }],
      ['/pages', { method: 'OPTIONS' }],
      ['/pages', { method: 'POST', body: '{"id":7}', headers: json }],
      ['/', {}],
      ['/pages?offset=9', { headers: { prefer: 'count=exact' } }],
    ];
    for (const [path, init] of requests) {
      const entries = ((await timingOf(timed, path, init)) ?? '').split(', ');
      expect(
        entries.map((entry) => entry.split(';')[0]),
        path,
      ).to.deep.equal(STEPS);
      for (const entry of entries) expect(entry, path).to.match(/^[a-z]+;dur=\d+\.\d$/);
    }
  });

  it('is sent neither with errors nor while the setting is off', async () => {
    for (const path of ['/pages?id=1', '/pages?nope=eq.1', '/nowhere', '/rpc/nowhere'])
      expect(await timingOf(timed, path), path).to.equal(null);
    expect(await timingOf(timed, '/pages', { headers: { authorization: 'Bearer x' } })).to.equal(null);
    expect(await timingOf(untimed, '/pages')).to.equal(null);
  });
});
