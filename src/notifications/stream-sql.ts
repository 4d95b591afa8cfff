/**
 * The statements of live streams. A position is (transaction id, event id) and the transactions before it that ran when it was
 * read (`postgres/event-position.ts`): a statement reads what follows it and what those have written since.
 */
import { prepare } from '../postgres/batch.js';
import { SHOWN_PREFERENCES } from './choices-sql.js';
import { instant, marksOf, OF_READER, recordOf, TENANT, UNREAD_COUNT, USER, visible } from './record-sql.js';
import { userLock } from './role-sql.js';
import { inReach, NAMED, openRows, placeSql as place } from '../postgres/event-position.js';
import { type Sql, sql } from '../postgres/sql.js';

/** Events that a client may be behind before it receives a reset. */
export const BACKLOG = 256;

/** Events that one read of all tenants returns, and expiries that one statement moves. */
export const DISPATCH_LIMIT = 5000;

/** Snoozed notifications of each table that one statement returns: each takes a lock. */
export const RETURN_LIMIT = 200;

/** The place up to which events were deleted; the first if none were. */
const SWEPT = 'select h.xid, h.event_id from dbr_notifications.stream_horizon h';

const last = (whose: Sql): Sql => sql`
    (select e.xid, e.event_id
     from dbr_notifications.stream_events e
     where ${whose} and ${inReach(sql`e.xid`)}
     order by e.xid desc, e.event_id desc
     limit 1)`;

/**
 * One row: the place at which a new stream begins, the running transactions, `{"count":n}`. It begins at the last event, because
 * only a committed transaction keeps its id when the server recovers from a crash.
 */
export const OPEN_STREAM = prepare(sql`
with ${OF_READER}
select
  ${place(sql`newest.xid`, sql`newest.event_id`)}, ${NAMED}::text,
  pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text
from (${last(sql`e.tenant_id = ${TENANT} and e.user_id = ${USER}`)}
    union all${last(sql`e.tenant_id = ${TENANT} and e.user_id is null`)}
    union all
    (${SWEPT})
) as newest
order by newest.xid desc, newest.event_id desc
limit 1`);

/** `$3`, `$4`: the newest event of a position; `$5`, `$6`: its open transactions, and the event of each. */
const OPEN = openRows(sql`$5`, sql`$6`);

/**
 * `$3` to `$6`: the position of a client that resumes. One row: whether events after it may be lost, `{"count":n}`. They may be
 * if they were deleted, and if the position is of another database or of commits that a crash has lost.
 */
export const RESUME_STREAM = prepare(sql`
with ${OF_READER}
select
  (
    exists (
      select from dbr_notifications.stream_horizon h
      where (h.xid, h.event_id) > ($3::xid8, $4::bigint)
        or exists (select from ${OPEN} where open.xid <= h.xid and open.xid <> all (${NAMED}))
    )
    or $3::xid8 >= pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())
  )::text,
  pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text`);

const events = (whose: Sql, followed = sql``): Sql => sql`
    (select ${EVENT}
     from ${followed}dbr_notifications.stream_events e
     where ${whose} and (e.xid, e.event_id) > ($3::xid8, $4::bigint) and ${inReach(sql`e.xid`)}
     order by e.xid, e.event_id
     limit ${BACKLOG + 1})
    union all
    (select ${EVENT}
     from ${followed}${OPEN}
     join dbr_notifications.stream_events e on e.xid = open.xid and e.event_id > open.event_id
     where ${whose}
     limit ${BACKLOG + 1})`;

const EVENT = sql`e.xid, e.event_id, e.kind, e.notification_id, e.before, e.created_at, e.snapshot, e.topic`;

/**
 * Whether an event is the expiry of a notification of a topic that the user does not follow. Rows of `expiries`, and so their events,
 * have no topic.
 */
