/** The mailboxes of one session, derived from its log alone, so that every reader derives the same. */
import type { LogEntry, LoggedMessage } from './mailbox-log.js';
import {
  MAILBOX_BYTES,
  MAILBOX_CAPACITY,
  MAX_WINDOW,
  type AckOutcome,
  type AppendOutcome,
  type MailboxDelivery,
  type MailboxMarks,
  type OpenOutcome,
  type OutgoingMessage,
  type PageLimits,
} from './mailbox-store.js';

interface Mailbox {
  head: number;
  acked: number;
  delivered: number;
  reader: number;
  /** Messages that the owner of the mailbox has sent. */
  readonly sent: SentMessages;
  /** Bytes of payloads that are not acknowledged. */
  bytes: number;
  readonly waiting: Map<number, WaitingDelivery>;
}

/** The memory of all sessions that share it, in bytes; an estimate. */
export interface MailboxMemory {
  bytes: number;
}

export interface SessionMailboxes {
  readonly participants: readonly string[];
  readonly boxes: ReadonlyMap<string, Mailbox>;
  memory: MailboxMemory;
  /** Bytes of memory that the session takes, without payloads. */
  bytes: number;
  /** Grows with every change. */
  version: number;
}

/** A session and one of its mailboxes without messages, with what the process keeps for them. */
const EMPTY_SESSION_BYTES = 4000;
const EMPTY_MAILBOX_BYTES = 1500;
/** The place of a message in a mailbox, in bytes. */
const WAITING_BYTES = 120;

interface WaitingDelivery {
  readonly sequence: number;
  readonly message: LoggedMessage;
  redeliveryCount: number;
}

/** A message of a mailbox with its payload. */
export const deliveryOf = (
  { sequence, redeliveryCount, message }: WaitingDelivery,
  payload: Buffer,
): MailboxDelivery => ({
  ...message,
  sequence,
  redeliveryCount,
  payload,
});

export function createSessionMailboxes(
  participants: readonly string[],
  memory: MailboxMemory,
): SessionMailboxes {
  const boxes = new Map<string, Mailbox>(participants.map((partyId) => [partyId, emptyMailbox()]));
  const mailboxes: SessionMailboxes = { participants, boxes, memory, bytes: 0, version: 0 };
  addBytes(mailboxes, EMPTY_SESSION_BYTES + EMPTY_MAILBOX_BYTES * participants.length);
  return mailboxes;
}

const emptyMailbox = (): Mailbox => ({
  head: 0,
  acked: 0,
  delivered: 0,
  reader: 0,
  sent: createSentMessages(),
  bytes: 0,
  waiting: new Map(),
});

/** Gives the memory back. A call that still works on the mailboxes counts them apart. */
export function releaseMailboxes(mailboxes: SessionMailboxes): void {
  mailboxes.memory.bytes -= mailboxes.bytes;
  mailboxes.memory = { bytes: mailboxes.bytes };
}

function addBytes(mailboxes: SessionMailboxes, bytes: number): void {
  mailboxes.bytes += bytes;
  mailboxes.memory.bytes += bytes;
}

/** Null for a party that is not a participant. */
export function marksOf({ boxes }: SessionMailboxes, partyId: string): MailboxMarks | null {
  const box = boxes.get(partyId);
  return box === undefined ? null : { head: box.head, acked: box.acked, reader: box.reader };
}

export const deliveredOf = ({ boxes }: SessionMailboxes, partyId: string): number =>
  boxes.get(partyId)?.delivered ?? 0;

/** Whether this reader has everything, and its window has room for so many messages more. */
export function isUpToDate(
  { boxes }: SessionMailboxes,
  partyId: string,
  reader: number,
  messages: number,
): boolean {
  const box = boxes.get(partyId);
  return (
    box !== undefined &&
    box.reader === reader &&
    box.delivered === box.head &&
    box.head - box.acked + messages <= MAX_WINDOW
  );
}

/** The next messages that fit on a page. A reader may be behind the acknowledgements of one before it. */
export function waitingOf(
  { boxes }: SessionMailboxes,
  partyId: string,
  after: number,
  { deliveries, bytes }: PageLimits,
): readonly WaitingDelivery[] {
  const box = boxes.get(partyId);
  const found: WaitingDelivery[] = [];
  if (box === undefined) return found;
  const start = Math.max(after, box.acked);
  const last = Math.min(start + deliveries, box.head);
  let total = 0;
  for (let sequence = start + 1; sequence <= last; sequence += 1) {
    const waiting = box.waiting.get(sequence);
    if (waiting === undefined) continue;
    total += waiting.message.payloadSize;
    if (found.length > 0 && total > bytes) break;
    found.push(waiting);
  }
  return found;
}

/** @param position of the entry in the log; null for what is not written there */
export function apply(mailboxes: SessionMailboxes, position: number | null, entry: LogEntry): void {
  if (entry.kind === 'messages') {
    mailboxes.version += 1;
    for (const message of entry.messages) accept(mailboxes, position ?? 0, message);
    for (const partyId of entry.deliveredTo) {
      const box = mailboxes.boxes.get(partyId);
      if (box !== undefined) box.delivered = Math.max(box.delivered, box.head);
    }
    return;
  }
  const box = mailboxes.boxes.get(entry.partyId);
  if (box === undefined) return;
  if (entry.kind !== 'opened' && entry.upTo <= box[entry.kind]) return;
  mailboxes.version += 1;
  switch (entry.kind) {
    case 'opened':
      open(mailboxes, box, entry);
      return;
    case 'delivered':
      box.delivered = entry.upTo;
      return;
    case 'acked':
      acknowledge(mailboxes, box, entry.upTo);
      return;
  }
}

