import { expect } from 'chai';
import { SignJWT } from 'jose';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../../src/package.js';
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
