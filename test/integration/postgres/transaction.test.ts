import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool } from '../../../src/postgres/pool.js';
import { ConnectionLost } from '../../../src/postgres/postgres-error.js';
import {
  inSeparateTransactions,
  inTransaction,
  transactionRole,
  type ActingRole,
} from '../../../src/postgres/transaction.js';
import {
  bodies,
  POOL_OPTIONS,
  query as queryOfBatch,
  rejection,
  silently,
  sqlState,
  write,
} from '../../support/postgres/batches.js';
import { openCountingProxy, type CountingProxy } from '../../support/postgres/counting-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { query } from '../../support/postgres/query.js';
import { idleTimeout, openSeveringProxy } from '../../support/postgres/severing-proxy.js';

const WAYS = { inTransaction, inSeparateTransactions } as const;

describe('transactions under a role', () => {
  const suffix = randomBytes(4).toString('hex');
  const login = `login_${suffix}`;
  const member = `member_${suffix}`;
  const memberRole = roleOf(member);
  let test: TestDatabase;
  let owner: Database;
  let proxy: CountingProxy;
  let database: Database;
  let pool: Pool;

  function roleOf(name: string) {
    return transactionRole(
      query(
        `select where num_nulls(set_config('role', '${name}', true), set_config('app.tenant_id', $1, true)) > 0`,
      ).text,
    );
  }
  const tenant = (name: string): ActingRole => ({ role: memberRole, parameters: [name] });

  before(async () => {
    test = await createTestDatabase();
    owner = openDatabase(test.uri, { poolSize: 1 });
    await owner.none(`
      create role ${member};
      create role ${login} login noinherit password 'login' in role ${member};
      create table notes (tenant_id text default current_setting('app.tenant_id'), note text unique deferrable initially deferred);
      alter table notes enable row level security;
      create policy own on notes using (tenant_id = current_setting('app.tenant_id'));
      grant select, insert on notes to ${member};
      -- What runs without the role would be seen.
      create table free (note text);
      grant insert on free to ${login}, ${member};
      create sequence attempts;
      create function conflict(code text, times integer) returns integer language plpgsql as $$
        begin
          if nextval('attempts') <= times then raise exception 'conflict' using errcode = code; end if;
          return currval('attempts');
        end
      $$;
      grant usage on sequence attempts to ${member};
      alter database ${test.name} set default_transaction_isolation = 'serializable'`);
    proxy = await openCountingProxy(test.uriFor(login, 'login'));
    database = openDatabase(proxy.uri, { poolSize: 1 });
    pool = openPool(database, { ...POOL_OPTIONS, size: 1 });
  });
  beforeEach(async () => {
    await owner.none('truncate notes, free');
  });
  after(async () => {
    await pool.close();
    await closeDatabase(database);
    await proxy.close();
    await owner.none(`drop owned by ${member}, ${login}; drop role ${login}, ${member}`);
    await closeDatabase(owner);
    await test.drop();
  });

  const notes = () => owner.any<unknown>('select tenant_id, note from notes order by note');
  const addNote = (note: string) => query('insert into notes (note) values ($1)', [note]);
  const READ = query('select note from notes order by note');
  /** Number of statements with this text that the connection has prepared. */
  const preparedWith = async (part: string, on = pool): Promise<number> =>
    Number(
      await valueOf(
        'select count(*) from pg_prepared_statements where strpos(statement, $1) > 0',
        [part],
        on,
      ),
    );
  /** The only value of a query on the connection of the pool, without a role. */
  const valueOf = async (text: string, parameters: readonly string[] = [], on = pool): Promise<unknown> =>
    bodies(await on.run(write({ ...queryOfBatch(text, ...parameters), unnamed: true })))[0];
  /** Runs a statement there that takes the prepared ones away. */
  const forget = (text: string) => pool.run(write({ ...silently(text), unnamed: true }));
  /** Round trips since the last call. */
  const trips = (): number => {
    const messages = proxy.take();
    return (messages.get('S') ?? 0) + (messages.get('Q') ?? 0);
  };
  const pid = (): Promise<unknown> => valueOf('select pg_backend_pid()');

  for (const [name, run] of Object.entries(WAYS)) {
    describe(name, () => {
      it('prepares each statement once, and the query that sets the role', async () => {
        const text = `select note from notes where note <> '${name}'`;
        for (const each of ['acme', 'other', 'acme'])
          await run(pool, tenant(each), (task) => task.any(query(text)));
        expect([await preparedWith(text), await preparedWith(member)]).to.deep.equal([1, 1]);
      });

      it('is read committed whatever the database prescribes', async () => {
        const shown = await run(pool, tenant('acme'), (task) =>
          task.one(query(`select current_setting('transaction_isolation') as level`)),
        );
        expect(shown).to.deep.equal({ level: 'read committed' });
        expect(await valueOf('show transaction_isolation')).to.equal('serializable');
      });

      for (const code of ['40001', '40P01'])
        it(`is repeated after ${code}, with its effects once, and fails with it in the end`, async () => {
          await owner.none('alter sequence attempts restart');
          const effects: string[] = [];
          const conflict = (times: number) =>
            run(pool, tenant('acme'), async (task) => {
              const { attempts } = await task.one<{ readonly attempts: number }>(
                query('select conflict($1, $2) as attempts', [code, times]),
              );
              task.afterCommit(() => effects.push('committed'));
              return attempts;
            });
          expect(await conflict(2)).to.equal(3);
          expect(effects).to.deep.equal(['committed']);
          await owner.none('alter sequence attempts restart');
          expect(await sqlState(conflict(100))).to.equal(code);
          expect(effects).to.deep.equal(['committed']);
          expect(await owner.one('select last_value::integer as last from attempts')).to.deep.equal({
            last: 5,
          });
        });

      it('begins on another connection if PostgreSQL has ended the first because it was idle', async () => {
        const severing = await openSeveringProxy(test.uriFor(login, 'login'));
        const server = openDatabase(severing.uri, { poolSize: 1 });
        const behind = openPool(server, { ...POOL_OPTIONS, size: 1 });
        const write = (note: string) => run(behind, tenant('acme'), (task) => task.none(addNote(note)));
        try {
          await write('before');
          severing.answerAt('after', idleTimeout());
          await write('after');
        } finally {
          await behind.close();
          await closeDatabase(server);
          await severing.close();
        }
        expect(await notes()).to.deep.equal([
          { tenant_id: 'acme', note: 'after' },
          { tenant_id: 'acme', note: 'before' },
        ]);
      });

      it('prepares nothing while statements must not be prepared', async () => {
        const unprepared = openPool(database, { ...POOL_OPTIONS, size: 1, prepared: false });
        const text = `select note from notes where note <> 'not ${name}'`;
        await run(unprepared, tenant('acme'), async (task) => {
          expect(await task.any(query(text))).to.deep.equal([]);
          expect(await task.any({ ...query(text), values: [] })).to.deep.equal([]);
        });
        expect(await preparedWith(text, unprepared)).to.equal(0);
        await unprepared.close();
      });

      it('prepares no statement that is to be planned each time', async () => {
        const text = `select note from notes where note <> 'each ${name}'`;
        await run(pool, tenant('acme'), (task) => task.any({ ...query(text), unnamed: true }));
        expect(await preparedWith(text)).to.equal(0);
      });

      it('runs no query if the role cannot be set', async () => {
        const stranger: ActingRole = { role: roleOf(`nobody_${suffix}`), parameters: ['acme'] };
        const write = query(`insert into free values ('${name}')`);
        expect(await sqlState(run(pool, stranger, (task) => task.none(write)))).to.equal('22023');
        expect(
          await sqlState(
            run(pool, stranger, (task) =>
              Promise.allSettled([task.none(write), task.none(write)]).then(() => task.none(write)),
            ),
          ),
        ).to.equal('22023');
        expect(await owner.any('select from free')).to.deep.equal([]);
      });

      it('keeps the tenants apart that use a connection in turn, and leaves no role behind', async () => {
        for (const each of ['acme', 'other'])
          await run(pool, tenant(each), (task) => task.none(addNote(`of ${each}`)));
        const before = await pid();
        for (const each of ['acme', 'other', 'acme', 'other', 'acme', 'other', 'acme', 'other'])
          expect(await run(pool, tenant(each), (task) => task.any(READ))).to.deep.equal([
            { note: `of ${each}` },
          ]);
        expect(await pid(), 'on one connection').to.equal(before);
        expect(await valueOf(`select current_user || ':' || current_setting('app.tenant_id')`)).to.equal(
          `${login}:`,
        );
      });

      it('runs again when the connection has lost its statements', async () => {
        let runs = 0;
        const work = () =>
          run(pool, tenant('acme'), async (task) => {
            runs++;
            const rows = await task.any(READ);
            await task.none(addNote(`${name} ${String(runs)}`));
            return rows.length;
          });
        expect(await work()).to.equal(0);
        await forget('discard all');
        expect(await work()).to.equal(1);
        expect(runs).to.equal(2);
        expect(await notes()).to.deep.equal([
          { tenant_id: 'acme', note: `${name} 1` },
          { tenant_id: 'acme', note: `${name} 2` },
        ]);
      });

      it('writes once when a later query finds its statement outdated', async () => {
        const work = (note: string) =>
          run(pool, tenant('acme'), async (task) => {
            await task.none({ ...addNote(note), unnamed: true });
            return await task.any(READ);
          });
        await work('1');
        await forget('deallocate all');
        expect(await work('2')).to.deep.equal([{ note: '1' }, { note: '2' }]);
      });

      it('runs again when a table has changed', async () => {
        await owner.none(`create table changing as select 1 as value; grant select on changing to ${member}`);
        const work = () => run(pool, tenant('acme'), (task) => task.any(query('select * from changing')));
        try {
          expect(await work()).to.deep.equal([{ value: 1 }]);
          await owner.none('alter table changing add column more text');
          expect(await work()).to.deep.equal([{ value: 1, more: null }]);
        } finally {
          await owner.none('drop table changing');
        }
      });

      it('reports what the commit refuses, and the connection stays usable', async () => {
        await run(pool, tenant('acme'), (task) => task.none(addNote('twice')));
        expect(await sqlState(run(pool, tenant('acme'), (task) => task.none(addNote('twice'))))).to.equal(
          '23505',
        );
        expect(await run(pool, tenant('acme'), (task) => task.any(READ))).to.deep.equal([{ note: 'twice' }]);
      });

      it('reports a lost connection, and takes another one', async () => {
        const work = run(pool, tenant('acme'), async (task) => {
          const { pid: own } = await task.one<{ readonly pid: number }>(
            query('select pg_catalog.pg_backend_pid() as pid'),
          );
          await owner.any('select pg_terminate_backend($1, 5000)', [own]);
          return await task.any(READ);
        });
        // A transaction of its own does not need the connection of the one before.
        if (run === inTransaction) expect(await rejection(work)).to.be.instanceOf(ConnectionLost);
        else expect(await work).to.deep.equal([]);
        expect(await run(pool, tenant('acme'), (task) => task.any(READ))).to.deep.equal([]);
      });

      it('refuses a number of rows that the caller excludes', async () => {
        const rows = (count: number) => query('select generate_series(1, $1::integer) as row', [count]);
        expect(await run(pool, tenant('acme'), (task) => task.oneOrNone(rows(0)))).to.equal(null);
        expect(await run(pool, tenant('acme'), (task) => task.one(rows(1)))).to.deep.equal({ row: 1 });
        for (const refused of [
          run(pool, tenant('acme'), (task) => task.one(rows(0))),
          run(pool, tenant('acme'), (task) => task.one(rows(2))),
          run(pool, tenant('acme'), (task) => task.oneOrNone(rows(2))),
          run(pool, tenant('acme'), (task) => task.none(rows(1))),
        ])
          expect(String(await rejection(refused))).to.match(
            /^Error: a query returned [012] rows, which it never does$/,
          );
      });
    });
  }

  it('run a query of its own in one trip, and a transaction of one query in two', async () => {
    const tripsOf = async (run: (typeof WAYS)[keyof typeof WAYS]): Promise<number> => {
      proxy.take();
      await run(pool, tenant('acme'), (task) => task.any(READ));
      return trips();
    };
    await tripsOf(inTransaction);
    expect([await tripsOf(inSeparateTransactions), await tripsOf(inTransaction)]).to.deep.equal([1, 2]);
  });

  it('send nothing for work without queries', async () => {
    await pid();
    proxy.take();
    expect(await inTransaction(pool, tenant('acme'), () => Promise.resolve(7))).to.equal(7);
    const failure = new Error('before the first query');
    expect(await rejection(inTransaction(pool, tenant('acme'), () => Promise.reject(failure)))).to.equal(
      failure,
    );
    expect(trips()).to.equal(0);
  });

  it('roll back when their work fails, on a connection that stays', async () => {
    const before = await pid();
    const failure = new Error('the work failed');
    const work = inTransaction(pool, tenant('acme'), async (task) => {
      await task.none(addNote('undone'));
      throw failure;
    });
    expect(await rejection(work)).to.equal(failure);
    expect(await notes()).to.deep.equal([]);
    expect(await pid()).to.equal(before);
  });

  it('commit nothing when their work ignores the failure of a query', async () => {
    const work = inTransaction(pool, tenant('acme'), async (task) => {
      await task.none(addNote('undone'));
      await task.none(query('select 1 / 0')).catch(() => undefined);
    });
    expect(await rejection(work)).to.be.an.instanceOf(Error);
    expect(await notes()).to.deep.equal([]);
  });

  it('run no query after their end, nor one that waits when the work fails', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const ended = await inTransaction(pool, tenant('acme'), async (task) => {
      await task.any(READ);
      return task;
    });
    const failing = inTransaction(pool, tenant('acme'), (task) => {
      late = Promise.allSettled([task.any(READ), task.none(addNote('late'))]);
      return Promise.reject(new Error('the work failed'));
    });
    expect(String(await rejection(failing))).to.equal('Error: the work failed');
    await late;
    expect(String(await rejection(ended.none(addNote('late'))))).to.equal('Error: the transaction has ended');
    expect(await notes()).to.deep.equal([]);
  });

  it('keep the statements of a connection bounded, whatever texts they have', async () => {
    for (let start = 0; start < 600; start += 100)
      await inTransaction(pool, tenant('acme'), async (task) => {
        for (let index = start; index < start + 100; index++)
          await task.any(query(`select ${String(index)} as varying_number`));
      });
    expect(await preparedWith('')).to.be.within(200, 400);
  });

  it('send values as the driver does, and parse the columns', async () => {
    const values = [
      Buffer.from([0, 255]),
      ['a', null, 'NULL', 'b,"c"\\{}'],
      [Buffer.from([1]), Buffer.alloc(0)],
      7,
      true,
      null,
      new Date('2026-01-02T03:04:05.006Z'),
      'ü€😀',
    ];
    const row = await inTransaction(pool, tenant('acme'), (task) =>
      task.one(
        query(
          `select $1::bytea as bytes, $2::text[] as texts, $3::bytea[] as many, $4::integer as number,
             $5::boolean as truth, $6::text as nothing, $7::timestamptz at time zone 'UTC' as time, $8::text as text`,
          values,
        ),
      ),
    );
    expect(row).to.deep.equal({
      bytes: values[0],
      texts: values[1],
      many: values[2],
      number: 7,
      truth: true,
      nothing: null,
      time: '2026-01-02 03:04:05.006',
      text: 'ü€😀',
    });
  });
});
