/**
 * Mailboxes that follow from a log. Each change is decided on what the log says so far and written right after it; when
 * another process was faster, its entry is read and the change decided again. So all processes agree without locks.
 */
import {
  isTerminal,
  PartyRefused,
  type PartyIdentity,
  type PartyRegistry,
  type PartySession,
  type SessionEnds,
  type SessionState,
  type SigningSessions,
} from '../signing/router-port.js';
import { repeat } from '../repeat.js';
import { parseUuid } from '../uuid.js';
import type { MailboxLog, OpenMailboxLog } from './mailbox-log.js';
import {
  MailboxesAway,
  sameMarks,
  type AppendOutcome,
  type MailboxDelivery,
  type MailboxStore,
  type OutgoingMessage,
  type PageLimits,
} from './mailbox-store.js';
import {
  createSessionMailboxes,
  type Judgement,
  type LogEntry,
  type LoggedMessage,
  type SessionMailboxes,
  type WaitingDelivery,
} from './session-mailboxes.js';
import { createWaiters } from './waiters.js';

export interface LogMailboxStoreParts {
  readonly open: OpenMailboxLog;
  readonly sessions: Pick<SigningSessions, 'session'>;
  readonly parties: Pick<PartyRegistry, 'refuseChanged'>;
  readonly ends: SessionEnds;
  /** Called for a purge that fails, once for a row of failures. */
  readonly onPurgeFailed: (error: unknown) => void;
  /** Between two looks for logs of ended sessions, in milliseconds. */
  readonly purgeIntervalMs?: number;
}

const PURGE_INTERVAL_MS = 10_000;

interface Following {
  readonly mailboxes: SessionMailboxes;
  /** Once it was in progress, it is until it ends. */
  started: boolean;
  /** Up to where the log was read. */
  position: number;
  /** One change after the other. */
  turn: Promise<unknown>;
}

/** A change as it is decided on the present mailboxes: what to answer, and what to write first. */
interface Change<Outcome> {
  readonly outcome: Outcome;
  readonly entry: LogEntry | null;
}

type Found =
  | { readonly kind: 'found'; readonly following: Following }
  | { readonly kind: 'not-found' }
  /** The session has ended. */
  | { readonly kind: 'wrong-state'; readonly state: SessionState };

