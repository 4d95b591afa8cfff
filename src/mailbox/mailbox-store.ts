/** Messages between the parties of a session until they are acknowledged: one interface for several kinds of storage. */
import { lengthPrefixed, unsigned32 } from '../base/bytes.js';
import type { PartyIdentity, SessionState } from '../signing/router-port.js';

/** A message as its sender signed it. */
export interface OutgoingMessage {
  /** UUID in lower case, chosen by the sender; names the message among those of its sender in the session. */
  readonly messageId: string;
  /** Recipients named by the sender; empty for all other participants. */
  readonly toPartyIds: readonly string[];
  readonly round: number;
  /** The sender's own counter in the session, from 1 without gaps. */
  readonly senderSequence: number;
  readonly payload: Buffer;
  readonly signature: Buffer;
  /** SHA-256 of the signed statement: equal for equal messages only. */
  readonly contentSha256: Buffer;
}

/** A message in a mailbox. */
export interface MailboxDelivery extends OutgoingMessage {
  /** Position in the mailbox, from 1 without gaps. */
  readonly sequence: number;
  readonly fromPartyId: string;
  /** Number of subscriptions that began after its first delivery and before its acknowledgement. */
  readonly redeliveryCount: number;
  /** When it was accepted. */
  readonly sentAt: Date;
}

/**
 * The session is unknown or of another tenant, or the party is not a participant. The outcome does not distinguish
 * these.
 */
interface MailboxNotFound {
  readonly kind: 'not-found';
}

export type AppendOutcome =
  /** All messages were accepted; for each, whether it had been accepted before. */
  | { readonly kind: 'accepted'; readonly duplicates: readonly boolean[] }
  | MailboxNotFound
  /** Messages are accepted only while the session is in progress. */
  | { readonly kind: 'wrong-state'; readonly state: SessionState }
  | { readonly kind: 'unknown-recipient'; readonly partyId: string }
  | { readonly kind: 'out-of-order'; readonly expected: number }
  /** The sender signed another message under the same number or identifier, which was accepted first. */
  | { readonly kind: 'equivocation'; readonly first: OutgoingMessage; readonly second: OutgoingMessage }
  /** The recipient has as many unacknowledged messages or bytes as a mailbox holds. */
  | { readonly kind: 'full'; readonly partyId: string }
  /** The session has as many messages as this process keeps in memory for one session. */
  | { readonly kind: 'session-full' }
  /** All sessions together have as many messages as this process keeps in memory. */
  | { readonly kind: 'store-full' };

export type OpenOutcome =
  /** Reading continues after `position`; `reader` is this reader's number, higher than those of all earlier readers. */
  | {
      readonly kind: 'opened';
      readonly position: number;
      readonly acked: number;
      readonly reader: number;
    }
  | MailboxNotFound
  | { readonly kind: 'not-delivered'; readonly delivered: number };

export type AckOutcome =
  | { readonly kind: 'acked'; readonly acked: number }
  | MailboxNotFound
  /** A message that was not delivered cannot be acknowledged. */
  | { readonly kind: 'not-delivered'; readonly delivered: number };

/** Positions of a mailbox that change without its reader. */
export interface MailboxMarks {
  /** The position of the last message. */
  readonly head: number;
  readonly acked: number;
  /** The number of the newest reader. */
  readonly reader: number;
}

export interface MailboxPage {
  readonly marks: MailboxMarks;
  /** Oldest first. */
  readonly deliveries: readonly MailboxDelivery[];
  /** Set if the session has ended: nothing is delivered, and the marks say nothing about its readers. */
  readonly ended?: true;
}

/** The page of every mailbox of a session that has ended. */
export const ENDED_PAGE: MailboxPage = {
  marks: { head: 0, acked: 0, reader: 0 },
  deliveries: [],
  ended: true,
};

export interface PageLimits {
  readonly deliveries: number;
  /** Limit of the payloads together; the first delivery is returned at any size. */
  readonly bytes: number;
  /** Asked before the payloads are read, with the bytes of the page: false returns no delivery. */
  readonly admit?: (bytes: number) => boolean;
}

/**
 * The end of a session removes its messages. Each function may throw the errors of the storage; no change is then made in part.
 */
export interface MailboxStore {
  /** Accepts all messages or none. Accepted messages outlive the process if the storage is durable. */
  append(
    party: PartyIdentity,
    sessionId: string,
    messages: readonly OutgoingMessage[],
  ): Promise<AppendOutcome>;
  /** Begins to read. @param after the last position that the reader has; 0 for the last acknowledged position */
  open(party: PartyIdentity, sessionId: string, after: number): Promise<OpenOutcome>;
  /**
   * Returns the next deliveries after a position, and records them as delivered. Null if the mailbox does not exist.
   * @throws PartyRefused if the party has changed since it was identified
   */
  read(
    party: PartyIdentity,
    sessionId: string,
    after: number,
    limits: PageLimits,
  ): Promise<MailboxPage | null>;
  /** Acknowledges all messages up to a position. */
  ack(party: PartyIdentity, sessionId: string, upTo: number): Promise<AckOutcome>;
  /**
   * Calls back whenever the mailbox may have changed. Until the function that it returns is called, messages may count as
   * delivered as soon as they are accepted. @param reader the number of the reader, from `open`
   */
  watch(party: PartyIdentity, sessionId: string, reader: number, onChange: () => void): () => void;
  /** Identifies the place where the messages are stored. Processes that serve one database must use the same. */
  place(): Promise<string>;
  close(): Promise<void>;
}

/** The storage of the mailboxes is unavailable; whether the last change was made is unknown. */
export class MailboxesAway extends Error {
  override readonly name = 'MailboxesAway';
}

/** The storage of the mailboxes is full; the last change was not made. */
export class MailboxesFull extends Error {
  override readonly name = 'MailboxesFull';
}

/** Most unacknowledged messages of one mailbox. */
export const MAILBOX_CAPACITY = 4096;
/** Most bytes of payloads of unacknowledged messages of one mailbox. */
export const MAILBOX_BYTES = 67_108_864;

/** Most deliveries of one stream that are not acknowledged. */
export const MAX_WINDOW = 256;

/** The statement that a party signs when it sends a message, by which a recipient can prove the sender and the content. */
export interface EnvelopeContent extends Pick<
  OutgoingMessage,
  'messageId' | 'toPartyIds' | 'round' | 'senderSequence'
> {
  readonly sessionId: string;
  readonly fromPartyId: string;
  readonly payload: Uint8Array;
}

/** Encodes fields 1 to 7 of `router.v1.Envelope` with length prefixes, after a name of the purpose. */
export function envelopeStatement(envelope: EnvelopeContent): Buffer {
  const senderSequence = Buffer.alloc(8);
  senderSequence.writeBigUInt64BE(BigInt(envelope.senderSequence));
  return lengthPrefixed([
    'router.v1 Envelope',
    envelope.sessionId,
    envelope.messageId,
    envelope.fromPartyId,
    lengthPrefixed(envelope.toPartyIds),
    unsigned32(envelope.round),
    senderSequence,
    envelope.payload,
  ]);
}
