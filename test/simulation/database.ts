/** The database of the simulation: small tables under row security, whose content the auditor can compute itself. */
import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_CHANNEL } from './live-log.js';

export const TENANTS = [1, 2, 3] as const;
export const FILMS = 40;
export const LONG_ROWS = 300;
export const FILLER = 'x'.repeat(400);

/** The setting `server-max-body-size`. */
export const MOST_BODY_BYTES = 2048;

export const SECRET = 'a secret of the simulation, long enough';

const tenantClaim = `(current_setting('request.jwt.claims', true)::json ->> 'tenant')::int`;

const secured = (table: string): string => `
alter table api.${table} enable row level security;
create policy own on api.${table} to web_user using (tenant = ${tenantClaim}) with check (tenant = ${tenantClaim});
grant select, insert, update, delete on api.${table} to web_user;`;

/** A client sees a room where it has a seat. @param more a condition of its columns */
export const policyOfRooms = (more: string): string => `
alter policy own on api.rooms using (
  tenant = ${tenantClaim} and (${more})
  and exists (select from api.seats where seats.tenant = rooms.tenant and seats.area = rooms.area)
);`;

/** The roles that migrations look for. */
const ROLES = `
create role dbr_service login noinherit;
create schema dbr_meta;
create table dbr_meta.migrations (
  number integer primary key,
  file text not null,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
grant usage on schema dbr_meta to public;
grant select on dbr_meta.migrations to public;`;

const migration = (folder: string, file: string): string => {
  const text = readFileSync(join(folder, file), 'utf8');
  const digest = createHash('sha256').update(text).digest('hex');
  return `${text}
reset role; reset all;
insert into dbr_meta.migrations (number, file, sha256) values (${String(Number(file.slice(0, 4)))}, '${file}', '${digest}');`;
};

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
create table api.notes (tenant int default ${tenantClaim}, key text, value int not null, primary key (tenant, key));
create table api.counters (tenant int primary key, value int not null);
insert into api.counters values (1, 0), (2, 0), (3, 0);
${['films', 'long_rows', 'marks', 'orders', 'lines', 'counters', 'notes'].map(secured).join('\n')}
create table api.rooms (id int primary key, tenant int not null, area int not null, rank int not null);
create table api.items (
  room int references api.rooms on update cascade on delete cascade,
  number int,
  tenant int not null,
  primary key (room, number)
);
create table api.seats (tenant int, area int, primary key (tenant, area));
${['rooms', 'items', 'seats'].map(secured).join('\n')}
${policyOfRooms('true')}
create function api.change_rooms(what text, room int, number int) returns void volatile security definer language plpgsql as $$
declare
  own int := ${tenantClaim};
  seen bigint := (select count(*) from api.rooms join api.seats using (tenant, area) where tenant = own);
  -- Most changes are of a room that clients see.
  chosen int := (
    select id from api.rooms left join api.seats using (tenant, area) where tenant = own
     order by seats is null, id
     offset room % greatest(1, case when room < 6 and seen > 0 then seen else (select count(*) from api.rooms where tenant = own) end)
     limit 1
  );
begin
  case what
    when 'add' then
      insert into api.rooms values (own * 1000 + room, own, number % 3, number)
        on conflict (id) do update set area = excluded.area, rank = excluded.rank;
    when 'rank' then update api.rooms set rank = number where id = chosen;
    when 'move' then update api.rooms set area = number % 3 where id = chosen;
    when 'remove' then delete from api.rooms where id = chosen;
    when 'remove-first' then
      delete from api.rooms where id = (
        select id from api.rooms join api.seats using (tenant, area) where tenant = own order by rank, id limit 1
      );
    when 'renumber' then
      update api.rooms set id = id + 100 where id = chosen and not exists (select from api.rooms where id = chosen + 100);
    when 'item' then
      delete from api.items where items.room = chosen and items.number = change_rooms.number;
      if not found then
        insert into api.items select chosen, change_rooms.number, own where chosen is not null;
      end if;
    when 'no-items' then delete from api.items where items.room = chosen;
    when 'seat' then
      delete from api.seats where tenant = own and area = (select area from api.rooms where id = chosen);
      if not found then
        insert into api.seats select own, area from api.rooms where id = chosen;
      end if;
    when 'all' then update api.rooms set rank = (rank + number) % 10 where tenant = own;
  end case;
