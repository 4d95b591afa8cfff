/**
 * Sessions whose logs this process follows. Each change is decided on the entries so far and written right after them; if
 * another process was faster, its entries are applied and the change is decided again. So processes agree without locks.
 * A session that nothing has used for a while is dropped from memory: its log is read again at the next use.
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
import type { MailboxWatcher } from './mailbox-watchers.js';
import type { Recalled, SentReference } from './sent-messages.js';
import type { LogEntry, LoggedMessage } from './log-entry.js';
import {
  apply,
  createSessionMailboxes,
  marksOf,
  releaseMailboxes,
  type MailboxMemory,
  type SessionMailboxes,
} from './session-mailboxes.js';

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
  /** Time of the last call that used it, in milliseconds of `performance.now()`. */
  usedAt: number;
  /** Stops watching for the end of the session. */
  unwatch: () => void;
}

/** A change as decided on the current mailboxes: its outcome, and the entry to write first. */
export interface Change<Outcome> {
  readonly outcome: Outcome;
  /** The position of the last entry that it was decided on. */
  readonly position: number;
  readonly entry: LogEntry | null;
  /** Payloads of the messages of the entry, in order. */
  readonly payloads?: readonly Buffer[];
  /** The entry counts as delivered to these subscriptions once it is written. */
  readonly deliverTo?: readonly AcceptedDelivery[];
}

export interface AcceptedDelivery {
  readonly watcher: MailboxWatcher;
  /** The position of the last message for the party. */
  readonly upTo: number;
}

/** The position of the entry written; `taken` after entries of other processes were applied; `ended` if the session has ended. */
export type Written = number | 'taken' | 'ended';

export interface SessionLogAccess {
  /** Applies the entries that this process has not applied. */
  readonly catchUp: (session: FollowedSession) => Promise<void>;
  /** The entry at a position; null if the log was removed. */
  readonly entry: (session: FollowedSession, position: number) => Promise<LogEntry | null>;
  readonly write: (session: FollowedSession, change: Change<unknown>, entry: LogEntry) => Promise<Written>;
  readonly onFollow: (session: FollowedSession) => void;
  readonly onWritten: (session: FollowedSession, entry: LogEntry) => void;
  readonly onEnd: (session: FollowedSession) => void;
  /** The session is dropped from memory. */
  readonly onDrop: (session: FollowedSession) => void;
  /** A session in use is not dropped, however long ago its last call was. */
  readonly isWatched: (sessionId: string) => boolean;
}

export type Found =
  | { readonly kind: 'found'; readonly session: FollowedSession }
  | { readonly kind: 'not-found' }
  /** The session has ended. */
  | { readonly kind: 'wrong-state'; readonly state: SessionState };

export interface FollowedSessions {
  find(party: PartyIdentity, sessionId: string): Promise<Found>;
  /** As `find`, for a session whose parties may send. */
  findStarted(party: PartyIdentity, sessionId: string): Promise<Found>;
  /** Decides a change and writes it. Null when the session has ended. */
  change<Outcome>(
    session: FollowedSession,
    decide: (mailboxes: SessionMailboxes) => Promise<Change<Outcome>> | Change<Outcome>,
  ): Promise<Outcome | null>;
  /** Reads messages of a sender from the log. Null when the session has ended. */
  recall(
    session: FollowedSession,
    fromPartyId: string,
    references: readonly SentReference[],
  ): Promise<Recalled | null>;
  /** Whether the memory of all sessions is used up, after unused sessions were dropped. */
  isFull(): boolean;
  close(): void;
}

/** Most bytes of memory of all sessions. */
const TOTAL_BYTES = 268_435_456;
/** A session that no call has used for this time and that has no subscription is dropped, in milliseconds. */
const IDLE_MS = 60_000;
/** The same while the memory of all sessions is used up. */
const PRESSED_IDLE_MS = 1000;
const SWEEP_MS = 5000;

export interface FollowedLimits {
  readonly totalBytes: number;
  readonly idleMs: number;
  readonly pressedIdleMs: number;
  readonly sweepMs: number;
}

const LIMITS: FollowedLimits = {
  totalBytes: TOTAL_BYTES,
  idleMs: IDLE_MS,
  pressedIdleMs: PRESSED_IDLE_MS,
  sweepMs: SWEEP_MS,
};

/** What the functions below work on. */
interface State {
  readonly sessions: Pick<SigningSessions, 'session'>;
  readonly ends: SessionEnds;
  readonly access: SessionLogAccess;
  readonly limits: FollowedLimits;
  readonly followed: Map<string, FollowedSession>;
  readonly memory: MailboxMemory;
}

