-- Signing: parties, accounts with their SigningParties, sessions, delegate shares, audit log.
-- The data API never exposes this schema; only the group roles below have privileges on it.

create schema dbr_signing;
comment on schema dbr_signing is 'Parties, accounts, signing sessions and router mailboxes of dbr.';

-- The login role of the service has no privileges here. Each transaction sets one of these roles.
do $$
declare
  group_role text;
begin
  foreach group_role in array array[
    'dbr_signing_service', -- reads and writes the rows of the tenant that the transaction names
    'dbr_signing_sweeper'  -- finds rows of every tenant: overdue sessions, owners of certificates
  ] loop
    begin
      if not exists (select from pg_catalog.pg_roles where rolname = group_role) then
        execute pg_catalog.format('create role %I nologin', group_role);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- another database of this server is migrated at the same time
    end;
    if exists (select from pg_catalog.pg_roles where rolname = 'dbr_service')
      and not pg_catalog.pg_has_role('dbr_service', group_role, 'member') then
      execute pg_catalog.format('grant %I to dbr_service', group_role);
    end if;
  end loop;
end
$$;

create type dbr_signing.share_type as enum ('server', 'user', 'backup', 'delegate');
create type dbr_signing.party_role as enum ('server', 'user', 'delegate');
create type dbr_signing.party_status as enum ('active', 'suspended', 'revoked');
create type dbr_signing.account_status as enum ('pending', 'active', 'frozen', 'archived');
create type dbr_signing.key_type as enum ('secp256k1', 'ed25519', 'p256');
create type dbr_signing.session_state as enum (
  'created', 'awaiting_parties', 'in_progress', 'completed', 'failed', 'expired', 'cancelled'
);
create type dbr_signing.failure_reason as enum (
  'party_aborted', 'party_timeout', 'invalid_signature', 'share_unusable', 'equivocation', 'policy_denied', 'internal'
);

-- The tenant of the transaction; null when not set, so that nothing is visible.
-- Policies call it in a sub-select, which PostgreSQL evaluates once a statement rather than once a row.
create function dbr_signing.tenant_id() returns text
  language sql stable
  return nullif(pg_catalog.current_setting('app.tenant_id', true), '');

