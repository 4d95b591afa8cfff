/** Subscriptions of this process that read mailboxes, by session. */
import type { PartyIdentity } from '../signing/router-port.js';

export interface MailboxWatcher {
  readonly party: PartyIdentity;
  /** The number of the reader. */
  readonly reader: number;
  readonly onChange: () => void;
  /** Deliveries up to this position were recorded with the acceptance of the messages. */
  recordedUpTo: number;
}

export interface MailboxWatchers {
  /** @returns a function that removes the watcher */
  add(sessionId: string, watcher: MailboxWatcher): () => void;
  of(sessionId: string): Iterable<MailboxWatcher>;
  isWatched(sessionId: string): boolean;
  /** @param partyIds whose mailboxes have changed; null: perhaps all of the session */
  notify(sessionId: string, partyIds: readonly string[] | null): void;
  notifyAll(): void;
}

const NONE: readonly MailboxWatcher[] = [];

export function createMailboxWatchers(): MailboxWatchers {
  const sessions = new Map<string, Set<MailboxWatcher>>();
  return {
    add(sessionId, watcher) {
      const watchers = sessions.get(sessionId) ?? new Set();
      sessions.set(sessionId, watchers.add(watcher));
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && sessions.get(sessionId) === watchers) sessions.delete(sessionId);
      };
    },
    of: (sessionId) => sessions.get(sessionId) ?? NONE,
    isWatched: (sessionId) => sessions.has(sessionId),
    notify(sessionId, partyIds) {
      for (const { party, onChange } of sessions.get(sessionId) ?? NONE)
        if (partyIds === null || partyIds.includes(party.partyId)) onChange();
    },
    notifyAll() {
      for (const watchers of sessions.values()) for (const { onChange } of watchers) onChange();
    },
  };
}
