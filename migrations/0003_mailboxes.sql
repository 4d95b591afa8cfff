-- Messages between the parties of a session, until the session ends. Each session has a log; the mailboxes follow from it.

-- A position is written once: of two processes that write it, one learns that the other was first. There is no foreign key:
-- an insert locks the session's row against its end, and the end of a session erases its log.
create table dbr_signing.router_log (
  session_id uuid not null,
  position bigint not null check (position > 0),
  tenant_id text not null,
  -- JSON text, without the payloads.
  entry text not null,
  -- Base64, one for each message of the entry.
  payloads text[] not null,
  primary key (session_id, position)
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.01);
comment on table dbr_signing.router_log is 'Accepted messages and begun subscriptions of a session, in one order.';
-- Payloads are random or encrypted: compressing them costs time and saves nothing.
alter table dbr_signing.router_log alter column payloads set storage external;

create table dbr_signing.router_readers (
  session_id uuid not null,
  party_id text not null,
  tenant_id text not null,
  -- The highest position of the mailbox that was delivered, and the highest that was acknowledged.
  delivered bigint not null default 0,
  acked bigint not null default 0,
  primary key (session_id, party_id),
  foreign key (tenant_id, session_id) references dbr_signing.signing_sessions (tenant_id, session_id) on delete cascade
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
comment on table dbr_signing.router_readers is 'What each participant of a session has received of its mailbox.';

do $$
declare
  name text;
begin
  foreach name in array array['router_log', 'router_readers'] loop
    execute pg_catalog.format('alter table dbr_signing.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_signing.%I force row level security', name);
    execute pg_catalog.format(
      'create policy tenant on dbr_signing.%I to dbr_signing_service using (tenant_id = (select dbr_signing.tenant_id()))',
      name
    );
  end loop;
end
$$;
grant select, insert, delete on dbr_signing.router_log to dbr_signing_service;
grant select, insert, delete, update (delivered, acked) on dbr_signing.router_readers to dbr_signing_service;

-- The place in which each process that routes messages keeps the mailboxes: all processes of a database must use one.
create table dbr_signing.router_processes (
  process_id uuid primary key,
  mailboxes text not null,
  seen_at timestamptz not null default pg_catalog.clock_timestamp()
);
comment on table dbr_signing.router_processes is 'Running processes that route messages, with the place of their mailboxes; not divided by tenant.';
alter table dbr_signing.router_processes enable row level security;
alter table dbr_signing.router_processes force row level security;
create policy every_process on dbr_signing.router_processes to dbr_signing_sweeper using (true);
grant select, insert, update, delete on dbr_signing.router_processes to dbr_signing_sweeper;
