/** The statements that find sessions and parties with new events. */
import { inReach, NAMED, PRESENT } from '../../postgres/event-position.js';
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
 * `$1` tenants, `$2` and `$3` the transaction of a position and those that were open then. One row for each party that receives
 * an event since, and one at least: the present position.
 */
export const PARTIES_SINCE = sql`
select changed.tenant_id, changed.party_id, ${PRESENT} as place, ${NAMED}::text as running
from (values (true)) as one (row)
left join (
  select distinct event.tenant_id, participant.party_id
  from (
    select event.tenant_id, event.session_id
    from dbr_signing.session_events as event
    where event.tenant_id = any ($1::text[]) and event.xid >= $2::xid8 and ${inReach(sql`event.xid`)}
    union all
    select event.tenant_id, event.session_id
    from dbr_signing.session_events as event
    where event.tenant_id = any ($1::text[]) and event.xid = any ($3::xid8[])
  ) as event
  join dbr_signing.session_participants as participant on participant.session_id = event.session_id
) as changed on true`;
