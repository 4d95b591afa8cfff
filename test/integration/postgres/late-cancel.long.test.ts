import { expect } from 'chai';
import { runningPostmaster } from '../../../packages/embedded-postgres/src/postmaster.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool } from '../../../src/postgres/pool.js';
import { bodies, callerOf, POOL_OPTIONS, query, write } from '../../support/postgres/batches.js';
import { startTestServer, type TestServer } from '../../support/postgres/test-server.js';

describe('a cancel request that PostgreSQL reads late', function () {
  this.timeout(60_000);
  let server: TestServer;
  let database: Database;
  let pool: Pool;

  before(async () => {
    server = await startTestServer();
    database = openDatabase(server.uri, { poolSize: 1 });
    pool = openPool(database, { ...POOL_OPTIONS, size: 1 });
  });
  after(async () => {
    await pool.close();
    await closeDatabase(database);
    await server.remove();
  });

  it('hits no batch of another caller', async () => {
    await pool.run(write(query('select 1')));
    const postmaster = await runningPostmaster(server.dataDirectory);
    if (postmaster === null) throw new Error('the server does not run');
    const caller = new AbortController();
    process.kill(postmaster.pid, 'SIGSTOP');
    let next: Promise<readonly (string | null)[]>;
    try {
      // It ends by itself after the service has given up the cancel request, which the stopped server has not read.
      const first = pool.run(write(query('select pg_sleep(2.5)')), callerOf(caller.signal));
      next = pool.run(write(query(`select 'written' from pg_sleep(1)`))).then(bodies);
      caller.abort();
      await first;
    } finally {
      process.kill(postmaster.pid, 'SIGCONT');
    }
    expect(await next).to.deep.equal(['written']);
  });
});
