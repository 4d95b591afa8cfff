import { Ajv } from 'ajv';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPolicies, type CheckOptions } from '../../../src/check/check-policies.js';
import { loadSampleDatabase } from '../../../../embedded-postgres/src/sample-database.js';
import { withSession } from '../../../../../src/postgres/session.js';
import { DESIGNS } from '../../../../../test/support/check/designs.js';
import {
  createTestDatabase,
  startTestServer,
  type TestDatabase,
  type TestServer,
} from '../../../../../test/support/postgres/database.js';
import { inAllRuns, runs, some } from '../../../../../test/support/runs.js';
import { runDbr } from '../../../../../test/support/service/built-service.js';

const id = randomBytes(4).toString('hex');
const [AUTHENTICATOR, ANON, USER] = [`authenticator_${id}`, `anon_${id}`, `user_${id}`];

const EDITOR = `editor_${id}`;

const ROLES = `
  create role ${ANON} nologin;
  create role ${USER} nologin;
  create role ${AUTHENTICATOR} login noinherit password 'p';
  grant ${ANON}, ${USER} to ${AUTHENTICATOR};`;

const OPTIONS: CheckOptions = {
  format: 'json',
  ...{ dump: undefined, users: undefined, rules: undefined, baseline: undefined, callFunctions: false },
  ...{ seconds: 300, requests: 1_000_000, requestsOfRole: 60, seed: 1 },
};
/** The generated requests of checks of whole schemas. */
const WHOLE = { requestsOfRole: runs(300, 120) };

/** A table `api.NAME (id, owner, body)` with rows of ada and bob, and row security. */
const table = (name: string, policies: readonly string[], columns = '', values = ''): string => `
  create table api.${name} (id integer primary key, owner text, body text${columns});
  insert into api.${name} select n, case n % 2 when 0 then 'ada' else 'bob' end, 'text ' || n${values} from generate_series(1, 6) as n;
  alter table api.${name} enable row level security;
  ${policies.map((policy, index) => `create policy p${String(index)} on api.${name} ${policy};`).join('\n  ')}
  grant select, insert, update, delete on api.${name} to ${USER};`;

const ME = `(select auth.me())`;
const OWN = `using (owner = ${ME}) with check (owner = ${ME})`;

/** A table with a sequence. */
const COUNTED = `
  create table api.counted (id integer generated always as identity primary key, owner text);
  insert into api.counted (owner) values ('ada'), ('bob');
  alter table api.counted enable row level security;
  create policy own on api.counted ${OWN};
  grant select, insert, update, delete on api.counted to ${USER};`;
/** A table whose trigger advances that sequence. */
const LOGGED = `
  create function auth.log() returns trigger language plpgsql security definer as $$ begin perform nextval('api.counted_id_seq'); return new; end $$;
  ${table('logged', [OWN, 'for insert with check (true)'])}
  create trigger log before insert on api.logged for each row execute function auth.log();`;

