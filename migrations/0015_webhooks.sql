-- Webhooks: addresses of a tenant that receive its notifications as signed requests, and the messages that they are due.

create table dbr_notifications.webhooks (
  webhook_id uuid primary key default dbr_notifications.uuid_v7(),
  tenant_id text not null check (tenant_id <> ''),
  url text not null check (pg_catalog.length(url) between 1 and 2000),
  description text check (pg_catalog.length(description) between 1 and 200),
  -- Null: all.
  event_types text[] check (pg_catalog.cardinality(event_types) between 1 and 10),
  categories text[] check (pg_catalog.cardinality(categories) between 1 and 50),
  enabled boolean not null,
  -- Encrypted by the service (AES-256-GCM); the key is not in the database.
  secret bytea not null check (pg_catalog.octet_length(secret) <= 200),
  previous_secret bytea check (pg_catalog.octet_length(previous_secret) <= 200),
  previous_until timestamptz,
  -- Failed attempts since the last successful one.
  failures integer not null default 0,
  paused_until timestamptz not null default '-infinity',
  overflowing boolean not null default false,
  created_at timestamptz not null default pg_catalog.date_trunc('milliseconds', pg_catalog.clock_timestamp())
);
comment on table dbr_notifications.webhooks is 'Addresses that receive the notifications of a tenant as signed requests.';
comment on column dbr_notifications.webhooks.overflowing is
  'Too many messages wait or are dead: new ones are not stored.';
create index webhooks_tenant on dbr_notifications.webhooks (tenant_id, webhook_id);

create table dbr_notifications.webhook_messages (
  seq bigint generated always as identity primary key,
  webhook_id uuid not null references dbr_notifications.webhooks on delete cascade,
  tenant_id text not null,
  user_id text not null, -- empty for a notification with many readers
  urgent boolean not null,
  kind text not null check (kind in ('created', 'updated', 'recalled')),
  notification_id uuid not null,
  created_at timestamptz not null default dbr_notifications.clock(),
  -- A message is new until one process at a time adds it to its lane, so that a lane never changes before its messages.
  state text not null default 'new' check (state in ('new', 'waiting', 'sent', 'dead')),
  attempts integer not null default 0,
  attempted_at timestamptz,
  status integer,
  error text check (pg_catalog.length(error) <= 100)
);
comment on table dbr_notifications.webhook_messages is
  'What a webhook is due. The content is read from the notification when it is sent.';
create index webhook_messages_new on dbr_notifications.webhook_messages (seq) where state = 'new';
create index webhook_messages_lane on dbr_notifications.webhook_messages (webhook_id, user_id, urgent, seq) where state = 'waiting';
create index webhook_messages_state on dbr_notifications.webhook_messages (webhook_id, state, seq);
create index webhook_messages_age on dbr_notifications.webhook_messages (created_at);
create index webhook_messages_user on dbr_notifications.webhook_messages (tenant_id, user_id) where user_id <> '';

create table dbr_notifications.webhook_lanes (
  webhook_id uuid not null references dbr_notifications.webhooks on delete cascade,
  tenant_id text not null,
  user_id text not null,
  urgent boolean not null,
  -- For a lane that a process holds, the end of its lease.
  due_at timestamptz not null,
  lease uuid,
  -- Changes when messages are added.
  generation bigint not null default 0,
  primary key (webhook_id, user_id, urgent)
);
comment on table dbr_notifications.webhook_lanes is
  'The messages of one webhook for one user, which are sent one after another. Critical ones have a lane of their own.';
create index webhook_lanes_due on dbr_notifications.webhook_lanes (webhook_id, due_at);
create index webhook_lanes_user on dbr_notifications.webhook_lanes (tenant_id, user_id);

do $$
declare
  name text;
begin
  foreach name in array array['webhooks', 'webhook_messages', 'webhook_lanes'] loop
    execute pg_catalog.format('alter table dbr_notifications.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_notifications.%I force row level security', name);
    execute pg_catalog.format('create policy system on dbr_notifications.%I to dbr_notifications_system using (true)', name);
    execute pg_catalog.format(
      'create policy tenant on dbr_notifications.%I to current_user, dbr_notifications_producer
         using (tenant_id = (select dbr_notifications.tenant_id()))',
      name
    );
  end loop;
  foreach name in array array['webhook_messages', 'webhook_lanes'] loop
    execute pg_catalog.format(
      'create policy erasure on dbr_notifications.%I to dbr_erasure
         using (tenant_id = (select dbr_notifications.tenant_id()) and user_id = (select dbr_notifications.user_id()))',
      name
    );
    execute pg_catalog.format('grant select (tenant_id, user_id), delete on dbr_notifications.%I to dbr_erasure', name);
  end loop;
end
$$;

-- The service manages the webhooks of the tenant of a token as this role, within row security.
grant select, insert (tenant_id, webhook_id, url, description, event_types, categories, enabled, secret), delete,
  update (url, description, event_types, categories, enabled, failures, paused_until, secret, previous_secret, previous_until)
  on dbr_notifications.webhooks to dbr_notifications_producer;
