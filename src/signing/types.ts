import { inspect } from 'node:util';

/** The words of area B that its rooms and the router share. */

export type PartyRole = 'server' | 'user' | 'delegate';
export type PartyStatus = 'active' | 'suspended' | 'revoked';

/** The kinds of holders of a share; `delegate` is `ShareTypeDelegate` of the contract. */
export type ShareType = 'server' | 'user' | 'backup' | 'delegate';
export const ShareTypeDelegate = 'delegate' satisfies ShareType;

export type EncryptionSuite = 'HPKE-X25519-SHA256-AES256GCM' | 'RSA-OAEP-SHA256-AES256GCM';
export type KeyType = 'secp256k1' | 'ed25519' | 'p256';

export type SessionState =
  | 'created'
  | 'awaiting_parties'
  | 'in_progress'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelled';

/** A state that a session never leaves. */
export type TerminalState = Extract<SessionState, 'completed' | 'failed' | 'expired' | 'cancelled'>;

const TERMINAL: ReadonlySet<SessionState> = new Set(['completed', 'failed', 'expired', 'cancelled']);

export const isTerminal = (state: SessionState): state is TerminalState => TERMINAL.has(state);

export type FailureReason =
  | 'party_aborted'
  | 'party_timeout'
  | 'invalid_signature'
  | 'share_unusable'
  | 'equivocation'
  | 'policy_denied'
  | 'internal';

/** A signature over a request for a session. */
export interface RequestSignature {
  readonly keyId: string;
  readonly algorithm: RequestAlgorithm;
  /** Lower-case hexadecimal. */
  readonly signature: string;
}

export type RequestAlgorithm = 'ed25519' | 'ecdsa-p256';

/** Who chose the parties of a session: the signing configuration, the rule that takes all active parties, or its creator. */
export type PartySource = 'configured' | 'all_active' | 'requested';

// A value that must not leak: in logs, errors, traces and JSON it appears as `[redacted]`.

const REDACTED = '[redacted]';

export interface Secret<T> {
  /** Returns the value. Review every call. */
  reveal(): T;
  toString(): string;
  toJSON(): string;
}

/** Wraps a value in a closure, where the enumeration of members cannot find it. */
export function secret<T>(value: T): Secret<T> {
  const wrapped = {
    reveal: () => value,
    toString: () => REDACTED,
    toJSON: () => REDACTED,
    [inspect.custom]: () => REDACTED,
  };
  return Object.freeze(wrapped);
}
