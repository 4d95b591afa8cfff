/** Reads and locks signing sessions in PostgreSQL. */
import type { SigningProtocol } from '../../../generated/types.js';
import type { AccountId, PartyId, SessionId, TenantId, UserId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { Sql } from '../../postgres/sql.js';
import type { FailureReason, KeyType, PartySource, SessionState, TerminalState } from '../types.js';
import type { ParticipantRecord, SessionRecord, ShareReceipt } from './session-record.js';
import {
  ENDED_SESSIONS,
  FIND_SESSION,
  FIND_SESSIONS,
  FIND_SESSION_BY_KEY,
  LIST_SESSIONS,
  LOCK_SESSION,
  LOCK_SESSION_IF_FREE,
  OPEN_SESSIONS_OF_ACCOUNT,
  OPEN_SESSIONS_OF_PARTY,
  OVERDUE_SESSIONS,
} from './session-sql.js';

interface SessionRow {
  readonly session_id: SessionId;
  readonly tenant_id: TenantId;
  readonly account_id: AccountId;
  readonly account_name: string;
  readonly owner_user_id: UserId;
  readonly created_by: UserId;
  readonly state: SessionState;
  readonly effective_state: SessionState;
  readonly state_version: string;
  readonly event_sequence: string;
  readonly party_source: PartySource;
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
  readonly culprit_party_ids: readonly PartyId[];
  readonly created_at: string;
  readonly ready_by: string;
  readonly expires_at: string;
  readonly deadline: string;
  readonly ended_at: string | null;
  readonly now: string;
  readonly position: string;
}

/** Returns null if the tenant has no such session. */
export async function findSession(
  transaction: DatabaseTask,
  sessionId: SessionId,
): Promise<SessionRecord | null> {
  const row = await transaction.oneOrNone<SessionRow>({ text: FIND_SESSION, values: [sessionId] });
  return row === null ? null : recordOf(row);
}

export async function findSessions(
  transaction: DatabaseTask,
  sessionIds: readonly SessionId[],
): Promise<readonly SessionRecord[]> {
  const rows = await transaction.any<SessionRow>({ text: FIND_SESSIONS, values: [sessionIds] });
  return rows.map(recordOf);
}

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
  const locked = await transaction.any({
    text: wait ? LOCK_SESSION : LOCK_SESSION_IF_FREE,
    values: [sessionId],
  });
  return locked.length === 0 ? null : await findSession(transaction, sessionId);
}

export async function findSessionByKey(
  transaction: DatabaseTask,
  createdBy: UserId,
  idempotencyKey: string,
): Promise<SessionRecord | null> {
  const row = await transaction.oneOrNone<{ readonly session_id: SessionId }>({
    text: FIND_SESSION_BY_KEY,
    values: [createdBy, idempotencyKey],
  });
  return row === null ? null : await findSession(transaction, row.session_id);
}

export interface SessionFilter {
  /** Sessions that the user created or whose account the user owns; null for all sessions of the tenant. */
  readonly userId: UserId | null;
  readonly accountId: AccountId | null;
  readonly state: SessionState | null;
  /** Time and identifier of the last session of the page before; null for the first page. */
  readonly before: { readonly position: string; readonly sessionId: string } | null;
  readonly limit: number;
}

export interface ListedSession {
  readonly record: SessionRecord;
  /** Time of creation with PostgreSQL's precision. */
  readonly position: string;
}

/** Lists sessions, the newest first. */
export async function listSessions(
  transaction: DatabaseTask,
  { userId, accountId, state, before, limit }: SessionFilter,
): Promise<readonly ListedSession[]> {
  const rows = await transaction.any<SessionRow>({
    text: LIST_SESSIONS,
    values: [userId, accountId, state, before?.position ?? null, before?.sessionId ?? null, limit],
    unnamed: true,
  });
  return rows.map((row) => ({ record: recordOf(row), position: row.position }));
}

export const openSessionsOfAccount = (transaction: DatabaseTask, accountId: AccountId) =>
  sessionIds(transaction, OPEN_SESSIONS_OF_ACCOUNT, accountId);

export const openSessionsOfParty = (transaction: DatabaseTask, partyId: PartyId) =>
  sessionIds(transaction, OPEN_SESSIONS_OF_PARTY, partyId);

async function sessionIds(
  transaction: DatabaseTask,
  text: Sql,
  of: AccountId | PartyId,
): Promise<readonly SessionId[]> {
  const rows = await transaction.any<{ readonly session_id: SessionId }>({ text, values: [of] });
  return rows.map(({ session_id: sessionId }) => sessionId);
}

/** Overdue sessions of all tenants, at most `limit` of each kind. */
export async function overdueSessions(
  transaction: DatabaseTask,
  limit: number,
): Promise<readonly Pick<SessionRecord, 'tenantId' | 'sessionId'>[]> {
  const rows = await transaction.any<Pick<SessionRow, 'tenant_id' | 'session_id'>>({
    text: OVERDUE_SESSIONS,
    values: [limit],
  });
  return rows.map(({ tenant_id: tenantId, session_id: sessionId }) => ({ tenantId, sessionId }));
}

export interface EndedSession {
  readonly sessionId: string;
  readonly state: TerminalState;
}

/** Those of the sessions that have ended. */
export async function endedSessions(
  transaction: DatabaseTask,
  sessionIds: readonly string[],
): Promise<readonly EndedSession[]> {
  const rows = await transaction.any<{ readonly session_id: string; readonly state: TerminalState }>({
    text: ENDED_SESSIONS,
    values: [[...sessionIds]],
  });
  return rows.map(({ session_id: sessionId, state }) => ({ sessionId, state }));
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
