/** Decides about calls of a party from the mailboxes of the session alone, which it does not change. */
import type { LoggedMessage } from './log-entry.js';
import {
  MAILBOX_BYTES,
  MAILBOX_CAPACITY,
  type AckOutcome,
  type AppendOutcome,
  type OpenOutcome,
  type OutgoingMessage,
} from './mailbox-store.js';
import {
  heldBytes,
  knownMessages,
  missingMessages,
  SENT_BYTES,
  type Recalled,
  type SentReference,
} from './sent-messages.js';
import { WAITING_BYTES, type Mailbox, type SessionMailboxes } from './session-mailboxes.js';

/** Most bytes of memory that one session takes: its messages, acknowledged or not, without payloads. */
const SESSION_BYTES = 33_554_432;

export interface FreshMessage {
  readonly message: OutgoingMessage;
  readonly recipients: readonly string[];
}

/** The outcome of a send, with the recipients of the messages that are new. */
export type Judgement =
  | {
      readonly outcome: Extract<AppendOutcome, { kind: 'accepted' }>;
      readonly fresh: readonly FreshMessage[];
    }
  /** The first message was accepted before, or precedes the second in the same call. */
  | {
      readonly outcome: {
        readonly kind: 'equivocation';
        readonly first: LoggedMessage | OutgoingMessage;
        readonly second: OutgoingMessage;
      };
    }
  | { readonly outcome: Exclude<AppendOutcome, { kind: 'accepted' | 'equivocation' }> };

/** Sent messages that `judgeSend` needs and that are in the log alone. */
export function messagesToRecall(
  { boxes }: SessionMailboxes,
  senderId: string,
  messages: readonly OutgoingMessage[],
  recalled: Recalled,
): readonly SentReference[] {
  const sender = boxes.get(senderId);
  if (sender === undefined) return [];
  return messages.flatMap((message) => missingMessages(sender.sent, message, recalled));
}

/** @param recalled the messages of `messagesToRecall` */
export function judgeSend(
  mailboxes: SessionMailboxes,
  senderId: string,
  messages: readonly OutgoingMessage[],
  recalled: Recalled,
): Judgement {
  const sender = mailboxes.boxes.get(senderId);
  if (sender === undefined) return { outcome: { kind: 'not-found' } };
  const others = mailboxes.participants.filter((partyId) => partyId !== senderId);
  const duplicates: boolean[] = [];
  const fresh: FreshMessage[] = [];
  let expected = sender.sent.positions.length + 1;
  for (const message of messages) {
    const recipients = message.toPartyIds.length === 0 ? others : message.toPartyIds;
    const unknown = recipients.find((partyId) => !others.includes(partyId));
    if (unknown !== undefined) return { outcome: { kind: 'unknown-recipient', partyId: unknown } };
    const before = [...knownMessages(sender.sent, message, recalled), ...sameNames(fresh, message)];
    const first = before.find(({ contentSha256 }) => !contentSha256.equals(message.contentSha256));
    if (first !== undefined) return { outcome: { kind: 'equivocation', first, second: message } };
    duplicates.push(before.length > 0);
    if (before.length > 0) continue;
    if (message.senderSequence !== expected) return { outcome: { kind: 'out-of-order', expected } };
    expected += 1;
    fresh.push({ message, recipients });
  }
  const refusal = fresh.length === 0 ? null : refuseOverfull(mailboxes, fresh);
  return refusal === null ? { outcome: { kind: 'accepted', duplicates }, fresh } : { outcome: refusal };
}

/** Messages of the same call with the same identifier or number. */
const sameNames = (
  fresh: readonly FreshMessage[],
  { messageId, senderSequence }: OutgoingMessage,
): readonly OutgoingMessage[] =>
  fresh
    .map(({ message }) => message)
    .filter((other) => other.messageId === messageId || other.senderSequence === senderSequence);

/** Null: the mailboxes of all recipients and the memory of the session have room for the messages. */
function refuseOverfull(
  { boxes, bytes: sessionBytes }: SessionMailboxes,
  fresh: readonly FreshMessage[],
): Extract<AppendOutcome, { kind: 'full' | 'session-full' }> | null {
  const added = new Map<string, { readonly count: number; readonly bytes: number }>();
  let memory = sessionBytes;
  for (const { message, recipients } of fresh) {
    memory += SENT_BYTES + heldBytes({ recipients }) + WAITING_BYTES * recipients.length;
    for (const partyId of recipients) {
      const box = boxes.get(partyId);
      const { count, bytes } = added.get(partyId) ?? { count: 0, bytes: 0 };
      const more = { count: count + 1, bytes: bytes + message.payload.length };
      if (box !== undefined && isOverfull(box, more)) return { kind: 'full', partyId };
      added.set(partyId, more);
    }
  }
  return memory > SESSION_BYTES ? { kind: 'session-full' } : null;
}

const isOverfull = (box: Mailbox, more: { readonly count: number; readonly bytes: number }): boolean =>
  box.head - box.acked + more.count > MAILBOX_CAPACITY || box.bytes + more.bytes > MAILBOX_BYTES;

export function judgeOpen({ boxes }: SessionMailboxes, partyId: string, after: number): OpenOutcome {
  const box = boxes.get(partyId);
  if (box === undefined) return { kind: 'not-found' };
  if (after > box.delivered) return { kind: 'not-delivered', delivered: box.delivered };
  const { acked, reader } = box;
  return { kind: 'opened', position: Math.max(after, acked), acked, reader: reader + 1 };
}

export function judgeAck({ boxes }: SessionMailboxes, partyId: string, upTo: number): AckOutcome {
  const box = boxes.get(partyId);
  if (box === undefined) return { kind: 'not-found' };
  if (upTo > box.delivered) return { kind: 'not-delivered', delivered: box.delivered };
  return { kind: 'acked', acked: Math.max(upTo, box.acked) };
}
