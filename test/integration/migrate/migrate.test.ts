import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MigrationError, PROJECT_HISTORY } from '../../../src/postgres/migration-files.js';
import { migrate, refuseOldServer, tryMigrations } from '../../../src/postgres/migrate.js';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';

describe('migrate', () => {
  let database: TestDatabase;
  let directory: string;

  beforeEach(async () => {
    database = await createTestDatabase();
    directory = await mkdtemp(join(tmpdir(), 'dbr-migrations-'));
  });
  afterEach(async () => {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  const put = async (file: string, sql: string): Promise<void> => {
    await writeFile(join(directory, file), sql);
  };
  const run = async (): Promise<readonly string[]> => (await migrate(database.uri, directory)).applied;
  const rows = async (text: string): Promise<unknown> =>
    await withSession(database.uri, (session) => session.query(text));
  const refusal = async (): Promise<string> => {
    const error: unknown = await run().then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof MigrationError)) throw new Error('a refusal was expected', { cause: error });
    return error.message;
  };

  it('reports a server that is too old', () => {
    expect(() => refuseOldServer('13.23', 130_023)).to.throw(MigrationError, 'this server is 13.23');
    expect(() => refuseOldServer('14.0', 140_000)).to.not.throw();
  });

  it('applies each file once, in the order of the numbers', async () => {
    await put('0010_fill.sql', 'insert into public.thing values (1);');
    await put('0002_make.sql', 'create table public.thing (id int);');
    await put('README.md', 'not a migration');
    expect(await run()).to.deep.equal(['0002_make.sql', '0010_fill.sql']);
    expect(await run()).to.deep.equal([]);
    await put('0011_more.sql', 'insert into public.thing values (2);');
    expect(await run()).to.deep.equal(['0011_more.sql']);
    expect(await rows('select id from public.thing order by id')).to.deep.equal([{ id: 1 }, { id: 2 }]);
    expect(
      await rows('select number, file, length(sha256) from dbr_meta.migrations order by number'),
    ).to.deep.equal([
      { number: 2, file: '0002_make.sql', length: 64 },
      { number: 10, file: '0010_fill.sql', length: 64 },
      { number: 11, file: '0011_more.sql', length: 64 },
    ]);
  });

  it('makes a second process wait, which then has nothing to apply', async () => {
    await put('0001_slow.sql', 'create table public.thing (id int); select pg_sleep(0.3);');
    const applied = await Promise.all([run(), run(), run()]);
    expect(applied.flat()).to.deep.equal(['0001_slow.sql']);
  });

  it('rolls back a migration that fails, and reports the line', async () => {
    await put('0001_good.sql', 'create table public.kept (id int);');
    await put('0002_bad.sql', 'create table public.gone (id int);\n\nselect nonsense();\n');
    await put('0003_never.sql', 'create table public.never (id int);');
    expect(await refusal()).to.equal(
      'The migration 0002_bad.sql failed at line 3: function nonsense() does not exist (SQLSTATE 42883)',
    );
    expect(
      await rows(`select to_regclass('public.kept')::text as kept, to_regclass('public.gone') as gone`),
    ).to.deep.equal([{ kept: 'kept', gone: null }]);
    await put('0002_bad.sql', 'create table public.gone (id int);');
    expect(await run()).to.deep.equal(['0002_bad.sql', '0003_never.sql']);
  });

  it('rolls back a migration whose deferred constraints fail at the commit', async () => {
    await put(
      '0001_deferred.sql',
      `create table public.parent (id int primary key);
       create table public.child (id int references public.parent deferrable initially deferred);
       insert into public.child values (1);`,
    );
    expect(await refusal()).to.equal(
      'The migration 0001_deferred.sql failed at its commit: insert or update on table "child" violates foreign key constraint "child_id_fkey" (SQLSTATE 23503)',
    );
    expect(await rows('select number from dbr_meta.migrations')).to.deep.equal([]);
    expect(await rows(`select to_regclass('public.child') as child`)).to.deep.equal([{ child: null }]);
  });

  it('does not record a file that rolls itself back', async () => {
    await put('0001_back.sql', 'begin; create table public.thing (id int); rollback;');
    expect(await refusal()).to.equal(
      'The migration 0001_back.sql contains a rollback, which undoes what is before it: remove it',
    );
    await put(
      '0001_back.sql',
      'savepoint a; create table public.no (); rollback to a; create table public.thing (id int);',
    );
    expect(await run()).to.deep.equal(['0001_back.sql']);
    expect(
      await rows(`select to_regclass('public.thing')::text as thing, to_regclass('public.no') as no`),
    ).to.deep.equal([{ thing: 'thing', no: null }]);
  });

  it('tries the deferred constraints of each file, as its commit checks them', async () => {
    await put(
      '0001_child.sql',
      `create table public.parent (id int primary key);
       create table public.child (id int references public.parent deferrable initially deferred);
       insert into public.child values (1);`,
    );
    await put('0002_parent.sql', 'insert into public.parent values (1);');
    const tried = (): Promise<unknown> =>
      tryMigrations(database.uri, directory, PROJECT_HISTORY).catch((reason: unknown) => reason);
    expect(await tried())
      .to.have.property('message')
      .that.contains('0001_child.sql failed at its commit: insert or update on table "child"');
    await put(
      '0002_parent.sql',
      'insert into public.child values (1); insert into public.parent values (1);',
    );
    await put(
      '0001_child.sql',
      '-- Nothing yet.\ncreate table public.parent (id int primary key); create table public.child (id int references public.parent deferrable initially deferred);',
    );
    expect(await tried()).to.deep.equal({ tried: ['0001_child.sql', '0002_parent.sql'], untried: [] });
    expect(await rows(`select to_regclass('public.child') as child`)).to.deep.equal([{ child: null }]);
  });

  it('leaves nothing of a dry run in which a file rolls back', async () => {
    await put('0001_back.sql', 'create table public.one (id int); rollback;');
    await put('0002_next.sql', 'create table public.two (id int);');
    const tried = (): Promise<unknown> =>
      tryMigrations(database.uri, directory, PROJECT_HISTORY).catch((reason: unknown) => reason);
    expect(await tried())
      .to.have.property('message')
      .that.contains('0001_back.sql contains a rollback');
    await put('0001_back.sql', 'rollback; create table public.one (id int);');
    expect(await tried())
      .to.have.property('message')
      .that.contains('in a read-only transaction');
    expect(
      await rows(`select to_regclass('public.one') as one, to_regclass('public.two') as two`),
    ).to.deep.equal([{ one: null, two: null }]);
  });

  it('runs a marked file outside a transaction, and two processes do not deadlock', async () => {
    await put('0001_table.sql', 'create table public.thing (id int);');
    await put(
      '0002_index.sql',
      '-- dbr: no transaction\ncreate index concurrently thing_id on public.thing (id);',
    );
    const applied = await Promise.all([run(), run()]);
    expect(applied.flat()).to.deep.equal(['0001_table.sql', '0002_index.sql']);
    expect(
      await rows(`select indisvalid from pg_index where indexrelid = 'public.thing_id'::regclass`),
    ).to.deep.equal([{ indisvalid: true }]);
  });

  it('resets the settings of one file before the next', async () => {
    await put('0001_setting.sql', `set search_path = nowhere; set role pg_read_all_data;`);
    await put('0002_table.sql', 'create table thing (id int);');
    expect(await run()).to.deep.equal(['0001_setting.sql', '0002_table.sql']);
    expect(await rows(`select to_regclass('public.thing')::text as thing`)).to.deep.equal([
      { thing: 'thing' },
    ]);
  });

  it('reads the strings of its own files alike on every database, and those of a project as the database does', async () => {
    await withSession(database.uri, (session) =>
      session.script(`alter database ${database.name} set standard_conforming_strings = off`),
    );
    await put('0001_text.sql', String.raw`create table public.own as select '\\'::text as t;`);
    await run();
    await put('0001_text.sql', String.raw`create table public.project as select '\\'::text as t;`);
    await migrate(database.uri, directory, PROJECT_HISTORY);
    expect(
      await rows('select length(own.t) as own, length(project.t) as project from own, project'),
    ).to.deep.equal([{ own: 2, project: 1 }]);
  });

  it('refuses a file changed after it was applied', async () => {
    await put('0001_table.sql', 'create table public.thing (id int);\n');
    await run();
    await put('0001_table.sql', 'create table public.thing (id bigint);\n');
    await put('0002_next.sql', 'select 1;');
    expect(await refusal()).to.equal(
      'The migration 0001_table.sql was changed after this database had applied it: restore it, and put the change into a new one',
    );
    expect(await rows('select number from dbr_meta.migrations')).to.deep.equal([{ number: 1 }]);
  });

  it('ignores differences in line ends', async () => {
    await put('0001_table.sql', 'create table public.thing (\n id int\n);\n');
    await run();
    await put('0001_table.sql', 'create table public.thing (\r\n id int\r\n);\r\n');
    expect(await run()).to.deep.equal([]);
  });

  it('refuses an empty file, which can be written then', async () => {
    await put('0001_one.sql', 'select 1;');
    for (const text of ['', ' \n']) {
      await put('0002_two.sql', text);
      expect(await refusal()).to.equal('The migration 0002_two.sql is empty: write its statements first');
    }
    await put('0002_two.sql', 'select 2;');
    expect(await run()).to.deep.equal(['0001_one.sql', '0002_two.sql']);
  });

  it('refuses a file that is not text in UTF-8, and takes a byte order mark', async () => {
    await put('0001_table.sql', '\uFEFF-- dbr: no transaction\r\ncreate table public.thing (name text);');
    expect(await run()).to.deep.equal(['0001_table.sql']);
    await put('0001_table.sql', '-- dbr: no transaction\ncreate table public.thing (name text);');
    const insert = "insert into public.thing values ('Zoë');";
    await writeFile(join(directory, '0002_fill.sql'), insert, 'latin1');
    expect(await refusal()).to.equal('The migration 0002_fill.sql is not text in UTF-8: save it in UTF-8');
    await put('0002_fill.sql', insert);
    expect(await run()).to.deep.equal(['0002_fill.sql']);
    expect(await rows('select name from public.thing')).to.deep.equal([{ name: 'Zoë' }]);
  });

  it('refuses a missing file, a file inserted later, a duplicate number or an invalid name', async () => {
    await put('0001_one.sql', 'select 1;');
    await put('0003_three.sql', 'select 3;');
    await run();
    await put('0002_two.sql', 'select 2;');
    expect(await refusal()).to.equal(
      'The migration 0002_two.sql comes before number 3, which this database has already: give it a higher number',
    );
    await rm(join(directory, '0002_two.sql'));
    await rm(join(directory, '0001_one.sql'));
    expect(await refusal()).to.equal(
      'This database has the migration 0001_one.sql, which is missing here: it was migrated by another version of dbr',
    );
    await put('0001_one.sql', 'select 1;');
    await put('0003_other.sql', 'select 3;');
    expect(await refusal()).to.equal('The migrations 0003_other.sql and 0003_three.sql have the same number');
    await rm(join(directory, '0003_other.sql'));
    await put('4_four.sql', 'select 4;');
    expect(await refusal()).to.equal('The migration 4_four.sql is not named NNNN_name.sql, in lower case');
    await rm(join(directory, '4_four.sql'));
    await put('0004_four.SQL', 'select 4;');
    expect(await refusal()).to.equal('The migration 0004_four.SQL is not named NNNN_name.sql, in lower case');
  });

  it('frees the lock when the migrating process dies', async () => {
    await put('0001_table.sql', 'create table public.thing (id int); select pg_sleep(30);');
    const first = run().catch((error: unknown) => error);
    await untilSleeping(database.uri);
    await rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`,
    );
    expect(await first).to.be.instanceOf(MigrationError);
    await put('0001_table.sql', 'create table public.thing (id int);');
    expect(await run()).to.deep.equal(['0001_table.sql']);
  });
});

async function untilSleeping(uri: string): Promise<void> {
  await withSession(uri, async (session) => {
    for (;;) {
      const [row] = await session.query(
        `select exists (select from pg_stat_activity
                         where wait_event = 'PgSleep' and datname = current_database()) as sleeping`,
      );
      if (row?.['sleeping'] === true) return;
    }
  });
}
