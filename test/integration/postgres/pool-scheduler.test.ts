import { expect } from 'chai';
import { firstRun } from '../../../src/postgres/batch.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool, type PoolOptions } from '../../../src/postgres/pool.js';
import { ConnectFailed, ConnectionLost, PostgresError } from '../../../src/postgres/postgres-error.js';
import {
  bodies,
  briefRead,
  callerOf,
  POOL_OPTIONS,
  read,
  rejection,
  silently,
  longRead,
  query,
  write,
} from '../../support/postgres/batches.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { openRelay } from '../../support/postgres/relay.js';
import { until } from '../../support/until.js';

const PID = query('select pg_backend_pid()');
const SLEEP = query('select pg_sleep(60)');

describe('the connections of a pool', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let pool: Pool;

  const open = (options: Partial<PoolOptions>): Pool => {
    pool = openPool(database, { ...POOL_OPTIONS, ...options });
    return pool;
  };
  const pid = async (batch = read(PID)): Promise<string> => bodies(await pool.run(batch))[0] ?? '';
  const sleeping = async (): Promise<number> =>
    (
      await database.one<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
    ).n;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = openDatabase(testDatabase.uri, { poolSize: 1 });
  });
  afterEach(() => pool.close());
  after(async () => {
    await closeDatabase(database);
    await testDatabase.drop();
  });

  it('are opened on demand, up to the size of the pool', async () => {
    open({ size: 3 });
    await until(() => pool.state.up);
    expect(pool.state).to.include({ size: 1, available: 1, waiting: 0, lastError: null });
    await Promise.all(Array.from({ length: 200 }, () => pool.run(write(query('select 1')))));
    expect(pool.state.size).to.be.within(1, 3);
  });

  for (const size of [3, 4, 10]) {
    it(`leave room for writes, brief reads and shared ones beside long reads in a pool of ${String(size)}`, async () => {
      open({ size });
      const callers = Array.from({ length: 20 }, () => new AbortController());
      const slow = callers.map(({ signal }) => rejection(pool.run(longRead(SLEEP), callerOf(signal))));
      await until(async () => (await sleeping()) === Math.floor(size / 2));
      expect(bodies(await pool.run(write(query(`select 'written'`))))).to.deep.equal(['written']);
      expect(bodies(await pool.run(read(query(`select 'read'`))))).to.deep.equal(['read']);
      expect(bodies(await pool.run(briefRead(query(`select 'brief'`))))).to.deep.equal(['brief']);
      for (const caller of callers) caller.abort();
      await Promise.all(slow);
    });
  }

  /** Runs so many slow reads of one plan until one has proved to be long, then `check`. */
  async function withSlowReads(
    count: number,
    kind: typeof read,
    check: (started: () => Promise<number>) => Promise<void>,
  ): Promise<void> {
    await database.none('drop sequence if exists started; create sequence started');
    const lastRun = firstRun();
    const slow = query('select pg_sleep(60) where nextval($1::text::regclass) > 0', 'started');
    const callers = Array.from({ length: count }, () => new AbortController());
    const reads = callers.map(({ signal }) =>
      rejection(pool.run({ ...kind(slow), lastRun }, callerOf(signal))),
    );
    await until(() => lastRun.took === 'long');
    await check(
      async () => (await database.one<{ n: number }>('select last_value::int as n from started')).n,
    );
    for (const caller of callers) caller.abort();
    await Promise.all(reads);
  }

  async function runOthers(): Promise<void> {
    for (let count = 0; count < 40; count++) await pool.run(write(query('select pg_sleep(0.02)')));
  }

  it('take waiting reads for long ones when another run of their plan has proved to be long', async () => {
    open({ size: 10 });
    await withSlowReads(20, briefRead, async (started) => {
      await runOthers();
      // How many have started before one was late depends on how fast connections are opened.
      expect(await started()).to.be.at.most(10);
    });
  });

  it('start no waiting read where another run of its plan was late', async () => {
    open({ size: 10, depth: 1 });
    await withSlowReads(60, read, async (started) => {
      await runOthers();
      expect(await started()).to.be.at.most(30);
    });
  });

  it('serve every kind of batch in a pool of one or two', async () => {
    for (const size of [1, 2]) {
      open({ size });
      const batches = Array.from({ length: 60 }, (_, index) => {
        const one = query('select $1::text', String(index));
        return [read(one), longRead(one), write(one)][index % 3] ?? read(one);
      });
      const results = await Promise.all(batches.map(async (batch) => bodies(await pool.run(batch))[0]));
      expect(results).to.deep.equal(Array.from({ length: 60 }, (_, index) => String(index)));
      expect(pool.state.size).to.be.at.most(size);
      await pool.close();
    }
  });

  it('are replaced at the end of their lifetime, while requests go on', async () => {
    open({ maxLifetimeMs: 40, size: 3 });
    const seen = new Set<string>();
    const deadline = performance.now() + 10_000;
    while (seen.size < 4 && performance.now() < deadline)
      for (const each of await Promise.all(Array.from({ length: 30 }, () => pid()))) seen.add(each);
    expect(seen.size).to.be.at.least(4);
  });

  it('are closed when idle, except for one', async () => {
    open({ maxIdleMs: 40, size: 4 });
    const busy = Promise.all(
      Array.from({ length: 12 }, () => pool.run(write(query('select pg_sleep(0.02)')))),
    );
    await until(() => pool.state.size > 1);
    await busy;
    await until(() => pool.state.size === 1);
    expect(pool.state).to.include({ up: true, available: 1 });
  });

  it('are all replaced on request, busy ones after their batches', async () => {
    open({ size: 3 });
    const before = await pid();
    const busy = pool.run(write(query('select pg_backend_pid() from pg_sleep(0.1)')));
    await until(() => pool.state.available < pool.state.size);
    pool.renew();
    const old = [before, bodies(await busy)[0]];
    await until(() => pool.state.up && pool.state.size > 0);
    for (const batch of [read(PID), longRead(PID), write(PID)]) expect(old).not.to.include(await pid(batch));
  });

  it('are replaced on request while they are being opened', async () => {
    const relay = await countingRelay(testDatabase.uri);
    const relayed = openDatabase(relay.uri, { poolSize: 1 });
    pool = openPool(relayed, { ...POOL_OPTIONS, size: 1 });
    pool.renew();
    await pid();
    expect(relay.attempts()).to.equal(2);
    await pool.close();
    await closeDatabase(relayed);
    await relay.close();
  });

  it('serve all batches below the size of the pool, without a storm of connection attempts', async () => {
    await database.multi(`
      create role pool_limited login password 'limited' connection limit 2;
    `);
    const relay = await countingRelay(testDatabase.uriFor('pool_limited', 'limited'));
    const limited = openDatabase(relay.uri, { poolSize: 1 });
    pool = openPool(limited, { ...POOL_OPTIONS, size: 8 });
    try {
      const one = query('select 1 from pg_sleep(0.001)');
      const runAll = () =>
        Promise.all(
          Array.from({ length: 10 }, () => [read(one), longRead(one), write(one)])
            .flat()
            .map((batch) => pool.run(batch)),
        );
      // The pause doubles with each refusal; the first attempts and two more have ended then.
      while (pool.state.backoffSeconds < 4) await runAll();
      expect(pool.state).to.include({ size: 2, up: true, waiting: 0, lastError: null });
      // All that the pool has room for, those that are left after each of the two that succeed, and one after each pause.
      expect(relay.attempts()).to.be.within(5, 8 + 7 + 6 + 4);
    } finally {
      await pool.close();
      await closeDatabase(limited);
      await relay.close();
      await until(
        async () =>
          (
            await database.one<{ n: number }>(
              `select count(*)::int as n from pg_stat_activity where usename = 'pool_limited'`,
            )
          ).n === 0,
      );
      await database.none('drop role pool_limited');
    }
  });

  it('fail waiting batches with the cause when none can be opened', async () => {
    const nowhere = openDatabase(testDatabase.uriFor('pool_nobody', 'secret'), { poolSize: 1 });
    const retries: number[] = [];
    pool = openPool(nowhere, {
      ...POOL_OPTIONS,
      observe(observation) {
        if (observation.kind === 'database-down') retries.push(observation.retryInSeconds);
      },
    });
    const error = await rejection(pool.run(read(PID)));
    expect(error).to.be.instanceOf(ConnectFailed);
    expect(error).to.include({ code: '28P01' });
    expect(String(error)).to.match(
      /^ConnectFailed: connection to server at "127.0.0.1", port \d+ failed: FATAL: {2}password authentication failed for user "pool_nobody"$/,
    );
    expect(await rejection(pool.run(read(PID)))).to.equal(error);
    expect(pool.state).to.include({ up: false, size: 0, waiting: 0, backoffSeconds: 1 });
    expect(retries).to.deep.equal([1]);
    await closeDatabase(nowhere);
  });

  it('fail only the batch in flight when a backend is terminated, and serve the waiting ones', async () => {
    open({ size: 1 });
    const victim = await pid();
    const running = rejection(pool.run(longRead(SLEEP)));
    await until(async () => (await sleeping()) === 1);
    const waiting = Array.from({ length: 5 }, () => pool.run(read(query('select 1'))));
    await database.one('select pg_terminate_backend($1::int)', [victim]);
    expect(await running).to.be.instanceOf(ConnectionLost);
    expect(await running).to.include({ sent: true });
    expect(await running).to.have.nested.property('fields.code', '57P01');
    for (const each of waiting) expect(bodies(await each)).to.deep.equal(['1']);
    expect(pool.state).to.include({ up: true, size: 1 });
  });

  it('fail unsent batches with sent = false when the pool closes', async () => {
    open({ size: 1 });
    await pid();
    const running = rejection(pool.run(read(PID)));
    const waiting = rejection(pool.run(read(PID)));
    await pool.close();
    expect(await running).to.be.instanceOf(ConnectionLost);
    expect(await running).to.include({ sent: false });
    expect(await waiting).to.include({ sent: false });
    expect(await rejection(pool.run(read(PID)))).to.include({ sent: false });
  });

  it('never report a missing or duplicate statement after failures of batches before its Parse', async () => {
    open({ size: 2 });
    for (let round = 0; round < 40; round++) {
      const fresh = query(`select 'round ${String(round)}'`);
      const divide = silently('select 1 / $1::int', '0');
      const attempt = async (index: number): Promise<string | null> => {
        const batch = index % 2 === 0 ? read(divide, fresh) : read(fresh);
        return await pool.run(batch).then(
          (results) => bodies(results)[0] ?? null,
          async (error: unknown) => {
            if (!(error instanceof PostgresError)) throw error;
            expect(error.fields.code).to.equal('22012');
            return bodies(await pool.run(read(fresh)))[0] ?? null;
          },
        );
      };
      const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => attempt(index)));
      expect(new Set(answers)).to.deep.equal(new Set([`round ${String(round)}`]));
    }
  });

  it('parse statements again after a change of their table, also in transactions', async () => {
    open({ size: 1 });
    await database.none('create table shifting as select 1 as a');
    const everything = query('select * from shifting');
    const transaction = write(silently('begin'), everything, silently('commit'));
    expect(bodies(await pool.run(transaction))).to.deep.equal(['1']);
    await database.none(`alter table shifting add b text default 'new'`);
    expect(bodies(await pool.run(transaction))).to.deep.equal(['new']);
  });
});

/** A relay that counts the connections to the server. */
async function countingRelay(uri: string) {
  let count = 0;
  const relay = await openRelay(uri, {
    fromClient(send) {
      count++;
      return send;
    },
  });
  return { ...relay, attempts: () => count };
}
