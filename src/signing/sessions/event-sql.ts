/** The statements that read the events of sessions. */
import { sql } from '../../postgres/sql.js';

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

/** `$1` party, `$2` and `$3` position, `$4` true for open sessions alone, `$5` limit. The share is returned with its event, to its delegate alone, until it is erased or expires. */
export const EVENTS_OF_PARTY = sql`
select
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
from dbr_signing.session_events as event
join dbr_signing.session_participants as participant
  on participant.session_id = event.session_id and participant.party_id = $1
join dbr_signing.signing_sessions as session
  on session.session_id = event.session_id
left join dbr_signing.delegate_user_shares as share
  on share.session_id = event.session_id
  and share.event_sequence = event.sequence
  and share.delegate_party_id = $1
  and share.erased_at is null
  and share.expires_at > pg_catalog.now()
where event.tenant_id = (select dbr_signing.tenant_id())
  and (event.xid, event.event_id) > ($2::text::xid8, $3::bigint)
  and (not $4::boolean or session.ended_at is null)
order by event.xid, event.event_id
limit $5`;

/** The oldest running transaction: what earlier transactions wrote is visible now, or was rolled back. */
export const HORIZON = sql`
select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text as xid`;

/** `$1` party. */
export const FIRST_EVENT_OF_OPEN_SESSIONS = sql`
select event.xid::text as xid
from dbr_signing.session_events as event
join dbr_signing.session_participants as participant
  on participant.session_id = event.session_id and participant.party_id = $1
join dbr_signing.signing_sessions as session
  on session.session_id = event.session_id and session.ended_at is null
order by event.xid
limit 1`;
