/** Which mailboxes have changed since somebody looked: each one that this process wrote to, and whether others wrote at all. */
import type { MailboxMarks } from './mailbox-store.js';

export interface MailboxChanges {
  /** To be taken before marks are asked for. */
  readonly now: number;
  /** Notes when the question was asked that these marks answer. */
  stamp(marks: MailboxMarks, asked: number): MailboxMarks;
  /** @param partyIds whose mailboxes; null: perhaps all of the session */
  wroteHere(sessionId: string, partyIds: readonly string[] | null): void;
  wroteElsewhere(): void;
  /** Whether this process changed the mailbox after the marks were asked for. */
  changedHere(sessionId: string, partyId: string, seen: MailboxMarks): boolean;
  /** Whether another process may have changed it. */
  changedElsewhere(seen: MailboxMarks): boolean;
}

/** Of the mailboxes that changed last. One that is no longer known is found by the poll. */
const REMEMBERED = 10_000;

export function createMailboxChanges(): MailboxChanges {
  const askedAt = new WeakMap<MailboxMarks, number>();
  const writtenAt = new Map<string, number>();
  let count = 0;
  let elsewhereAt = 0;
  /** No party has an empty name. */
  const keyOf = (sessionId: string, partyId = ''): string => `${sessionId} ${partyId}`;
  const writtenTo = (key: string): number => writtenAt.get(key) ?? 0;
  const asked = (marks: MailboxMarks): number => askedAt.get(marks) ?? 0;
  return {
    get now() {
      return count;
    },
    stamp(marks, at) {
      askedAt.set(marks, at);
      return marks;
    },
    wroteHere(sessionId, partyIds) {
      count += 1;
      const keys =
        partyIds === null ? [keyOf(sessionId)] : partyIds.map((partyId) => keyOf(sessionId, partyId));
      for (const key of keys) {
        // Set anew, so that the first is the one that was written longest ago.
        writtenAt.delete(key);
        writtenAt.set(key, count);
        const [oldest] = writtenAt.keys();
        if (writtenAt.size > REMEMBERED && oldest !== undefined) writtenAt.delete(oldest);
      }
    },
    wroteElsewhere() {
      count += 1;
      elsewhereAt = count;
    },
    changedHere: (sessionId, partyId, seen) =>
      Math.max(writtenTo(keyOf(sessionId)), writtenTo(keyOf(sessionId, partyId))) > asked(seen),
    changedElsewhere: (seen) => elsewhereAt > asked(seen),
  };
}
