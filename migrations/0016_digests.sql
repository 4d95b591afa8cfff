-- Digests: within a window, notifications of one user with the same key are collected into one.

create table dbr_notifications.digests (
  digest_id bigint generated always as identity unique,
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  digest_key text not null check (pg_catalog.length(digest_key) between 1 and 200),
  created_at timestamptz not null default dbr_notifications.clock(),
  due_at timestamptz not null,
  -- A sliding window ends at this time at the latest.
  latest_at timestamptz not null,
  count integer not null default 1,
  -- The last items, which `dbr_notifications.last_items` bounds.
  items json[] not null,
  -- The content of the last notification.
  type text not null check (type ~ '^[a-z0-9_]+(\.[a-z0-9_]+)*$' and pg_catalog.length(type) <= 100),
  category text not null check (pg_catalog.length(category) between 1 and 100),
  severity text not null check (severity in ('info', 'success', 'warning', 'critical')),
  title text not null check (pg_catalog.length(title) between 1 and 200),
  body text check (pg_catalog.length(body) <= 4000),
  actor json check (pg_catalog.json_typeof(actor) = 'object' and pg_catalog.octet_length(actor::text) <= 4096),
  action_url text check (
    pg_catalog.length(action_url) between 1 and 2000
    and action_url !~ '[[:space:][:cntrl:]\\]'
    and (action_url ~* '^https?://[^/]' or (action_url !~ '^[^/?#]*:' and action_url !~ '^//'))
  ),
  group_key text check (pg_catalog.length(group_key) between 1 and 200),
  expires_at timestamptz check (expires_at < '10000-01-01 00:00:00+00'),
  primary key (tenant_id, user_id, digest_key)
);
comment on table dbr_notifications.digests is 'Open digests: notifications of one user with the same key, which become one when the window ends.';
create index digests_due on dbr_notifications.digests (due_at);
create index digests_created on dbr_notifications.digests (tenant_id, created_at);

create table dbr_notifications.digested_keys (
  key_id bigint generated always as identity unique,
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null check (user_id <> ''),
  dedupe_key text not null check (pg_catalog.length(dedupe_key) between 1 and 200),
  created_at timestamptz not null default dbr_notifications.clock(),
  primary key (tenant_id, user_id, dedupe_key)
);
comment on table dbr_notifications.digested_keys is
  'The `dedupe_key` of notifications that were collected, kept as long as notifications.';
create index digested_keys_created on dbr_notifications.digested_keys (tenant_id, created_at);

do $$
declare
  name text;
begin
  foreach name in array array['digests', 'digested_keys'] loop
    execute pg_catalog.format('alter table dbr_notifications.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_notifications.%I force row level security', name);
    -- The functions below run as the owner of the tables.
    execute pg_catalog.format(
      'create policy producer on dbr_notifications.%I to current_user
         using (tenant_id = (select dbr_notifications.tenant_id()))',
      name
    );
    execute pg_catalog.format('create policy system on dbr_notifications.%I to dbr_notifications_system using (true)', name);
    execute pg_catalog.format(
      'create policy erasure on dbr_notifications.%I for delete to dbr_erasure
         using (tenant_id = (select dbr_notifications.tenant_id()) and user_id = (select dbr_notifications.user_id()))',
      name
    );
    execute pg_catalog.format(
      'create policy erasure_read on dbr_notifications.%I for select to dbr_erasure
         using (tenant_id = (select dbr_notifications.tenant_id()))',
      name
    );
    execute pg_catalog.format('grant select (tenant_id, user_id), delete on dbr_notifications.%I to dbr_erasure', name);
    execute pg_catalog.format(
      'grant select (tenant_id, user_id, created_at), delete on dbr_notifications.%I to dbr_notifications_system', name
    );
  end loop;
end
$$;
create policy erasure_of_actor on dbr_notifications.digests for update to dbr_erasure
  using (tenant_id = (select dbr_notifications.tenant_id()));
grant select (actor), update (actor) on dbr_notifications.digests to dbr_erasure;
-- Rows are locked before they become notifications, which needs the privilege to update.
grant select (digest_id, digest_key, due_at), update (due_at) on dbr_notifications.digests to dbr_notifications_system;
grant select (key_id) on dbr_notifications.digested_keys to dbr_notifications_system;

