-- Answers to requests of the data API that have an Idempotency-Key, so that a repetition gets the same answer and writes once.
-- The data API never exposes this schema. The row is written in the transaction of the request, by the role below: the role of
-- the request has no privilege here.

create schema dbr_requests;
comment on schema dbr_requests is 'Idempotency keys of the data API of dbr.';

do $$
begin
  begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'dbr_idempotency') then
      create role dbr_idempotency nologin;
    end if;
  exception when duplicate_object or unique_violation then
    null; -- another database of this server is migrated at the same time
  end;
  if exists (select from pg_catalog.pg_roles where rolname = 'dbr_authenticator')
    and not pg_catalog.pg_has_role('dbr_authenticator', 'dbr_idempotency', 'member') then
    grant dbr_idempotency to dbr_authenticator;
  end if;
end
$$;

create table dbr_requests.idempotent (
  -- SHA-256 of role, subject and key: the table holds no secret of a client.
  key bytea primary key check (pg_catalog.octet_length(key) = 32),
  -- SHA-256 of the request.
  request bytea not null check (pg_catalog.octet_length(request) = 32),
  status integer not null check (status between 200 and 599),
  headers jsonb not null check (pg_catalog.jsonb_typeof(headers) = 'array'),
  body bytea check (pg_catalog.octet_length(body) <= 1048576),
  created_at timestamptz not null default pg_catalog.now(),
  expires_at timestamptz not null
);
comment on table dbr_requests.idempotent is 'Answers to requests with an Idempotency-Key, until they expire.';
create index idempotent_expires_at on dbr_requests.idempotent (expires_at);

grant usage on schema dbr_requests to dbr_idempotency;
-- The removal of old rows locks them, which needs the privilege to update.
grant select, insert, update, delete on dbr_requests.idempotent to dbr_idempotency;
