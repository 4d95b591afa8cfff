/** Effects of one batch on others that share its connection. */
import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { firstRun, type Batch } from '../../../src/postgres/batch.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool, type PoolOptions } from '../../../src/postgres/pool.js';
import { BatchAborted, PoolTimeout } from '../../../src/postgres/postgres-error.js';
import {
  bodies,
  briefRead,
  callerOf,
  POOL_OPTIONS,
  read,
  rejection,
  silently,
  longRead,
  sqlState,
  query,
  write,
} from '../../support/postgres/batches.js';
import { runs as repetitions, some } from '../../support/runs.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';

const SLEEP = 'select pg_sleep($1::float8)';
const FOREVER = '600';
const QUICK = read(query(`select 'quick'`));

describe('a connection that batches share', function () {
  this.timeout(120_000);
  let testDatabase: TestDatabase;
  let database: Database;
  let pool: Pool;
  const callers: AbortController[] = [];

  const open = (options: Partial<PoolOptions>): void => {
    pool = openPool(database, { ...POOL_OPTIONS, ...options });
  };
  const asleep = async (): Promise<number> =>
    (
      await database.one<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
    ).n;
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await holds())) await delay(5);
  };
  /** Runs until the end of the test. */
  const runs = (batch: Batch, count = 1): void => {
    for (let index = 0; index < count; index++) {
      const caller = new AbortController();
      callers.push(caller);
      pool.run(batch, callerOf(caller.signal, `client ${String(callers.length)}`)).catch(() => undefined);
    }
  };
  const answers = async (batch: Batch = QUICK): Promise<string | null> =>
    bodies(await pool.run(batch))[0] ?? null;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = openDatabase(testDatabase.uri, { poolSize: 2 });
    await database.multi(`
      create table locked (id int);
      create function leave_setting() returns text volatile language sql as
        $$ select set_config('response.headers', '[{"Set-Cookie":"mine"}]', false) || set_config('app.user', 'mira', false) $$;
      create function long_when_cancelled() returns text language plpgsql as $$
        begin
          perform pg_sleep(600);
        exception when query_canceled then
          return repeat('x', 1000000);
        end $$;
    `);
  });
  afterEach(async () => {
    for (const caller of callers.splice(0)) caller.abort();
    // A backend does not notice the end of its connection while it sleeps, nor before it goes on to sleep again.
    await until(async () => pool.state.available === pool.state.size && (await asleep()) === 0);
    await pool.close();
  });
  after(async () => {
    await closeDatabase(database);
    await testDatabase.drop();
  });

  for (const size of some([2, 4, 10], 3)) {
    for (const [name, sleep] of [
      ['long', longRead],
      ['brief', briefRead],
      ['shared', read],
    ] as const) {
      it(`serves reads beside 40 sleeping ones that were ${name}, in a pool of ${String(size)}`, async () => {
        open({ size });
        expect(await answers()).to.equal('quick');
        for (let index = 0; index < 40; index++) runs(sleep(query(SLEEP, FOREVER)));
        for (let round = 0; round < 5; round++) {
          expect(await answers()).to.equal('quick');
          if (size > 2) expect(await answers(briefRead(query(`select 'brief'`)))).to.equal('brief');
        }
        await until(async () => (await asleep()) >= Math.max(1, Math.floor(size / 2)));
        await until(async () => pool.state.waiting === 40 - (await asleep()));
        // A late read that was shared keeps the last connection until another request needs it.
        if (name !== 'shared') expect(await asleep()).to.be.lessThan(size);
        expect(await answers()).to.equal('quick');
      });
    }
  }

  it('serves writes beside sleeping reads in a pool of three', async () => {
    open({ size: 3 });
    runs(longRead(query(SLEEP, FOREVER)), 20);
    await until(async () => (await asleep()) === 1);
    expect(await answers(write(query(`select 'written'`)))).to.equal('written');
    expect(await answers()).to.equal('quick');
  });

  it('moves batches that wait behind a late one to another connection', async () => {
    open({ size: 2 });
    const lastRun = firstRun();
    expect(await answers()).to.equal('quick');
    runs({ ...read(query(SLEEP, FOREVER)), lastRun });
    const behind = await Promise.all(Array.from({ length: 12 }, () => answers()));
    expect(new Set(behind)).to.deep.equal(new Set(['quick']));
    await until(() => lastRun.took === 'brief');
  });

  it('cancels no read that was sent behind one which it has moved to another connection', async () => {
    open({ size: 3 });
    const failures: string[] = [];
    const note = (error: Error): void => void failures.push(error.message);
    // Each group has reads that are late where they share a connection, and quick ones that come while those are moved.
    for (let round = 0; round < repetitions(25, 8); round++) {
      const late = Array.from({ length: 6 }, () => pool.run(read(query(SLEEP, '0.07'))).catch(note));
      for (let step = 0; step < 12; step++) {
        await delay(10);
        late.push(...Array.from({ length: 3 }, () => pool.run(QUICK).catch(note)));
      }
      await Promise.all(late);
    }
    expect(failures).to.deep.equal([]);
  });

  it('is not shared again by the reads of a plan after a late one, until many in a row were quick', async () => {
    open({ size: 2 });
    const lastRun = firstRun();
    const run = async (seconds: string): Promise<void> =>
      void (await pool.run({ ...briefRead(query(SLEEP, seconds)), lastRun }));
    await run('0.06');
    expect(lastRun.quickRuns).to.equal(0);
    let quick = 0;
    for (; lastRun.took !== 'shared'; quick++) await run('0');
    expect(quick).to.be.at.least(20);
    expect(lastRun).to.include({ took: 'shared', quickRuns: 20 });
  });

  it('reports how long the last run of a plan took, and whether its result was long', async () => {
    open({ size: 1 });
    const lastRun = firstRun();
    await pool.run({ ...longRead(query(SLEEP, '0.3')), lastRun });
    expect(lastRun).to.include({ took: 'long', longResult: false });
    await pool.run({ ...longRead(query(`select repeat('x', 300000)`)), lastRun });
    expect(lastRun.longResult).to.equal(true);
    await pool.run({ ...longRead(query(`select 'short'`)), lastRun });
    expect(lastRun.longResult).to.equal(false);
  });

  it('takes shared reads when long reads have reached their limit', async () => {
    open({ size: 2 });
    await Promise.all(Array.from({ length: 16 }, () => answers()));
    await until(() => pool.state.size === 2);
    // The connection with one read is drained, the one with eight is free first.
    const busy = [
      ...Array.from({ length: 8 }, () => answers()),
      answers(read(query(`select 'done' from pg_sleep(0.012)`))),
    ];
    runs(longRead(query(SLEEP, FOREVER)), 5);
    await Promise.all(busy);
    await until(async () => (await asleep()) === 1);
    expect(await answers()).to.equal('quick');
    expect(pool.state.waiting).to.equal(4);
  });

  it('serves other reads while reads of a locked table wait', async () => {
    open({ size: 4 });
    const reading = (): Batch => read(query('select count(*)::text from locked'));
    await database.tx(async (task) => {
      await task.none('lock table locked in access exclusive mode');
      const waiting = Array.from({ length: 40 }, () => pool.run(reading()));
      for (let round = 0; round < 20; round++) expect(await answers()).to.equal('quick');
      await task.none('commit');
      expect(new Set((await Promise.all(waiting)).map((result) => bodies(result)[0]))).to.deep.equal(
        new Set(['0']),
      );
      await task.none('begin');
    });
  });

  it('fails batches behind a slow one when their acquisition timeout ends', async () => {
    open({ size: 1, acquisitionTimeoutMs: 300 });
    expect(await answers()).to.equal('quick');
    runs(read(query(SLEEP, FOREVER)));
    const waiting = Array.from({ length: 5 }, () => rejection(answers()));
    for (const each of waiting) expect(await each).to.be.instanceOf(PoolTimeout);
  });

  it('does not repeat a batch that is cancelled for others after its body has begun', async () => {
    open({ size: 2 });
    runs(longRead(query(SLEEP, FOREVER)));
    await until(async () => (await asleep()) === 1);
    const caller = new AbortController();
    callers.push(caller);
    let begun = 0;
    const target = new PassThrough().resume();
    const batch: Batch = {
      ...read(query('select long_when_cancelled()'), query(SLEEP, FOREVER)),
      openBody() {
        begun += 1;
        // The second body would be that of a repetition.
        if (begun > 1) caller.abort();
        return target;
      },
    };
    const cancelled = sqlState(pool.run(batch, callerOf(caller.signal)));
    expect(await answers()).to.equal('quick');
    expect(await cancelled).to.equal('57014');
    expect(begun).to.equal(1);
    // Its reader closes it in the service; until then the limit of its time holds a timer.
    target.destroy();
  });

  it('drops a batch whose caller aborted, without effect on the others', async () => {
    open({ size: 1 });
    expect(await answers()).to.equal('quick');
    const caller = new AbortController();
    const gone = rejection(pool.run(read(query(SLEEP, FOREVER)), callerOf(caller.signal)));
    const behind = Array.from({ length: 5 }, () => answers());
    caller.abort();
    expect(await gone).to.be.instanceOf(BatchAborted);
    expect(await Promise.all(behind)).to.deep.equal(Array.from({ length: 5 }, () => 'quick'));
    expect(await asleep()).to.equal(0);
  });

  it('serves clients in turn, and kinds of use in turn, in a pool of one', async () => {
    open({ size: 1 });
    const order: string[] = [];
    await pool.run(longRead(query('select 1')));
    // Takes the open connection at once, so that all others wait.
    const first = pool.run(longRead(query(SLEEP, '0.01')));
    const add = (batch: Batch, name: string, client = name) =>
      pool.run(batch, { client, signal: null }).then(() => order.push(name));
    const all = [
      // Addresses of one network are one client.
      ...['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((address) =>
        add(longRead(query('select 1')), 'greedy', address),
      ),
      add(longRead(query('select 1')), 'modest'),
      add(write(query('select 1')), 'writer'),
      add(read(query('select 1')), 'reader'),
    ];
    await Promise.all([first, ...all]);
    expect(order).to.deep.equal(['reader', 'writer', 'greedy', 'modest', 'greedy', 'greedy']);
  });

  it('serves shared reads between long ones when PostgreSQL allows only one connection', async () => {
    await database.multi(`create role one_connection login password 'limited' connection limit 1`);
    const limited = openDatabase(testDatabase.uriFor('one_connection', 'limited'), { poolSize: 1 });
    pool = openPool(limited, { ...POOL_OPTIONS, size: 10 });
    const order: string[] = [];
    try {
      expect(await answers()).to.equal('quick');
      const slow = Array.from({ length: 12 }, () =>
        pool.run(longRead(query(SLEEP, '0.1'))).then(() => order.push('slow')),
      );
      await until(async () => (await asleep()) === 1);
      await answers();
      order.push('quick');
      await Promise.all(slow);
      expect(order.indexOf('quick')).to.be.below(4);
    } finally {
      await pool.close();
      await closeDatabase(limited);
      await until(
        async () =>
          (
            await database.one<{ n: number }>(
              `select count(*)::int as n from pg_stat_activity where usename = 'one_connection'`,
            )
          ).n === 0,
      );
      await database.none('drop role one_connection');
    }
  });

  it('is reset after a function that changes session settings', async () => {
    open({ size: 1 });
    const settings = read(
      query(`select concat(current_setting('response.headers', true), current_setting('app.user', true))`),
    );
    await pool.run({ ...write(query('select leave_setting()')), resetsSettings: true });
    expect(bodies(await pool.run(settings))).to.deep.equal(['']);
    const failing = [silently('begin'), query('select leave_setting()'), query('select 1 / 0')];
    await rejection(pool.run({ ...write(...failing), resetsSettings: true }));
    expect(bodies(await pool.run(settings))).to.deep.equal(['']);
    expect(pool.state.size).to.equal(1);
  });
});
