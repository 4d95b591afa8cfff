/**
 * The mailboxes over a log: each process has the mailboxes of its sessions in memory, and reads what other processes have
 * written when they report it, and by polling.
 */
import type { Observe } from '../observability/observation.js';
import { repeat } from '../observability/repeat.js';
import { parseUuid } from '../base/identifiers.js';
import {
  isTerminal,
  refuseChanged,
  type PartyIdentity,
  type PartyRegistry,
  type SessionEnds,
  type SigningSessions,
  type TerminalState,
} from '../signing/router-port.js';
import { createFollowedSessions, sessionOf, type FollowedSessions } from './followed-sessions.js';
import type { LogEntry, LoggedMessage, MailboxLog, OpenMailboxLog } from './mailbox-log.js';
import {
  ENDED_PAGE,
  MAX_WINDOW,
  MailboxesAway,
  type AckOutcome,
  type AppendOutcome,
  type MailboxPage,
  type MailboxStore,
  type OpenOutcome,
  type OutgoingMessage,
  type PageLimits,
} from './mailbox-store.js';
import { createMailboxWatchers } from './mailbox-watchers.js';
import {
  catchUp,
  changeInTurn,
  createPayloadCache,
  payloadsOf,
  readChanges,
  recallMessage,
  type Change,
  type FollowedSession,
  type LogAccess,
} from './session-changes.js';
import {
  apply,
  deliveredOf,
  deliveryOf,
  judgeAck,
  judgeOpen,
  judgeSend,
  marksOf,
  messagesToRecall,
  waitingOf,
  type FreshMessage,
  type Judgement,
} from './session-mailboxes.js';

interface MailboxStoreParts {
  readonly open: OpenMailboxLog;
  readonly sessions: Pick<SigningSessions, 'session'>;
  readonly parties: Pick<PartyRegistry, 'refuseChanged'>;
  readonly ends: SessionEnds;
  readonly observe: Observe;
  /** Time between two purges of ended sessions, in milliseconds. */
  readonly purgeIntervalMs?: number;
}

const PURGE_INTERVAL_MS = 10_000;

/** The state of the store. */
interface Store extends LogAccess, Pick<MailboxStoreParts, 'sessions' | 'parties'> {
  readonly followed: FollowedSessions;
}

export function createMailboxStore(parts: MailboxStoreParts): MailboxStore {
  const { sessions, parties, ends, observe } = parts;
  const watchers = createMailboxWatchers();
  const log = parts.open((sessionIds) => readChanges(store, followed.among(sessionIds)));
  const followed = createFollowedSessions({
    ...{ sessions, ends },
    follow: (sessionId) => log.follow(sessionId),
    isWatched: (sessionId) => watchers.isWatched(sessionId),
    onEnd(sessionId) {
      watchers.notify(sessionId, null);
      // Where this fails, the next purge finds the session again.
      log.purge(sessionId).catch(() => undefined);
    },
  });
  const store: Store = { log, followed, watchers, payloads: createPayloadCache(), sessions, parties };
  const purging = repeat(() => purgeEnded(log, ends), {
    intervalMs: parts.purgeIntervalMs ?? PURGE_INTERVAL_MS,
    observe,
    failure: (error) => ({ kind: 'purge-failed', error }),
  });
  return {
    append: (party, sessionId, messages) => append(store, party, sessionId, messages),
    open: (party, sessionId, after) => open(store, party, sessionId, after),
    read: (party, sessionId, after, limits) => read(store, party, sessionId, after, limits),
    ack: (party, sessionId, upTo) => ack(store, party, sessionId, upTo),
    watch: (party, sessionId, reader, onChange) =>
      watchers.add(sessionId, { party, reader, onChange, recordedUpTo: 0 }),
    place: () => log.place(),
    async close() {
      watchers.notifyAll();
      followed.close();
      await purging.close();
      await log.close();
    },
  };
}

/**
 * Forgets the logs of sessions that have ended: those whose purge failed, and those that no process followed to their
 * end. Sessions that this database does not know may be another's on the same bus, and are left to their age.
 */
async function purgeEnded(log: MailboxLog, ends: Pick<SessionEnds, 'ended'>): Promise<void> {
  const kept = (await log.sessions()).map(parseUuid).filter((sessionId) => sessionId !== null);
  if (kept.length === 0) return;
  for (const sessionId of await ends.ended(kept)) await log.purge(sessionId);
}

async function append(
  store: Store,
  party: PartyIdentity,
  sessionId: string,
  messages: readonly OutgoingMessage[],
): Promise<AppendOutcome> {
  const found = await store.followed.findStarted(party, sessionId);
  if (found.kind !== 'found') return found;
  const outcome = await send(store, found.session, party, messages);
  if (outcome === null || outcome.kind === 'not-found') {
    const state = await endOf(store, party, sessionId);
    return state === null ? { kind: 'not-found' } : { kind: 'wrong-state', state };
  }
  if (outcome.kind !== 'equivocation') return outcome;
  return { ...outcome, first: await withPayload(store, found.session, outcome.first) };
}

