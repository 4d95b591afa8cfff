import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testPolicies } from '../../../src/policy-tests/test-policies.js';
import { PolicyTestError } from '../../../src/policy-tests/read-tests.js';
import { withSession } from '../../../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres/database.js';
import { tapOf } from '../../../../../test/support/tap.js';
import { runDbr } from '../../../../../test/support/service/built-service.js';

const id = randomBytes(4).toString('hex');
const [AUTHENTICATOR, USER, OTHER] = [`authenticator_${id}`, `user_${id}`, `other_${id}`];

const SCHEMA = `
  create role ${USER} nologin;
  create role ${OTHER} nologin;
  create role ${AUTHENTICATOR} login noinherit password 'p';
  grant ${USER} to ${AUTHENTICATOR};
  create schema api;
  grant usage on schema api to ${USER};
  create table api.notes (id integer primary key, owner text not null);
  insert into api.notes values (100, 'ada');
  alter table api.notes enable row level security;
  create policy own on api.notes to ${USER}
    using (owner = (select current_setting('request.jwt.claims')::json ->> 'sub'))
    with check (owner = (select current_setting('request.jwt.claims')::json ->> 'sub'));
  grant select, insert, update, delete on api.notes to ${USER};
  create function api.check_request() returns void language plpgsql as $$
  begin
    if current_setting('request.jwt.claims')::json ->> 'sub' = 'mallory' then
      raise sqlstate 'PT403' using message = 'not you';
    end if;
  end $$;`;

const USERS = `user ada is ${USER} with {"sub": "ada"}
user bob is ${USER} with {"sub": "bob"}
user mallory is ${USER} with {"sub": "mallory"}
fixture
  delete from api.notes;
  insert into api.notes values (1, 'ada'), (2, 'bob'), (3, 'bob');
`;

