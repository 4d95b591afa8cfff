/** A signing session as PostgreSQL stores it, and its forms for the state machine, for users and for parties. */
import type { SigningProtocol, SigningSession } from '../../../generated/types.js';
import type { PartyId, UserId } from '../../base/identifiers.js';
import type {
  Ceremony,
  CertifiedCeremony,
  PartySession,
  SessionParticipant,
  DelegateUserShare,
} from '../router-port.js';
import { isTerminal, type KeyType, type PartyStatus, type SessionState } from '../types.js';
import { isReady, missingPartiesOf, type CertifiedResult, type SessionView } from './session-machine.js';

interface ParticipantRecord extends SessionParticipant {
  /** Lower-case hexadecimal. */
  readonly reportedSignature: string | null;
  readonly partyStatus: PartyStatus;
}

/** The members of a share that are not secret. */
interface ShareReceipt extends Pick<DelegateUserShare, 'delegatePartyId' | 'recipientKeyId' | 'suite'> {
  readonly ciphertextSha256: string;
  readonly suppliedAt: string;
  /** Expiry of a share that the delegate has not received; null for a delivered share. RFC 3339. */
  readonly undeliveredUntil: string | null;
  readonly isErased: boolean;
}

export interface SessionRecord extends Omit<PartySession, 'missingParties' | 'missingSince' | 'ceremony'> {
  readonly accountName: string;
  readonly ownerUserId: UserId;
  /** The stored state; `effectiveState` is what readers see. */
  readonly state: SessionState;
  /** `expired` for an overdue session that the sweeper has not ended yet; else the stored state. */
  readonly effectiveState: SessionState;
  readonly stateVersion: number;
  readonly eventSequence: number;
  readonly participants: readonly ParticipantRecord[];
  readonly protocol: SigningProtocol;
  readonly keyType: KeyType;
  readonly chainCode: Buffer | null;
  readonly requestSha256: Buffer;
  readonly share: ShareReceipt | null;
  /** null for a session that signs. */
  readonly ceremony: Ceremony | null;
  readonly failureDetail: string | null;
  readonly culpritPartyIds: readonly PartyId[];
  /** RFC 3339. */
  readonly readyBy: string;
  /** When the session expires in its state. */
  readonly deadline: string;
  readonly endedAt: string | null;
  /** Clock of the database at the time of reading. */
  readonly now: string;
  /** `createdAt` in the precision of PostgreSQL, for cursors of lists. */
  readonly position: string;
}

const takesDelegate = ({ participants }: SessionRecord): boolean =>
  participants.some(({ shareType }) => shareType === 'delegate');

/** The session as the state machine sees it. */
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
  certified: certifiedOf(record.ceremony),
});

const certifiedOf = (ceremony: Ceremony | null): CertifiedResult | null => {
  const { publicKey = null, transcriptSha256 = null } = ceremony ?? {};
  return publicKey === null || transcriptSha256 === null ? null : { publicKey, transcriptSha256 };
};

const instantOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** Whether the session is over and the sweeper has not ended it yet. Readers see it as the sweeper will store it. */
const isOverdue = ({ state, effectiveState }: SessionRecord): boolean => state !== effectiveState;

/** The session as users see it (schema `SigningSession`). @param message that of a session which is shown alone */
export function sessionJson(record: SessionRecord, message: Buffer | null = null): SigningSession {
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
    ...(message === null ? {} : { message: message.toString('base64url') }),
    derivationPath: record.derivationPath,
    publicKey: record.publicKey?.toString('hex') ?? null,
    delegateUserShare: record.share === null ? null : receiptJson(record.share),
    signature: record.signature?.toString('hex') ?? null,
    ...(record.recoveryId === null ? {} : { recoveryId: record.recoveryId }),
    failureReason: record.failureReason,
    failureDetail: record.failureDetail,
    culpritPartyIds: record.culpritPartyIds,
    missingParties: missingOf(record, record.effectiveState),
    metadata: record.metadata,
    ...requestJson(record),
    ...(record.ceremony === null ? {} : { ceremony: certifiedCeremony(record, record.ceremony) }),
    ...(record.replaces === null ? {} : { replaces: record.replaces }),
    ...(record.replacedBy === null ? {} : { replacedBy: record.replacedBy }),
    ...missingSinceJson(record),
    createdAt: record.createdAt,
    readyBy: record.readyBy,
    expiresAt: record.expiresAt,
    endedAt: overdue ? record.deadline : record.endedAt,
  };
}

/** The ceremony with its certificate once it is completed. */
const certifiedCeremony = (
  { participants, state }: SessionRecord,
  ceremony: Ceremony,
): CertifiedCeremony => ({
  ...ceremony,
  certificate:
    state === 'completed'
      ? participants.map(({ partyId, reportedSignature }) => ({
          partyId,
          signature: reportedSignature ?? '',
        }))
      : null,
});

const missingOf = (record: SessionRecord, state: SessionState): readonly PartyId[] =>
  state === 'expired' ? missingPartiesOf(viewOf(record)) : [];

const requestJson = ({ request, requestSignatures }: SessionRecord): Pick<SigningSession, 'request'> =>
  request === null || requestSignatures === null
    ? {}
    : { request: { content: request.toString('base64url'), signatures: requestSignatures } };

/** Since when an expired session waited for its missing parties: its start, if all had joined, or its creation. */
function missingSinceOf(record: SessionRecord, missing: readonly PartyId[]): string | null {
  const { participants, share, createdAt } = record;
  if (missing.length === 0) return null;
  if (!isReady(viewOf(record))) return createdAt;
  const steps = [...participants.map(({ joinedAt }) => joinedAt), share?.suppliedAt ?? null];
  return steps.reduce<string>((last, time) => (time !== null && time > last ? time : last), createdAt);
}

function missingSinceJson(record: SessionRecord): Pick<SigningSession, 'missingSince'> {
  const missingSince = missingSinceOf(record, missingOf(record, record.effectiveState));
  return missingSince === null ? {} : { missingSince };
}

/** The share as users see it. */
const receiptJson = ({
  delegatePartyId,
  recipientKeyId,
  suite,
  ciphertextSha256,
  suppliedAt,
}: ShareReceipt) => ({ delegatePartyId, recipientKeyId, suite, ciphertextSha256, suppliedAt });

/** The session as its parties see it. @param state the state after an event, for a session that is sent with it */
export const partySession = (
  record: SessionRecord,
  state: SessionState = record.effectiveState,
): PartySession => {
  const ceremony = record.ceremony === null ? null : certifiedCeremony(record, record.ceremony);
  const missingParties = missingOf(record, state);
  const missingSince = missingSinceOf(record, missingParties);
  const session = { ...record, state, missingParties, missingSince, ceremony };
  return isTerminal(state) ? session : { ...session, signature: null, recoveryId: null, failureReason: null };
};
