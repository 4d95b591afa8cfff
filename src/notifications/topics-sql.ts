/** The statements on topics that a reader follows. */
import { prepare } from '../postgres/statement.js';
import { sql } from '../postgres/sql.js';
import { instant, TENANT, USER } from './record-sql.js';

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
