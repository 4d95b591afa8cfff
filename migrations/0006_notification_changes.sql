-- Events for every change of a notification, categories that were off for a time, users who appear for the first time.

-- Events of the kind recount are of earlier versions.
alter table dbr_notifications.stream_events drop constraint stream_events_kind_check;
alter table dbr_notifications.stream_events add constraint stream_events_kind_check check (kind in (
  'created', 'read', 'unread', 'seen', 'archived', 'unarchived', 'expired',
  'all-read', 'all-unread', 'all-seen', 'all-archived', 'all-unarchived', 'preferences', 'recount'
));
comment on column dbr_notifications.stream_events.xid is
  'The transaction. Identity values and transaction ids become visible out of order: the position of a stream names the '
  'transactions that ran when it was read.';

-- The events of notifications that will expire. One of the processes moves them to the stream when their time has come.
create table dbr_notifications.expiries (
  notification_id uuid primary key,
  tenant_id text not null,
  user_id text, -- null: every user of the tenant
  expires_at timestamptz not null
);
comment on table dbr_notifications.expiries is 'When notifications expire, for the live streams.';
create index expiries_time on dbr_notifications.expiries (expires_at);

create table dbr_notifications.muted_spans (
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  category text not null check (pg_catalog.length(category) between 1 and 100),
  since_seq bigint not null,
  until_seq bigint not null default pg_catalog.nextval('dbr_notifications.notification_seq'),
  primary key (tenant_id, user_id, category, since_seq)
);
comment on table dbr_notifications.muted_spans is
  'Times in which a user had switched a category off: notifications for the whole tenant of these times stay hidden.';
create index muted_spans_end on dbr_notifications.muted_spans (until_seq);

create table dbr_notifications.readers (
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  since timestamptz not null default dbr_notifications.clock(),
  primary key (tenant_id, user_id)
);
comment on table dbr_notifications.readers is
  'Users who have read their notifications, since their first request: older notifications for the whole tenant were read by then.';

-- Addresses that a click opens: relative ones, and absolute ones of http and https. Rows of earlier versions stay.
do $$
declare
  name text;
begin
  foreach name in array array['user_notifications', 'tenant_notifications'] loop
    execute pg_catalog.format(
      $check$
        alter table dbr_notifications.%1$I add constraint %1$s_action_url_safe check (
          action_url !~ '[[:space:][:cntrl:]\\]'
          and (action_url ~* '^https?://[^/]' or (action_url !~ '^[^/?#]*:' and action_url !~ '^//'))
        ) not valid
      $check$,
      name
    );
  end loop;

  -- Row security binds the owner too: it is lifted while the rows of every tenant are copied.
  foreach name in array array['user_notifications', 'tenant_notifications', 'tenant_receipts', 'preferences'] loop
    execute pg_catalog.format('alter table dbr_notifications.%I no force row level security', name);
  end loop;
  insert into dbr_notifications.expiries (notification_id, tenant_id, user_id, expires_at)
  select n.notification_id, n.tenant_id, n.user_id, n.expires_at
  from dbr_notifications.user_notifications n
  where n.expires_at > pg_catalog.now()
  union all
  select n.notification_id, n.tenant_id, null, n.expires_at
  from dbr_notifications.tenant_notifications n
  where n.expires_at > pg_catalog.now();
  insert into dbr_notifications.readers (tenant_id, user_id)
  select n.tenant_id, n.user_id from dbr_notifications.user_notifications n
  union
  select r.tenant_id, r.user_id from dbr_notifications.tenant_receipts r
  union
  select p.tenant_id, p.user_id from dbr_notifications.preferences p;
  foreach name in array array['user_notifications', 'tenant_notifications', 'tenant_receipts', 'preferences'] loop
    execute pg_catalog.format('alter table dbr_notifications.%I force row level security', name);
  end loop;

  foreach name in array array['expiries', 'muted_spans', 'readers'] loop
    execute pg_catalog.format('alter table dbr_notifications.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_notifications.%I force row level security', name);
  end loop;
  foreach name in array array['muted_spans', 'readers'] loop
    execute pg_catalog.format(
      'create policy own on dbr_notifications.%I to dbr_notifications_user
         using (tenant_id = (select dbr_notifications.tenant_id()) and user_id = (select dbr_notifications.user_id()))',
      name
    );
  end loop;
  foreach name in array array['expiries', 'muted_spans'] loop
    execute pg_catalog.format('create policy system on dbr_notifications.%I to dbr_notifications_system using (true)', name);
  end loop;
  -- notify() runs as the owner of the tables.
  create policy producer on dbr_notifications.expiries to current_user
    using (tenant_id = (select dbr_notifications.tenant_id()));
end
$$;

grant select, insert (tenant_id, user_id, category, since_seq) on dbr_notifications.muted_spans to dbr_notifications_user;
grant select, insert (tenant_id, user_id) on dbr_notifications.readers to dbr_notifications_user;
-- Rows are locked before they are moved, which needs the privilege to update.
grant select, delete, update (expires_at) on dbr_notifications.expiries to dbr_notifications_system;
grant select (until_seq), delete on dbr_notifications.muted_spans to dbr_notifications_system;
grant select (seq) on dbr_notifications.tenant_notifications to dbr_notifications_system;
grant insert (tenant_id, user_id, kind, notification_id, created_at) on dbr_notifications.stream_events
  to dbr_notifications_system;

-- As before, and with a row of `expiries` for each notification that expires.
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
    ), scheduled as (
      insert into dbr_notifications.expiries (notification_id, tenant_id, user_id, expires_at)
      select inserted.notification_id, tenant_id, null, expires_at from inserted where expires_at is not null
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
    ), scheduled as (
      insert into dbr_notifications.expiries (notification_id, tenant_id, user_id, expires_at)
      select inserted.notification_id, tenant_id, inserted.user_id, expires_at from inserted where expires_at is not null
    )
    select count(*) into created from inserted;
    duplicates := coalesce(cardinality(readers), 0) - created;
  end if;

  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
end
$$;
