/** Reads and locks signing sessions in PostgreSQL. */
import type { AccountId, PartyId, SessionId, UserId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import type { SessionState, TerminalState } from '../types.js';
import type { SessionRecord } from './session-record.js';

/**
 * Locks the session until the transaction ends, then reads it, so that the result includes what the previous holder of the lock
 * wrote. Returns null if the tenant has no such session.
 * @param wait false: returns null, too, if another transaction holds the lock
 */
export async function lockSession(
  transaction: DatabaseTask,
  sessionId: SessionId,
  wait = true,
): Promise<SessionRecord | null> {
  const locked = await (wait ? lock : lockIfFree)(transaction, sessionId);
  return locked.length === 0 ? null : await findSession(transaction, sessionId);
}

interface SessionFilter {
  /** Sessions that the user created or whose account the user owns; null for all sessions of the tenant. */
  readonly userId: UserId | null;
  readonly accountId: AccountId | null;
  readonly state: SessionState | null;
  /** Time and identifier of the last session of the page before; null for the first page. */
  readonly before: { readonly position: string; readonly sessionId: string } | null;
  readonly limit: number;
}

/** Lists sessions, the newest first. */
export const listSessions = (
  transaction: DatabaseTask,
  { userId, accountId, state, before, limit }: SessionFilter,
): Promise<readonly SessionRecord[]> =>
  transaction.any({
    text: LIST_SESSIONS,
    values: [userId, accountId, state, before?.position ?? null, before?.sessionId ?? null, limit],
    unnamed: true,
  });

export interface EndedSession {
  readonly sessionId: string;
  readonly state: TerminalState;
}

// The statements that read signing sessions.

const SESSIONS = sql`
select
  session.session_id as "sessionId",
  session.tenant_id as "tenantId",
  session.account_id as "accountId",
  account.name as "accountName",
  account.owner_user_id as "ownerUserId",
  session.created_by as "createdBy",
  session.state,
  dbr_signing.effective_state(session.state, session.ready_by, session.expires_at, session.ended_at)
    as "effectiveState",
  session.state_version::double precision as "stateVersion",
  session.event_sequence::double precision as "eventSequence",
  session.party_source as "partySource",
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
  account.key_type as "keyType",
  account.public_key as "publicKey",
  account.chain_code as "chainCode",
  session.message_digest as "messageDigest",
  session.message is not null as "hasMessage",
  pg_catalog.to_json(session.derivation_path) as "derivationPath",
  session.metadata,
  session.request_sha256 as "requestSha256",
  session.request,
  session.replaces,
  session.replaced_by as "replacedBy",
  session.request_signatures as "requestSignatures",
  (
    select pg_catalog.json_build_object(
      'delegatePartyId', share.delegate_party_id,
      'recipientKeyId', share.recipient_key_id,
      'suite', share.suite,
      'ciphertextSha256', pg_catalog.encode(share.ciphertext_sha256, 'hex'),
      'suppliedAt', dbr_signing.instant(share.supplied_at),
      'undeliveredUntil', case
        when share.delivered_at is null and share.erased_at is null then dbr_signing.instant(share.expires_at)
      end,
      'isErased', share.erased_at is not null
    )
    from dbr_signing.delegate_user_shares as share
    where share.session_id = session.session_id
  ) as share,
  case when session.kind <> 'signing' then (
    select pg_catalog.json_build_object(
      'kind', session.kind,
      'before', ceremony.before,
      'after', ceremony.after,
      'publicKey', pg_catalog.encode(ceremony.public_key, 'hex'),
      'transcriptSha256', pg_catalog.encode(ceremony.transcript_sha256, 'hex')
    )
    from dbr_signing.ceremonies as ceremony
    where ceremony.session_id = session.session_id
  ) end as ceremony,
  session.signature,
  session.recovery_id as "recoveryId",
  session.failure_reason as "failureReason",
  session.failure_detail as "failureDetail",
  session.culprit_party_ids as "culpritPartyIds",
  dbr_signing.instant(session.created_at) as "createdAt",
  dbr_signing.instant(session.ready_by) as "readyBy",
  dbr_signing.instant(session.expires_at) as "expiresAt",
  dbr_signing.instant(dbr_signing.deadline(session.state, session.ready_by, session.expires_at)) as deadline,
  dbr_signing.instant(session.ended_at) as "endedAt",
  dbr_signing.instant(pg_catalog.clock_timestamp()) as now,
  session.created_at::text as position
from dbr_signing.signing_sessions as session
join dbr_signing.accounts as account using (tenant_id, account_id)`;

/**
 * Returns null if the tenant has no such session. PostgreSQL plans it once; a plan for an array of any length costs more by its
 * estimate, and is not kept.
 */
export const findSession = query.oneOrNone<[sessionId: SessionId], SessionRecord>(sql`${SESSIONS}
where session.session_id = $1::uuid`);

export const findSessions = query.any<[sessionIds: readonly SessionId[]], SessionRecord>(sql`${SESSIONS}
where session.session_id = any($1::uuid[])`);

/** `$1` user or null, `$2` account or null, `$3` state or null, `$4` and `$5` time and identifier of the last session of the page before or null, `$6` limit. */
const LIST_SESSIONS = sql`${SESSIONS}
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

/** The message of a session that has one. It is read apart from the session, because it has up to 1 MiB. */
export const findMessage = query.oneOrNone<[sessionId: SessionId], { readonly message: Buffer }>(sql`
select message
from dbr_signing.signing_sessions
where session_id = $1::uuid and message is not null`);

export const findSessionByKey = query.oneOrNone<
  [createdBy: UserId, idempotencyKey: string],
  SessionRecord
>(sql`${SESSIONS}
where session.created_by = $1 and session.idempotency_key = $2`);

/** The sessions that have one of the identifiers, or that the user created with one of the keys. */
export const findSessionsByKeys = query.any<
  [sessionIds: readonly SessionId[], createdBy: UserId, idempotencyKeys: readonly string[]],
  SessionRecord
>(sql`${SESSIONS}
where session.session_id = any($1::uuid[])
  or (session.created_by = $2 and session.idempotency_key = any($3::text[]))`);

/** Without its key, which rows that refer to the session lock for a moment when they are written: these wait for no change. */
const LOCK_SESSION = sql`
select from dbr_signing.signing_sessions where session_id = $1::uuid for no key update`;

const lock = query.any<[sessionId: SessionId], object>(LOCK_SESSION);
/** Returns no row if another transaction holds the lock. */
const lockIfFree = query.any<[sessionId: SessionId], object>(sql`${LOCK_SESSION} skip locked`);

/** Its version counts the change, which is part of what readers see. */
export const markReplaced = query.none<[sessionId: SessionId, replacedBy: SessionId]>(sql`
update dbr_signing.signing_sessions
set replaced_by = $2::uuid, state_version = state_version + 1
where session_id = $1::uuid`);

/**
 * Both lock the sessions before one of them ends. A transaction that ends one, and so locks its readers, and then waits for the
 * next would deadlock with a group commit that holds the next and waits for the readers.
 */
export const openSessionsOfAccount = query.any<[accountId: AccountId], Pick<SessionRecord, 'sessionId'>>(sql`
select session_id as "sessionId"
from dbr_signing.signing_sessions
where account_id = $1::uuid and ended_at is null
order by session_id
for no key update`);

export const openSessionsOfParty = query.any<[partyId: PartyId], Pick<SessionRecord, 'sessionId'>>(sql`
select session_id as "sessionId"
from dbr_signing.session_participants
join dbr_signing.signing_sessions using (tenant_id, session_id)
where party_id = $1 and ended_at is null
order by session_id
for no key update of signing_sessions`);

/**
 * Open sessions of all tenants that are overdue, or whose share has expired undelivered, at most `limit` of each kind, less
 * those of `except`.
 *
 * The first conditions use an index. `deadline` then excludes sessions that started in time. A share that is neither delivered
 * nor erased belongs to an open session.
 */
export const overdueSessions = query.any<
  [limit: number, except: readonly string[]],
  Pick<SessionRecord, 'tenantId' | 'sessionId'>
>(sql`
(
  select tenant_id as "tenantId", session_id as "sessionId"
  from dbr_signing.signing_sessions
  where ended_at is null
    and least(ready_by, expires_at) <= pg_catalog.now()
    and dbr_signing.deadline(state, ready_by, expires_at) <= pg_catalog.now()
    and session_id <> all ($2::uuid[])
  order by least(ready_by, expires_at)
  limit $1
)
union
(
  select tenant_id, session_id
  from dbr_signing.delegate_user_shares
  where erased_at is null and delivered_at is null and expires_at <= pg_catalog.now()
    and session_id <> all ($2::uuid[])
  order by expires_at
  limit $1
)`);

/**
 * Returns the sessions that have ended, with their state. A session past its deadline ends when that is stored: a transaction
 * that began before the deadline may still move it.
 */
export const endedSessions = query.any<[sessionIds: readonly string[]], EndedSession>(sql`
select session_id as "sessionId", state
from dbr_signing.signing_sessions
where session_id = any ($1::uuid[]) and ended_at is not null`);
