-- Notifications: their tables, row security, and the function that creates them.
-- The data API never exposes this schema; only the group roles below have privileges on it.

create schema dbr_notifications;
comment on schema dbr_notifications is 'Notifications of dbr.';

-- The login role of the service has no privileges here. Each transaction sets one of these roles.
do $$
declare
  group_role text;
begin
  foreach group_role in array array[
    'dbr_notifications_user',     -- one user of one tenant: reads and marks what is visible to them
    'dbr_notifications_producer', -- may call dbr_notifications.notify
    'dbr_notifications_system'    -- finds rows of every tenant without reading their content: dispatch, sweep, tickets
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

-- The tenant and the user of the transaction; null when not set, so that nothing is visible.
-- Policies call them in a sub-select, which PostgreSQL evaluates once a statement rather than once a row.
create function dbr_notifications.tenant_id() returns text
  language sql stable
  return nullif(pg_catalog.current_setting('app.tenant_id', true), '');

create function dbr_notifications.user_id() returns text
  language sql stable
  return nullif(pg_catalog.current_setting('app.user_id', true), '');

-- The present time in milliseconds, which is the precision that clients see: a time they send back equals the stored one.
create function dbr_notifications.clock() returns timestamptz
  language sql volatile
  return pg_catalog.date_trunc('milliseconds', pg_catalog.clock_timestamp());

-- UUID version 7 (RFC 9562 §5.7): 48 bits of milliseconds, then random bits. Successive ids are neighbours in an index.
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

-- Orders notifications of both tables. Pages and cursors use it.
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
  -- json, not jsonb: the text is returned unchanged and is never larger than what was sent.
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
comment on table dbr_notifications.user_notifications is 'Notifications that have one reader.';

-- For pages and their totals. The index contains expires_at, so that a count reads the index alone.
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
comment on table dbr_notifications.tenant_notifications is 'Notifications for all users of a tenant: one row for each notification.';

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
  'State of a notification for the whole tenant, for one user. Without a row it is unseen and unread.';
create index tenant_receipts_notification on dbr_notifications.tenant_receipts (notification_id);

create table dbr_notifications.categories (
  category text primary key check (pg_catalog.length(category) between 1 and 100),
  critical boolean not null
);
comment on table dbr_notifications.categories is
  'Categories that differ from the default. A category without a row is not critical: users may switch it off.';
insert into dbr_notifications.categories values ('security', true);

create table dbr_notifications.preferences (
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  category text not null check (pg_catalog.length(category) between 1 and 100),
  in_app boolean not null,
  -- Notifications for the whole tenant are hidden from this position on.
  since_seq bigint not null default pg_catalog.nextval('dbr_notifications.notification_seq'),
  primary key (tenant_id, user_id, category)
);
comment on table dbr_notifications.preferences is 'Categories that a user has switched on or off. A category without a row is on.';

-- Events of the live streams. Identity values and transaction ids become visible out of order: a reader stops before the
-- oldest transaction that still runs, and orders by transaction and id.
create table dbr_notifications.stream_events (
  xid xid8 not null default pg_catalog.pg_current_xact_id(),
  event_id bigint generated always as identity,
  tenant_id text not null,
  user_id text, -- null: every user of the tenant
  kind text not null check (kind in ('created', 'read', 'all-read', 'recount')),
  notification_id uuid,
  before timestamptz,
  created_at timestamptz not null default dbr_notifications.clock(),
  primary key (xid, event_id)
);
comment on table dbr_notifications.stream_events is 'Changes of notifications for the live streams, kept for a day.';
create index stream_events_user on dbr_notifications.stream_events (tenant_id, user_id, xid, event_id);

-- The last event that was deleted. A stream that resumes from before it has missed events.
create table dbr_notifications.stream_horizon (
  only_row boolean primary key default true check (only_row),
  xid xid8 not null,
  event_id bigint not null
);
insert into dbr_notifications.stream_horizon (xid, event_id) values ('0', 0);

-- Holds hashes of tickets, never the tickets.
create table dbr_notifications.stream_tickets (
  ticket_sha256 bytea primary key check (pg_catalog.octet_length(ticket_sha256) = 32),
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  expires_at timestamptz not null,
  token_expires_at timestamptz,
  openings integer not null default 0
);
comment on table dbr_notifications.stream_tickets is
  'Tickets that open a live stream, and open it again while it lives, in place of a token.';
comment on column dbr_notifications.stream_tickets.openings is
  'How often the ticket was used. The stream of an earlier opening ends.';
create index stream_tickets_user on dbr_notifications.stream_tickets (tenant_id, user_id);
create index stream_tickets_expiry on dbr_notifications.stream_tickets (expires_at);

-- Row security also binds the owner. Each role sees the tenant of its transaction, a user its own rows, the system role all.
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
grant insert, select (tenant_id, user_id, expires_at), delete on dbr_notifications.stream_tickets to dbr_notifications_user;

grant select (notification_id, created_at, expires_at), delete
  on dbr_notifications.user_notifications, dbr_notifications.tenant_notifications to dbr_notifications_system;
grant select (xid, event_id, tenant_id, user_id, created_at), delete on dbr_notifications.stream_events
  to dbr_notifications_system;
grant select, update (xid, event_id) on dbr_notifications.stream_horizon to dbr_notifications_system;
grant select, delete, update (expires_at, openings) on dbr_notifications.stream_tickets to dbr_notifications_system;

-- Creates notifications: for the endpoint of the service, for signing, for triggers and functions of the application.

create function dbr_notifications.notify(
  tenant_id text,
  user_ids text[], -- null: every user of the tenant
  type text,
  title text,
  category text default 'general',
  severity text default 'info',
  body text default null,
  data json default '{}',
  actor json default null,
  action_url text default null,
  group_key text default null,
  dedupe_key text default null,
  expires_at timestamptz default null,
  out created integer,
  out duplicates integer,
  out suppressed integer
)
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
  readers text[];
begin
  -- Row security restricts the owner to this tenant. The caller's tenant is restored below.
  perform set_config('app.tenant_id', tenant_id, true);
  duplicates := 0;
  suppressed := 0;

  if user_ids is null then
    with inserted as (
      insert into dbr_notifications.tenant_notifications (
        tenant_id, type, category, severity, title, body, data, actor, action_url, group_key, dedupe_key, expires_at
      )
      values (
        tenant_id, type, category, severity, title, body, data, actor, action_url, group_key, dedupe_key, expires_at
      )
      on conflict do nothing
      returning tenant_notifications.notification_id
    ), streamed as (
      insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id)
      select tenant_id, null, 'created', inserted.notification_id from inserted
    )
    select count(*) into created from inserted;
    duplicates := 1 - created;
  else
    -- Sorted, so that two calls with the same keys wait for each other and do not deadlock.
    select array_agg(named.user_id order by named.user_id) filter (where not named.muted), count(*) filter (where named.muted)
      into readers, suppressed
      from (
        select reader.user_id, exists (
          select from dbr_notifications.preferences p
          where p.tenant_id = tenant_id and p.user_id = reader.user_id and p.category = category and not p.in_app
            and not exists (select from dbr_notifications.categories c where c.category = category and c.critical)
        ) as muted
        from (select distinct u.user_id from unnest(user_ids) as u (user_id)) as reader
      ) as named;
    with inserted as (
      insert into dbr_notifications.user_notifications (
        tenant_id, user_id, type, category, severity, title, body, data, actor, action_url, group_key, dedupe_key, expires_at
      )
      select
        tenant_id, reader.user_id, type, category, severity, title, body, data, actor, action_url, group_key, dedupe_key,
        expires_at
      from unnest(readers) as reader (user_id)
      on conflict do nothing
      returning user_notifications.user_id, user_notifications.notification_id
    ), streamed as (
      insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id)
      select tenant_id, inserted.user_id, 'created', inserted.notification_id from inserted
    )
    select count(*) into created from inserted;
    duplicates := coalesce(cardinality(readers), 0) - created;
  end if;

  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
end
$$;
comment on function dbr_notifications.notify is
  'Notifies the named users, or all users of the tenant if user_ids is null. Of notifications with the same dedupe_key '
  'a reader gets the first. A role that may execute it can write to every tenant: grant it to owners of trusted functions only.';

revoke execute on function dbr_notifications.notify from public;
grant execute on function dbr_notifications.notify to dbr_notifications_producer;
revoke execute on function dbr_notifications.clock, dbr_notifications.uuid_v7 from public;
grant execute on function dbr_notifications.clock to dbr_notifications_user, dbr_notifications_system;
