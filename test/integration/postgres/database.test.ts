import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  asPostgresError,
  closeDatabase,
  openDatabase,
  type Database,
} from '../../../src/postgres/database.js';
import {
  ConnectFailed,
  ConnectionLost,
  PoolTimeout,
  PostgresError,
} from '../../../src/postgres/postgres-error.js';
import { version } from '../../../src/base/package.js';
import { rejection } from '../../support/postgres/batches.js';
import { until } from '../../support/until.js';
import { createTestDatabase, findFreePort, type TestDatabase } from '../../support/postgres/database.js';

describe('a database', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = openDatabase(testDatabase.uri, { poolSize: 2 });
  });
  after(async () => {
    await closeDatabase(database);
    await testDatabase.drop();
  });

  it('returns values that JavaScript would change as the text of PostgreSQL', async () => {
    const row = await database.one<unknown>(`
      select 9223372036854775807 as int8, 1.10 as numeric, '{"b":1.0, "a":[ ]}'::json as json,
             '{"b":1.0}'::jsonb as jsonb, date '2020-02-29' as date,
             timestamptz '2020-02-29 12:00:00.123456+00' as timestamptz, 7 as int4, true as bool, array['a', null] as texts
      from (select set_config('timezone', 'UTC', false)) t`);
    expect(row).to.deep.equal({
      int8: '9223372036854775807',
      numeric: '1.10',
      json: '{"b":1.0, "a":[ ]}',
      jsonb: '{"b": 1.0}',
      date: '2020-02-29',
      timestamptz: '2020-02-29 12:00:00.123456+00',
      int4: 7,
      bool: true,
      texts: ['a', null],
    });
  });

  it('closes idle connections after their time, except for one', async () => {
    const lifetimes = { maxIdleMs: 50, maxLifetimeMs: 0 };
    const short = openDatabase(testDatabase.uri, { poolSize: 3, lifetimes });
    const rows = await Promise.all(
      [1, 2, 3].map(() =>
        short.one<{ readonly pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.3)'),
      ),
    );
    expect(new Set(rows.map(({ pid }) => pid)).size).to.equal(3);
    await until(() => short.$pool.totalCount === 1);
    await closeDatabase(short);
  });

  it('replaces a connection of its greatest age, and keeps one whose greatest age exceeds a timer', async () => {
    const processOf = async (asked: Database): Promise<number> =>
      (await asked.one<{ readonly pid: number }>('select pg_backend_pid() as pid')).pid;
    const opened = (maxLifetimeMs: number): Database =>
      openDatabase(testDatabase.uri, { poolSize: 1, lifetimes: { maxIdleMs: 0, maxLifetimeMs } });
    const [short, long] = [opened(1000), opened(2_592_000_000)];
    const [first, kept] = [await processOf(short), await processOf(long)];
    await until(async () => (await processOf(short)) !== first);
    expect(await processOf(long)).to.equal(kept);
    await Promise.all([closeDatabase(short), closeDatabase(long)]);
  });

  it('sets application_name unless the connection string does', async () => {
    const named = openDatabase(`${testDatabase.uri}?application_name=mine`, { poolSize: 1 });
    const name = async (asked: Database) =>
      await asked.one<unknown>(`select current_setting('application_name') as name`);
    expect(await name(database)).to.deep.equal({ name: `dbr ${version()}` });
    expect(await name(named)).to.deep.equal({ name: 'mine' });
    await closeDatabase(named);
  });

  it('accepts the keyword form of a connection string and its options', async () => {
    const { hostname, port, username, password, pathname } = new URL(testDatabase.uri);
    const own = openDatabase(
      `host=${hostname} port=${port} user=${username} password='${password}' dbname=${pathname.slice(1)} options='-c work_mem=5MB'`,
      { poolSize: 1 },
    );
    expect(await own.one<unknown>(`select current_setting('work_mem') as value`)).to.deep.equal({
      value: '5MB',
    });
    await closeDatabase(own);
  });

  it('survives connections that end with an error, also while it closes', async () => {
    const own = openDatabase(testDatabase.uri, { poolSize: 1 });
    const { pid } = await own.one<{ pid: number }>('select pg_backend_pid() as pid');
    await database.any('select pg_terminate_backend($1)', [pid]);
    let answer: unknown = null;
    while (answer === null) answer = await own.one<unknown>('select 1 as one').catch(() => null);
    expect(answer).to.deep.equal({ one: 1 });
    const closing = closeDatabase(own);
    own.$pool.emit('error', new Error('the last word of a server'));
    await closing;
  });

  describe('that fails', () => {
    it('reports the error of PostgreSQL', async () => {
      await database.none('create table films (id int primary key)');
      await database.none('insert into films values (1)');
      const error = asPostgresError(await rejection(database.none('insert into films values (1)')), database);
      expect(error).to.be.instanceOf(PostgresError);
      expect(error).to.have.property('fields').that.deep.equals({
        code: '23505',
        message: 'duplicate key value violates unique constraint "films_pkey"',
        detail: 'Key (id)=(1) already exists.',
        hint: null,
        schema: 'public',
        table: 'films',
        column: null,
        constraint: 'films_pkey',
        routine: '_bt_check_unique',
        context: null,
      });
    });

    it('reports a lost connection', async () => {
      const error = await rejection(
        database.any('select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)'),
      );
      const known = asPostgresError(error, database);
      if (known instanceof PostgresError) expect(known.fields.code).to.equal('57P01');
      else expect(known).to.be.instanceOf(ConnectionLost).and.to.include({ sent: true });
    });

    it('reports a socket whose peer has disconnected as a lost connection', () => {
      for (const code of ['EPIPE', 'ECONNRESET']) {
        const error = Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });
        expect(asPostgresError(error, database), code).to.be.instanceOf(ConnectionLost);
      }
    });

    it('names the address that it could not connect to', async () => {
      const port = await findFreePort();
      const nowhere = openDatabase(`postgresql://web:secret@localhost:${String(port)}/films`, {
        poolSize: 1,
      });
      const error = asPostgresError(await rejection(nowhere.any('select 1')), nowhere);
      expect(error).to.be.instanceOf(ConnectFailed);
      expect(String(error)).to.match(
        new RegExp(
          `^ConnectFailed: connection to server at "localhost" \\(\\S+\\), port ${String(port)} failed: Connection refused`,
        ),
      );
      await closeDatabase(nowhere);
    });

    it('reports a server that accepts a connection and sends nothing as one that cannot be reached', async () => {
      const silent = createServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const address = silent.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const uri = `postgresql://web@127.0.0.1:${String(port)}/films`;
      const own = openDatabase(uri, { poolSize: 1, connectTimeoutMs: 50 });
      for (const attempt of [() => own.any('select 1'), () => own.connect({ direct: true })]) {
        const error = asPostgresError(await rejection(attempt()), own);
        expect(error).to.be.instanceOf(ConnectFailed);
        expect(String(error)).to.contain(
          `connection to server at "127.0.0.1", port ${String(port)} failed: `,
        );
      }
      await closeDatabase(own);
      silent.close();
    });

    it('reports a timeout while waiting for a connection', async () => {
      const own = openDatabase(testDatabase.uri, { poolSize: 1, connectTimeoutMs: 1500 });
      // The time also limits the opening of the connection, which takes long on a busy machine.
      await own.any('select 1');
      const slow = own.any('select pg_sleep(3)');
      expect(asPostgresError(await rejection(own.any('select 1')), own)).to.be.instanceOf(PoolTimeout);
      await slow;
      await closeDatabase(own);
    });

    it('rethrows other errors unchanged', () => {
      const error = new TypeError('ours');
      expect(asPostgresError(error, database)).to.equal(error);
      expect(asPostgresError('text', database)).to.equal('text');
    });
  });
});
