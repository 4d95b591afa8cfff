/** Converts values of signing to protobuf messages, and back. */
import { timestampDate, timestampFromDate, type TimestampSchema } from '@bufbuild/protobuf/wkt';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  CeremonyKind,
  EncryptionSuite,
  FailureReason,
  PartyRole,
  SessionEventType,
  SessionState,
  SharePurpose,
  ShareType,
  type Abort,
  type CeremonyResult as WireResult,
  type DelegateUserShareSchema,
  type DeliverySchema,
  type HoldingSchema,
  type PartyEncryptionKey as WireKey,
  SessionSchema,
  type Session,
  type SessionEventSchema,
  type MailboxPosition,
  type ReportResultRequest,
} from '../../generated/proto/router/v1/router_pb.js';
import type { MailboxDelivery } from '../mailbox/mailbox-store.js';
import type * as ports from '../signing/router-port.js';
import { invalid } from './refusal.js';
import type { PartyResult } from '../signing/router-port.js';
import { CANONICAL_UUID } from '../base/identifiers.js';
import { MAX_MAILBOX_SESSIONS } from './limits.js';

const STATES: Readonly<Record<ports.SessionState, SessionState>> = {
  created: SessionState.CREATED,
  awaiting_parties: SessionState.AWAITING_PARTIES,
  in_progress: SessionState.IN_PROGRESS,
  completed: SessionState.COMPLETED,
  failed: SessionState.FAILED,
  expired: SessionState.EXPIRED,
  cancelled: SessionState.CANCELLED,
};

const REASONS: Readonly<Record<ports.FailureReason, FailureReason>> = {
  party_aborted: FailureReason.PARTY_ABORTED,
  party_timeout: FailureReason.PARTY_TIMEOUT,
  invalid_signature: FailureReason.INVALID_SIGNATURE,
  share_unusable: FailureReason.SHARE_UNUSABLE,
  equivocation: FailureReason.EQUIVOCATION,
  policy_denied: FailureReason.POLICY_DENIED,
  internal: FailureReason.INTERNAL,
};

const EVENT_TYPES: Readonly<Record<ports.SessionEventType, SessionEventType>> = {
  created: SessionEventType.CREATED,
  'party-joined': SessionEventType.PARTY_JOINED,
  'delegate-share-supplied': SessionEventType.DELEGATE_SHARE_SUPPLIED,
  started: SessionEventType.STARTED,
  'party-reported': SessionEventType.PARTY_REPORTED,
  'party-keys-changed': SessionEventType.PARTY_KEYS_CHANGED,
  approved: SessionEventType.APPROVED,
  'party-keys-proposed': SessionEventType.PARTY_KEYS_PROPOSED,
  completed: SessionEventType.COMPLETED,
  failed: SessionEventType.FAILED,
  expired: SessionEventType.EXPIRED,
  cancelled: SessionEventType.CANCELLED,
};

const SHARE_TYPES: Readonly<Record<ports.ShareType, ShareType>> = {
  server: ShareType.SERVER,
  user: ShareType.USER,
  backup: ShareType.BACKUP,
  delegate: ShareType.DELEGATE,
};

const ROLES: Readonly<Record<ports.PartyRole, PartyRole>> = {
  server: PartyRole.SERVER,
  user: PartyRole.USER,
  delegate: PartyRole.DELEGATE,
};

const SUITES: Readonly<Record<ports.EncryptionSuite, EncryptionSuite>> = {
  'HPKE-X25519-SHA256-AES256GCM': EncryptionSuite.HPKE_X25519_SHA256_AES256GCM,
  'RSA-OAEP-SHA256-AES256GCM': EncryptionSuite.RSA_OAEP_SHA256_AES256GCM,
};

export const roleMessage = (role: ports.PartyRole): PartyRole => ROLES[role];
export const stateMessage = (state: ports.SessionState): SessionState => STATES[state];

