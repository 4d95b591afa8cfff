/** A request as a plan: what is sent, what the answer must be, and what it leaves in the database. */
import { tokenOf, type Claims } from './database.js';
import type { Answer, Wire } from './http-client.js';
import type { Random } from './random.js';

/** The effect of a write, which the auditor finds in the database. */
export type Effect =
  | { readonly kind: 'marks'; readonly marks: readonly string[] }
  | { readonly kind: 'order'; readonly mark: string; readonly lines: number }
  | { readonly kind: 'count'; readonly by: number }
  /** Gives the note a value; null deletes it. */
  | { readonly kind: 'note'; readonly key: string; readonly value: number | null }
  /** To these users, or to all of the tenant. */
  | { readonly kind: 'notify'; readonly title: string; readonly readers: readonly string[] | null }
  /** Marks these notifications as read, or all. */
  | { readonly kind: 'mark'; readonly titles: readonly string[] | null }
  /** Sets the signing parties of an account, or clears them: null. */
  | { readonly kind: 'config'; readonly accountId: string; readonly parties: readonly string[] | null }
  | {
      readonly kind: 'session';
      readonly accountId: string;
      readonly mark: string;
      readonly hasShare: boolean;
    }
  | { readonly kind: 'cancel'; readonly sessionId: string }
  /** Registers the receiver at a port; null for all types of events. */
  | { readonly kind: 'webhook'; readonly port: number; readonly eventTypes: readonly string[] | null }
  | {
      readonly kind: 'webhook-change';
      readonly port: number;
      readonly change: 'on' | 'off' | 'deleted' | 'rotated' | 'replayed';
    }
  | { readonly kind: 'share'; readonly sessionId: string };

/** What an answer says of area B or of a webhook, which the auditor compares with what is left. */
export type Shown =
  | { readonly kind: 'config'; readonly accountId: string; readonly parties: readonly string[] | null }
  | { readonly kind: 'sessions'; readonly sessions: readonly ShownSession[] }
  /** `mark`: of the operation that created the session. */
  | { readonly kind: 'created'; readonly mark: string; readonly session: ShownSession }
  | { readonly kind: 'events'; readonly sessionId: string; readonly events: readonly ShownEvent[] }
  | { readonly kind: 'key'; readonly keyId: string; readonly isOneTime: boolean }
  /** Of the webhook whose receiver has the port. */
  | { readonly kind: 'secret'; readonly port: number; readonly secret: string };

export interface ShownSession {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly accountId: string;
  readonly createdBy: string;
  readonly state: string;
  readonly stateVersion: number;
  readonly participants: readonly { readonly partyId: string; readonly shareType: string }[];
  readonly messageDigest: string;
  readonly derivationPath: readonly number[];
  readonly delegateUserShare: object | null;
}

export interface ShownEvent {
  readonly sequence: number;
  readonly type: string;
  readonly state: string;
}

export interface PlannedRequest {
  readonly wire: Wire;
  /** Returns what is wrong with a whole answer of the expected status; null if nothing is. */
  readonly check: (answer: Answer) => string | null;
  readonly statuses: readonly number[];
  readonly effect?: Effect;
  /** It may be repeated with its key: the repetition has the same answer, or only the same effect. */
  readonly isKeyed?: 'answer' | 'effect';
  /** What the client does with the answer. */
  readonly next?: (answer: Answer) => PlannedRequest | null;
  readonly shows?: (answer: Answer) => Shown | null;
  /** Returns the path of a stream of events that the client follows from now on, until the last event. */
  readonly follows?: (answer: Answer) => string | null;
}

export interface Context {
  readonly random: Random;
  readonly claims: Claims;
  /** Other users of the tenant. */
  readonly peers: readonly string[];
  /** Unique in the schedule. */
  readonly mark: string;
  /** Each client uses the same keys. */
  readonly key: string;
  readonly signing: SigningContext;
  /** The port of the receiver that the operation registers, if it does. */
  readonly receiver: number;
}

/** What a client knows of accounts and sessions. */
export interface SigningContext {
  /** The session that the operation creates, if it chooses its identifier. */
  readonly sessionId: string;
  readonly accountId: string;
  /** Accounts of other users of the tenant. */
  readonly peerAccounts: readonly string[];
  /** Whether the token allows sessions of other accounts of the tenant. */
  readonly signsForPeers: boolean;
  /** Accounts and sessions that the client must not see. */
  readonly foreignAccounts: readonly string[];
  readonly foreignSessions: readonly string[];
  /** Time of the service, in milliseconds since the epoch. */
  readonly now: number;
}

export type Plan = (context: Context) => PlannedRequest;

export const bearer = ({ claims }: Pick<Context, 'claims'>): Record<string, string> => ({
  Authorization: `Bearer ${tokenOf(claims)}`,
});

export const json = (
  context: Context,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  ...bearer(context),
  'Content-Type': 'application/json',
  ...more,
});