const PLANTED = `
  ${ROLES}
  create schema api;
  create schema auth;
  grant usage on schema api, auth to ${ANON}, ${USER};
  create function auth.me() returns text language sql stable
    as $$ select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub' $$;
  ${table('not_null', [`for select using (owner = ${ME} or owner is not null)`])}
  ${table('beside', [OWN, 'using (true)'])}
  ${table('switched_off', [OWN])}
  alter table api.switched_off disable row level security;
  ${table('above', [OWN])}
  revoke all on api.above from ${USER};
  create table api.below (primary key (id)) inherits (api.above);
  insert into api.below select n, case n % 2 when 0 then 'ada' else 'bob' end from generate_series(11, 16) as n;
  grant select on api.below to ${USER};
  ${table('private', [OWN])}
  create view api.all_private as select id, owner from api.private;
  create materialized view api.totals as select owner, count(*) from api.private group by owner;
  grant select on api.all_private, api.totals to ${USER};
  ${table('ruled', ['for select using (true)'])}
  ${table('drop_box', ['for insert with check (true)'])}
  create table api.open_writes (id integer primary key, body text);
  grant select, insert on api.open_writes to ${ANON};
  create table api.contacts (id integer primary key, email text);
  insert into api.contacts values (1, 'ada@example.org');
  grant select on api.contacts to ${USER};
  ${table('logins', [OWN], ', password_hash text', ", 'hash'")}
  create table api.integrations (id integer primary key, api_key text);
  insert into api.integrations values (1, 'k');
  alter table api.integrations enable row level security;
  create policy all_rows on api.integrations for select using (true);
  grant select on api.integrations to ${ANON};
  create table api.many (id integer primary key, owner text, amount numeric);
  insert into api.many select n, 'user ' || n % 100, n from generate_series(1, 20000) as n;
  create index many_amount on api.many (amount);
  alter table api.many enable row level security;
  create policy own on api.many using (owner = ${ME});
  grant select on api.many to ${USER};
  create table api.indexed_owner (id integer primary key, owner text);
  insert into api.indexed_owner select n, 'user ' || n % 2000 from generate_series(1, 20000) as n;
  create index on api.indexed_owner (owner);
  alter table api.indexed_owner enable row level security;
  create policy own on api.indexed_owner using (owner = ${ME});
  grant select on api.indexed_owner to ${USER};
  create table api.keys_apart (id integer primary key, api_key text);
  insert into api.keys_apart values (1, 'k');
  alter table api.keys_apart enable row level security;
  create policy all_rows on api.keys_apart for select using (true);
  grant select (id) on api.keys_apart to ${ANON};
  create table api.cast_owner (id integer primary key, owner uuid);
  insert into api.cast_owner select n, ('00000000-0000-4000-8000-' || lpad((n % 2000)::text, 12, '0'))::uuid from generate_series(1, 20000) as n;
  create index cast_owner_owner on api.cast_owner (owner);
  alter table api.cast_owner enable row level security;
  create policy own on api.cast_owner using (owner::text = ${ME});
  grant select on api.cast_owner to ${USER};
  ${table('pages', [OWN], ', slug text unique', ", 'slug-' || n")}
  ${table('posts', [OWN])}
  ${table('comments', [OWN], ', post_id integer references api.posts', ', n')}
  ${table('raises', [`using (owner = current_setting('app.user'))`])}
  ${table('recurses', [`using (exists (select from api.recurses as r where r.owner = ${ME}))`])}
  ${table('never', [`using (owner = (current_setting('request.jwt.claims', true)::jsonb -> 'sub')::text)`])}
  create function api.all_posts() returns setof api.posts language sql stable security definer as $$ select * from api.posts $$;
  create function api.find_post(post integer) returns table (id integer, owner text) language sql stable security definer
    as $$ select id, owner from api.posts where id = post $$;
  ${table('codes', [OWN], '', '')}
  alter table api.codes add code text not null default '';
  update api.codes set code = 'code-' || id;
  alter table api.codes drop constraint codes_pkey, drop column id, add primary key (code);
  ${table('letters', [OWN])}
  update api.letters set body = case owner when 'ada' then 'greetings' else 'secret plan of bob' end;
  create view api.my_letters as select id, body from api.letters where owner = auth.me();
  create view api.my_letters_behind_barrier with (security_barrier) as select id, body from api.letters where owner = auth.me();
  create view api.my_letters_of_invoker with (security_invoker) as select id, body from api.letters;
  grant select on api.my_letters, api.my_letters_behind_barrier, api.my_letters_of_invoker to ${USER};
  create function auth.owns(owner text) returns boolean language sql stable as $$
    select case when owner = auth.me() then true
      else set_config('response.headers', '[{"X-Denied": "yes"}]', true) is null end $$;
  ${table('reported', ['for select using (auth.owns(owner))'])}
  ${table('accounts', [OWN], ', email text', ", 'person-' || n || '@example.org'")}
  create function api.email_exists(email text) returns boolean language sql stable security definer
    as $$ select exists (select from api.accounts as a where a.email = email_exists.email) $$;
  create function api.email_count(p_email text) returns bigint language sql stable security definer
    as $$ select count(*) from api.accounts where email = p_email $$;
  create function api.own_email_exists(email text) returns boolean language sql stable security definer
    as $$ select exists (select from api.accounts as a where a.email = own_email_exists.email and a.owner = auth.me()) $$;
  create function api.visible_email_exists(email text) returns boolean language sql stable
    as $$ select exists (select from api.accounts as a where a.email = visible_email_exists.email) $$;
  create function api.own_posts() returns setof api.posts language sql stable security definer
    as $$ select * from api.posts where owner = auth.me() $$;
  ${table('any_insert', [`for select using (owner = ${ME})`, 'for insert with check (true)'], ', essay text not null', ", (select string_agg(md5(i::text), '') from generate_series(1, 1000) as i)")}
  ${table('moved', [`for select using (owner = ${ME})`, `for update using (owner = ${ME}) with check (true)`])}
  ${table('tenants', [`for select using (owner = ${ME} and tenant = (select current_setting('request.jwt.claims', true)::json ->> 'tenant'))`, `for insert with check (owner = ${ME})`], ', tenant text', ", 't' || n % 2")}
  ${table('any_update', [`for select using (owner = ${ME})`, 'for update using (true)'])}
  ${table('any_delete', [`for select using (owner = ${ME})`, 'for delete using (true)'])}
  ${COUNTED}
  create function auth.next() returns bigint language sql security definer as $$ select nextval('api.counted_id_seq') $$;
  ${table('volatile', ['using (auth.next() > 0)'])}
  create view api.behind as select id from api.volatile;
  create view api.nexts as select auth.next();
  grant select on api.behind, api.nexts to ${USER};
  create function api.take_next() returns bigint language sql security definer as $$ select nextval('api.counted_id_seq') $$;
  ${LOGGED}
  create function auth.header(name text) returns text language sql stable
    as $$ select nullif(current_setting('request.headers', true), '')::json ->> name $$;
  ${table('exports', [OWN, `for select using (auth.header('accept') = 'application/x-ndjson')`])}
  ${table('exports_of_own', [OWN])}
  ${table('imports', [OWN, `for insert with check (auth.header('content-type') = 'application/x-ndjson')`])}
  ${table('imports_of_own', [OWN])}
  ${table('claimed', ['for select using (true)', `for insert with check (owner = ${ME})`, `for update using (true) with check (owner = ${ME})`])}
  ${table('unclaimed', ['for select using (true)', `for insert with check (owner = ${ME})`, `for update using (owner = ${ME}) with check (owner = ${ME})`])}
  ${table('invoices', [OWN], ', due date', ", date '2020-01-01' + n")}
  ${table('items', [`for select using (owner = ${ME})`, `for insert with check (exists (select from api.invoices as i where i.id = invoice_id and i.due > now()))`], ', invoice_id integer references api.invoices', ', n')}
  ${table('items_of_own', [`for select using (owner = ${ME})`, `for insert with check (owner = ${ME} and exists (select from api.invoices as i where i.id = invoice_id and i.due > now()))`], ', invoice_id integer references api.invoices', ', n')}
  create table api.clubs (id uuid primary key, name text);
  insert into api.clubs select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'club ' || n from generate_series(1, 4) as n;
  create table api.members (club_id uuid references api.clubs, owner text, primary key (club_id, owner));
  insert into api.members select id, case row_number() over (order by id) % 2 when 0 then 'ada' else 'bob' end from api.clubs;
  create table api.minutes (id uuid primary key, club_id uuid references api.clubs, body text);
  insert into api.minutes select ('10000000-0000-4000-8000-00000000000' || right(id::text, 1))::uuid, id, name from api.clubs;
  create table api.invited (club_id uuid references api.clubs, owner text, primary key (club_id, owner));
  insert into api.invited select club_id, owner from api.members;
  create table api.plans (id uuid primary key, club_id uuid references api.clubs, body text);
  insert into api.plans select id, club_id, body from api.minutes;
  alter table api.members enable row level security;
  alter table api.minutes enable row level security;
  alter table api.invited enable row level security;
  alter table api.plans enable row level security;
  create policy own on api.members ${OWN};
  create policy own on api.invited using (owner = ${ME}) with check (owner = ${ME} and club_id in (select m.club_id from api.members as m));
  create policy joined on api.minutes for select using (exists (select from api.members as m where m.club_id = minutes.club_id and m.owner = ${ME}));
  create policy joined on api.plans for select using (exists (select from api.invited as i where i.club_id = plans.club_id and i.owner = ${ME}));
  grant select on api.clubs, api.minutes, api.plans to ${USER};
  grant select, insert on api.members, api.invited to ${USER};
  analyze;`;

