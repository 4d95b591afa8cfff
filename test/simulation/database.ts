/** The database of the simulation: small tables under row security, whose content the auditor can compute itself. */
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const TENANTS = [1, 2, 3] as const;
export const FILMS = 40;
export const LONG_ROWS = 300;
export const FILLER = 'x'.repeat(400);

export const SECRET = 'a secret of the simulation, long enough';

const tenantClaim = `(current_setting('request.jwt.claims', true)::json ->> 'tenant')::int`;

const secured = (table: string): string => `
alter table api.${table} enable row level security;
create policy own on api.${table} to web_user using (tenant = ${tenantClaim}) with check (tenant = ${tenantClaim});
grant select, insert, update, delete on api.${table} to web_user;`;

const SCHEMA = `
create role authenticator login noinherit;
create role web_user nologin;
grant web_user to authenticator;
grant dbr_idempotency to authenticator;
create schema api;
grant usage on schema api to web_user;

create table api.films (id int primary key, tenant int not null, title text not null, rating int not null);
insert into api.films
  select tenant * 1000 + n, tenant, 'film ' || tenant * 1000 + n, (tenant * 1000 + n) * 7 % 10
    from generate_series(1, 3) as tenant, generate_series(1, ${String(FILMS)}) as n;
create table api.long_rows (id int primary key, tenant int not null, filler text not null);
insert into api.long_rows
  select tenant * 1000 + n, tenant, repeat('x', ${String(FILLER.length)})
    from generate_series(1, 3) as tenant, generate_series(1, ${String(LONG_ROWS)}) as n;
create table api.marks (mark text not null, tenant int not null default ${tenantClaim});
create table api.orders (id int primary key generated always as identity, mark text not null, tenant int not null default ${tenantClaim});
create table api.lines (
  id int primary key generated always as identity,
  order_id int not null references api.orders on delete cascade,
  number int not null,
  tenant int not null default ${tenantClaim}
);
create table api.counters (tenant int primary key, value int not null);
insert into api.counters values (1, 0), (2, 0), (3, 0);
create table api.versions (id int primary key, tenant int not null);
insert into api.versions values (1, 1), (2, 2), (3, 3);
${['films', 'long_rows', 'marks', 'orders', 'lines', 'counters', 'versions'].map(secured).join('\n')}
create function api.whoami() returns json stable language sql
  begin atomic select current_setting('request.jwt.claims', true)::json; end;
create function api.add(by int) returns int volatile language sql
  begin atomic update api.counters set value = value + by returning value; end;
grant execute on all functions in schema api to web_user;
`;

/** The migrations and the schema. @param root the folder of the package */
export function databaseScripts(root: string): readonly string[] {
  const folder = join(root, 'migrations');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return [...files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8')), SCHEMA];
}

/** Brings the data back to what it was. */
export const RESET = `
truncate api.marks, api.orders, api.lines, dbr_requests.idempotent restart identity;
update api.counters set value = 0 where value <> 0;
alter role authenticator reset all;
do $$
declare name text;
begin
  for name in select column_name from information_schema.columns
      where table_schema = 'api' and table_name = 'versions' and column_name like 'extra%' loop
    execute format('alter table api.versions drop column %I', name);
  end loop;
end $$;`;

export interface Claims {
  readonly role: string;
  readonly tenant: number;
  readonly sub: string;
  /** Seconds since the epoch. */
  readonly exp: number;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function tokenOf(claims: Claims, secret = SECRET): string {
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
