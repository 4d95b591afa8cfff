/**
 * The ports of area B: what it offers the router (sessions and the registry of parties) and what it needs from the area of
 * notifications. The composition root connects them.
 */
import type { Gone } from '../base/gone.js';
import type { AccountId, PartyId, SessionId, TenantId, UserId } from '../base/identifiers.js';
import type { DatabaseTask } from '../postgres/transaction.js';
import type {
  Secret,
  EncryptionSuite,
  FailureReason,
  PartyRole,
  PartySource,
  PartyStatus,
  RequestSignature,
  SessionState,
  ShareType,
  TerminalState,
} from './types.js';
import { sql, type Sql } from '../postgres/sql.js';

export { asSweeper } from './transaction.js';
export { isTerminal } from './types.js';
export type * from './types.js';

/** The party that makes a call of the router. */
export interface PartyIdentity {
  readonly tenantId: TenantId;
  readonly partyId: PartyId;
  readonly role: PartyRole;
  readonly status: PartyStatus;
  /** A raw Ed25519 key of 32 bytes, or a SubjectPublicKeyInfo in DER. */
  readonly identityPublicKey: Buffer;
  /** The identity key of before, while it is accepted too; null or absent without one. */
  readonly formerIdentityKey?: Buffer | null;
  /** SHA-256 of the SubjectPublicKeyInfo of the certificate that identified the party; null if a token identified it. */
  readonly certificateSha256: Buffer | null;
}

/** A public key that a delegate offers for the encryption of user shares. */
export interface PartyEncryptionKey {
  readonly keyId: string;
  readonly suite: EncryptionSuite;
  readonly publicKey: Buffer;
  /** True: one user claims the key, and the session that uses it burns it. */
  readonly oneTime: boolean;
  readonly notAfter: Date | null;
  /** Made with the party's identity key over `encryptionKeyStatement` of the other members. */
  readonly signature: Buffer;
}

/** Why the identity of a party that was valid before is not valid now. */
export type PartyChange =
  /** The party is suspended or revoked. */
  | 'not-active'
  /** The party has another certificate or another identity key. */
  | 'unknown';

/** @throws PartyRefused when the party is no longer the one that was identified */
export function refuseChanged(change: PartyChange | null): void {
  if (change === null) return;
  throw new PartyRefused({ kind: change === 'not-active' ? 'party-not-active' : 'party-unknown' });
}

export interface PartyWatch {
  /** Calls back once, when the party has changed. Returns a function that stops watching. */
  watch(party: PartyIdentity, onChange: (change: PartyChange) => void): () => void;
}

export interface SessionEnds {
  /** Calls back once, when the session has ended. Returns a function that stops watching. */
  watch(sessionId: string, onEnd: (state: TerminalState) => void): () => void;
  /** Returns the ids of those sessions that have ended; unknown ids are left out. */
  ended(sessionIds: readonly string[]): Promise<readonly string[]>;
}

export interface PartyRegistry {
  /** Finds a party, active or not, by the SHA-256 of its certificate's SubjectPublicKeyInfo; null if no party has it. */
  byCertificate(sha256: Buffer): Promise<PartyIdentity | null>;
  /** @throws PartyRefused if the party is not active, or its certificate or identity key has changed */
  refuseChanged(party: PartyIdentity): Promise<void>;
  /** Finds a party by name, for tokens of development. Null if there is none. */
  byName(tenantId: TenantId, partyId: PartyId): Promise<PartyIdentity | null>;
  /**
   * Records that an instance of the party runs and stores the keys it offers. A key whose id is stored already stays unchanged.
   * @throws InvalidPartyKey if the signature or size of a key is wrong; no key is stored then
   */
  register(party: PartyIdentity, instanceId: string, keys: readonly PartyEncryptionKey[]): Promise<void>;
  /** Does the same as `register`. Returns the number of one-time keys that no user has claimed. */
  heartbeat(
    party: PartyIdentity,
    instanceId: string,
    keys: readonly PartyEncryptionKey[],
  ): Promise<{ readonly oneTimeKeysLeft: number }>;
}

/** A key that a party offers is refused. */
export class InvalidPartyKey extends Error {
  override readonly name = 'InvalidPartyKey';
}

export interface SessionParticipant {
  readonly partyId: PartyId;
  readonly shareIndex: number;
  readonly shareType: ShareType;
  /** RFC 3339. */
  readonly joinedAt: string | null;
}