export function createLogMailboxStore(parts: LogMailboxStoreParts): MailboxStore {
  const { open, sessions, parties, ends } = parts;
  const followed = new Map<string, Following>();
  const waiters = createWaiters();
  const log = open((sessionId) => {
    if (sessionId === null) waiters.wakeAll();
    else waiters.wakeSession(sessionId);
  });

  const purging = repeat(
    () => purgeEnded(log, ends),
    parts.purgeIntervalMs ?? PURGE_INTERVAL_MS,
    parts.onPurgeFailed,
  );

  async function find(party: PartyIdentity, sessionId: string): Promise<Found> {
    const known = followed.get(sessionId);
    if (known !== undefined)
      return known.mailboxes.marks(party.partyId) === null
        ? { kind: 'not-found' }
        : { kind: 'found', following: known };
    const session = await sessionOf(sessions, party, sessionId);
    if (session === null) return { kind: 'not-found' };
    if (isTerminal(session.state)) return { kind: 'wrong-state', state: session.state };
    return { kind: 'found', following: followed.get(sessionId) ?? follow(session) };
  }

  /** As `find`, for a session whose parties may send. */
  async function findStarted(party: PartyIdentity, sessionId: string): Promise<Found> {
    const found = await find(party, sessionId);
    if (found.kind !== 'found' || found.following.started) return found;
    const session = await sessionOf(sessions, party, sessionId);
    if (session === null) return { kind: 'not-found' };
    if (session.state !== 'in_progress') return { kind: 'wrong-state', state: session.state };
    found.following.started = true;
    return found;
  }

  function follow({ sessionId, participants }: PartySession): Following {
    const following: Following = {
      mailboxes: createSessionMailboxes(participants.map(({ partyId }) => partyId)),
      started: false,
      position: 0,
      turn: Promise.resolve(),
    };
    followed.set(sessionId, following);
    ends.watch(sessionId, () => {
      followed.delete(sessionId);
      waiters.wakeSession(sessionId);
      // Where this fails, the next look finds it again.
      log.purge(sessionId).catch(() => undefined);
    });
    return following;
  }

  async function catchUp(sessionId: string, following: Following): Promise<void> {
    for (const { position, entry } of await log.read(sessionId, following.position)) {
      if (position <= following.position) continue;
      following.mailboxes.apply(entry);
      following.position = position;
    }
  }

  /** Decides and writes; again, when somebody else wrote meanwhile. */
  function change<Outcome>(
    sessionId: string,
    following: Following,
    decide: (mailboxes: SessionMailboxes) => Promise<Change<Outcome>> | Change<Outcome>,
  ): Promise<Outcome> {
    const turn = following.turn.then(async () => {
      if (following.position === 0) await catchUp(sessionId, following);
      for (;;) {
        const { outcome, entry } = await decide(following.mailboxes);
        if (entry === null) {
          const { position } = following;
          await catchUp(sessionId, following);
          // What is refused, or known already, is so by all that was written.
          if (position === following.position) return outcome;
          continue;
        }
        const position = await log.append(sessionId, following.position, entry);
        if (position === null) {
          await catchUp(sessionId, following);
          continue;
        }
        following.mailboxes.apply(entry);
        following.position = position;
        waiters.wakeSession(sessionId);
        return outcome;
      }
    });
    following.turn = turn.catch(() => undefined);
    return turn;
  }

  async function append(
    party: PartyIdentity,
    sessionId: string,
    messages: readonly OutgoingMessage[],
  ): Promise<AppendOutcome> {
    const found = await findStarted(party, sessionId);
    if (found.kind !== 'found') return found;
    const kept = new Map<OutgoingMessage, Promise<readonly number[]>>();
    const keep = (message: OutgoingMessage): Promise<readonly number[]> => {
      const payload = kept.get(message) ?? log.keep(sessionId, message.payload);
      kept.set(message, payload);
      return payload;
    };
    const outcome = await change<Judgement['outcome']>(sessionId, found.following, async (mailboxes) => {
      const judgement = mailboxes.judge(party.partyId, messages);
      if (!('fresh' in judgement)) return { outcome: judgement.outcome, entry: null };
      const logged = await Promise.all(
        judgement.fresh.map(async ({ message, recipients }): Promise<LoggedMessage> => ({
          ...message,
          // A copy: what came is a view of the whole request, whose payloads would be kept with it.
          signature: Buffer.from(message.signature),
          fromPartyId: party.partyId,
          recipients,
          sentAt: new Date(),
          payloadSize: message.payload.length,
          payload: await keep(message),
        })),
      );
      const entry: LogEntry | null = logged.length === 0 ? null : { kind: 'messages', messages: logged };
      return { outcome: judgement.outcome, entry };
    });
    if (outcome.kind !== 'equivocation') return outcome;
    return { ...outcome, first: await withPayload(log, outcome.first) };
  }

  return {
    append,
    async open(party, sessionId, after) {
      const found = await find(party, sessionId);
      if (found.kind === 'not-found') return found;
      // A session that has ended has empty mailboxes.
      if (found.kind === 'wrong-state') return { kind: 'opened', position: after, acked: after, reader: 0 };
      return await change(sessionId, found.following, (mailboxes) => {
        const outcome = mailboxes.judgeOpen(party.partyId, after);
        const opened = outcome.kind === 'opened';
        return { outcome, entry: opened ? { kind: 'opened', partyId: party.partyId, after } : null };
      });
    },
    async read(party, sessionId, after, limits) {
      const found = await find(party, sessionId);
      if (found.kind === 'not-found') return null;
      if (found.kind === 'wrong-state') return { marks: { head: 0, acked: 0, reader: 0 }, deliveries: [] };
      const page = await change(sessionId, found.following, (mailboxes) => {
        const waiting = fitting(mailboxes.waiting(party.partyId, after, limits.deliveries), limits);
        const upTo = waiting.at(-1)?.sequence ?? 0;
        const marks = mailboxes.marks(party.partyId);
        const isNew = upTo > mailboxes.delivered(party.partyId);
        const entry: LogEntry | null = isNew ? { kind: 'delivered', partyId: party.partyId, upTo } : null;
        return { outcome: { waiting: waiting.map((one) => ({ ...one })), marks }, entry };
      });
      if (page.marks === null) return null;
      const deliveries = await deliveriesOf(log, page.waiting);
      // After the reading: a change that was made before it is seen. The stream of an idle reader is ended by its watch.
      if (deliveries.length > 0) await parties.refuseChanged(party);
      return { marks: page.marks, deliveries };
    },
    async ack(party, sessionId, upTo) {
      const found = await find(party, sessionId);
      if (found.kind === 'not-found') return found;
      if (found.kind === 'wrong-state') return { kind: 'acked', acked: upTo };
      return await change(sessionId, found.following, (mailboxes) => {
        const outcome = mailboxes.judgeAck(party.partyId, upTo);
        const isNew = outcome.kind === 'acked' && upTo > (mailboxes.marks(party.partyId)?.acked ?? 0);
        return { outcome, entry: isNew ? { kind: 'acked', partyId: party.partyId, upTo } : null };
      });
    },
    wait({ partyId }, sessionId, seen, signal) {
      const marks = followed.get(sessionId)?.mailboxes.marks(partyId) ?? null;
      if (marks !== null && !sameMarks(marks, seen)) return Promise.resolve();
      return waiters.wait(sessionId, partyId, seen, signal);
    },
    place: () => log.place(),
    async close() {
      waiters.wakeAll();
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

async function sessionOf(
  sessions: Pick<SigningSessions, 'session'>,
  party: PartyIdentity,
  sessionId: string,
): Promise<PartySession | null> {
  try {
    return await sessions.session(party, sessionId);
  } catch (error) {
    if (error instanceof PartyRefused && error.refusal.kind === 'not-found') return null;
    throw error;
  }
}

/** @throws MailboxesAway when the payload is gone, as it is when the session has ended */
async function withPayload(
  log: MailboxLog,
  message: LoggedMessage | OutgoingMessage,
): Promise<OutgoingMessage> {
  if (!('payloadSize' in message)) return message;
  const payload = await log.payload(message.payload);
  if (payload === null) throw new MailboxesAway('the payload of a message is gone');
  const { messageId, toPartyIds, round, senderSequence, signature, contentSha256 } = message;
  return { messageId, toPartyIds, round, senderSequence, payload, signature, contentSha256 };
}

function fitting(waiting: readonly WaitingDelivery[], { bytes }: PageLimits): readonly WaitingDelivery[] {
  let total = 0;
  return waiting.filter(({ message }, index) => {
    total += message.payloadSize;
    return index === 0 || total <= bytes;
  });
}

async function deliveriesOf(
  log: MailboxLog,
  waiting: readonly WaitingDelivery[],
): Promise<readonly MailboxDelivery[]> {
  const deliveries = await Promise.all(
    waiting.map(async ({ sequence, message, redeliveryCount }) => {
      const payload = await log.payload(message.payload);
      if (payload === null) return null;
      const { fromPartyId, messageId, toPartyIds, round, senderSequence, signature, contentSha256, sentAt } =
        message;
      return {
        ...{ sequence, redeliveryCount, fromPartyId, messageId, toPartyIds, round, senderSequence },
        ...{ payload, signature, contentSha256, sentAt },
      };
    }),
  );
  // A payload is gone when its session has ended: nothing after it is handed out either.
  const gone = deliveries.indexOf(null);
  return (gone < 0 ? deliveries : deliveries.slice(0, gone)).filter((delivery) => delivery !== null);
}
