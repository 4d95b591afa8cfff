/**
 * Mailboxes in PostgreSQL, the default: what was accepted is as safe as the session itself, and ends with it in one
 * transaction. Processes wake each other with an empty notification; a lost one costs a poll interval.
 */
import { randomUUID } from 'node:crypto';
import type { Observe } from '../observability/observation.js';
import type { Row } from '../postgres/batch.js';
import type { Database } from '../postgres/database.js';
import { createNotifier, listen } from '../postgres/listener.js';
import {
  byteArray,
  bytesOf,
  hexOf,
  lastText,
  plainArray,
  readAsSweeper,
  runInTenant,
  type Runner,
} from './mailbox-pool.js';
import { createMailboxChanges } from './mailbox-changes.js';
import {
  MAILBOX_BYTES,
  MAILBOX_CAPACITY,
  type AppendOutcome,
  type MailboxDelivery,
  type MailboxMarks,
  type MailboxStore,
  type OutgoingMessage,
} from './mailbox-store.js';
import { ACK, MARKS, OPEN, READ, SEND } from './postgres-mailbox-sql.js';
import { refuseChanged, type PartyChange } from '../signing/router-port.js';
import { createRounds } from './rounds.js';
import { createWaiters } from './waiters.js';

const CHANNEL = 'dbr_router';
/** At most one NOTIFY in so many milliseconds. */
const NOTIFY_INTERVAL_MS = 5;
/** Longest delay of a message whose wake-up was lost. */
const POLL_MS = 250;

/**
 * @param database listens, and notifies now and then
 * @param pool for everything else; they are the caller's to close, after the store
 */
export function createPostgresMailboxStore(database: Database, pool: Runner, observe: Observe): MailboxStore {
  const waiters = createWaiters();
  const rounds = createRounds(
    askForAll,
    () => waiters.size > 0,
    POLL_MS,
    (error) => observe({ kind: 'background-work-failed', work: 'messages between parties', error }),
  );
  const changes = createMailboxChanges();
  // What we hear of ourselves is known already, and by mailbox.
  const ownName = randomUUID();
  const notifier = createNotifier(
    database,
    CHANNEL,
    NOTIFY_INTERVAL_MS,
    (message) => observe({ kind: 'change-feed-not-sent', error: message }),
    ownName,
  );
  const listener = listen(database, {
    channels: [CHANNEL],
    onNotification: (_channel, writer) => {
      if (writer !== ownName) writtenElsewhere();
    },
    onListening: () => writtenElsewhere(),
    onLost: (message, retryInSeconds) =>
      observe({ kind: 'change-feed-lost', error: message, retryInSeconds }),
  });

  async function askForAll(): Promise<void> {
    const waiting = waiters.list();
    const sessionIds = plainArray(waiting.map(({ sessionId }) => sessionId));
    const partyIds = JSON.stringify(waiting.map(({ partyId }) => partyId));
    for (const row of await readAsSweeper(pool, MARKS, [sessionIds, partyIds])) {
      const [sessionId = null, partyId = null, head = null, acked = null] = row.columns;
      const marks = { head: Number(head), acked: Number(acked), reader: Number(lastText(row)) };
      waiters.tell(sessionId ?? '', partyId ?? '', marks);
    }
  }

  function writtenElsewhere(): void {
    changes.wroteElsewhere();
    rounds.wake();
  }

  function written(sessionId: string, partyIds: readonly string[] | null): void {
    changes.wroteHere(sessionId, partyIds);
    waiters.wakeSession(sessionId, partyIds);
    notifier.notify();
  }

  return {
    async append(party, sessionId, messages) {
      const values = [sessionId, party.partyId, ...sendParameters(messages)];
      const [row] = await runInTenant(pool, party.tenantId, SEND, values);
      const outcome = outcomeOf((row && lastText(row)) ?? '', messages);
      if (outcome.kind === 'accepted' && outcome.duplicates.includes(false))
        written(sessionId, recipientsOf(messages));
      return outcome;
    },
    async open({ tenantId, partyId }, sessionId, after) {
      const [row] = await runInTenant(pool, tenantId, OPEN, [sessionId, partyId, String(after)]);
      if (row === undefined) return { kind: 'not-found' };
      const [position = null, acked = null, delivered = null] = row.columns;
      const reader = lastText(row);
      if (reader === null) return { kind: 'not-delivered', delivered: Number(delivered) };
      // The reader before is told that it was superseded.
      written(sessionId, [partyId]);
      return {
        kind: 'opened',
        position: Number(position),
        acked: Number(acked),
        reader: Number(reader),
      };
    },
    async read(party, sessionId, after, { deliveries, bytes }) {
      const values = [
        ...[sessionId, party.partyId, String(after), String(deliveries), String(bytes)],
        ...[hexOf(party.identityPublicKey), party.certificateSha256 && hexOf(party.certificateSha256)],
      ];
      const asked = changes.now;
      const rows = await runInTenant(pool, party.tenantId, READ, values);
      const [first] = rows;
      if (first === undefined) return null;
      refuseChanged(changeOf(first));
      return { marks: changes.stamp(marksOf(first), asked), deliveries: rows.flatMap(deliveryOf) };
    },
    async ack({ tenantId, partyId }, sessionId, upTo) {
      const [row] = await runInTenant(pool, tenantId, ACK, [sessionId, partyId, String(upTo)]);
      if (row === undefined) return { kind: 'not-found' };
      const acked = lastText(row);
      if (acked === null) return { kind: 'not-delivered', delivered: Number(row.columns[0]) };
      // Its own reader may have waited for room.
      written(sessionId, [partyId]);
      return { kind: 'acked', acked: Number(acked) };
    },
    wait({ partyId }, sessionId, seen, signal) {
      if (changes.changedHere(sessionId, partyId, seen)) return Promise.resolve();
      const waiting = waiters.wait(sessionId, partyId, seen, signal);
      // What others wrote between the reading and the waiting is asked for here.
      if (changes.changedElsewhere(seen)) rounds.wake();
      return waiting;
    },
    place: () => Promise.resolve('the database'),
    async close() {
      waiters.wakeAll();
      await Promise.all([listener.close(), notifier.close(), rounds.close()]);
    },
  };
}

