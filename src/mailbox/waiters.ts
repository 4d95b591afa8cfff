/** Readers that wait for their mailboxes, by session. */
import { sameMarks, type MailboxMarks } from './mailbox-store.js';

interface Waiter {
  readonly partyId: string;
  readonly seen: MailboxMarks;
  readonly done: () => void;
}

export interface Waiting {
  readonly sessionId: string;
  readonly partyId: string;
}

export interface Waiters {
  readonly size: number;
  wait(sessionId: string, partyId: string, seen: MailboxMarks, signal: AbortSignal): Promise<void>;
  /** Readers of a session, who then look for themselves. @param partyIds null: all of them */
  wakeSession(sessionId: string, partyIds?: readonly string[] | null): void;
  /** Those who have seen other marks. */
  tell(sessionId: string, partyId: string, marks: MailboxMarks): void;
  list(): readonly Waiting[];
  wakeAll(): void;
}

export function createWaiters(): Waiters {
  const sessions = new Map<string, Set<Waiter>>();
  let size = 0;
  const wakeSession = (sessionId: string, partyIds: readonly string[] | null = null): void => {
    for (const waiter of [...(sessions.get(sessionId) ?? [])])
      if (partyIds?.includes(waiter.partyId) !== false) waiter.done();
  };
  return {
    get size() {
      return size;
    },
    wait(sessionId, partyId, seen, signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          signal.removeEventListener('abort', done);
          const waiters = sessions.get(sessionId);
          if (waiters?.delete(waiter) === true) size -= 1;
          if (waiters?.size === 0) sessions.delete(sessionId);
          resolve();
        };
        const waiter: Waiter = { partyId, seen, done };
        const waiters = sessions.get(sessionId) ?? new Set();
        sessions.set(sessionId, waiters.add(waiter));
        size += 1;
        signal.addEventListener('abort', done, { once: true });
      });
    },
    wakeSession,
    tell(sessionId, partyId, marks) {
      for (const waiter of [...(sessions.get(sessionId) ?? [])])
        if (waiter.partyId === partyId && !sameMarks(waiter.seen, marks)) waiter.done();
    },
    list: () =>
      [...sessions].flatMap(([sessionId, waiters]) =>
        [...waiters].map(({ partyId }) => ({ sessionId, partyId })),
      ),
    wakeAll() {
      for (const sessionId of [...sessions.keys()]) wakeSession(sessionId);
    },
  };
}
