/**
 * The log of one session in this process: each change is decided on the entries so far and written right after them; if
 * another process was faster, its entries are applied and the change is decided again. So processes agree without locks.
 */
import { lruCache } from '../base/lru-cache.js';
import type { LogEntry, LoggedMessage, LogPage, LogSession, MailboxLog } from './mailbox-log.js';
import type { AcceptedDelivery, MailboxWatchers } from './mailbox-watchers.js';
import { apply, type SentReference, type SessionMailboxes } from './session-mailboxes.js';

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
  /** The first reading of the log by this process, while it lasts. */
  beginning: Beginning | null;
  /** Settles with the last change that was begun: changes of a session run one after another. */
  turn: Promise<unknown>;
  /** Changes that have begun or wait for their turn. */
  changes: number;
  /** Time of the last call that used it, in milliseconds of `performance.now()`. */
  usedAt: number;
  /** Stops following the session. */
  leave: () => void;
}

interface Beginning {
  /** All calls wait for it. */
  readonly ended: Promise<void>;
  /** Another process has reported a change since, which the reading may not have found. */
  isReported: boolean;
}

/** Dependencies of the changes of sessions. */
export interface LogAccess {
  readonly log: MailboxLog;
  readonly watchers: MailboxWatchers;
  readonly payloads: PayloadCache;
}

/** A change as decided on the current mailboxes: its outcome, and the entry to write first. */
export interface Change<Outcome> {
  readonly outcome: Outcome;
  readonly entry: LogEntry | null;
  /** Payloads of the messages of the entry, in order. */
  readonly payloads?: readonly Buffer[];
  /** The entry counts as delivered to these subscriptions once it is written. */
  readonly deliverTo?: readonly AcceptedDelivery[];
}

export interface ChangeSteps<Outcome> {
  /** Reads what the decision needs. Null: all of it is in memory. */
  readonly prepare?: () => Promise<void> | null;
  readonly decide: (mailboxes: SessionMailboxes) => Change<Outcome>;
}

/** Decides a change and writes it, after the changes before. Null when the session has ended. */
export function changeInTurn<Outcome>(
  access: LogAccess,
  session: FollowedSession,
  steps: ChangeSteps<Outcome>,
): Promise<Outcome | null> {
  const work = () => decideAndWrite(access, session, steps);
  session.changes += 1;
  const turn = session.changes === 1 ? work() : session.turn.then(work, work);
  session.turn = turn;
  return turn;
}

async function decideAndWrite<Outcome>(
  access: LogAccess,
  session: FollowedSession,
  { prepare, decide }: ChangeSteps<Outcome>,
): Promise<Outcome | null> {
  const { mailboxes } = session;
  try {
    if (!session.caughtUp) await catchUp(access, session);
    for (;;) {
      const preparing = prepare?.() ?? null;
      if (preparing !== null) await preparing;
      const { version } = mailboxes;
      const change = decide(mailboxes);
      const { outcome, entry } = change;
      if (entry !== null) {
        const written = await write(access, session, change, entry);
        if (written === 'written') return outcome;
        if (written === 'ended') return null;
      } else {
        await catchUp(access, session);
        // Without an entry, the outcome follows from all that was written.
        if (mailboxes.version === version) return outcome;
      }
    }
  } finally {
    session.changes -= 1;
  }
}

/** Writes an entry after the last one. Another process may have been faster: its entries are applied then. */
async function write(
  access: LogAccess,
  session: FollowedSession,
  { payloads = [], deliverTo = [] }: Change<unknown>,
  entry: LogEntry,
): Promise<'written' | 'taken' | 'ended'> {
  const { log, watchers } = access;
  const { tenantId, sessionId, position } = session;
  const receivers = deliverTo.map(({ watcher }) => watcher.party);
  // If no other writer was first, the row of the session is locked, perhaps by the transaction that ends it.
  for (const waits of [false, true]) {
    const added = { entry, payloads, receivers };
    const appended = await log.append({ tenantId, sessionId, position }, added, waits);
    if (appended.kind === 'written') {
      const { changed } = appended;
      // Copies: what came are views of the whole request.
      keepPayloads(
        access,
        session,
        appended.entry,
        payloads.map((payload) => Buffer.from(payload)),
      );
      // A party that has changed meanwhile receives nothing: the next read of its subscription refuses it.
      for (const { watcher, upTo } of deliverTo) if (!changed.has(watcher.party)) watcher.recordedUpTo = upTo;
      applyEntry(session, appended.position, appended.entry);
      watchers.notify(sessionId, readersOf(entry));
      log.publish(sessionId);
      return 'written';
    }
    await catchUp(access, session);
    if (session.position > position) return 'taken';
  }
  return 'ended';
}

/** The parties whose mailboxes an entry changes. */
const readersOf = (entry: LogEntry): readonly string[] =>
  entry.kind === 'messages' ? entry.messages.flatMap(({ recipients }) => recipients) : [entry.partyId];

/** Applies an entry once, whether it was written or read first. */
function applyEntry(session: FollowedSession, position: number, entry: LogEntry): void {
  if (position <= session.position) return;
  apply(session.mailboxes, position, entry);
  session.position = position;
}