export function sessionMessage(session: ports.PartySession): Session {
  const { createdAt, expiresAt, participants } = session;
  return create(SessionSchema, {
    sessionId: session.sessionId,
    tenantId: session.tenantId,
    accountId: session.accountId,
    state: STATES[session.state],
    threshold: session.threshold,
    participants: participants.map(({ partyId, shareIndex, shareType, joinedAt }) => ({
      partyId,
      shareIndex,
      shareType: SHARE_TYPES[shareType],
      ...(joinedAt === null ? {} : { joinedAt: timestampFromDate(new Date(joinedAt)) }),
    })),
    protocol: session.protocol,
    // A party that knows no messages refuses the missing digest, so that it never signs the hash of one.
    messageDigest: session.hasMessage ? new Uint8Array() : session.messageDigest,
    publicKey: session.publicKey ?? new Uint8Array(),
    derivationPath: [...session.derivationPath],
    createdAt: timestampFromDate(new Date(createdAt)),
    expiresAt: timestampFromDate(new Date(expiresAt)),
    signature: session.signature ?? new Uint8Array(),
    ...(session.recoveryId === null ? {} : { recoveryId: session.recoveryId }),
    failureReason:
      session.failureReason === null ? FailureReason.UNSPECIFIED : REASONS[session.failureReason],
    missingPartyIds: [...session.missingParties],
    createdBy: session.createdBy,
    partySource: session.partySource,
    replaces: session.replaces ?? '',
    replacedBy: session.replacedBy ?? '',
    ...(session.missingSince === null
      ? {}
      : { missingSince: timestampFromDate(new Date(session.missingSince)) }),
    metadata: JSON.stringify(session.metadata),
    request: session.request ?? new Uint8Array(),
    requestSignatures: (session.requestSignatures ?? []).map(({ keyId, algorithm, signature }) => ({
      keyId,
      algorithm,
      signature: Buffer.from(signature, 'hex'),
    })),
    ...(session.ceremony === null ? {} : ceremonyMembers(session, session.ceremony)),
  });
}

/** A party that knows no ceremonies refuses the protocol and the missing digest, so that it never signs the hash of a plan. */
const ceremonyMembers = (
  { messageDigest }: ports.PartySession,
  { kind, before, after, publicKey, transcriptSha256, certificate }: ports.CertifiedCeremony,
): MessageInitShape<typeof SessionSchema> => ({
  protocol: CEREMONY_PROTOCOL,
  messageDigest: new Uint8Array(),
  ceremony: {
    kind: kind === 'keygen' ? CeremonyKind.KEYGEN : CeremonyKind.RESHARE,
    ...(before === null ? {} : { before: holdingMessage(before) }),
    after: holdingMessage(after),
    planSha256: messageDigest,
    ...(certificate === null
      ? {}
      : {
          publicKey: Buffer.from(publicKey ?? '', 'hex'),
          transcriptSha256: Buffer.from(transcriptSha256 ?? '', 'hex'),
          certificate: certificate.map(({ partyId, signature }) => ({
            partyId,
            signature: Buffer.from(signature, 'hex'),
          })),
        }),
  },
});

const CEREMONY_PROTOCOL = 'frost-ed25519';

const holdingMessage = ({ threshold, holders }: ports.Holding): MessageInitShape<typeof HoldingSchema> => ({
  threshold,
  holders: holders.map(({ partyId, shareIndex, shareType, identityPublicKey }) => ({
    partyId,
    shareIndex,
    shareType: SHARE_TYPES[shareType],
    identityPublicKey: Buffer.from(identityPublicKey, 'hex'),
  })),
});

/** Events on which a party decides what it signs: they carry the message of the session. */
const WITH_MESSAGE: ReadonlySet<ports.SessionEventType> = new Set([
  'created',
  'delegate-share-supplied',
  'approved',
  'started',
]);

export const carriesMessage = ({ type, session }: ports.PartySessionEvent): boolean =>
  session.hasMessage && WITH_MESSAGE.has(type);

export function eventMessage(
  event: ports.PartySessionEvent,
  message: Buffer | null,
): MessageInitShape<typeof SessionEventSchema> {
  const share = event.delegateUserShare;
  const session = sessionMessage(event.session);
  if (message !== null) session.message = message;
  return {
    eventId: event.eventId,
    sequence: BigInt(event.sequence),
    type: EVENT_TYPES[event.type],
    session,
    occurredAt: timestampFromDate(event.occurredAt),
    partyId: event.partyId ?? '',
    ...(share === null ? {} : { delegateUserShare: shareMessage(share) }),
  };
}

/** Reveals the share; called for the delegate's own stream only. */
const shareMessage = (share: ports.DelegateUserShare): MessageInitShape<typeof DelegateUserShareSchema> => ({
  delegatePartyId: share.delegatePartyId,
  recipientKeyId: share.recipientKeyId,
  suite: SUITES[share.suite],
  encapsulatedKey: share.encapsulatedKey.reveal(),
  ciphertext: share.ciphertext.reveal(),
  nonce: share.nonce?.reveal() ?? new Uint8Array(),
  aadSha256: share.aadSha256,
  shareType: ShareType.DELEGATE,
  purpose: SharePurpose.SIGNING,
  expiresAt: timestampFromDate(share.expiresAt),
});

