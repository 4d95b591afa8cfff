/**
 * Mailboxes in a log outside the database: every change, also of the positions of readers, is an entry of the log of its
 * session (`followed-sessions`).
 */
import type { PartyIdentity, PartyRegistry, SessionEnds, SigningSessions } from '../signing/router-port.js';
import type { Observe } from '../observability/observation.js';
import { repeat } from '../observability/repeat.js';
import { parseUuid } from '../base/identifiers.js';
import { applyEntry, type Change, type FollowedSession } from './followed-session.js';
import { createFollowedSessions, type FollowedSessions } from './followed-sessions.js';
import type { MailboxLog, OpenMailboxLog } from './mailbox-log.js';
import {
  ENDED_PAGE,
  fittingPage,
  type AckOutcome,
  type AppendOutcome,
  type MailboxMarks,
  type MailboxPage,
  type MailboxStore,
  type OpenOutcome,
  type OutgoingMessage,
  type PageLimits,
  MailboxesAway,
  type MailboxDelivery,
} from './mailbox-store.js';
import { loggedMessage, type LogEntry, sentMessage, type LoggedMessage } from './log-entry.js';
import { judgeAck, judgeOpen, judgeSend, type Judgement } from './judgements.js';
import {
  deliveredOf,
  marksOf,
  waitingOf,
  type SessionMailboxes,
  type WaitingDelivery,
  deliveryOf,
} from './session-mailboxes.js';
import { createMailboxWatchers, type MailboxWatchers } from './mailbox-watchers.js';
import { deliveriesWithAcceptance, isRecorded } from './accepted-deliveries.js';
import { recallMissing } from './recall-messages.js';

export interface LogMailboxStoreParts {
  readonly open: OpenMailboxLog;
  readonly sessions: Pick<SigningSessions, 'session'>;
  readonly parties: Pick<PartyRegistry, 'refuseChanged'>;
  readonly ends: SessionEnds;
  readonly observe: Observe;
  /** Time between two purges of ended sessions, in milliseconds. */
  readonly purgeIntervalMs?: number;
}

const PURGE_INTERVAL_MS = 10_000;

interface Store {
  readonly log: MailboxLog;
  readonly followed: FollowedSessions;
  readonly watchers: MailboxWatchers;
  readonly parties: Pick<PartyRegistry, 'refuseChanged'>;
}

