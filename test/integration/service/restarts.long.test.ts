/** Restarts under clients that keep their connections: no write is lost, and none is left in doubt. */
import { expect } from 'chai';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { serveDbr, type ServingProcess } from '../../support/service/built-service.js';
import { createTestDatabase, findFreePort, type TestDatabase } from '../../support/postgres/database.js';
import { until } from '../../support/until.js';
import { runs } from '../../support/runs.js';

const RESTARTS = runs(3, 2);
const CLIENTS = 16;

describe('a service that is restarted under clients that keep their connections', function () {
  this.timeout(480_000);
  let database: TestDatabase;
  let session: Session;
  let port: number;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script('create table public.writes (id int primary key)');
    port = await findFreePort();
  });
  after(async () => {
    await session.close();
    await database.drop();
  });

  const start = (): Promise<ServingProcess> =>
    serveDbr({
      DBR_AREAS: 'data-api',
      DBR_DB_URI: database.uri,
      DBR_DB_ANON_ROLE: 'postgres',
      DBR_SERVER_PORT: String(port),
      JWT_SECRET: 'a-secret-of-this-test-that-is-long-enough',
    });

  it('answers every write that it accepts', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const counts = { sent: 0, created: 0 };
    const faults: string[] = [];
    let done = false;

    const write = (id: number): Promise<number> =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ id });
        const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
        const options = { host: '127.0.0.1', port, agent, method: 'POST', path: '/writes', headers };
        const sent = httpRequest(options, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
          response.once('error', reject);
        });
        sent.once('error', reject);
        sent.end(body);
      });

    async function client(): Promise<void> {
      while (!done) {
        counts.sent += 1;
        try {
          const status = await write(counts.sent);
          if (status === 201) counts.created += 1;
          // A service that has just started answers DBR002.
          else if (status !== 503) faults.push(String(status));
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
          if (code !== 'ECONNREFUSED') faults.push(code);
          await delay(20);
        }
      }
    }

    let service = await start();
    const clients = Array.from({ length: CLIENTS }, client);
    for (let round = 0; round < RESTARTS; round += 1) {
      const before = counts.created;
      await until(() => Promise.resolve(counts.created > before + 200));
      expect(await service.stop()).to.equal(0);
      service = await start();
    }
    const before = counts.created;
    await until(() => Promise.resolve(counts.created > before + 50));
    done = true;
    await Promise.all(clients);
    agent.destroy();
    await service.stop();
    expect(faults).to.deep.equal([]);
    expect(await session.query('select count(*)::int as count from public.writes')).to.deep.equal([
      { count: counts.created },
    ]);
  });
});
