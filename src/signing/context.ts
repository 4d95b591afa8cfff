/** The dependencies that the rooms of area B share. */
import { type Gone, whenGone } from '../base/gone.js';
import type { AccountId, PartyId, SessionId, TenantId, UserId } from '../base/identifiers.js';
import type { Principal } from '../contract/principal.js';
import { dbrError } from '../errors/dbr-error.js';
import type { Observe } from '../observability/observation.js';
import type { Leave, OpenCount } from '../operations/limits.js';
import type { Pool } from '../postgres/pool.js';
import type { DatabaseTask } from '../postgres/transaction.js';
import type { NotificationPort, PartyIdentity } from './router-port.js';

/** A session with new events, and the parties that receive them. */
export interface ChangedSession {
  readonly sessionId: SessionId;
  readonly tenantId: TenantId;
  readonly participants: readonly { readonly partyId: PartyId }[];
}

export interface SigningContext {
  /** Connects as a login role that is a member of `dbr_signing_service` and `dbr_signing_sweeper`. */
  readonly pool: Pool;
  /** null if the area of notifications does not run. */
  readonly notifications: NotificationPort | null;
  /** How long the parties of a new session have to join, in seconds. */
  readonly readySeconds: number;
  readonly observe: Observe;
  /** Reports new events of these sessions to every process. Called after the commit of their transaction. */
  readonly written: (sessions: readonly ChangedSession[]) => void;
  /**
   * Ends the open sessions of an account that is no longer active, as part of the transaction. Returns the sessions, for
   * `written`.
   */
  readonly endSessionsOfAccount: EndSessions<AccountId>;
  /** Ends the open sessions of a party that is no longer active, as part of the transaction. Returns the sessions, for `written`. */
  readonly endSessionsOfParty: EndSessions<PartyId>;
  /** Reports other keys of a party to its open sessions, as part of the transaction. Returns the sessions, for `written`. */
  readonly reportKeysToSessions: (
    transaction: DatabaseTask,
    event: 'party-keys-changed' | 'party-keys-proposed',
    party: Pick<PartyIdentity, 'partyId' | 'identityPublicKey' | 'certificateSha256'>,
  ) => Promise<readonly ChangedSession[]>;
}

type EndSessions<Id> = (transaction: DatabaseTask, id: Id) => Promise<readonly ChangedSession[]>;

// Members of the notifications of area B.

/** A title has at most 200 characters, and so has the name of an account. */
const MAX_NAME = 80;
const MAX_ACTOR_ID = 200;

/** The name of an account for a title. */
export const shortName = (name: string): string =>
  name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;

/** The user as the actor of a notification, as JSON text; null for identifiers that are longer than those of actors. */
export const actorText = (userId: UserId): string | null =>
  userId.length > MAX_ACTOR_ID ? null : JSON.stringify({ type: 'user', id: userId, name: null });

// Streams that users have open.

/**
 * Counts a stream of a user until it is aborted or the returned function is called.
 * @param limit most streams of the user, for the error
 * @throws DbrError TooManyStreams
 */
export async function enterStream(
  count: OpenCount,
  limit: number,
  { tenantId, userId, signal }: UserStream,
): Promise<Leave> {
  const leave = await count.enter(JSON.stringify([tenantId, userId]));
  if (leave === null) throw dbrError('TooManyStreams', { limit }, { headers: { 'Retry-After': '5' } });
  // The generator never begins, and its `finally` never runs, if the client disconnects before the first read.
  whenGone(signal, leave);
  return leave;
}

/** A stream that ends with its client or with the token of the client. */
export interface UserStream extends Pick<Principal, 'tenantId' | 'userId' | 'expiresAt'> {
  /** Aborted when the client disconnects. */
  readonly signal: Gone;
}