/**
 * The state in which a session has ended whose log takes no entry; null for a session that is gone.
 * @throws MailboxesAway if it has not ended: the log has lost what this process has read
 */
async function endOf(
  { sessions }: Store,
  party: PartyIdentity,
  sessionId: string,
): Promise<TerminalState | null> {
  const session = await sessionOf(sessions, party, sessionId);
  if (session === null) return null;
  if (!isTerminal(session.state)) throw new MailboxesAway('the log of the session has lost entries');
  return session.state;
}

/** Null when the session has ended. */
function send(
  store: Store,
  session: FollowedSession,
  { partyId }: PartyIdentity,
  messages: readonly OutgoingMessage[],
): Promise<Judgement['outcome'] | null> {
  /** Messages that are no longer in memory. */
  const recalled = new Map<number, LoggedMessage>();
  let isGone = false;
  const missing = () => messagesToRecall(session.mailboxes, partyId, messages, recalled);
  /** Further messages may be acknowledged by all recipients meanwhile, so it checks again. */
  async function recall(): Promise<void> {
    for (let [reference] = missing(); reference !== undefined && !isGone; [reference] = missing()) {
      const message = await recallMessage(store, session, partyId, reference);
      if (message === null) isGone = true;
      else recalled.set(reference.senderSequence, message);
    }
  }
  return changeInTurn<Judgement['outcome']>(store, session, {
    prepare: () => (missing().length === 0 ? null : recall()),
    decide(mailboxes) {
      if (isGone) return { outcome: { kind: 'not-found' }, entry: null };
      const judgement = judgeSend(mailboxes, partyId, messages, recalled);
      if (!('fresh' in judgement) || judgement.fresh.length === 0)
        return { outcome: judgement.outcome, entry: null };
      if (store.followed.isFull()) return { outcome: { kind: 'store-full' }, entry: null };
      const { outcome, fresh } = judgement;
      const deliverTo = store.watchers.upToDate(session.sessionId, mailboxes, fresh);
      const deliveredTo = deliverTo.map(({ watcher }) => watcher.party.partyId);
      const sentAt = new Date();
      const logged = fresh.map((one) => loggedMessage(partyId, one, sentAt));
      const payloads = fresh.map(({ message }) => message.payload);
      return { outcome, entry: { kind: 'messages', messages: logged, deliveredTo }, payloads, deliverTo };
    },
  });
}

const loggedMessage = (
  fromPartyId: string,
  { message: { payload, ...message }, recipients }: FreshMessage,
  sentAt: Date,
): LoggedMessage => ({
  ...message,
  recipients,
  sentAt,
  fromPartyId,
  // A copy: what came is a view of the whole request, which would be kept with it.
  signature: Buffer.from(message.signature),
  payloadSize: payload.length,
  payload: [],
});

/** @throws MailboxesAway if the payload was removed, as it is when the session has ended */
async function withPayload(
  store: Store,
  session: FollowedSession,
  message: LoggedMessage | OutgoingMessage,
): Promise<OutgoingMessage> {
  if (!('payloadSize' in message)) return message;
  const [payload = null] = await payloadsOf(store, session, [message]);
  if (payload === null) throw new MailboxesAway('the payload of a message is gone');
  const { messageId, toPartyIds, round, senderSequence, signature, contentSha256 } = message;
  return { messageId, toPartyIds, round, senderSequence, payload, signature, contentSha256 };
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
  const outcome = await changeInTurn<OpenOutcome>(store, session, {
    // The party may have read through another process.
    prepare: () => catchUp(store, session),
    decide(mailboxes) {
      const judged = judgeOpen(mailboxes, partyId, after);
      if (judged.kind !== 'opened') return { outcome: judged, entry: null };
      const { acked } = judged;
      const delivered = deliveredOf(mailboxes, partyId);
      return { outcome: judged, entry: { kind: 'opened', partyId, after, acked, delivered } };
    },
  });
  if (outcome?.kind === 'not-delivered' && (await isOver(store, party, sessionId))) return empty;
  if (outcome !== null) return outcome;
  await endOf(store, party, sessionId);
  return empty;
}

/**
 * Whether the session has ended. Its end erases the positions of its readers, so that a process that reads them for the
 * first time meanwhile finds none.
 */
async function isOver({ sessions }: Store, party: PartyIdentity, sessionId: string): Promise<boolean> {
  const session = await sessionOf(sessions, party, sessionId);
  return session === null || isTerminal(session.state);
}

