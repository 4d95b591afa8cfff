import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintSettings } from '../../../src/lint/lint-settings.js';
import { describeDatabase } from '../../../src/types/describe-database.js';
import type { Judged } from '../../../src/lint/accepted.js';
import type { Finding } from '../../../src/lint/rule.js';
import { RULES } from '../../../src/lint/rules.js';
import { readMigrations } from '../../../../../src/postgres/migration-files.js';
import { withSession } from '../../../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres/database.js';

const id = randomBytes(4).toString('hex');
const AUTHENTICATOR = `authenticator_${id}`;
const ANON = `anon_${id}`;

const EDITOR = `editor_${id}`;
const STAFF = `staff_${id}`;
const GUEST = `guest_${id}`;
const quotedAdmin = `"Admin ""role"" ${id}"`;

const OPTIONS = {
  format: 'text',
  failOn: null,
  off: new Set<string>(),
  accepted: undefined,
  fix: null,
} as const;

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
  create function api.leaves() returns void language plpgsql stable as $$ begin
    perform set_config('app.who', (select min(current_setting('a'))), false);
    create temp table if not exists seen (id int);
    perform pg_advisory_lock(1);
  end $$;
  create function api.sets() returns void language plpgsql stable as $$ begin set app.who = 'x'; end $$;
  create function api.takes_all() returns void language plpgsql stable as $$ begin
    set local app.who = 'x';
    set constraints all immediate;
    update api.open set "odd name" = 'false';
    perform set_config('app.who', 'false', true), pg_advisory_xact_lock(1), pg_advisory_lock(2), pg_advisory_unlock(2);
    create temporary table seen (id int) on commit drop;
  end $$;
  revoke execute on function api.leaves(), api.sets(), api.takes_all() from public;
  grant execute on function api.leaves(), api.sets(), api.takes_all() to ${ANON};
  grant execute on function api.safe() to ${ANON};
  create procedure api.proc() language sql as $$ select 1 $$;
  create function api.on_change() returns trigger language plpgsql as $$ begin return null; end $$;
  create table api.unreachable (id integer, open_id integer references api.open);
  create index on api.unreachable (open_id, id);
  create index on api.unreachable (id);
  create function auth.on_definer() returns trigger language plpgsql security definer as $$ begin return new; end $$;
  create trigger definer before insert on api.users for each row execute function auth.on_definer();
  create table auth.users (id integer primary key, email text);
  create view api.people with (security_invoker = on) as select email from auth.users;
  create view api.behind with (security_invoker = on) as select * from api.people;
  grant select on api.behind to ${ANON};
  create table api.switched_off (id integer primary key);
  create policy nothing on api.switched_off using (id = 1);
  create schema extensions;
  create extension citext with schema extensions;
  create domain api.mail as extensions.citext;
  create table api.locked (id integer primary key, mail api.mail);
  alter table api.locked enable row level security;
  grant select on api.locked to ${ANON};
  create table api.measured (at date) partition by range (at);
  create table api.measured_2025 partition of api.measured for values from ('2025-01-01') to ('2026-01-01');
  alter table api.measured enable row level security;
  create policy own on api.measured using (at > '2025-05-01');
  grant select on api.measured_2025 to ${ANON};
  create table api.open_door (id integer primary key, owner text);
  alter table api.open_door enable row level security;
  create policy all_rows on api.open_door for select using (true);
  create policy own_rows on api.open_door for select using (owner = 'x');
  create policy never on api.open_door as restrictive for update using (true);
  create table api.drop_box (id integer primary key);
  alter table api.drop_box enable row level security;
  create policy put on api.drop_box for insert with check (true);
  create policy look on api.drop_box for select using (true);
  create table api.guarded (id integer primary key);
  alter table api.guarded enable row level security;
  create policy put on api.guarded for insert with check (true);
  create policy limits on api.guarded as restrictive for insert with check (id > 0);
  create table api.claims (id integer primary key);
  alter table api.claims enable row level security;
  create policy admin on api.claims for select
    using ((select current_setting('request.jwt.claims', true))::json -> 'user_metadata' ->> 'admin' = 'yes');
  create table api.twins (id integer unique, "Other" text);
  create index twins_other on api.twins ("Other");
  create index twins_same on api.twins ("Other");
  create index twins_part on api.twins ("Other") where id > 3;
  create index twins_id on api.twins (id);
  alter table api.twins enable row level security;
  create policy own on api.twins for select using (id = 1);
  grant select on api.twins to ${ANON};
  create foreign data wrapper nowhere;
  create server nowhere foreign data wrapper nowhere;
  create foreign table api.far (id integer) server nowhere;
  grant select on api.far to ${ANON};
  create extension unaccent with schema api;
  create extension pg_trgm with schema public version '1.3';
  create table public.hidden (id integer);
  grant select on public.hidden to ${ANON};
  comment on table api.open is 'lint-accepted: secret-column it has none';`;

describe('dbr lint', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    database = await createTestDatabase();
    await withSession(database.uri, async (session) => {
      await session.script(BAD);
      await session.script(
        `update pg_index set indisvalid = false where indexrelid = 'api.twins_part'::regclass`,
      );
      await session.script(
        'do $$ begin for i in 1..1000 loop perform from api.unreachable; end loop; end $$; select pg_stat_force_next_flush()',
      );
    });
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
    lintSettings({ environment }, { ...OPTIONS, format: 'json', failOn, off: new Set(off) });
  const findings = async (off?: readonly string[]): Promise<readonly Finding[]> =>
    (JSON.parse((await lint(off)).text) as { readonly findings: readonly Finding[] }).findings;

  it('finds what every rule is about, and nothing else', async () => {
    const found = (await findings()).map(({ rule, object }) => `${rule} ${object.replaceAll(id, 'ID')}`);
    expect(found).to.deep.equal([
      'authenticator-powers authenticator_ID',
      'create-on-schema api',
      'create-on-schema api',
      'table-without-row-security api.open',
      'child-without-row-security api.measured_2025',
      'policies-without-row-security api.switched_off',
      'policy-on-user-metadata admin on api.claims',
      'policy-true-beside-others all_rows on api.open_door',
      'view-bypasses-row-security api."inner"',
      'view-bypasses-row-security api.leaking',
      'logins-exposed api.behind',
      'definer-without-search-path api.raise_pay(integer,numeric)',
      'definer-without-search-path auth.on_definer()',
      'authenticator-inherits authenticator_ID',
      'authenticator-inherits authenticator_ID',
      'api-role-bypasses-row-security "Admin ""role"" ID"',
      'row-security-without-policy api.locked',
      'policy-true-for-writes put on api.drop_box',
      'definer-executable-by-public api.raise_pay(integer,numeric)',
      'session-state api.leaves()',
      'session-state api.sets()',
      'materialized-view-exposed api.totals',
      'foreign-table-exposed api.far',
      'extension-in-exposed-schema unaccent',
      'secret-column api.leaking.api_key',
      'secret-column api.leaking.password',
      'secret-column api.users.api_key',
      'secret-column api.users.password',
      'policy-calls-per-row own on api.users',
      'multiple-permissive-policies api.open_door',
      'multiple-permissive-policies api.users',
      'operators-outside-search-path extensions.citext',
      'table-without-primary-key api.twins',
      'foreign-key-without-index api.users.users_open_id_fkey',
      'duplicate-index api.twins_id',
      'duplicate-index api.twins_same',
      'invalid-index api.twins_part',
      'accepted-without-finding api.open',
      'function-executable-by-public api.proc()',
      'volatile-function-by-get api.raise_pay(integer,numeric)',
      'estimates-under-policies api.locked',
      'estimates-under-policies api.twins',
      'estimates-under-policies api.users',
      'unused-index api.unreachable_id_idx',
      'extension-outdated pg_trgm',
    ]);
    expect(new Set((await findings()).map(({ rule }) => rule))).to.deep.equal(
      new Set(RULES.map(({ name }) => name)),
    );
  });

  it('names the schema of operators that requests do not find', async () => {
    const found = (await findings()).find(({ rule }) => rule === 'operators-outside-search-path');
    expect(found).to.deep.include({
      message: 'Filters of api.locked.mail do not find its operators, which are in the schema extensions.',
      cure: `alter role ${AUTHENTICATOR} set dbr.db_extra_search_path = 'public, extensions'`,
    });
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
    const { text } = await lintSettings({ environment }, { ...OPTIONS, failOn: null });
    expect(text).to.contain(`error    table-without-row-security  api.open
         ${ANON} may use every row: the table has no row security. With it, rows are hidden until policies show them.
         cure: alter table api.open enable row level security;