export function createLogMailboxStore(parts: LogMailboxStoreParts): MailboxStore {
  const { sessions, ends, observe } = parts;
  const watchers = createMailboxWatchers();
  const log = parts.open((sessionId) => {
    if (sessionId === null) watchers.notifyAll();
    else watchers.notify(sessionId, null);
  });
  const followed = createFollowedSessions(sessions, ends, {
    catchUp: (session) => catchUp(log, session),
    entry: ({ sessionId }, position) => log.entry(sessionId, position),
    async write(session, change, entry) {
      const position = await log.append(session.sessionId, change.position, entry);
      if (position === null) {
        await catchUp(log, session);
        return 'taken';
      }
      for (const { watcher, upTo } of change.deliverTo ?? []) watcher.recordedUpTo = upTo;
      return position;
    },
    onFollow: () => undefined,
    onWritten: ({ sessionId }) => watchers.notify(sessionId, null),
    onDrop: () => undefined,
    isWatched: (sessionId) => watchers.isWatched(sessionId),
    onEnd({ sessionId }) {
      watchers.notify(sessionId, null);
      // Where this fails, the next purge finds the session again.
      log.purge(sessionId).catch(() => undefined);
    },
  });
  const purging = repeat(() => purgeEnded(log, ends), {
    intervalMs: parts.purgeIntervalMs ?? PURGE_INTERVAL_MS,
    observe,
    failure: (error) => ({ kind: 'purge-failed', error }),
  });
  const store: Store = { log, followed, watchers, parties: parts.parties };
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

async function catchUp(log: MailboxLog, session: FollowedSession): Promise<void> {
  for (const { position, entry } of await log.read(session.sessionId, session.position))
    applyEntry(session, position, entry);
  session.caughtUp = true;
}

async function append(
  store: Store,
  party: PartyIdentity,
  sessionId: string,
  messages: readonly OutgoingMessage[],
): Promise<AppendOutcome> {
  const { log, followed } = store;
  const found = await followed.findStarted(party, sessionId);
  if (found.kind !== 'found') return found;
  const { session } = found;
  // A change that is decided again refers to the payloads that it has stored.
  const kept = new Map<OutgoingMessage, Promise<readonly number[]>>();
  const keep = (message: OutgoingMessage): Promise<readonly number[]> => {
    const payload = kept.get(message) ?? log.keep(sessionId, message.payload);
    kept.set(message, payload);
    return payload;
  };
  const outcome = await followed.change(session, () => decideSend(store, session, party, messages, keep));
  if (outcome?.kind !== 'equivocation') return outcome ?? { kind: 'not-found' };
  return { ...outcome, first: await withPayload(log, outcome.first) };
}

async function decideSend(
  { followed, watchers }: Store,
  session: FollowedSession,
  party: PartyIdentity,
  messages: readonly OutgoingMessage[],
  keep: (message: OutgoingMessage) => Promise<readonly number[]>,
): Promise<Change<Judgement['outcome']>> {
  const recalled = await recallMissing(followed, session, party.partyId, messages);
  const { position, mailboxes } = session;
  const refusal = (outcome: Judgement['outcome']): Change<Judgement['outcome']> => ({
    outcome,
    entry: null,
    position,
  });
  if (recalled === null) return refusal({ kind: 'not-found' });
  const judgement = judgeSend(mailboxes, party.partyId, messages, recalled);
  if (!('fresh' in judgement) || judgement.fresh.length === 0) return refusal(judgement.outcome);
  if (followed.isFull()) return refusal({ kind: 'store-full' });
  const { outcome, fresh } = judgement;
  const logged = await Promise.all(
    fresh.map(async ({ message, recipients }) =>
      loggedMessage(party.partyId, message, recipients, new Date(), await keep(message)),
    ),
  );
  const deliverTo = deliveriesWithAcceptance(watchers, session, fresh);
  const deliveredTo = deliverTo.map(({ watcher }) => watcher.party.partyId);
  return { outcome, entry: { kind: 'messages', messages: logged, deliveredTo }, position, deliverTo };
}

async function open(
  { followed }: Store,
  party: PartyIdentity,
  sessionId: string,
  after: number,
): Promise<OpenOutcome> {
  const { partyId } = party;
  const found = await followed.find(party, sessionId);
  if (found.kind === 'not-found') return found;
  // A session that has ended has empty mailboxes.
  const empty = { kind: 'opened', position: after, acked: after, reader: 0 } as const;
  if (found.kind === 'wrong-state') return empty;
  const outcome = await followed.change<OpenOutcome>(found.session, (mailboxes) => {
    const { position } = found.session;
    const judged = judgeOpen(mailboxes, partyId, after);
    if (judged.kind !== 'opened') return { outcome: judged, entry: null, position };
    const { acked } = judged;
    const delivered = deliveredOf(mailboxes, partyId);
    return { outcome: judged, entry: { kind: 'opened', partyId, after, acked, delivered }, position };
  });
  return outcome ?? empty;
}

interface WaitingPage {
  readonly waiting: readonly WaitingDelivery[];
  readonly marks: MailboxMarks | null;
}

async function read(
  store: Store,
  party: PartyIdentity,
  sessionId: string,
  after: number,
  limits: PageLimits,
): Promise<MailboxPage | null> {
  const { log, followed, parties } = store;
  const found = await followed.find(party, sessionId);
  if (found.kind === 'not-found') return null;
  if (found.kind === 'wrong-state') return ENDED_PAGE;
  const page = await waitingPage(store, found.session, party, after, limits);
  if (page === null) return ENDED_PAGE;
  if (page.marks === null) return null;
  const deliveries = await deliveriesOf(log, page.waiting);
  // After the reading: a change that was made before it is seen. The stream of an idle reader is ended by its watch.
  if (deliveries.length > 0) await parties.refuseChanged(party);
  return { marks: page.marks, deliveries };
}

/** The next deliveries, which are recorded as delivered. Null when the session has ended. */
async function waitingPage(
  { followed, watchers }: Store,
  session: FollowedSession,
  party: PartyIdentity,
  after: number,
  limits: PageLimits,
): Promise<WaitingPage | null> {
  const { partyId } = party;
  const pageOf = (mailboxes: SessionMailboxes): WaitingPage => ({
    waiting: fittingPage(waitingOf(mailboxes, partyId, after, limits.deliveries), limits).map((one) => ({
      ...one,
    })),
    marks: marksOf(mailboxes, partyId),
  });
  const page = pageOf(session.mailboxes);
  const last = page.waiting.at(-1)?.sequence;
  if (last !== undefined && isRecorded(watchers, party, session.sessionId, last)) return page;
  return await followed.change(session, (mailboxes) => {
    const outcome = pageOf(mailboxes);
    const upTo = outcome.waiting.at(-1)?.sequence ?? 0;
    const isNew = upTo > deliveredOf(mailboxes, partyId);
    const entry: LogEntry | null = isNew ? { kind: 'delivered', partyId, upTo } : null;
    return { outcome, entry, position: session.position };
  });
}

async function ack(
  { followed }: Store,
  party: PartyIdentity,
  sessionId: string,
  upTo: number,
): Promise<AckOutcome> {
  const { partyId } = party;
  const found = await followed.find(party, sessionId);
  if (found.kind === 'not-found') return found;
  if (found.kind === 'wrong-state') return { kind: 'acked', acked: upTo };
  const { session } = found;
  const outcome = await followed.change<AckOutcome>(session, (mailboxes) => {
    const judged = judgeAck(mailboxes, partyId, upTo);
    const isNew = judged.kind === 'acked' && upTo > (marksOf(mailboxes, partyId)?.acked ?? 0);
    const entry: LogEntry | null = isNew ? { kind: 'acked', partyId, upTo } : null;
    return { outcome: judged, entry, position: session.position };
  });
  return outcome ?? { kind: 'acked', acked: upTo };
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

// Payloads of messages in a log outside the database.

/** @throws MailboxesAway if the payload was removed, as it is when the session has ended */
async function withPayload(
  log: Pick<MailboxLog, 'payload'>,
  message: LoggedMessage | OutgoingMessage,
): Promise<OutgoingMessage> {
  if (!('payloadSize' in message)) return message;
  const payload = await log.payload(message.payload);
  if (payload === null) throw new MailboxesAway('the payload of a message is gone');
  return sentMessage(message, payload);
}

/** Ends before a message whose payload was removed, as it is when the session has ended. */
async function deliveriesOf(
  log: Pick<MailboxLog, 'payload'>,
  waiting: readonly WaitingDelivery[],
): Promise<readonly MailboxDelivery[]> {
  const deliveries = await Promise.all(
    waiting.map(async (one) => {
      const payload = await log.payload(one.message.payload);
      return payload === null ? null : deliveryOf(one, payload);
    }),
  );
  // The end of a session removes its payloads: no later message is delivered either.
  const gone = deliveries.indexOf(null);
  return (gone < 0 ? deliveries : deliveries.slice(0, gone)).filter((delivery) => delivery !== null);
}
