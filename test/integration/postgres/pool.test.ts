import { expect } from 'chai';
import {
  type Batch,
  type BatchResult,
  type BatchUse,
  type Parameter,
  type BatchQuery,
  prepare,
  type Statement,
} from '../../../src/postgres/batch.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool, type PoolOptions } from '../../../src/postgres/pool.js';
import {
  BatchAborted,
  ConnectFailed,
  ConnectionLost,
  PoolTimeout,
  PostgresError,
} from '../../../src/postgres/postgres-error.js';
import { UNOBSERVED } from '../../support/unobserved.js';
import { callerOf } from '../../support/postgres/batches.js';
import { idleTimeout, openSeveringProxy } from '../../support/postgres/severing-proxy.js';
import { createTestDatabase, startTestServer, type TestDatabase } from '../../support/postgres/database.js';
import { until } from '../../support/until.js';
import { quoteLiteral, sql } from '../../../src/postgres/sql.js';

const OPTIONS: PoolOptions = {
  name: 'data',
  observe: UNOBSERVED,
  size: 4,
  depth: 8,
  prepared: true,
  acquisitionTimeoutMs: 60_000,
  maxLifetimeMs: 1_800_000,
  maxIdleMs: 30_000,
  queueLimit: 10_000,
};

const CONTEXT = prepare(sql`
  select num_nulls(
    set_config('role', $1, true),
    set_config('request.jwt.claims', $2, true),
    set_config('transaction_read_only', $3, true)
  )`);

const query = (
  statement: Statement,
  parameters: readonly Parameter[] = [],
  returnsRows = true,
): BatchQuery => ({
  statement,
  parameters,
  returnsRows,
});

function batchOf(
  main: Statement,
  parameters: readonly Parameter[],
  more: { role?: string; sub?: string; access?: 'read' | 'write'; use?: BatchUse } = {},
): Batch {
  const { role = 'pool_anon', sub = 'nobody', access = 'read', use = 'shared' } = more;
  const context = query(CONTEXT, [role, JSON.stringify({ sub }), access === 'read' ? 'on' : 'off'], false);
  return { queries: [context, query(main, parameters)], access, use };
}

const textOf = (results: BatchResult, index = 0): string | null => {
  const body = results[index]?.rows[0]?.body;
  return body === null || body === undefined ? null : Buffer.concat(body).toString('utf8');
};

async function refusal(work: Promise<unknown>): Promise<PostgresError> {
  const error: unknown = await work.then(
    () => 'accepted',
    (reason: unknown) => reason,
  );
  if (error instanceof PostgresError) return error;
  throw error;
}

const READ_NOTES = prepare(sql`select coalesce(json_agg(n order by id), '[]') from pool.notes n`);
const READ_FILM = prepare(sql`select row_to_json(f) from pool.films f where id = $1`);
const INSERT_FILM = prepare(sql`insert into pool.films (title) values ($1) returning id, title`);
const SLEEP = prepare(sql`select pg_sleep($1)`);

