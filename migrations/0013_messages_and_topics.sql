-- What producers sent can be read, edited and recalled; topics; quiet hours; retention by tenant.

-- What one request of a producer sent. For a notification with many readers it is the notification's own identifier.
alter table dbr_notifications.user_notifications add column message_id uuid;
create index user_notifications_message on dbr_notifications.user_notifications (message_id) where message_id is not null;
drop index dbr_notifications.tenant_receipts_notification;
create index tenant_receipts_notification on dbr_notifications.tenant_receipts (notification_id, user_id);

-- The retention looks for old rows by tenant.
drop index dbr_notifications.user_notifications_created;
create index user_notifications_created on dbr_notifications.user_notifications (tenant_id, created_at);
drop index dbr_notifications.tenant_notifications_created;
create index tenant_notifications_created on dbr_notifications.tenant_notifications (tenant_id, created_at);

alter table dbr_notifications.tenant_notifications
  add column topic text check (pg_catalog.length(topic) between 1 and 200);
comment on column dbr_notifications.tenant_notifications.topic is 'Its readers follow this topic; null for all users of the tenant.';
create index tenant_notifications_topic on dbr_notifications.tenant_notifications (tenant_id, topic, seq desc) where topic is not null;
drop index dbr_notifications.tenant_notifications_feed;
create index tenant_notifications_feed on dbr_notifications.tenant_notifications (tenant_id, seq desc) where topic is null;

create table dbr_notifications.subscriptions (
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  topic text not null check (pg_catalog.length(topic) between 1 and 200),
  -- Notifications of the topic between these positions are visible.
  since_seq bigint not null default pg_catalog.nextval('dbr_notifications.notification_seq'),
  until_seq bigint,
  created_at timestamptz not null default dbr_notifications.clock(),
  primary key (tenant_id, user_id, topic, since_seq)
);
comment on table dbr_notifications.subscriptions is 'Topics that a user follows, or has followed.';
create unique index subscriptions_open on dbr_notifications.subscriptions (tenant_id, user_id, topic) where until_seq is null;
create index subscriptions_end on dbr_notifications.subscriptions (until_seq) where until_seq is not null;

create table dbr_notifications.quiet_hours (
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  channel text not null check (channel in ('inApp', 'webhook')),
  time_zone text not null check (pg_catalog.length(time_zone) between 1 and 100),
  starts time not null,
  ends time not null check (ends <> starts),
  primary key (tenant_id, user_id, channel)
);
comment on table dbr_notifications.quiet_hours is 'Hours of each day in which a channel does not disturb a user.';

create table dbr_notifications.tenant_settings (
  tenant_id text primary key check (tenant_id <> ''),
  retention_days integer not null check (retention_days between 1 and 3650)
);
comment on table dbr_notifications.tenant_settings is 'Tenants whose notifications are kept for another time than the service''s.';

alter table dbr_notifications.stream_events drop constraint stream_events_kind_check;
alter table dbr_notifications.stream_events add constraint stream_events_kind_check check (kind in (
  'created', 'read', 'unread', 'seen', 'interacted', 'archived', 'unarchived', 'snoozed', 'unsnoozed', 'deleted', 'expired',
  'updated', 'recalled', 'subscribed', 'unsubscribed',
  'all-read', 'all-unread', 'all-seen', 'all-archived', 'all-unarchived', 'preferences', 'recount'
));
alter table dbr_notifications.stream_events add column topic text;
comment on column dbr_notifications.stream_events.topic is 'The topic whose followers the event is for, or that the user follows from now on.';
create index stream_events_topic on dbr_notifications.stream_events (tenant_id, topic, xid, event_id)
  where topic is not null and user_id is null;
grant insert (topic) on dbr_notifications.stream_events to dbr_notifications_user;

do $$
declare
  name text;
begin
  foreach name in array array['subscriptions', 'quiet_hours', 'tenant_settings'] loop
    execute pg_catalog.format('alter table dbr_notifications.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_notifications.%I force row level security', name);
  end loop;
  foreach name in array array['subscriptions', 'quiet_hours'] loop
    execute pg_catalog.format(
      'create policy own on dbr_notifications.%I to dbr_notifications_user
         using (tenant_id = (select dbr_notifications.tenant_id()) and user_id = (select dbr_notifications.user_id()))',
      name
    );
    execute pg_catalog.format(
      'create policy erasure on dbr_notifications.%I to dbr_erasure
         using (tenant_id = (select dbr_notifications.tenant_id()) and user_id = (select dbr_notifications.user_id()))',
      name
    );
    execute pg_catalog.format('grant select (tenant_id, user_id), delete on dbr_notifications.%I to dbr_erasure', name);
  end loop;
  -- The functions below run as the owner of the tables.
  foreach name in array array['tenant_receipts', 'quiet_hours', 'tenant_settings'] loop
    execute pg_catalog.format(
      'create policy producer on dbr_notifications.%I to current_user
         using (tenant_id = (select dbr_notifications.tenant_id()))',
      name
    );
  end loop;
  foreach name in array array['subscriptions', 'tenant_settings'] loop
    execute pg_catalog.format('create policy system on dbr_notifications.%I to dbr_notifications_system using (true)', name);
  end loop;
