/** SubscribeMailbox: the mailboxes of all sessions of a party on one stream, which take turns. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SubscribeMailboxResponseSchema } from '../../generated/proto/router/v1/router_pb.js';
import type { MailboxStore } from '../mailbox/mailbox-store.js';
import type { PartyIdentity, SessionEnds, SigningSessions, TerminalState } from '../signing/router-port.js';
import type { Send } from './call-options.js';
import { MAX_MAILBOX_SESSIONS, MAX_OPEN_SESSIONS } from './limits.js';
import { openMailboxReader, type MailboxReader } from './message-stream.js';
import { deliveryMessage, stateMessage } from './messages.js';
import { Refused } from './refusal.js';
import { openStreamLoop, type StreamLoop } from './party-stream.js';

type Item = MessageInitShape<typeof SubscribeMailboxResponseSchema>;

const OPENED_TOGETHER = 32;

export interface MailboxSubscription {
  readonly mailboxes: MailboxStore;
  readonly ends: SessionEnds;
  readonly sessions: Pick<SigningSessions, 'inProgress'>;
  readonly party: PartyIdentity;
  /** The last positions that the party has, by session; other sessions resume after the last acknowledged position. */
  readonly after: ReadonlyMap<string, number>;
  readonly signal: AbortSignal;
  readonly send: Send<Item>;
}

interface OpenSession {
  readonly sessionId: string;
  /** Null until the session has had its first turn. */
  reader: MailboxReader | null;
  endedWith: TerminalState | null;
  /** Stops watching for the end of the session. */
  unwatch: () => void;
}

interface State {
  readonly subscription: MailboxSubscription;
  readonly loop: StreamLoop;
  readonly open: Map<string, OpenSession>;
  /** Sessions that may have something to send, in the order of their turns. */
  readonly due: Set<OpenSession>;
  /** Sessions that have ended, until a list of the sessions in progress omits them. */
  readonly ended: Set<string>;
  /** The reason why the sessions of the party can no longer be followed. */
  failure: { readonly error: unknown } | null;
}

/**
 * Ends when the signal is aborted, and after the lifetime of a stream.
 * @throws Refused NOT_FOUND and FAILED_PRECONDITION for a position, ABORTED when a newer reader of a session came,
 * RESOURCE_EXHAUSTED for too many sessions
 */
export async function mailboxStream(subscription: MailboxSubscription): Promise<void> {
  const loop = openStreamLoop(subscription.signal);
  const state: State = {
    subscription,
    loop,
    open: new Map(),
    due: new Set(),
    ended: new Set(),
    failure: null,
  };
  const gone = new AbortController();
  try {
    for (const sessionId of subscription.after.keys()) add(state, sessionId);
    void follow(state, gone.signal);
    while (!loop.ended) {
      if (state.failure !== null) throw state.failure.error;
      const [session] = state.due;
      const item = session === undefined ? null : await takeTurn(state, session);
      if (item !== null) await subscription.send(item);
      else if (loop.silent) await subscription.send({});
      else {
        if (state.due.size === 0) await loop.next();
        continue;
      }
      loop.sent();
    }
  } finally {
    gone.abort('the stream has ended');
    for (const session of state.open.values()) close(session);
    loop.close();
  }
}

/** Adds the sessions in progress, and those that start later. */
async function follow(state: State, signal: AbortSignal): Promise<void> {
  const { sessions, party } = state.subscription;
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

function add(state: State, sessionId: string): void {
  const session: OpenSession = { sessionId, reader: null, endedWith: null, unwatch: () => undefined };
  state.open.set(sessionId, session);
  becomeDue(state, session);
}

function becomeDue({ due, loop }: State, session: OpenSession): void {
  due.add(session);
  loop.wake();
}

function close({ reader, unwatch }: OpenSession): void {
  reader?.close();
  unwatch();
}

/** Returns one page of a session, or its end; null if it has nothing to send. */
async function takeTurn(state: State, session: OpenSession): Promise<Item | null> {
  const { sessionId } = session;
  state.due.delete(session);
  if (session.reader === null) await openNext(state, session);
  const { reader } = session;
  if (reader === null) return null;
  if (session.endedWith !== null) {
    close(session);
    // The end may have come while other sessions were opened.
    state.due.delete(session);
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
async function openNext(state: State, session: OpenSession): Promise<void> {
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
async function openSession(state: State, session: OpenSession): Promise<void> {
  const { mailboxes, ends, party, after } = state.subscription;
  const { sessionId } = session;
  session.reader = await openMailboxReader({
    ...{ mailboxes, party, sessionId },
    after: after.get(sessionId) ?? 0,
    onDue: () => becomeDue(state, session),
  });
  session.unwatch = ends.watch(sessionId, (ended) => {
    session.endedWith = ended;
    becomeDue(state, session);
  });
}
