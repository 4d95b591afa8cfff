-- Keys of parties over time, proposals of other keys, and tenants that are frozen.

-- The keys that were replaced and are still accepted, until a time: two keys of a party are valid at most.
alter table dbr_signing.parties
  add column former_identity_public_key bytea,
  add column former_certificate_sha256 bytea,
  add column former_until timestamptz;
create index parties_former_certificate on dbr_signing.parties (former_certificate_sha256)
  where former_certificate_sha256 is not null;
grant select (former_identity_public_key, former_certificate_sha256, former_until) on dbr_signing.parties to dbr_signing_sweeper;

create table dbr_signing.party_keys (
  tenant_id text not null,
  party_id text not null,
  kind text not null check (kind in ('identity', 'certificate')),
  -- Of the identity key without its encoding, or of the SubjectPublicKeyInfo of the certificate.
  sha256 bytea not null check (pg_catalog.octet_length(sha256) = 32),
  -- Null for a certificate.
  public_key bytea,
  since timestamptz not null default pg_catalog.now(),
  -- Null for the current key.
  accepted_until timestamptz,
  foreign key (tenant_id, party_id) references dbr_signing.parties (tenant_id, party_id) on delete cascade
);
comment on table dbr_signing.party_keys is
  'Every key that a party has or had. A row never leaves, so that no key is registered a second time.';
create unique index party_keys_identity on dbr_signing.party_keys (tenant_id, sha256) where kind = 'identity';
create unique index party_keys_certificate on dbr_signing.party_keys (sha256) where kind = 'certificate';
create index party_keys_party on dbr_signing.party_keys (tenant_id, party_id);

create table dbr_signing.party_key_proposals (
  tenant_id text not null,
  party_id text not null,
  proposal_id uuid not null default pg_catalog.gen_random_uuid(),
  identity_public_key bytea not null,
  certificate_sha256 bytea,
  former_seconds integer not null,
  -- A pseudonym of `audit_names`: the proposal ends with the erasure of its user.
  proposed_by text not null,
  proposed_at timestamptz not null default pg_catalog.now(),
  primary key (tenant_id, party_id),
  foreign key (tenant_id, party_id) references dbr_signing.parties (tenant_id, party_id) on delete cascade
);
comment on table dbr_signing.party_key_proposals is 'Other keys of a party that wait for the consent of a second user.';

create table dbr_signing.tenant_freezes (
  tenant_id text primary key,
  frozen_at timestamptz not null default pg_catalog.now(),
  reason text check (pg_catalog.length(reason) between 1 and 500),
  -- Pseudonyms of `audit_names`.
  frozen_by text not null,
  released_by text
);
comment on table dbr_signing.tenant_freezes is 'Tenants without new sessions. The second of two users who release a tenant deletes its row.';

do $$
declare
  name text;
begin
  foreach name in array array['party_keys', 'party_key_proposals', 'tenant_freezes'] loop
    execute pg_catalog.format('alter table dbr_signing.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_signing.%I force row level security', name);
    execute pg_catalog.format(
      'create policy tenant on dbr_signing.%I to dbr_signing_service using (tenant_id = (select dbr_signing.tenant_id()))',
      name
    );
  end loop;
end
$$;
grant select, insert, update (accepted_until) on dbr_signing.party_keys to dbr_signing_service;
grant select, insert, update, delete on dbr_signing.party_key_proposals, dbr_signing.tenant_freezes to dbr_signing_service;
create policy every_tenant on dbr_signing.tenant_freezes for select to dbr_signing_sweeper using (true);
grant select (tenant_id, frozen_at) on dbr_signing.tenant_freezes to dbr_signing_sweeper;

-- The keys of today. Of parties that share an identity key the oldest has it.
alter table dbr_signing.parties no force row level security;
alter table dbr_signing.party_keys no force row level security;
insert into dbr_signing.party_keys (tenant_id, party_id, kind, sha256, public_key, since)
select tenant_id, party_id, 'identity', pg_catalog.sha256(dbr_signing.identity_key(identity_public_key)), identity_public_key, created_at
from dbr_signing.parties
where not shares_identity_key;
insert into dbr_signing.party_keys (tenant_id, party_id, kind, sha256, since)
select tenant_id, party_id, 'certificate', certificate_sha256, created_at
from dbr_signing.parties
where certificate_sha256 is not null;
alter table dbr_signing.parties force row level security;
alter table dbr_signing.party_keys force row level security;

-- Keeps `party_keys`: a new key is current, the one that it replaces is accepted for the time that the party has, others end.
create function dbr_signing.record_party_keys() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'UPDATE' then
    update dbr_signing.party_keys as key
    set accepted_until = case when key.accepted_until is null then coalesce(new.former_until, now()) else now() end
    where key.tenant_id = new.tenant_id and key.party_id = new.party_id
      and (key.accepted_until is null or key.accepted_until > now())
      and key.sha256 is distinct from case key.kind
        when 'identity' then sha256(dbr_signing.identity_key(new.identity_public_key)) else new.certificate_sha256
      end;
    delete from dbr_signing.party_key_proposals where tenant_id = new.tenant_id and party_id = new.party_id;
  end if;
  if tg_op = 'INSERT' or dbr_signing.identity_key(new.identity_public_key) <> dbr_signing.identity_key(old.identity_public_key) then
    insert into dbr_signing.party_keys (tenant_id, party_id, kind, sha256, public_key)
    values (
      new.tenant_id, new.party_id, 'identity', sha256(dbr_signing.identity_key(new.identity_public_key)), new.identity_public_key
    );
  end if;
  if new.certificate_sha256 is not null
    and (tg_op = 'INSERT' or new.certificate_sha256 is distinct from old.certificate_sha256) then
    insert into dbr_signing.party_keys (tenant_id, party_id, kind, sha256)
    values (new.tenant_id, new.party_id, 'certificate', new.certificate_sha256);
  end if;
  return null;
end
$$;
create trigger party_keys_first after insert on dbr_signing.parties
  for each row execute function dbr_signing.record_party_keys();
create trigger party_keys_next
  after update of identity_public_key, certificate_sha256, former_until on dbr_signing.parties
  for each row
  when (
    old.identity_public_key <> new.identity_public_key
    or old.certificate_sha256 is distinct from new.certificate_sha256
    or old.former_until is distinct from new.former_until
  )
  execute function dbr_signing.record_party_keys();

-- Raises 23505 if the party could not have these keys, because another party has one of them or one was replaced or revoked.
create function dbr_signing.probe_party_keys(party text, identity_key bytea, certificate bytea) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update dbr_signing.parties set identity_public_key = identity_key, shares_identity_key = shares_identity_key and identity_public_key = identity_key,
    certificate_sha256 = certificate
  where party_id = party;
  raise exception using errcode = 'DBR01';
exception when sqlstate 'DBR01' then
  null; -- what the update did is undone
end
$$;
