-- The one way in which notifications come into being: from the service's own endpoint, from signing, from triggers and functions.

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
  -- Row security binds the owner as well, to the tenant named here; the caller's own is put back below.
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
    ), told as (
      insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id)
      select tenant_id, null, 'created', inserted.notification_id from inserted
    )
    select count(*) into created from inserted;
    duplicates := 1 - created;
  else
    -- In one order, so that two calls with the same keys wait for each other rather than deadlock.
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
    ), told as (
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
  'Notifies the users named, or all users of the tenant where user_ids is null. Of notifications with the same dedupe_key '
  'a reader gets the first. Whoever may execute it may write to every tenant: grant it to owners of trusted functions only.';

revoke execute on function dbr_notifications.notify from public;
grant execute on function dbr_notifications.notify to dbr_notifications_producer;
revoke execute on function dbr_notifications.clock, dbr_notifications.uuid_v7 from public;
grant execute on function dbr_notifications.clock to dbr_notifications_user, dbr_notifications_system;
