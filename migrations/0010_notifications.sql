-- Notifications: what users are told, and what each of them has seen, read and put away.
-- Nothing here is reachable through the data API: the schema is never exposed, and only the group roles below have rights.

create schema dbr_notifications;
comment on schema dbr_notifications is 'Notifications of dbr.';

-- The service logs in as a role of its own, which has no rights but to become one of these for a transaction.
do $$
declare
  group_role text;
begin
  foreach group_role in array array[
    'dbr_notifications_user',     -- one user of one tenant: reads and marks what is visible to them
    'dbr_notifications_producer', -- may call dbr_notifications.notify
    'dbr_notifications_system'    -- sees which rows there are, of every tenant, but not what they say: wake-up, sweep, tickets
  ] loop
    begin
      if not exists (select from pg_catalog.pg_roles where rolname = group_role) then
        execute pg_catalog.format('create role %I nologin', group_role);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- another database of this server was migrated at the same moment
    end;
    if exists (select from pg_catalog.pg_roles where rolname = 'dbr_service')
      and not pg_catalog.pg_has_role('dbr_service', group_role, 'member') then
      execute pg_catalog.format('grant %I to dbr_service', group_role);
    end if;
  end loop;
end
$$;

-- The tenant and the user of the transaction; null when not set, so that nothing is visible.
-- Policies call them in a sub-select, which PostgreSQL evaluates once a statement rather than once a row.
create function dbr_notifications.tenant_id() returns text
  language sql stable
  return nullif(pg_catalog.current_setting('app.tenant_id', true), '');

create function dbr_notifications.user_id() returns text
  language sql stable
  return nullif(pg_catalog.current_setting('app.user_id', true), '');

-- Now, in the precision that clients are shown: a time they send back is then exactly the time that is stored.
create function dbr_notifications.clock() returns timestamptz
  language sql volatile
  return pg_catalog.date_trunc('milliseconds', pg_catalog.clock_timestamp());

-- UUID version 7 (RFC 9562 §5.7): 48 bits of milliseconds, then random bits. Ids made in succession lie together in an index.
create function dbr_notifications.uuid_v7() returns uuid
  language sql volatile
  return pg_catalog.encode(
    pg_catalog.set_bit(
      pg_catalog.set_bit(
        pg_catalog.overlay(
          pg_catalog.uuid_send(pg_catalog.gen_random_uuid()),
          pg_catalog.substr(
            pg_catalog.int8send((extract(epoch from pg_catalog.clock_timestamp()) * 1000)::bigint), 3),
          1, 6),
        52, 1),
      53, 1),
    'hex')::uuid;

-- One order for both kinds of notifications; pages and cursors follow it.
create sequence dbr_notifications.notification_seq;

create table dbr_notifications.user_notifications (
  notification_id uuid primary key default dbr_notifications.uuid_v7(),
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  seq bigint not null default pg_catalog.nextval('dbr_notifications.notification_seq'),
  type text not null check (type ~ '^[a-z0-9_]+(\.[a-z0-9_]+)*$' and pg_catalog.length(type) <= 100),
  category text not null check (pg_catalog.length(category) between 1 and 100),
  severity text not null check (severity in ('info', 'success', 'warning', 'critical')),
  title text not null check (pg_catalog.length(title) between 1 and 200),
  body text check (pg_catalog.length(body) <= 4000),
  -- json rather than jsonb: handed on as it came, and never larger than what was sent.
  data json not null check (pg_catalog.json_typeof(data) = 'object' and pg_catalog.octet_length(data::text) <= 16384),
  actor json check (pg_catalog.json_typeof(actor) = 'object' and pg_catalog.octet_length(actor::text) <= 4096),
  action_url text check (pg_catalog.length(action_url) between 1 and 2000),
  group_key text check (pg_catalog.length(group_key) between 1 and 200),
  dedupe_key text check (pg_catalog.length(dedupe_key) between 1 and 200),
  created_at timestamptz not null default dbr_notifications.clock(),
  expires_at timestamptz check (expires_at < '10000-01-01 00:00:00+00'),
  seen_at timestamptz,
  read_at timestamptz,
  archived_at timestamptz
);
comment on table dbr_notifications.user_notifications is 'Notifications for one user each.';

-- Pages, and the totals beside them: expires_at is in the index so that counting need not visit the table.
create index user_notifications_feed on dbr_notifications.user_notifications (tenant_id, user_id, seq desc)
  include (expires_at) where archived_at is null;
