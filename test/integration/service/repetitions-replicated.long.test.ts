import { expect } from 'chai';
import { SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { openSession, withSession, type Session } from '../../../src/postgres/session.js';
import { startStandby, startTestServer, type TestServer } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const JSON_TYPE = 'application/json';

/** One write, in each form in which a client may repeat it. */
interface Write {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Status of the repetition. */
  readonly status: number;
  /** The rows that it writes, for `select count(*) from`. */
  readonly written: string;
  /** Whether it is cancelled when its client goes away. PostgreSQL then ends the wait, and keeps the rows on the primary alone. */
  readonly isCancelled: boolean;
}

const producer = await new SignJWT({ tenantId: 't1', sub: 'ops', scope: 'notifications:write' })
  .setProtectedHeader({ alg: 'HS256' })
  .sign(Buffer.from(SECRET));

const WRITES: Readonly<Record<string, Write>> = {
  'a POST with an idempotency key': {
    path: '/films',
    headers: { 'Idempotency-Key': `"${randomUUID()}"`, 'Content-Type': JSON_TYPE },
    body: { id: 1, title: 'a POST' },
    status: 201,
    written: `films where title = 'a POST'`,
    isCancelled: true,
  },
  'a batch with an idempotency key': {
    path: '/',
    headers: {
      'Idempotency-Key': `"${randomUUID()}"`,
      'Content-Type': 'application/vnd.dbr.batch+json',
    },
    body: [
      { method: 'GET', path: '/films?limit=1' },
      { method: 'POST', path: '/films', body: { id: 2, title: 'a batch' } },
    ],
    status: 200,
    written: `films where title = 'a batch'`,
    isCancelled: true,
  },
  'a notification with a dedupe key': {
    path: '/api/v1/notifications',
    headers: {
      Authorization: `Bearer ${producer}`,
      'Content-Type': JSON_TYPE,
    },
    body: { userIds: ['u1'], type: 'test.event', title: 'once', dedupeKey: 'k' },
    status: 200,
    written: `dbr_notifications.user_notifications where title = 'once'`,
    isCancelled: false,
  },
};

describe('a repetition, with a synchronous standby', function () {
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
      'service-jwt-secret': SECRET,
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
  const locked = (): Promise<number> => count(`pg_stat_activity where wait_event_type = 'Lock'`);

  for (const [name, write] of Object.entries(WRITES))
    it(`is answered when the standby has what the first request wrote: ${name}`, async () => {
      const { path, headers, body, status, written, isCancelled } = write;
      const send = (signal?: AbortSignal): Promise<Response> =>
        fetch(`${service.url}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          ...(signal === undefined ? {} : { signal }),
        });
      await standby.stop();
      const gone = new AbortController();
      const first = send(gone.signal).catch(() => null);
      await until(async () => (await waiting()) === 1);
      gone.abort();
      await first;
      if (isCancelled) await until(async () => (await count(written)) === 1);

      let answered = false;
      const repetition = send().finally(() => (answered = true));
      // One that is not cancelled keeps its locks, for which the repetition waits.
      await until(async () => answered || (await (isCancelled ? waiting() : locked())) === 1);
      expect(answered).to.equal(false);
      await standby.start();
      expect((await repetition).status).to.equal(status);
      expect(await count(written)).to.equal(1);
    });
});
