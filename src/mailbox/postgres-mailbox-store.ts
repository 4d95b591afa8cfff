/**
 * Mailboxes in PostgreSQL, the default: accepted messages are as durable as the session, whose end erases them. Each
 * process has the mailboxes of its sessions in memory; it reads what other processes have written when they report
 * it, and by polling.
 */
import type { Observe } from '../observability/observation.js';
import type { ChangeFeed } from '../postgres/change-feed.js';
import type { WatchSet } from '../postgres/watch-sets.js';
import {
  refuseChanged,
  type PartyIdentity,
  type SessionEnds,
  type SigningSessions,
} from '../signing/router-port.js';
import type { Change, FollowedSession, Written } from './followed-session.js';
import { createFollowedSessions, sessionOf, type FollowedSessions } from './followed-sessions.js';
import { createMailboxGroup, type Runner } from './mailbox-group.js';
import { createMailboxWatchers, type MailboxWatchers } from './mailbox-watchers.js';
import {
  createPayloadCache,
  deliveriesInMemory,
  deliveriesOf,
  withPayload,
  type PayloadCache,
} from './mailbox-payloads.js';
import {
  ENDED_PAGE,
  fittingPage,
  MAX_WINDOW,
  type AckOutcome,
  type AppendOutcome,
  type MailboxPage,
  type MailboxStore,
  type OpenOutcome,
  type OutgoingMessage,
  type PageLimits,
} from './mailbox-store.js';
import { isRecorded } from './accepted-deliveries.js';
import { catchUp, readChanges, readPositions } from './postgres-catch-up.js';
import { createPostgresMailboxLog, type PostgresMailboxLog } from './postgres-mailbox-log.js';
import { decideSend } from './postgres-send.js';
import type { LogEntry } from './log-entry.js';
import { judgeAck, judgeOpen } from './judgements.js';
import { apply, deliveredOf, marksOf, waitingOf } from './session-mailboxes.js';

const TOPIC = 'mailbox';
/** Longest delay of a message whose report was lost, in milliseconds. */
const POLL_MS = 250;
/** Most sessions that begin in one transaction: each has up to 64 readers, whose rows take most of its time. */
const MAX_BEGINNINGS = 32;

export interface PostgresMailboxStoreParts {
  /** The caller closes the pool, after the store. */
  readonly pool: Runner;
  readonly feed: Pick<ChangeFeed, 'open' | 'publishElsewhere'>;
  readonly sessions: Pick<SigningSessions, 'session'>;
  readonly ends: SessionEnds;
  readonly observe: Observe;
}

/** The parts of a store, which the functions below work on. */
interface Store {
  readonly log: PostgresMailboxLog;
  readonly feed: Pick<ChangeFeed, 'publishElsewhere'>;
  readonly sessions: Pick<SigningSessions, 'session'>;
  readonly followed: FollowedSessions;
  readonly watchers: MailboxWatchers;
  readonly payloads: PayloadCache;
}

export function createPostgresMailboxStore(parts: PostgresMailboxStoreParts): MailboxStore {
  const beginnings = createMailboxGroup(parts.pool, MAX_BEGINNINGS);
  const log = createPostgresMailboxLog(createMailboxGroup(parts.pool), beginnings);
  const watchers = createMailboxWatchers();
  const payloads = createPayloadCache();
  const removers = new Map<string, () => void>();
  const watches: WatchSet<FollowedSession, never> = parts.feed.open<FollowedSession, never>({
    topic: TOPIC,
    pollMs: POLL_MS,
    onReport: 'query',
    work: 'messages between parties',
    async query(changed) {
      await readChanges(
        store,
        changed.map(({ seen }) => seen),
      );
      return [];
    },
  });
  const followed = createFollowedSessions(parts.sessions, parts.ends, {
    catchUp: (session) => catchUp(store, session),
    entry: (session, position) => log.entry({ ...session, position }),
    write: (session, change, entry) => write(store, session, change, entry),
    onFollow(session) {
      const watcher = { key: session.sessionId, seen: session, notify: () => undefined };
      removers.set(session.sessionId, watches.add(watcher));
    },
    onWritten(session, entry) {
      watchers.notify(session.sessionId, readersOf(entry));
      parts.feed.publishElsewhere(TOPIC, [session.sessionId]);
    },
    onEnd: ({ sessionId }) => watchers.notify(sessionId, null),
    onDrop({ sessionId }) {
      removers.get(sessionId)?.();
      removers.delete(sessionId);
    },
    isWatched: (sessionId) => watchers.isWatched(sessionId),
  });
  const store: Store = { log, feed: parts.feed, sessions: parts.sessions, followed, watchers, payloads };
  return {
    append: (party, sessionId, messages) => append(store, party, sessionId, messages),
    open: (party, sessionId, after) => open(store, party, sessionId, after),
    read: (party, sessionId, after, limits) => read(store, party, sessionId, after, limits),
    ack: (party, sessionId, upTo) => ack(store, party, sessionId, upTo),
    watch: (party, sessionId, reader, onChange) =>
      watchers.add(sessionId, { party, reader, onChange, recordedUpTo: 0 }),
    place: () => Promise.resolve('the database'),
    async close() {
      watchers.notifyAll();
      followed.close();
      await watches.close();
    },
  };
}

