/** PostgreSQL behaviour that a batch relies on: one Sync is one transaction, whose settings apply to its later statements. */
import { expect } from 'chai';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool } from '../../../src/postgres/pool.js';
import type { ErrorFields } from '../../../src/postgres/postgres-error.js';
import {
  bodies,
  POOL_OPTIONS,
  read,
  rejection,
  silently,
  longRead,
  sqlState,
  query,
  write,
} from '../../support/postgres/batches.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';

const asRole = (role: string) => silently(`select pg_catalog.set_config('role', $1, true)`, role);
const readOnly = silently(`select pg_catalog.set_config('transaction_read_only', 'on', true)`);

describe('a batch', () => {
  let testDatabase: TestDatabase;
  let owner: Database;
  let authenticator: Database;
  let pool: Pool;
  const notices: ErrorFields[] = [];

  const count = async (): Promise<number> =>
    (await owner.one<{ n: number }>('select count(*)::int as n from semantics.films')).n;

  before(async () => {
    testDatabase = await createTestDatabase();
    owner = openDatabase(testDatabase.uri, { poolSize: 1 });
    await owner.multi(`
      do $$ begin
        if not exists (select from pg_roles where rolname = 'semantics_authenticator') then
          create role semantics_authenticator login noinherit password 'semantics';
          create role semantics_reader;
          grant semantics_reader to semantics_authenticator;
        end if;
      end $$;
      create schema semantics;
      create table semantics.films (id int primary key, title text);
      grant usage on schema semantics to semantics_reader;
      grant select, insert on semantics.films to semantics_reader;
      create function semantics.complain() returns text language plpgsql as
        $$ begin raise warning 'too late' using hint = 'come earlier'; return 'done'; end $$;
    `);
    authenticator = openDatabase(testDatabase.uriFor('semantics_authenticator', 'semantics'), {
      poolSize: 1,
    });
    pool = openPool(authenticator, { ...POOL_OPTIONS, size: 1, onNotice: (notice) => notices.push(notice) });
  });

  beforeEach(() => owner.none('truncate semantics.films'));

  after(async () => {
    await pool.close();
    await closeDatabase(authenticator);
    await closeDatabase(owner);
    await testDatabase.drop();
  });

  it('parses statements as the role of the batch, because the login role has no privileges', async () => {
    const films = query('select count(*) from semantics.films');
    expect(await sqlState(pool.run(read(films)))).to.equal('42501');
    expect(bodies(await pool.run(read(asRole('semantics_reader'), films)))).to.deep.equal(['0']);
    expect(await sqlState(pool.run(read(films)))).to.equal('42501');
  });

  it('resets role, timeout and search path at its end', async () => {
    await pool.run(
      read(
        asRole('semantics_reader'),
        silently(
          `select set_config('search_path', 'semantics', true), set_config('statement_timeout', '7s', true)`,
        ),
        query('select count(*) from films'),
      ),
    );
    const probe = `select concat_ws('|', current_user, current_setting('search_path'), current_setting('statement_timeout'))`;
    expect(bodies(await pool.run(read(query(probe))))).to.deep.equal([
      'semantics_authenticator|"$user", public|0',
    ]);
  });

  it('is stopped by its own statement timeout, which does not affect other batches', async () => {
    const timeout = silently(`select pg_catalog.set_config('statement_timeout', '30ms', true)`);
    expect(await sqlState(pool.run(read(timeout, query('select pg_sleep(30)'))))).to.equal('57014');
    expect(bodies(await pool.run(read(query('select 1 from pg_sleep(0.06)'))))).to.deep.equal(['1']);
  });

  it('cannot write once it is read-only, nor become writable again', async () => {
    const insert = query(`insert into semantics.films values (1, 'a')`);
    expect(await sqlState(pool.run(read(asRole('semantics_reader'), readOnly, insert)))).to.equal('25006');
    const back = query(`select set_config('transaction_read_only', 'off', true)`);
    expect(await sqlState(pool.run(read(readOnly, back)))).to.equal('25001');
    await pool.run(write(asRole('semantics_reader'), insert));
    expect(await count()).to.equal(1);
  });

  it('undoes its write when a later check of the same round trip fails', async () => {
    const check = query(`
      with written as (insert into semantics.films values (1, 'a'), (2, 'b') returning 1)
      select case when count(*) <> 1 then ('rows: ' || count(*))::int end from written`);
    const error = await rejection(pool.run(write(asRole('semantics_reader'), check)));
    expect(error).to.have.property(
      'message',
      'invalid input syntax for type integer: "rows: 2" (SQLSTATE 22P02)',
    );
    expect(await count()).to.equal(0);
  });

  it('reports notices of statements', async () => {
    notices.length = 0;
    const [body] = bodies(
      await pool.run(read(asRole('semantics_reader'), query('select semantics.complain()'))),
    );
    expect(body).to.equal('done');
    expect(notices.map(({ message, hint }) => [message, hint])).to.deep.equal([['too late', 'come earlier']]);
  });

  it('is refused before it is sent when it has more parameters than the protocol allows', async () => {
    const many = Array.from({ length: 65_536 }, () => '1');
    expect(await sqlState(pool.run(read(query('select 1', ...many))))).to.equal('54023');
    expect(bodies(await pool.run(read(query('select 1'))))).to.deep.equal(['1']);
  });

  describe('with a transaction block', () => {
    it('is undone when a later trip has more parameters than the protocol allows', async () => {
      const many = Array.from({ length: 65_536 }, () => '1');
      const insertion = silently(`insert into semantics.films values (1, 'a')`);
      const begun = write(silently('begin'), asRole('semantics_reader'), insertion);
      const next = () => Promise.resolve({ queries: [query('select 1', ...many), silently('commit')] });
      expect(await sqlState(pool.run({ ...begun, use: 'long', next }))).to.equal('54023');
      const state = query('select pg_catalog.pg_current_xact_id_if_assigned()');
      expect(bodies(await pool.run(read(state)))).to.deep.equal([null]);
      expect(await count()).to.equal(0);
    });

    const insert = query(`insert into semantics.films values (1, 'a') returning title`);

    it('returns the representation and undoes the write when it ends in ROLLBACK', async () => {
      const results = await pool.run(
        write(silently('begin'), asRole('semantics_reader'), insert, silently('rollback')),
      );
      expect(bodies(results)).to.deep.equal(['a']);
      expect(await count()).to.equal(0);
    });

    it('keeps its writes when it ends in COMMIT', async () => {
      const begin = silently('begin isolation level serializable');
      await pool.run(write(begin, asRole('semantics_reader'), insert, silently('commit')));
      expect(await count()).to.equal(1);
    });

    it('cannot write in one that is read-only', async () => {
      const begin = silently('begin isolation level repeatable read read only');
      expect(
        await sqlState(pool.run(longRead(begin, asRole('semantics_reader'), insert, silently('commit')))),
      ).to.equal('25006');
    });

    it('leaves the connection as it was when a statement fails, also among quick reads', async () => {
      const own = openPool(authenticator, POOL_OPTIONS);
      const failing = read(silently('begin read only'), query('select 1 / 0'), silently('commit'));
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, async (_, index) =>
          index % 3 === 0
            ? await sqlState(own.run(failing))
            : bodies(await own.run(read(query('select $1::text', String(index)))))[0],
        ),
      );
      expect(outcomes).to.deep.equal(
        Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? '22012' : String(index))),
      );
      await own.close();
    });

    it('is rolled back with an error when the batch leaves it open', async () => {
      const error = await rejection(pool.run(write(silently('begin'), asRole('semantics_reader'), insert)));
      expect(error).to.have.property('message', 'the batch left its transaction open; it was rolled back');
      expect(await count()).to.equal(0);
      expect(bodies(await pool.run(read(query('select pg_current_xact_id_if_assigned()'))))).to.deep.equal([
        null,
      ]);
    });

    it('fails when the commit itself fails', async () => {
      await owner.multi(`
        create table if not exists semantics.parents (id int primary key);
        create table if not exists semantics.children (
          parent int references semantics.parents deferrable initially deferred
        );
        grant insert on semantics.children to semantics_reader;
      `);
      const orphan = query('insert into semantics.children values (404)');
      const ending = (how: string) =>
        pool.run(write(silently('begin'), asRole('semantics_reader'), orphan, silently(how)));
      expect(await sqlState(ending('commit'))).to.equal('23503');
      expect(await ending('rollback')).to.have.length(1);
    });
  });
});
