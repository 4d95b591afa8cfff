import { expect } from 'chai';
import { SignJWT } from 'jose';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../../src/base/package.js';
import { withSession } from '../../../src/postgres/session.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, type TestService } from '../../support/service/service.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';

describe('the service on a database that was never migrated', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let service: TestService;

  before(async () => {
    database = await createTestDatabase();
    service = await startTestService({
      'db-uri': database.uri,
      'db-anon-role': 'postgres',
      'service-jwt-secret': SECRET,
    });
    while ((await readiness()).parts['data-api'] !== 'up') await delay(20);
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const readiness = async (): Promise<{ ready: boolean; parts: Record<string, string> }> =>
    (await (await fetch(`${service.adminUrl}/ready`)).json()) as {
      ready: boolean;
      parts: Record<string, string>;
    };

  it('serves the data API, answers 503 where its own tables are needed, and logs the remedy', async () => {
    expect((await fetch(`${service.url}/nowhere`)).status).to.equal(404);
    const token = await new SignJWT({ tenantId: 't', sub: 'u', scope: 'parties:admin' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
    for (const path of [
      '/api/v1/notifications/me',
      '/api/v1/notifications/me/unread-count',
      '/api/v1/parties',
    ]) {
      const response = await fetch(`${service.url}${path}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(response.status, path).to.equal(503);
      expect(response.headers.get('retry-after')).to.equal('60');
      expect(await response.json()).to.deep.equal({
        code: 'DBR412',
        message: 'The service is not available at the moment',
        details: null,
        hint: null,
      });
    }
    expect(service.logs.join('\n')).to.contain('run `dbr migrate`');
  });

  it('is not ready until the migrations have been applied, and then it is', async () => {
    expect((await fetch(`${service.adminUrl}/ready`)).status).to.equal(503);
    expect(await readiness()).to.deep.equal({
      ready: false,
      parts: { 'data-api': 'up', 'notifications and signing': 'not migrated' },
    });
    await migrate(database.uri, join(packageRoot(), 'migrations'));
    while (!(await readiness()).ready) await delay(20);
  });
});

describe('the service on a database that an earlier build has migrated', function () {
  this.timeout(60_000);

  it('ends with the reason and the cure', async () => {
    const database = await createTestDatabase();
    try {
      await withSession(database.uri, (session) =>
        session.script(`create schema dbr_meta;
          create table dbr_meta.migrations (number integer primary key, file text not null, sha256 text not null,
            applied_at timestamptz not null default now());
          insert into dbr_meta.migrations values (1, '0001_first.sql', 'aa'), (2, '0002_second.sql', 'bb')`),
      );
      const reason =
        'This database has the migration 0001_first.sql, and here its number is that of 0001_notifications.sql: an earlier build migrated it. Drop the schemas dbr_notifications, dbr_signing, dbr_keys, dbr_requests, dbr_meta, or use a new database';
      const service = await startTestService({ 'db-uri': database.uri, 'service-jwt-secret': SECRET });
      expect((await service.failed)?.message).to.equal(`db-uri: ${reason}`);
      await service.stop();
      let refused = '';
      await migrate(database.uri, join(packageRoot(), 'migrations')).catch(
        (error: unknown) => (refused = error instanceof Error ? error.message : ''),
      );
      expect(refused).to.equal(reason);
    } finally {
      await database.drop();
    }
  });
});
