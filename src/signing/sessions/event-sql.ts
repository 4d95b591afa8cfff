/** The statements that read the events of sessions. */
import { inReach, NAMED, openRows, placeSql } from '../../postgres/event-position.js';
import { sql, type Sql } from '../../postgres/sql.js';

/** `$1` session, `$2` position, `$3` limit. A user sees the receipt of a share, not the share. */
export const EVENTS_OF_SESSION = sql`
select
  event.event_id,
  event.sequence,
  event.type,
  event.party_id,
  event.state,
  event.data,
  dbr_signing.instant(event.occurred_at) as occurred_at,
  case when share.session_id is not null then pg_catalog.json_build_object(
    'delegatePartyId', share.delegate_party_id,
    'recipientKeyId', share.recipient_key_id,
    'suite', share.suite,
    'ciphertextSha256', pg_catalog.encode(share.ciphertext_sha256, 'hex'),
    'suppliedAt', dbr_signing.instant(share.supplied_at)
  ) end as receipt
from dbr_signing.session_events as event
left join dbr_signing.delegate_user_shares as share
  on share.session_id = event.session_id and share.event_sequence = event.sequence
where event.session_id = $1::uuid and event.sequence > $2::bigint
order by event.sequence
limit $3`;

/** The columns of an event for party `$1`. The share is returned with its event, to its delegate alone, until it is erased or expires. */
const partyEvents = (events: Sql): Sql => sql`
select
  snapshot.running,
  event.event_id,
  event.xid::text as xid,
  event.session_id,
  event.sequence,
  event.type,
  event.party_id,
  event.state,
  dbr_signing.instant(event.occurred_at) as occurred_at,
  share.delegate_party_id,
  share.recipient_key_id,
  share.suite,
  share.encapsulated_key,
  share.ciphertext,
  share.nonce,
  share.aad_sha256,
  dbr_signing.instant(share.expires_at) as expires_at
from (select ${NAMED}::text as running) as snapshot
left join (
  ${events}
  order by xid, event_id
  limit $2
) as event on true
left join dbr_signing.delegate_user_shares as share
  on share.session_id = event.session_id
  and share.event_sequence = event.sequence
  and share.delegate_party_id = $1
  and share.erased_at is null
  and share.expires_at > pg_catalog.now()
order by event.xid, event.event_id`;

/** The events of party `$1`. @param joins further tables, without `where` */
const ofParty = (joins: Sql): Sql => sql`
  select event.*
  from dbr_signing.session_events as event
  join dbr_signing.session_participants as participant
    on participant.session_id = event.session_id and participant.party_id = $1
  ${joins}
  where event.tenant_id = (select dbr_signing.tenant_id())`;

/** `$1` party, `$2` limit, `$3` to `$6` position. One row at least: the running transactions, and null for no event. */
export const LATER_EVENTS_OF_PARTY = partyEvents(sql`(${ofParty(sql``)}
    and (event.xid, event.event_id) > ($3::xid8, $4::bigint)
    and ${inReach(sql`event.xid`)}
  order by event.xid, event.event_id
  limit $2)
  union all
  (${ofParty(sql`join ${openRows(sql`$5`, sql`$6`)} on open.xid = event.xid and event.event_id > open.event_id`)}
  order by event.xid, event.event_id
  limit $2)`);

/** `$1` party, `$2` limit, `$3` and `$4` place, `$5` to `$7` position: as above, of open sessions, up to the position. */
export const OPEN_EVENTS_OF_PARTY = partyEvents(sql`${ofParty(sql`
  join dbr_signing.signing_sessions as session
    on session.session_id = event.session_id and session.ended_at is null`)}
    and (event.xid, event.event_id) > ($3::xid8, $4::bigint)
    and (event.xid, event.event_id) <= ($5::xid8, $6::bigint)
    and event.xid <> all ($7::xid8[])`);

/**
 * `$1` party, `$2` and `$3` the place at which a client resumes, or null. One row: whether the database has reached the place, as
 * it has not if it was restored; the last event of the tenant, the running transactions, and the first transaction with an event
 * of an open session. A position begins at an event, because only a committed transaction keeps its id after a crash.
 */
export const BEGIN_STREAM = sql`
select
  ($2::xid8, $3::bigint) <= (pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()), 0) as reached,
  coalesce(
    (
      select ${placeSql(sql`event.xid`, sql`event.event_id`)}
      from dbr_signing.session_events as event
      where event.tenant_id = (select dbr_signing.tenant_id()) and ${inReach(sql`event.xid`)}
      order by event.xid desc, event.event_id desc
      limit 1
    ),
    '0.0'
  ) as last,
  ${NAMED}::text as running,
  (
    select event.xid::text
    from dbr_signing.session_events as event
    join dbr_signing.session_participants as participant
      on participant.session_id = event.session_id and participant.party_id = $1
    join dbr_signing.signing_sessions as session
      on session.session_id = event.session_id and session.ended_at is null
    order by event.xid
    limit 1
  ) as first`;