describe('dbr test', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let folder: string;
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'dbr-policies-'));
    await withSession(database.uri, (session) => session.script(SCHEMA));
    environment = {
      DBR_DB_URI: database.uriFor(AUTHENTICATOR, 'p'),
      DBR_MIGRATE_DB_URI: database.uri,
      DBR_DB_SCHEMAS: 'api',
      DBR_DB_PRE_REQUEST: 'api.check_request',
    };
  });
  after(async () => {
    await withSession(database.uri, (session) =>
      session.script(
        [AUTHENTICATOR, USER, OTHER].map((role) => `drop owned by ${role}; drop role ${role};`).join(' '),
      ),
    );
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const run = async (text: string, more: Readonly<Record<string, string>> = {}) => {
    await writeFile(join(folder, 'a.policies'), text);
    return testPolicies({ environment: { ...environment, ...more } }, { paths: [folder], format: 'text' });
  };
  /** What the report says instead of `ok`, by line. */
  const faults = async (text: string, more?: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await run(text, more)).text
      .split('\n')
      .filter((line) => line.startsWith('           '))
      .map((line) => line.trim());

  it('accepts what the policies do, and leaves nothing', async () => {
    const { text, code } = await run(`${USERS}
test reads
as ada: select * from notes sees 1 row
as bob: sees 2 rows
as mallory: is refused with PT403
test writes, each apart from the others
as ada: insert into notes values (9, 'ada') changes 1 row
as ada: insert into notes values (9, 'bob') is refused
as ada: insert into notes values (2, 'ada') is refused with 23505
as bob: delete from notes changes 2 rows
as bob: update notes set id = id + 10 returning id sees 2 rows
fixture insert into notes values (4, 'bob')
as bob: select from notes sees 3 rows
`);
    expect(text).to.match(/\n9 sentences, all of them right$/);
    expect(code).to.equal(0);
    const left = await withSession(database.uri, (session) => session.query('select id from api.notes'));
    expect(left).to.deep.equal([{ id: 100 }]);
  });

  it('leaves the rows of a database as they are, also if a fixture rolls back', async () => {
    expect(await faults(`${USERS}fixture\n  rollback; delete from api.notes;\n`)).to.deep.equal([
      'it fails: cannot execute DELETE in a read-only transaction (SQLSTATE 25006)',
    ]);
    const left = await withSession(database.uri, (session) => session.query('select id from api.notes'));
    expect(left).to.deep.equal([{ id: 100 }]);
  });

  it('refuses a file that is not text in UTF-8', async () => {
    const file = join(folder, 'latin.policies');
    await writeFile(file, `${USERS}as ada: select * from notes where owner = 'Zoë' sees no rows\n`, 'latin1');
    const error: unknown = await testPolicies({ environment }, { paths: [file], format: 'text' }).catch(
      (reason: unknown) => reason,
    );
    await rm(file);
    expect(error).to.be.instanceOf(PolicyTestError);
    expect(error).to.have.property('message', `${file} is not text in UTF-8`);
  });

  it('runs statements with the settings of a request: those of the role and of the application', async () => {
    const ofRole = "current_setting('statement_timeout') = '100ms'";
    await withSession(database.uri, (session) =>
      session.script(`alter role ${USER} set statement_timeout = '100ms'`),
    );
    const text = `${USERS}
as ada: select pg_sleep(5) is refused with 57014
as ada: select from notes where ${ofRole} and current_setting('app.settings.site') = 'north' sees 1 row
as ada: select from notes where current_setting('request.path') = '' sees 1 row
fixture set local search_path = 'pg_catalog'; select pg_sleep(0.2)
as ada: select from notes where ${ofRole} sees 1 row
`;
    expect(await faults(text, { DBR_APP_SETTINGS_SITE: 'north' })).to.deep.equal([]);
    const without = `${USERS}as ada: select from notes where ${ofRole} sees no rows`;
    expect(await faults(without, { DBR_DB_CONFIG: 'false' })).to.deep.equal([]);
    await withSession(database.uri, (session) => session.script(`alter role ${USER} reset all`));
  });

  it('says what happened instead', async () => {
    const text = `${USERS}user other is ${OTHER}
user none is nobody_${id}
as ada: select * from notes sees 2 rows
as ada: select * from notes is refused
as ada: delete from notes is refused
as ada: select * from nothing is refused
as ada: delete from notes sees 1 row
as ada: select * from notes changes 1 row
as ada: select 1; select 2 sees 1 row
as other: select * from api.notes sees 0 rows
as none: select 1 sees 1 row
as ada: insert into notes values (9, 'bob') changes 1 row
`;
    expect(await faults(text)).to.deep.equal([
      'it sees 1 row',
      'it is not refused, and sees 1 row',
      'it is not refused, and changes 1 row',
      'it fails: relation "nothing" does not exist (SQLSTATE 42P01)',
      'the statement returns no rows: write `changes`',
      'the statement changes no rows: write `sees`',
      'a sentence has one statement',
      'it fails: permission denied for schema api (SQLSTATE 42501)',
      `it fails: the role nobody_${id} cannot be taken: role "nobody_${id}" does not exist (SQLSTATE 22023)`,
      'it fails: new row violates row-level security policy for table "notes" (SQLSTATE 42501)',
    ]);
    expect((await run(text)).code).to.equal(1);
  });

  it('ends a file at a fixture that fails, and cannot be made to commit', async () => {
    expect(await faults(`${USERS}fixture select nonsense\nas ada: select 1 sees 2 rows`)).to.deep.equal([
      'it fails: column "nonsense" does not exist (SQLSTATE 42703)',
    ]);
    const committing = `${USERS}fixture commit\nas ada: select 1 sees 1 row`;
    expect((await faults(committing))[0]).to.match(/this_transaction_is_rolled_back.*\(SQLSTATE 23503\)$/);
    const left = await withSession(database.uri, (session) => session.query('select id from api.notes'));
    expect(left).to.deep.equal([{ id: 100 }]);
  });

  it('refuses a file that is not in the language, before anything runs', async () => {
    const error: unknown = await run(`${USERS}as ada select 1`).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(PolicyTestError);
    expect(String(error)).to.contain(`${join(folder, 'a.policies')}:7: a sentence is`);
  });

  it('is a command with exit codes, and JUnit XML and TAP for CI', async () => {
    const file = join(folder, 'a.policies');
    await writeFile(file, `${USERS}as ada: select * from notes sees 1 row\n`);
    const right = await runDbr(['test', file], environment);
    expect(right).to.include({ code: 0, stderr: '' });
    await writeFile(file, `${USERS}as ada: select * from notes sees 3 rows\n`);
    const wrong = await runDbr(['test', '--format', 'junit', folder], environment);
    expect(wrong.code).to.equal(1);
    expect(wrong.stdout).to.contain('<failure message="it sees 1 row"/>');
    const tap = await runDbr(['test', '--format', 'tap', folder], environment);
    expect(tap.code).to.equal(1);
    expect(tapOf(tap.stdout)).to.deep.equal({
      faults: [],
      points: [
        {
          ok: false,
          name: 'as ada: select * from notes sees 3 rows',
          diag: { message: 'it sees 1 row', file, line: USERS.split('\n').length },
        },
        { ok: false, name: file, diag: null },
      ],
    });
    await writeFile(file, 'nonsense');
    expect(await runDbr(['test', folder], environment)).to.deep.equal({
      code: 2,
      stdout: '',
      stderr: `dbr: ${file}:1: an entry begins with user, fixture, test or as, not nonsense\n`,
    });
    await rm(file);
    expect(await runDbr(['test', folder], environment)).to.include({
      code: 1,
      stderr: `dbr: there are no files *.policies in ${folder}\n`,
    });
  });
});
