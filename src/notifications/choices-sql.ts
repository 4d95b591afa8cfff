/** The statements on what a reader has chosen: categories, topics, and hours in which a channel does not disturb. */
import { type Sql, sql } from '../postgres/sql.js';
import { prepare } from '../postgres/batch.js';
import { instant, TENANT, USER } from './record-sql.js';

const shown = (chosen: Sql): Sql => sql`pg_catalog.json_build_object('categories', coalesce((
    select pg_catalog.json_object_agg(chosen.category, pg_catalog.json_build_object('inApp', chosen.in_app) order by chosen.category)
    from ${chosen} as chosen
  ), '{}'))`;

/** The JSON of the reader's preferences. */
export const SHOWN_PREFERENCES = shown(sql`(
      select p.category, p.in_app
      from dbr_notifications.preferences p
      where p.tenant_id = ${TENANT} and p.user_id = ${USER}
    )`);

/** One row: the preferences. */
export const GET_PREFERENCES = prepare(sql`
select ${SHOWN_PREFERENCES}::text`);

/**
 * `$3`: the member `categories` of the body, which replaces all preferences. One row: the critical category that it would
 * switch off (then nothing changes), the preferences. Unchanged categories keep their order. Where notifications for the tenant
 * came while a category was off, the time is kept, so that they stay hidden when it is on again.
 */
export const REPLACE_PREFERENCES = prepare(sql`
with chosen as materialized (
  select choice.key as category, (choice.value ->> 'inApp')::boolean as in_app
  from pg_catalog.json_each($3::json) as choice
), refused as materialized (
  select chosen.category
  from chosen
  join dbr_notifications.categories c on c.category = chosen.category and c.critical
  where not chosen.in_app
  order by chosen.category
  limit 1
), ended as (
  insert into dbr_notifications.muted_spans (tenant_id, user_id, category, since_seq)
  select ${TENANT}, ${USER}, p.category, p.since_seq
  from dbr_notifications.preferences p
  left join chosen on chosen.category = p.category
  where p.tenant_id = ${TENANT} and p.user_id = ${USER} and not p.in_app
    and coalesce(chosen.in_app, true) and not exists (select from refused)
    and exists (
      select from dbr_notifications.tenant_notifications n
      where n.tenant_id = ${TENANT} and n.category = p.category and n.seq > p.since_seq
    )
  on conflict do nothing
), event as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind)
  select ${TENANT}, ${USER}, 'preferences'
  where not exists (select from refused)
), removed as (
  delete from dbr_notifications.preferences p
  where p.tenant_id = ${TENANT} and p.user_id = ${USER}
    and p.category not in (select chosen.category from chosen) and not exists (select from refused)
), written as (
  insert into dbr_notifications.preferences as p (tenant_id, user_id, category, in_app)
  select ${TENANT}, ${USER}, chosen.category, chosen.in_app
  from chosen
  where not exists (select from refused)
  on conflict (tenant_id, user_id, category) do update
    set in_app = excluded.in_app, since_seq = excluded.since_seq
    where p.in_app <> excluded.in_app
)
select (select refused.category from refused), ${shown(sql`chosen`)}::text`);

/** Topics that a user follows at most: each is looked up in every list, count and read of a stream. */
export const MAX_TOPICS = 500;

/** One row: the topics as JSON. */
export const TOPICS = prepare(sql`
select pg_catalog.json_build_object('topics', coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
  'topic', s.topic, 'since', ${instant(sql`s.created_at`)}
) order by s.topic), '[]'))::text
from dbr_notifications.subscriptions s
where s.tenant_id = ${TENANT} and s.user_id = ${USER} and s.until_seq is null`);

/** `$3` topic. One row: whether the user follows the topic from now on, which is false for one topic too many. */
export const SUBSCRIBE = prepare(sql`
with following as materialized (
  select s.topic from dbr_notifications.subscriptions s
  where s.tenant_id = ${TENANT} and s.user_id = ${USER} and s.until_seq is null
), begun as (
  insert into dbr_notifications.subscriptions (tenant_id, user_id, topic)
  select ${TENANT}, ${USER}, $3::text
  where (select pg_catalog.count(*) from following) < ${MAX_TOPICS}
    and not exists (select from following where following.topic = $3::text)
  returning topic
), event as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, topic, kind)
  select ${TENANT}, ${USER}, begun.topic, 'subscribed' from begun
)
select (exists (select from begun) or exists (select from following where following.topic = $3::text))::text`);

