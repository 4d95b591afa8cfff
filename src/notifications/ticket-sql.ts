/** The statements on stream tickets. The table holds hashes alone, so that its content opens no stream. */
import { prepare } from '../postgres/statement.js';
import { instant, TENANT, USER } from './record-sql.js';
import { sql } from '../postgres/sql.js';

/** Seconds in which a new ticket must open its stream. */
export const TICKET_SECONDS = 30;

/** Seconds that a ticket outlives the last renewal: the time to reconnect. */
export const RECONNECT_SECONDS = 90;

/** Hours after which a ticket is invalid and its stream ends. */
export const TICKET_LIFE_HOURS = 12;

/** Tickets that one user may have. */
export const TICKETS_PER_USER = 10;

/** One transaction at a time counts and creates the tickets of a user. */
export const LOCK_TICKETS = prepare(sql`
select pg_catalog.pg_advisory_xact_lock(
  5347120, pg_catalog.hashtext(pg_catalog.json_build_array(${TENANT}::text, ${USER}::text)::text)
)`);

/**
 * `$3`: SHA-256 of the ticket in hexadecimal; `$4`: expiry of the principal's token, or null.
 * One row: the time until which the ticket opens a stream. No row if the user has too many tickets.
 */
export const CREATE_TICKET = prepare(sql`
insert into dbr_notifications.stream_tickets (ticket_sha256, tenant_id, user_id, expires_at, token_expires_at)
select
  pg_catalog.decode($3, 'hex'), ${TENANT}, ${USER},
  dbr_notifications.clock() + interval '${TICKET_SECONDS} seconds',
  least($4::timestamptz, dbr_notifications.clock() + interval '${TICKET_LIFE_HOURS} hours')
where (
  select pg_catalog.count(*)
  from dbr_notifications.stream_tickets t
  where t.expires_at > pg_catalog.now()
) < ${TICKETS_PER_USER}
returning ${instant(sql`expires_at`)}`);

/** `$1`: the hash. One row: tenant, user, latest end of the stream. No row for an unknown or expired ticket. */
export const FIND_TICKET = prepare(sql`
select t.tenant_id, t.user_id, ${instant(sql`t.token_expires_at`)}
from dbr_notifications.stream_tickets t
where t.ticket_sha256 = pg_catalog.decode($1, 'hex')
  and t.expires_at > pg_catalog.now() and t.token_expires_at > pg_catalog.now()`);

/** `$1`: the hash. Opens the stream, which ends an earlier opening. One row: the number of the opening; or none. */
export const OPEN_TICKET = prepare(sql`
update dbr_notifications.stream_tickets t
set
  openings = t.openings + 1,
  expires_at = dbr_notifications.clock() + interval '${RECONNECT_SECONDS} seconds'
where t.ticket_sha256 = pg_catalog.decode($1, 'hex')
  and t.expires_at > pg_catalog.now() and t.token_expires_at > pg_catalog.now()
returning t.openings::text`);

/** `$1`: open streams as JSON, `[{"ticket": hash, "opening": n}]`. Rows: `hash opening` of those that are still valid. */
export const RENEW_TICKETS = prepare(sql`
update dbr_notifications.stream_tickets t
set expires_at = dbr_notifications.clock() + interval '${RECONNECT_SECONDS} seconds'
from pg_catalog.json_to_recordset($1::json) as stream (ticket text, opening integer)
where t.ticket_sha256 = pg_catalog.decode(stream.ticket, 'hex') and t.openings = stream.opening
returning pg_catalog.encode(t.ticket_sha256, 'hex') || ' ' || t.openings`);

/** Deletes every ticket of the user, whom row security selects. */
export const REVOKE_TICKETS = prepare(sql`
with revoked as (
  delete from dbr_notifications.stream_tickets t
  where t.tenant_id = ${TENANT} and t.user_id = ${USER}
  returning true
)
select pg_catalog.count(*)::text from revoked`);
