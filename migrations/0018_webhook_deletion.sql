-- As before, with a lock of the webhooks: a notification that is made while a webhook is deleted waits for the end of the deletion,
-- and does not fail for a reference to a webhook that is gone.

create or replace function dbr_notifications.queue_webhooks() returns trigger
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
  order by e.event_id, w.webhook_id
  for key share of w;
  return null;
end
$$;