/** A session as its parties see it. */
export interface PartySession {
  readonly sessionId: SessionId;
  readonly tenantId: TenantId;
  readonly accountId: AccountId;
  /** `expired` as soon as the time of the session is over, even if the sweeper has not recorded it yet. */
  readonly state: SessionState;
  readonly threshold: number;
  readonly participants: readonly SessionParticipant[];
  readonly protocol: string;
  /** The digest to sign or, of a session with a message, its SHA-256. */
  readonly messageDigest: Buffer;
  readonly hasMessage: boolean;
  readonly publicKey: Buffer | null;
  readonly derivationPath: readonly number[];
  /** RFC 3339. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly signature: Buffer | null;
  /** Of a signature by ECDSA on secp256k1 that was verified; otherwise null. */
  readonly recoveryId: number | null;
  readonly failureReason: FailureReason | null;
  /** Of an expired session, the parties that it waited for; otherwise empty. */
  readonly missingParties: readonly PartyId[];
  readonly createdBy: UserId;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What the creator asks for; null without a signed request. */
  readonly request: Buffer | null;
  /** Signatures over the request, by different keys; null without a request. */
  readonly requestSignatures: readonly RequestSignature[] | null;
  /** null for a session that signs. */
  readonly ceremony: CertifiedCeremony | null;
  readonly partySource: PartySource;
  /** The session that this one replaces, and the one that replaces it; null for none. */
  readonly replaces: SessionId | null;
  readonly replacedBy: SessionId | null;
  /** Of an expired session with missing parties, since when it waited for them (RFC 3339); otherwise null. */
  readonly missingSince: string | null;
}

export interface Holder {
  readonly partyId: PartyId;
  readonly shareIndex: number;
  readonly shareType: ShareType;
  /** Lower-case hexadecimal; the key that was registered when the ceremony was created. */
  readonly identityPublicKey: string;
}

/** The holders of a key, and how many of them sign together. */
export interface Holding {
  readonly threshold: number;
  readonly holders: readonly Holder[];
}

export type CeremonyKind = 'keygen' | 'reshare';

export interface CeremonyPlan {
  readonly kind: CeremonyKind;
  /** Those of the present holders who deal; null where there is no key yet. */
  readonly before: Holding | null;
  readonly after: Holding;
}

/** The result of a ceremony, which every participant reports. */
export interface CeremonyResult {
  /** Raw Ed25519. */
  readonly publicKey: Buffer;
  /** The SHA-256 of what the dealers sent to all. */
  readonly transcriptSha256: Buffer;
  /** Of `certificateStatement`, by the identity key. */
  readonly signature: Buffer;
}

/** A ceremony as it is stored. The result is that of the first report; null before it. Lower-case hexadecimal. */
export interface Ceremony extends CeremonyPlan {
  readonly publicKey: string | null;
  readonly transcriptSha256: string | null;
}

/** A ceremony with the signatures of its participants over the result, in hexadecimal; null until it is completed. */
export interface CertifiedCeremony extends Ceremony {
  readonly certificate: readonly { readonly partyId: PartyId; readonly signature: string }[] | null;
}

/** The user's encrypted share. Its secret members are sent on the delegate's own stream alone. */
export interface DelegateUserShare {
  readonly delegatePartyId: PartyId;
  readonly recipientKeyId: string;
  readonly suite: EncryptionSuite;
  readonly encapsulatedKey: Secret<Buffer>;
  readonly ciphertext: Secret<Buffer>;
  /** Present with the RSA suite alone. */
  readonly nonce: Secret<Buffer> | null;
  readonly aadSha256: Buffer;
  readonly expiresAt: Date;
}

export type SessionEventType =
  | 'created'
  | 'party-joined'
  | 'delegate-share-supplied'
  | 'started'
  | 'party-reported'
  | 'party-keys-changed'
  | 'approved'
  | 'party-keys-proposed'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelled';

/** One event as a party receives it. */
export interface PartySessionEvent {
  /** Opaque; resumes the stream after this event. Earlier events may be repeated: identify them by session and sequence. */
  readonly eventId: string;
  /** Position in the session: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  readonly type: SessionEventType;
  /** The session, in the state after this event. */
  readonly session: PartySession;
  readonly occurredAt: Date;
  /** The party that caused the event; null if no party did. */
  readonly partyId: PartyId | null;
  /** Sent to the delegate alone, with the event of the supply, until the share is acknowledged or the session ends. */
  readonly delegateUserShare: DelegateUserShare | null;
}

export type PartyResult =
  | { readonly kind: 'signature'; readonly signature: Buffer }
  | ({ readonly kind: 'certificate' } & CeremonyResult)
  | {
      readonly kind: 'abort';
      readonly reason: FailureReason;
      readonly culpritPartyIds: readonly string[];
      /** Shown to operators; truncated to 500 characters. */
      readonly detail: string;
    };

/** What a party reports is not a result of this session: not a signature of its protocol, or not of its kind. Nothing is recorded. */
export class InvalidSignatureForm extends Error {
  override readonly name = 'InvalidSignatureForm';
}

/** A statement that a party signed with its identity key. */
export interface SignedStatement {
  readonly statement: Buffer;
  readonly signature: Buffer;
}