describe('pool', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let pool: Pool;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = openDatabase(testDatabase.uri, { poolSize: 2 });
    await database.multi(`
      do $$ begin
        if not exists (select from pg_roles where rolname = 'pool_anon') then create role pool_anon; end if;
        if not exists (select from pg_roles where rolname = 'pool_user') then create role pool_user; end if;
      end $$;
      create schema pool;
      create table pool.films (id int generated always as identity primary key, title text not null);
      insert into pool.films (title) values ('The Lantern'), ('Night Tram');
      create table pool.notes (id int primary key, owner text);
      insert into pool.notes values (1, 'mira'), (2, 'tomas'), (3, 'mira');
      alter table pool.notes enable row level security;
      create policy own on pool.notes to pool_user using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
      create table pool.parents (id int primary key);
      create table pool.children (parent int references pool.parents deferrable initially deferred);
      grant usage on schema pool to pool_anon, pool_user;
      grant select on pool.films to pool_anon;
      grant select, insert on pool.films, pool.children to pool_user;
      grant select on pool.notes to pool_user;
    `);
    pool = openPool(database, OPTIONS);
  });

  after(async () => {
    await pool.close();
    await closeDatabase(database);
    await testDatabase.drop();
  });

  it('returns the columns as text and the last one as bytes', async () => {
    const [result] = await pool.run(batchOf(prepare(sql`select 'né', null, 7, '{"a":"夜"}'::json`), []));
    expect(result?.commandTag).to.equal('SELECT 1');
    expect(result?.rows[0]?.columns).to.deep.equal(['né', null, '7']);
    expect(Buffer.concat(result?.rows[0]?.body ?? []).toString()).to.equal('{"a":"夜"}');
    expect(result?.rows[0]?.bodyLength).to.equal(11);
  });

  it('keeps the statements of a connection that cannot prepare all those of a batch', async () => {
    const own = openPool(database, { ...OPTIONS, size: 1 });
    try {
      const statements = Array.from({ length: 450 }, (_, index) =>
        prepare(sql`select ${quoteLiteral(String(index))}`),
      );
      const all: Batch = { queries: statements.map((each) => query(each)), access: 'read', use: 'shared' };
      const texts = statements.map((_, index) => String(index));
      for (let run = 0; run < 2; run++) {
        const results = await own.run(all);
        expect(results.map((_, index) => textOf(results, index))).to.deep.equal(texts);
        for (const statement of statements) await own.run({ ...all, queries: [query(statement)] });
      }
    } finally {
      await own.close();
    }
  });

  it('returns null bodies, several rows, and the results of several queries', async () => {
    const results = await pool.run({
      queries: [
        query(prepare(sql`select null`)),
        query(prepare(sql`select g from generate_series(1, 3) g`)),
        query(prepare(sql`select 1 where false`)),
      ],
      access: 'read',
      use: 'shared',
    });
    expect(
      results.map(({ rows }) =>
        rows.map(({ body }) => (body === null ? null : Buffer.concat(body).toString())),
      ),
    ).to.deep.equal([[null], ['1', '2', '3'], []]);
  });

  it('checks privileges and row security by the role and the claims of the batch', async () => {
    expect(textOf(await pool.run(batchOf(READ_NOTES, [], { role: 'pool_user', sub: 'mira' })))).to.equal(
      '[{"id":1,"owner":"mira"}, \n {"id":3,"owner":"mira"}]',
    );
    expect(textOf(await pool.run(batchOf(READ_NOTES, [], { role: 'pool_user', sub: 'tomas' })))).to.equal(
      '[{"id":2,"owner":"tomas"}]',
    );
    const error = await refusal(pool.run(batchOf(READ_NOTES, [])));
    expect(error.fields).to.include({ code: '42501', message: 'permission denied for table notes' });
  });

  it('resets the session between batches', async () => {
    const own = openPool(database, { ...OPTIONS, size: 1 });
    await own.run(batchOf(READ_NOTES, [], { role: 'pool_user', sub: 'mira' }));
    const probe = prepare(
      sql`select concat_ws('|', current_user, current_setting('transaction_read_only'), current_setting('request.jwt.claims', true))`,
    );
    const left = await own.run({ queries: [query(probe)], access: 'read', use: 'shared' });
    expect(textOf(left)).to.equal('postgres|off|');
    await own.close();
  });

  it('rolls back a batch that fails and commits one that does not', async () => {
    const user = { role: 'pool_user', access: 'write' } as const;
    const fail = prepare(sql`select 1 / $1::int`);
    const context = query(CONTEXT, ['pool_user', '{}', 'off'], false);
    const error = await refusal(
      pool.run({
        queries: [context, query(INSERT_FILM, ['undone']), query(fail, ['0'])],
        access: 'write',
        use: 'shared',
      }),
    );
    expect(error.fields.code).to.equal('22012');
    const [inserted] = await pool.run(batchOf(INSERT_FILM, ['kept'], user));
    expect(inserted?.commandTag).to.equal('INSERT 0 1');
    expect(
      await database.map<string>(
        `select title from pool.films where title in ('undone', 'kept')`,
        [],
        ({ title }: { title: string }) => title,
      ),
    ).to.deep.equal(['kept']);
  });

  it('refuses writes in a read-only batch', async () => {
    expect(
      (await refusal(pool.run(batchOf(INSERT_FILM, ['x'], { role: 'pool_user' })))).fields.code,
    ).to.equal('25006');
  });

  it('reports a deferred constraint, which fails after the rows were sent', async () => {
    const insert = prepare(sql`insert into pool.children values ($1) returning parent`);
    expect(
      (await refusal(pool.run(batchOf(insert, ['404'], { role: 'pool_user', access: 'write' })))).fields.code,
    ).to.equal('23503');
    expect(await database.one<{ n: number }>('select count(*)::int as n from pool.children')).to.deep.equal({
      n: 0,
    });
  });

  it('keeps pipelined batches apart when some of them fail', async () => {
    const own = openPool(database, { ...OPTIONS, size: 2 });
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        own
          .run(
            batchOf(
              prepare(sql`select case when $1::int % 3 = 0 then 1 / (($1::int) * 0) else $1::int end`),
              [String(index)],
            ),
          )
          .then(
            (results) => textOf(results),
            (error: unknown) => (error instanceof PostgresError ? error.fields.code : 'other'),
          ),
      ),
    );
    expect(outcomes).to.deep.equal(
      Array.from({ length: 1000 }, (_, index) => (index % 3 === 0 ? '22012' : String(index))),
    );
    expect(own.state).to.include({ up: true, waiting: 0 });
    await own.close();
  });

  it('closes the least recently used statements and parses them again when they come back', async () => {
    const own = openPool(database, { ...OPTIONS, size: 1 });
    const statements = Array.from({ length: 450 }, (_, index) => prepare(sql`select ${index}`));
    for (const round of [0, 1]) {
      for (const [index, statement] of statements.entries())
        expect(textOf(await own.run(batchOf(statement, [])))).to.equal(String(index), `round ${round}`);
    }
    expect(
      Number(
        textOf(
          await own.run({
            queries: [query(prepare(sql`select count(*) from pg_prepared_statements`))],
            access: 'read',
            use: 'shared',
          }),
        ),
      ),
    ).to.be.at.most(401);
    await own.close();
  });

  it('parses statements again that the server has dropped or can no longer use', async () => {
    const own = openPool(database, { ...OPTIONS, size: 1 });
    const table = prepare(sql`select * from pool.shifting`);
    await database.none('create table pool.shifting as select 1 as a');
    await database.none('grant select on pool.shifting to pool_anon');
    expect(textOf(await own.run(batchOf(table, [])))).to.equal('1');
    await own.run({ queries: [query(prepare(sql`deallocate all`))], access: 'write', use: 'long' });
    expect(textOf(await own.run(batchOf(table, []))), 'after 26000').to.equal('1');
    await database.none('alter table pool.shifting add b text default $1', ['new']);
    expect(textOf(await own.run(batchOf(table, []))), 'after 0A000').to.equal('new');
    await own.close();
  });

  it('works with unnamed statements behind a pooler', async () => {
    const own = openPool(database, { ...OPTIONS, prepared: false });
    for (let round = 0; round < 3; round++)
      expect(textOf(await own.run(batchOf(READ_FILM, ['1'])))).to.equal('{"id":1,"title":"The Lantern"}');
    expect(
      textOf(await own.run(batchOf(prepare(sql`select count(*) from pg_prepared_statements`), []))),
    ).to.equal('0');
    await own.close();
  });

  it('carries parameters and bodies of many megabytes as bytes', async () => {
    const big = Buffer.alloc(10_000_000, 'x');
    const [result] = await pool.run(
      batchOf(prepare(sql`select length($1::text), $1::text`), [big], { use: 'long' }),
    );
    expect(result?.rows[0]?.columns).to.deep.equal(['10000000']);
    expect(result?.rows[0]?.bodyLength).to.equal(10_000_000);
    expect(Buffer.concat(result?.rows[0]?.body ?? []).equals(big)).to.equal(true);
    const long = 'é'.repeat(100_000);
    expect(textOf(await pool.run(batchOf(prepare(sql`select $1::text`), [long])))).to.equal(long);
  });

  describe('batches that wait', () => {
    it('time out after the acquisition timeout, in order', async () => {
      const own = openPool(database, { ...OPTIONS, size: 1, acquisitionTimeoutMs: 1000 });
      // The slow batch has its connection at once, however long opening it takes.
      await until(() => own.state.up);
      const running = new AbortController();
      const slow = own
        .run(batchOf(SLEEP, ['600'], { use: 'long' }), callerOf(running.signal))
        .catch((error: unknown) => error);
      const waiting = [1, 2].map(() => own.run(batchOf(READ_FILM, ['1'])).catch((error: unknown) => error));
      for (const outcome of waiting) expect(await outcome).to.be.instanceOf(PoolTimeout);
      expect(own.state.timeouts).to.equal(2);
      running.abort();
      expect(await slow).to.be.instanceOf(BatchAborted);
      expect(textOf(await own.run(batchOf(READ_FILM, ['1'])))).to.contain('Lantern');
      await own.close();
    });

    it('are refused beyond the bound of the queue', async () => {
      const own = openPool(database, { ...OPTIONS, size: 1, queueLimit: 1 });
      const runs = [1, 2, 3].map(() =>
        own.run(batchOf(SLEEP, ['0.1'], { use: 'long' })).catch((error: unknown) => error),
      );
      const outcomes = await Promise.all(runs);
      expect(outcomes.filter((outcome) => outcome instanceof PoolTimeout)).to.have.length.at.least(1);
      await own.close();
    });

    it('end when their caller aborts, running or not', async () => {
      const own = openPool(database, { ...OPTIONS, size: 1 });
      const first = new AbortController();
      const second = new AbortController();
      const running = own.run(batchOf(SLEEP, ['60'], { use: 'long' }), callerOf(first.signal));
      const queued = own
        .run(batchOf(READ_FILM, ['1']), callerOf(second.signal))
        .catch((error: unknown) => error);
      second.abort();
      expect(await queued).to.be.instanceOf(BatchAborted);
      while (
        (
          await database.one<{ n: number }>(
            `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
          )
        ).n === 0
      );
      first.abort();
      expect(await running.catch((error: unknown) => error)).to.be.instanceOf(BatchAborted);
      expect(textOf(await own.run(batchOf(READ_FILM, ['1']))), 'the next one is not hit').to.contain(
        'Lantern',
      );
      expect(
        await own
          .run(batchOf(READ_FILM, ['1'], { use: 'long' }), callerOf(AbortSignal.abort()))
          .catch((error: unknown) => error),
      ).to.be.instanceOf(BatchAborted);
      await own.close();
    });
  });

  it('fails every batch in flight when the backend is terminated, and reconnects', async () => {
    const own = openPool(database, { ...OPTIONS, size: 2 });
    await own.run(batchOf(READ_FILM, ['1']));
    const pid = textOf(await own.run(batchOf(prepare(sql`select pg_backend_pid()`), [])));
    const slow = own.run(batchOf(SLEEP, ['60'])).catch((error: unknown) => error);
    await database.any('select pg_terminate_backend($1::int)', [pid]);
    expect(await slow).to.satisfy(
      (error: unknown) =>
        (error instanceof PostgresError && error.fields.code === '57P01') ||
        (error instanceof ConnectionLost && error.sent),
    );
    let title: string | null = null;
    while (title === null)
      title = await own.run(batchOf(READ_FILM, ['1'])).then(
        (results) => textOf(results),
        () => null,
      );
    expect(title).to.contain('Lantern');
    await own.close();
  });
});

describe('a pool whose connection PostgreSQL ends as idle', function () {
  this.timeout(120_000);

  it('sends a write again that the server had not begun', async () => {
    const test = await createTestDatabase();
    const proxy = await openSeveringProxy(test.uri);
    const database = openDatabase(proxy.uri, { poolSize: 1 });
    const pool = openPool(database, { ...OPTIONS, size: 1 });
    const statement = prepare(sql`select 'marked ' || $1`);
    const batch: Batch = { queries: [query(statement, ['x'])], access: 'write', use: 'shared' };
    expect(textOf(await pool.run(batch))).to.equal('marked x');
    proxy.answerAt('given up', idleTimeout());
    const again: Batch = { queries: [query(statement, ['given up'])], access: 'write', use: 'shared' };
    expect(textOf(await pool.run(again))).to.equal('marked given up');
    await pool.close();
    await closeDatabase(database);
    await proxy.close();
    await test.drop();
  });
});

describe('a pool whose server stops and starts again @long', function () {
  this.timeout(120_000);

  it('fails at once while the server is down, and recovers when it is back', async () => {
    const server = await startTestServer();
    const database = openDatabase(server.uri, { poolSize: 1 });
    const events: string[] = [];
    const pool = openPool(database, {
      ...OPTIONS,
      observe: ({ kind }) => events.push(kind),
    });
    const ask = () => pool.run({ queries: [query(prepare(sql`select 1`))], access: 'read', use: 'shared' });
    try {
      await Promise.all(Array.from({ length: 8 }, ask));
      await server.kill();
      let error: unknown = null;
      while (!(error instanceof ConnectFailed))
        error = await ask().then(
          () => null,
          (reason: unknown) => reason,
        );
      expect(pool.state.up).to.equal(false);
      // One failure, or two after a second; not one for each connection of the pool.
      expect(pool.state.backoffSeconds).to.be.within(1, 2);
      expect(pool.state.lastError).to.match(/^connection to server at "127.0.0.1", port \d+ failed: /);
      await server.start();
      let answer: string | null = null;
      while (answer === null) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        answer = await ask().then(
          (results) => textOf(results),
          () => null,
        );
      }
      expect(answer).to.equal('1');
      expect(pool.state).to.include({ up: true, lastError: null });
      expect(events[0]).to.equal('database-down');
      expect(events.at(-1)).to.equal('database-up');
    } finally {
      await pool.close();
      await closeDatabase(database);
      await server.remove();
    }
  });
});