grant select, update (state, attempts, status, error), delete on dbr_notifications.webhook_messages to dbr_notifications_producer;

grant select (webhook_id, tenant_id, enabled, failures, paused_until, overflowing), update (failures, paused_until, overflowing)
  on dbr_notifications.webhooks to dbr_notifications_system;
grant select, update (state, attempts, attempted_at, status, error), delete on dbr_notifications.webhook_messages
  to dbr_notifications_system;
grant select, insert, update, delete on dbr_notifications.webhook_lanes to dbr_notifications_system;
create policy system on dbr_notifications.quiet_hours to dbr_notifications_system using (true);
grant select on dbr_notifications.quiet_hours to dbr_notifications_system;
grant execute on function dbr_notifications.quiet_until to dbr_notifications_system;

-- Adds what producers do to the messages of the webhooks of the tenant, in their transaction.
create function dbr_notifications.queue_webhooks() returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from new_events e where e.kind in ('created', 'updated', 'recalled'))
    or not exists (select from dbr_notifications.webhooks) then
    return null;
  end if;
  insert into dbr_notifications.webhook_messages (webhook_id, tenant_id, user_id, urgent, kind, notification_id)
  select w.webhook_id, e.tenant_id, coalesce(e.user_id, ''),
    coalesce(coalesce(n.severity, t.severity) = 'critical' or c.critical, false), e.kind, e.notification_id
  from new_events e
  join dbr_notifications.webhooks w
    on w.tenant_id = e.tenant_id and w.enabled and not w.overflowing
      and (w.event_types is null or 'notification.' || e.kind = any (w.event_types))
  left join dbr_notifications.user_notifications n on n.notification_id = e.notification_id
  left join dbr_notifications.tenant_notifications t on t.notification_id = e.notification_id
  left join dbr_notifications.categories c on c.category = coalesce(n.category, t.category)
  where e.kind in ('created', 'updated', 'recalled')
    -- The category of what was recalled is not known any more.
    and (e.kind = 'recalled' or w.categories is null or coalesce(n.category, t.category) = any (w.categories))
  order by e.event_id, w.webhook_id;
  return null;
end
$$;
revoke execute on function dbr_notifications.queue_webhooks from public;
create trigger queue_webhooks after insert on dbr_notifications.stream_events
  referencing new table as new_events
  for each statement execute function dbr_notifications.queue_webhooks();

-- The next message of a lane as JSON, with what sending it needs; null if there is none. Member `payload` is the text to send,
-- and null if the notification is gone.
create function dbr_notifications.next_webhook_message(tenant_id text, webhook_id uuid, user_id text, urgent boolean) returns json
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
    select m.seq, m.attempts, m.created_at, m.kind, m.notification_id
    from dbr_notifications.webhook_messages m
    where m.webhook_id = webhook_id and m.user_id = user_id and m.urgent = urgent and m.state = 'waiting'
    order by m.seq
    limit 1
  ), notification as (
    select
      n.notification_id, n.message_id, n.user_id, 'user' as audience, null as topic, n.type, n.category, n.severity, n.title,
      n.body, n.data, n.actor, n.action_url, n.group_key, n.created_at, n.expires_at
    from message join dbr_notifications.user_notifications n on n.notification_id = message.notification_id
    union all
    select
      n.notification_id, n.notification_id, null, case when n.topic is null then 'tenant' else 'topic' end, n.topic, n.type,
      n.category, n.severity, n.title, n.body, n.data, n.actor, n.action_url, n.group_key, n.created_at, n.expires_at
    from message join dbr_notifications.tenant_notifications n on n.notification_id = message.notification_id
  )
  select json_build_object(
    'seq', message.seq::text,
    'attempts', message.attempts,
    'age', extract(epoch from clock_timestamp() - message.created_at),
    'url', w.url,
    'secret', encode(w.secret, 'base64'),
    'previousSecret', case when w.previous_until > now() then encode(w.previous_secret, 'base64') end,
    'payload', (
      select json_build_object(
        'type', 'notification.' || message.kind,
        'timestamp', to_char(message.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'data', case
          when message.kind = 'recalled' then json_build_object(
            'notificationId', message.notification_id, 'tenantId', tenant_id, 'userId', nullif(user_id, '')
          )
          else json_build_object(
            'notificationId', n.notification_id,
            'messageId', n.message_id,
            'tenantId', tenant_id,
            'userId', n.user_id,
            'audience', n.audience,
            'topic', n.topic,
            'type', n.type,
            'category', n.category,
            'severity', n.severity,
            'title', n.title,
            'body', n.body,
            'data', n.data,
            'actor', n.actor,
            'actionUrl', n.action_url,
            'groupKey', n.group_key,
            'createdAt', to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'expiresAt', to_char(n.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          )
        end
      )::text
      from (select) as one
      left join notification n on true
      where message.kind = 'recalled' or n.notification_id is not null
    )
  ) into found
  from message
  join dbr_notifications.webhooks w on w.webhook_id = webhook_id and w.enabled;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return found;
end
$$;
revoke execute on function dbr_notifications.next_webhook_message from public;
grant execute on function dbr_notifications.next_webhook_message to dbr_notifications_producer;
