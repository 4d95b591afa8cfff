/** SubscribeMessages: one mailbox in order, as fast as its reader reads and acknowledges. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SubscribeMessagesResponseSchema } from '../../generated/proto/router/v1/router_pb.js';
import type { MailboxDelivery, MailboxStore } from '../mailbox/mailbox-store.js';
import type { PartyIdentity, SessionEnds, TerminalState } from '../signing/router-port.js';
import type { Send } from './call-options.js';
import { openMailboxReader, type MailboxReader } from './mailbox-reader.js';
import { deliveryMessage, stateMessage } from './messages.js';
import { openStreamLoop } from './stream-loop.js';

type Item = MessageInitShape<typeof SubscribeMessagesResponseSchema>;

export interface Subscription {
  readonly mailboxes: MailboxStore;
  readonly ends: SessionEnds;
  readonly party: PartyIdentity;
  readonly sessionId: string;
  /** The last position that the reader has; 0 resumes after the last acknowledged position. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly send: Send<Item>;
}

const NONE: readonly MailboxDelivery[] = [];

/**
 * Ends with the final state of the session, or without a state when the signal is aborted.
 * @throws Refused NOT_FOUND, FAILED_PRECONDITION for a position ahead of the mailbox, ABORTED when a newer reader
 * came
 */
export async function messageStream(subscription: Subscription): Promise<void> {
  const { mailboxes, ends, party, sessionId, after, signal, send } = subscription;
  const loop = openStreamLoop(signal);
  let endedWith: TerminalState | null = null;
  const unwatch = ends.watch(sessionId, (state) => {
    endedWith = state;
    loop.end();
  });
  const end = (): TerminalState | null => endedWith;
  let reader: MailboxReader | null = null;
  try {
    reader = await openMailboxReader({ mailboxes, party, sessionId, after, onDue: loop.wake });
    while (!loop.ended) {
      const page = reader.due ? reader.next() : NONE;
      const deliveries = page instanceof Promise ? await page : page;
      if (deliveries.length > 0)
        await send({ deliveries: deliveries.map((delivery) => deliveryMessage(sessionId, delivery)) });
      else if (loop.silent) await send({});
      else {
        if (!reader.due) await loop.next();
        continue;
      }
      loop.sent();
    }
    const state = end();
    if (state !== null) await send({ closedWith: stateMessage(state) });
  } finally {
    reader?.close();
    unwatch();
    loop.close();
  }
}