end
$$;
grant select, insert (tenant_id, user_id, topic), update (until_seq), delete on dbr_notifications.subscriptions
  to dbr_notifications_user;
grant select, insert, update, delete on dbr_notifications.quiet_hours to dbr_notifications_user;
grant select (until_seq), delete on dbr_notifications.subscriptions to dbr_notifications_system;
grant select on dbr_notifications.tenant_settings to dbr_notifications_system;
grant select (tenant_id, seq) on dbr_notifications.user_notifications, dbr_notifications.tenant_notifications
  to dbr_notifications_system;

-- The end of the quiet hours that the present time is in; null outside them.
create function dbr_notifications.quiet_until(time_zone text, starts time, ends time) returns timestamptz
  language sql stable
begin atomic
  select case
    when starts < ends and local_time.t >= starts and local_time.t < ends then (local_time.d + ends) at time zone time_zone
    when starts > ends and local_time.t >= starts then (local_time.d + 1 + ends) at time zone time_zone
    when starts > ends and local_time.t < ends then (local_time.d + ends) at time zone time_zone
  end
  from (
    select (pg_catalog.now() at time zone time_zone)::time as t, (pg_catalog.now() at time zone time_zone)::date as d
  ) as local_time;
end;
revoke execute on function dbr_notifications.quiet_until from public;

-- Creates notifications: for users, for a topic, or for the whole tenant.
create function dbr_notifications.produce(
  tenant_id text,
  user_ids text[], -- null: the followers of the topic, or every user of the tenant
  topic text,
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
  out suppressed integer,
  out message_id uuid -- null if nothing was created
)
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
  readers text[];
  is_critical boolean;
begin
  -- Row security restricts the owner to this tenant. The caller's tenant is restored below.
  perform set_config('app.tenant_id', tenant_id, true);
  duplicates := 0;
  suppressed := 0;

  if user_ids is null then
    with inserted as (
      insert into dbr_notifications.tenant_notifications (
        tenant_id, topic, type, category, severity, title, body, data, actor, action_url, group_key, dedupe_key, expires_at
      )
      values (
        tenant_id, topic, type, category, severity, title, body, data, actor, action_url, group_key, dedupe_key, expires_at
      )
      on conflict do nothing
      returning tenant_notifications.notification_id
    ), streamed as (
      insert into dbr_notifications.stream_events (tenant_id, user_id, topic, kind, notification_id)
      select tenant_id, null, topic, 'created', inserted.notification_id from inserted
    ), scheduled as (
      insert into dbr_notifications.expiries (notification_id, tenant_id, user_id, expires_at)
      select inserted.notification_id, tenant_id, null, expires_at from inserted where expires_at is not null
    )
    select count(*), (array_agg(inserted.notification_id))[1] into created, message_id from inserted;
    duplicates := 1 - created;
  else
    is_critical := exists (
      select from dbr_notifications.categories c where c.category = category and c.critical
    );
    message_id := dbr_notifications.uuid_v7();
    -- Sorted, so that two calls with the same keys wait for each other and do not deadlock.
    select array_agg(named.user_id order by named.user_id) filter (where not named.muted), count(*) filter (where named.muted)
      into readers, suppressed
      from (
        select reader.user_id, not is_critical and exists (
          select from dbr_notifications.preferences p
          where p.tenant_id = tenant_id and p.user_id = reader.user_id and p.category = category and not p.in_app
        ) as muted
        from (select distinct u.user_id from unnest(user_ids) as u (user_id)) as reader
      ) as named;
    with addressed as materialized (
      -- In quiet hours a notification begins snoozed.
      select reader.user_id, quiet.until
      from unnest(readers) as reader (user_id)
      left join lateral (
        select dbr_notifications.quiet_until(q.time_zone, q.starts, q.ends) as until
        from dbr_notifications.quiet_hours q
        where q.tenant_id = tenant_id and q.user_id = reader.user_id and q.channel = 'inApp'
          and not is_critical and severity <> 'critical'
      ) as quiet on true
    ), inserted as (
      insert into dbr_notifications.user_notifications (
        tenant_id, user_id, message_id, type, category, severity, title, body, data, actor, action_url, group_key,
        dedupe_key, expires_at, archived_at, snoozed_until
      )
      select
        tenant_id, addressed.user_id, message_id, type, category, severity, title, body, data, actor, action_url, group_key,
        dedupe_key, expires_at, case when addressed.until is not null then dbr_notifications.clock() end, addressed.until
      from addressed
      order by addressed.user_id
      on conflict do nothing
      returning user_notifications.user_id, user_notifications.notification_id
    ), streamed as (
      insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id)
      select tenant_id, inserted.user_id, 'created', inserted.notification_id from inserted
    ), scheduled as (
      insert into dbr_notifications.expiries (notification_id, tenant_id, user_id, expires_at)
      select inserted.notification_id, tenant_id, inserted.user_id, expires_at from inserted where expires_at is not null
    )
    select count(*) into created from inserted;
    duplicates := coalesce(cardinality(readers), 0) - created;
    if created = 0 then
      message_id := null;
    end if;
  end if;

  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
