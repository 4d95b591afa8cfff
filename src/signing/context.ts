/** The dependencies that the rooms of area B share. */
import type { AccountId, PartyId, SessionId, TenantId } from '../base/identifiers.js';
import type { Observe } from '../observability/observation.js';
import type { Database, DatabaseTask } from '../postgres/database.js';
import type { NotificationPort } from './router-port.js';

/** A session with new events, and the parties that receive them. */
export interface ChangedSession {
  readonly sessionId: SessionId;
  readonly tenantId: TenantId;
  readonly participants: readonly { readonly partyId: PartyId }[];
}

export interface SigningContext {
  /** Connects as a login role that is a member of `dbr_signing_service` and `dbr_signing_sweeper`. */
  readonly database: Database;
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
  /** Ends the open sessions of a revoked party, as part of the transaction. Returns the sessions, for `written`. */
  readonly endSessionsOfParty: EndSessions<PartyId>;
}

type EndSessions<Id> = (transaction: DatabaseTask, id: Id) => Promise<readonly ChangedSession[]>;
