/** Streams of mailboxes, as fast as their reader reads and acknowledges: of one session, or of all sessions of a party. */
import { Departure, type Gone } from '../base/gone.js';
import type { SessionState } from '../../generated/proto/router/v1/router_pb.js';
import {
  MAX_WINDOW,
  type MailboxDelivery,
  type MailboxPage,
  type MailboxStore,
} from '../mailbox/mailbox-store.js';
import type { PartyIdentity, SessionEnds, SigningSessions, TerminalState } from '../signing/router-port.js';
import { partyKey } from './identity.js';
import {
  MAX_MAILBOX_SESSIONS,
  MAX_OPEN_SESSIONS,
  PAGE_BYTES,
  PAGE_DELIVERIES,
  PARTY_PAGE_BYTES,
  TOTAL_PAGE_BYTES,
} from './limits.js';
import { deliveryMessage, stateMessage } from './messages.js';
import { openStreamLoop, type StreamLoop } from './party-stream.js';
import { notFound, Refused } from './refusal.js';
import type { Send } from './typed-service.js';

/** Deliveries of a session, or its end; nothing for a keepalive. */
interface MailboxItem {
  readonly sessionId?: string;
  readonly deliveries?: ReturnType<typeof deliveryMessage>[];
  readonly closedWith?: SessionState;
}

const OPENED_TOGETHER = 32;

interface MailboxSubscription {
  readonly mailboxes: MailboxStore;
  readonly ends: SessionEnds;
  readonly room: PageRoom;
  /** Adds the sessions in progress of the party; null for those of `after` alone. */
  readonly sessions: Pick<SigningSessions, 'inProgress'> | null;
  readonly party: PartyIdentity;
  /** The last positions that the party has, by session; other sessions resume after the last acknowledged position. */
  readonly after: ReadonlyMap<string, number>;
  readonly signal: Gone;
  readonly send: Send<MailboxItem>;
}

interface OpenSession {
  readonly sessionId: string;
  /** Null until the session has had its first turn. */
  reader: MailboxReader | null;
  endedWith: TerminalState | null;
  /** Stops watching for the end of the session. */
  unwatch: () => void;
}

interface MailboxStreamState {
  readonly subscription: MailboxSubscription;
  readonly loop: StreamLoop;
  readonly open: Map<string, OpenSession>;
  /** Sessions that may have something to send, in the order of their turns. */
  readonly due: Set<OpenSession>;
  /** Sessions that have ended, until a list of the sessions in progress omits them. */
  readonly ended: Set<string>;
  /** The page on its way to the client. */
  readonly page: PagePlace;
  /** Sessions whose next page has no room. */
  readonly blocked: Set<OpenSession>;
  /** The reason why the sessions of the party can no longer be followed. */
  failure: { readonly error: unknown } | null;
}

/** SubscribeMessages: the mailbox of one session. @param after the last position that the party has; 0 for the last acknowledged one */
export const messageStream = (
  subscription: Omit<MailboxSubscription, 'sessions' | 'after'>,
  sessionId: string,
  after: number,
): Promise<void> => mailboxStream({ ...subscription, sessions: null, after: new Map([[sessionId, after]]) });

/**
 * SubscribeMailbox: the mailboxes of several sessions, which take turns. Ends when the signal is aborted, after the lifetime of
 * a stream, and with the last of its sessions where no other ones are added.
 * @throws Refused NOT_FOUND and FAILED_PRECONDITION for a position, ABORTED when a newer reader of a session came,
 * RESOURCE_EXHAUSTED for too many sessions
 */
export async function mailboxStream(subscription: MailboxSubscription): Promise<void> {
  const loop = openStreamLoop(subscription.signal);
  const state: MailboxStreamState = {
    subscription,
    loop,
    open: new Map(),
    due: new Set(),
    ended: new Set(),
    page: subscription.room.place(partyKey(subscription.party), () => unblock(state)),
    blocked: new Set(),
    failure: null,
  };
  const gone = new Departure();
  try {
    for (const sessionId of subscription.after.keys()) add(state, sessionId);
    if (subscription.sessions !== null) void follow(state, subscription.sessions, gone);
    while (!loop.ended && (subscription.sessions !== null || state.open.size > 0)) {
      if (state.failure !== null) throw state.failure.error;
      const [session] = state.due;
      const item = session === undefined ? null : await takeTurn(state, session);
      if (item !== null) await subscription.send(item);
      state.page.release();
      if (item !== null) loop.sent();
      else if (loop.silent) {
        await subscription.send({});
        loop.sent();
      } else if (state.due.size === 0) await loop.next();
    }
  } finally {
    gone.abort();
    state.page.close();
    for (const session of state.open.values()) close(session);
    loop.close();
  }
}

