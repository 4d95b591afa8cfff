/** Entries of mailbox logs without signatures, for tests of the rules alone. */
import { randomUUID } from 'node:crypto';
import type { LogEntry, LoggedMessage } from '../../../src/mailbox/mailbox-log.js';
import type { OutgoingMessage } from '../../../src/mailbox/mailbox-store.js';
import { sha256 } from '../../../src/base/hash.js';

const SIGNATURE = Buffer.alloc(64);

export function outgoing(
  senderSequence: number,
  content = 'm',
  messageId: string = randomUUID(),
): OutgoingMessage {
  const payload = Buffer.from(content);
  const contentSha256 = sha256(Buffer.from(JSON.stringify([messageId, senderSequence, content])));
  return {
    messageId,
    toPartyIds: [],
    round: 1,
    senderSequence,
    payload,
    signature: SIGNATURE,
    contentSha256,
  };
}

/** The message as the log keeps it. */
export const logged = (
  { payload, ...message }: OutgoingMessage,
  fromPartyId: string,
  recipients: readonly string[],
  position: number,
): LoggedMessage => ({
  ...message,
  fromPartyId,
  recipients,
  sentAt: new Date(0),
  payloadSize: payload.length,
  payload: [position, 0],
});

export const messagesEntry = (messages: readonly LoggedMessage[]): LogEntry => ({
  kind: 'messages',
  messages,
  deliveredTo: messages[0]?.recipients ?? [],
});
