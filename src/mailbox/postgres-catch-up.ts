/**
 * Brings the sessions of a process up to date with what other processes have written. Each reading wakes the subscriptions
 * of a session for what it applies: it is not new to a later reading, which the report of the other process causes.
 */
import { applyEntry, type FollowedSession } from './followed-session.js';
import type { PayloadCache } from './mailbox-payloads.js';
import type { LogPage, PostgresMailboxLog, ReadEntry, ReaderPosition } from './postgres-mailbox-log.js';
import type { MailboxWatchers } from './mailbox-watchers.js';
import { acknowledgedOf, apply } from './session-mailboxes.js';

export interface LogReader {
  readonly log: Pick<PostgresMailboxLog, 'begin' | 'read' | 'readMany' | 'positions'>;
  readonly watchers: MailboxWatchers;
  readonly payloads: PayloadCache;
}

/** The first reading of a log by this process. */
interface Beginning {
  /** All calls wait for it. */
  readonly ended: Promise<void>;
  /** Another process has reported a change since, which the reading may not have found. */
  isReported: boolean;
}

const beginnings = new WeakMap<FollowedSession, Beginning>();

/** Applies the entries of a session that this process has not applied, and prepares a session that is new to it. */
export function catchUp(store: LogReader, session: FollowedSession): Promise<void> {
  if (session.caughtUp) return readOn(store, session, null);
  const begun = beginnings.get(session);
  if (begun !== undefined) return begun.ended;
  const ended = begin(store, session).finally(() => beginnings.delete(session));
  beginnings.set(session, { ended, isReported: false });
  return ended;
}

async function begin(store: LogReader, session: FollowedSession): Promise<void> {
  const { positions, ...page } = await store.log.begin(session);
  // Positions are applied first, so that acknowledged messages take no memory.
  if (applyPositions(session, positions)) store.watchers.notify(session.sessionId, null);
  await readOn(store, session, page);
  session.caughtUp = true;
  if (beginnings.get(session)?.isReported === true) await readChanges(store, [session]);
}

/** Applies pages of entries until there are no more. @param first the first page; null if it is still to be read */
async function readOn(store: LogReader, session: FollowedSession, first: LogPage | null): Promise<void> {
  const before = session.position;
  try {
    let page = first ?? (await store.log.read(session));
    while (applyRead(store, session, page.entries) && !page.isLast) page = await store.log.read(session);
  } finally {
    // Also if a later page fails: the entries before it are not new to the next reading.
    if (session.position > before) store.watchers.notify(session.sessionId, null);
  }
}

/** Returns whether there was an entry that this process did not have. */
function applyRead(store: LogReader, session: FollowedSession, entries: readonly ReadEntry[]): boolean {
  const before = session.position;
  for (const { position, entry, payloads } of entries) {
    // A gap is filled by the next read.
    if (position > session.position + 1) break;
    applyEntry(session, position, entry);
    payloads?.forEach((payload, place) => store.payloads.set(session, position, place, payload));
  }
  return session.position > before;
}

/** Reads the positions that readers have reached in any process. */
export async function readPositions(store: LogReader, session: FollowedSession): Promise<void> {
  const positions = await store.log.positions(session);
  if (applyPositions(session, positions)) store.watchers.notify(session.sessionId, null);
}

/** Returns whether there was an acknowledgement that this process did not have. */
function applyPositions({ mailboxes }: FollowedSession, positions: readonly ReaderPosition[]): boolean {
  const before = acknowledgedOf(mailboxes);
  for (const { partyId, acked, delivered } of positions) {
    apply(mailboxes, null, { kind: 'delivered', partyId, upTo: delivered });
    apply(mailboxes, null, { kind: 'acked', partyId, upTo: acked });
  }
  return acknowledgedOf(mailboxes) !== before;
}

/**
 * Reads what other processes have written, for all sessions given at once, and wakes their readers. A session that is being
 * read for the first time is read again after it.
 */
export async function readChanges(store: LogReader, sessions: readonly FollowedSession[]): Promise<void> {
  for (const session of sessions) {
    const beginning = beginnings.get(session);
    if (beginning !== undefined) beginning.isReported = true;
  }
  const caughtUp = sessions.filter((session) => session.caughtUp);
  if (caughtUp.length === 0) return;
  const { entries, positions } = await store.log.readMany(caughtUp);
  const entriesOf = bySession(entries);
  const positionsOf = bySession(positions);
  for (const session of caughtUp) {
    const { sessionId } = session;
    const hasEntries = applyRead(store, session, entriesOf.get(sessionId) ?? []);
    const hasAcknowledged = applyPositions(session, positionsOf.get(sessionId) ?? []);
    if (hasEntries || hasAcknowledged) store.watchers.notify(sessionId, null);
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