create table dbr_signing.parties (
  tenant_id text not null,
  party_id text not null check (party_id ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  name text not null check (pg_catalog.length(name) between 1 and 200),
  role dbr_signing.party_role not null,
  status dbr_signing.party_status not null default 'active',
  identity_public_key bytea not null check (pg_catalog.octet_length(identity_public_key) between 32 and 1024),
  certificate_sha256 bytea check (pg_catalog.octet_length(certificate_sha256) = 32),
  instance_id text,
  last_seen_at timestamptz,
  created_at timestamptz not null default pg_catalog.now(),
  version bigint not null default 1,
  primary key (tenant_id, party_id)
);
-- A certificate belongs to one party of all tenants: the router identifies parties by it.
create unique index parties_certificate on dbr_signing.parties (certificate_sha256) where certificate_sha256 is not null;

create table dbr_signing.party_encryption_keys (
  tenant_id text not null,
  party_id text not null,
  key_id text not null check (pg_catalog.length(key_id) between 1 and 128),
  suite text not null check (suite in ('HPKE-X25519-SHA256-AES256GCM', 'RSA-OAEP-SHA256-AES256GCM')),
  public_key bytea not null check (pg_catalog.octet_length(public_key) between 32 and 1024),
  one_time boolean not null,
  not_after timestamptz,
  signature bytea not null,
  claimed_at timestamptz,
  claimed_by text,
  claimed_account_id uuid,
  used_by_session uuid,
  created_at timestamptz not null default pg_catalog.now(),
  primary key (tenant_id, party_id, key_id),
  foreign key (tenant_id, party_id) references dbr_signing.parties (tenant_id, party_id) on delete cascade
);
comment on column dbr_signing.party_encryption_keys.claimed_by is 'The user who claimed the one-time key.';
comment on column dbr_signing.party_encryption_keys.claimed_account_id is 'The account whose share the one-time key is for.';

create table dbr_signing.accounts (
  account_id uuid primary key,
  tenant_id text not null,
  owner_user_id text not null,
  name text not null check (pg_catalog.length(name) between 1 and 200),
  key_type dbr_signing.key_type not null,
  public_key bytea check (pg_catalog.octet_length(public_key) between 32 and 133),
  threshold integer not null check (threshold between 1 and 64),
  status dbr_signing.account_status not null default 'active',
  signing_config_version bigint not null default 0,
  signing_config_updated_at timestamptz,
  signing_config_updated_by text,
  version bigint not null default 1,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  unique (tenant_id, account_id)
);
create index accounts_owner on dbr_signing.accounts (tenant_id, owner_user_id, account_id);

create table dbr_signing.account_shares (
  account_id uuid not null,
  tenant_id text not null,
  party_id text not null,
  share_index integer not null check (share_index between 1 and 64),
  share_type dbr_signing.share_type not null,
  status text not null default 'active' check (status in ('active', 'retired')),
  primary key (account_id, party_id),
  unique (account_id, share_index),
  unique (tenant_id, account_id, party_id),
  foreign key (tenant_id, party_id) references dbr_signing.parties (tenant_id, party_id),
  foreign key (tenant_id, account_id) references dbr_signing.accounts (tenant_id, account_id) on delete cascade
);
create index account_shares_party on dbr_signing.account_shares (tenant_id, party_id);
-- An account has at most one delegate: the share of a session has one recipient.
create unique index account_shares_delegate on dbr_signing.account_shares (account_id)
  where share_type = 'delegate' and status = 'active';

-- The account's SigningParties. Without rows nothing is configured, and all active parties take part.
create table dbr_signing.account_signing_parties (
  account_id uuid not null,
  tenant_id text not null,
  party_id text not null,
  position integer not null,
  primary key (account_id, party_id),
  unique (account_id, position),
  foreign key (tenant_id, account_id, party_id)
    references dbr_signing.account_shares (tenant_id, account_id, party_id) on delete restrict
);

create table dbr_signing.signing_sessions (
  session_id uuid primary key,
  tenant_id text not null,
  account_id uuid not null,
  created_by text not null,
  idempotency_key text,
  state dbr_signing.session_state not null default 'created',
  party_source text not null check (party_source in ('configured', 'all_active')),
  threshold integer not null,
  protocol text not null constraint signing_sessions_protocol
    check (protocol in ('ed25519', 'ecdsa-secp256k1', 'bip340', 'ecdsa-p256')),
  message_digest bytea not null check (pg_catalog.octet_length(message_digest) = 32),
  derivation_path bigint[] not null default '{}',
  metadata jsonb not null default '{}' check (pg_catalog.octet_length(metadata::text) <= 4096),
  request_sha256 bytea not null,
  signature bytea,
  failure_reason dbr_signing.failure_reason,
  failure_detail text,
  culprit_party_ids text[] not null default '{}',
  state_version bigint not null default 1,
  event_sequence bigint not null default 0,
  created_at timestamptz not null default pg_catalog.now(),
  ready_by timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((ended_at is null) = (state in ('created', 'awaiting_parties', 'in_progress'))),
  check ((signature is null) = (state <> 'completed')),
  check ((failure_reason is null) = (state <> 'failed')),
  unique (tenant_id, session_id),
  foreign key (tenant_id, account_id) references dbr_signing.accounts (tenant_id, account_id)
);
create unique index signing_sessions_idempotency
  on dbr_signing.signing_sessions (tenant_id, created_by, idempotency_key) where idempotency_key is not null;
create index signing_sessions_account on dbr_signing.signing_sessions (tenant_id, account_id, created_at desc, session_id desc);
create index signing_sessions_tenant on dbr_signing.signing_sessions (tenant_id, created_at desc, session_id desc);
create index signing_sessions_open on dbr_signing.signing_sessions (least(ready_by, expires_at)) where ended_at is null;
-- For the removal of old sessions, the oldest first.
create index signing_sessions_ended on dbr_signing.signing_sessions (ended_at) where ended_at is not null;

create table dbr_signing.session_participants (
  session_id uuid not null,
  tenant_id text not null,
  party_id text not null,
  share_index integer not null,
  share_type dbr_signing.share_type not null,
  joined_at timestamptz,
  instance_id text,
  reported_signature bytea,
  primary key (session_id, party_id),
  foreign key (tenant_id, session_id) references dbr_signing.signing_sessions (tenant_id, session_id) on delete cascade
) with (fillfactor = 70);
create index session_participants_party on dbr_signing.session_participants (tenant_id, party_id, session_id);

create table dbr_signing.session_events (
  session_id uuid not null,
  tenant_id text not null,
  sequence bigint not null,
  event_id bigint generated always as identity unique,
  -- Identity values become visible out of order: a reader stops before the oldest transaction that still runs.
  xid xid8 not null default pg_catalog.pg_current_xact_id(),
  type text not null,
  party_id text,
  state dbr_signing.session_state not null,
  data jsonb not null default '{}',
  occurred_at timestamptz not null default pg_catalog.clock_timestamp(),
  primary key (session_id, sequence),
  foreign key (tenant_id, session_id) references dbr_signing.signing_sessions (tenant_id, session_id) on delete cascade
);
create index session_events_resume on dbr_signing.session_events (tenant_id, xid, event_id);

-- Holds ciphertext only, which is erased when the delegate acknowledges it or the session ends.
create table dbr_signing.delegate_user_shares (
  session_id uuid primary key,
  tenant_id text not null,
  -- The event of the supply.
  event_sequence bigint not null,
  delegate_party_id text not null,
  recipient_key_id text not null,
  suite text not null,
  encapsulated_key bytea check (pg_catalog.octet_length(encapsulated_key) <= 1024),
  ciphertext bytea check (pg_catalog.octet_length(ciphertext) <= 262144),
  nonce bytea check (pg_catalog.octet_length(nonce) <= 64),
  aad_sha256 bytea not null check (pg_catalog.octet_length(aad_sha256) = 32),
  ciphertext_sha256 bytea not null check (pg_catalog.octet_length(ciphertext_sha256) = 32),
  supplied_by text not null,
  supplied_at timestamptz not null default pg_catalog.now(),
  expires_at timestamptz not null,
  delivered_at timestamptz,
  erased_at timestamptz,
  constraint erased_is_gone check (
    (erased_at is null and ciphertext is not null and encapsulated_key is not null)
    or (erased_at is not null and ciphertext is null and encapsulated_key is null and nonce is null)
  ),
  unique (tenant_id, delegate_party_id, ciphertext_sha256),
  foreign key (tenant_id, session_id) references dbr_signing.signing_sessions (tenant_id, session_id) on delete cascade
);
-- An acknowledgement of the delegate erases the share only after this time.
comment on column dbr_signing.delegate_user_shares.delivered_at is 'When the share was first sent to the delegate.';
-- The sweeper ends sessions whose share expires undelivered.
create index delegate_user_shares_undelivered on dbr_signing.delegate_user_shares (expires_at)
  where erased_at is null and delivered_at is null;

create table dbr_signing.audit_log (
  audit_id bigint generated always as identity primary key,
  tenant_id text not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  remote_address text,
  at timestamptz not null default pg_catalog.now()
);
comment on table dbr_signing.audit_log is 'Changes with their actor; holds no share, no token and no signature input.';
create index audit_log_subject on dbr_signing.audit_log (tenant_id, subject, audit_id);

-- Pairs of messages that one party signed under one number or one identifier. A statement is the text that the signature
-- covers (manual, signing).
create table dbr_signing.equivocations (
  equivocation_id bigint generated always as identity primary key,
  tenant_id text not null,
  session_id uuid not null,
  party_id text not null,
  identity_public_key bytea not null,
  first_statement bytea not null,
  first_signature bytea not null,
  second_statement bytea not null,
  second_signature bytea not null,
  at timestamptz not null default pg_catalog.now()
);
comment on table dbr_signing.equivocations is 'Proofs of contradictions; kept as long as the audit log.';
create index equivocations_session on dbr_signing.equivocations (tenant_id, session_id);

-- An account has no SigningParties, or at least as many as its threshold. Checked at commit.
create function dbr_signing.check_signing_parties() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  account uuid := coalesce(new.account_id, old.account_id);
  configured integer;
  needed integer;
begin
  select count(*) into configured from dbr_signing.account_signing_parties where account_id = account;
  select threshold into needed from dbr_signing.accounts where account_id = account;
  if configured > 0 and configured < needed then
    raise exception 'signing parties below threshold'
      using errcode = 'check_violation', detail = format('%s of %s', configured, needed);
  end if;
  return null;
end
$$;

create constraint trigger signing_parties_threshold
  after insert or update or delete on dbr_signing.account_signing_parties
  deferrable initially deferred
  for each row execute function dbr_signing.check_signing_parties();

-- The audit log and the proofs are append-only, also for their owner.
create function dbr_signing.refuse_change() returns trigger
  language plpgsql
as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_log_append_only
  before update or delete or truncate on dbr_signing.audit_log
  for each statement execute function dbr_signing.refuse_change();

create trigger equivocations_append_only
  before update or delete or truncate on dbr_signing.equivocations
  for each statement execute function dbr_signing.refuse_change();

-- Row security also binds the owner: a transaction sees the rows of its tenant.
do $$
declare
  name text;
begin
  foreach name in array array[
    'parties', 'party_encryption_keys', 'accounts', 'account_shares', 'account_signing_parties', 'signing_sessions',
    'session_participants', 'session_events', 'delegate_user_shares', 'audit_log', 'equivocations'
  ] loop
    execute pg_catalog.format('alter table dbr_signing.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_signing.%I force row level security', name);
    execute pg_catalog.format(
      'create policy tenant on dbr_signing.%I to dbr_signing_service using (tenant_id = (select dbr_signing.tenant_id()))',
      name
    );
  end loop;
end
$$;

grant usage on schema dbr_signing to dbr_signing_service, dbr_signing_sweeper;
grant select, insert, update on dbr_signing.parties, dbr_signing.party_encryption_keys, dbr_signing.accounts,
  dbr_signing.signing_sessions, dbr_signing.session_participants, dbr_signing.delegate_user_shares to dbr_signing_service;
grant select, insert on dbr_signing.account_shares, dbr_signing.session_events, dbr_signing.audit_log,
  dbr_signing.equivocations to dbr_signing_service;
grant update (status) on dbr_signing.account_shares to dbr_signing_service;
grant select, insert, delete on dbr_signing.account_signing_parties to dbr_signing_service;
grant delete on dbr_signing.party_encryption_keys to dbr_signing_service;

-- The sweeper finds rows of every tenant; the service role of that tenant changes them. The sweeper removes sessions that
-- have ended: participants, events, shares and messages are removed with them, the audit log is not.
create policy every_tenant on dbr_signing.signing_sessions for select to dbr_signing_sweeper using (true);
create policy every_tenant on dbr_signing.parties for select to dbr_signing_sweeper using (true);
create policy every_tenant on dbr_signing.delegate_user_shares for select to dbr_signing_sweeper using (true);
create policy every_tenant on dbr_signing.session_events for select to dbr_signing_sweeper using (true);
create policy every_tenant on dbr_signing.session_participants for select to dbr_signing_sweeper using (true);
create policy every_tenant_remove on dbr_signing.signing_sessions for delete to dbr_signing_sweeper
  using (ended_at is not null);
grant select (session_id, tenant_id, state, ready_by, expires_at, ended_at, event_sequence), delete
  on dbr_signing.signing_sessions to dbr_signing_sweeper;
grant select (session_id, tenant_id, xid) on dbr_signing.session_events to dbr_signing_sweeper;
grant select (session_id, party_id) on dbr_signing.session_participants to dbr_signing_sweeper;
grant select (session_id, tenant_id, expires_at, erased_at, delivered_at) on dbr_signing.delegate_user_shares
  to dbr_signing_sweeper;
grant select (tenant_id, party_id, role, status, identity_public_key, certificate_sha256) on dbr_signing.parties
  to dbr_signing_sweeper;

-- Times and states as signing presents them, for all statements.

-- RFC 3339 in UTC, in milliseconds.
create function dbr_signing.instant(at timestamptz) returns text
  language sql immutable
  return pg_catalog.to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- When an open session expires. A session that has not started must also be ready in time.
create function dbr_signing.deadline(state dbr_signing.session_state, ready_by timestamptz, expires_at timestamptz)
  returns timestamptz
  language sql immutable
  return case when state = 'in_progress' then expires_at else least(ready_by, expires_at) end;

-- An open session past its deadline counts as expired before the sweeper has changed its state.
create function dbr_signing.effective_state(
  state dbr_signing.session_state, ready_by timestamptz, expires_at timestamptz, ended_at timestamptz
)
  returns dbr_signing.session_state
  language sql stable
  return case
    when ended_at is null and pg_catalog.now() >= dbr_signing.deadline(state, ready_by, expires_at) then 'expired'
    else state
  end;
