/** Payloads of messages in a log outside the database. */
import { sentMessage, type LoggedMessage } from './log-entry.js';
import type { MailboxLog } from './mailbox-log.js';
import { MailboxesAway, type MailboxDelivery, type OutgoingMessage } from './mailbox-store.js';
import { deliveryOf, type WaitingDelivery } from './session-mailboxes.js';

/** @throws MailboxesAway if the payload was removed, as it is when the session has ended */
export async function withPayload(
  log: Pick<MailboxLog, 'payload'>,
  message: LoggedMessage | OutgoingMessage,
): Promise<OutgoingMessage> {
  if (!('payloadSize' in message)) return message;
  const payload = await log.payload(message.payload);
  if (payload === null) throw new MailboxesAway('the payload of a message is gone');
  return sentMessage(message, payload);
}

/** Ends before a message whose payload was removed, as it is when the session has ended. */
export async function deliveriesOf(
  log: Pick<MailboxLog, 'payload'>,
  waiting: readonly WaitingDelivery[],
): Promise<readonly MailboxDelivery[]> {
  const deliveries = await Promise.all(
    waiting.map(async (one) => {
      const payload = await log.payload(one.message.payload);
      return payload === null ? null : deliveryOf(one, payload);
    }),
  );
  // The end of a session removes its payloads: no later message is delivered either.
  const gone = deliveries.indexOf(null);
  return (gone < 0 ? deliveries : deliveries.slice(0, gone)).filter((delivery) => delivery !== null);
}
