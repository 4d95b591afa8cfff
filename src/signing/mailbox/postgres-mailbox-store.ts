/**
 * Mailboxes in PostgreSQL, the default: what was accepted is as safe as the session itself, and ends with it in one
 * transaction. Processes wake each other with an empty notification; a lost one costs a poll interval.
 */
import type { Logger } from '../../observability/log.js';
import type { Database } from '../../postgres/database.js';
import { createNotifier, listen } from '../../postgres/listener.js';
import { asSweeper, inTenant } from '../transaction.js';
import {
  MAILBOX_CAPACITY,
  type AppendOutcome,
  type MailboxDelivery,
  type MailboxMarks,
  type MailboxStore,
  type OutgoingMessage,
} from './mailbox-store.js';
import { ACK, MARKS, OPEN, READ, SEND } from './postgres-mailbox-sql.js';
import { createRounds } from './rounds.js';
import { createWaiters } from './waiters.js';

const CHANNEL = 'dbr_router';
/** At most one NOTIFY in so many milliseconds. */
const NOTIFY_INTERVAL_MS = 5;
/** Longest delay of a message whose wake-up was lost. */
const POLL_MS = 250;

export function createPostgresMailboxStore(database: Database, log: Logger): MailboxStore {
  const waiters = createWaiters();
  const rounds = createRounds(
    askForAll,
    () => waiters.size > 0,
    POLL_MS,
    (error) => log.warn({ error: messageOf(error) }, 'mailboxes could not be asked for new messages'),
  );
  const notifier = createNotifier(database, CHANNEL, NOTIFY_INTERVAL_MS, (message) =>
    log.warn({ error: message }, 'other processes could not be told of new messages'),
  );
  const listener = listen(database, {
    channels: [CHANNEL],
    onNotification: () => rounds.wake(),
    onListening: () => rounds.wake(),
    onLost: (message, retryInSeconds) =>
      log.warn({ error: message, retryInSeconds }, 'not listening for new messages'),
  });

  async function askForAll(): Promise<void> {
    const waiting = waiters.list();
    const sessionIds = waiting.map(({ sessionId }) => sessionId);
    const partyIds = waiting.map(({ partyId }) => partyId);
    const rows = await asSweeper(database, (transaction) =>
      transaction.any<WaitingRow>({ text: MARKS, values: [sessionIds, partyIds] }),
    );
    for (const row of rows) waiters.tell(row.session_id, row.party_id, marksOf(row));
  }

  function written(sessionId: string): void {
    waiters.wakeSession(sessionId);
    notifier.notify();
  }

  return {
    async append(party, sessionId, messages) {
      const outcome = await send(database, party.tenantId, party.partyId, sessionId, messages);
      if (outcome.kind === 'accepted' && outcome.duplicates.includes(false)) written(sessionId);
      return outcome;
    },
    async open({ tenantId, partyId }, sessionId, after) {
      const row = await inTenant(database, tenantId, (transaction) =>
        transaction.oneOrNone<OpenRow>({ text: OPEN, values: [sessionId, partyId, after] }),
      );
      if (row === null) return { kind: 'not-found' };
      if (row.reader === null) return { kind: 'not-delivered', delivered: Number(row.delivered) };
      // The reader before is told that it was superseded.
      written(sessionId);
      const { position, acked, reader } = row;
      return {
        kind: 'opened',
        position: Number(position),
        acked: Number(acked),
        reader: Number(reader),
      };
    },
    async read({ tenantId, partyId }, sessionId, after, limits) {
      const rows = await inTenant(database, tenantId, (transaction) =>
        transaction.any<ReadRow>({
          text: READ,
          values: [sessionId, partyId, after, limits.deliveries, limits.bytes],
        }),
      );
      const [first] = rows;
      return first === undefined ? null : { marks: marksOf(first), deliveries: rows.flatMap(deliveryOf) };
    },
    async ack({ tenantId, partyId }, sessionId, upTo) {
      const row = await inTenant(database, tenantId, (transaction) =>
        transaction.oneOrNone<AckRow>({ text: ACK, values: [sessionId, partyId, upTo] }),
      );
      if (row === null) return { kind: 'not-found' };
      if (row.acked === null) return { kind: 'not-delivered', delivered: Number(row.delivered) };
      written(sessionId);
      return { kind: 'acked', acked: Number(row.acked) };
    },
    wait({ partyId }, sessionId, seen, signal) {
      const waiting = waiters.wait(sessionId, partyId, seen, signal);
      // What was written between the reading and the waiting is asked for here.
      rounds.wake();
      return waiting;
    },
    async close() {
      waiters.wakeAll();
      await Promise.all([listener.close(), notifier.close(), rounds.close()]);
    },
  };
}

