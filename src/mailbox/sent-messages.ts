/**
 * The messages that one party has sent in a session, so that a repetition is recognised. Of a message that every
 * recipient has acknowledged, only its place in the log is kept; its content is read from the log when a message
 * repeats its number or identifier.
 */
import type { LoggedMessage } from './log-entry.js';

interface HeldMessage {
  readonly message: LoggedMessage;
  /** Number of mailboxes in which the message is not acknowledged. */
  holders: number;
}

export interface SentMessages {
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
export type Recalled = ReadonlyMap<number, LoggedMessage>;

/**
 * Memory of a message of which only the place is kept, in bytes: an identifier, two numbers, and their entries in the
 * tables.
 */
export const SENT_BYTES = 136;
const HELD_BYTES = 800;
/** Memory of a party in a list of recipients, in bytes. */
const RECIPIENT_BYTES = 80;

/** Bytes that a message takes while a mailbox holds it, without its payload; an estimate. */
export const heldBytes = ({ recipients }: Pick<LoggedMessage, 'recipients'>): number =>
  HELD_BYTES + RECIPIENT_BYTES * recipients.length;

export const createSentMessages = (): SentMessages => ({
  positions: [],
  byId: new Map(),
  held: new Map(),
});

/** @param holders number of mailboxes that hold the message; 0 keeps only its place */
export function recordSent(
  sent: SentMessages,
  position: number,
  message: LoggedMessage,
  holders: number,
): void {
  sent.positions.push(position);
  sent.byId.set(message.messageId, message.senderSequence);
  if (holders > 0) sent.held.set(message.senderSequence, { message, holders });
}

/** Decrements the number of mailboxes that hold the message. @returns whether it is 0 */
export function releaseSent(sent: SentMessages, { senderSequence }: LoggedMessage): boolean {
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
export const knownMessages = (
  sent: SentMessages,
  names: Names,
  recalled: Recalled,
): readonly LoggedMessage[] =>
  knownNumbers(sent, names)
    .map((number) => sent.held.get(number)?.message ?? recalled.get(number))
    .filter((message) => message !== undefined);

/** Those sent messages with the identifier or number of a message that are neither held nor recalled. */
export const missingMessages = (
  sent: SentMessages,
  names: Names,
  recalled: Recalled,
): readonly SentReference[] =>
  knownNumbers(sent, names)
    .filter((number) => !sent.held.has(number) && !recalled.has(number))
    .map((senderSequence) => ({ senderSequence, position: sent.positions[senderSequence - 1] ?? 0 }));