/** Adds the sessions in progress, and those that start later. */
async function follow(
  state: MailboxStreamState,
  sessions: Pick<SigningSessions, 'inProgress'>,
  signal: Gone,
): Promise<void> {
  const { party } = state.subscription;
  try {
    for await (const found of sessions.inProgress(party, MAX_MAILBOX_SESSIONS + 1, signal)) {
      for (const sessionId of found)
        if (!state.open.has(sessionId) && !state.ended.has(sessionId)) add(state, sessionId);
      for (const sessionId of state.ended)
        if (!found.some((one) => one === sessionId)) state.ended.delete(sessionId);
      // Positions of the client may be of sessions that have ended: they count until their end is read.
      if (found.length > MAX_MAILBOX_SESSIONS || state.open.size > MAX_OPEN_SESSIONS)
        throw new Refused(
          'too-many-sessions',
          `at most ${String(MAX_MAILBOX_SESSIONS)} sessions on a stream`,
        );
    }
  } catch (error) {
    state.failure = { error };
    state.loop.wake();
  }
}

function add(state: MailboxStreamState, sessionId: string): void {
  const session: OpenSession = { sessionId, reader: null, endedWith: null, unwatch: () => undefined };
  state.open.set(sessionId, session);
  becomeDue(state, session);
}

function becomeDue({ due, loop }: MailboxStreamState, session: OpenSession): void {
  due.add(session);
  loop.wake();
}

function unblock(state: MailboxStreamState): void {
  const blocked = [...state.blocked];
  state.blocked.clear();
  for (const session of blocked) {
    session.reader?.retry();
    becomeDue(state, session);
  }
}

function close({ reader, unwatch }: OpenSession): void {
  reader?.close();
  unwatch();
}

/** Returns one page of a session, or its end; null if it has nothing to send. */
async function takeTurn(state: MailboxStreamState, session: OpenSession): Promise<MailboxItem | null> {
  const { sessionId } = session;
  state.due.delete(session);
  if (session.reader === null) await openNext(state, session);
  const { reader } = session;
  if (reader === null) return null;
  if (session.endedWith !== null) {
    close(session);
    // The end may have come while other sessions were opened.
    state.due.delete(session);
    state.blocked.delete(session);
    state.open.delete(sessionId);
    state.ended.add(sessionId);
    return { sessionId, closedWith: stateMessage(session.endedWith) };
  }
  const deliveries = reader.due ? await reader.next() : [];
  if (reader.due || session.endedWith !== null) becomeDue(state, session);
  if (deliveries.length === 0) return null;
  return { sessionId, deliveries: deliveries.map((delivery) => deliveryMessage(sessionId, delivery)) };
}

/** Opens a session together with the next ones that are not open yet. */
async function openNext(state: MailboxStreamState, session: OpenSession): Promise<void> {
  const next = [session];
  for (const other of state.due) {
    if (next.length >= OPENED_TOGETHER) break;
    if (other.reader === null) next.push(other);
  }
  // All are waited for, so that the stream does not end while one is being opened.
  const opened = next.map((one) => openSession(state, one));
  await Promise.allSettled(opened);
  await Promise.all(opened);
}

/** Watches for the end after the opening, which refuses a session that is not of the party. */
async function openSession(state: MailboxStreamState, session: OpenSession): Promise<void> {
  const { mailboxes, ends, party, after } = state.subscription;
  const { sessionId } = session;
  session.reader = await openMailboxReader({
    ...{ mailboxes, party, sessionId },
    after: after.get(sessionId) ?? 0,
    onDue: () => becomeDue(state, session),
    admit(bytes) {
      const isAdmitted = state.page.take(bytes);
      if (!isAdmitted) state.blocked.add(session);
      return isAdmitted;
    },
  });
  session.unwatch = ends.watch(sessionId, (ended) => {
    session.endedWith = ended;
    becomeDue(state, session);
  });
}

// Reads one mailbox in order, as fast as the party acknowledges.

interface MailboxReader {
  /** Whether there may be deliveries, so that `next` should be called. */
  readonly due: boolean;
  /**
   * Returns the next deliveries; none if there are none now or the window is full.
   * @throws Refused NOT_FOUND, ABORTED when a newer reader came
   */
  next(): Promise<readonly MailboxDelivery[]>;
  /** Makes the reader due. */
  retry(): void;
  close(): void;
}

