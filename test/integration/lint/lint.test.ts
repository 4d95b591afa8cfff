import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { lintSettings } from '../../../src/composition/lint-settings.js';
import type { Finding } from '../../../src/lint/rule.js';
import { RULES } from '../../../src/lint/rules.js';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';

const id = randomBytes(4).toString('hex');
const AUTHENTICATOR = `authenticator_${id}`;
const ANON = `anon_${id}`;

const quotedAdmin = `"Admin ""role"" ${id}"`;

/** A schema in which every rule finds something. */
const BAD = `
  create role ${ANON} nologin;
  create role ${quotedAdmin} nologin bypassrls;
  create role ${AUTHENTICATOR} login inherit createrole password 'p';
  grant ${ANON}, ${quotedAdmin} to ${AUTHENTICATOR};
  create schema api;
  create schema auth;
  grant usage on schema api to ${ANON}, ${quotedAdmin};
  grant usage on schema auth to ${ANON};
  grant create on schema api to public;
  grant create on schema api to ${ANON};
  create function auth.uid() returns text language sql stable as $$ select pg_catalog.current_setting('request.jwt.claims', true) $$;
  create table api.open (id integer primary key, "odd name" text);
  grant select on api.open to ${ANON};
  create table api.users (id integer primary key, owner text, password text, api_key text, open_id integer references api.open);
  alter table api.users enable row level security;
  create policy own on api.users
    using (owner = auth.uid() or owner = current_setting('a''b(', true) or owner = (select auth.uid()))
    with check (owner = (select (current_setting('x'))::text));
  create policy "good one" on api.users for select using (owner = (select auth.uid()) and owner <> 'auth.uid()');
  grant select on api.users to public;
  grant select (password), update (owner) on api.users to ${ANON};
  create view api.leaking as select * from api.users;
  create view api.inner as select id, owner from api.users;
  create view api.outer with (security_invoker = on) as select * from api.inner;
  create view api.careful with (security_invoker = on) as select id, owner from api.users;
  grant select on api.leaking, api.outer, api.careful to ${ANON};
  create materialized view api.totals as select count(*) as count from api.users;
  grant select on api.totals to ${ANON};
  create function api.raise_pay(employee integer, "by" numeric default 1) returns void language sql security definer as $$ select 1 $$;
  create function api.safe() returns integer language sql stable security definer set search_path = '' as $$ select 1 $$;
  revoke execute on function api.safe() from public;
  grant execute on function api.safe() to ${ANON};
  create procedure api.proc() language sql as $$ select 1 $$;
  create function api.on_change() returns trigger language plpgsql as $$ begin return null; end $$;
  create table api.unreachable (id integer, open_id integer references api.open);
  create index on api.unreachable (open_id, id);
  create table public.hidden (id integer);
  grant select on public.hidden to ${ANON};`;