/** What was planted, and how the check names it. */
const LEAKS = [
  'row-of-another api.not_null',
  'row-of-another api.beside',
  'row-of-another api.switched_off',
  'row-of-another api.below',
  'row-of-another api.all_private',
  'row-of-another api.totals',
  'row-of-another api.ruled',
  'written-not-readable api.drop_box',
  'open-by-grant api.open_writes',
  'open-by-grant api.contacts',
  'secret-readable api.logins.password_hash',
  'secret-readable api.integrations.api_key',
  'policy-slow api.many.amount',
  'policy-slow api.cast_owner.owner',
  'hidden-by-conflict api.pages (slug)',
  'hidden-by-foreign-key api.comments (post_id)',
  'hidden-by-etag api.codes',
  'hidden-by-error api.my_letters',
  'hidden-by-reply api.reported',
  'hidden-by-call api.email_exists',
  'hidden-by-call api.email_count',
  'policy-raises api.raises',
  'policy-recurses api.recurses',
  'policy-never-true p0 on api.never',
  'definer-passes-policy api.all_posts',
  'definer-passes-policy api.find_post',
  'write-leaves-tenant api.any_insert',
  'write-leaves-tenant api.moved',
  'write-leaves-tenant api.tenants',
  'write-of-another api.any_update',
  'write-of-another api.any_delete',
  'row-of-another api.exports',
  'write-leaves-tenant api.imports',
  'write-of-another api.claimed',
  'write-leaves-tenant api.items',
  'write-opens-rows api.members',
];

/** What a planted leak causes beside its own finding. */
const CONSEQUENCES = [
  'hidden-by-conflict api.codes (code)',
  'open-by-grant api.below',
  'open-by-grant api.switched_off',
  'write-leaves-tenant api.any_update',
  'write-leaves-tenant api.beside',
  'write-leaves-tenant api.switched_off',
  'write-of-another api.beside',
  'write-of-another api.switched_off',
];

/** As users write it: tenants with members, public posts, roles by claim, shared rows, helper functions, triggers. */
const USUAL = `
  ${ROLES}
  create schema api;
  create schema auth;
  grant usage on schema api, auth to ${ANON}, ${USER};
  create function auth.uid() returns uuid language sql stable
    as $$ select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
  create function auth.org() returns integer language sql stable
    as $$ select (nullif(current_setting('request.jwt.claims', true), '')::jsonb -> 'app_metadata' ->> 'org_id')::integer $$;
  create function auth.is_admin() returns boolean language sql stable
    as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'user_role' = 'admin' $$;
  create table api.countries (code text primary key, name text not null);
  insert into api.countries values ('DE', 'Germany'), ('FR', 'France');
  grant select on api.countries to ${ANON}, ${USER};
  create table api.profiles (id uuid primary key, name text not null, about text);
  create table api.posts (id bigint generated by default as identity primary key, author_id uuid not null references api.profiles,
    title text not null, is_public boolean not null default false, created_at timestamptz not null default now(), tags text[]);
  create table api.projects (id integer generated always as identity, org_id integer not null, slug text not null, budget numeric(10, 2),
    primary key (org_id, id), unique (org_id, slug));
  create table api.tasks (id uuid primary key default gen_random_uuid(), org_id integer not null, project_id integer not null,
    assignee uuid references api.profiles, title text not null check (length(title) > 0),
    foreign key (org_id, project_id) references api.projects);
  create table api.settings (user_id uuid primary key references api.profiles, theme text, data jsonb);
  create table api.labels (id integer primary key, owner uuid, name text);
  create table api.audit (id integer primary key, what text);
  create table api.empty (id integer primary key, owner uuid);
  insert into api.profiles select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'Person ' || n, null from generate_series(1, 4) as n;
  insert into api.posts (author_id, title, is_public, tags) select id, 'By ' || name, name like '%1', '{a,b}' from api.profiles;
  insert into api.projects (org_id, slug, budget) select n % 2 + 1, 'project-' || n, n from generate_series(1, 4) as n;
  insert into api.tasks (org_id, project_id, assignee, title) select org_id, id, '00000000-0000-4000-8000-000000000001', slug from api.projects;
  insert into api.settings select id, 'dark', '{"a": [1]}' from api.profiles;
  insert into api.labels values (1, null, 'for all'), (2, '00000000-0000-4000-8000-000000000001', 'mine');
  insert into api.audit values (1, 'x');
  do $$ declare t text; begin
    foreach t in array array['profiles', 'posts', 'projects', 'tasks', 'settings', 'labels', 'audit', 'empty'] loop
      execute format('alter table api.%I enable row level security', t);
    end loop; end $$;
  create policy everyone_reads on api.profiles for select using (true);
  create policy own on api.profiles for update using (id = (select auth.uid())) with check (id = (select auth.uid()));
  create policy public_or_own on api.posts for select using (is_public or author_id = (select auth.uid()));
  create policy own on api.posts to ${USER} using (author_id = (select auth.uid())) with check (author_id = (select auth.uid()));
  create policy of_org on api.projects to ${USER} using (org_id = (select auth.org())) with check (org_id = (select auth.org()));
  create policy of_org on api.tasks to ${USER} using (org_id = (select auth.org())) with check (org_id = (select auth.org()));
  create policy own on api.settings to ${USER} using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
  create policy shared on api.labels for select to ${USER} using (owner is null or owner = (select auth.uid()));
  create policy own on api.labels to ${USER} using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
  create policy admins on api.audit for select to ${USER} using ((select auth.is_admin()));
  create policy own on api.empty to ${USER} using (owner = (select auth.uid()));
  grant select on api.profiles, api.posts to ${ANON};
  grant select on all tables in schema api to ${USER};
  grant insert, update, delete on api.posts, api.projects, api.tasks, api.settings, api.labels, api.empty to ${USER};
  grant update (name, about) on api.profiles to ${USER};
  create view api.my_tasks with (security_invoker = on) as select * from api.tasks where assignee = auth.uid();
  grant select on api.my_tasks to ${USER};
  create function api.org_name() returns text language sql stable security definer set search_path = '' as $$ select 'Org' $$;
  create function api.post_count(who uuid) returns bigint language sql stable security definer set search_path = ''
    as $$ select count(*) from api.posts where author_id = who and is_public $$;
  create function api.profile_of(who uuid, at timestamptz) returns api.profiles language sql stable strict security definer set search_path = ''
    as $$ select p from api.profiles as p where id = who $$;
  create function api.register(name text) returns api.profiles language sql strict security definer set search_path = ''
    as $$ insert into api.profiles (id, name) values (gen_random_uuid(), name) returning * $$;
  alter table api.labels add column updated_at timestamptz;
  create function auth.touch() returns trigger language plpgsql as $$ begin new.updated_at := now(); return new; end $$;
  create trigger touch before insert or update on api.labels for each row execute function auth.touch();
  analyze;`;

