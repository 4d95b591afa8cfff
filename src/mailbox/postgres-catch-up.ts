/** Brings the sessions of a process up to date with what other processes have written. */
import { applyEntry, type FollowedSession } from './followed-sessions.js';
import type { PayloadCache } from './mailbox-payloads.js';
import type { PostgresMailboxLog, ReadEntry, ReaderPosition } from './postgres-mailbox-log.js';
import type { Waiters } from './waiters.js';

export interface LogReader {
  readonly log: PostgresMailboxLog;
  readonly waiters: Waiters;
  readonly payloads: PayloadCache;
}

/** Applies the entries of a session that this process has not applied, and prepares a session that is new to it. */
export async function catchUp(store: LogReader, session: FollowedSession): Promise<void> {
  applyRead(store, session, await store.log.read(session));
  if (session.caughtUp) return;
  await store.log.prepareReaders(session);
  await readPositions(store, session);
  session.caughtUp = true;
}

/** Returns whether there was an entry that this process did not have. */
function applyRead(store: LogReader, session: FollowedSession, entries: readonly ReadEntry[]): boolean {
  const before = session.position;
  for (const { position, entry, payloads } of entries) {
    // A gap is read at the next look.
    if (position > session.position + 1) break;
    applyEntry(session, position, entry);
    payloads?.forEach((payload, place) => store.payloads.set(session, position, place, payload));
  }
  return session.position > before;
}

/** Reads the positions that readers have reached by any process. */
export async function readPositions(store: LogReader, session: FollowedSession): Promise<void> {
  applyPositions(session, await store.log.positions(session));
}

function applyPositions({ mailboxes }: FollowedSession, positions: readonly ReaderPosition[]): void {
  for (const { partyId, acked, delivered } of positions) {
    mailboxes.apply({ kind: 'delivered', partyId, upTo: delivered });
    mailboxes.apply({ kind: 'acked', partyId, upTo: acked });
  }
}

/** Reads what other processes have written, for all sessions given at once, and wakes their readers. */
export async function readChanges(store: LogReader, sessions: readonly FollowedSession[]): Promise<void> {
  const caughtUp = sessions.filter((session) => session.caughtUp);
  if (caughtUp.length === 0) return;
  const { entries, positions } = await store.log.readMany(caughtUp);
  const entriesOf = bySession(entries);
  const positionsOf = bySession(positions);
  for (const session of caughtUp) {
    const { sessionId } = session;
    const before = session.mailboxes.acknowledged();
    const isNew = applyRead(store, session, entriesOf.get(sessionId) ?? []);
    applyPositions(session, positionsOf.get(sessionId) ?? []);
    if (isNew || session.mailboxes.acknowledged() !== before) store.waiters.wakeSession(sessionId);
  }
}

function bySession<Item extends { readonly sessionId: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.sessionId) ?? [];
    group.push(item);
    groups.set(item.sessionId, group);
  }
  return groups;
}