async function append(
  store: Store,
  party: PartyIdentity,
  sessionId: string,
  messages: readonly OutgoingMessage[],
): Promise<AppendOutcome> {
  const finding = store.followed.findStarted(party, sessionId);
  const found = finding instanceof Promise ? await finding : finding;
  if (found.kind !== 'found') return found;
  const { session } = found;
  const outcome = await store.followed.change(session, () => decideSend(store, session, party, messages));
  if (outcome === null || outcome.kind === 'not-found') return await ended(store, party, sessionId);
  if (outcome.kind !== 'equivocation') return outcome;
  return { ...outcome, first: await withPayload(store, session, outcome.first) };
}

/** The outcome of a call for a session that has ended meanwhile. */
async function ended(store: Store, party: PartyIdentity, sessionId: string): Promise<AppendOutcome> {
  const session = await sessionOf(store.sessions, party, sessionId);
  return session === null ? { kind: 'not-found' } : { kind: 'wrong-state', state: session.state };
}

async function open(
  store: Store,
  party: PartyIdentity,
  sessionId: string,
  after: number,
): Promise<OpenOutcome> {
  const { partyId } = party;
  const found = await store.followed.find(party, sessionId);
  if (found.kind === 'not-found') return found;
  // A session that has ended has empty mailboxes.
  const empty = { kind: 'opened', position: after, acked: after, reader: 0 } as const;
  if (found.kind === 'wrong-state') return empty;
  const { session } = found;
  const outcome = await store.followed.change<OpenOutcome>(session, async (mailboxes) => {
    await readPositions(store, session);
    const judged = judgeOpen(mailboxes, partyId, after);
    const { position } = session;
    if (judged.kind !== 'opened') return { outcome: judged, entry: null, position };
    const { acked } = judged;
    const entry: LogEntry = {
      kind: 'opened',
      partyId,
      after,
      acked,
      delivered: deliveredOf(mailboxes, partyId),
    };
    return { outcome: judged, entry, position };
  });
  return outcome ?? empty;
}

function read(
  store: Store,
  party: PartyIdentity,
  sessionId: string,
  after: number,
  limits: PageLimits,
): MailboxPage | null | Promise<MailboxPage | null> {
  const found = store.followed.find(party, sessionId);
  const page =
    found instanceof Promise || found.kind !== 'found'
      ? null
      : pageInMemory(store, party, found.session, after, limits);
  return page ?? readPage(store, party, sessionId, after, limits);
}

/** Returns a page from memory; null if it needs the database, for payloads or to record its delivery. */
function pageInMemory(
  store: Store,
  party: PartyIdentity,
  session: FollowedSession,
  after: number,
  limits: PageLimits,
): MailboxPage | null {
  const marks = session.caughtUp ? marksOf(session.mailboxes, party.partyId) : null;
  if (marks === null) return null;
  const waiting = waitingOf(session.mailboxes, party.partyId, after, limits.deliveries);
  const deliveries = deliveriesInMemory(store.payloads, session, fittingPage(waiting, limits));
  if (deliveries === null) return null;
  const last = deliveries.at(-1);
  if (last !== undefined && !isRecorded(store.watchers, party, session.sessionId, last.sequence)) return null;
  return { marks, deliveries };
}

