import { expect } from 'chai';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange, type Exchanged } from '../../support/service/exchange.js';
import { until } from '../../support/until.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { openSeveringProxy, type SeveringProxy } from '../../support/postgres/severing-proxy.js';

const SCHEMA = `
  create table public.scores (player int primary key, points int not null, version int not null default 1);
  create function public.next_version() returns trigger language plpgsql as $$
  begin
    new.version := old.version + 1;
    return new;
  end $$;
  create trigger next_version before update on public.scores for each row execute function public.next_version();

  create table public.counters (name text primary key, value int not null);
  insert into public.counters values ('strict', 0), ('locked', 0);
  create function public.count_strictly(counter text) returns int language plpgsql
    set default_transaction_isolation = 'serializable' as $$
  declare seen int;
  begin
    select value into seen from public.counters where name = counter;
    update public.counters set value = seen + 1 where name = counter;
    return seen + 1;
  end $$;
  create function public.count_strictly_when_told(counter text) returns int language plpgsql
    set default_transaction_isolation = 'serializable' as $$
  declare seen int;
  begin
    select value into seen from public.counters where name = counter;
    perform pg_advisory_xact_lock(1);
    update public.counters set value = seen + 1 where name = counter;
    return seen + 1;
  end $$;
  create function public.count_locked(counter text) returns int language sql volatile as $$
    update public.counters set value = value + 1 where name = counter returning value
  $$;

  create sequence public.attempts;
  create table public.notes (id int primary key, text text not null);
  create function public.note_and_sleep(id int) returns void language plpgsql as $$
  begin
    perform nextval('public.attempts');
    insert into public.notes values (id, 'slow');
    perform pg_sleep(60);
  end $$;
  create function public.note(id int) returns setof public.notes language sql volatile as $$
    insert into public.notes values (id, 'attempt ' || nextval('public.attempts')) returning *
  $$;
  create function public.refuse_to_serialize() returns void language plpgsql as $$
  begin
    perform nextval('public.attempts');
    raise exception using errcode = '40001', message = 'could not serialize access';
  end $$;
`;

const CLIENTS = 64;
const ROUNDS = 4;
const PLAYERS = [1, 2, 3, 4, 5, 6, 7, 8];

