/** The mailboxes of one session, derived from its log alone, so that every reader derives the same. */
import {
  MAILBOX_BYTES,
  MAILBOX_CAPACITY,
  type AckOutcome,
  type AppendOutcome,
  type MailboxMarks,
  type OpenOutcome,
  type OutgoingMessage,
} from './mailbox-store.js';

/** A message without its payload. */
export interface LoggedMessage extends Omit<OutgoingMessage, 'payload'> {
  readonly fromPartyId: string;
  readonly recipients: readonly string[];
  readonly sentAt: Date;
  readonly payloadSize: number;
  /** Names the payload within the log. */
  readonly payload: PayloadReference;
}

/** Positions of its pieces, in order. */
export type PayloadReference = readonly number[];

export type LogEntry =
  | { readonly kind: 'messages'; readonly messages: readonly LoggedMessage[] }
  /** A subscription begins after a position, when these positions were acknowledged and delivered. */
  | {
      readonly kind: 'opened';
      readonly partyId: string;
      readonly after: number;
      readonly acked: number;
      readonly delivered: number;
    }
  | { readonly kind: 'delivered'; readonly partyId: string; readonly upTo: number }
  | { readonly kind: 'acked'; readonly partyId: string; readonly upTo: number };

interface Waiting {
  readonly sequence: number;
  readonly message: LoggedMessage;
  redeliveryCount: number;
}

interface Mailbox {
  head: number;
  acked: number;
  delivered: number;
  reader: number;
  /** Messages that the owner of the mailbox has sent, by number and by identifier. */
  readonly sent: LoggedMessage[];
  readonly sentById: Map<string, LoggedMessage>;
  /** Bytes of payloads that are not acknowledged. */
  bytes: number;
  readonly waiting: Map<number, Waiting>;
}

/** The outcome of a send, with the recipients of the messages that are new. */
export type Judgement =
  | {
      readonly outcome: Extract<AppendOutcome, { kind: 'accepted' }>;
      readonly fresh: readonly {
        readonly message: OutgoingMessage;
        readonly recipients: readonly string[];
      }[];
    }
  /** The first message was accepted before, or stands before the second in the same call. */
  | {
      readonly outcome: {
        readonly kind: 'equivocation';
        readonly first: LoggedMessage | OutgoingMessage;
        readonly second: OutgoingMessage;
      };
    }
  | { readonly outcome: Exclude<AppendOutcome, { kind: 'accepted' | 'equivocation' }> };

export interface WaitingDelivery {
  readonly sequence: number;
  readonly message: LoggedMessage;
  readonly redeliveryCount: number;
}

export interface SessionMailboxes {
  judge(sender: string, messages: readonly OutgoingMessage[]): Judgement;
  judgeOpen(partyId: string, after: number): OpenOutcome;
  judgeAck(partyId: string, upTo: number): AckOutcome;
  /** Null for a party that is no participant. */
  marks(partyId: string): MailboxMarks | null;
  delivered(partyId: string): number;
  /** The sum of the positions acknowledged: it grows with every acknowledgement. */
  acknowledged(): number;
  waiting(partyId: string, after: number, count: number): readonly WaitingDelivery[];
  apply(entry: LogEntry): void;
}