describe('dbr lint', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    database = await createTestDatabase();
    await withSession(database.uri, (session) => session.script(BAD));
    environment = {
      DBR_DB_URI: database.uriFor(AUTHENTICATOR, 'p'),
      DBR_DB_SCHEMAS: 'api',
      DBR_DB_ANON_ROLE: ANON,
    };
  });
  after(async () => {
    const owner = database.uri;
    await withSession(owner, async (session) => {
      for (const role of [AUTHENTICATOR, ANON, quotedAdmin])
        await session.script(`drop owned by ${role}; drop role ${role}`);
    });
    await database.drop();
  });

  const lint = (off: readonly string[] = [], failOn: 'error' | 'warning' | 'info' | null = 'warning') =>
    lintSettings({ environment }, { format: 'json', failOn, off: new Set(off) });
  const findings = async (off?: readonly string[]): Promise<readonly Finding[]> =>
    (JSON.parse((await lint(off)).text) as { readonly findings: readonly Finding[] }).findings;

  it('finds what every rule is about, and nothing else', async () => {
    const found = (await findings()).map(({ rule, object }) => `${rule} ${object.replaceAll(id, 'ID')}`);
    expect(found).to.deep.equal([
      'authenticator-powers authenticator_ID',
      'create-on-schema api',
      'create-on-schema api',
      'table-without-row-security api.open',
      'view-bypasses-row-security api."inner"',
      'view-bypasses-row-security api.leaking',
      'definer-without-search-path api.raise_pay(integer,numeric)',
      'authenticator-inherits authenticator_ID',
      'authenticator-inherits authenticator_ID',
      'api-role-bypasses-row-security "Admin ""role"" ID"',
      'definer-executable-by-public api.raise_pay(integer,numeric)',
      'materialized-view-exposed api.totals',
      'secret-column api.leaking.api_key',
      'secret-column api.leaking.password',
      'secret-column api.users.api_key',
      'secret-column api.users.password',
      'policy-calls-per-row own on api.users',
      'foreign-key-without-index api.users.users_open_id_fkey',
      'function-executable-by-public api.proc()',
      'volatile-function-by-get api.raise_pay(integer,numeric)',
      'estimates-under-policies api.users',
    ]);
    expect(new Set((await findings()).map(({ rule }) => rule))).to.deep.equal(
      new Set(RULES.map(({ name }) => name)),
    );
  });

  it('explains a finding, and prints findings for people', async () => {
    const found = await findings();
    expect(found.find(({ rule }) => rule === 'policy-calls-per-row')).to.deep.equal({
      rule: 'policy-calls-per-row',
      level: 'warning',
      object: 'own on api.users',
      message: `It calls auth.uid(), current_setting('a''b('::text, true) for each row. In a sub-select, PostgreSQL calls it once for a statement.`,
      cure: `alter policy own on api.users using (((owner = (select auth.uid())) OR (owner = (select current_setting('a''b('::text, true))) OR (owner = ( SELECT auth.uid() AS uid)))) with check ((owner = ( SELECT current_setting('x'::text) AS current_setting)))`,
    });
    const { text } = await lintSettings({ environment }, { format: 'text', failOn: null, off: new Set() });
    expect(text).to.contain(`error    table-without-row-security  api.open
         ${ANON} may use every row: the table has no row security. With it, rows are hidden until policies show them.
         cure: alter table api.open enable row level security;
`);
    expect(text).to.match(/\n21 findings: 7 of level error, 11 of level warning, 3 of level info$/);
  });

  it('fails at the level that it is asked for', async () => {
    const errors = RULES.filter(({ level }) => level === 'error').map(({ name }) => name);
    const warnings = RULES.filter(({ level }) => level === 'warning').map(({ name }) => name);
    const codes = async (off: readonly string[]) =>
      Promise.all(
        (['error', 'warning', 'info', null] as const).map(async (level) => (await lint(off, level)).code),
      );
    expect(await codes([])).to.deep.equal([1, 1, 1, 0]);
    expect(await codes(errors)).to.deep.equal([0, 1, 1, 0]);
    expect(await codes([...errors, ...warnings])).to.deep.equal([0, 0, 1, 0]);
  });

  it('switches rules off', async () => {
    const off = RULES.map(({ name }) => name).filter((name) => name !== 'materialized-view-exposed');
    expect((await findings(off)).map(({ rule }) => rule)).to.deep.equal(['materialized-view-exposed']);
  });

  it('reads the exposed schemas that the database sets', async () => {
    const set = (what: string) =>
      withSession(database.uri, (session) => session.script(`alter role ${AUTHENTICATOR} ${what}`));
    await set(`set dbr.db_schemas = 'public'`);
    expect((await findings()).map(({ object }) => object)).to.include('public.hidden');
    await set('reset dbr.db_schemas');
  });

  it('has a cure for each finding, after which the finding is gone', async () => {
    for (const finding of await findings()) {
      await withSession(database.uri, (session) => session.script(finding.cure));
      const left = await findings();
      expect(
        left.some(
          ({ rule, object, message }) =>
            rule === finding.rule && object === finding.object && message === finding.message,
        ),
        `${finding.rule} ${finding.object}: ${finding.cure}`,
      ).to.equal(false);
    }
    expect(await findings()).to.deep.equal([]);
    expect(await lint([], 'info')).to.deep.include({ code: 0 });
  });

  it('needs a database', async () => {
    const failed = await lintSettings(
      { environment: { DBR_DATA_DIRECTORY: '/nonexistent/of/dbr' } },
      { format: 'text', failOn: null, off: new Set() },
    ).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : null),
    );
    expect(failed).to.equal('db-uri is not set, and there is no embedded PostgreSQL in data-directory');
  });
});
