-- Ceremonies: sessions in which parties make the key of an account together, or give it to other holders.

alter table dbr_signing.signing_sessions
  add column kind text not null default 'signing'
    constraint signing_sessions_kind check (kind in ('signing', 'keygen', 'reshare'));

-- A completed ceremony has a certificate instead of a signature.
alter table dbr_signing.signing_sessions drop constraint signing_sessions_check1;
alter table dbr_signing.signing_sessions
  add constraint signing_sessions_signature check ((signature is null) = (state <> 'completed' or kind <> 'signing'));

alter table dbr_signing.signing_sessions drop constraint signing_sessions_party_source_check;
alter table dbr_signing.signing_sessions
  add constraint signing_sessions_party_source
    check (party_source in ('configured', 'all_active', 'requested') and (kind = 'signing' or party_source = 'requested'));

-- An account has one ceremony at a time: two would make two keys.
create unique index signing_sessions_ceremony on dbr_signing.signing_sessions (account_id)
  where kind <> 'signing' and ended_at is null;

create table dbr_signing.ceremonies (
  session_id uuid primary key,
  tenant_id text not null,
  -- Those of the present holders who deal, with their threshold; null where there is no key yet. Holders have the identity
  -- keys that were registered when the ceremony was created.
  before jsonb,
  after jsonb not null,
  -- What the first report names; every other one must name the same.
  public_key bytea check (pg_catalog.octet_length(public_key) = 32),
  transcript_sha256 bytea check (pg_catalog.octet_length(transcript_sha256) = 32),
  check ((public_key is null) = (transcript_sha256 is null)),
  foreign key (tenant_id, session_id) references dbr_signing.signing_sessions (tenant_id, session_id) on delete cascade
);
comment on table dbr_signing.ceremonies is 'Who makes or reshares the key of an account, and what they certify. Holds no share.';

alter table dbr_signing.ceremonies enable row level security;
alter table dbr_signing.ceremonies force row level security;
create policy tenant on dbr_signing.ceremonies to dbr_signing_service
  using (tenant_id = (select dbr_signing.tenant_id()));
grant select, insert, update (public_key, transcript_sha256) on dbr_signing.ceremonies to dbr_signing_service;

-- A key that was reshared has other holders.
grant delete on dbr_signing.account_shares to dbr_signing_service;
