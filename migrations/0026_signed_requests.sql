-- Signed requests: what the creator of a session asks for, with signatures by keys that are registered for the account. The
-- service passes them to the parties, which decide by them.

alter table dbr_signing.accounts
  add column requests text not null default 'optional' check (requests in ('optional', 'required')),
  add column request_keys jsonb not null default '[]'
    check (pg_catalog.jsonb_typeof(request_keys) = 'array' and pg_catalog.jsonb_array_length(request_keys) <= 16);
comment on column dbr_signing.accounts.request_keys is
  'Public keys of owners and approvers: an array of objects with keyId, algorithm and publicKey.';

alter table dbr_signing.signing_sessions
  add column request bytea check (pg_catalog.octet_length(request) between 1 and 16384),
  add column request_signatures jsonb
    check (
      pg_catalog.jsonb_typeof(request_signatures) = 'array'
      and pg_catalog.jsonb_array_length(request_signatures) between 1 and 16
    ),
  add constraint request_is_signed check ((request is null) = (request_signatures is null)) not valid;
comment on column dbr_signing.signing_sessions.request_signatures is
  'Signatures over the request: an array of objects with keyId, algorithm and signature.';

-- Sets of parties that the creator names, where the account allows it; and sessions that replace others.
alter table dbr_signing.accounts
  add column named_parties text not null default 'refused' check (named_parties in ('refused', 'allowed'));
alter table dbr_signing.signing_sessions
  add column replaces uuid,
  add column replaced_by uuid;
comment on column dbr_signing.signing_sessions.replaces is 'The session that this one was created in the place of.';
