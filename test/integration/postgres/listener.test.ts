import { expect } from 'chai';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { listen, type Listener } from '../../../src/postgres/listener.js';
import { createTestDatabase, findFreePort, type TestDatabase } from '../../support/postgres/database.js';
import { openRelay } from '../../support/postgres/relay.js';
import { until } from '../../support/until.js';

describe('a listener', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let listener: Listener;
  let heard: (readonly [string, string])[];
  let events: string[];

  const open = (channels: readonly string[], on = database): void => {
    heard = [];
    events = [];
    listener = listen(on, {
      channels,
      onNotification: (channel, payload) => heard.push([channel, payload]),
      onListening: () => events.push('listening'),
      observe(observation) {
        if (observation.kind === 'reload-listener-lost')
          events.push(`lost, again in ${String(observation.retryInSeconds)} s`);
      },
      lostAs: 'reload-listener-lost',
    });
  };
  const backends = async (): Promise<readonly number[]> =>
    await database.map<number>(
      `select pid from pg_stat_activity where datname = current_database() and query like 'listen%'`,
      [],
      ({ pid }: { pid: number }) => pid,
    );

  before(async () => {
    testDatabase = await createTestDatabase();
    database = openDatabase(testDatabase.uri, { poolSize: 2 });
  });
  afterEach(() => listener.close());
  after(async () => {
    await closeDatabase(database);
    await testDatabase.drop();
  });

  it('receives notifications of its channels only, whatever their names', async () => {
    open(['plain', 'Odd "name"; drop table films']);
    await until(() => listener.isListening);
    await database.any('select pg_notify($1, $2)', ['other', 'no']);
    await database.any('select pg_notify($1, $2)', ['Odd "name"; drop table films', 'né 夜']);
    await database.any('notify plain');
    await until(() => heard.length === 2);
    expect(heard).to.deep.equal([
      ['Odd "name"; drop table films', 'né 夜'],
      ['plain', ''],
    ]);
    expect(events).to.deep.equal(['listening']);
  });

  it('listens again after a lost connection, and reports it', async () => {
    open(['plain']);
    await until(() => listener.isListening);
    const [pid] = await backends();
    await database.any('select pg_terminate_backend($1)', [pid]);
    await until(() => events.includes('lost, again in 1 s'));
    expect(listener.isListening).to.equal(false);
    await until(() => listener.isListening);
    await database.any(`notify plain, 'after'`);
    await until(() => heard.length === 1);
    expect(events).to.deep.equal(['listening', 'lost, again in 1 s', 'listening']);
    expect(await backends())
      .to.have.length(1)
      .and.not.to.include(pid);
  });

  it('tries again when the server does not respond to LISTEN', async function () {
    this.timeout(30_000);
    let isSilent = true;
    const relay = await openRelay(testDatabase.uri, {
      fromClient: (send) => (chunk) => {
        if (isSilent && chunk.includes('listen')) isSilent = false;
        else send(chunk);
      },
    });
    const relayed = openDatabase(relay.uri, { poolSize: 1 });
    open(['plain'], relayed);
    try {
      await listener.attempted;
      expect(events).to.deep.equal(['lost, again in 1 s']);
      await until(() => listener.isListening);
      expect(events).to.deep.equal(['lost, again in 1 s', 'listening']);
    } finally {
      await relay.close();
      await listener.close();
      await closeDatabase(relayed);
    }
  });

  it('leaves no connection open when LISTEN fails or when it closes early', async () => {
    open(['x'.repeat(64)]);
    listener.close().catch(() => undefined);
    open(['']);
    await until(() => events.length > 0);
    expect(events).to.deep.equal(['lost, again in 1 s']);
    expect(listener.isListening).to.equal(false);
    await until(async () => (await backends()).length === 0);
  });

  it('retries later when the server is down', async () => {
    const port = await findFreePort();
    const nowhere = openDatabase(`postgresql://web@127.0.0.1:${String(port)}/films`, { poolSize: 1 });
    open(['plain'], nowhere);
    await until(() => events.length === 2);
    expect(events).to.deep.equal(['lost, again in 1 s', 'lost, again in 2 s']);
    await listener.close();
    await closeDatabase(nowhere);
  });
});