/** Tables without rows: leaks, tables that are right, and tables into which no caller can insert a row. */
const EMPTY = `
  ${ROLES}
  create schema api;
  create schema auth;
  create schema private;
  grant usage on schema api, auth to ${ANON}, ${USER};
  create function auth.me() returns text language sql stable
    as $$ select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub' $$;
  ${table('private', [OWN])}
  ${table('not_null', [`for select using (owner = ${ME} or owner is not null)`, `for insert with check (owner = ${ME})`])}
  ${table('beside', [OWN, 'using (true)'])}
  ${table('keys', [OWN], ', api_key text', ", 'k'")}
  ${table('any_insert', [`for select using (owner = ${ME})`, 'for insert with check (true)'])}
  ${table('any_delete', [OWN, 'for delete using (true)'])}
  ${table('checked', [OWN], ', state text', ", 'open'")}
  ${table('read_only', [`for select using (owner = ${ME} or owner is not null)`])}
  ${table('logged', [OWN])}
  create type api.state as enum ('open', 'closed');
  create table api.orgs (id uuid primary key, owner text);
  create table api.projects (id uuid primary key, org_id uuid not null references api.orgs, owner text not null, name varchar(5) not null,
    data jsonb not null, tags text[] not null, state api.state not null);
  alter table api.orgs enable row level security;
  alter table api.projects enable row level security;
  create policy own on api.orgs using (owner = ${ME}) with check (owner = ${ME});
  create policy own on api.projects using (owner = ${ME}) with check (owner = ${ME});
  create policy beside on api.projects for delete using (true);
  grant select, insert, update, delete on api.orgs, api.projects to ${USER};
  create view api.all_orgs as select * from api.orgs;
  grant select on api.all_orgs to ${USER};
  do $$ declare t text; begin
    foreach t in array array['private', 'not_null', 'beside', 'keys', 'any_insert', 'any_delete', 'checked', 'read_only', 'logged'] loop
      execute format('delete from api.%I', t);
    end loop; end $$;
  alter table api.checked add check (state in ('open', 'closed'));
  create function auth.log() returns trigger language plpgsql as $$ begin perform pg_notify('a', 'b'); return new; end $$;
  create trigger log before insert on api.logged for each row execute function auth.log();
  analyze;`;

/** Functions that fail in a session of a superuser, at each place where a read of the owner could run them. */
const TRAPS = `
  ${ROLES}
  create schema api;
  create schema auth;
  grant usage on schema api, auth to ${ANON}, ${USER};
  create function auth.me() returns text language plpgsql stable as $$ begin
    if (select rolsuper from pg_roles where rolname = session_user) and current_setting('auth.armed', true) = 'yes' then raise 'a trap'; end if;
    return nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub'; end $$;
  create function auth.trap_number(n integer) returns integer language plpgsql immutable as $$ begin perform auth.me(); return n; end $$;
  create type auth.mood as enum ('good', 'bad');
  create function auth.trap_text(mood auth.mood) returns text language plpgsql stable as $$ begin perform auth.me(); return 'x'; end $$;
  create function auth.trap_json(mood auth.mood) returns json language plpgsql stable as $$ begin perform auth.me(); return '1'; end $$;
  create cast (auth.mood as text) with function auth.trap_text(auth.mood);
  create cast (auth.mood as json) with function auth.trap_json(auth.mood);
  ${table('trapped', [`for select using (owner = ${ME} or owner is not null)`], ', mood auth.mood', ", 'good'")}
  ${table('indexed', [`for select using (owner = ${ME} or owner is not null)`])}
  create index on api.indexed ((auth.trap_number(1)));
  ${table('behind', [OWN])}
  create view api.by_view as select id, owner, auth.me() as me from api.behind;
  grant select on api.by_view to ${USER};
  do $$ begin execute format('alter database %I set auth.armed = yes', current_database()); end $$;
  analyze;`;

/** As pg_dump writes it. */
const DUMP = String.raw`--
-- PostgreSQL database dump
--

\restrict x
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE SCHEMA api;
ALTER SCHEMA api OWNER TO web_owner;
CREATE TABLE api.loose (
    id integer NOT NULL,
    email text
);
ALTER TABLE api.loose OWNER TO web_owner;
CREATE TABLE api.notes (
    id integer NOT NULL,
    owner text,
    body text
);
ALTER TABLE api.notes OWNER TO web_owner;
COPY api.loose (id, email) FROM stdin;
1	ada@example.org
\.
COPY api.notes (id, owner, body) FROM stdin;
1	ada	a\ttab, a \\ and a 'quote'
2	bob	\N
\.
ALTER TABLE ONLY api.notes ADD CONSTRAINT notes_pkey PRIMARY KEY (id);
CREATE POLICY own ON api.notes TO web_user USING (((owner = ((current_setting('request.jwt.claims'::text, true))::json ->> 'sub'::text)) OR (owner IS NOT NULL)));
ALTER TABLE api.notes ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA api TO web_anon;
GRANT USAGE ON SCHEMA api TO web_user;
GRANT SELECT ON TABLE api.notes TO web_user;
GRANT SELECT ON TABLE api.loose TO web_anon;
\unrestrict x
`;

interface Report {
  readonly findings: readonly {
    readonly rule: string;
    readonly object: string;
    readonly level: string;
    readonly curl: string;
    readonly caller: string;
  }[];
  readonly accepted: readonly unknown[];
  readonly unmatched: readonly string[];
  readonly skipped: readonly string[];
  readonly unjudged: readonly string[];
  readonly requests: number;
  readonly requestsByRole: Readonly<Record<string, number>>;
  readonly isCut: boolean;
}