end $$;
create schema simulation;
create sequence simulation.reports;
create function simulation.report() returns trigger security definer language plpgsql as $$
declare
  report text := json_build_object(
    'number', nextval('simulation.reports'), 'xid', pg_current_xact_id()::text, 'oid', tg_relid::int8,
    'table', tg_table_name, 'op', tg_op, 'key', tg_argv[0], 'old', to_json(old), 'new', to_json(new));
begin
  perform pg_notify('${LOG_CHANNEL}', report);
  perform set_config('simulation.reports', coalesce(current_setting('simulation.reports', true), '') || report || E'\\n', true);
  return null;
end $$;
create trigger report after insert or update or delete on api.rooms for each row execute function simulation.report('id');
create trigger report after insert or update or delete on api.items for each row execute function simulation.report('room,number');
create trigger report after insert or update or delete on api.seats for each row execute function simulation.report('tenant,area');
create function api.whoami() returns json stable language sql
  begin atomic select current_setting('request.jwt.claims', true)::json; end;
create function api.add(by int) returns int volatile language sql
  begin atomic update api.counters set value = value + by returning value; end;
grant execute on all functions in schema api to web_user;
create role web_guest nologin;
grant web_guest to authenticator;
grant usage on schema api to web_guest;
grant select on api.films to web_guest;
create policy guest on api.films to web_guest using (tenant = ${tenantClaim});
`;

/** The migrations and the schema. @param root the folder of the package */
export function databaseScripts(root: string): readonly string[] {
  const folder = join(root, 'migrations');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return [ROLES, ...files.toSorted().map((file) => migration(folder, file)), SCHEMA];
}

/** Makes a function, which only a cache that was loaded afterwards has. */
export const newFunction = (name: string): string => `
create function api.${name}() returns int volatile language sql begin atomic select 7; end;
grant execute on function api.${name}() to web_user;`;

/** Rooms of each tenant, of which it sees two thirds. */
export const ROOMS = `
delete from api.rooms;
delete from api.seats;
insert into api.seats select tenant, area from generate_series(1, 3) as tenant, generate_series(0, 1) as area;
insert into api.rooms
  select tenant * 1000 + n, tenant, n % 3, n from generate_series(1, 3) as tenant, generate_series(1, 9) as n;`;

export const LIVE_DATA = `
${policyOfRooms('true')}
listen ${LOG_CHANNEL};
${ROOMS}`;

/** Brings the data back to what it was. Tables are truncated when they have become long, because that takes longer. */
export const RESET = `
do $$
declare name text;
begin
  if (select count(*) from api.marks) + (select count(*) from dbr_requests.idempotent) > 0
     or (select count(*) from api.orders) > 0 then
    if random() < 0.02 then
      truncate api.marks, api.orders, api.lines, dbr_requests.idempotent;
    else
      delete from api.marks;
      delete from api.orders;
      delete from dbr_requests.idempotent;
    end if;
  end if;
  delete from api.notes;
  update api.counters set value = 0 where value <> 0;
  if exists (select from pg_db_role_setting) then
    alter role authenticator reset all;
  end if;
  for name in select proname from pg_proc where pronamespace = 'api'::regnamespace and proname like 'extra%' loop
    execute format('drop function api.%I()', name);
  end loop;
end $$;`;

const AREA_TABLES = `
select format('delete from %I.%I', schemaname, tablename) as statement
  from pg_tables
 where schemaname in ('dbr_notifications', 'dbr_signing') and tablename not in ('stream_horizon', 'categories')`;

const AREA_SEQUENCES = `
select format('alter sequence %I.%I restart', schemaname, sequencename) as statement
  from pg_sequences
 where schemaname in ('dbr_notifications', 'dbr_signing')`;

/**
 * Empties the tables of notifications and signing, also those whose triggers refuse it. Identifiers begin again, so that the
 * same schedule has the same ones.
 */
export const RESET_AREAS = `
set session_replication_role = replica;
do $$
declare entry record;
begin
  for entry in ${AREA_TABLES} union all ${AREA_SEQUENCES} loop
    execute entry.statement;
  end loop;
end $$;
set session_replication_role = origin;`;

export interface Claims {
  readonly role: string;
  readonly tenant: number;
  /** The tenant of areas A and B. */
  readonly tenantId: string;
  readonly scope: string;
  readonly sub: string;
  /** Seconds since the epoch. */
  readonly exp: number;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function tokenOf(claims: Claims, secret = SECRET): string {
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
