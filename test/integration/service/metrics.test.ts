import { expect } from 'chai';
import { SignJWT } from 'jose';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';

describe('/metrics', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let service: TestService;
  let headers: Record<string, string>;

  before(async () => {
    database = await createTestDatabase();
    await migrate(database.uri, join(packageRoot(), 'migrations'));
    service = await startTestService({
      'db-uri': database.uri,
      'db-anon-role': 'postgres',
      'db-pool': '7',
      'service-db-pool': '5',
      'service-jwt-secret': SECRET,
    });
    await untilReady(service);
    const token = await new SignJWT({ tenantId: 't', sub: 'u', scope: 'notifications:write' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
    headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const scrape = async (): Promise<string> => (await fetch(`${service.adminUrl}/metrics`)).text();
  const sample = async (name: string): Promise<number> => {
    const line = (await scrape()).split('\n').find((text) => text.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  };

  it('shows the pools of every part with their maximum', async () => {
    expect(await sample('dbr_db_pool_max')).to.equal(7);
    expect(await sample('dbr_service_db_pool_max')).to.equal(5);
    expect(await sample('dbr_router_db_pool_max')).to.equal(5);
    expect(await sample('dbr_db_pool_size')).to.be.within(1, 7);
    expect(await sample('dbr_router_streams')).to.equal(0);
    expect(await scrape()).to.match(/^dbr_build_info\{version="\d+\.\d+\.\d+",node_version="v\d/m);
  });

  it('counts requests by operation, and notifications by outcome', async () => {
    const body = JSON.stringify({ userIds: ['u'], type: 'test.event', title: 'one', dedupeKey: 'one' });
    for (const status of [201, 200]) {
      const response = await fetch(`${service.url}/api/v1/notifications`, { method: 'POST', headers, body });
      expect(response.status).to.equal(status);
      await response.arrayBuffer();
    }
    expect(await sample('dbr_notifications_total{outcome="created"}')).to.equal(1);
    expect(await sample('dbr_notifications_total{outcome="duplicate"}')).to.equal(1);
    const requests =
      'dbr_http_request_duration_seconds_count{area="notifications",operation="createNotifications",method="POST"';
    expect(await sample(`${requests},status="201"}`)).to.equal(1);
  });

  it('counts streams apart from latencies', async () => {
    const leave = new AbortController();
    const { signal } = leave;
    const stream = await fetch(`${service.url}/api/v1/notifications/me/stream`, { headers, signal });
    expect(stream.status).to.equal(200);
    expect(await sample('dbr_notification_streams')).to.equal(1);
    leave.abort();
    const ended = 'dbr_http_streams_total{area="notifications",operation="streamNotifications",status="200"}';
    while ((await sample(ended)) !== 1) await delay(20);
    expect(await scrape()).not.to.match(
      /request_duration_seconds_count\{area="notifications",operation="streamNotifications"/,
    );
  });
});
