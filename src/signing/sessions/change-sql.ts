/** The statements that find sessions and parties with new events. */
import { sql } from '../../postgres/sql.js';

/** `$1` sessions, `$2` the last event that was seen of each. Sessions with later events, and sessions that do not exist. */
export const CHANGED_SESSIONS = sql`
select distinct watched.session_id
from rows from (
  pg_catalog.unnest($1::uuid[]),
  pg_catalog.unnest($2::bigint[])
) as watched (session_id, seen)
left join dbr_signing.signing_sessions as session on session.session_id = watched.session_id
where session.session_id is null or session.event_sequence > watched.seen`;

/**
 * `$1` tenants, `$2` horizon. Parties that receive an event of a transaction since the horizon: one that had not ended when
 * the last query was made has a number at or above the horizon of that query.
 */
export const PARTIES_SINCE = sql`
select distinct changed.tenant_id, changed.party_id, pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text as horizon
from (values (true)) as one (row)
left join (
  select event.tenant_id, participant.party_id
  from dbr_signing.session_events as event
  join dbr_signing.session_participants as participant on participant.session_id = event.session_id
  where event.tenant_id = any ($1::text[]) and event.xid >= $2::text::xid8
) as changed on true`;