const IS_FOREIGN_EXPIRY = sql`(
      e.kind = 'expired' and exists (
        select from dbr_notifications.tenant_notifications n
        where n.tenant_id = ${TENANT} and n.notification_id = e.notification_id
          and n.topic is not null and n.topic not in (select followed.topic from followed)
      )
    )`;

/** Events for the user, for all users of the tenant, and for the followers of the user's topics. */
const EVENTS = sql`
    ${events(sql`e.tenant_id = ${TENANT} and e.user_id = ${USER}`)}
    union all
    ${events(sql`e.tenant_id = ${TENANT} and e.user_id is null and e.topic is null and not ${IS_FOREIGN_EXPIRY}`)}
    union all
    ${events(
      sql`e.tenant_id = ${TENANT} and e.user_id is null and e.topic = topics.topic`,
      sql`(select distinct followed.topic from followed) as topics, `,
    )}`;

/** The data of an event of one notification, as the notification is now; null if it is no longer visible. */
const ofOne = (json: Sql): Sql => sql`(
        select ${json} from visible where visible.notification_id = happened.notification_id
      )`;
const MARKS = ofOne(
  sql`pg_catalog.json_build_object('notificationId', visible.notification_id, ${marksOf(sql`visible`)})`,
);
const RECORD = ofOne(recordOf(sql`visible`));

const MOMENT = instant(sql`happened.created_at`);
const MOMENT_NAME = sql`case happened.kind when 'all-read' then 'readAt' when 'all-seen' then 'seenAt' else 'archivedAt' end`;

/** Notifications that a mark of all has not changed, because their transactions had not ended. */
const NOT_SEEN = sql`coalesce((
        select pg_catalog.json_agg(later.notification_id)
        from (
          select e.notification_id
          from dbr_notifications.stream_events e
          where e.tenant_id = ${TENANT} and (e.user_id = ${USER} or e.user_id is null) and e.kind = 'created'
            and e.xid >= pg_catalog.pg_snapshot_xmin(happened.snapshot)
            and not pg_catalog.pg_visible_in_snapshot(e.xid, happened.snapshot)
          limit ${BACKLOG + 1}
        ) as later
      ), '[]')`;
const ofAll = (members: Sql): Sql =>
  sql`pg_catalog.json_build_object(${members}'before', ${instant(sql`happened.before`)}, 'excluded', ${NOT_SEEN})`;

/**
 * `$3` to `$6`: the client's position. One row for each later event, in order: place, event, data. An event of a notification
 * that is no longer visible has no data; others have its present state. The last row has the running transactions, event null and
 * the present count.
 */
export const READ_STREAM = prepare(sql`
with ${OF_READER}, happened as materialized (
  select e.*
  from (${EVENTS}
  ) as e
  order by e.xid, e.event_id
  limit ${BACKLOG + 1}
), ${visible(sql`array(select happened.notification_id from happened)`)}
select changed.place, changed.event, changed.data
from (
  select
    happened.xid, happened.event_id, ${place(sql`happened.xid`, sql`happened.event_id`)} as place,
    case
      when happened.kind in ('subscribed', 'unsubscribed') then 'topic.' || happened.kind
      when happened.kind = 'preferences' then 'preferences.changed'
      when happened.kind like 'all-%' then 'notifications.' || happened.kind
      else 'notification.' || happened.kind
    end as event,
    case
      when happened.kind in ('read', 'unread', 'seen', 'interacted') then ${MARKS}
      when happened.kind in ('created', 'updated', 'archived', 'unarchived', 'snoozed', 'unsnoozed') then ${RECORD}
      when happened.kind in ('deleted', 'recalled', 'expired')
        then pg_catalog.json_build_object('notificationId', happened.notification_id)
      when happened.kind in ('subscribed', 'unsubscribed') then pg_catalog.json_build_object('topic', happened.topic)
      when happened.kind in ('all-read', 'all-seen', 'all-archived') then ${ofAll(sql`${MOMENT_NAME}, ${MOMENT}, `)}
      when happened.kind in ('all-unread', 'all-unarchived') then ${ofAll(sql``)}
      when happened.kind = 'preferences' then ${SHOWN_PREFERENCES}
    end::text as data
  from happened
  union all
  select null, null, ${NAMED}::text, null, pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text
) as changed
order by changed.xid nulls last, changed.event_id`);

