/** Readers that wait for a change of their mailbox, by session. */
import type { PartyIdentity } from '../signing/router-port.js';
import type { FollowedSessions } from './followed-sessions.js';
import { sameMarks, type MailboxMarks, type MailboxStore } from './mailbox-store.js';

interface Waiter {
  readonly partyId: string;
  readonly done: () => void;
}

export interface Waiters {
  wait(sessionId: string, partyId: string, signal: AbortSignal): Promise<void>;
  /** Ends the waiting of readers of a session. @param partyIds null: all of them */
  wakeSession(sessionId: string, partyIds?: readonly string[] | null): void;
  wakeAll(): void;
}

export function createWaiters(): Waiters {
  const sessions = new Map<string, Set<Waiter>>();
  const wakeSession = (sessionId: string, partyIds: readonly string[] | null = null): void => {
    for (const waiter of [...(sessions.get(sessionId) ?? [])])
      if (partyIds === null || partyIds.includes(waiter.partyId)) waiter.done();
  };
  return {
    wait(sessionId, partyId, signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          signal.removeEventListener('abort', done);
          const waiters = sessions.get(sessionId);
          waiters?.delete(waiter);
          if (waiters?.size === 0) sessions.delete(sessionId);
          resolve();
        };
        const waiter: Waiter = { partyId, done };
        const waiters = sessions.get(sessionId) ?? new Set();
        sessions.set(sessionId, waiters.add(waiter));
        signal.addEventListener('abort', done, { once: true });
      });
    },
    wakeSession,
    wakeAll() {
      for (const sessionId of [...sessions.keys()]) wakeSession(sessionId);
    },
  };
}

/** The `wait` of a store: ends at once if the mailbox has changed since the marks were seen. */
export const waitForChange =
  (followed: Pick<FollowedSessions, 'get'>, waiters: Waiters): MailboxStore['wait'] =>
  ({ partyId }: PartyIdentity, sessionId: string, seen: MailboxMarks, signal: AbortSignal) => {
    const marks = followed.get(sessionId)?.mailboxes.marks(partyId) ?? null;
    if (marks !== null && !sameMarks(marks, seen)) return Promise.resolve();
    return waiters.wait(sessionId, partyId, signal);
  };