`);
    expect(text).to.match(/\n45 findings: 13 of level error, 25 of level warning, 7 of level info$/);
  });

  it('judges partitioned tables, and partitions by the row security that they lack', async () => {
    const script = (text: string) => withSession(database.uri, (session) => session.script(text));
    await script(`
      create table api.events (id integer primary key, token text) partition by range (id);
      create table api.events_1 partition of api.events for values from (0) to (10);
      alter table api.events enable row level security, force row level security;
      create policy own on api.events using (id = 1);
      create view api.events_of_now as select id from api.events_1;
      grant select on api.events, api.events_1, api.events_of_now to ${ANON}`);
    try {
      const found = (await findings()).filter(({ object }) => object.startsWith('api.events'));
      expect(found.map(({ rule, object }) => `${rule} ${object}`)).to.deep.equal([
        'child-without-row-security api.events_1',
        'view-bypasses-row-security api.events_of_now',
        'secret-column api.events.token',
        'estimates-under-policies api.events',
      ]);
      expect(found[0]).to.deep.include({
        message: `${ANON} may use it by its own name, and the policies of api.events do not bind it: it has no row security.`,
        cure: 'alter table api.events_1 enable row level security',
      });
      expect(found[1]?.message).to.contain('It reads api.events as its owner');
    } finally {
      await script('drop table api.events cascade');
    }
  });

  it('takes a policy that is true for a part of the commands of another as meant', async () => {
    const script = (text: string) => withSession(database.uri, (session) => session.script(text));
    await script(`
      create table api.posts (id integer primary key, owner text);
      alter table api.posts enable row level security;
      create policy all_read on api.posts for select using (true);
      create policy own on api.posts using (owner = current_user);
      create table api.pages (id integer primary key, owner text);
      alter table api.pages enable row level security;
      create policy all_read on api.pages for select using (true);
      create policy own on api.pages for select using (owner = current_user)`);
    try {
      const found = (await findings()).filter(({ rule }) => rule === 'policy-true-beside-others');
      const ours = found.map(({ object }) => object).filter((object) => /api\.(posts|pages)$/.test(object));
      expect(ours).to.deep.equal(['all_read on api.pages']);
    } finally {
      await script('drop table api.posts, api.pages');
    }
  });

  it('counts a policy for a role as one for the members that inherit from it', async () => {
    const script = (text: string) => withSession(database.uri, (session) => session.script(text));
    await script(`
      create role ${STAFF} nologin;
      create role ${EDITOR} nologin in role ${STAFF};
      create role ${GUEST} nologin noinherit in role ${STAFF};
      grant ${EDITOR}, ${GUEST} to ${AUTHENTICATOR};
      create table api.drafts (id integer primary key);
      alter table api.drafts enable row level security;
      create policy all_of_staff on api.drafts for select to ${STAFF} using (true);
      create policy first on api.drafts for select to ${EDITOR} using (id = 1);
      create table api.notes (id integer primary key);
      alter table api.notes enable row level security;
      create policy all_of_staff on api.notes for select to ${STAFF} using (true);
      create policy first on api.notes for select to ${GUEST} using (id = 1)`);
    try {
      const found = (await findings()).filter(({ object }) => /api\.(drafts|notes)$/.test(object));
      expect(found.map(({ rule, object, message }) => [rule, object, message])).to.deep.equal([
        [
          'policy-true-beside-others',
          'all_of_staff on api.drafts',
          'It is true for every row. Policies are joined with or, so the others of the table restrict nothing.',
        ],
        [
          'multiple-permissive-policies',
          'api.drafts',
          `select of ${EDITOR} runs all_of_staff and first for each row. Join their conditions with or in one policy.`,
        ],
      ]);
    } finally {
      await script(
        `drop table api.drafts, api.notes; drop role ${EDITOR}; drop role ${GUEST}; drop role ${STAFF}`,
      );
    }
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

  it('accepts findings that a file names, and reports lines that match none', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dbr-lint-')), 'accepted.txt');
    writeFileSync(
      file,
      '# Anyone may read it.\ntable-without-row-security api.open\n\nsecret-column api.gone.token\n',
    );
    const before = await findings();
    const { text } = await lintSettings({ environment }, { ...OPTIONS, format: 'json', accepted: file });
    const judged = JSON.parse(text) as Judged;
    expect(judged.accepted.map(({ rule, object }) => [rule, object])).to.deep.equal([
      ['table-without-row-security', 'api.open'],
    ]);
    expect(judged.findings).to.have.lengthOf(before.length - 1);
    expect(judged.unmatched).to.deep.equal(['secret-column api.gone.token']);
    const shown = await lintSettings({ environment }, { ...OPTIONS, accepted: file });
    expect(shown.text).to.match(/\n1 accepted\naccepted, and not found: secret-column api\.gone\.token$/);
  });

  it('accepts findings that comments of their objects name', async () => {
    const script = (text: string) => withSession(database.uri, (session) => session.script(text));
    await script(`
      begin;
      comment on table api.open is E'Open.\\nlint-accepted: table-without-row-security it is a list of countries\\nlint-accepted: secret-column it''s "gone"';
      comment on column api.users.api_key is 'lint-accepted: secret-column a hash';
      comment on policy own on api.users is 'lint-accepted: policy-calls-per-row few rows';
      comment on constraint users_open_id_fkey on api.users is 'lint-accepted: foreign-key-without-index rarely deleted';
      comment on index api.twins_same is 'lint-accepted: duplicate-index for a while';
      comment on function api.raise_pay is E'Pay.\\nlint-accepted: volatile-function-by-get old clients';
      comment on extension unaccent is 'lint-accepted: extension-in-exposed-schema it has always been there';
      comment on role ${AUTHENTICATOR} is 'lint-accepted: authenticator-inherits';
      commit`);
    try {
      const { text } = await lintSettings({ environment }, { ...OPTIONS, format: 'json' });
      const judged = JSON.parse(text) as Judged;
      expect(
        judged.accepted.map((each) => [each.rule, each.object, 'reason' in each && each.reason]),
      ).to.have.deep.members([
        ['table-without-row-security', 'api.open', 'it is a list of countries'],
        ['secret-column', 'api.users.api_key', 'a hash'],
        ['policy-calls-per-row', 'own on api.users', 'few rows'],
        ['foreign-key-without-index', 'api.users.users_open_id_fkey', 'rarely deleted'],
        ['duplicate-index', 'api.twins_same', 'for a while'],
        ['volatile-function-by-get', 'api.raise_pay(integer,numeric)', 'old clients'],
        ['extension-in-exposed-schema', 'unaccent', 'it has always been there'],
      ]);
      const useless = judged.findings.filter(({ rule }) => rule === 'accepted-without-finding');
      expect(useless.map(({ object, message, cure }) => [object, message, cure])).to.deep.equal([
        [
          'api.open',
          'Its comment accepts secret-column, which finds nothing here.',
          `comment on table api.open is 'Open.\nlint-accepted: table-without-row-security it is a list of countries'`,
        ],
        [
          AUTHENTICATOR,
          'Its comment accepts authenticator-inherits, without a reason.',
          `comment on role ${AUTHENTICATOR} is null`,
        ],
      ]);
      const off = new Set(['secret-column', 'authenticator-inherits']);
      const { text: rest } = await lintSettings({ environment }, { ...OPTIONS, off });
      expect(rest).to.match(/\n6 accepted$/);
      expect(rest).not.to.contain('accepted-without-finding');
    } finally {
      await script(`comment on table api.open is 'lint-accepted: secret-column it has none';
        comment on column api.users.api_key is null; comment on policy own on api.users is null;
        comment on constraint users_open_id_fkey on api.users is null; comment on index api.twins_same is null;
        comment on function api.raise_pay is null; comment on extension unaccent is null;
        comment on role ${AUTHENTICATOR} is null`);
    }
  });

  it('leaves the lines that accept findings out of what clients read', async () => {
    const own = await createTestDatabase();
    try {
      await withSession(own.uri, (session) =>
        session.script(`
          create schema api;
          comment on schema api is E'Shop\\nAll of it.\\nlint-accepted: create-on-schema x';
          create table api.notes (id integer primary key);
          comment on table api.notes is E'Notes.\\nlint-accepted: table-without-row-security x';
          comment on column api.notes.id is E'Number.\\nlint-accepted: secret-column x';
          create function api.add() returns integer language sql as 'select 1';
          comment on function api.add is E'Adds.\\nlint-accepted: function-executable-by-public x'`),
      );
      const sources = { environment: { DBR_DB_URI: own.uri, DBR_DB_SCHEMAS: 'api' } };
      const described = await describeDatabase(sources, { form: '3.1', schemas: [], role: null });
      for (const text of ['All of it.', 'Notes.', 'Number.', 'Adds.']) expect(described).to.contain(text);
      expect(described).not.to.contain('lint-accepted');
    } finally {
      await own.drop();
    }
  });

  it('writes a draft with the cures, those that need a decision as comments', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dbr-lint-'));
    writeFileSync(join(folder, '0007_last.sql'), '');
    const before = await findings();
    const { text } = await lintSettings({ environment }, { ...OPTIONS, fix: folder });
    const path = join(folder, '0008_lint.sql.draft');
    expect(text).to.match(new RegExp(`\nwrote ${path}, a draft: without .draft it is a migration$`));
    expect((await readMigrations(folder)).map(({ file }) => file)).to.deep.equal(['0007_last.sql']);
    const migration = readFileSync(path, 'utf8');
    const decided = new Set(
      RULES.filter(({ needsDecision }) => needsDecision !== true).map(({ name }) => name),
    );
    for (const { rule, object, cure } of before) {
      expect(migration).to.contain(`-- ${rule}: ${object}\n`);
      expect(migration).to.contain(decided.has(rule) ? `\n${cure};\n` : `\n-- ${cure};\n`);
    }
  });

  it('has a cure for each finding, after which the finding is gone @long', async () => {
    const cured: string[] = [];
    for (;;) {
      // One finding of each rule at a time.
      const found = new Map((await findings()).map((finding) => [finding.rule, finding]));
      if (found.size === 0) break;
      for (const { rule, object, message, cure } of found.values()) {
        const name = `${rule} ${object}: ${message}`;
        expect(cured).not.to.include(name);
        await withSession(database.uri, (session) => session.script(cure));
        cured.push(name);
      }
    }
    expect(cured).to.have.lengthOf.at.least(30);
    expect(await lint([], 'info')).to.deep.include({ code: 0 });
  });

  it('needs a database', async () => {
    const failed = await lintSettings(
      { environment: { DBR_DATA_DIRECTORY: '/nonexistent/of/dbr' } },
      { ...OPTIONS, failOn: null },
    ).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : null),
    );
    expect(failed).to.equal('db-uri is not set, and there is no embedded PostgreSQL in data-directory');
  });
});