/** `$3` topic. What was sent to it meanwhile stays visible; where nothing was, no row is kept. */
export const UNSUBSCRIBE = prepare(sql`
with ended as materialized (
  select s.since_seq, exists (
    select from dbr_notifications.tenant_notifications n
    where n.tenant_id = ${TENANT} and n.topic = $3::text and n.seq > s.since_seq
  ) as has_some
  from dbr_notifications.subscriptions s
  where s.tenant_id = ${TENANT} and s.user_id = ${USER} and s.topic = $3::text and s.until_seq is null
), removed as (
  delete from dbr_notifications.subscriptions s
  using ended
  where s.tenant_id = ${TENANT} and s.user_id = ${USER} and s.topic = $3::text and s.since_seq = ended.since_seq
    and not ended.has_some
), kept as (
  update dbr_notifications.subscriptions s
  set until_seq = pg_catalog.nextval('dbr_notifications.notification_seq')
  from ended
  where s.tenant_id = ${TENANT} and s.user_id = ${USER} and s.topic = $3::text and s.since_seq = ended.since_seq
    and ended.has_some
)
insert into dbr_notifications.stream_events (tenant_id, user_id, topic, kind)
select ${TENANT}, ${USER}, $3::text, 'unsubscribed' from ended`);

// Quiet hours: hours of each day in which a channel does not disturb a user.

const QUIET_HOURS = sql`pg_catalog.json_build_object(
  'channel', q.channel,
  'timeZone', q.time_zone,
  'starts', pg_catalog.to_char(q.starts, 'HH24:MI'),
  'ends', pg_catalog.to_char(q.ends, 'HH24:MI')
)`;

/** One row: the quiet hours as JSON. */
export const LIST_QUIET_HOURS = prepare(sql`
select pg_catalog.json_build_object('quietHours', coalesce(pg_catalog.json_agg(${QUIET_HOURS} order by q.channel), '[]'))::text
from dbr_notifications.quiet_hours q
where q.tenant_id = ${TENANT} and q.user_id = ${USER}`);

/** One row: the names of the time zones that the database knows, one on a line. */
export const TIME_ZONES = prepare(sql`
select pg_catalog.string_agg(zone.name, E'\\n') from pg_catalog.pg_timezone_names as zone`);

/** `$3` channel, `$4` a time zone that the database knows, `$5` start, `$6` end. One row: the quiet hours as JSON. */
export const SET_QUIET_HOURS = prepare(sql`
insert into dbr_notifications.quiet_hours as q (tenant_id, user_id, channel, time_zone, starts, ends)
values (${TENANT}, ${USER}, $3, $4, $5::time, $6::time)
on conflict (tenant_id, user_id, channel) do update
  set time_zone = excluded.time_zone, starts = excluded.starts, ends = excluded.ends
returning ${QUIET_HOURS}::text`);

/** `$3` channel. */
export const REMOVE_QUIET_HOURS = prepare(sql`
delete from dbr_notifications.quiet_hours q
where q.tenant_id = ${TENANT} and q.user_id = ${USER} and q.channel = $3`);

/**
 * Makes lanes of webhooks due that wait for the end of the user's quiet hours, before these change: the next claim finds the new
 * ones. Lanes that wait for another attempt are due at another time.
 */
export const RELEASE_LANES = prepare(sql`
update dbr_notifications.webhook_lanes l
set due_at = pg_catalog.now()
from dbr_notifications.quiet_hours q
where q.tenant_id = ${TENANT} and q.user_id = ${USER} and q.channel = 'webhook'
  and l.tenant_id = q.tenant_id and l.user_id = q.user_id and l.lease is null
  and l.due_at = dbr_notifications.quiet_until(q.time_zone, q.starts, q.ends)`);