export function createSessionMailboxes(participants: readonly string[]): SessionMailboxes {
  const mailboxes = new Map<string, Mailbox>(participants.map((partyId) => [partyId, emptyMailbox()]));

  /** The messages of the sender that were accepted under the same identifier or number; two, where they differ. */
  const known = (sender: Mailbox, message: OutgoingMessage): readonly LoggedMessage[] =>
    [sender.sentById.get(message.messageId), sender.sent[message.senderSequence - 1]].filter(
      (one) => one !== undefined,
    );

  function judge(senderId: string, messages: readonly OutgoingMessage[]): Judgement {
    const sender = mailboxes.get(senderId);
    if (sender === undefined) return { outcome: { kind: 'not-found' } };
    const others = participants.filter((partyId) => partyId !== senderId);
    const added = new Map<string, { readonly count: number; readonly bytes: number }>();
    const duplicates: boolean[] = [];
    const fresh: { readonly message: OutgoingMessage; readonly recipients: readonly string[] }[] = [];
    const inCall = new Map<string | number, OutgoingMessage>();
    let expected = sender.sent.length + 1;
    for (const message of messages) {
      const recipients = message.toPartyIds.length === 0 ? others : message.toPartyIds;
      const unknown = recipients.find((partyId) => !others.includes(partyId));
      if (unknown !== undefined) return { outcome: { kind: 'unknown-recipient', partyId: unknown } };
      const before = [
        ...known(sender, message),
        ...[inCall.get(message.messageId), inCall.get(message.senderSequence)].filter(
          (one) => one !== undefined,
        ),
      ];
      const first = before.find(({ contentSha256 }) => !contentSha256.equals(message.contentSha256));
      if (first !== undefined) return { outcome: { kind: 'equivocation', first, second: message } };
      if (before.length > 0) {
        duplicates.push(true);
        continue;
      }
      if (message.senderSequence !== expected) return { outcome: { kind: 'out-of-order', expected } };
      expected += 1;
      for (const partyId of recipients) {
        const box = mailboxes.get(partyId);
        const { count, bytes } = added.get(partyId) ?? { count: 0, bytes: 0 };
        const more = { count: count + 1, bytes: bytes + message.payload.length };
        if (box !== undefined && isOverfull(box, more)) return { outcome: { kind: 'full', partyId } };
        added.set(partyId, more);
      }
      duplicates.push(false);
      inCall.set(message.messageId, message).set(message.senderSequence, message);
      fresh.push({ message, recipients });
    }
    return { outcome: { kind: 'accepted', duplicates }, fresh };
  }

  function accept(message: LoggedMessage): void {
    const sender = mailboxes.get(message.fromPartyId);
    sender?.sent.push(message);
    sender?.sentById.set(message.messageId, message);
    for (const partyId of message.recipients) {
      const box = mailboxes.get(partyId);
      if (box === undefined) continue;
      box.head += 1;
      // Another process may have acknowledged it before this one read it.
      if (box.head <= box.acked) continue;
      box.bytes += message.payloadSize;
      box.waiting.set(box.head, { sequence: box.head, message, redeliveryCount: 0 });
    }
  }

  /** Counts by what the entry says: this process may know of later positions than its writer. */
  function open(box: Mailbox, { after, acked, delivered }: Extract<LogEntry, { kind: 'opened' }>): void {
    box.reader += 1;
    acknowledge(box, acked);
    box.delivered = Math.max(box.delivered, delivered);
    for (let sequence = Math.max(after, acked) + 1; sequence <= delivered; sequence += 1) {
      const waiting = box.waiting.get(sequence);
      if (waiting !== undefined) waiting.redeliveryCount += 1;
    }
  }

  function acknowledge(box: Mailbox, upTo: number): void {
    for (let sequence = box.acked + 1; sequence <= upTo; sequence += 1) {
      box.bytes -= box.waiting.get(sequence)?.message.payloadSize ?? 0;
      box.waiting.delete(sequence);
    }
    box.acked = Math.max(box.acked, upTo);
  }

  return {
    judge,
    judgeOpen(partyId, after) {
      const box = mailboxes.get(partyId);
      if (box === undefined) return { kind: 'not-found' };
      if (after > box.delivered) return { kind: 'not-delivered', delivered: box.delivered };
      const { acked, reader } = box;
      return { kind: 'opened', position: Math.max(after, acked), acked, reader: reader + 1 };
    },
    judgeAck(partyId, upTo) {
      const box = mailboxes.get(partyId);
      if (box === undefined) return { kind: 'not-found' };
      if (upTo > box.delivered) return { kind: 'not-delivered', delivered: box.delivered };
      return { kind: 'acked', acked: Math.max(upTo, box.acked) };
    },
    marks(partyId) {
      const box = mailboxes.get(partyId);
      return box === undefined ? null : { head: box.head, acked: box.acked, reader: box.reader };
    },
    delivered: (partyId) => mailboxes.get(partyId)?.delivered ?? 0,
    acknowledged: () => [...mailboxes.values()].reduce((total, { acked }) => total + acked, 0),
    waiting(partyId, after, count) {
      const box = mailboxes.get(partyId);
      const found: WaitingDelivery[] = [];
      for (let sequence = after + 1; sequence <= after + count; sequence += 1) {
        const waiting = box?.waiting.get(sequence);
        if (waiting !== undefined) found.push(waiting);
      }
      return found;
    },
    apply(entry) {
      if (entry.kind === 'messages') {
        entry.messages.forEach(accept);
        return;
      }
      const box = mailboxes.get(entry.partyId);
      if (box === undefined) return;
      switch (entry.kind) {
        case 'opened':
          open(box, entry);
          return;
        case 'delivered':
          box.delivered = Math.max(box.delivered, entry.upTo);
          return;
        case 'acked':
          acknowledge(box, entry.upTo);
          return;
      }
    },
  };
}

const emptyMailbox = (): Mailbox => ({
  head: 0,
  acked: 0,
  delivered: 0,
  reader: 0,
  sent: [],
  sentById: new Map(),
  bytes: 0,
  waiting: new Map(),
});

const isOverfull = (box: Mailbox, more: { readonly count: number; readonly bytes: number }): boolean =>
  box.head - box.acked + more.count > MAILBOX_CAPACITY || box.bytes + more.bytes > MAILBOX_BYTES;
