import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { withSession } from '../../../src/postgres/session.js';
import { startStandby, startTestServer, type TestServer } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const WRITERS = 8;

describe('the failover to a promoted standby', function () {
  this.timeout(240_000);
  let primary: TestServer;
  let standby: TestServer;
  let service: TestService;

  before(async () => {
    primary = await startTestServer();
    await migrate(primary.uri, join(packageRoot(), 'migrations'));
    await withSession(primary.uri, async (session) => {
      await session.script('create table public.films (id int primary key)');
      // Test servers run without durability; here a confirmed write waits for the standby.
      await session.query('alter role postgres set synchronous_commit = on');
    });
    standby = await startStandby(primary, 'standby');
    await withSession(primary.uri, async (session) => {
      await session.query(`alter system set synchronous_standby_names = 'standby'`);
      await session.query('select pg_reload_conf()');
      await until(async () => {
        const [row] = await session.query('select sync_state from pg_stat_replication');
        return row?.['sync_state'] === 'sync';
      });
    });
    const { username, password } = new URL(primary.uri);
    service = await startTestService({
      'db-uri': `postgresql://${username}:${password}@127.0.0.1:${String(primary.port)},127.0.0.1:${String(standby.port)}/postgres?target_session_attrs=read-write`,
      'db-anon-role': 'postgres',
      'service-jwt-secret': SECRET,
      areas: 'data-api,notifications',
    });
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await standby.remove();
    await primary.remove();
  });

  const send = async (path: string, init?: RequestInit): Promise<readonly [status: number, body: string]> => {
    const response = await fetch(`${service.url}${path}`, init);
    return [response.status, await response.text()];
  };
  const status = async (path: string, init?: RequestInit): Promise<number> => (await send(path, init))[0];

  it('brings reads, writes and LISTEN back by itself, and loses no acknowledged write', async () => {
    const acknowledged: number[] = [];
    const refused = new Set<string>();
    let last = 0;
    let ended = false;
    const write = async (): Promise<void> => {
      while (!ended) {
        const id = ++last;
        const [code, body] = await send('/films', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ id }),
        });
        if (code === 201) acknowledged.push(id);
        else {
          // A process of PostgreSQL may report that the server ends (57P01).
          refused.add(body.includes('"57P01"') ? '57P01' : String(code));
          await delay(5);
        }
      }
    };
    const writers = Array.from({ length: WRITERS }, write);
    await until(() => acknowledged.length >= 200);

    await primary.killHard();
    await until(() => refused.size > 0);
    const beforePromotion = acknowledged.length;
    await withSession(standby.uri, (session) => session.query('select pg_promote()'));
    await until(() => acknowledged.length >= beforePromotion + 200);
    ended = true;
    await Promise.all(writers);

    expect([...refused].filter((code) => code !== '503' && code !== '57P01')).to.deep.equal([]);
    expect(await status('/films?limit=1')).to.equal(200);
    await withSession(standby.uri, async (session) => {
      const rows = await session.query('select id from public.films');
      const stored = new Set(rows.map(({ id }) => id));
      expect(acknowledged.filter((id) => !stored.has(id))).to.deep.equal([]);
      await session.script(`create table public.later (id int); notify dbr, 'reload schema'`);
    });
    // The notification arrives if the service listens on the new primary; reconnecting reloads the schema too.
    await until(async () => (await status('/later')) === 200);
    await until(async () => (await fetch(`${service.adminUrl}/ready`)).status === 200);

    const token = await new SignJWT({ tenantId: 't1', sub: 'u1', scope: 'notifications:write' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
    const produced = await status('/api/v1/notifications', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ userIds: ['u1'], type: 'test.event', title: 'after' }),
    });
    expect(produced).to.equal(201);
  });
});