/** Why a party's call is refused. The router maps each kind to a gRPC status. */
export type PartyRefusal =
  /** The session does not exist, belongs to another tenant, or does not include the party. The three are indistinguishable. */
  | { readonly kind: 'not-found' }
  | { readonly kind: 'terminal'; readonly state: TerminalState }
  | { readonly kind: 'wrong-state'; readonly state: SessionState }
  /** The party is suspended or revoked. */
  | { readonly kind: 'party-not-active' }
  /** The certificate or the identity key that identified the party is no longer its own. */
  | { readonly kind: 'party-unknown' };

/** A party's call is refused. */
export class PartyRefused extends Error {
  override readonly name = 'PartyRefused';
  readonly refusal: PartyRefusal;

  constructor(refusal: PartyRefusal) {
    super(`refused: ${refusal.kind}`);
    this.refusal = refusal;
  }
}

/** Sessions for the router. Every function may throw PartyRefused and the errors of the database. */
export interface SigningSessions {
  session(party: PartyIdentity, sessionId: string): Promise<PartySession>;
  /** The message of a session of the party; null if it has none, or the session was removed. */
  message(party: PartyIdentity, sessionId: SessionId): Promise<Buffer | null>;
  /** Joins the party; joining again is not an error. The session starts when the last party joins and the share it needs is supplied. */
  join(party: PartyIdentity, sessionId: string, instanceId: string): Promise<PartySession>;
  /**
   * Records the result of the party; the same result again is not an error.
   * @throws InvalidSignatureForm
   */
  reportResult(party: PartyIdentity, sessionId: string, result: PartyResult): Promise<PartySession>;
  /** Fails the session because the party signed two messages under one number or identifier, and stores the proof. */
  equivocation(
    party: PartyIdentity,
    sessionId: string,
    first: SignedStatement,
    second: SignedStatement,
  ): Promise<PartySession>;
  /**
   * Erases the user's share, because the delegate has received it. The router calls it at the delegate's first AckMessages of
   * the session; without it the share is erased when the session ends.
   */
  acknowledgeShare(party: PartyIdentity, sessionId: string): Promise<void>;
  /**
   * Streams the identifiers of the party's sessions in progress, oldest first: once at the beginning, and after each change
   * of a session of the party. Ends when the signal is aborted.
   * @param limit most identifiers of one list
   */
  inProgress(party: PartyIdentity, limit: number, signal: Gone): AsyncIterable<readonly SessionId[]>;
  /**
   * Streams the events of all sessions of the party, ordered within each session: from the first event of every open session,
   * or after `afterEventId`. Ends when the signal is aborted.
   * @throws InvalidEventId
   */
  subscribe(
    party: PartyIdentity,
    afterEventId: string | null,
    signal: Gone,
  ): AsyncIterable<PartySessionEvent>;
}

export interface RouterPorts {
  readonly sessions: SigningSessions;
  readonly parties: PartyRegistry;
  readonly ends: SessionEnds;
  /** Changes of status, certificate or identity key. */
  readonly watch: PartyWatch;
}

/** The event id was not issued by this service. */
export class InvalidEventId extends Error {
  override readonly name = 'InvalidEventId';
}

export interface SigningNotification {
  readonly tenantId: TenantId;
  readonly userIds: readonly UserId[];
  readonly type: string;
  readonly title: string;
  readonly category: string;
  readonly severity: 'info' | 'success' | 'warning' | 'critical';
  readonly body: string | null;
  /** JSON text. */
  readonly data: string;
  readonly actor: string | null;
  readonly actionUrl: string | null;
  readonly groupKey: string | null;
  readonly dedupeKey: string | null;
  readonly expiresAt: string | null;
}

/** The part of the area of notifications that signing uses. */
export interface NotificationPort {
  /** Writes the notification as part of the caller's transaction, so that it exists only if the transaction commits. */
  publish(transaction: DatabaseTask, draft: SigningNotification): Promise<unknown>;
  /** Called after that transaction commits: live streams read at once. */
  wake(): void;
}

/**
 * `PartyChange` of a row of `dbr_signing.parties`, as SQL; null where nothing has changed.
 * @param row name of the row
 * @param key the identity key that the party was identified with, as SQL
 * @param certificate the hash of its certificate or null, as SQL
 */
export const partyChangeSql = (row: Sql, key: Sql, certificate: Sql): Sql => sql`case
    when ${row}.status <> 'active' then 'not-active'
    when ${row}.identity_public_key <> ${key}
      and (${row}.former_identity_public_key = ${key} and ${row}.former_until > pg_catalog.now()) is not true then 'unknown'
    when ${certificate} is not null and ${row}.certificate_sha256 is distinct from ${certificate}
      and (${row}.former_certificate_sha256 = ${certificate} and ${row}.former_until > pg_catalog.now()) is not true
      then 'unknown'
  end`;
