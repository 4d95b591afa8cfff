/** The database of a run, set up as the manual says: an owner, an authenticator, a service role, and the tables of the clients. */
import { migrate } from '../../src/postgres/migrate.js';
import { withSession } from '../../src/postgres/session.js';
import { MIGRATIONS } from '../../test/support/postgres/migrated-database.js';
import { SECRET } from '../../test/support/service/service-processes.js';
import { ROWS } from './data-clients.js';

const ROLES = `
create role anon nologin;
create role authenticator login noinherit password 'authenticator';
grant anon to authenticator;
create role dbr_service login noinherit password 'service';
create role dbr_owner login createrole password 'owner';
grant create on database postgres to dbr_owner`;

const TABLES = `
grant dbr_notifications_user, dbr_notifications_producer, dbr_notifications_system,
  dbr_signing_service, dbr_signing_sweeper, dbr_erasure to dbr_service;
grant dbr_idempotency to authenticator;
create table public.registers (id integer primary key, value integer not null) with (fillfactor = 50);
create table public.journal (id bigint generated always as identity primary key, log integer not null, entry integer not null);
create index on public.journal (log, entry);
create table public.parts (id bigint generated always as identity primary key, batch integer not null, part integer not null);
create index on public.parts (batch);
insert into public.registers (id, value) select number, 0 from generate_series(0, ${String(ROWS - 1)}) as number;
grant select, insert, update on public.registers, public.journal, public.parts to anon`;

/** @param hosts `host:port`, several with commas */
export async function prepareDatabase(hosts: string, superuser: string): Promise<void> {
  const uri = (user: string): string =>
    `postgresql://${user}@${hosts}/postgres?target_session_attrs=read-write`;
  await withSession(uri(superuser), (session) => session.script(ROLES));
  await migrate(uri('dbr_owner:owner'), MIGRATIONS);
  await withSession(uri(superuser), (session) => session.script(TABLES));
}

/** Settings of an instance. @param replicas hosts to read from; null for none */
export const instanceSettings = (
  hosts: string,
  replicas: string | null,
): Readonly<Record<string, string>> => ({
  DBR_DB_URI: `postgresql://authenticator:authenticator@${hosts}/postgres?target_session_attrs=read-write&connect_timeout=5`,
  DBR_SERVICE_DB_URI: `postgresql://dbr_service:service@${hosts}/postgres?target_session_attrs=read-write&connect_timeout=5`,
  ...(replicas === null
    ? {}
    : {
        DBR_DB_REPLICA_URI: `postgresql://authenticator:authenticator@${replicas}/postgres?connect_timeout=5`,
      }),
  DBR_DB_ANON_ROLE: 'anon',
  DBR_DB_SCHEMAS: 'public',
  DBR_DB_IDEMPOTENCY: 'true',
  DBR_DB_IDEMPOTENCY_ROWS: '4000000',
  DBR_DB_IDEMPOTENCY_BYTES: '4000000000',
  DBR_DB_POOL: '8',
  DBR_SERVICE_DB_POOL: '6',
  DBR_NOTIFICATIONS_DB_POOL: '3',
  DBR_SERVICE_JWT_SECRET: SECRET,
  DBR_SERVER_WORKERS: '2',
  DBR_ROUTER_DEV_TOKENS: 'true',
  DBR_ROUTER_CALL_LIMIT: '0',
  DBR_SIGNING_SESSION_LIMIT: '0',
  DBR_SIGNING_READY_TIME: '300',
  DBR_NOTIFICATIONS_LIST_LIMIT: '0',
  DBR_NOTIFICATIONS_COUNT_LIMIT: '0',
  DBR_NOTIFICATIONS_CHANGE_LIMIT: '0',
  DBR_LOG_LEVEL: 'warn',
  DBR_LOG_FORMAT: 'json',
});
