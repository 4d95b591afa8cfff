/**
 * Sessions whose logs this process follows. A session that nothing has used for a while is dropped from memory: its log is
 * read again at the next use.
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
import type { FollowedSession } from './session-changes.js';
import {
  createSessionMailboxes,
  marksOf,
  releaseMailboxes,
  type MailboxMemory,
} from './session-mailboxes.js';

export type Found =
  | { readonly kind: 'found'; readonly session: FollowedSession }
  | { readonly kind: 'not-found' }
  /** The session has ended. */
  | { readonly kind: 'wrong-state'; readonly state: SessionState };

export interface FollowedSessions {
  find(party: PartyIdentity, sessionId: string): Promise<Found>;
  /** As `find`, for started sessions only. Calls of one party resolve in the order in which they were made. */
  findStarted(party: PartyIdentity, sessionId: string): Promise<Found>;
  /** The sessions among these that are followed. */
  among(sessionIds: readonly string[]): readonly FollowedSession[];
  /** Whether the memory of all sessions is used up, after unused sessions were dropped. */
  isFull(): boolean;
  close(): void;
}

interface FollowedLimits {
  /** Most bytes of memory of all sessions. */
  readonly totalBytes: number;
  /** A session that no call has used for this time and that has no subscription is dropped, in milliseconds. */
  readonly idleMs: number;
  /** The same while the memory of all sessions is used up. */
  readonly pressedIdleMs: number;
  readonly sweepMs: number;
}

const LIMITS: FollowedLimits = {
  totalBytes: 268_435_456,
  idleMs: 60_000,
  pressedIdleMs: 1000,
  sweepMs: 5000,
};

interface FollowedParts {
  readonly sessions: Pick<SigningSessions, 'session'>;
  readonly ends: SessionEnds;
  /** Has changes of a session by other processes reported. @returns a function that ends it */
  readonly follow: (sessionId: string) => () => void;
  readonly onEnd: (sessionId: string) => void;
  /** A session in use is not dropped, however long ago its last call was. */
  readonly isWatched: (sessionId: string) => boolean;
}

interface FollowedState extends FollowedParts {
  readonly followed: Map<string, FollowedSession>;
  readonly memory: MailboxMemory;
  /** Of the calls of a party for a session that is being read. */
  readonly arrival: ArrivalOrder;
}

export function createFollowedSessions(parts: FollowedParts, limits = LIMITS): FollowedSessions {
  const followed = new Map<string, FollowedSession>();
  const state: FollowedState = { ...parts, followed, memory: { bytes: 0 }, arrival: createArrivalOrder() };
  const timer = setInterval(() => dropUnused(state, limits.idleMs), limits.sweepMs).unref();
  return {
    find: (party, sessionId) => find(state, party, sessionId),
    findStarted: (party, sessionId) => findStarted(state, party, sessionId),
    among: (sessionIds) =>
      sessionIds.map((sessionId) => followed.get(sessionId)).filter((session) => session !== undefined),
    isFull() {
      if (state.memory.bytes <= limits.totalBytes) return false;
      dropUnused(state, limits.pressedIdleMs);
      return state.memory.bytes > limits.totalBytes;
    },
    close() {
      clearInterval(timer);
      for (const session of followed.values()) session.leave();
    },
  };
}

async function find(state: FollowedState, party: PartyIdentity, sessionId: string): Promise<Found> {
  const known = state.followed.get(sessionId);
  if (known !== undefined) return foundFor(party, known);
  const session = await sessionOf(state.sessions, party, sessionId);
  if (session === null) return { kind: 'not-found' };
  if (isTerminal(session.state)) return { kind: 'wrong-state', state: session.state };
  return { kind: 'found', session: state.followed.get(sessionId) ?? follow(state, session) };
}

/** Keeps the calls of one party in order, even if the call of another party has already found the session started. */
const findStarted = (state: FollowedState, party: PartyIdentity, sessionId: string): Promise<Found> =>
  state.arrival.after(
    `${sessionId} ${party.tenantId} ${party.partyId}`,
    findWithState(state, party, sessionId),
  );

async function findWithState(state: FollowedState, party: PartyIdentity, sessionId: string): Promise<Found> {
  const found = await find(state, party, sessionId);
  if (found.kind !== 'found' || found.session.started) return found;
  const session = await sessionOf(state.sessions, party, sessionId);
  if (session === null) return { kind: 'not-found' };
  if (session.state !== 'in_progress') return { kind: 'wrong-state', state: session.state };
  found.session.started = true;
  return found;
}

function follow(
  state: FollowedState,
  { sessionId, tenantId, participants, state: sessionState }: PartySession,
): FollowedSession {
  const { ends, memory } = state;
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
    beginning: null,
    turn: Promise.resolve(),
    changes: 0,
    usedAt: performance.now(),
    leave: () => undefined,
  };
  state.followed.set(sessionId, session);
  const unfollow = state.follow(sessionId);
  const unwatch = ends.watch(sessionId, () => {
    drop(state, session);
    state.onEnd(sessionId);
  });
  session.leave = () => {
    unfollow();
    unwatch();
  };
  return session;
}

function drop({ followed }: FollowedState, session: FollowedSession): void {
  if (followed.get(session.sessionId) !== session) return;
  followed.delete(session.sessionId);
  session.leave();
  releaseMailboxes(session.mailboxes);
}

/**
 * A call that still works on a session that is dropped writes as another process would: if the session is followed again
 * meanwhile, the log refuses a position that is taken.
 */
function dropUnused(state: FollowedState, idleMs: number): void {
  const before = performance.now() - idleMs;
  for (const session of [...state.followed.values()])
    if (session.usedAt <= before && !state.isWatched(session.sessionId)) drop(state, session);
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