describe('concurrent writes', function () {
  this.timeout(240_000);
  let database: TestDatabase;
  let proxy: SeveringProxy;
  let service: TestService;
  let session: Session;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(SCHEMA);
    proxy = await openSeveringProxy(database.uri);
    service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': proxy.uri,
        'db-anon-role': 'postgres',
        'db-pool': '6',
        'db-channel-enabled': 'false',
      },
      { logLevel: 'crit' },
    );
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await session.close();
    await database.drop();
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Exchanged> =>
    exchange(`${service.url}${path}`, 'POST', { body, headers });

  /** Every client sends this many requests, one after the other. */
  async function byAll<T>(ask: (client: number, round: number) => Promise<T>): Promise<readonly T[]> {
    const answers: T[] = [];
    const client = async (number: number): Promise<void> => {
      for (let round = 0; round < ROUNDS; round++) answers.push(await ask(number, round));
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    return answers;
  }

  const gauge = async (name: string): Promise<number> => {
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1]);
  };

  afterEach('no connection is stuck: none is in a transaction, none is waited for', async () => {
    await until(async () => {
      const busy = await session.query(
        `select from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      );
      return busy.length === 0 && (await gauge('dbr_db_pool_available')) > 0;
    });
    expect(await gauge('dbr_db_pool_waiting')).to.equal(0);
    expect(await gauge('dbr_db_pool_timeouts_total')).to.equal(0);
  });

  /** Every upsert of a row made its next version: none was lost and none was done twice. */
  async function expectVersions(players: readonly number[], upserts: number): Promise<void> {
    const rows = await session.query('select player, version from public.scores order by player');
    expect(rows).to.deep.equal(players.map((player) => ({ player, version: upserts })));
    await session.query('truncate public.scores');
  }

  it('upsert the same rows without losing one', async () => {
    const answers = await byAll((client, round) =>
      post(
        '/scores',
        PLAYERS.map((player) => ({ player, points: client * ROUNDS + round })),
        { Prefer: 'resolution=merge-duplicates' },
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(CLIENTS * ROUNDS - 1);
    const points = await session.query('select distinct points from public.scores');
    expect(points).to.have.length(1);
    await expectVersions(PLAYERS, CLIENTS * ROUNDS);
  });

  it('upsert the same row by PUT, checked before the commit, without losing one', async () => {
    const answers = await byAll((client, round) =>
      exchange(`${service.url}/scores?player=eq.1`, 'PUT', {
        body: { player: 1, points: client * ROUNDS + round },
        headers: { Prefer: 'return=representation', Accept: 'application/vnd.pgrst.object+json' },
      }),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(CLIENTS * ROUNDS - 1);
    const versions = answers.map(({ json }) => (json as { version: number }).version);
    expect(versions.sort((a, b) => a - b)).to.deep.equal(
      Array.from({ length: CLIENTS * ROUNDS }, (_, index) => index + 1),
    );
    await expectVersions([1], CLIENTS * ROUNDS);
  });

  it('ignore existing rows of any request', async () => {
    const answers = await byAll((client) =>
      post(
        '/scores',
        PLAYERS.map((player) => ({ player, points: client })),
        { Prefer: 'resolution=ignore-duplicates, return=representation' },
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201]));
    const made = answers.flatMap(({ json }) => json as { player: number }[]).map(({ player }) => player);
    expect(made.sort((a, b) => a - b)).to.deep.equal(PLAYERS);
    await expectVersions(PLAYERS, 1);
  });

  it('count each call of a locking function once', async () => {
    const answers = await byAll(() => post('/rpc/count_locked', { counter: 'locked' }));
    const values = answers.map(({ json }) => Number(json)).sort((a, b) => a - b);
    expect(values).to.deep.equal(Array.from({ length: CLIENTS * ROUNDS }, (_, index) => index + 1));
  });

  it('count under serializable: a conflict is 40001 and not done, a success is done once', async () => {
    const answers = await byAll(() => post('/rpc/count_strictly', { counter: 'strict' }));
    const done = answers.filter(({ status }) => status === 200);
    const clashed = answers.filter(({ status }) => status !== 200);
    for (const { status, json } of clashed) {
      expect(status).to.equal(500);
      expect(json).to.include({ code: '40001' });
      expect(json)
        .to.have.property('message')
        .that.matches(/^could not serialize access/);
    }
    expect(done.length).to.be.greaterThan(0);
    const values = done.map(({ json }) => Number(json)).sort((a, b) => a - b);
    expect(values).to.deep.equal(values.map((_, index) => index + 1));
    expect(await session.query(`select value from public.counters where name = 'strict'`)).to.deep.equal([
      { value: done.length },
    ]);
  });

  it('count under serializable: a reader of changed rows gets 40001', async () => {
    await session.query('select pg_advisory_lock(1)');
    const answer = post('/rpc/count_strictly_when_told', { counter: 'strict' });
    await until(
      async () =>
        (await session.query(`select from pg_stat_activity where wait_event = 'advisory'`)).length > 0,
    );
    await session.query(`update public.counters set value = 1000 where name = 'strict'`);
    await session.query('select pg_advisory_unlock(1)');
    const { status, json } = await answer;
    expect(status).to.equal(500);
    expect(json).to.deep.equal({
      code: '40001',
      message: 'could not serialize access due to concurrent update',
      details: null,
      hint: null,
    });
    expect(await session.query(`select value from public.counters where name = 'strict'`)).to.deep.equal([
      { value: 1000 },
    ]);
  });

  it('count under serializable by clients that retry after 40001, until every client succeeds', async () => {
    await session.query(`update public.counters set value = 0 where name = 'strict'`);
    const count = async (): Promise<number> => {
      const { status, json } = await post('/rpc/count_strictly', { counter: 'strict' });
      return status === 200 ? Number(json) : await count();
    };
    const values = await byAll(count);
    expect([...values].sort((a, b) => a - b)).to.deep.equal(
      Array.from({ length: CLIENTS * ROUNDS }, (_, index) => index + 1),
    );
  });

  const attempts = async (): Promise<unknown> =>
    (
      await session.query(
        `select case when is_called then last_value else 0 end::int as count from public.attempts`,
      )
    )[0]?.['count'];

  const begin = async (): Promise<void> => {
    await session.script('truncate public.notes; alter sequence public.attempts restart');
  };

  it('are executed once, also after errors that PostgreSQL marks as retryable', async () => {
    await begin();
    const answer = await post('/rpc/refuse_to_serialize', {});
    expect(answer.status).to.equal(500);
    expect(answer.json).to.deep.equal({
      code: '40001',
      message: 'could not serialize access',
      details: null,
      hint: null,
    });
    expect(await attempts()).to.equal(1);
  });

  function expectLost({ status, json, headers }: Exchanged): void {
    expect(status).to.equal(503);
    expect(json).to.include({
      code: 'DBR001',
      message: 'Database client error. Retrying the connection.',
      hint: null,
    });
    expect(headers.get('retry-after')).to.equal('1');
  }

  it('are reported and not repeated when the connection is lost during execution', async () => {
    await begin();
    const answer = post('/rpc/note_and_sleep', { id: 1 });
    await until(
      async () =>
        (await session.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)).length > 0,
    );
    proxy.sever();
    expectLost(await answer);
    // The server does not notice while it sleeps.
    await session.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`,
    );
    await until(async () => (await post('/rpc/count_locked', { counter: 'none' })).status === 200);
    expect(await attempts()).to.equal(1);
    expect(await session.query('select id from public.notes')).to.deep.equal([]);
  });

  it('are reported and not repeated when the connection is lost before execution', async () => {
    await begin();
    proxy.severAt('{"id":1}', 'server');
    expectLost(await post('/rpc/note', { id: 1 }, { Accept: 'application/vnd.pgrst.object+json' }));
    expect(await attempts()).to.equal(0);
    expect(await session.query('select id from public.notes')).to.deep.equal([]);
  });

  it('are reported and not repeated when they succeed but the response of PostgreSQL is lost', async () => {
    await begin();
    proxy.severAt('{"id":2}', 'answer');
    expectLost(await post('/rpc/note', { id: 2 }, { Accept: 'application/vnd.pgrst.object+json' }));
    expect(await attempts()).to.equal(1);
    expect(await session.query('select id, text from public.notes')).to.deep.equal([
      { id: 2, text: 'attempt 1' },
    ]);
  });
});
