/**
 * What signing gives to and wants from others: sessions and parties for the router, notifications from their area.
 * The composition root connects them.
 */
import type { DatabaseTask } from '../postgres/database.js';
import type { Secret } from './shares/secret.js';
import type { FailureReason, SessionState, TerminalState } from './sessions/session-machine.js';

export { isTerminal } from './sessions/session-machine.js';
export type { FailureReason, SessionState, TerminalState };

export type PartyRole = 'server' | 'user' | 'delegate';
export type PartyStatus = 'active' | 'suspended' | 'revoked';
/** The kinds of holders of a share; `delegate` is `ShareTypeDelegate` of the contract. */
export type ShareType = 'server' | 'user' | 'backup' | 'delegate';
export const ShareTypeDelegate = 'delegate' satisfies ShareType;
export type EncryptionSuite = 'HPKE-X25519-SHA256-AES256GCM' | 'RSA-OAEP-SHA256-AES256GCM';
export type KeyType = 'secp256k1' | 'ed25519' | 'p256';

/** A party, as every call of the router is made by one. */
export interface PartyIdentity {
  readonly tenantId: string;
  readonly partyId: string;
  readonly role: PartyRole;
  readonly status: PartyStatus;
  /** 32 bytes of a raw Ed25519 key, or a SubjectPublicKeyInfo in DER. */
  readonly identityPublicKey: Buffer;
  /** SHA-256 of the SubjectPublicKeyInfo of the certificate that the party was recognised by; null: by a token. */
  readonly certificateSha256: Buffer | null;
}

/** A key that a delegate wants shares to be encrypted to. */
export interface PartyEncryptionKey {
  readonly keyId: string;
  readonly suite: EncryptionSuite;
  readonly publicKey: Buffer;
  /** Handed out to one claimer, and burnt by the session that uses it. */
  readonly oneTime: boolean;
  readonly notAfter: Date | null;
  /** By the party's identity key over `encryptionKeyStatement` of these members. */
  readonly signature: Buffer;
}

/** Why a party that was recognised before is recognised no more. */
export type PartyChange =
  /** It is suspended or revoked. */
  | 'not-active'
  /** Its certificate or its identity key is another one now. */
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
  /** Those of the sessions that have ended. Sessions that the database does not have are not among them. */
  ended(sessionIds: readonly string[]): Promise<readonly string[]>;
}

export interface PartyRegistry {
  /** The party whose certificate has this SHA-256 of its SubjectPublicKeyInfo; null for nobody's. Suspended ones too. */
  byCertificate(sha256: Buffer): Promise<PartyIdentity | null>;
  /** @throws PartyRefused when the party is no longer what it was recognised as */
  refuseChanged(party: PartyIdentity): Promise<void>;
  /** For tokens of development, which name their party. */
  byName(tenantId: string, partyId: string): Promise<PartyIdentity | null>;
  /**
   * Notes that an instance of the party runs, and its keys. A key id that is known stays as it is.
   * @throws InvalidPartyKey when a key's signature or size is wrong; then none is stored
   */
  register(party: PartyIdentity, instanceId: string, keys: readonly PartyEncryptionKey[]): Promise<void>;
  /** As `register`, and tells how many unclaimed one-time keys are left. */
  heartbeat(
    party: PartyIdentity,
    instanceId: string,
    keys: readonly PartyEncryptionKey[],
  ): Promise<{ readonly oneTimeKeysLeft: number }>;
}

/** A key that a party offered cannot be accepted. */
export class InvalidPartyKey extends Error {
  override readonly name = 'InvalidPartyKey';
}

export interface SessionParticipant {
  readonly partyId: string;
  readonly shareIndex: number;
  readonly shareType: ShareType;
  readonly joinedAt: Date | null;
}

