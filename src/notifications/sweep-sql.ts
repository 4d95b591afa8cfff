/** The statements of the retention. Each deletes a bounded batch, so that transactions and locks are short. */
import { prepare, type Statement } from '../postgres/batch.js';
import { sql, type Sql } from '../postgres/sql.js';

/** Rows that one batch deletes at most. */
export const SWEEP_BATCH = 5000;

/** The advisory lock lets one process delete at a time; its number is arbitrary. */
const OUR_TURN = sql`turn as materialized (
  select pg_catalog.pg_try_advisory_xact_lock(5347116) as ours
)`;

/**
 * `$1`: days that notifications are kept, where the tenant has no number of its own. One row: the number of deleted rows.
 *
 * @param id the column that identifies a row
 * @param laterDays that a row is kept beyond those
 * @param expired adds further rows to those that are deleted
 */
const sweepOld = (table: Sql, id: Sql, laterDays: number, expired: Sql = sql``): Statement =>
  prepare(sql`
with recursive ${OUR_TURN}, tenants as (
  (select n.tenant_id from dbr_notifications.${table} n order by n.tenant_id limit 1)
  union all
  select (
    select n.tenant_id from dbr_notifications.${table} n
    where n.tenant_id > tenants.tenant_id order by n.tenant_id limit 1
  )
  from tenants
  where tenants.tenant_id is not null
), removed as (
  delete from dbr_notifications.${table} n
  where (select turn.ours from turn) and n.${id} in (
    (select old.${id}
     from tenants
     left join dbr_notifications.tenant_settings s on s.tenant_id = tenants.tenant_id
     cross join lateral (
       select o.${id} from dbr_notifications.${table} o
       where o.tenant_id = tenants.tenant_id
         and o.created_at < pg_catalog.now() - pg_catalog.make_interval(days => ${laterDays} + coalesce(s.retention_days, $1::integer))
       -- Without it, PostgreSQL reads all rows of the table for a tenant that has most of them.
       order by o.created_at
       limit ${SWEEP_BATCH}
     ) as old
     limit ${SWEEP_BATCH})
    ${expired}
  )
  returning n.${id}
)
select pg_catalog.count(*)::text from removed`);

/** @param beyond how long notifications are kept after they have expired */
const sweepNotifications = (table: Sql, beyond: Sql): Statement =>
  sweepOld(
    table,
    sql`notification_id`,
    0,
    sql`union
    (select past.notification_id from dbr_notifications.${table} past
     where past.expires_at < pg_catalog.now() - ${beyond}
     limit ${SWEEP_BATCH})
    limit ${SWEEP_BATCH}`,
  );

/** A window ends at the latest after as many days; then its notification is made, and kept in turn. */
const LONGEST_WINDOW_DAYS = 7;

/** Notifications, digests that could not end, and the keys of what was collected. */
export const SWEEP_NOTIFICATIONS: readonly Statement[] = [
  sweepNotifications(sql`user_notifications`, sql`interval '0'`),
  // As long as a stream may read the event: the topic of the notification decides who receives it.
  sweepNotifications(sql`tenant_notifications`, sql`interval '1 day'`),
  sweepOld(sql`digests`, sql`digest_id`, LONGEST_WINDOW_DAYS),
  sweepOld(sql`digested_keys`, sql`key_id`, LONGEST_WINDOW_DAYS),
];

/** Stream events are kept for a day; a stream that resumes before that receives a reset. One row: the number of deleted rows. */
export const SWEEP_EVENTS = prepare(sql`
with ${OUR_TURN}, first as materialized (
  select e.xid, e.event_id, e.created_at
  from dbr_notifications.stream_events e
  order by e.xid, e.event_id
  limit ${SWEEP_BATCH}
), old as materialized (
  select first.xid, first.event_id
  from first
  where first.created_at < pg_catalog.now() - interval '1 day' and (select turn.ours from turn)
), removed as (
  delete from dbr_notifications.stream_events e
  using old
  where (e.xid, e.event_id) = (old.xid, old.event_id)
), newest as (
  select old.xid, old.event_id from old order by old.xid desc, old.event_id desc limit 1
), moved as (
  update dbr_notifications.stream_horizon h
  set xid = newest.xid, event_id = newest.event_id
  from newest
  where (h.xid, h.event_id) < (newest.xid, newest.event_id)
)
select pg_catalog.count(*)::text from old`);

/** Times in which a category was off or a topic was followed matter as long as there are notifications of them. One row: the number of deleted rows. */
const sweepSpans = (table: 'muted_spans' | 'subscriptions'): Statement =>
  prepare(sql`
with oldest as materialized (
  select coalesce(pg_catalog.min(n.seq), 9223372036854775807) as seq from dbr_notifications.tenant_notifications n
), removed as (
  delete from dbr_notifications.${table} s
  where s.until_seq < (select oldest.seq from oldest)
  returning s.until_seq
)
select pg_catalog.count(*)::text from removed`);

export const SWEEP_SPANS: readonly Statement[] = [sweepSpans('muted_spans'), sweepSpans('subscriptions')];

export const SWEEP_TICKETS = prepare(sql`
with removed as (
  delete from dbr_notifications.stream_tickets t
  where t.expires_at < pg_catalog.now()
  returning t.ticket_sha256
)
select pg_catalog.count(*)::text from removed`);
