/** A service with a console over a database of names and values that are hard to show. */
import { randomBytes } from 'node:crypto';
import { mintToken } from '../../../src/auth/mint-token.js';
import { loadSettings } from '../../../src/settings/load.js';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../postgres/database.js';
import { startTestService, untilReady, type TestService } from '../service/service.js';

export interface ConsoleService {
  readonly service: TestService;
  readonly role: string;
  readonly anonymous: string;
  /** Connection string of a superuser. */
  readonly databaseUri: string;
  /** Address of the console. */
  readonly url: string;
  tokenOf(user: string, options?: { readonly role?: string; readonly scope?: string }): Promise<string>;
  stop(): Promise<void>;
}

export const MARKUP = '<img src=x onerror=alert(1)><b>&amp;';
export const RIGHT_TO_LEFT = '\u202eevil\u202c שלום مرحبا';
export const LONG = 'long '.repeat(400);
/** Cut to the length of a name in PostgreSQL. */
export const HOSTILE_TABLE = '"><script>alert(1)</script> a.b/c?d=e&f#g שם';
export const HOSTILE_COLUMN = 'x" onload="alert(1)" ,(select).';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const schemaOf = (role: string, anonymous: string): string => `
create schema shop;
grant usage on schema shop to ${role}, ${anonymous};
create function shop.who() returns text language sql stable
  as $$ select nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::json ->> 'sub' $$;
create type shop.size as enum ('small', 'large');
create domain shop.price as numeric(10, 2) check (value >= 0);
create table shop.makers (
  id integer primary key,
  name text not null,
  country text
);
comment on table shop.makers is ${literal(`Makers ${MARKUP}`)};
create table shop.items (
  id bigint generated always as identity primary key,
  name text not null,
  maker_id integer references shop.makers,
  size shop.size not null default 'small',
  price shop.price,
  stock integer not null default 0,
  sold boolean not null default false,
  tags text[] not null default '{}',
  details json,
  owner text not null default shop.who()
);
comment on column shop.items.name is ${literal(`Name ${MARKUP} ${RIGHT_TO_LEFT}`)};
alter table shop.items enable row level security;
create policy own on shop.items to ${role}
  using ((owner = shop.who()) and (not sold)) with check (owner = shop.who());
create policy readable on shop.items for select to ${anonymous} using (true);
comment on policy own on shop.items is ${literal(`Items of their owner ${MARKUP}`)};
create table shop.${quote(HOSTILE_TABLE)} (id integer primary key, ${quote(HOSTILE_COLUMN)} text);
comment on table shop.${quote(HOSTILE_TABLE)} is ${literal(`${RIGHT_TO_LEFT} ${MARKUP}`)};
insert into shop.${quote(HOSTILE_TABLE)} values (1, ${literal(MARKUP)});
create table shop.patterns (id integer primary key, text text);
insert into shop.patterns values (1, 'a*b'), (2, 'a%b'), (3, 'A.*c');
create view shop.cheap with (security_invoker = true) as select id, name from shop.items where price < 10;
create function shop.add_up(one integer, other integer default 1) returns integer language sql immutable
  as $$ select one + other $$;
create function shop.says(text text, "limit" text) returns text language sql stable as $$ select text || "limit" $$;
create function shop.headers() returns json language sql stable
  as $$ select pg_catalog.current_setting('request.headers')::json $$;
create function shop.label(shop.makers) returns text language sql stable as $$ select $1.name $$;
create function shop.echo(json) returns json language sql immutable as $$ select $1 $$;
create function shop.page() returns text language sql stable as $$ select '<script>alert(1)</script>' $$;
grant select, insert, update, delete on all tables in schema shop to ${role};
grant select on shop.makers to ${anonymous};
insert into shop.makers select n, 'Maker ' || n, case when n % 2 = 0 then 'IS' else 'NO' end from generate_series(1, 500) as n;
insert into shop.items (name, maker_id, size, price, stock, sold, details, owner) values
  ('Lamp', 7, 'small', 12.50, 3, false, '{"volts": 230.0, "note": "a\\u0000b"}', 'ada'),
  ('Chair', 8, 'large', 80.00, 9007199254740993 % 1000, false, null, 'ada'),
  (${literal(MARKUP)}, 9, 'small', 1, 0, false, null, 'ada'),
  (${literal(RIGHT_TO_LEFT)}, 9, 'small', 2, 0, false, null, 'ada'),
  (${literal(LONG)}, 9, 'small', 3, 0, false, null, 'ada'),
  ('Sold lamp', 7, 'small', 12.50, 3, true, null, 'ada'),
  ('Table of bob', 7, 'large', 99, 1, false, null, 'bob');
`;

export async function startConsoleService(
  settings: (role: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<ConsoleService> {
  const id = randomBytes(4).toString('hex');
  const [role, anonymous, authenticator] = [`clerk_${id}`, `anon_${id}`, `authenticator_${id}`];
  const database: TestDatabase = await createTestDatabase();
  await withSession(database.uri, (session) =>
    session.script(`
      create role ${role} nologin; create role ${anonymous} nologin;
      create role ${authenticator} login noinherit password 'p';
      grant ${role}, ${anonymous} to ${authenticator};
      ${schemaOf(role, anonymous)}`),
  );
  const service = await startTestService({
    areas: 'data-api',
    'db-uri': database.uriFor(authenticator, 'p'),
    'db-schemas': 'shop',
    'db-anon-role': anonymous,
    'db-plan-enabled': 'true',
    'db-explain-enabled': 'true',
    'db-explain-roles': role,
    'jwt-secret': 'dbr-development-secret-do-not-use-in-production',
    'db-live-uri': database.uri,
    ...settings(role),
  });
  await untilReady(service);
  return {
    service,
    role,
    anonymous,
    databaseUri: database.uri,
    url: `${service.adminUrl}/console/`,
    tokenOf: (user, { role: of = role, scope } = {}) =>
      mintToken(loadSettings({ file: undefined, environment: {} }), {
        tenant: 'acme',
        user,
        role: of,
        scope,
        expiresIn: 3600,
      }),
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}