/** Null: a broadcast is among them. */
const recipientsOf = (messages: readonly OutgoingMessage[]): readonly string[] | null =>
  messages.some(({ toPartyIds }) => toPartyIds.length === 0)
    ? null
    : messages.flatMap(({ toPartyIds }) => toPartyIds);

/** `$3` and those that follow. */
const sendParameters = (messages: readonly OutgoingMessage[]): readonly string[] => [
  plainArray(messages.map(({ messageId }) => messageId)),
  plainArray(messages.map(({ senderSequence }) => senderSequence)),
  plainArray(messages.map(({ round }) => round)),
  JSON.stringify(messages.map(({ toPartyIds }) => toPartyIds)),
  byteArray(messages.map(({ payload }) => payload)),
  byteArray(messages.map(({ signature }) => signature)),
  byteArray(messages.map(({ contentSha256 }) => contentSha256)),
  String(MAILBOX_CAPACITY),
  String(MAILBOX_BYTES),
];

/** What `dbr_signing.send_all_or_none` returns; bytes are base64. */
type OutcomeJson =
  | Exclude<AppendOutcome, { kind: 'equivocation' }>
  | {
      readonly kind: 'equivocation';
      /** Of the second message in the call, from 1. */
      readonly place: number;
      readonly first: Omit<OutgoingMessage, 'payload' | 'signature' | 'contentSha256'> &
        Readonly<Record<'payload' | 'signature' | 'contentSha256', string>>;
    };

function outcomeOf(text: string, messages: readonly OutgoingMessage[]): AppendOutcome {
  const outcome = JSON.parse(text) as OutcomeJson;
  if (outcome.kind !== 'equivocation') return outcome;
  const { first, place } = outcome;
  const second = messages[place - 1];
  if (second === undefined) throw new Error(`the call has no message ${String(place)}`);
  const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
  return {
    kind: 'equivocation',
    first: {
      ...first,
      payload: bytes(first.payload),
      signature: bytes(first.signature),
      contentSha256: bytes(first.contentSha256),
    },
    second,
  };
}

const changeOf = ({ columns: [change = null] }: Row): PartyChange | null =>
  change === null || change === 'not-active' ? change : 'unknown';

const marksOf = ({ columns: [, head = null, acked = null, reader = null] }: Row): MailboxMarks => ({
  head: Number(head),
  acked: Number(acked),
  reader: Number(reader),
});

/** None where the page is empty, and the row has the marks alone. */
function deliveryOf(row: Row): readonly MailboxDelivery[] {
  const [, , , , sequence = null, redeliveryCount = null, fromPartyId = null, ...message] = row.columns;
  const [senderSequence = null, messageId = null, toPartyIds = null, round = null, ...rest] = message;
  const [contentSha256 = null, signature = null, sentAt = null] = rest;
  if (sequence === null) return [];
  return [
    {
      sequence: Number(sequence),
      redeliveryCount: Number(redeliveryCount),
      fromPartyId: fromPartyId ?? '',
      senderSequence: Number(senderSequence),
      messageId: messageId ?? '',
      toPartyIds: JSON.parse(toPartyIds ?? '[]') as readonly string[],
      round: Number(round),
      payload: bytesOf(lastText(row)),
      contentSha256: bytesOf(contentSha256),
      signature: bytesOf(signature),
      sentAt: new Date(sentAt ?? 0),
    },
  ];
}