-- The last items: at most ten, and as many as 12 KiB hold. The data of a notification hold 16 KiB.
create function dbr_notifications.last_items(items json[]) returns json[]
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg(kept.item order by kept.place), '{}')
  from (
    select each.item, each.place, sum(octet_length(each.item::text)) over (order by each.place desc) as bytes
    from unnest(items) with ordinality as each (item, place)
  ) as kept
  where kept.bytes <= 12288 and kept.place > cardinality(items) - 10
$$;
revoke execute on function dbr_notifications.last_items from public;

-- The advisory lock of a dedupe key. Equal numbers of different keys make calls wait, no more.
create function dbr_notifications.dedupe_lock(tenant_id text, dedupe_key text) returns bigint
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select hashtextextended(json_build_array(tenant_id, dedupe_key)::text, 0)
$$;
revoke execute on function dbr_notifications.dedupe_lock from public;

-- Adds a notification to the digest of each user, and opens those that are not open. Raises 54000 if that were too many.
create function dbr_notifications.collect(
  tenant_id text,
  user_ids text[],
  digest_key text,
  window_seconds integer, -- of the first notification: from 1 to 7 days
  sliding boolean, -- the window begins again, and ends after 12 windows or 7 days at the latest
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
  out collected integer,
  out duplicates integer,
  out suppressed integer
)
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  longest constant interval := interval '7 days';
  most_of_user constant integer := 100;
  most_of_tenant constant integer := 20000;
  caller_tenant text := current_setting('app.tenant_id', true);
  readers text[];
  fresh text[];
  opening text[];
  is_critical boolean;
begin
  if window_seconds is null or window_seconds not between 1 and 604800 or digest_key is null then
    raise exception using errcode = '22023', message = 'a digest has a key and a window of 1 to 604800 seconds';
  end if;
  perform set_config('app.tenant_id', tenant_id, true);
  is_critical := exists (
    select from dbr_notifications.categories c where c.category = category and c.critical
  );
  -- Sorted, so that two calls wait for each other and do not deadlock.
  select array_agg(named.user_id order by named.user_id) filter (where not named.muted), count(*) filter (where named.muted)
    into readers, suppressed
    from (
      select reader.user_id, not is_critical and exists (
        select from dbr_notifications.preferences p
        where p.tenant_id = tenant_id and p.user_id = reader.user_id and p.category = category and not p.in_app
      ) as muted
      from (select distinct u.user_id from unnest(user_ids) as u (user_id)) as reader
    ) as named;

  fresh := readers;
  if dedupe_key is not null then
    -- `refuse_digested` shares this lock: neither sees what the other has not committed.
    perform pg_advisory_xact_lock(dbr_notifications.dedupe_lock(tenant_id, dedupe_key));
    with new_keys as (
      insert into dbr_notifications.digested_keys as k (tenant_id, user_id, dedupe_key)
      select tenant_id, reader.user_id, dedupe_key
      from unnest(readers) as reader (user_id)
      where not exists (
        select from dbr_notifications.user_notifications n
        where n.tenant_id = tenant_id and n.user_id = reader.user_id and n.dedupe_key = dedupe_key
      )
      order by reader.user_id
      on conflict do nothing
      returning k.user_id
    )
    select array_agg(new_keys.user_id order by new_keys.user_id) into fresh from new_keys;
  end if;
  collected := coalesce(cardinality(fresh), 0);
  duplicates := coalesce(cardinality(readers), 0) - collected;

  select array_agg(reader.user_id) into opening
  from unnest(fresh) as reader (user_id)
  where not exists (
    select from dbr_notifications.digests d
    where d.tenant_id = tenant_id and d.user_id = reader.user_id and d.digest_key = digest_key
  );
  if exists (
    select from unnest(opening) as reader (user_id)
    where most_of_user <= (
      select count(*) from dbr_notifications.digests d where d.tenant_id = tenant_id and d.user_id = reader.user_id
    )
  ) or opening is not null and most_of_tenant < cardinality(opening) + (
    select count(*)
    from (select from dbr_notifications.digests d where d.tenant_id = tenant_id limit most_of_tenant) as counted
  ) then
    raise exception using errcode = '54000', message = 'too many digests are open';
  end if;

  insert into dbr_notifications.digests as d (
    tenant_id, user_id, digest_key, due_at, latest_at, items, type, category, severity, title, body, actor, action_url,
    group_key, expires_at
  )
  select
    tenant_id, reader.user_id, digest_key, now() + make_interval(secs => window_seconds),
    now() + least(make_interval(secs => 12.0 * window_seconds), longest),
    dbr_notifications.last_items(array[json_build_object(
      'title', title,
      'body', body,
      'data', data,
      'actionUrl', action_url,
      'createdAt', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    )]),
    type, category, severity, title, body, actor, action_url, group_key, expires_at
  from unnest(fresh) as reader (user_id)
  order by reader.user_id
  on conflict on constraint digests_pkey do update set
    due_at = case when sliding then greatest(d.due_at, least(d.latest_at, excluded.due_at)) else d.due_at end,
    count = d.count + 1,
    items = dbr_notifications.last_items(d.items || excluded.items),
    type = excluded.type,
    category = excluded.category,
    severity = excluded.severity,
    title = excluded.title,
    body = excluded.body,
    actor = excluded.actor,
    action_url = excluded.action_url,
    group_key = excluded.group_key,
    expires_at = excluded.expires_at;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