/** A session as its parties see it. */
export interface PartySession {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly accountId: string;
  /** An overdue session is expired, whether or not that was noted yet. */
  readonly state: SessionState;
  readonly threshold: number;
  readonly participants: readonly SessionParticipant[];
  readonly protocol: string;
  readonly messageDigest: Buffer;
  readonly publicKey: Buffer | null;
  readonly derivationPath: readonly number[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly signature: Buffer | null;
  readonly failureReason: FailureReason | null;
}

/** The user's encrypted share. Its secret members go to the delegate's own stream, and nowhere else. */
export interface DelegateUserShare {
  readonly delegatePartyId: string;
  readonly recipientKeyId: string;
  readonly suite: EncryptionSuite;
  readonly encapsulatedKey: Secret<Buffer>;
  readonly ciphertext: Secret<Buffer>;
  /** Only with the RSA suite. */
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
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelled';

/** One event as a party gets it. */
export interface PartySessionEvent {
  /** Opaque; resumes the stream after this event. Some events before it may then come again: tell them by session and sequence. */
  readonly eventId: string;
  /** Position in the session, from 1 without gaps. */
  readonly sequence: number;
  readonly type: SessionEventType;
  /** The session with the state that this event led to. */
  readonly session: PartySession;
  readonly occurredAt: Date;
  /** The party it is about, where there is one. */
  readonly partyId: string | null;
  /** Only towards the delegate itself, with the event of the supply, while the session is open and the share not acknowledged. */
  readonly delegateUserShare: DelegateUserShare | null;
}

export type PartyResult =
  | { readonly kind: 'signature'; readonly signature: Buffer }
  | {
      readonly kind: 'abort';
      readonly reason: FailureReason;
      readonly culpritPartyIds: readonly string[];
      /** Shown to operators; cut after 500 characters. */
      readonly detail: string;
    };

/** What a party has signed with its identity key. */
export interface SignedStatement {
  readonly statement: Buffer;
  readonly signature: Buffer;
}

/** Why a party is refused. The router says it with a status of gRPC. */
export type PartyRefusal =
  /** Unknown, of another tenant, or the party takes no part in it: nobody learns which. */
  | { readonly kind: 'not-found' }
  | { readonly kind: 'terminal'; readonly state: TerminalState }
  | { readonly kind: 'wrong-state'; readonly state: SessionState }
  /** The party is suspended or revoked. */
  | { readonly kind: 'party-not-active' }
  /** The certificate or the identity key that the party was recognised by is the party's no more. */
  | { readonly kind: 'party-unknown' };

/** A party's call was refused. */
export class PartyRefused extends Error {
  override readonly name = 'PartyRefused';
  readonly refusal: PartyRefusal;

  constructor(refusal: PartyRefusal) {
    super(`refused: ${refusal.kind}`);
    this.refusal = refusal;
  }
}

/** Sessions for the router. Every function may throw PartyRefused, and the database's errors. */
export interface SigningSessions {
  session(party: PartyIdentity, sessionId: string): Promise<PartySession>;
  /** Joining again is no error. The last one to join starts the session, if the share it needs is there. */
  join(party: PartyIdentity, sessionId: string, instanceId: string): Promise<PartySession>;
  /** The same result again is no error. */
  reportResult(party: PartyIdentity, sessionId: string, result: PartyResult): Promise<PartySession>;
  /** The party signed two messages under one number or identifier: the session fails, and the proof is kept. */
  equivocation(
    party: PartyIdentity,
    sessionId: string,
    first: SignedStatement,
    second: SignedStatement,
  ): Promise<PartySession>;
  /**
   * The delegate has its share and needs it no more, so it is erased here. To be called at the delegate's first
   * AckMessages of the session; without it the share is erased when the session ends.
   */
  acknowledgeShare(party: PartyIdentity, sessionId: string): Promise<void>;
  /**
   * The events of all sessions that the party takes part in, in the order of each session: from every open session's
   * first event on, or after `afterEventId`. Ends when the signal is aborted.
   * @throws InvalidEventId
   */
  subscribe(
    party: PartyIdentity,
    afterEventId: string | null,
    signal: AbortSignal,
  ): AsyncIterable<PartySessionEvent>;
}

/** Not one that was handed out. */
export class InvalidEventId extends Error {
  override readonly name = 'InvalidEventId';
}

export interface SigningNotification {
  readonly tenantId: string;
  readonly userIds: readonly string[];
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

/** The area of notifications, as far as signing uses it. */
export interface NotificationPort {
  /** Part of the caller's transaction: nobody is told of what did not happen. */
  publish(transaction: DatabaseTask, draft: SigningNotification): Promise<unknown>;
  /** After that transaction was committed. */
  wake(): void;
}