export function createFollowedSessions(
  sessions: Pick<SigningSessions, 'session'>,
  ends: SessionEnds,
  access: SessionLogAccess,
  limits: FollowedLimits = LIMITS,
): FollowedSessions {
  const state: State = { sessions, ends, access, limits, followed: new Map(), memory: { bytes: 0 } };
  const timer = setInterval(() => dropUnused(state, limits.idleMs), limits.sweepMs).unref();
  return {
    find: (party, sessionId) => find(state, party, sessionId),
    findStarted: (party, sessionId) => findStarted(state, party, sessionId),
    change(session, decide) {
      const turn = session.turn.then(() => decideAndWrite(session, decide, access));
      session.turn = turn.catch(() => undefined);
      return turn;
    },
    recall: (session, fromPartyId, references) => recall(access, session, fromPartyId, references),
    isFull() {
      if (state.memory.bytes <= limits.totalBytes) return false;
      dropUnused(state, limits.pressedIdleMs);
      return state.memory.bytes > limits.totalBytes;
    },
    close() {
      clearInterval(timer);
      for (const session of state.followed.values()) session.unwatch();
    },
  };
}

async function find(state: State, party: PartyIdentity, sessionId: string): Promise<Found> {
  const known = state.followed.get(sessionId);
  if (known !== undefined) return foundFor(party, known);
  const session = await sessionOf(state.sessions, party, sessionId);
  if (session === null) return { kind: 'not-found' };
  if (isTerminal(session.state)) return { kind: 'wrong-state', state: session.state };
  return { kind: 'found', session: state.followed.get(sessionId) ?? follow(state, session) };
}

async function findStarted(state: State, party: PartyIdentity, sessionId: string): Promise<Found> {
  const found = await find(state, party, sessionId);
  if (found.kind !== 'found' || found.session.started) return found;
  const session = await sessionOf(state.sessions, party, sessionId);
  if (session === null) return { kind: 'not-found' };
  if (session.state !== 'in_progress') return { kind: 'wrong-state', state: session.state };
  found.session.started = true;
  return found;
}

function follow(
  state: State,
  { sessionId, tenantId, participants, state: sessionState }: PartySession,
): FollowedSession {
  const { followed, access, ends, memory } = state;
  const session: FollowedSession = {
    sessionId,
    tenantId,
    mailboxes: createSessionMailboxes(
      participants.map(({ partyId }) => partyId),
      memory,
    ),
    started: sessionState === 'in_progress',
    position: 0,
    caughtUp: false,
    turn: Promise.resolve(),
    usedAt: performance.now(),
    unwatch: () => undefined,
  };
  followed.set(sessionId, session);
  access.onFollow(session);
  session.unwatch = ends.watch(sessionId, () => {
    drop(state, session);
    access.onEnd(session);
  });
  return session;
}

function drop({ followed, access }: State, session: FollowedSession): void {
  if (followed.get(session.sessionId) !== session) return;
  followed.delete(session.sessionId);
  session.unwatch();
  releaseMailboxes(session.mailboxes);
  access.onDrop(session);
}

/**
 * A call that still works on a session that is dropped writes as another process would: if the session is followed again
 * meanwhile, the log refuses a position that is taken.
 */
function dropUnused(state: State, idleMs: number): void {
  const before = performance.now() - idleMs;
  for (const session of [...state.followed.values()])
    if (session.usedAt <= before && !state.access.isWatched(session.sessionId)) drop(state, session);
}

async function recall(
  access: SessionLogAccess,
  session: FollowedSession,
  fromPartyId: string,
  references: readonly SentReference[],
): Promise<Recalled | null> {
  const recalled = new Map<number, LoggedMessage>();
  for (const { senderSequence, position } of references) {
    const entry = await access.entry(session, position);
    if (entry?.kind !== 'messages') return null;
    const message = entry.messages.find(
      (one) => one.fromPartyId === fromPartyId && one.senderSequence === senderSequence,
    );
    if (message === undefined) return null;
    recalled.set(senderSequence, message);
  }
  return recalled;
}

/** Another tenant may have a party of the same name. */
function foundFor({ tenantId, partyId }: PartyIdentity, session: FollowedSession): Found {
  if (session.tenantId !== tenantId || marksOf(session.mailboxes, partyId) === null)
    return { kind: 'not-found' };
  session.usedAt = performance.now();
  return { kind: 'found', session };
}

async function decideAndWrite<Outcome>(
  session: FollowedSession,
  decide: (mailboxes: SessionMailboxes) => Promise<Change<Outcome>> | Change<Outcome>,
  access: SessionLogAccess,
): Promise<Outcome | null> {
  if (!session.caughtUp) await access.catchUp(session);
  for (;;) {
    const change = await decide(session.mailboxes);
    const { outcome, entry, position } = change;
    if (entry === null) {
      await access.catchUp(session);
      // Without an entry, the outcome follows from all entries that were written.
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
  apply(session.mailboxes, position, entry);
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