/** The rows of all tables, and the state of all sequences. */
async function dump(uri: string): Promise<readonly string[]> {
  return await withSession(uri, async (session) => {
    const relations = await session.query(`
      select format('%I.%I', n.nspname, c.relname) as name, c.relkind from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm', 'S') and n.nspname !~ '^(pg_|information_schema)' order by 1`);
    const lines: string[] = [];
    for (const { name } of relations) {
      const rows = await session.query(
        `select row_to_json(t)::text as line from (select * from ${String(name)}) as t order by 1`,
      );
      lines.push(String(name), ...rows.map(({ line }) => String(line)));
    }
    return lines;
  });
}

/** A schema with a function for the caller's own name. */
const START = `${ROLES} create schema api; create schema auth; grant usage on schema api, auth to ${ANON}, ${USER};
  create function auth.me() returns text language sql stable
    as $$ select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub' $$;`;

describe('dbr check', function () {
  this.timeout(300_000);
  let folder: string;
  let database: TestDatabase | null = null;
  let server: TestServer | null = null;
  let environment: Readonly<Record<string, string>> = {};
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-check-'));
  });
  after(() => rm(folder, { recursive: true }));
  afterEach(async () => {
    if (database === null) return;
    await withSession(database.uri, (session) =>
      session.script(
        [AUTHENTICATOR, ANON, USER].map((role) => `drop owned by ${role}; drop role ${role};`).join(' '),
      ),
    );
    await database.drop();
    database = null;
    await server?.remove();
    server = null;
  });

  /** @param on a server of the test's own; without it the shared one */
  async function open(
    schema: string,
    more: Readonly<Record<string, string>> = {},
    on?: string,
  ): Promise<string> {
    database = await createTestDatabase(on);
    const { uri } = database;
    await withSession(uri, (session) => session.script(schema));
    environment = {
      DBR_DB_URI: database.uriFor(AUTHENTICATOR, 'p'),
      DBR_MIGRATE_DB_URI: uri,
      DBR_DB_SCHEMAS: 'api',
      DBR_DB_ANON_ROLE: ANON,
      ...more,
    };
    return uri;
  }
  const check = async (options: Partial<CheckOptions> = {}): Promise<Report> =>
    JSON.parse((await checkPolicies({ environment }, { ...OPTIONS, ...options })).text) as Report;
  /** The findings that make a check fail. */
  const namesOf = ({ findings }: Report): readonly string[] =>
    findings.filter(({ level }) => level !== 'info').map(({ rule, object }) => `${rule} ${object}`);
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };

  it('finds the planted leaks and nothing else, and writes nothing @long', async () => {
    const uri = await open(PLANTED);
    const before = await dump(uri);
    const rules = await file('rules', '# owners\napi.ruled owner = sub\napi.exports owner = sub\n');
    const report = await check({ rules, ...WHOLE });
    expect(await dump(uri)).to.deep.equal(before);
    expect(namesOf(report)).to.deep.equal([...LEAKS, ...CONSEQUENCES].sort());
    expect(report.isCut).to.equal(false);
    expect(report.skipped).to.deep.equal([
      'api.logged: writes would run the trigger log',
      'api.take_next: it is a volatile function',
    ]);
    for (const { curl } of report.findings)
      expect(curl).to.match(/^curl (?:-X [A-Z]+ )?'http:\/\/localhost:\d+\/[^']*'/);
  });

  it('finds nothing in a schema as users write it, and writes nothing @long', async () => {
    const uri = await open(USUAL);
    const before = await dump(uri);
    const report = await check(WHOLE);
    expect(namesOf(report)).to.deep.equal([]);
    expect(report.skipped).to.deep.equal(['api.register: it is a volatile function']);
    expect(await dump(uri)).to.deep.equal(before);
    const whole = await check({ callFunctions: true, ...WHOLE });
    expect([namesOf(whole), whole.skipped]).to.deep.equal([[], []]);
  });

  it('writes to a table whose trigger only assigns columns', async () => {
    await open(`${ROLES} create schema api; create schema auth; grant usage on schema api, auth to ${USER};
      create function auth.me() returns text language sql stable
        as $$ select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub' $$;
      create function auth.touch() returns trigger language plpgsql as $$ begin new.body := coalesce(new.body, 'x'); return new; end $$;
      ${table('notes', [OWN, 'for delete using (true)'])}
      create trigger touch before insert or update on api.notes for each row execute function auth.touch();`);
    const report = await check();
    expect(namesOf(report)).to.deep.equal(['write-of-another api.notes']);
    expect(report.skipped).to.deep.equal([]);
  });

  it('names the caller and the request of a finding, in text as in JSON', async () => {
    await open(`${ROLES} create schema api; create schema auth; grant usage on schema api, auth to ${USER};
      create function auth.me() returns text language sql stable
        as $$ select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub' $$;
      ${table('notes', [`for select using (owner = ${ME} or owner is not null)`])}`);
    const users = await file('users', `user eve is ${USER} with {"sub": "eve's"}\n`);
    const { text, code } = await checkPolicies({ environment }, { ...OPTIONS, format: 'text', users });
    expect(code).to.equal(1);
    const lines = text.split('\n');
    expect(lines.slice(0, 5)).to.deep.equal([
      'error    row-of-another  api.notes',
      "         Rows of another are visible. Their owner is not the caller's.",
      `         as eve: role ${USER}, claims {"role":"${USER}","sub":"eve's"}`,
      `         curl 'http://localhost:3000/notes?owner=neq.eve'\\''s&limit=1' -H "Authorization: Bearer $TOKEN" -H 'Accept-Profile: api'`,
      '         cure: narrow the policies, or set security_invoker',
    ]);
    expect(lines.at(-1)).to.match(/^findings: 1, accepted: 0, requests: \d+, callers: 1, tables: 1$/);
  });

  it('leaves out what the baseline accepts, and ends with 0', async () => {
    await open(`${ROLES} create schema api; grant usage on schema api to ${ANON};
      create table api.open (id integer primary key); grant select, insert on api.open to ${ANON};`);
    const options = { ...OPTIONS, format: 'sarif' } as const;
    const plain = await checkPolicies({ environment }, options);
    const baseline = await file('baseline', '# known\nopen-by-grant api.open\npolicy-slow api.gone.id\n');
    const accepted = await checkPolicies({ environment }, { ...options, baseline });
    expect([plain.code, accepted.code]).to.deep.equal([1, 0]);
    const validate = new Ajv({ strict: false }).compile(SARIF);
    for (const { text } of [plain, accepted])
      expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).to.equal(true);
    expect(accepted.text).to.include('"kind": "external"');
    expect(plain.text).not.to.include('"suppressions"');
    const report = await check({ baseline });
    expect([report.findings, report.accepted.length, report.unmatched]).to.deep.equal([
      [],
      1,
      ['policy-slow api.gone.id'],
    ]);
  });

  it('notes estimates that count hidden rows, and does not fail @long', async () => {
    await open(`${ROLES} create schema api; grant usage on schema api to ${USER};
      create table api.notes (id integer primary key, owner text);
      insert into api.notes select n, 'user ' || n % 50 from generate_series(1, 900) as n;
      alter table api.notes enable row level security;
      create policy own on api.notes using (owner || '' = (select current_setting('request.jwt.claims')::json ->> 'sub')
        and id % 7 in (0, 1, 2, 3, 4, 5, 6) and length(owner) < 99);
      create policy others on api.notes using (length(owner) > 900 or id = 1);
      grant select on api.notes to ${USER}; analyze;`);
    const users = await file('users', `user ada is ${USER} with {"sub": "user 1"}\n`);
    const { text, code } = await checkPolicies({ environment }, { ...OPTIONS, users });
    const { findings } = JSON.parse(text) as Report;
    expect(findings.map(({ rule, object }) => `${rule} ${object}`)).to.deep.equal([
      'hidden-by-estimate api.notes',
    ]);
    expect(code).to.equal(0);
    environment = { ...environment, DBR_DB_ESTIMATES_UNDER_POLICIES: 'false' };
    expect((await check({ users })).findings).to.deep.equal([]);
  });

  it('lets a caller insert a row into an empty table, and names the tables where none can @long', async () => {
    const uri = await open(EMPTY);
    const before = await dump(uri);
    const report = await check(WHOLE);
    expect(await check(WHOLE), 'the same seed, the same report').to.deep.equal(report);
    expect(namesOf(report)).to.deep.equal([
      'row-of-another api.all_orgs',
      'row-of-another api.beside',
      'row-of-another api.not_null',
      'secret-readable api.keys.api_key',
      'write-leaves-tenant api.any_insert',
      'write-leaves-tenant api.beside',
      'write-of-another api.any_delete',
      'write-of-another api.beside',
      'write-of-another api.projects',
    ]);
    expect(report.skipped).to.deep.equal([
      'api.checked: no row of it is known, and no caller could insert one',
      'api.logged: no row of it is known, and an insert would run the trigger log',
      'api.logged: writes would run the trigger log',
      'api.read_only: no row of it is known, and no caller could insert one',
    ]);
    expect(await dump(uri)).to.deep.equal(before);
  });

  it('runs code of users with the rights of requests alone', async () => {
    await open(TRAPS);
    const report = await check(WHOLE);
    expect(namesOf(report)).to.deep.equal([
      'row-of-another api.by_view',
      'row-of-another api.indexed',
      'row-of-another api.trapped',
    ]);
    expect(report.skipped).to.deep.equal([
      'api.indexed: its rows cannot be read: an index or a column calls the function auth.trap_number',
      'api.indexed: no row of it is known, and no caller could insert one',
    ]);
  });

  it('checks tables and columns whose names mean something in patterns and in URLs', async () => {
    await open(`${START} ${table('notes', [OWN, 'for select using (owner is not null)'], ', "x&_token" text', ", 'x'")}
      alter table api.notes rename column owner to "owner&co";
      alter table api.notes rename to "c++ (a";`);
    const report = await check();
    expect(namesOf(report)).to.deep.equal([
      'row-of-another api.c++ (a',
      'secret-readable api.c++ (a.x&_token',
    ]);
    expect(report.findings.map(({ curl }) => curl.split(' ')[1])).to.deep.equal([
      "'http://localhost:3000/c%2B%2B%20(a?owner%26co=neq.ada&limit=1'",
      "'http://localhost:3000/c%2B%2B%20(a?select=x%26_token&x%26_token=not.is.null&limit=1'",
    ]);
  });

  it('follows policies of roles that the role of a caller inherits', async () => {
    await open(`${START} create role ${EDITOR}; grant ${EDITOR} to ${USER};
      ${table('notes', [OWN, `for select to ${EDITOR} using (true)`])}
      ${table('apart', [OWN, 'for select to pg_monitor using (true)'])}`);
    try {
      expect(namesOf(await check())).to.deep.equal([]);
    } finally {
      await withSession(database?.uri ?? '', (session) =>
        session.script(`drop owned by ${EDITOR}; drop role ${EDITOR}`),
      );
    }
  });

  it('takes no answer with a part of the rows for an error @long', async () => {
    await open(`${START} ${table('whole', [])} drop table api.whole;
      create table api.notes (id integer primary key, owner text) partition by range (id);
      create table api.notes_1 partition of api.notes for values from (0) to (100);
      insert into api.notes select n, case n % 2 when 0 then 'ada' else 'bob' end from generate_series(1, 6) as n;
      alter table api.notes enable row level security;
      create policy own on api.notes ${OWN};
      grant select on api.notes to ${USER}; analyze;`);
    // The planner expects no row for a number that is in no partition: the estimates give 206 and 200.
    const { findings } = await check();
    expect(findings.map(({ rule, object }) => `${rule} ${object}`)).to.deep.equal([
      'hidden-by-estimate api.notes',
    ]);
  });

  it('finds an insert for another that an exclusion constraint ends @long', async () => {
    await open(`${START}
      ${table('bookings', [`for select using (owner = ${ME})`, 'for insert with check (true)'], ', during int4range, exclude using gist (during with &&)', ', int4range(n, n + 1)')}
      ${table('bookings_of_own', [OWN], ', during int4range, exclude using gist (during with &&)', ', int4range(n, n + 1)')}`);
    expect(namesOf(await check())).to.deep.equal(['write-leaves-tenant api.bookings']);
  });

  it('finds rows of another by a column of the type of an extension @long', async () => {
    const make = (name: string, using: string): string => `
      create table api.${name} (id integer primary key, owner extensions.citext);
      insert into api.${name} values (1, 'ada'), (2, 'bob');
      alter table api.${name} enable row level security;
      create policy own on api.${name} using (owner operator(extensions.=) ${ME}::extensions.citext);
      ${using} grant select on api.${name} to ${USER};`;
    await open(`${START} create schema extensions; create extension citext schema extensions;
      grant usage on schema extensions to ${USER}; ${make('notes', '')}
      ${make('beside', 'create policy beside on api.beside for select using (owner is not null);')}`);
    expect(namesOf(await check())).to.deep.equal(['row-of-another api.beside']);
  });

  it('checks the grants of foreign tables, and sends them no requests @long', async () => {
    await open(`${START} create extension file_fdw; create server absent foreign data wrapper file_fdw;
      create foreign table api.people (id integer, email text) server absent options (filename '/absent');
      create foreign table api.countries (id integer, name text) server absent options (filename '/absent');
      grant select on api.people, api.countries to ${ANON};`);
    const report = await check();
    expect(namesOf(report)).to.deep.equal(['open-by-grant api.people']);
    expect(report.requestsByRole).to.deep.equal({});
  });

  it('finds rows of another behind a view of a partition @long', async () => {
    await open(`${START}
      create table api.notes (id integer primary key, owner text) partition by range (id);
      create table api.notes_1 partition of api.notes for values from (0) to (100);
      insert into api.notes select n, case n % 2 when 0 then 'ada' else 'bob' end from generate_series(1, 6) as n;
      alter table api.notes enable row level security;
      create policy own on api.notes ${OWN};
      create view api.recent as select * from api.notes_1;
      create view api.own_recent as select * from api.notes_1 where owner = auth.me();
      grant select on api.notes, api.recent, api.own_recent to ${USER};`);
    expect(namesOf(await check())).to.deep.equal(['row-of-another api.recent']);
  });

  it('says that it does not try writes to views @long', async () => {
    await open(`${START} ${table('notes', [OWN])}
      create view api.own_notes as select * from api.notes where owner = auth.me();
      create view api.numbers as select count(*) as notes from api.notes where owner = auth.me();
      grant select, insert on api.own_notes, api.numbers to ${USER};`);
    expect((await check()).skipped).to.deep.equal(['api.own_notes: writes to a view are not tried']);
  });

  it('finds rows of another where their owner is not readable @long', async () => {
    await open(`${START} ${table('notes', [OWN])} ${table('columns', [OWN, 'for select using (owner is not null)'])}
      ${table('own_columns', [OWN])}
      revoke select on api.columns, api.own_columns from ${USER};
      grant select (id, body) on api.columns, api.own_columns to ${USER};
      create view api.bodies as select id, body from api.notes;
      create view api.own_bodies as select id, body from api.notes where owner = auth.me();
      create view api.bodies_of_invoker with (security_invoker) as select id, body from api.notes;
      create materialized view api.copies as select id, body from api.notes;
      ${table('empty', [OWN])} delete from api.empty;
      create view api.empty_bodies as select id, body from api.empty;
      grant select on api.bodies, api.own_bodies, api.bodies_of_invoker, api.copies, api.empty_bodies to ${USER};`);
    const report = await check();
    expect(namesOf(report).filter((name) => name !== 'hidden-by-error api.own_bodies')).to.deep.equal([
      'row-of-another api.bodies',
      'row-of-another api.columns',
      'row-of-another api.copies',
      'row-of-another api.empty_bodies',
    ]);
  });

  it('takes a value of character(n) without its blanks, and a generated owner for what it is @long', async () => {
    await open(`${START}
      ${table('padded', [OWN])} alter table api.padded rename to padded_text;
      create table api.padded (id integer primary key, owner character(9));
      insert into api.padded select id, owner from api.padded_text;
      create table api.generated (id integer primary key, data jsonb, owner text generated always as (data ->> 'owner') stored);
      insert into api.generated select id, jsonb_build_object('owner', owner) from api.padded_text;
      alter table api.padded enable row level security;
      alter table api.generated enable row level security;
      create policy own on api.padded ${OWN};
      create policy own on api.generated ${OWN};
      grant select, insert, update, delete on api.padded, api.generated to ${USER};`);
    expect(namesOf(await check(WHOLE))).to.deep.equal([]);
  });

  it('finds an update that takes rows over @long', async () => {
    await open(`${START}
      ${table('notes', [`for select using (owner = ${ME})`, `for update using (true) with check (owner = ${ME})`])}
      revoke insert on api.notes from ${USER};`);
    expect(namesOf(await check())).to.deep.equal(['write-of-another api.notes']);
  });

  it('says whose rows it cannot read', async () => {
    await open(`${ROLES} create schema api; grant usage on schema api to ${USER};
      create table api.notes (id integer primary key, owner text);
      create policy own on api.notes using (owner = current_setting('request.jwt.claims')::json ->> 'sub');
      alter table api.notes enable row level security;
      grant select on api.notes to ${USER};`);
    environment = { ...environment, DBR_MIGRATE_DB_URI: environment['DBR_DB_URI'] ?? '' };
    expect((await check()).skipped).to.include(
      'api.notes: its rows cannot be read: permission denied for schema api',
    );
  });

  it('lists what no request could show a fault of', async () => {
    await open(`${START}
      ${table('notes', [OWN])}
      create table api.comments (id integer primary key, note integer not null references api.notes on delete cascade, owner text);
      create table api.documents (id integer primary key, data jsonb not null);
      alter table api.comments enable row level security;
      alter table api.documents enable row level security;
      create policy own on api.comments ${OWN};
      create policy own on api.documents using ((data ->> 'owner') = ${ME});
      grant select on api.comments, api.documents to ${USER};
      create function api.first_owner(api.notes) returns text language sql stable security definer
        as $$ select owner from api.notes order by id limit 1 $$;
      create function api.has_notes(owner text) returns boolean language sql stable security definer
        as $$ select exists (select from api.notes as n where n.owner = $1) $$;`);
    expect((await check(WHOLE)).unjudged).to.deep.equal([
      'api.documents: the policy own finds the owner inside the document data',
      'api.first_owner: a computed column, which reads with the rights of its owner',
      'api.has_notes: it answers true or false with the rights of its owner',
      'api.notes: a delete deletes rows of api.comments, also those of others',
    ]);
  });

  it('ends at the limit of requests, and says so', async () => {
    await open(`${START} ${table('notes', [OWN])} ${table('beside', [OWN])}`);
    const report = await check({ requests: 40 });
    expect(report.isCut).to.equal(true);
    expect(report.requests).to.be.within(40, 50);
  });

  it('runs triggers and volatile functions only where this is asked for @long', async () => {
    const uri = await open(`${START} ${COUNTED} ${LOGGED}`);
    expect(namesOf(await check({ callFunctions: true }))).to.include('write-leaves-tenant api.logged');
    const [last] = await withSession(uri, (session) =>
      session.query('select last_value > 2 as is_advanced from api.counted_id_seq'),
    );
    expect(last).to.deep.equal({ is_advanced: true });
  });

  inAllRuns('finds nothing in the sample database @long', async () => {
    // The sample grants to the roles of an installation, whose presence other tests of the shared server would see.
    server = await startTestServer();
    const uri = await open(`${ROLES} create role dbr_authenticator login noinherit`, {}, server.uri);
    await loadSampleDatabase(uri);
    await withSession(uri, (session) =>
      session.script(`grant anon, web_user to ${AUTHENTICATOR};
        insert into geo.user_notes (user_id, country_code, body) select 'user ' || n % 4, 'DE', 'note ' || n from generate_series(1, 20) as n;
        insert into geo.ratings select 'user ' || n, 'FR', 4 from generate_series(1, 4) as n; analyze;`),
    );
    environment = { ...environment, DBR_DB_SCHEMAS: 'geo', DBR_DB_ANON_ROLE: 'anon' };
    const before = await dump(uri);
    const { text, code } = await checkPolicies({ environment }, { ...OPTIONS, ...WHOLE });
    expect(namesOf(JSON.parse(text) as Report)).to.deep.equal([]);
    expect(code).to.equal(0);
    expect(await dump(uri)).to.deep.equal(before);
  });

  for (const [name, design] of some(Object.entries(DESIGNS), 3))
    it(`finds nothing in the design of a public example: ${name} @long`, async () => {
      const uri = await open(`${ROLES} ${design({ anonymous: ANON, user: USER })}`);
      const before = await dump(uri);
      const report = await check(WHOLE);
      expect(namesOf(report)).to.deep.equal([]);
      expect(await dump(uri)).to.deep.equal(before);
    });

  it('is a command that exits with 0, 1 for findings, and 2 where it cannot run @long', async () => {
    await open(`${ROLES} create schema api; grant usage on schema api to ${ANON};
      create table api.open (id integer primary key); grant insert on api.open to ${ANON};`);
    const baseline = await file('all', 'open-by-grant api.open\n');
    const codes = [];
    const away = { DBR_DB_URI: 'postgres://a@127.0.0.1:1/a' };
    const wrong = [
      ['--seed', 'x'],
      ['--rules', join(folder, 'absent')],
    ];
    const refused = some([{ args: [], settings: away }, ...wrong.map((args) => ({ args, settings: {} }))], 3);
    for (const args of [['--baseline', baseline], []])
      codes.push((await runDbr(['check', ...args], environment)).code);
    expect(codes).to.deep.equal([0, 1]);
    for (const { args, settings } of refused)
      expect((await runDbr(['check', ...args], { ...environment, ...settings })).code).to.equal(2);
  });

  it('restores a dump into a server of its own, and leaves nothing of it @long', async () => {
    const folders = async (): Promise<readonly string[]> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('dbr-dump-'));
    const before = await folders();
    const dump = await file('leaks.sql', DUMP);
    const broken = await file('broken.sql', 'CREATE TABLE a (b nothing);\n');
    // No server listens there.
    environment = {
      DBR_DB_URI: 'postgres://a@127.0.0.1:1/a',
      DBR_DB_SCHEMAS: 'api',
      DBR_DB_ANON_ROLE: 'web_anon',
    };
    const report = await check({ dump, ...WHOLE });
    expect(namesOf(report)).to.deep.equal(['open-by-grant api.loose', 'row-of-another api.notes']);
    expect(report.skipped).to.deep.equal([]);
    expect(Object.keys(report.requestsByRole).sort()).to.deep.equal(['web_anon', 'web_user']);
    const error = await check({ dump: broken }).catch((reason: unknown) => reason);
    expect(error)
      .to.be.an('error')
      .with.property('message', `${broken} cannot be restored: type "nothing" does not exist`);
    expect((await folders()).filter((name) => !before.includes(name))).to.deep.equal([]);
  });

  it('refuses a rule and a user that cannot be read', async () => {
    await open(`${ROLES} create schema api;`);
    const rules = await file('rules', 'api.notes owner sub\n');
    const users = await file('users', 'user eve\n');
    for (const [options, message] of [
      [{ rules }, `${rules}:1: a rule is \`SCHEMA.TABLE COLUMN = CLAIM\``],
      [{ users }, `${users}:1: a user is \`user NAME is ROLE\` or \`user NAME is ROLE with {claims}\``],
      [
        { rules: join(folder, 'absent') },
        `ENOENT: no such file or directory, open '${join(folder, 'absent')}'`,
      ],
    ] as const) {
      const error = await check(options).catch((reason: unknown) => reason);
      expect(error).to.be.an('error').with.property('message', message);
    }
  });
});

