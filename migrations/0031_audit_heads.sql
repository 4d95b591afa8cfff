-- What the place outside (setting audit-head-url) has of each chain. A process that claims a head moves `due_at` on, so that no
-- other process sends it meanwhile; the same time is the pause before the next attempt.
create table dbr_signing.audit_heads (
  tenant_id text primary key check (tenant_id <> ''),
  -- SHA-256 of the address. At another address, each head is sent again.
  place bytea not null check (pg_catalog.octet_length(place) = 32),
  -- Of the last head that was accepted; 0 for none.
  sequence bigint not null default 0,
  attempts integer not null,
  due_at timestamptz not null
);
comment on table dbr_signing.audit_heads is 'Heads of audit chains that were delivered outside.';

alter table dbr_signing.audit_heads enable row level security;
alter table dbr_signing.audit_heads force row level security;
create policy tenant on dbr_signing.audit_heads to dbr_signing_service using (tenant_id = (select dbr_signing.tenant_id()));
grant select on dbr_signing.audit_heads to dbr_signing_service;

-- The sweeper sends the heads of all tenants. It reads hashes and times of seals, never an entry.
create policy every_tenant on dbr_signing.audit_heads to dbr_signing_sweeper using (true);
grant select, insert, update on dbr_signing.audit_heads to dbr_signing_sweeper;
create policy every_tenant on dbr_signing.audit_chains for select to dbr_signing_sweeper using (true);
grant select on dbr_signing.audit_chains to dbr_signing_sweeper;
create policy every_tenant on dbr_signing.audit_seals for select to dbr_signing_sweeper using (true);
grant select (tenant_id, sequence, sealed_at) on dbr_signing.audit_seals to dbr_signing_sweeper;
