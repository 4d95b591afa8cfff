/**
 * Sessions whose logs this process follows. Each change is decided on the entries so far and written right after them; if
 * another process was faster, its entries are applied and the change is decided again. So processes agree without locks.
 * A session that nothing has used for a while is dropped from memory: its log is read again at the next use.
 */
import { createArrivalOrder, type ArrivalOrder } from '../base/arrival-order.js';
import {
  isTerminal,
  PartyRefused,
  type PartyIdentity,
  type PartySession,
  type SessionEnds,
  type SessionState,
  type SigningSessions,
} from '../signing/router-port.js';
import {
  changeInTurn,
  type Change,
  type FollowedSession,
  type SessionLogAccess,
} from './followed-session.js';
import type { Recalled, SentReference } from './sent-messages.js';
import type { LoggedMessage } from './log-entry.js';
import {
  createSessionMailboxes,
  marksOf,
  releaseMailboxes,
  type MailboxMemory,
  type SessionMailboxes,
} from './session-mailboxes.js';

export type Found =
  | { readonly kind: 'found'; readonly session: FollowedSession }
  | { readonly kind: 'not-found' }
  /** The session has ended. */
  | { readonly kind: 'wrong-state'; readonly state: SessionState };

export interface FollowedSessions {
  /** Finds a session, at once if it is followed. */
  find(party: PartyIdentity, sessionId: string): Found | Promise<Found>;
  /** As `find`, for a session whose parties may send. Finds it for the calls of a party in their order. */
  findStarted(party: PartyIdentity, sessionId: string): Found | Promise<Found>;
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
  /** Of the calls of a party for a session that is being read. */
  readonly arrival: ArrivalOrder;
}

export function createFollowedSessions(
  sessions: Pick<SigningSessions, 'session'>,
  ends: SessionEnds,
  access: SessionLogAccess,
  limits: FollowedLimits = LIMITS,
): FollowedSessions {
  const state: State = {
    ...{ sessions, ends, access, limits },
    followed: new Map(),
    memory: { bytes: 0 },
    arrival: createArrivalOrder(),
  };
  const timer = setInterval(() => dropUnused(state, limits.idleMs), limits.sweepMs).unref();
  return {
    find: (party, sessionId) => find(state, party, sessionId),
    findStarted: (party, sessionId) => findStarted(state, party, sessionId),
    change: (session, decide) => changeInTurn(session, decide, access),
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

function find(state: State, party: PartyIdentity, sessionId: string): Found | Promise<Found> {
  const known = state.followed.get(sessionId);
  return known === undefined ? findUnknown(state, party, sessionId) : foundFor(party, known);
}

async function findUnknown(state: State, party: PartyIdentity, sessionId: string): Promise<Found> {
  const session = await sessionOf(state.sessions, party, sessionId);
  if (session === null) return { kind: 'not-found' };
  if (isTerminal(session.state)) return { kind: 'wrong-state', state: session.state };
  return { kind: 'found', session: state.followed.get(sessionId) ?? follow(state, session) };
}

function findStarted(state: State, party: PartyIdentity, sessionId: string): Found | Promise<Found> {
  const found = find(state, party, sessionId);
  const isSettled = !(found instanceof Promise) && (found.kind !== 'found' || found.session.started);
  const key = `${sessionId} ${party.tenantId} ${party.partyId}`;
  // The call of another party may have read meanwhile that the session is in progress.
  if (isSettled && !state.arrival.isWaiting(key)) return found;
  return state.arrival.after(key, findWithState(state, party, sessionId, found));
}

async function findWithState(
  state: State,
  party: PartyIdentity,
  sessionId: string,
  finding: Found | Promise<Found>,
): Promise<Found> {
  const found = await finding;
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
    changes: 0,
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
