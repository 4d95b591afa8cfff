/** SQL of the live streams. A position is (transaction id, event id); only events of transactions that ended are read. */
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

/** Events that a client may be behind before it is told to start over. */
export const BACKLOG = 256;

/** Events that one look at all tenants takes. */
const DISPATCH_LIMIT = 5000;

const OLDEST_RUNNING = '(select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot()))';

const position = (xid: string, eventId: string): string => `${xid}::text || '.' || ${eventId}::text`;

/** Where sweeping has got to; the beginning of the order where nothing was swept yet. */
const SWEPT = 'select h.xid, h.event_id from dbr_notifications.stream_horizon h';

const last = (whose: string): string => `
    (select e.xid, e.event_id
     from dbr_notifications.stream_events e
     where ${whose} and e.xid < ${OLDEST_RUNNING}
     order by e.xid desc, e.event_id desc
     limit 1)`;

/**
 * One row: where a new stream begins, `{"count":n}`. It begins after the last event, since only a transaction that was
 * committed keeps its id when the server is restored after a crash.
 */
export const OPEN_STREAM = prepare(`
with ${MUTED}
select ${position('newest.xid', 'newest.event_id')}, pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text
from (${last(`e.tenant_id = ${TENANT} and e.user_id = ${USER}`)}
    union all${last(`e.tenant_id = ${TENANT} and e.user_id is null`)}
    union all
    (${SWEPT})
) as newest
order by newest.xid desc, newest.event_id desc
limit 1`);

/**
 * `$3`, `$4`: the position of a client that comes back. One row: whether events after it may be lost, `{"count":n}`.
 * They are when it is older than what was swept, and when it lies in the future, as that of another database may.
 */
export const RESUME_STREAM = prepare(`
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

const events = (whose: string): string => `
    (select e.xid, e.event_id, e.kind, e.notification_id, e.before, e.created_at
     from dbr_notifications.stream_events e
     where e.tenant_id = ${TENANT} and e.user_id ${whose}
       and (e.xid, e.event_id) > ($3::xid8, $4::bigint) and e.xid < ${OLDEST_RUNNING}
     order by e.xid, e.event_id
     limit ${String(BACKLOG + 1)})`;

/**
 * `$3`, `$4`: the client's position. First what happened since, in order, one row each: position, event, data.
 * An event of a notification that is no longer visible has no data. The last row is the count of now: event null.
 */
export const READ_STREAM = prepare(`
with ${MUTED}, happened as materialized (
  select e.*
  from (${events(`= ${USER}`)}
    union all${events('is null')}
  ) as e
  order by e.xid, e.event_id
  limit ${String(BACKLOG + 1)}
), visible as materialized (
  select ${OWN_COLUMNS} ${OWN_FROM}
    and n.archived_at is null and n.notification_id in (select happened.notification_id from happened)
  union all
  select ${SHARED_COLUMNS} ${SHARED_FROM}
    and r.archived_at is null and n.notification_id in (select happened.notification_id from happened)
)
select told.position, told.event, told.data
from (
  select
    happened.xid, happened.event_id, ${position('happened.xid', 'happened.event_id')} as position,
    case happened.kind
      when 'created' then 'notification.created'
      when 'read' then 'notification.read'
      when 'all-read' then 'notifications.all-read'
      else 'recount'
    end as event,
    case happened.kind
      when 'created' then (select ${recordOf('visible')} from visible where visible.notification_id = happened.notification_id)
      when 'read' then (
        select pg_catalog.json_build_object('notificationId', visible.notification_id, 'readAt', ${instant('visible.read_at')})
        from visible
        where visible.notification_id = happened.notification_id and visible.read_at is not null
      )
      when 'all-read' then pg_catalog.json_build_object(
        'readAt', ${instant('happened.created_at')}, 'before', ${instant('happened.before')})
    end::text as data
  from happened
  union all
  select null, null, null, null, pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text
) as told
order by told.xid nulls last, told.event_id`);

/**
 * For the whole process, of every tenant: `$1`, `$2` its position. One row a reader who is to be told: tenant, user (null:
 * all of the tenant), nothing. The last row has no tenant, but the new position, and what is ahead:
 * `more` when there are events to come as soon as an older transaction has ended, or when these were many; `lost` when the
 * position lies in the future, as after a crash that took back what had been committed; else `nothing`.
 */
export const DISPATCH = prepare(`
with fresh as materialized (
  select e.xid, e.event_id, e.tenant_id, e.user_id
  from dbr_notifications.stream_events e
  where (e.xid, e.event_id) > ($1::xid8, $2::bigint) and e.xid < ${OLDEST_RUNNING}
  order by e.xid, e.event_id
  limit ${String(DISPATCH_LIMIT)}
)
select readers.tenant_id, readers.user_id, null
from (select distinct fresh.tenant_id, fresh.user_id from fresh) as readers
union all
select
  null,
  coalesce(
    (select ${position('fresh.xid', 'fresh.event_id')} from fresh order by fresh.xid desc, fresh.event_id desc limit 1),
    ${position('$1::xid8', '$2::bigint')}
  ),
  case
    when $1::xid8 >= pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()) then 'lost'
    when (select pg_catalog.count(*) from fresh) = ${String(DISPATCH_LIMIT)} then 'more'
    when exists (select from dbr_notifications.stream_events e where e.xid >= ${OLDEST_RUNNING}) then 'more'
    else 'nothing'
  end`);

/** Where the process begins to look: one row, the position. */
export const DISPATCH_START = prepare(`
select ${position('newest.xid', 'newest.event_id')}
from (${last('true')}
    union all
    (${SWEPT})
) as newest
order by newest.xid desc, newest.event_id desc
limit 1`);
