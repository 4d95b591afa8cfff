/** One session whose log this process follows, and the changes to it, which run one after another. */
import type { MailboxWatcher } from './mailbox-watchers.js';
import type { LogEntry } from './log-entry.js';
import { apply, type SessionMailboxes } from './session-mailboxes.js';

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
  /** Settles with the last change that was begun: changes of a session run one after another. */
  turn: Promise<unknown>;
  /** Changes that have begun or wait for their turn. */
  changes: number;
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

type Decide<Outcome> = (mailboxes: SessionMailboxes) => Promise<Change<Outcome>> | Change<Outcome>;

/** Decides a change and writes it, after the changes before. Null when the session has ended. */
export function changeInTurn<Outcome>(
  session: FollowedSession,
  decide: Decide<Outcome>,
  access: SessionLogAccess,
): Promise<Outcome | null> {
  const work = () => decideAndWrite(session, decide, access);
  session.changes += 1;
  const turn = session.changes === 1 ? work() : session.turn.then(work, work);
  session.turn = turn;
  return turn;
}

async function decideAndWrite<Outcome>(
  session: FollowedSession,
  decide: Decide<Outcome>,
  access: SessionLogAccess,
): Promise<Outcome | null> {
  try {
    if (!session.caughtUp) await access.catchUp(session);
    for (;;) {
      const decided = decide(session.mailboxes);
      const change = decided instanceof Promise ? await decided : decided;
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
  } finally {
    session.changes -= 1;
  }
}

/** Applies an entry once, whether it was written or read first. */
export function applyEntry(session: FollowedSession, position: number, entry: LogEntry): void {
  if (position <= session.position) return;
  apply(session.mailboxes, position, entry);
  session.position = position;
}