interface MailboxReaderParts {
  readonly mailboxes: MailboxStore;
  readonly party: PartyIdentity;
  readonly sessionId: string;
  /** The last position that the party has; 0 resumes after the last acknowledged position. */
  readonly after: number;
  /** Called when the reader has become due. */
  readonly onDue: () => void;
  /** Whether there is room for a page. Called with its bytes before it is read. */
  readonly admit: (bytes: number) => boolean;
}

interface ReaderState {
  readonly parts: MailboxReaderParts;
  /** The number of the reader. */
  readonly reader: number;
  position: number;
  acked: number;
  due: boolean;
}

/** @throws Refused NOT_FOUND, FAILED_PRECONDITION for a position ahead of the mailbox */
export async function openMailboxReader(parts: MailboxReaderParts): Promise<MailboxReader> {
  const { mailboxes, party, sessionId, after, onDue } = parts;
  const opened = await mailboxes.open(party, sessionId, after);
  if (opened.kind === 'not-found') throw notFound();
  if (opened.kind === 'not-delivered')
    throw new Refused('not-delivered', `after_sequence: ${String(opened.delivered)} was delivered last`);
  const { position, acked, reader } = opened;
  const state: ReaderState = { parts, reader, position, acked, due: true };
  const close = mailboxes.watch(party, sessionId, reader, () => {
    state.due = true;
    onDue();
  });
  return {
    get due() {
      return state.due;
    },
    next: () => readPage(state),
    retry: () => (state.due = true),
    close,
  };
}

async function readPage(state: ReaderState): Promise<readonly MailboxDelivery[]> {
  const { mailboxes, party, sessionId, admit } = state.parts;
  // Set before the read, so that a change during the read makes the reader due again.
  state.due = false;
  const room = Math.max(0, MAX_WINDOW - (state.position - state.acked));
  const page = await mailboxes.read(party, sessionId, state.position, {
    deliveries: Math.min(PAGE_DELIVERIES, room),
    bytes: PAGE_BYTES,
    admit,
  });
  return takePage(state, room, page);
}

/** @param room of the window before the page was read */
function takePage(state: ReaderState, room: number, page: MailboxPage | null): readonly MailboxDelivery[] {
  if (page === null) throw notFound();
  // The stream learns the final state from its watch of the session's end.
  if (page.ended === true) return page.deliveries;
  if (page.marks.reader !== state.reader)
    throw new Refused('superseded', 'a newer subscription reads this mailbox');
  state.acked = page.marks.acked;
  state.position = page.deliveries.at(-1)?.sequence ?? state.position;
  const isOpen = state.position - state.acked < MAX_WINDOW;
  // More messages wait, or acknowledgements that came with this page have opened the window.
  if (page.deliveries.length > 0 ? state.position < page.marks.head && isOpen : room === 0 && isOpen)
    state.due = true;
  return page.deliveries;
}

// Room for the pages that clients have not read.

export interface PageRoom {
  /** The place of a stream. @param onRoom called when a page of the party was read after one had no room */
  place(party: string, onRoom: () => void): PagePlace;
}

/** Has one page at a time. */
interface PagePlace {
  /** False if there is no room. */
  take(bytes: number): boolean;
  release(): void;
  close(): void;
}

/** A party that has no unread page always has room for one, so that no party can keep others from reading. */
export function createPageRoom(): PageRoom {
  let total = 0;
  /** Parties with unread pages: their bytes, and what waits for room. */
  const parties = new Map<string, { bytes: number; readonly waiting: Set<() => void> }>();
  return {
    place(key, onRoom) {
      let own = 0;
      const release = (): void => {
        const party = parties.get(key);
        if (own === 0 || party === undefined) return;
        party.bytes -= own;
        total -= own;
        own = 0;
        if (party.bytes === 0) parties.delete(key);
        const waiting = [...party.waiting];
        party.waiting.clear();
        for (const wake of waiting) wake();
      };
      return {
        take(bytes) {
          const party = parties.get(key);
          if (party === undefined) parties.set(key, { bytes, waiting: new Set() });
          else if (party.bytes + bytes > PARTY_PAGE_BYTES || total + bytes > TOTAL_PAGE_BYTES) {
            party.waiting.add(onRoom);
            return false;
          } else party.bytes += bytes;
          total += bytes;
          own = bytes;
          return true;
        },
        release,
        close() {
          parties.get(key)?.waiting.delete(onRoom);
          release();
        },
      };
    },
  };
}
