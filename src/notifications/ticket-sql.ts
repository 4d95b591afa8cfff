/** SQL of the stream tickets. The table holds hashes alone, so that reading it opens nothing. */
import { prepare } from '../postgres/statement.js';
import { instant, TENANT, USER } from './record-sql.js';

/** Seconds in which a new ticket must open its stream. */
export const TICKET_SECONDS = 30;

/** Seconds that a ticket outlives the last renewal of its stream: the time to connect again. */
export const RECONNECT_SECONDS = 90;

/** Hours after which a ticket opens nothing more, and its stream ends. */
export const TICKET_LIFE_HOURS = 12;

/** Tickets that one user may have. */
export const TICKETS_PER_USER = 10;

/** One user's tickets are counted and made by one transaction at a time. */
export const LOCK_TICKETS = prepare(`
select pg_catalog.pg_advisory_xact_lock(
  5347120, pg_catalog.hashtext(pg_catalog.json_build_array(${TENANT}::text, ${USER}::text)::text)
)`);

/**
 * `$3`: SHA-256 of the ticket in hexadecimal; `$4`: when the caller's token ends, or null.
 * One row: until when the ticket opens its stream; none where the user has as many tickets as they may.
 */
export const CREATE_TICKET = prepare(`
insert into dbr_notifications.stream_tickets (ticket_sha256, tenant_id, user_id, expires_at, token_expires_at)
select
  pg_catalog.decode($3, 'hex'), ${TENANT}, ${USER},
  dbr_notifications.clock() + interval '${String(TICKET_SECONDS)} seconds',
  least($4::timestamptz, dbr_notifications.clock() + interval '${String(TICKET_LIFE_HOURS)} hours')
where (
  select pg_catalog.count(*)
  from dbr_notifications.stream_tickets t
  where t.expires_at > pg_catalog.now()
) < ${String(TICKETS_PER_USER)}
returning ${instant('expires_at')}`);

/** `$1`: the hash. One row, or none for a ticket that opens nothing: tenant, user, when the stream ends at the latest. */
export const FIND_TICKET = prepare(`
select t.tenant_id, t.user_id, ${instant('t.token_expires_at')}
from dbr_notifications.stream_tickets t
where t.ticket_sha256 = pg_catalog.decode($1, 'hex')
  and t.expires_at > pg_catalog.now() and t.token_expires_at > pg_catalog.now()`);

/** `$1`: the hash. Opens the stream, and takes it over from an earlier opening. One row, or none: the number of the opening. */
export const OPEN_TICKET = prepare(`
update dbr_notifications.stream_tickets t
set
  openings = t.openings + 1,
  expires_at = dbr_notifications.clock() + interval '${String(RECONNECT_SECONDS)} seconds'
where t.ticket_sha256 = pg_catalog.decode($1, 'hex')
  and t.expires_at > pg_catalog.now() and t.token_expires_at > pg_catalog.now()
returning t.openings::text`);

/** `$1`: open streams as JSON, `[{"ticket": hash, "opening": n}]`. Rows: `hash opening` of those that may go on. */
export const RENEW_TICKETS = prepare(`
update dbr_notifications.stream_tickets t
set expires_at = dbr_notifications.clock() + interval '${String(RECONNECT_SECONDS)} seconds'
from pg_catalog.json_to_recordset($1::json) as stream (ticket text, opening integer)
where t.ticket_sha256 = pg_catalog.decode(stream.ticket, 'hex') and t.openings = stream.opening
returning pg_catalog.encode(t.ticket_sha256, 'hex') || ' ' || t.openings`);

/** Removes every ticket of the user; row security sees to whose they are. */
export const REVOKE_TICKETS = prepare(`
with revoked as (
  delete from dbr_notifications.stream_tickets t
  where t.tenant_id = ${TENANT} and t.user_id = ${USER}
  returning true
)
select pg_catalog.count(*)::text from revoked`);
