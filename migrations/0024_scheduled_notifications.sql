-- Scheduled notifications: what a producer has asked for at a later time.

create table dbr_notifications.scheduled_notifications (
  scheduled_id uuid primary key default dbr_notifications.uuid_v7(),
  tenant_id text not null check (tenant_id <> ''),
  cancel_key text check (pg_catalog.length(cancel_key) between 1 and 200),
  created_at timestamptz not null default dbr_notifications.clock(),
  send_at timestamptz not null,
  -- When it is sent, or tried again.
  due_at timestamptz not null,
  -- Sorted and distinct. Null: the followers of the topic, or every user of the tenant.
  user_ids text[] check (pg_catalog.cardinality(user_ids) > 0 and pg_catalog.array_position(user_ids, null) is null),
  topic text check (pg_catalog.length(topic) between 1 and 200),
  type text not null check (type ~ '^[a-z0-9_]+(\.[a-z0-9_]+)*$' and pg_catalog.length(type) <= 100),
  category text not null check (pg_catalog.length(category) between 1 and 100),
  severity text not null check (severity in ('info', 'success', 'warning', 'critical')),
  title text not null check (pg_catalog.length(title) between 1 and 200),
  body text check (pg_catalog.length(body) <= 4000),
  data json not null check (pg_catalog.json_typeof(data) = 'object' and pg_catalog.octet_length(data::text) <= 16384),
  actor json check (pg_catalog.json_typeof(actor) = 'object' and pg_catalog.octet_length(actor::text) <= 4096),
  action_url text check (
    pg_catalog.length(action_url) between 1 and 2000
    and action_url !~ '[[:space:][:cntrl:]\\]'
    and (action_url ~* '^https?://[^/]' or (action_url !~ '^[^/?#]*:' and action_url !~ '^//'))
  ),
  group_key text check (pg_catalog.length(group_key) between 1 and 200),
  dedupe_key text check (pg_catalog.length(dedupe_key) between 1 and 200),
  expires_at timestamptz check (expires_at < '10000-01-01 00:00:00+00'),
  readers integer not null generated always as (coalesce(pg_catalog.cardinality(user_ids), 1)) stored,
  bytes integer not null,
  check (user_ids is null or topic is null)
) with (toast_tuple_target = 128); -- Long rows leave the table, so that the bounds of a tenant are counted from few pages.
comment on table dbr_notifications.scheduled_notifications is 'What producers have asked for at a later time. A row leaves when it is sent.';
create index scheduled_notifications_due on dbr_notifications.scheduled_notifications (due_at);
create index scheduled_notifications_tenant on dbr_notifications.scheduled_notifications (tenant_id, due_at, scheduled_id)
  include (readers, bytes);
create index scheduled_notifications_cancel on dbr_notifications.scheduled_notifications (tenant_id, cancel_key)
  where cancel_key is not null;

alter table dbr_notifications.scheduled_notifications enable row level security;
alter table dbr_notifications.scheduled_notifications force row level security;
-- The functions below run as the owner of the table.
do $$
begin
  execute 'create policy producer on dbr_notifications.scheduled_notifications to current_user
    using (tenant_id = (select dbr_notifications.tenant_id()))';
end
$$;
create policy system on dbr_notifications.scheduled_notifications to dbr_notifications_system using (true);
-- Rows are locked before they are sent, which needs the privilege to update.
grant select (scheduled_id, tenant_id, due_at, readers), update (due_at) on dbr_notifications.scheduled_notifications
  to dbr_notifications_system;
-- A person is removed from the readers of others' notifications.
create policy erasure on dbr_notifications.scheduled_notifications to dbr_erasure
  using (tenant_id = (select dbr_notifications.tenant_id()));
grant select (tenant_id, user_ids, actor), update (user_ids, actor), delete on dbr_notifications.scheduled_notifications to dbr_erasure;

-- Keeps a notification until its time. Returns the number of its readers, 1 for a tenant or a topic. Raises 54000 if the tenant has as
-- many as it may, and 22023 for a time that is past or too far ahead.
create function dbr_notifications.schedule(
  tenant_id text,
  user_ids text[], -- null: the followers of the topic, or every user of the tenant
  send_at timestamptz,
  type text,
  title text,
  cancel_key text default null,
  topic text default null,
  category text default 'general',
  severity text default 'info',
  body text default null,
  data json default '{}',
  actor json default null,
  action_url text default null,
  group_key text default null,
  dedupe_key text default null,
  expires_at timestamptz default null
) returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set row_security = on
as $$
#variable_conflict use_variable
declare
  most_messages constant integer := 10000;
  most_bytes constant integer := 33554432;
  longest constant interval := interval '366 days';
  caller_tenant text := current_setting('app.tenant_id', true);
  named text[];
  size integer;
  scheduled integer;
