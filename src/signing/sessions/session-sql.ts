/** The statements that read signing sessions. */
import { sql } from '../../postgres/sql.js';

const SESSIONS = sql`
select
  session.session_id,
  session.tenant_id,
  session.account_id,
  account.name as account_name,
  account.owner_user_id,
  session.created_by,
  session.state,
  dbr_signing.effective_state(session.state, session.ready_by, session.expires_at, session.ended_at) as effective_state,
  session.state_version,
  session.event_sequence,
  session.party_source,
  session.threshold,
  (
    select pg_catalog.json_agg(pg_catalog.json_build_object(
      'partyId', participant.party_id,
      'shareIndex', participant.share_index,
      'shareType', participant.share_type,
      'joinedAt', dbr_signing.instant(participant.joined_at),
      'reportedSignature', pg_catalog.encode(participant.reported_signature, 'hex'),
      'partyStatus', party.status
    ) order by participant.share_index)
    from dbr_signing.session_participants as participant
    join dbr_signing.parties as party using (tenant_id, party_id)
    where participant.session_id = session.session_id
  ) as participants,
  session.protocol,
  account.key_type,
  account.public_key,
  session.message_digest,
  pg_catalog.to_json(session.derivation_path) as derivation_path,
  session.metadata,
  session.request_sha256,
  (
    select pg_catalog.json_build_object(
      'delegatePartyId', share.delegate_party_id,
      'recipientKeyId', share.recipient_key_id,
      'suite', share.suite,
      'ciphertextSha256', pg_catalog.encode(share.ciphertext_sha256, 'hex'),
      'suppliedAt', dbr_signing.instant(share.supplied_at),
      'undeliveredUntil', case
        when share.delivered_at is null and share.erased_at is null then dbr_signing.instant(share.expires_at)
      end
    )
    from dbr_signing.delegate_user_shares as share
    where share.session_id = session.session_id
  ) as share,
  session.signature,
  session.failure_reason,
  session.failure_detail,
  session.culprit_party_ids,
  dbr_signing.instant(session.created_at) as created_at,
  dbr_signing.instant(session.ready_by) as ready_by,
  dbr_signing.instant(session.expires_at) as expires_at,
  dbr_signing.instant(dbr_signing.deadline(session.state, session.ready_by, session.expires_at)) as deadline,
  dbr_signing.instant(session.ended_at) as ended_at,
  dbr_signing.instant(pg_catalog.clock_timestamp()) as now,
  session.created_at::text as position
from dbr_signing.signing_sessions as session
join dbr_signing.accounts as account using (tenant_id, account_id)`;

/** `$1` session. PostgreSQL plans it once; a plan for an array of any length costs more by its estimate, and is not kept. */
export const FIND_SESSION = sql`${SESSIONS}
where session.session_id = $1::uuid`;

/** `$1` sessions. */
export const FIND_SESSIONS = sql`${SESSIONS}
where session.session_id = any($1::uuid[])`;

/** `$1` user or null, `$2` account or null, `$3` state or null, `$4` and `$5` time and identifier of the last session of the page before or null, `$6` limit. */
export const LIST_SESSIONS = sql`${SESSIONS}
where ($1::text is null or account.owner_user_id = $1 or session.created_by = $1)
  and ($2::uuid is null or session.account_id = $2)
  and (
    $3::text is null
    or dbr_signing.effective_state(session.state, session.ready_by, session.expires_at, session.ended_at)
      = $3::dbr_signing.session_state
  )
  and ($4::timestamptz is null or (session.created_at, session.session_id) < ($4, $5::uuid))
order by session.created_at desc, session.session_id desc
limit $6`;

/** `$1` user, `$2` idempotency key. */
export const FIND_SESSION_BY_KEY = sql`
select session_id
from dbr_signing.signing_sessions
where created_by = $1 and idempotency_key = $2`;

/** `$1` session. */
export const LOCK_SESSION = sql`
select from dbr_signing.signing_sessions where session_id = $1::uuid for update`;

/** `$1` session. Returns no row if another transaction holds the lock. */
export const LOCK_SESSION_IF_FREE = sql`${LOCK_SESSION} skip locked`;

/** `$1` account. */
export const OPEN_SESSIONS_OF_ACCOUNT = sql`
select session_id
from dbr_signing.signing_sessions
where account_id = $1::uuid and ended_at is null
order by session_id`;

/** `$1` party. */
export const OPEN_SESSIONS_OF_PARTY = sql`
select session_id
from dbr_signing.session_participants
join dbr_signing.signing_sessions using (tenant_id, session_id)
where party_id = $1 and ended_at is null
order by session_id`;

/**
 * `$1` limit of each kind. Open sessions of all tenants that are overdue, or whose share has expired undelivered.
 *
 * The first conditions use an index. `deadline` then excludes sessions that started in time. A share that is neither delivered
 * nor erased belongs to an open session.
 */
export const OVERDUE_SESSIONS = sql`
(
  select tenant_id, session_id
  from dbr_signing.signing_sessions
  where ended_at is null
    and least(ready_by, expires_at) <= pg_catalog.now()
    and dbr_signing.deadline(state, ready_by, expires_at) <= pg_catalog.now()
  order by least(ready_by, expires_at)
  limit $1
)
union
(
  select tenant_id, session_id
  from dbr_signing.delegate_user_shares
  where erased_at is null and delivered_at is null and expires_at <= pg_catalog.now()
  order by expires_at
  limit $1
)`;

/** `$1` sessions. Those that have ended, with their state. */
export const ENDED_SESSIONS = sql`
select
  session_id,
  dbr_signing.effective_state(state, ready_by, expires_at, ended_at) as state
from dbr_signing.signing_sessions
where session_id = any ($1::uuid[])
  and dbr_signing.effective_state(state, ready_by, expires_at, ended_at)
    in ('completed', 'failed', 'expired', 'cancelled')`;
