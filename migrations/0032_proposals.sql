-- Changes that agents have proposed where a person applies them (setting mcp-apply): the console lists them for the caller that
-- they belong to. The data API never exposes this schema, and the role of a request has no privilege here, so that no agent
-- reads a token.

create table dbr_requests.proposed (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{16}$'),
  -- SHA-256 of role and claims.
  caller bytea not null check (pg_catalog.octet_length(caller) = 32),
  subject bytea,
  -- What applies the changes, for this caller alone.
  token text not null check (pg_catalog.octet_length(token) <= 200),
  -- Exposed schema; null for the first one.
  schema text,
  -- JSON of the changes, and of the answer to them.
  changes text not null,
  answer text not null,
  created_at timestamptz not null default pg_catalog.now(),
  expires_at timestamptz not null,
  check (pg_catalog.octet_length(changes) + pg_catalog.octet_length(answer) <= 262144)
);
comment on table dbr_requests.proposed is 'Changes that agents have proposed, until a person applies or dismisses them or they expire.';
comment on column dbr_requests.proposed.subject is
  'SHA-256 of the claims tenantId and sub of the token; null if it lacks one of them.';
create index proposed_caller on dbr_requests.proposed (caller);

-- The removal of old rows locks them, which needs the privilege to update.
grant select, insert, update, delete on dbr_requests.proposed to dbr_idempotency;
grant select (subject), delete on dbr_requests.proposed to dbr_erasure;
