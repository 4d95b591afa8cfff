import { expect } from 'chai';
import type { BatchOutcome } from '../../../src/postgres/connection.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool } from '../../../src/postgres/pool.js';
import { ConnectionLost } from '../../../src/postgres/postgres-error.js';
import {
  bodies,
  POOL_OPTIONS,
  read,
  rejection,
  longRead,
  query,
  write,
} from '../../support/postgres/batches.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { openSeveringProxy, type SeveringProxy } from '../../support/postgres/severing-proxy.js';

describe('a connection that receives nothing', function () {
  this.timeout(120_000);
  let testDatabase: TestDatabase;
  let proxy: SeveringProxy;
  let database: Database;
  let pool: Pool;

  before(async () => {
    testDatabase = await createTestDatabase();
  });
  beforeEach(async () => {
    proxy = await openSeveringProxy(testDatabase.uri);
    database = openDatabase(proxy.uri, { poolSize: 1 });
    pool = openPool(database, { ...POOL_OPTIONS, size: 3, silenceCheckMs: 100 });
  });
  afterEach(async () => {
    await pool.close();
    await closeDatabase(database);
    await proxy.close();
  });
  after(() => testDatabase.drop());

  it('is closed and replaced when its backend is idle', async () => {
    await pool.run(read(query('select 1')));
    proxy.freeze();
    const lost = [read(query('select 2')), write(query('select 3')), longRead(query('select 4'))].map(
      (batch) => rejection(pool.run(batch)),
    );
    const [first] = await Promise.all(lost.slice(0, 1));
    expect(first).to.be.instanceOf(ConnectionLost);
    expect(first).to.include({ sent: true });
    expect(bodies(await pool.run(read(query('select 5'))))).to.deep.equal(['5']);
  });

  it('is closed when the server is unreachable too', async () => {
    await pool.run(read(query('select 1')));
    proxy.freeze();
    const lost = rejection(pool.run(read(query('select 2'))));
    proxy.refuse();
    expect(await lost).to.be.instanceOf(ConnectionLost);
  });

  it('is closed when it is that of a stream', async () => {
    const stream = await pool.openStream();
    proxy.freeze();
    proxy.refuse();
    const outcome = await new Promise<BatchOutcome>((done) =>
      stream.send(write(query('select 2')), { done, openBody: () => null }),
    );
    expect(outcome).to.include({ kind: 'lost', sent: true });
    expect(pool.state.streams).to.equal(0);
  });

  it('stays open while its backend works, however long that takes', async () => {
    expect(bodies(await pool.run(longRead(query(`select 'awake' from pg_sleep(1.5)`))))).to.deep.equal([
      'awake',
    ]);
    expect(bodies(await pool.run(write(query(`select 'written' from pg_sleep(1.5)`))))).to.deep.equal([
      'written',
    ]);
  });
});
