-- Webhooks whose messages wait for a time, and are not sent if the notification was read by then.

alter table dbr_notifications.webhooks
  add column delay_seconds integer check (delay_seconds between 1 and 86400),
  add column unless_read boolean not null default false;
grant insert (delay_seconds, unless_read), update (delay_seconds, unless_read) on dbr_notifications.webhooks
  to dbr_notifications_producer;

-- A delayed message becomes a new one at its time. A process of an earlier version leaves it alone.
alter table dbr_notifications.webhook_messages drop constraint webhook_messages_state_check;
alter table dbr_notifications.webhook_messages
  add constraint webhook_messages_state_check check (state in ('delayed', 'new', 'waiting', 'sent', 'dead')) not valid,
  add column not_before timestamptz;
comment on column dbr_notifications.webhook_messages.not_before is
  'The end of the delay of the webhook; null for a message that is sent at once, or on request.';
create index webhook_messages_delayed on dbr_notifications.webhook_messages (not_before, seq) where state = 'delayed';
grant update (not_before) on dbr_notifications.webhook_messages to dbr_notifications_producer;

-- As before, with the age since the end of the delay. There is no payload of what its user has read, put away or deleted after the
-- delay, if the webhook asks for that.
create or replace function dbr_notifications.next_webhook_message(tenant_id text, webhook_id uuid, user_id text, urgent boolean)
  returns json
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set row_security = on
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
    'age', extract(epoch from clock_timestamp() - coalesce(m.not_before, m.created_at)),
    'url', w.url,
    'secret', encode(w.secret, 'base64'),
    'previousSecret', case when w.previous_until > now() then encode(w.previous_secret, 'base64') end,
    'payload', case when not (
      w.unless_read and m.not_before is not null and m.kind <> 'recalled' and exists (
        select from dbr_notifications.user_notifications n
        where n.notification_id = m.notification_id
          and (
            n.read_at is not null or n.deleted_at is not null or n.expires_at <= now()
            or (n.archived_at is not null and n.snoozed_until is null)
          )
      )
    ) then dbr_notifications.webhook_payload(m.seq) end
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

-- As before, with the delay.
create or replace function dbr_notifications.queue_webhooks() returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set row_security = on
as $$
begin
  if not exists (select from new_events e where e.kind in ('created', 'updated', 'recalled'))
    or not exists (select from dbr_notifications.webhooks) then
    return null;
  end if;
  insert into dbr_notifications.webhook_messages (
    webhook_id, tenant_id, user_id, urgent, kind, notification_id, state, not_before
  )
  select w.webhook_id, e.tenant_id, coalesce(e.user_id, ''),
    coalesce(coalesce(n.severity, t.severity) = 'critical' or c.critical, false), e.kind, e.notification_id,
    case when w.delay_seconds is null then 'new' else 'delayed' end,
    dbr_notifications.clock() + make_interval(secs => w.delay_seconds)
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
  order by e.event_id, w.webhook_id
  for key share of w;
  return null;
end
$$;
