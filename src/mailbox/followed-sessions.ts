/**
 * Sessions whose logs this process follows. Each change is decided on the entries so far and written right after them; if
 * another process was faster, its entries are applied and the change is decided again. So processes agree without locks.
 */
import {
  isTerminal,
  PartyRefused,
  type PartyIdentity,
  type PartySession,
  type SessionEnds,
  type SessionState,
  type SigningSessions,
} from '../signing/router-port.js';
import { createSessionMailboxes, type LogEntry, type SessionMailboxes } from './session-mailboxes.js';

export interface FollowedSession {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly mailboxes: SessionMailboxes;
  /** A session that was in progress stays so until it ends. */
  started: boolean;
  /** The position of the last entry that was applied. */
  position: number;
  /** The entries of the time before this process followed the session were applied. */
  caughtUp: boolean;
  /** Ends with the last change that was begun: changes of a session run one after another. */
  turn: Promise<unknown>;
}

/** A change as it is decided on the present mailboxes: its outcome, and the entry to write first. */
export interface Change<Outcome> {
  readonly outcome: Outcome;
  readonly entry: LogEntry | null;
  /** Of the messages of the entry, in order. */
  readonly payloads?: readonly Buffer[];
}

/** The position of the entry written; `taken` after entries of other processes were applied; `ended` if the session has ended. */
export type Written = number | 'taken' | 'ended';

export interface SessionLogAccess {
  /** Applies the entries that this process has not applied. */
  readonly catchUp: (session: FollowedSession) => Promise<void>;
  readonly write: (session: FollowedSession, change: Change<unknown>, entry: LogEntry) => Promise<Written>;
  readonly onFollow: (session: FollowedSession) => void;
  readonly onWritten: (session: FollowedSession, entry: LogEntry) => void;
  readonly onEnd: (session: FollowedSession) => void;
}

export type Found =
  | { readonly kind: 'found'; readonly session: FollowedSession }
  | { readonly kind: 'not-found' }
  /** The session has ended. */
  | { readonly kind: 'wrong-state'; readonly state: SessionState };

export interface FollowedSessions {
  get(sessionId: string): FollowedSession | undefined;
  find(party: PartyIdentity, sessionId: string): Promise<Found>;
  /** As `find`, for a session whose parties may send. */
  findStarted(party: PartyIdentity, sessionId: string): Promise<Found>;
  /** Decides a change and writes it. Null when the session has ended. */
  change<Outcome>(
    session: FollowedSession,
    decide: (mailboxes: SessionMailboxes) => Promise<Change<Outcome>> | Change<Outcome>,
  ): Promise<Outcome | null>;
}

export function createFollowedSessions(
  sessions: Pick<SigningSessions, 'session'>,
  ends: SessionEnds,
  access: SessionLogAccess,
): FollowedSessions {
  const followed = new Map<string, FollowedSession>();

  async function find(party: PartyIdentity, sessionId: string): Promise<Found> {
    const known = followed.get(sessionId);
    if (known !== undefined) return foundFor(party, known);
    const session = await sessionOf(sessions, party, sessionId);
    if (session === null) return { kind: 'not-found' };
    if (isTerminal(session.state)) return { kind: 'wrong-state', state: session.state };
    return { kind: 'found', session: followed.get(sessionId) ?? follow(session) };
  }

  function follow({ sessionId, tenantId, participants }: PartySession): FollowedSession {
    const session: FollowedSession = {
      sessionId,
      tenantId,
      mailboxes: createSessionMailboxes(participants.map(({ partyId }) => partyId)),
      started: false,
      position: 0,
      caughtUp: false,
      turn: Promise.resolve(),
    };
    followed.set(sessionId, session);
    access.onFollow(session);
    ends.watch(sessionId, () => {
      followed.delete(sessionId);
      access.onEnd(session);
    });
    return session;
  }

  return {
    get: (sessionId) => followed.get(sessionId),
    find,
    async findStarted(party, sessionId) {
      const found = await find(party, sessionId);
      if (found.kind !== 'found' || found.session.started) return found;
      const session = await sessionOf(sessions, party, sessionId);
      if (session === null) return { kind: 'not-found' };
      if (session.state !== 'in_progress') return { kind: 'wrong-state', state: session.state };
      found.session.started = true;
      return found;
    },
    change(session, decide) {
      const turn = session.turn.then(() => decideAndWrite(session, decide, access));
      session.turn = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** Another tenant may have a party of the same name. */
const foundFor = ({ tenantId, partyId }: PartyIdentity, session: FollowedSession): Found =>
  session.tenantId === tenantId && session.mailboxes.marks(partyId) !== null
    ? { kind: 'found', session }
    : { kind: 'not-found' };

async function decideAndWrite<Outcome>(
  session: FollowedSession,
  decide: (mailboxes: SessionMailboxes) => Promise<Change<Outcome>> | Change<Outcome>,
  access: SessionLogAccess,
): Promise<Outcome | null> {
  if (!session.caughtUp) await access.catchUp(session);
  for (;;) {
    const change = await decide(session.mailboxes);
    const { outcome, entry } = change;
    if (entry === null) {
      const { position } = session;
      await access.catchUp(session);
      // What is refused, or known already, is so by all that was written.
      if (position === session.position) return outcome;
      continue;
    }
    const written = await access.write(session, change, entry);
    if (written === 'ended') return null;
    if (written === 'taken') continue;
    applyEntry(session, written, entry);
    access.onWritten(session, entry);
    return outcome;
  }
}

/** Applies an entry once, whether it was written or read first. */
export function applyEntry(session: FollowedSession, position: number, entry: LogEntry): void {
  if (position <= session.position) return;
  session.mailboxes.apply(entry);
  session.position = position;
}

/** Null for a session that the party does not take part in. */
export async function sessionOf(
  sessions: Pick<SigningSessions, 'session'>,
  party: PartyIdentity,
  sessionId: string,
): Promise<PartySession | null> {
  try {
    return await sessions.session(party, sessionId);
  } catch (error) {
    if (error instanceof PartyRefused && error.refusal.kind === 'not-found') return null;
    throw error;
  }
}
