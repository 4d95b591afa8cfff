/** Subscriptions of this process that read mailboxes, by session. */
import type { PartyIdentity } from '../signing/router-port.js';
import { deliveredOf, isUpToDate, type FreshMessage, type SessionMailboxes } from './session-mailboxes.js';

export interface MailboxWatcher {
  readonly party: PartyIdentity;
  /** The number of the reader. */
  readonly reader: number;
  readonly onChange: () => void;
  /** Deliveries up to this position were recorded with the acceptance of the messages. */
  recordedUpTo: number;
}

/** Messages that are delivered with their acceptance. */
export interface AcceptedDelivery {
  readonly watcher: MailboxWatcher;
  /** The position of the last message for the party. */
  readonly upTo: number;
}

export interface MailboxWatchers {
  /** @returns a function that removes the watcher */
  add(sessionId: string, watcher: MailboxWatcher): () => void;
  isWatched(sessionId: string): boolean;
  /** @param partyIds whose mailboxes have changed; null: perhaps all of the session */
  notify(sessionId: string, partyIds: readonly string[] | null): void;
  notifyAll(): void;
  /**
   * The subscriptions that have received all messages before these: they get the new ones from memory, and the entry records
   * their delivery.
   */
  upToDate(
    sessionId: string,
    mailboxes: SessionMailboxes,
    fresh: readonly FreshMessage[],
  ): readonly AcceptedDelivery[];
  /** Whether the deliveries of a party up to a position were recorded when the messages were accepted. */
  isRecorded(party: PartyIdentity, sessionId: string, upTo: number): boolean;
}

const NONE: readonly MailboxWatcher[] = [];

export function createMailboxWatchers(): MailboxWatchers {
  const sessions = new Map<string, Set<MailboxWatcher>>();
  const of = (sessionId: string): Iterable<MailboxWatcher> => sessions.get(sessionId) ?? NONE;
  return {
    add(sessionId, watcher) {
      const watchers = sessions.get(sessionId) ?? new Set();
      sessions.set(sessionId, watchers.add(watcher));
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && sessions.get(sessionId) === watchers) sessions.delete(sessionId);
      };
    },
    isWatched: (sessionId) => sessions.has(sessionId),
    notify(sessionId, partyIds) {
      for (const { party, onChange } of of(sessionId))
        if (partyIds === null || partyIds.includes(party.partyId)) onChange();
    },
    notifyAll() {
      for (const watchers of sessions.values()) for (const { onChange } of watchers) onChange();
    },
    upToDate(sessionId, mailboxes, fresh) {
      const found: AcceptedDelivery[] = [];
      for (const watcher of of(sessionId)) {
        const { partyId } = watcher.party;
        const count = fresh.filter(({ recipients }) => recipients.includes(partyId)).length;
        if (count === 0 || !isUpToDate(mailboxes, partyId, watcher.reader, count)) continue;
        found.push({ watcher, upTo: deliveredOf(mailboxes, partyId) + count });
      }
      return found;
    },
    isRecorded(party, sessionId, upTo) {
      for (const watcher of of(sessionId))
        if (watcher.party === party && upTo <= watcher.recordedUpTo) return true;
      return false;
    },
  };
}
