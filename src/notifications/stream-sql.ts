/** The statements of live streams. A position is (transaction id, event id); only events of ended transactions are read. */
import { prepare } from '../postgres/statement.js';
import {
  instant,
  MUTED,
  OWN_COLUMNS,
  OWN_FROM,
  recordOf,
  SHARED_COLUMNS,
  SHARED_FROM,
  TENANT,
  UNREAD_COUNT,
  USER,
} from './record-sql.js';
import { type Sql, sql } from '../postgres/sql.js';

/** Events that a client may be behind before it receives a reset. */
export const BACKLOG = 256;

/** Events that one read of all tenants returns. */
const DISPATCH_LIMIT = 5000;

const OLDEST_RUNNING = '(select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot()))';

const position = (xid: Sql, eventId: Sql): Sql => sql`${xid}::text || '.' || ${eventId}::text`;

/** The position up to which events were deleted; the first position if none were. */
const SWEPT = 'select h.xid, h.event_id from dbr_notifications.stream_horizon h';

const last = (whose: Sql): Sql => sql`
    (select e.xid, e.event_id
     from dbr_notifications.stream_events e
     where ${whose} and e.xid < ${OLDEST_RUNNING}
     order by e.xid desc, e.event_id desc
     limit 1)`;

/**
 * One row: the position at which a new stream begins, `{"count":n}`. It begins after the last event, because only a committed
 * transaction keeps its id when the server recovers from a crash.
 */
export const OPEN_STREAM = prepare(sql`
with ${MUTED}
select ${position(sql`newest.xid`, sql`newest.event_id`)}, pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text
from (${last(sql`e.tenant_id = ${TENANT} and e.user_id = ${USER}`)}
    union all${last(sql`e.tenant_id = ${TENANT} and e.user_id is null`)}
    union all
    (${SWEPT})
) as newest
order by newest.xid desc, newest.event_id desc
limit 1`);

/**
 * `$3`, `$4`: the position of a client that resumes. One row: whether events after it may be lost, `{"count":n}`. They may be
 * if the position is older than the deleted events, or lies in the future, as a position of another database may.
 */
export const RESUME_STREAM = prepare(sql`
with ${MUTED}
select
  (
    exists (
      select from dbr_notifications.stream_horizon h
      where (h.xid, h.event_id) > ($3::xid8, $4::bigint)
    )
    or $3::xid8 >= pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())
  )::text,
  pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text`);

const events = (whose: Sql): Sql => sql`
    (select e.xid, e.event_id, e.kind, e.notification_id, e.before, e.created_at
     from dbr_notifications.stream_events e
     where e.tenant_id = ${TENANT} and e.user_id ${whose}
       and (e.xid, e.event_id) > ($3::xid8, $4::bigint) and e.xid < ${OLDEST_RUNNING}
     order by e.xid, e.event_id
     limit ${BACKLOG + 1})`;

/**
 * `$3`, `$4`: the client's position. One row for each later event, in order: position, event, data. An event of a notification
 * that is no longer visible has no data. The last row has the present count and event null.
 */
export const READ_STREAM = prepare(sql`
with ${MUTED}, happened as materialized (
  select e.*
  from (${events(sql`= ${USER}`)}
    union all${events(sql`is null`)}
  ) as e
  order by e.xid, e.event_id
  limit ${BACKLOG + 1}
), visible as materialized (
  select ${OWN_COLUMNS} ${OWN_FROM}
    and n.archived_at is null and n.notification_id in (select happened.notification_id from happened)
  union all
  select ${SHARED_COLUMNS} ${SHARED_FROM}
    and r.archived_at is null and n.notification_id in (select happened.notification_id from happened)
)
select changed.position, changed.event, changed.data
from (
  select
    happened.xid, happened.event_id, ${position(sql`happened.xid`, sql`happened.event_id`)} as position,
    case happened.kind
      when 'created' then 'notification.created'
      when 'read' then 'notification.read'
      when 'all-read' then 'notifications.all-read'
      else 'recount'
    end as event,
    case happened.kind
      when 'created' then (select ${recordOf(sql`visible`)} from visible where visible.notification_id = happened.notification_id)
      when 'read' then (
        select pg_catalog.json_build_object('notificationId', visible.notification_id, 'readAt', ${instant(sql`visible.read_at`)})
        from visible
        where visible.notification_id = happened.notification_id and visible.read_at is not null
      )
      when 'all-read' then pg_catalog.json_build_object(
        'readAt', ${instant(sql`happened.created_at`)}, 'before', ${instant(sql`happened.before`)})
    end::text as data
  from happened
  union all
  select null, null, null, null, pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text
) as changed
order by changed.xid nulls last, changed.event_id`);

/**
 * `$1`, `$2`: the position of the process. One row for each reader with new events, of all tenants: tenant, user (null for all
 * users of the tenant), null. The last row has no tenant, the new position, and what is ahead: `more` if later events wait for
 * an older transaction to end, or if there were too many; `lost` if the position lies in the future, as it does after a crash
 * that lost commits; else `nothing`.
 */
export const DISPATCH = prepare(sql`
with fresh as materialized (
  select e.xid, e.event_id, e.tenant_id, e.user_id
  from dbr_notifications.stream_events e
  where (e.xid, e.event_id) > ($1::xid8, $2::bigint) and e.xid < ${OLDEST_RUNNING}
  order by e.xid, e.event_id
  limit ${DISPATCH_LIMIT}
)
select readers.tenant_id, readers.user_id, null
from (select distinct fresh.tenant_id, fresh.user_id from fresh) as readers
union all
select
  null,
  coalesce(
    (select ${position(sql`fresh.xid`, sql`fresh.event_id`)} from fresh order by fresh.xid desc, fresh.event_id desc limit 1),
    ${position(sql`$1::xid8`, sql`$2::bigint`)}
  ),
  case
    when $1::xid8 >= pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()) then 'lost'
    when (select pg_catalog.count(*) from fresh) = ${DISPATCH_LIMIT} then 'more'
    when exists (select from dbr_notifications.stream_events e where e.xid >= ${OLDEST_RUNNING}) then 'more'
    else 'nothing'
  end`);

/** One row: the position at which the process begins to read. */
export const DISPATCH_START = prepare(sql`
select ${position(sql`newest.xid`, sql`newest.event_id`)}
from (${last(sql`true`)}
    union all
    (${SWEPT})
) as newest
order by newest.xid desc, newest.event_id desc
limit 1`);