begin
  if send_at is null or send_at <= clock_timestamp() or send_at > clock_timestamp() + longest then
    raise exception using errcode = '22023', message = 'send_at must be in the future, and at most 366 days ahead';
  end if;
  if user_ids is not null then
    select array_agg(reader.user_id order by reader.user_id) into named
    from (select distinct u.user_id from unnest(user_ids) as u (user_id)) as reader;
    if named is null then
      return 0;
    end if;
  end if;
  size := octet_length(json_build_array(
    named, topic, cancel_key, type, category, title, body, data, actor, action_url, group_key, dedupe_key
  )::text);
  perform set_config('app.tenant_id', tenant_id, true);
  -- One at a time counts what the tenant has. The first number is arbitrary.
  perform pg_advisory_xact_lock(5347128, hashtext(tenant_id));
  if exists (
    select from dbr_notifications.scheduled_notifications s
    where s.tenant_id = tenant_id
    having count(*) >= most_messages or coalesce(sum(s.bytes), 0) + size > most_bytes
  ) then
    raise exception using errcode = '54000', message = 'too many notifications are scheduled';
  end if;
  insert into dbr_notifications.scheduled_notifications as s (
    tenant_id, cancel_key, send_at, due_at, user_ids, topic, type, category, severity, title, body, data, actor, action_url,
    group_key, dedupe_key, expires_at, bytes
  )
  values (
    tenant_id, cancel_key, send_at, send_at, named, topic, type, category, severity, title, body, data, actor, action_url,
    group_key, dedupe_key, expires_at, size
  )
  returning s.readers into scheduled;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return scheduled;
end
$$;
comment on function dbr_notifications.schedule is
  'Keeps a notification until its time. A role that may execute it can write to every tenant: grant it to owners of trusted '
  'functions only.';
revoke execute on function dbr_notifications.schedule from public;
grant execute on function dbr_notifications.schedule to dbr_notifications_producer;

-- Removes what was scheduled with a key and is not sent. Returns the number of its readers, where a tenant or a topic counts as one.
create function dbr_notifications.cancel_scheduled(tenant_id text, cancel_key text) returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set row_security = on
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
  cancelled integer;
begin
  perform set_config('app.tenant_id', tenant_id, true);
  with removed as (
    delete from dbr_notifications.scheduled_notifications s
    where s.tenant_id = tenant_id and s.cancel_key = cancel_key
    returning s.readers
  )
  select coalesce(sum(removed.readers), 0) into cancelled from removed;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return cancelled;
end
$$;
comment on function dbr_notifications.cancel_scheduled is
  'Removes scheduled notifications. A role that may execute it can remove those of every tenant: grant it to owners of trusted '
  'functions only.';
revoke execute on function dbr_notifications.cancel_scheduled from public;
grant execute on function dbr_notifications.cancel_scheduled to dbr_notifications_producer;

-- Sends a scheduled notification, which the caller has locked, or forgets it if it has expired meanwhile. False if that failed: then it
-- is due again in a minute, for a week.
create function dbr_notifications.send_scheduled(tenant_id text, scheduled_id uuid) returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set row_security = on
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
  sent dbr_notifications.scheduled_notifications;
begin
  perform set_config('app.tenant_id', tenant_id, true);
  begin
    delete from dbr_notifications.scheduled_notifications s
    where s.scheduled_id = scheduled_id and s.tenant_id = tenant_id
    returning s.* into sent;
    if sent.tenant_id is not null and (sent.expires_at is null or sent.expires_at > now()) then
      perform dbr_notifications.produce(
        tenant_id => tenant_id,
        user_ids => sent.user_ids,
        topic => sent.topic,
        type => sent.type,
        title => sent.title,
        category => sent.category,
        severity => sent.severity,
        body => sent.body,
        data => sent.data,
        actor => sent.actor,
        action_url => sent.action_url,
        group_key => sent.group_key,
        dedupe_key => sent.dedupe_key,
        expires_at => sent.expires_at
      );
    end if;
  exception when others then
    raise warning 'a scheduled notification could not be sent: %', sqlstate;
    update dbr_notifications.scheduled_notifications s
    set due_at = now() + interval '1 minute'
    where s.scheduled_id = scheduled_id and s.tenant_id = tenant_id and s.send_at > now() - interval '7 days';
    if not found then
      delete from dbr_notifications.scheduled_notifications s
      where s.scheduled_id = scheduled_id and s.tenant_id = tenant_id;
    end if;
    sent := null;
  end;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return sent.tenant_id is not null;
end
$$;
revoke execute on function dbr_notifications.send_scheduled from public;
grant execute on function dbr_notifications.send_scheduled to dbr_notifications_system;