/** Carries a refusal out of its transaction, which is thereby undone. */
class Undone extends Error {
  override readonly name = 'Undone';
  readonly outcome: AppendOutcome;

  constructor(outcome: AppendOutcome) {
    super('nothing was accepted');
    this.outcome = outcome;
  }
}

async function send(
  database: Database,
  tenantId: string,
  sender: string,
  sessionId: string,
  messages: readonly OutgoingMessage[],
): Promise<AppendOutcome> {
  const values = [
    sessionId,
    sender,
    messages.map(({ messageId }) => messageId),
    messages.map(({ senderSequence }) => senderSequence),
    messages.map(({ round }) => round),
    JSON.stringify(messages.map(({ toPartyIds }) => toPartyIds)),
    messages.map(({ payload }) => payload),
    messages.map(({ signature }) => signature),
    messages.map(({ contentSha256 }) => contentSha256),
    MAILBOX_CAPACITY,
  ];
  try {
    return await inTenant(database, tenantId, async (transaction) => {
      const row = await transaction.one<{ readonly outcome: string }>({ text: SEND, values });
      const outcome = JSON.parse(row.outcome) as AppendOutcome;
      if (outcome.kind !== 'accepted') throw new Undone(outcome);
      return outcome;
    });
  } catch (error) {
    if (error instanceof Undone) return error.outcome;
    throw error;
  }
}

interface MarksRow {
  readonly mailbox_head: string;
  readonly mailbox_acked: string;
  readonly mailbox_reader: string;
}

interface WaitingRow extends MarksRow {
  readonly session_id: string;
  readonly party_id: string;
}

interface OpenRow {
  readonly position: string;
  readonly acked: string;
  readonly delivered: string;
  readonly reader: string | null;
}

interface AckRow {
  readonly delivered: string;
  readonly acked: string | null;
}

interface MessageRow extends MarksRow {
  readonly sequence: string;
  readonly redelivery_count: number;
  readonly from_party_id: string;
  readonly sender_sequence: string;
  readonly message_id: string;
  readonly to_party_ids: readonly string[];
  readonly round: string;
  readonly payload: Buffer;
  readonly content_sha256: Buffer;
  readonly signature: Buffer;
  readonly sent_at: string;
}

/** Marks alone where the page is empty. */
type ReadRow = MessageRow | (MarksRow & { readonly sequence: null });

const marksOf = (row: MarksRow): MailboxMarks => ({
  head: Number(row.mailbox_head),
  acked: Number(row.mailbox_acked),
  reader: Number(row.mailbox_reader),
});

const deliveryOf = (row: ReadRow): readonly MailboxDelivery[] =>
  row.sequence === null
    ? []
    : [
        {
          sequence: Number(row.sequence),
          redeliveryCount: row.redelivery_count,
          fromPartyId: row.from_party_id,
          senderSequence: Number(row.sender_sequence),
          messageId: row.message_id,
          toPartyIds: row.to_party_ids,
          round: Number(row.round),
          payload: row.payload,
          contentSha256: row.content_sha256,
          signature: row.signature,
          sentAt: new Date(row.sent_at),
        },
      ];

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