/** What the schema of SARIF 2.1.0 requires of the objects that a report has. */
const TEXT = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
const LEVEL = { enum: ['none', 'note', 'warning', 'error'] };
const SARIF = {
  type: 'object',
  required: ['version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', pattern: '^https://' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool'],
        additionalProperties: false,
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            additionalProperties: false,
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                additionalProperties: false,
                properties: {
                  name: { type: 'string' },
                  version: { type: 'string' },
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      required: ['id'],
                      additionalProperties: false,
                      properties: {
                        id: { type: 'string' },
                        shortDescription: TEXT,
                        help: TEXT,
                        defaultConfiguration: { type: 'object', properties: { level: LEVEL } },
                      },
                    },
                  },
                },
              },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              additionalProperties: false,
              properties: {
                ruleId: { type: 'string' },
                ruleIndex: { type: 'integer', minimum: 0 },
                level: LEVEL,
                message: TEXT,
                locations: {
                  type: 'array',
                  items: {
                    type: 'object',
                    additionalProperties: false,
                    properties: {
                      logicalLocations: {
                        type: 'array',
                        uniqueItems: true,
                        items: { type: 'object', properties: { fullyQualifiedName: { type: 'string' } } },
                      },
                    },
                  },
                },
                partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
                suppressions: {
                  type: 'array',
                  uniqueItems: true,
                  items: {
                    type: 'object',
                    required: ['kind'],
                    additionalProperties: false,
                    properties: {
                      kind: { enum: ['inSource', 'external'] },
                      status: { enum: ['accepted', 'underReview', 'rejected'] },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