/**
 * `$1` to `$4`: the position of the process. One row for each reader with new events, of all tenants: tenant, user (null for all
 * users of the tenant). The last row has no tenant, the place of the last event that was read (null for none), the running
 * transactions, the seconds since the oldest of the new events was written (null for none), and what is ahead: `more` if there
 * were too many; `lost` if the position lies in the future, as it does after a crash that lost commits; else `nothing`.
 */
export const DISPATCH = prepare(sql`
with fresh as materialized (
  select e.*
  from (
    (select e.xid, e.event_id, e.tenant_id, e.user_id, e.created_at
     from dbr_notifications.stream_events e
     where (e.xid, e.event_id) > ($1::xid8, $2::bigint) and ${inReach(sql`e.xid`)}
     order by e.xid, e.event_id
     limit ${DISPATCH_LIMIT})
    union all
    (select e.xid, e.event_id, e.tenant_id, e.user_id, e.created_at
     from ${openRows(sql`$3`, sql`$4`)}
     join dbr_notifications.stream_events e on e.xid = open.xid and e.event_id > open.event_id
     order by e.xid, e.event_id
     limit ${DISPATCH_LIMIT})
  ) as e
  order by e.xid, e.event_id
  limit ${DISPATCH_LIMIT}
)
select readers.tenant_id, readers.user_id, null, null, null
from (select distinct fresh.tenant_id, fresh.user_id from fresh) as readers
union all
select
  null,
  (select ${place(sql`fresh.xid`, sql`fresh.event_id`)} from fresh order by fresh.xid desc, fresh.event_id desc limit 1),
  ${NAMED}::text,
  (select extract(epoch from pg_catalog.clock_timestamp() - pg_catalog.min(fresh.created_at)) from fresh)::text,
  case
    when $1::xid8 >= pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()) then 'lost'
    when (select pg_catalog.count(*) from fresh) = ${DISPATCH_LIMIT} then 'more'
    else 'nothing'
  end`);

/** One row: the place at which the process begins to read, the running transactions. */
export const DISPATCH_START = prepare(sql`
select ${place(sql`newest.xid`, sql`newest.event_id`)}, ${NAMED}::text
from (${last(sql`true`)}
    union all
    (${SWEPT})
) as newest
order by newest.xid desc, newest.event_id desc
limit 1`);

/**
 * Moves the events of notifications that have expired to the stream, without those that no stream can resume before, and
 * those whose notification is deleted, so that its topic is unknown. One row: their number.
 */
export const MOVE_EXPIRED = prepare(sql`
with due as materialized (
  select x.notification_id
  from dbr_notifications.expiries x
  where x.expires_at <= pg_catalog.now()
  order by x.expires_at
  limit ${DISPATCH_LIMIT}
  for update skip locked
), expired as (
  delete from dbr_notifications.expiries x
  where x.notification_id in (select due.notification_id from due)
  returning x.tenant_id, x.user_id, x.notification_id, x.expires_at
), streamed as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id)
  select expired.tenant_id, expired.user_id, 'expired', expired.notification_id
  from expired
  where expired.expires_at > pg_catalog.now() - interval '1 day' and (
    expired.user_id is not null or exists (
      select from dbr_notifications.tenant_notifications n where n.notification_id = expired.notification_id
    )
  )
)
select pg_catalog.count(*)::text from expired`);

/** Digests that one transaction ends at most. */
export const DIGEST_BATCH = 200;

