/** The mailboxes of one session, derived from its log alone, so that every reader derives the same. */
import type { LogEntry, LoggedMessage } from './log-entry.js';
import { MAX_WINDOW, type MailboxDelivery, type MailboxMarks } from './mailbox-store.js';
import {
  createSentMessages,
  heldBytes,
  recordSent,
  releaseSent,
  SENT_BYTES,
  type SentMessages,
} from './sent-messages.js';

interface Waiting {
  readonly sequence: number;
  readonly message: LoggedMessage;
  redeliveryCount: number;
}

export interface Mailbox {
  head: number;
  acked: number;
  delivered: number;
  reader: number;
  /** Messages that the owner of the mailbox has sent. */
  readonly sent: SentMessages;
  /** Bytes of payloads that are not acknowledged. */
  bytes: number;
  readonly waiting: Map<number, Waiting>;
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
}

/** A session and one of its mailboxes without messages, with what the process keeps for them. */
const EMPTY_SESSION_BYTES = 4000;
const EMPTY_MAILBOX_BYTES = 1500;
/** The place of a message in a mailbox, in bytes. */
export const WAITING_BYTES = 120;

export interface WaitingDelivery {
  readonly sequence: number;
  readonly message: LoggedMessage;
  readonly redeliveryCount: number;
}

/** A message of a mailbox with its payload. */
export const deliveryOf = (
  { sequence, redeliveryCount, message }: WaitingDelivery,
  payload: Buffer,
): MailboxDelivery => ({
  sequence,
  redeliveryCount,
  fromPartyId: message.fromPartyId,
  messageId: message.messageId,
  toPartyIds: message.toPartyIds,
  round: message.round,
  senderSequence: message.senderSequence,
  payload,
  signature: message.signature,
  contentSha256: message.contentSha256,
  sentAt: message.sentAt,
});

export function createSessionMailboxes(
  participants: readonly string[],
  memory: MailboxMemory,
): SessionMailboxes {
  const boxes = new Map<string, Mailbox>(participants.map((partyId) => [partyId, emptyMailbox()]));
  const mailboxes: SessionMailboxes = { participants, boxes, memory, bytes: 0 };
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

/** Null for a party that is no participant. */
export function marksOf({ boxes }: SessionMailboxes, partyId: string): MailboxMarks | null {
  const box = boxes.get(partyId);
  return box === undefined ? null : { head: box.head, acked: box.acked, reader: box.reader };
}

export const deliveredOf = ({ boxes }: SessionMailboxes, partyId: string): number =>
  boxes.get(partyId)?.delivered ?? 0;

/** The sum of the positions acknowledged: it grows with every acknowledgement. */
export function acknowledgedOf({ boxes }: SessionMailboxes): number {
  let sum = 0;
  for (const { acked } of boxes.values()) sum += acked;
  return sum;
}

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

export function waitingOf(
  { boxes }: SessionMailboxes,
  partyId: string,
  after: number,
  count: number,
): readonly WaitingDelivery[] {
  const box = boxes.get(partyId);
  const found: WaitingDelivery[] = [];
  if (box === undefined) return found;
  const last = Math.min(after + count, box.head);
  for (let sequence = after + 1; sequence <= last; sequence += 1) {
    const waiting = box.waiting.get(sequence);
    if (waiting !== undefined) found.push(waiting);
  }
  return found;
}

/** @param position of the entry in the log; null for what is not written there */
export function apply(mailboxes: SessionMailboxes, position: number | null, entry: LogEntry): void {
  if (entry.kind === 'messages') {
    for (const message of entry.messages) accept(mailboxes, position ?? 0, message);
    for (const partyId of entry.deliveredTo) {
      const box = mailboxes.boxes.get(partyId);
      if (box !== undefined) box.delivered = Math.max(box.delivered, box.head);
    }
    return;
  }
  const box = mailboxes.boxes.get(entry.partyId);
  if (box === undefined) return;
  switch (entry.kind) {
    case 'opened':
      open(mailboxes, box, entry);
      return;
    case 'delivered':
      box.delivered = Math.max(box.delivered, entry.upTo);
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