end
$$;

create or replace function dbr_notifications.notify(
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
  language sql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
  select p.created, p.duplicates, p.suppressed
  from dbr_notifications.produce(
    notify.tenant_id, notify.user_ids, null, notify.type, notify.title, notify.category, notify.severity, notify.body,
    notify.data, notify.actor, notify.action_url, notify.group_key, notify.dedupe_key, notify.expires_at
  ) as p
$$;

-- Removes a message from all its readers. Returns the number of removed notifications.
create function dbr_notifications.recall(tenant_id text, message_id uuid) returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
  removed integer;
begin
  perform set_config('app.tenant_id', tenant_id, true);
  with own as (
    delete from dbr_notifications.user_notifications n
    where n.message_id = message_id and n.tenant_id = tenant_id
    returning n.notification_id, n.user_id
  ), shared as (
    delete from dbr_notifications.tenant_notifications n
    where n.notification_id = message_id and n.tenant_id = tenant_id
    returning n.notification_id, n.topic
  ), gone as (
    select own.notification_id, own.user_id, null as topic from own
    union all
    select shared.notification_id, null, shared.topic from shared
  ), forgotten as (
    delete from dbr_notifications.expiries x
    where x.tenant_id = tenant_id and x.notification_id in (select gone.notification_id from gone)
  ), streamed as (
    insert into dbr_notifications.stream_events (tenant_id, user_id, topic, kind, notification_id)
    select tenant_id, gone.user_id, gone.topic, 'recalled', gone.notification_id from gone
  )
  select count(*) into removed from gone;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return removed;
end
$$;

-- Changes the named members of a message for all its readers, whose marks stay. Returns the number of changed notifications.
create function dbr_notifications.update_message(
  tenant_id text,
  message_id uuid,
  members text[],
  title text default null,
  body text default null,
  severity text default null,
  data json default null,
  actor json default null,
  action_url text default null,
  expires_at timestamptz default null
) returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
  changed integer;
begin
  perform set_config('app.tenant_id', tenant_id, true);
  with own as (
    update dbr_notifications.user_notifications n
    set
      title = case when 'title' = any (members) then title else n.title end,
      body = case when 'body' = any (members) then body else n.body end,
      severity = case when 'severity' = any (members) then severity else n.severity end,
      data = case when 'data' = any (members) then data else n.data end,
      actor = case when 'actor' = any (members) then actor else n.actor end,
      action_url = case when 'actionUrl' = any (members) then action_url else n.action_url end,
      expires_at = case when 'expiresAt' = any (members) then expires_at else n.expires_at end
    where n.message_id = message_id and n.tenant_id = tenant_id
    returning n.notification_id, n.user_id, n.expires_at
  ), shared as (
    update dbr_notifications.tenant_notifications n
    set
      title = case when 'title' = any (members) then title else n.title end,
      body = case when 'body' = any (members) then body else n.body end,
      severity = case when 'severity' = any (members) then severity else n.severity end,
      data = case when 'data' = any (members) then data else n.data end,
      actor = case when 'actor' = any (members) then actor else n.actor end,
      action_url = case when 'actionUrl' = any (members) then action_url else n.action_url end,
      expires_at = case when 'expiresAt' = any (members) then expires_at else n.expires_at end
    where n.notification_id = message_id and n.tenant_id = tenant_id
    returning n.notification_id, n.topic, n.expires_at
  ), edited as (
    select own.notification_id, own.user_id, null as topic, own.expires_at from own
    union all
    select shared.notification_id, null, shared.topic, shared.expires_at from shared
  ), streamed as (
    insert into dbr_notifications.stream_events (tenant_id, user_id, topic, kind, notification_id)
    select tenant_id, edited.user_id, edited.topic, 'updated', edited.notification_id from edited
  ), forgotten as (
    delete from dbr_notifications.expiries x
    where x.tenant_id = tenant_id and x.notification_id in (select edited.notification_id from edited where edited.expires_at is null)
  ), scheduled as (
    insert into dbr_notifications.expiries (notification_id, tenant_id, user_id, expires_at)
    select edited.notification_id, tenant_id, edited.user_id, edited.expires_at
    from edited
    where edited.expires_at is not null
    on conflict (notification_id) do update set expires_at = excluded.expires_at
  )
  select count(*) into changed from edited;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return changed;
end
$$;

-- Who has seen, read and used a message: a page of readers by name, and counts up to 10,001. Null for an unknown message.
create function dbr_notifications.receipts(tenant_id text, message_id uuid, after_user text, page integer) returns json
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
  found json;
begin
  perform set_config('app.tenant_id', tenant_id, true);
  with message as (
    select n.notification_id, case when n.topic is null then 'tenant' else 'topic' end as audience
    from dbr_notifications.tenant_notifications n
    where n.notification_id = message_id and n.tenant_id = tenant_id
    union all
    (select n.message_id, 'user'
     from dbr_notifications.user_notifications n
     where n.message_id = message_id and n.tenant_id = tenant_id
     limit 1)
  ), readers as materialized (
    select n.user_id, n.seen_at, n.read_at, n.interacted_at
    from dbr_notifications.user_notifications n
    where n.message_id = message_id and n.tenant_id = tenant_id
    union all
    (select r.user_id, r.seen_at, r.read_at, r.interacted_at
     from dbr_notifications.tenant_receipts r
     where r.notification_id = message_id and r.tenant_id = tenant_id
     limit 10001)
  ), shown as (
    select * from (
      (select n.user_id, n.seen_at, n.read_at, n.interacted_at
       from dbr_notifications.user_notifications n
       where n.message_id = message_id and n.tenant_id = tenant_id and (after_user is null or n.user_id > after_user)
       order by n.user_id
       limit page + 1)
      union all
      (select r.user_id, r.seen_at, r.read_at, r.interacted_at
       from dbr_notifications.tenant_receipts r
       where r.notification_id = message_id and r.tenant_id = tenant_id and (after_user is null or r.user_id > after_user)
       order by r.user_id
       limit page + 1)
    ) as listed
    order by listed.user_id
    limit page + 1
  ), items as (
    select * from shown order by shown.user_id limit page
  )
  select json_build_object(
    'messageId', message_id,
    'audience', message.audience,
    'counts', (
      select json_build_object(
        'readers', case when message.audience = 'user' then count(*) end,
        'seen', count(*) filter (where readers.seen_at is not null),
        'read', count(*) filter (where readers.read_at is not null),
        'interacted', count(*) filter (where readers.interacted_at is not null)
      )
      from readers
    ),
    'items', coalesce((
      select json_agg(json_build_object(
        'userId', items.user_id,
        'seenAt', to_char(items.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'readAt', to_char(items.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'interactedAt', to_char(items.interacted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ) order by items.user_id) from items
    ), '[]'),
    'hasMore', (select count(*) > page from shown)
  ) into found
  from message;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return found;
end
$$;

-- Sets the days that notifications of a tenant are kept; null for those of the service. Returns the setting.
create function dbr_notifications.set_retention(tenant_id text, retention_days integer) returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
begin
  perform set_config('app.tenant_id', tenant_id, true);
  delete from dbr_notifications.tenant_settings s where s.tenant_id = tenant_id;
  if retention_days is not null then
    insert into dbr_notifications.tenant_settings (tenant_id, retention_days) values (tenant_id, retention_days);
  end if;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return retention_days;
end
$$;

create function dbr_notifications.retention(tenant_id text) returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
  days integer;
begin
  perform set_config('app.tenant_id', tenant_id, true);
  select s.retention_days into days from dbr_notifications.tenant_settings s where s.tenant_id = tenant_id;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return days;
end
$$;

do $$
declare
  signature text;
begin
  for signature in
    select p.oid::pg_catalog.regprocedure::text
    from pg_catalog.pg_proc p
    where p.pronamespace = 'dbr_notifications'::pg_catalog.regnamespace
      and p.proname in ('produce', 'recall', 'update_message', 'receipts', 'set_retention', 'retention')
  loop
    execute pg_catalog.format('revoke execute on function %s from public', signature);
    execute pg_catalog.format('grant execute on function %s to dbr_notifications_producer', signature);
  end loop;
end
$$;