async function read(
  store: Store,
  party: PartyIdentity,
  sessionId: string,
  after: number,
  limits: PageLimits,
): Promise<MailboxPage | null> {
  const found = await store.followed.find(party, sessionId);
  if (found.kind === 'not-found') return null;
  if (found.kind === 'wrong-state') return ENDED_PAGE;
  const { session } = found;
  if (!session.caughtUp) await catchUp(store, session);
  const marks = marksOf(session.mailboxes, party.partyId);
  if (marks === null) return null;
  const next = waitingOf(session.mailboxes, party.partyId, after, limits);
  const bytes = next.reduce((total, { message }) => total + message.payloadSize + DELIVERY_BYTES, 0);
  const waiting = bytes > 0 && limits.admit?.(bytes) === false ? [] : next;
  const payloads = await payloadsOf(
    store,
    session,
    waiting.map(({ message }) => message),
  );
  // The end of a session removes its payloads: no later message is delivered either.
  const gone = payloads.indexOf(null);
  const deliveries = waiting
    .slice(0, gone < 0 ? waiting.length : gone)
    .map((one, index) => deliveryOf(one, payloads[index] ?? NO_BYTES));
  const last = deliveries.at(-1);
  if (last !== undefined && !(await recordDelivery(store, party, session, last.sequence))) {
    await endOf(store, party, sessionId);
    return ENDED_PAGE;
  }
  // Read now: an acknowledgement that came meanwhile did not count these deliveries, and woke no reader.
  return { marks: marksOf(session.mailboxes, party.partyId) ?? marks, deliveries };
}

const NO_BYTES = Buffer.alloc(0);
/** A delivery without its payload. */
const DELIVERY_BYTES = 1024;

/** False when the session has ended. @throws PartyRefused if the party has changed since it was identified */
async function recordDelivery(
  store: Store,
  party: PartyIdentity,
  session: FollowedSession,
  upTo: number,
): Promise<boolean> {
  const { partyId } = party;
  const { mailboxes, sessionId } = session;
  const { readers } = store.log;
  const isRecorded = store.watchers.isRecorded(party, sessionId, upTo);
  if (readers === null) {
    const isOpen = isRecorded || (await advance(store, session, { kind: 'delivered', partyId, upTo }));
    // After the reading: a change that was made before it is seen. The stream of an idle reader is ended by its watch.
    await store.parties.refuseChanged(party);
    return isOpen;
  }
  if (isRecorded) return true;
  const delivered = await readers.deliver(party, sessionId, upTo);
  if (delivered.kind === 'party-changed') refuseChanged(delivered.change);
  if (delivered.kind !== 'delivered') return false;
  apply(mailboxes, null, { kind: 'delivered', partyId, upTo });
  return true;
}

/** Writes a position of a reader as an entry, unless it has been reached. False when the session has ended. */
async function advance(
  store: Store,
  session: FollowedSession,
  entry: Extract<LogEntry, { readonly kind: 'delivered' | 'acked' }>,
): Promise<boolean> {
  const { boxes } = session.mailboxes;
  const isReached = (): boolean => entry.upTo <= (boxes.get(entry.partyId)?.[entry.kind] ?? 0);
  if (isReached()) return true;
  const decide = (): Change<true> => ({ outcome: true, entry: isReached() ? null : entry });
  return (await changeInTurn(store, session, { decide })) ?? false;
}

async function ack(store: Store, party: PartyIdentity, sessionId: string, upTo: number): Promise<AckOutcome> {
  const { partyId } = party;
  const found = await store.followed.find(party, sessionId);
  if (found.kind === 'not-found') return found;
  if (found.kind === 'wrong-state') return { kind: 'acked', acked: upTo };
  const { session } = found;
  const { mailboxes } = session;
  if (!session.caughtUp) await catchUp(store, session);
  // Another process may have delivered.
  if (judgeAck(mailboxes, partyId, upTo).kind === 'not-delivered') await catchUp(store, session);
  const judged = judgeAck(mailboxes, partyId, upTo);
  const before = marksOf(mailboxes, partyId)?.acked ?? 0;
  if (judged.kind === 'not-delivered' && (await isOver(store, party, sessionId)))
    return { kind: 'acked', acked: upTo };
  if (judged.kind !== 'acked' || upTo <= before) return judged;
  const { readers } = store.log;
  if (readers === null) {
    if (!(await advance(store, session, { kind: 'acked', partyId, upTo })))
      await endOf(store, party, sessionId);
    return { kind: 'acked', acked: Math.max(upTo, marksOf(mailboxes, partyId)?.acked ?? 0) };
  }
  const acked = await readers.ack(party, sessionId, upTo);
  if (acked === null) return { kind: 'acked', acked: upTo };
  const wasFull = deliveredOf(mailboxes, partyId) - before >= MAX_WINDOW;
  apply(mailboxes, null, { kind: 'acked', partyId, upTo: acked });
  if (wasFull) {
    // The stream waits for room.
    store.watchers.notify(sessionId, [partyId]);
    store.log.publish(sessionId);
  }
  return { kind: 'acked', acked };
}
