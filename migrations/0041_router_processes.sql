-- Where each process that routes messages keeps the mailboxes: processes of one database must agree.
create table dbr_signing.router_processes (
  process_id uuid primary key,
  mailboxes text not null,
  seen_at timestamptz not null default pg_catalog.clock_timestamp()
);
comment on table dbr_signing.router_processes is 'Processes that route messages now, with the place of their mailboxes; knows no tenants.';
alter table dbr_signing.router_processes enable row level security;
alter table dbr_signing.router_processes force row level security;
create policy every_process on dbr_signing.router_processes to dbr_signing_sweeper using (true);
grant select, insert, update, delete on dbr_signing.router_processes to dbr_signing_sweeper;