end
$$;
comment on function dbr_notifications.collect is
  'Adds a notification to a digest of each named user. A role that may execute it can write to every tenant: grant it to owners '
  'of trusted functions only.';
revoke execute on function dbr_notifications.collect from public;
grant execute on function dbr_notifications.collect to dbr_notifications_producer;

-- Turns a digest, which the caller has locked, into a notification. False if that failed: then it is due again in a minute.
create function dbr_notifications.end_digest(tenant_id text, user_id text, digest_key text) returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  caller_tenant text := current_setting('app.tenant_id', true);
  ended dbr_notifications.digests;
begin
  perform set_config('app.tenant_id', tenant_id, true);
  begin
    delete from dbr_notifications.digests d
    where d.tenant_id = tenant_id and d.user_id = user_id and d.digest_key = digest_key
    returning d.* into ended;
    perform dbr_notifications.produce(
      tenant_id => tenant_id,
      user_ids => array[user_id],
      topic => null,
      type => ended.type,
      title => ended.title,
      category => ended.category,
      severity => ended.severity,
      body => ended.body,
      data => json_build_object('digest', json_build_object(
        'key', digest_key,
        'count', ended.count,
        'since', to_char(ended.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'items', to_json(ended.items)
      )),
      actor => ended.actor,
      action_url => ended.action_url,
      group_key => ended.group_key,
      expires_at => ended.expires_at
    );
  exception when others then
    raise warning 'a digest could not end: %', sqlstate;
    update dbr_notifications.digests d
    set due_at = now() + interval '1 minute'
    where d.tenant_id = tenant_id and d.user_id = user_id and d.digest_key = digest_key;
    ended := null;
  end;
  perform set_config('app.tenant_id', coalesce(caller_tenant, ''), true);
  return ended.tenant_id is not null;
end
$$;
revoke execute on function dbr_notifications.end_digest from public;
grant execute on function dbr_notifications.end_digest to dbr_notifications_system;

-- A notification whose key was in a digest is a duplicate, which `produce` counts as such.
create function dbr_notifications.refuse_digested() returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(dbr_notifications.dedupe_lock(new.tenant_id, new.dedupe_key));
  if exists (
    select from dbr_notifications.digested_keys k
    where k.tenant_id = new.tenant_id and k.user_id = new.user_id and k.dedupe_key = new.dedupe_key
  ) then
    return null;
  end if;
  return new;
end
$$;
revoke execute on function dbr_notifications.refuse_digested from public;
create trigger refuse_digested before insert on dbr_notifications.user_notifications
  for each row when (new.dedupe_key is not null) execute function dbr_notifications.refuse_digested();

-- As before, and null for a time zone that PostgreSQL does not know: it held up the notifications of the whole tenant.
create or replace function dbr_notifications.quiet_until(time_zone text, starts time, ends time) returns timestamptz
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  here timestamp;
begin
  here := now() at time zone time_zone;
  return case
    when starts < ends and here::time >= starts and here::time < ends then (here::date + ends) at time zone time_zone
    when starts > ends and here::time >= starts then (here::date + 1 + ends) at time zone time_zone
    when starts > ends and here::time < ends then (here::date + ends) at time zone time_zone
  end;
exception when invalid_parameter_value then
  return null;
end
$$;
