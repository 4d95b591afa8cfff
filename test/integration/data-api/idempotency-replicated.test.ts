import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { openSession, withSession, type Session } from '../../../src/postgres/session.js';
import { startStandby, startTestServer, type TestServer } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

describe('a repetition with an idempotency key, with a synchronous standby', function () {
  this.timeout(120_000);
  let primary: TestServer;
  let standby: TestServer;
  let session: Session;
  let service: TestService;

  before(async () => {
    primary = await startTestServer();
    await migrate(primary.uri, join(packageRoot(), 'migrations'));
    await withSession(primary.uri, async (prepared) => {
      await prepared.script('create table public.films (id int, title text)');
      await prepared.query('alter role postgres set synchronous_commit = on');
    });
    standby = await startStandby(primary, 'standby');
    // Its own transactions wait for nothing.
    session = await openSession(primary.uri);
    await session.query('set synchronous_commit = local');
    await session.query(`alter system set synchronous_standby_names = 'standby'`);
    await session.query('select pg_reload_conf()');
    await until(async () => (await count(`pg_stat_replication where sync_state = 'sync'`)) === 1);
    service = await startTestService({
      'db-uri': primary.uri,
      'db-anon-role': 'postgres',
      'db-idempotency': 'true',
      areas: 'data-api',
    });
    await untilReady(service);
  });
  after(async () => {
    await session.close();
    await service.stop();
    await standby.remove();
    await primary.remove();
  });

  const count = async (what: string): Promise<number> => {
    const [row] = await session.query(`select count(*)::int as count from ${what}`);
    return Number(row?.['count']);
  };
  const waiting = (): Promise<number> => count(`pg_stat_activity where wait_event = 'SyncRep'`);

  for (const kind of ['a POST', 'a batch'] as const)
    it(`is answered when the standby has what the first request wrote (${kind})`, async () => {
      const key = `"${randomUUID()}"`;
      const row = { id: 1, title: kind };
      const send = (signal?: AbortSignal): Promise<Response> =>
        fetch(`${service.url}${kind === 'a POST' ? '/films' : '/'}`, {
          method: 'POST',
          headers: {
            'Idempotency-Key': key,
            'Content-Type': kind === 'a POST' ? 'application/json' : 'application/vnd.dbr.batch+json',
          },
          body: JSON.stringify(
            kind === 'a POST'
              ? row
              : [
                  { method: 'GET', path: '/films?limit=1' },
                  { method: 'POST', path: '/films', body: row },
                ],
          ),
          ...(signal === undefined ? {} : { signal }),
        });
      await standby.stop();
      const gone = new AbortController();
      const first = send(gone.signal).catch(() => null);
      await until(async () => (await waiting()) === 1);
      // PostgreSQL ends the wait, and keeps the row on the primary alone.
      gone.abort();
      await first;
      await until(async () => (await count(`films where title = '${kind}'`)) === 1);

      let answered = false;
      const repetition = send().finally(() => (answered = true));
      await until(async () => answered || (await waiting()) === 1);
      expect(answered).to.equal(false);
      await standby.start();
      expect((await repetition).status).to.equal(kind === 'a POST' ? 201 : 200);
      expect(await count(`films where title = '${kind}'`)).to.equal(1);
    });
});
