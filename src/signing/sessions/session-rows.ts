/** Reading signing sessions from PostgreSQL. */
import type { SigningProtocol } from '../../../generated/types.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { KeyType } from '../router-port.js';
import type { FailureReason, SessionState } from './session-machine.js';
import type { ParticipantRecord, SessionRecord, ShareReceipt } from './session-record.js';

interface SessionRow {
  readonly session_id: string;
  readonly tenant_id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly owner_user_id: string;
  readonly created_by: string;
  readonly state: SessionState;
  readonly effective_state: SessionState;
  readonly state_version: string;
  readonly event_sequence: string;
  readonly party_source: 'configured' | 'all_active';
  readonly threshold: number;
  readonly participants: string;
  readonly protocol: SigningProtocol;
  readonly key_type: KeyType;
  readonly public_key: Buffer | null;
  readonly message_digest: Buffer;
  readonly derivation_path: string;
  readonly metadata: string;
  readonly request_sha256: Buffer;
  readonly share: string | null;
  readonly signature: Buffer | null;
  readonly failure_reason: FailureReason | null;
  readonly failure_detail: string | null;
  readonly culprit_party_ids: readonly string[];
  readonly created_at: string;
  readonly ready_by: string;
  readonly expires_at: string;
  readonly deadline: string;
  readonly ended_at: string | null;
  readonly now: string;
  readonly position: string;
}

const SESSIONS = `
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

const SESSIONS_BY_ID = `${SESSIONS}
where session.session_id = any($1::uuid[])`;

/** null when the tenant has none with this identifier. */
export async function findSession(
  transaction: DatabaseTask,
  sessionId: string,
): Promise<SessionRecord | null> {
  const [session = null] = await findSessions(transaction, [sessionId]);
  return session;
}

export async function findSessions(
  transaction: DatabaseTask,
  sessionIds: readonly string[],
): Promise<readonly SessionRecord[]> {
  const rows = await transaction.any<SessionRow>({ text: SESSIONS_BY_ID, values: [sessionIds] });
  return rows.map(recordOf);
}

const LOCK = `
select from dbr_signing.signing_sessions where session_id = $1::uuid for update`;
const LOCK_IF_FREE = `${LOCK} skip locked`;

/**
 * The session, whose row nobody else changes until the transaction ends. Locked first and read after, so that what is
 * read is what the one before us has left.
 * @param wait false: null as well when somebody else holds it
 */
export async function lockSession(
  transaction: DatabaseTask,
  sessionId: string,
  wait = true,
): Promise<SessionRecord | null> {
  const locked = await transaction.any({ text: wait ? LOCK : LOCK_IF_FREE, values: [sessionId] });
  return locked.length === 0 ? null : await findSession(transaction, sessionId);
}

const BY_IDEMPOTENCY_KEY = `
select session_id
from dbr_signing.signing_sessions
where created_by = $1 and idempotency_key = $2`;

export async function findSessionByKey(
  transaction: DatabaseTask,
  createdBy: string,
  idempotencyKey: string,
): Promise<SessionRecord | null> {
  const row = await transaction.oneOrNone<{ readonly session_id: string }>({
    text: BY_IDEMPOTENCY_KEY,
    values: [createdBy, idempotencyKey],
  });
  return row === null ? null : await findSession(transaction, row.session_id);
}

const LIST = `${SESSIONS}
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

export interface SessionFilter {
  /** Sessions that this user created or whose account they own; null: the whole tenant's. */
  readonly userId: string | null;
  readonly accountId: string | null;
  readonly state: SessionState | null;
  /** The last session of the page before: when it was created, and its identifier. */
  readonly before: { readonly position: string; readonly sessionId: string } | null;
  readonly limit: number;
}

export interface ListedSession {
  readonly record: SessionRecord;
  /** When it was created, as exactly as PostgreSQL knows it. */
  readonly position: string;
}

/** Newest first. */
export async function listSessions(
  transaction: DatabaseTask,
  { userId, accountId, state, before, limit }: SessionFilter,
): Promise<readonly ListedSession[]> {
  const rows = await transaction.any<SessionRow>({
    text: LIST,
    values: [userId, accountId, state, before?.position ?? null, before?.sessionId ?? null, limit],
  });
  return rows.map((row) => ({ record: recordOf(row), position: row.position }));
}

const OPEN_OF_ACCOUNT = `
select session_id
from dbr_signing.signing_sessions
where account_id = $1::uuid and ended_at is null
order by session_id`;
const OPEN_OF_PARTY = `
select session_id
from dbr_signing.session_participants
join dbr_signing.signing_sessions using (tenant_id, session_id)
where party_id = $1 and ended_at is null
order by session_id`;

export const openSessionsOfAccount = (transaction: DatabaseTask, accountId: string) =>
  sessionIds(transaction, OPEN_OF_ACCOUNT, accountId);

export const openSessionsOfParty = (transaction: DatabaseTask, partyId: string) =>
  sessionIds(transaction, OPEN_OF_PARTY, partyId);

async function sessionIds(transaction: DatabaseTask, text: string, of: string): Promise<readonly string[]> {
  const rows = await transaction.any<{ readonly session_id: string }>({ text, values: [of] });
  return rows.map(({ session_id: sessionId }) => sessionId);
}

function recordOf(row: SessionRow): SessionRecord {
  return {
    sessionId: row.session_id,
    tenantId: row.tenant_id,
    accountId: row.account_id,
    accountName: row.account_name,
    ownerUserId: row.owner_user_id,
    createdBy: row.created_by,
    state: row.state,
    effectiveState: row.effective_state,
    stateVersion: Number(row.state_version),
    eventSequence: Number(row.event_sequence),
    partySource: row.party_source,
    threshold: row.threshold,
    participants: JSON.parse(row.participants) as readonly ParticipantRecord[],
    protocol: row.protocol,
    keyType: row.key_type,
    publicKey: row.public_key,
    messageDigest: row.message_digest,
    derivationPath: JSON.parse(row.derivation_path) as readonly number[],
    metadata: JSON.parse(row.metadata) as Readonly<Record<string, unknown>>,
    requestSha256: row.request_sha256,
    share: row.share === null ? null : (JSON.parse(row.share) as ShareReceipt),
    signature: row.signature,
    failureReason: row.failure_reason,
    failureDetail: row.failure_detail,
    culpritPartyIds: row.culprit_party_ids,
    createdAt: row.created_at,
    readyBy: row.ready_by,
    expiresAt: row.expires_at,
    deadline: row.deadline,
    endedAt: row.ended_at,
    now: row.now,
  };
}
