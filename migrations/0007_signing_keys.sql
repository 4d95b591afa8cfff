-- An identity key belongs to one party of a tenant, in whichever form it is registered. Otherwise one holder of a key could
-- act as several parties of an account, and reach its threshold alone.

-- The key without its encoding: an Ed25519 key may be registered raw or as a SubjectPublicKeyInfo.
create function dbr_signing.identity_key(registered bytea) returns bytea
  language sql immutable
  return case
    when pg_catalog.octet_length(registered) = 44
      and pg_catalog.substring(registered, 1, 12) = '\x302a300506032b6570032100'::bytea
    then pg_catalog.substring(registered, 13)
    else registered
  end;

alter table dbr_signing.parties add column shares_identity_key boolean not null default false;
comment on column dbr_signing.parties.shares_identity_key is
  'Registered with the key of an older party, before keys were unique. A new key clears it.';

-- Parties that share a key already continue; the oldest of them has it, and no other can be registered with it.
-- Row security binds the owner too, who has no policy.
alter table dbr_signing.parties no force row level security;
update dbr_signing.parties as party
set shares_identity_key = true
where exists (
  select from dbr_signing.parties as older
  where older.tenant_id = party.tenant_id
    and dbr_signing.identity_key(older.identity_public_key) = dbr_signing.identity_key(party.identity_public_key)
    and (older.created_at, older.party_id collate "C") < (party.created_at, party.party_id collate "C")
);
alter table dbr_signing.parties force row level security;

create unique index parties_identity_key
  on dbr_signing.parties (tenant_id, pg_catalog.sha256(dbr_signing.identity_key(identity_public_key)))
  where not shares_identity_key;