create index user_notifications_unread on dbr_notifications.user_notifications (tenant_id, user_id, seq desc)
  include (expires_at) where read_at is null and archived_at is null;
create index user_notifications_archived on dbr_notifications.user_notifications (tenant_id, user_id, seq desc)
  include (expires_at) where archived_at is not null;
create unique index user_notifications_dedupe on dbr_notifications.user_notifications (tenant_id, user_id, dedupe_key)
  where dedupe_key is not null;
create index user_notifications_created on dbr_notifications.user_notifications (created_at);
create index user_notifications_expiry on dbr_notifications.user_notifications (expires_at) where expires_at is not null;

create table dbr_notifications.tenant_notifications (
  notification_id uuid primary key default dbr_notifications.uuid_v7(),
  tenant_id text not null check (tenant_id <> ''),
  seq bigint not null default pg_catalog.nextval('dbr_notifications.notification_seq'),
  type text not null check (type ~ '^[a-z0-9_]+(\.[a-z0-9_]+)*$' and pg_catalog.length(type) <= 100),
  category text not null check (pg_catalog.length(category) between 1 and 100),
  severity text not null check (severity in ('info', 'success', 'warning', 'critical')),
  title text not null check (pg_catalog.length(title) between 1 and 200),
  body text check (pg_catalog.length(body) <= 4000),
  data json not null check (pg_catalog.json_typeof(data) = 'object' and pg_catalog.octet_length(data::text) <= 16384),
  actor json check (pg_catalog.json_typeof(actor) = 'object' and pg_catalog.octet_length(actor::text) <= 4096),
  action_url text check (pg_catalog.length(action_url) between 1 and 2000),
  group_key text check (pg_catalog.length(group_key) between 1 and 200),
  dedupe_key text check (pg_catalog.length(dedupe_key) between 1 and 200),
  created_at timestamptz not null default dbr_notifications.clock(),
  expires_at timestamptz check (expires_at < '10000-01-01 00:00:00+00')
);
comment on table dbr_notifications.tenant_notifications is 'Notifications for all users of a tenant, one row each.';

create index tenant_notifications_feed on dbr_notifications.tenant_notifications (tenant_id, seq desc);
create unique index tenant_notifications_dedupe on dbr_notifications.tenant_notifications (tenant_id, dedupe_key)
  where dedupe_key is not null;
create index tenant_notifications_created on dbr_notifications.tenant_notifications (created_at);
create index tenant_notifications_expiry on dbr_notifications.tenant_notifications (expires_at) where expires_at is not null;

create table dbr_notifications.tenant_receipts (
  tenant_id text not null,
  user_id text not null check (user_id <> ''),
  notification_id uuid not null references dbr_notifications.tenant_notifications on delete cascade,
  seen_at timestamptz,
  read_at timestamptz,
  archived_at timestamptz,
  primary key (tenant_id, user_id, notification_id)
);
comment on table dbr_notifications.tenant_receipts is
  'What one user did with a notification for the whole tenant. No row: nothing yet.';
create index tenant_receipts_notification on dbr_notifications.tenant_receipts (notification_id);

create table dbr_notifications.categories (
  category text primary key check (pg_catalog.length(category) between 1 and 100),
  critical boolean not null
);
comment on table dbr_notifications.categories is
  'Categories with rules of their own. One that is not listed is not critical: every user may switch it off.';
insert into dbr_notifications.categories values ('security', true);

create table dbr_notifications.preferences (
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  category text not null check (pg_catalog.length(category) between 1 and 100),
  in_app boolean not null,
  -- In the order of the notifications: those for the whole tenant are hidden from here on.
  since_seq bigint not null default pg_catalog.nextval('dbr_notifications.notification_seq'),
  primary key (tenant_id, user_id, category)
);
comment on table dbr_notifications.preferences is 'Which categories reach a user. No row: it does.';

-- What live streams tell, in the order in which it became visible. Identity values become visible out of order, transaction
-- ids do as well: a reader therefore goes only up to the oldest transaction that still runs, and orders by both.
create table dbr_notifications.stream_events (
  xid xid8 not null default pg_catalog.pg_current_xact_id(),
  event_id bigint generated always as identity,
  tenant_id text not null,
  user_id text, -- null: for every user of the tenant
  kind text not null check (kind in ('created', 'read', 'all-read', 'recount')),
  notification_id uuid,
  before timestamptz,
  created_at timestamptz not null default dbr_notifications.clock(),
  primary key (xid, event_id)
);
comment on table dbr_notifications.stream_events is 'What happened to notifications, kept for a day for the live streams.';
create index stream_events_user on dbr_notifications.stream_events (tenant_id, user_id, xid, event_id);

