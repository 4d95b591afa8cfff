/** The entries of the log of a session. */
import type { OutgoingMessage } from './mailbox-store.js';

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
  | {
      readonly kind: 'messages';
      readonly messages: readonly LoggedMessage[];
      /** Recipients whose subscription had received all earlier messages: the entry also records their delivery. */
      readonly deliveredTo: readonly string[];
    }
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

/** @param payload names the payload within the log */
export function loggedMessage(
  fromPartyId: string,
  message: OutgoingMessage,
  recipients: readonly string[],
  sentAt: Date,
  payload: PayloadReference,
): LoggedMessage {
  return {
    messageId: message.messageId,
    toPartyIds: message.toPartyIds,
    round: message.round,
    senderSequence: message.senderSequence,
    contentSha256: message.contentSha256,
    recipients,
    sentAt,
    fromPartyId,
    // A copy: what came is a view of the whole request, which would be kept with it.
    signature: Buffer.from(message.signature),
    payloadSize: message.payload.length,
    payload,
  };
}

/** The message as it was sent, with its payload. */
export function sentMessage(message: LoggedMessage, payload: Buffer): OutgoingMessage {
  const { messageId, toPartyIds, round, senderSequence, signature, contentSha256 } = message;
  return { messageId, toPartyIds, round, senderSequence, payload, signature, contentSha256 };
}