/** Turns digests whose windows have ended into notifications. A digest that another process ends is skipped. One row: their number. */
export const END_DIGESTS = prepare(sql`
with due as materialized (
  select d.tenant_id, d.user_id, d.digest_key
  from dbr_notifications.digests d
  where d.due_at <= pg_catalog.now()
  order by d.due_at
  limit ${DIGEST_BATCH}
  for update skip locked
)
select pg_catalog.count(dbr_notifications.end_digest(due.tenant_id, due.user_id, due.digest_key))::text from due`);

/** What one transaction sends of what is scheduled: tenants, and of each so many, with no further one beyond so many readers. */
const SENT = { tenants: 20, messages: 50, readers: 1000 } as const;

/**
 * Sends what is scheduled and due, some of each tenant, so that no tenant waits for all of another. One process at a time sends for a
 * tenant, in the order of the times. One row: the number that was sent or put off.
 */
export const SEND_SCHEDULED = prepare(sql`
with recursive tenants as (
  (select s.tenant_id from dbr_notifications.scheduled_notifications s
   where exists (select from dbr_notifications.scheduled_notifications d where d.due_at <= pg_catalog.now())
   order by s.tenant_id limit 1)
  union all
  select (
    select s.tenant_id from dbr_notifications.scheduled_notifications s
    where s.tenant_id > tenants.tenant_id order by s.tenant_id limit 1
  )
  from tenants
  where tenants.tenant_id is not null
), chosen as materialized (
  select tenants.tenant_id
  from tenants
  where exists (
    select from dbr_notifications.scheduled_notifications s
    where s.tenant_id = tenants.tenant_id and s.due_at <= pg_catalog.now()
  )
  order by pg_catalog.random()
  limit ${SENT.tenants}
), ours as materialized (
  select chosen.tenant_id from chosen
  where pg_catalog.pg_try_advisory_xact_lock(5347127, pg_catalog.hashtext(chosen.tenant_id))
), due as (
  select s.*, pg_catalog.sum(s.readers) over (partition by s.tenant_id order by s.due_at, s.scheduled_id) - s.readers as before
  from ours
  cross join lateral (
    select s.tenant_id, s.scheduled_id, s.due_at, s.readers
    from dbr_notifications.scheduled_notifications s
    where s.tenant_id = ours.tenant_id and s.due_at <= pg_catalog.now()
    order by s.due_at, s.scheduled_id
    limit ${SENT.messages}
    for update skip locked
  ) as s
), turn as materialized (
  select due.tenant_id, due.scheduled_id from due
  where due.before < ${SENT.readers}
  order by due.tenant_id, due.due_at, due.scheduled_id
)
select pg_catalog.count(dbr_notifications.send_scheduled(turn.tenant_id, turn.scheduled_id))::text from turn`);

/**
 * Returns notifications to the inbox whose snooze has ended, with their events. Those of a user whose marks are being set wait for
 * the next time. One row: their number.
 */
export const RETURN_SNOOZED = prepare(sql`
with ${dueOf('user_notifications')}, ${dueOf('tenant_receipts')}, returned as (
  select * from back_user_notifications union all select * from back_tenant_receipts
), streamed as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id)
  select returned.tenant_id, returned.user_id, 'unsnoozed', returned.notification_id from returned
)
select pg_catalog.count(*)::text from returned`);

function dueOf(table: 'user_notifications' | 'tenant_receipts'): Sql {
  return sql`due_${table} as materialized (
  select n.tenant_id, n.user_id, n.notification_id
  from dbr_notifications.${table} n
  where n.snoozed_until <= pg_catalog.now()
    and pg_catalog.pg_try_advisory_xact_lock(${userLock(sql`n.tenant_id`, sql`n.user_id`)})
  order by n.snoozed_until
  limit ${RETURN_LIMIT}
  for update skip locked
), back_${table} as (
  update dbr_notifications.${table} n
  set archived_at = null, snoozed_until = null
  from due_${table} due
  where n.tenant_id = due.tenant_id and n.user_id = due.user_id and n.notification_id = due.notification_id
  returning n.tenant_id, n.user_id, n.notification_id
)`;
}