export const deliveryMessage = (
  sessionId: string,
  delivery: MailboxDelivery,
): MessageInitShape<typeof DeliverySchema> => ({
  sequence: BigInt(delivery.sequence),
  redeliveryCount: delivery.redeliveryCount,
  envelope: {
    sessionId,
    messageId: delivery.messageId,
    fromPartyId: delivery.fromPartyId,
    toPartyIds: [...delivery.toPartyIds],
    round: delivery.round,
    senderSequence: BigInt(delivery.senderSequence),
    payload: delivery.payload,
    signature: delivery.signature,
    sentAt: timestampOf(delivery.sentAt),
  },
});

/** As `timestampFromDate`, without an instance of the message. */
function timestampOf(date: Date): MessageInitShape<typeof TimestampSchema> {
  const milliseconds = date.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}

/** @throws Refused INVALID_ARGUMENT for an unknown suite */
export function readKey(key: WireKey): ports.PartyEncryptionKey {
  return {
    keyId: key.keyId,
    suite: keyOf(SUITES, key.suite) ?? fail('encryption_keys: unknown suite'),
    publicKey: Buffer.from(key.publicKey),
    oneTime: key.oneTime,
    notAfter: key.notAfter === undefined ? null : timestampDate(key.notAfter),
    signature: Buffer.from(key.signature),
  };
}

/** @throws Refused INVALID_ARGUMENT for an unknown reason */
const readAbort = ({ reason, culpritPartyIds, detail }: Abort): ports.PartyResult => ({
  kind: 'abort',
  reason: keyOf(REASONS, reason) ?? fail('abort: unknown reason'),
  culpritPartyIds,
  detail,
});

function keyOf<Key extends string, Value>(
  table: Readonly<Record<Key, Value>>,
  value: unknown,
): Key | undefined {
  for (const key in table) if (table[key] === value) return key;
  return undefined;
}

function fail(details: string): never {
  throw invalid(details);
}

// Reads the fields that several requests have.

const MAX_INSTANCE_LENGTH = 128;
const MAX_SIGNATURE = 1024;

/** @throws Refused INVALID_ARGUMENT for text that cannot name an instance */
export function readInstance(instanceId: string): string {
  if (instanceId === '' || instanceId.length > MAX_INSTANCE_LENGTH || /[^!-~]/.test(instanceId))
    throw invalid(`instance_id: 1 to ${String(MAX_INSTANCE_LENGTH)} visible characters of ASCII`);
  return instanceId;
}

/** @throws Refused INVALID_ARGUMENT for text that is not an identifier in its canonical form */
export function readSessionId(text: string): string {
  if (!CANONICAL_UUID.test(text)) throw invalid('session_id: a UUID in lower case is needed');
  return text;
}

/** @throws Refused INVALID_ARGUMENT for a number above the largest safe integer */
export function readSequence(name: string, value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(`${name}: out of range`);
  return Number(value);
}

/** Positions by session. @throws Refused INVALID_ARGUMENT for too many, or a session that is named twice */
export function readPositions(positions: readonly MailboxPosition[]): ReadonlyMap<string, number> {
  if (positions.length > MAX_MAILBOX_SESSIONS)
    throw invalid(`after: at most ${String(MAX_MAILBOX_SESSIONS)} sessions`);
  const read = new Map(
    positions.map(({ sessionId, sequence }) => [
      readSessionId(sessionId),
      readSequence('sequence', sequence),
    ]),
  );
  if (read.size < positions.length) throw invalid('after: a session is named twice');
  return read;
}

const HASH_BYTES = 32;

/** @throws Refused INVALID_ARGUMENT */
function readCertificate({ publicKey, transcriptSha256, signature }: WireResult): PartyResult {
  if (publicKey.length !== HASH_BYTES) throw invalid('public_key: 32 bytes are needed');
  if (transcriptSha256.length !== HASH_BYTES) throw invalid('transcript_sha256: 32 bytes are needed');
  if (signature.length < 1 || signature.length > MAX_SIGNATURE)
    throw invalid('signature: its length is no signature’s');
  return {
    kind: 'certificate',
    publicKey: Buffer.from(publicKey),
    transcriptSha256: Buffer.from(transcriptSha256),
    signature: Buffer.from(signature),
  };
}

/** @throws Refused INVALID_ARGUMENT for a missing outcome, or a signature of impossible length */
export function readResult(outcome: ReportResultRequest['outcome']): PartyResult {
  switch (outcome.case) {
    case undefined:
      throw invalid('outcome: a signature or an abort is needed');
    case 'abort':
      return readAbort(outcome.value);
    case 'signature':
      if (outcome.value.length < 1 || outcome.value.length > MAX_SIGNATURE)
        throw invalid('signature: its length is no signature’s');
      return { kind: 'signature', signature: Buffer.from(outcome.value) };
    case 'certificate':
      return readCertificate(outcome.value);
  }
}