async function readPage(
  store: Store,
  party: PartyIdentity,
  sessionId: string,
  after: number,
  limits: PageLimits,
): Promise<MailboxPage | null> {
  const { partyId } = party;
  const found = await store.followed.find(party, sessionId);
  if (found.kind === 'not-found') return null;
  if (found.kind === 'wrong-state') return ENDED_PAGE;
  const { session } = found;
  if (!session.caughtUp) await catchUp(store, session);
  const marks = marksOf(session.mailboxes, partyId);
  if (marks === null) return null;
  const waiting = fittingPage(waitingOf(session.mailboxes, partyId, after, limits.deliveries), limits);
  const deliveries = await deliveriesOf(store, session, waiting);
  const last = deliveries.at(-1);
  if (last === undefined || isRecorded(store.watchers, party, sessionId, last.sequence))
    return { marks, deliveries };
  const delivered = await store.log.deliver(party, sessionId, last.sequence);
  if (delivered.kind === 'party-changed') refuseChanged(delivered.change);
  if (delivered.kind !== 'delivered') return { marks, deliveries: [] };
  apply(session.mailboxes, null, { kind: 'delivered', partyId, upTo: last.sequence });
  return { marks, deliveries };
}

async function ack(store: Store, party: PartyIdentity, sessionId: string, upTo: number): Promise<AckOutcome> {
  const { partyId } = party;
  const found = await store.followed.find(party, sessionId);
  if (found.kind === 'not-found') return found;
  if (found.kind === 'wrong-state') return { kind: 'acked', acked: upTo };
  const { session } = found;
  const { mailboxes } = session;
  if (!session.caughtUp) await catchUp(store, session);
  if (judgeAck(mailboxes, partyId, upTo).kind === 'not-delivered') {
    // Another process may have delivered: the log has what it delivered with the acceptance, the positions the rest.
    await catchUp(store, session);
    await readPositions(store, session);
  }
  const judged = judgeAck(mailboxes, partyId, upTo);
  const before = marksOf(mailboxes, partyId)?.acked ?? 0;
  if (judged.kind !== 'acked' || upTo <= before) return judged;
  const acked = await store.log.ack(party, sessionId, upTo);
  if (acked === null) return { kind: 'acked', acked: upTo };
  const wasFull = deliveredOf(mailboxes, partyId) - before >= MAX_WINDOW;
  apply(mailboxes, null, { kind: 'acked', partyId, upTo: acked });
  if (wasFull) {
    // The stream waits for room.
    store.watchers.notify(sessionId, [partyId]);
    store.feed.publishElsewhere(TOPIC, [sessionId]);
  }
  return { kind: 'acked', acked };
}

/** Returns the parties whose mailboxes an entry changes; null if all may have changed. */
const readersOf = (entry: LogEntry): readonly string[] | null =>
  entry.kind === 'messages' ? entry.messages.flatMap(({ recipients }) => recipients) : [entry.partyId];

async function write(
  store: Store,
  session: FollowedSession,
  { position: decidedAt, payloads = [], deliverTo = [] }: Change<unknown>,
  entry: LogEntry,
): Promise<Written> {
  const position = decidedAt + 1;
  const known = { tenantId: session.tenantId, sessionId: session.sessionId, position: decidedAt };
  const added = { entry, payloads, receivers: deliverTo.map(({ watcher }) => watcher.party) };
  let appended = await store.log.append(known, added);
  if (appended.kind === 'not-written') {
    await catchUp(store, session);
    if (session.position >= position) return 'taken';
    // No other writer was first, so the row of the session is locked, perhaps by the transaction that ends it.
    appended = await store.log.appendWaiting(known, added);
  }
  if (appended.kind === 'not-written') {
    await catchUp(store, session);
    return session.position >= position ? 'taken' : 'ended';
  }
  payloads.forEach((payload, place) => store.payloads.set(session, position, place, Buffer.from(payload)));
  const { changed } = appended;
  // A party that has changed meanwhile receives nothing: the next read of its subscription refuses it.
  for (const { watcher, upTo } of deliverTo) if (!changed.has(watcher.party)) watcher.recordedUpTo = upTo;
  return position;
}
