-- The last failed attempt of each webhook, and the body of a message for those who manage its webhook.

alter table dbr_notifications.webhooks
  add column failed_at timestamptz,
  add column failed_status integer,
  add column failed_error text check (pg_catalog.length(failed_error) <= 100);
grant select (failed_at, failed_status, failed_error), update (failed_at, failed_status, failed_error)
  on dbr_notifications.webhooks to dbr_notifications_system;

-- The body of the request of a message, of the tenant of the transaction. Null if the notification or the message is gone.
create function dbr_notifications.webhook_payload(seq bigint) returns text
  language sql stable
  security definer
  set search_path = pg_catalog, pg_temp
return (
  select json_build_object(
    'type', 'notification.' || m.kind,
    'timestamp', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', case
      when m.kind = 'recalled' then json_build_object(
        'notificationId', m.notification_id, 'tenantId', m.tenant_id, 'userId', nullif(m.user_id, '')
      )
      else json_build_object(
        'notificationId', n.notification_id,
        'messageId', n.message_id,
        'tenantId', m.tenant_id,
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
  from dbr_notifications.webhook_messages m
  left join lateral (
    select
      n.notification_id, n.message_id, n.user_id, 'user' as audience, null as topic, n.type, n.category, n.severity, n.title,
      n.body, n.data, n.actor, n.action_url, n.group_key, n.created_at, n.expires_at
    from dbr_notifications.user_notifications n
    where n.notification_id = m.notification_id
    union all
    select
      n.notification_id, n.notification_id, null, case when n.topic is null then 'tenant' else 'topic' end, n.topic, n.type,
      n.category, n.severity, n.title, n.body, n.data, n.actor, n.action_url, n.group_key, n.created_at, n.expires_at
    from dbr_notifications.tenant_notifications n
    where n.notification_id = m.notification_id
  ) as n on true
  where m.seq = webhook_payload.seq and (m.kind = 'recalled' or n.notification_id is not null)
);
revoke execute on function dbr_notifications.webhook_payload from public;
grant execute on function dbr_notifications.webhook_payload to dbr_notifications_producer;

-- As before, with the body from `webhook_payload`.
create or replace function dbr_notifications.next_webhook_message(tenant_id text, webhook_id uuid, user_id text, urgent boolean)
  returns json
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
  select json_build_object(
    'seq', m.seq::text,
    'attempts', m.attempts,
    'age', extract(epoch from clock_timestamp() - m.created_at),
    'url', w.url,
    'secret', encode(w.secret, 'base64'),
    'previousSecret', case when w.previous_until > now() then encode(w.previous_secret, 'base64') end,
    'payload', dbr_notifications.webhook_payload(m.seq)
  ) into found
  from dbr_notifications.webhook_messages m
  join dbr_notifications.webhooks w on w.webhook_id = m.webhook_id and w.enabled
  where m.webhook_id = webhook_id and m.user_id = user_id and m.urgent = urgent and m.state = 'waiting'
  order by m.seq
  limit 1;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return found;
end
$$;