// Readings of the log. Each wakes the subscriptions of a session for what it applies: that is not new to a later reading,
// which the report of the other process causes.

/** Applies what this process has not applied, and prepares a session that is new to it. */
export function catchUp(access: LogAccess, session: FollowedSession): Promise<void> {
  if (session.caughtUp) return readOn(access, [session]);
  session.beginning ??= {
    ended: begin(access, session).finally(() => (session.beginning = null)),
    isReported: false,
  };
  return session.beginning.ended;
}

async function begin(access: LogAccess, session: FollowedSession): Promise<void> {
  const page = await access.log.begin(session);
  applyPage(access, session, page);
  if (!page.isLast) await readOn(access, [session]);
  session.caughtUp = true;
  if (session.beginning?.isReported === true) await readOn(access, [session]);
}

/** Reads what other processes have written. A session that is being read for the first time is read again after it. */
export function readChanges(access: LogAccess, sessions: readonly FollowedSession[]): Promise<void> {
  for (const { beginning } of sessions) if (beginning !== null) beginning.isReported = true;
  return readOn(
    access,
    sessions.filter(({ caughtUp }) => caughtUp),
  );
}

/** Applies pages of entries until there are no more. */
async function readOn(access: LogAccess, sessions: readonly FollowedSession[]): Promise<void> {
  for (let left = sessions; left.length > 0;) {
    const pages = await access.log.read(left);
    left = left.filter((session, index) => {
      const page = pages[index];
      return page !== undefined && applyPage(access, session, page) && !page.isLast;
    });
  }
}

/** Returns whether there was an entry that this process did not have. */
function applyPage(access: LogAccess, session: FollowedSession, { entries, positions }: LogPage): boolean {
  const { mailboxes, position: before } = session;
  const { version } = mailboxes;
  // Positions are applied first, so that acknowledged messages take no memory.
  for (const { partyId, acked, delivered } of positions) {
    apply(mailboxes, null, { kind: 'delivered', partyId, upTo: delivered });
    apply(mailboxes, null, { kind: 'acked', partyId, upTo: acked });
  }
  for (const { position, entry, payloads } of entries) {
    applyEntry(session, position, entry);
    if (payloads !== null) keepPayloads(access, session, entry, payloads);
  }
  if (mailboxes.version !== version) access.watchers.notify(session.sessionId, null);
  return session.position > before;
}

/** Reads a sent message from the log. Null when the session has ended. */
export async function recallMessage(
  { log }: LogAccess,
  { tenantId, sessionId }: LogSession,
  fromPartyId: string,
  { senderSequence, position }: SentReference,
): Promise<LoggedMessage | null> {
  const entry = await log.entry({ tenantId, sessionId, position });
  if (entry?.kind !== 'messages') return null;
  const isSought = (one: LoggedMessage): boolean =>
    one.fromPartyId === fromPartyId && one.senderSequence === senderSequence;
  return entry.messages.find(isSought) ?? null;
}

// Payloads of messages: recent ones in memory, others from the log.

/** Bounds of the payloads in memory; others are read again when they are delivered. */
const PAYLOAD_CACHE_BYTES = 33_554_432;
const PAYLOAD_CACHE_ENTRIES = 100_000;

type Placed = Pick<LoggedMessage, 'payload'>;

interface PayloadCache {
  get(session: LogSession, message: Placed): Buffer | undefined;
  set(session: LogSession, message: Placed, payload: Buffer): void;
}

export function createPayloadCache(): PayloadCache {
  const cache = lruCache<Buffer>({
    maxEntries: PAYLOAD_CACHE_ENTRIES,
    maxBytes: PAYLOAD_CACHE_BYTES,
    bytesOf: ({ length }) => length,
  });
  const key = ({ sessionId }: LogSession, { payload }: Placed): string => `${sessionId} ${payload.join(' ')}`;
  return {
    get: (session, message) => cache.get(key(session, message)),
    set: (session, message, payload) => cache.set(key(session, message), payload),
  };
}

function keepPayloads(
  { payloads: cache }: LogAccess,
  session: LogSession,
  entry: LogEntry,
  payloads: readonly Buffer[],
): void {
  if (entry.kind !== 'messages') return;
  entry.messages.forEach((message, place) => {
    const payload = payloads[place];
    if (payload !== undefined) cache.set(session, message, payload);
  });
}

/** Null for a payload that was removed, as it is when the session has ended. */
export async function payloadsOf(
  { log, payloads: cache }: LogAccess,
  session: FollowedSession,
  messages: readonly LoggedMessage[],
): Promise<readonly (Buffer | null)[]> {
  const known = messages.map((message) => cache.get(session, message) ?? null);
  const missing = messages.filter((_message, index) => known[index] === null);
  if (missing.length === 0) return known;
  const read = await log.payloads(
    session,
    missing.map(({ payload }) => payload),
  );
  const found = new Map(missing.map((message, index) => [message, read[index] ?? null]));
  for (const [message, payload] of found) if (payload !== null) cache.set(session, message, payload);
  return messages.map((message, index) => known[index] ?? found.get(message) ?? null);
}