-- Up to where stream_events has been swept: whoever resumes from before it has missed something.
create table dbr_notifications.stream_horizon (
  only_row boolean primary key default true check (only_row),
  xid xid8 not null,
  event_id bigint not null
);
insert into dbr_notifications.stream_horizon (xid, event_id) values ('0', 0);

-- The ticket itself is never stored.
create table dbr_notifications.stream_tickets (
  ticket_sha256 bytea primary key check (pg_catalog.octet_length(ticket_sha256) = 32),
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  expires_at timestamptz not null,
  token_expires_at timestamptz
);
comment on table dbr_notifications.stream_tickets is 'Tickets that open a live stream once, in place of a token.';
create index stream_tickets_expiry on dbr_notifications.stream_tickets (expires_at);

-- Row security, for the owner too: every role but the system's is bound to the tenant of its transaction, users to themselves.
do $$
declare
  name text;
begin
  foreach name in array array[
    'user_notifications', 'tenant_notifications', 'tenant_receipts', 'preferences', 'stream_events', 'stream_tickets'
  ] loop
    execute pg_catalog.format('alter table dbr_notifications.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_notifications.%I force row level security', name);
  end loop;
  foreach name in array array['user_notifications', 'tenant_receipts', 'preferences', 'stream_tickets'] loop
    execute pg_catalog.format(
      'create policy own on dbr_notifications.%I to dbr_notifications_user
         using (tenant_id = (select dbr_notifications.tenant_id()) and user_id = (select dbr_notifications.user_id()))',
      name
    );
  end loop;
  -- notify() runs as the owner of the tables.
  foreach name in array array['user_notifications', 'tenant_notifications', 'preferences', 'stream_events'] loop
    execute pg_catalog.format(
      'create policy producer on dbr_notifications.%I to current_user
         using (tenant_id = (select dbr_notifications.tenant_id()))',
      name
    );
  end loop;
  foreach name in array array['user_notifications', 'tenant_notifications', 'stream_events', 'stream_tickets'] loop
    execute pg_catalog.format('create policy system on dbr_notifications.%I to dbr_notifications_system using (true)', name);
  end loop;
end
$$;
create policy own_tenant on dbr_notifications.tenant_notifications for select to dbr_notifications_user
  using (tenant_id = (select dbr_notifications.tenant_id()));
create policy own on dbr_notifications.stream_events for insert to dbr_notifications_user
  with check (tenant_id = (select dbr_notifications.tenant_id()) and user_id = (select dbr_notifications.user_id()));
create policy visible on dbr_notifications.stream_events for select to dbr_notifications_user
  using (
    tenant_id = (select dbr_notifications.tenant_id())
    and (user_id = (select dbr_notifications.user_id()) or user_id is null)
  );

grant usage on schema dbr_notifications
  to dbr_notifications_user, dbr_notifications_producer, dbr_notifications_system;

grant select, update (seen_at, read_at, archived_at) on dbr_notifications.user_notifications to dbr_notifications_user;
grant select on dbr_notifications.tenant_notifications, dbr_notifications.categories, dbr_notifications.stream_events,
  dbr_notifications.stream_horizon to dbr_notifications_user;
grant insert (tenant_id, user_id, kind, notification_id, before, created_at) on dbr_notifications.stream_events to dbr_notifications_user;
grant select, insert (tenant_id, user_id, notification_id, seen_at, read_at, archived_at),
  update (seen_at, read_at, archived_at) on dbr_notifications.tenant_receipts to dbr_notifications_user;
grant select, insert, update, delete on dbr_notifications.preferences to dbr_notifications_user;
grant usage on sequence dbr_notifications.notification_seq to dbr_notifications_user;
grant insert, select (expires_at) on dbr_notifications.stream_tickets to dbr_notifications_user;

grant select (notification_id, created_at, expires_at), delete
  on dbr_notifications.user_notifications, dbr_notifications.tenant_notifications to dbr_notifications_system;
grant select (xid, event_id, tenant_id, user_id, created_at), delete on dbr_notifications.stream_events
  to dbr_notifications_system;
grant select, update (xid, event_id) on dbr_notifications.stream_horizon to dbr_notifications_system;
grant select, delete on dbr_notifications.stream_tickets to dbr_notifications_system;