function accept(mailboxes: SessionMailboxes, position: number, message: LoggedMessage): void {
  let holders = 0;
  for (const partyId of message.recipients) {
    const box = mailboxes.boxes.get(partyId);
    if (box === undefined) continue;
    box.head += 1;
    // Another process may have acknowledged it before this one read it.
    if (box.head <= box.acked) continue;
    holders += 1;
    box.bytes += message.payloadSize;
    box.waiting.set(box.head, { sequence: box.head, message, redeliveryCount: 0 });
  }
  const sender = mailboxes.boxes.get(message.fromPartyId);
  if (sender !== undefined) recordSent(sender.sent, position, message, holders);
  addBytes(mailboxes, SENT_BYTES + (holders > 0 ? heldBytes(message) : 0) + WAITING_BYTES * holders);
}

/** Counts by what the entry says: this process may know of later positions than its writer. */
function open(
  mailboxes: SessionMailboxes,
  box: Mailbox,
  { after, acked, delivered }: Extract<LogEntry, { kind: 'opened' }>,
): void {
  box.reader += 1;
  acknowledge(mailboxes, box, acked);
  box.delivered = Math.max(box.delivered, delivered);
  for (let sequence = Math.max(after, acked) + 1; sequence <= delivered; sequence += 1) {
    const waiting = box.waiting.get(sequence);
    if (waiting !== undefined) waiting.redeliveryCount += 1;
  }
}

function acknowledge(mailboxes: SessionMailboxes, box: Mailbox, upTo: number): void {
  const last = Math.min(upTo, box.head);
  for (let sequence = box.acked + 1; sequence <= last; sequence += 1) {
    const waiting = box.waiting.get(sequence);
    if (waiting === undefined) continue;
    const { message } = waiting;
    box.waiting.delete(sequence);
    box.bytes -= message.payloadSize;
    const sender = mailboxes.boxes.get(message.fromPartyId);
    const isReleased = sender !== undefined && releaseSent(sender.sent, message);
    addBytes(mailboxes, -WAITING_BYTES - (isReleased ? heldBytes(message) : 0));
  }
  box.acked = Math.max(box.acked, upTo);
}

// The messages that one party has sent in a session, so that a repetition is recognised. Of a message that every recipient
// has acknowledged, only its place in the log is kept; its content is read from the log when a message repeats its number
// or identifier.

interface HeldMessage {
  readonly message: LoggedMessage;
  /** Number of mailboxes in which the message is not acknowledged. */
  holders: number;
}

interface SentMessages {
  /** The position of each message in the log, by `senderSequence - 1`. */
  readonly positions: number[];
  /** `senderSequence` by the message's identifier. */
  readonly byId: Map<string, number>;
  /** Messages that a mailbox holds, by `senderSequence`. */
  readonly held: Map<number, HeldMessage>;
}

/** A message that is to be read from the log. */
export interface SentReference {
  readonly senderSequence: number;
  readonly position: number;
}

/** Messages that were read from the log, by `senderSequence`. */
type Recalled = ReadonlyMap<number, LoggedMessage>;

/**
 * Memory of a message of which only the place is kept, in bytes: an identifier, two numbers, and their entries in the
 * tables.
 */
const SENT_BYTES = 136;
const HELD_BYTES = 800;
/** Memory of a party in a list of recipients, in bytes. */
const RECIPIENT_BYTES = 80;

/** Bytes that a message takes while a mailbox holds it, without its payload; an estimate. */
const heldBytes = ({ recipients }: Pick<LoggedMessage, 'recipients'>): number =>
  HELD_BYTES + RECIPIENT_BYTES * recipients.length;

const createSentMessages = (): SentMessages => ({
  positions: [],
  byId: new Map(),
  held: new Map(),
});

/** @param holders number of mailboxes that hold the message; 0 keeps only its place */
function recordSent(sent: SentMessages, position: number, message: LoggedMessage, holders: number): void {
  sent.positions.push(position);
  sent.byId.set(message.messageId, message.senderSequence);
  if (holders > 0) sent.held.set(message.senderSequence, { message, holders });
}

/** Decrements the number of mailboxes that hold the message. @returns whether it is 0 */
function releaseSent(sent: SentMessages, { senderSequence }: LoggedMessage): boolean {
  const held = sent.held.get(senderSequence);
  if (held === undefined) return false;
  held.holders -= 1;
  if (held.holders > 0) return false;
  return sent.held.delete(senderSequence);
}

type Names = Pick<LoggedMessage, 'messageId' | 'senderSequence'>;

/**
 * Returns the numbers of sent messages with the same identifier or number: two numbers if these are different
 * messages.
 */
function knownNumbers(sent: SentMessages, { messageId, senderSequence }: Names): readonly number[] {
  const byId = sent.byId.get(messageId);
  const isSent = senderSequence <= sent.positions.length;
  if (byId === undefined) return isSent ? [senderSequence] : NONE;
  return isSent && byId !== senderSequence ? [byId, senderSequence] : [byId];
}

const NONE: readonly number[] = [];

/** The sent messages with the identifier or number of a message. */
const knownMessages = (sent: SentMessages, names: Names, recalled: Recalled): readonly LoggedMessage[] =>
  knownNumbers(sent, names)
    .map((number) => sent.held.get(number)?.message ?? recalled.get(number))
    .filter((message) => message !== undefined);

/** Those sent messages with the identifier or number of a message that are neither held nor recalled. */
const missingMessages = (sent: SentMessages, names: Names, recalled: Recalled): readonly SentReference[] =>
  knownNumbers(sent, names)
    .filter((number) => !sent.held.has(number) && !recalled.has(number))
    .map((senderSequence) => ({ senderSequence, position: sent.positions[senderSequence - 1] ?? 0 }));

// Decisions about calls of a party, from the mailboxes of the session alone, which they do not change.

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
