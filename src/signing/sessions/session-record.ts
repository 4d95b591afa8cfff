/** A signing session as it lies in the database, and the three forms that others see of it. */
import type { SigningProtocol, SigningSession } from '../../../generated/types.js';
import type { EncryptionSuite, KeyType, PartySession, PartyStatus, ShareType } from '../router-port.js';
import { isTerminal, type FailureReason, type SessionState, type SessionView } from './session-machine.js';

export interface ParticipantRecord {
  readonly partyId: string;
  readonly shareIndex: number;
  readonly shareType: ShareType;
  /** RFC 3339. */
  readonly joinedAt: string | null;
  /** Lower-case hexadecimal. */
  readonly reportedSignature: string | null;
  readonly partyStatus: PartyStatus;
}

/** What may be told of a share. */
export interface ShareReceipt {
  readonly delegatePartyId: string;
  readonly recipientKeyId: string;
  readonly suite: EncryptionSuite;
  readonly ciphertextSha256: string;
  readonly suppliedAt: string;
  /** When it expires, while the delegate has not been handed it; null after that. RFC 3339. */
  readonly undeliveredUntil: string | null;
}

export interface SessionRecord {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly ownerUserId: string;
  readonly createdBy: string;
  /** As it was noted; readers want `effectiveState`. */
  readonly state: SessionState;
  readonly effectiveState: SessionState;
  readonly stateVersion: number;
  readonly eventSequence: number;
  readonly partySource: 'configured' | 'all_active';
  readonly threshold: number;
  readonly participants: readonly ParticipantRecord[];
  readonly protocol: SigningProtocol;
  readonly keyType: KeyType;
  readonly publicKey: Buffer | null;
  readonly messageDigest: Buffer;
  readonly derivationPath: readonly number[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly requestSha256: Buffer;
  readonly share: ShareReceipt | null;
  readonly signature: Buffer | null;
  readonly failureReason: FailureReason | null;
  readonly failureDetail: string | null;
  readonly culpritPartyIds: readonly string[];
  /** RFC 3339. */
  readonly createdAt: string;
  readonly readyBy: string;
  readonly expiresAt: string;
  /** When it is over without an end. */
  readonly deadline: string;
  readonly endedAt: string | null;
  /** The database's clock when this was read. */
  readonly now: string;
}

const takesDelegate = ({ participants }: SessionRecord): boolean =>
  participants.some(({ shareType }) => shareType === 'delegate');

/** What the state machine decides by. */
export const viewOf = (record: SessionRecord): SessionView => ({
  state: record.state,
  participants: record.participants.map(({ partyId, joinedAt, reportedSignature }) => ({
    partyId,
    joined: joinedAt !== null,
    reportedSignature,
  })),
  threshold: record.threshold,
  shareNeeded: takesDelegate(record),
  shareSupplied: record.share !== null,
  shareUndeliveredUntil: instantOf(record.share?.undeliveredUntil ?? null),
  readyBy: Date.parse(record.readyBy),
  expiresAt: Date.parse(record.expiresAt),
  signature: record.signature?.toString('hex') ?? null,
});

const instantOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** Whether the session is over, but nobody has noted it: it is shown as it will be noted. */
const isOverdue = ({ state, effectiveState }: SessionRecord): boolean => state !== effectiveState;

/** The session as users see it. */
export function sessionJson(record: SessionRecord): SigningSession {
  const overdue = isOverdue(record);
  return {
    sessionId: record.sessionId,
    tenantId: record.tenantId,
    accountId: record.accountId,
    createdBy: record.createdBy,
    state: record.effectiveState,
    stateVersion: record.stateVersion + (overdue ? 1 : 0),
    partySource: record.partySource,
    threshold: record.threshold,
    participants: record.participants.map(({ partyId, shareIndex, shareType, joinedAt }) => ({
      partyId,
      shareIndex,
      shareType,
      joinedAt,
    })),
    protocol: record.protocol,
    messageDigest: record.messageDigest.toString('hex'),
    derivationPath: record.derivationPath,
    publicKey: record.publicKey?.toString('hex') ?? null,
    delegateUserShare: record.share === null ? null : receiptJson(record.share),
    signature: record.signature?.toString('hex') ?? null,
    failureReason: record.failureReason,
    failureDetail: record.failureDetail,
    culpritPartyIds: record.culpritPartyIds,
    metadata: record.metadata,
    createdAt: record.createdAt,
    readyBy: record.readyBy,
    expiresAt: record.expiresAt,
    endedAt: overdue ? record.deadline : record.endedAt,
  };
}

/** What everybody but the delegate sees of a share. */
const receiptJson = ({
  delegatePartyId,
  recipientKeyId,
  suite,
  ciphertextSha256,
  suppliedAt,
}: ShareReceipt) => ({ delegatePartyId, recipientKeyId, suite, ciphertextSha256, suppliedAt });

/** The session as its parties see it. @param state that of an event, where the session is told with one */
export function partySession(
  record: SessionRecord,
  state: SessionState = record.effectiveState,
): PartySession {
  const ended = isTerminal(state);
  return {
    sessionId: record.sessionId,
    tenantId: record.tenantId,
    accountId: record.accountId,
    state,
    threshold: record.threshold,
    participants: record.participants.map(({ partyId, shareIndex, shareType, joinedAt }) => ({
      partyId,
      shareIndex,
      shareType,
      joinedAt: joinedAt === null ? null : new Date(joinedAt),
    })),
    protocol: record.protocol,
    messageDigest: record.messageDigest,
    publicKey: record.publicKey,
    derivationPath: record.derivationPath,
    createdAt: new Date(record.createdAt),
    expiresAt: new Date(record.expiresAt),
    signature: ended ? record.signature : null,
    failureReason: ended ? record.failureReason : null,
  };
}
