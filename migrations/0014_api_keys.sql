-- API keys of the data API: texts that machines send instead of a token. The table holds their hashes alone, and the data API
-- never exposes this schema. The login role of `db-uri` reads it under its own name; `dbr key create` grants what it needs.

create schema dbr_keys;
comment on schema dbr_keys is 'API keys of the data API of dbr.';

create table dbr_keys.api_keys (
  id text primary key check (id ~ '^[0-9a-f]{12}$'),
  -- SHA-256 of the whole key, which has 128 random bits or more.
  hash bytea not null unique check (pg_catalog.octet_length(hash) = 32),
  name text not null check (pg_catalog.length(name) between 1 and 200),
  -- The role of its requests; null for the anonymous one.
  role text check (role <> ''),
  -- Most requests in a time of that many seconds; both null for no limit.
  rate_requests integer check (rate_requests > 0),
  rate_seconds integer check (rate_seconds in (1, 60)),
  created_at timestamptz not null default pg_catalog.now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- To a minute or so.
  last_used_at timestamptz,
  check ((rate_requests is null) = (rate_seconds is null))
);
comment on table dbr_keys.api_keys is 'API keys, which `dbr key` creates, lists and revokes.';

-- Processes read the keys again when this number has changed.
create table dbr_keys.revision (
  only_row boolean primary key default true check (only_row),
  number bigint not null default 0
);
insert into dbr_keys.revision default values;

create function dbr_keys.next_revision() returns trigger
  language plpgsql set search_path = ''
  as $$
begin
  update dbr_keys.revision set number = number + 1;
  return null;
end
$$;
create trigger next_revision
  after insert or delete or truncate or update of hash, role, rate_requests, rate_seconds, expires_at, revoked_at
  on dbr_keys.api_keys for each statement execute function dbr_keys.next_revision();

do $$
begin
  if exists (select from pg_catalog.pg_roles where rolname = 'dbr_authenticator') then
    grant usage on schema dbr_keys to dbr_authenticator;
    grant select, update (last_used_at) on dbr_keys.api_keys to dbr_authenticator;
    grant select on dbr_keys.revision to dbr_authenticator;
  end if;
end
$$;
