import { expect } from 'chai';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openLanes, type Lanes } from '../../../src/postgres/pool.js';
import { ConnectionLost } from '../../../src/postgres/postgres-error.js';
import { bodies, LANES, read, rejection, slowRead, step, write } from '../../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { openSeveringProxy, type SeveringProxy } from '../../support/severing-proxy.js';

describe('a connection on which nothing comes any more', function () {
  this.timeout(60_000);
  let testDatabase: TestDatabase;
  let proxy: SeveringProxy;
  let database: Database;
  let lanes: Lanes;

  before(async () => {
    testDatabase = await createTestDatabase();
  });
  beforeEach(async () => {
    proxy = await openSeveringProxy(testDatabase.uri);
    database = openDatabase(proxy.uri, { poolSize: 1 });
    lanes = openLanes(database, { ...LANES, size: 3, silenceCheckMs: 100 });
  });
  afterEach(async () => {
    await lanes.close();
    await closeDatabase(database);
    await proxy.close();
  });
  after(() => testDatabase.drop());

  it('is ended when PostgreSQL works at nothing for it, and replaced', async () => {
    await lanes.run(read(step('select 1')));
    proxy.freeze();
    const lost = [read(step('select 2')), write(step('select 3')), slowRead(step('select 4'))].map((batch) =>
      rejection(lanes.run(batch)),
    );
    const [first] = await Promise.all(lost.slice(0, 1));
    expect(first).to.be.instanceOf(ConnectionLost);
    expect(first).to.include({ sent: true });
    expect(bodies(await lanes.run(read(step('select 5'))))).to.deep.equal(['5']);
  });

  it('is ended when the server cannot be reached either', async () => {
    await lanes.run(read(step('select 1')));
    proxy.freeze();
    const lost = rejection(lanes.run(read(step('select 2'))));
    proxy.refuse();
    expect(await lost).to.be.instanceOf(ConnectionLost);
  });

  it('is left alone while PostgreSQL works, however long that takes', async () => {
    expect(bodies(await lanes.run(slowRead(step(`select 'awake' from pg_sleep(1.5)`))))).to.deep.equal([
      'awake',
    ]);
    expect(bodies(await lanes.run(write(step(`select 'written' from pg_sleep(1.5)`))))).to.deep.equal([
      'written',
    ]);
  });
});
