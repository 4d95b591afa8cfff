/** The statements on quiet hours: hours of each day in which a channel does not disturb a user. */
import { prepare } from '../postgres/statement.js';
import { sql } from '../postgres/sql.js';
import { TENANT, USER } from './record-sql.js';

const RECORD = sql`pg_catalog.json_build_object(
  'channel', q.channel,
  'timeZone', q.time_zone,
  'starts', pg_catalog.to_char(q.starts, 'HH24:MI'),
  'ends', pg_catalog.to_char(q.ends, 'HH24:MI')
)`;

/** One row: the quiet hours as JSON. */
export const LIST_QUIET_HOURS = prepare(sql`
select pg_catalog.json_build_object('quietHours', coalesce(pg_catalog.json_agg(${RECORD} order by q.channel), '[]'))::text
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
returning ${RECORD}::text`);

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
