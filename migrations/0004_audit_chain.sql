-- The hash chain of the audit log: one for each tenant, so that an export of a tenant can be verified alone.
-- A transaction that appends to the log takes no lock of the chain: it queues its entry, and a job seals queued entries in
-- batches within about a second. Only processes that seal entries of the same tenant wait for each other.

-- The end of each chain. The row is locked while entries are sealed.
create table dbr_signing.audit_chains (
  tenant_id text primary key check (tenant_id <> ''),
  sequence bigint not null default 0,
  hash bytea not null default pg_catalog.decode(pg_catalog.repeat('00', 32), 'hex')
    check (pg_catalog.octet_length(hash) = 32),
  sealed_at timestamptz not null default 'epoch'
);
comment on table dbr_signing.audit_chains is 'The last seal of each tenant.';

create table dbr_signing.audit_seals (
  tenant_id text not null check (tenant_id <> ''),
  sequence bigint not null check (sequence > 0),
  audit_id bigint not null unique references dbr_signing.audit_log,
  previous_hash bytea not null check (pg_catalog.octet_length(previous_hash) = 32),
  hash bytea not null check (pg_catalog.octet_length(hash) = 32),
  -- Never earlier than that of the seal before.
  sealed_at timestamptz not null,
  primary key (tenant_id, sequence)
);
comment on table dbr_signing.audit_seals is 'Places of the entries of the audit log in the chain of their tenant.';
create index audit_seals_time on dbr_signing.audit_seals (tenant_id, sealed_at, sequence);

create table dbr_signing.audit_unsealed (
  audit_id bigint primary key,
  tenant_id text not null check (tenant_id <> '')
);
comment on table dbr_signing.audit_unsealed is 'Entries of the audit log that have no seal yet.';
create index audit_unsealed_tenant on dbr_signing.audit_unsealed (tenant_id, audit_id);

create function dbr_signing.queue_for_seal() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into dbr_signing.audit_unsealed (audit_id, tenant_id) values (new.audit_id, new.tenant_id);
  return null;
end
$$;

create trigger audit_log_queue_for_seal
  after insert on dbr_signing.audit_log
  for each row execute function dbr_signing.queue_for_seal();

-- Existing entries of every tenant, which row security hides also from the owner.
alter table dbr_signing.audit_log no force row level security;
insert into dbr_signing.audit_unsealed (audit_id, tenant_id) select audit_id, tenant_id from dbr_signing.audit_log;
alter table dbr_signing.audit_log force row level security;

create trigger audit_seals_append_only
  before update or delete or truncate on dbr_signing.audit_seals
  for each statement execute function dbr_signing.refuse_change();

do $$
declare
  name text;
begin
  foreach name in array array['audit_chains', 'audit_seals', 'audit_unsealed'] loop
    execute pg_catalog.format('alter table dbr_signing.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_signing.%I force row level security', name);
    execute pg_catalog.format(
      'create policy tenant on dbr_signing.%I to dbr_signing_service using (tenant_id = (select dbr_signing.tenant_id()))',
      name
    );
  end loop;
end
$$;
grant select, insert, update on dbr_signing.audit_chains to dbr_signing_service;
grant select, insert on dbr_signing.audit_seals to dbr_signing_service;
grant select, insert, delete on dbr_signing.audit_unsealed to dbr_signing_service;

-- The sweeper finds the tenants whose entries wait; the service role of that tenant seals them.
create policy every_tenant on dbr_signing.audit_unsealed for select to dbr_signing_sweeper using (true);
grant select on dbr_signing.audit_unsealed to dbr_signing_sweeper;
