/** Notifications for the owner of an account about its sessions: their ends, and the use of the share by a delegate. */
import type { DatabaseTask } from '../../postgres/database.js';
import { sendNotification, shortName } from '../send-notification.js';
import type { NotificationPort, SigningNotification } from '../router-port.js';
import type { Transition } from './session-machine.js';
import type { SessionRecord } from './session-record.js';

type Message = Pick<SigningNotification, 'type' | 'title' | 'body' | 'severity'>;

function messageOf({ happening }: Transition, accountName: string): Message | null {
  const name = shortName(accountName);
  switch (happening.type) {
    case 'party-joined':
    case 'started':
    case 'party-reported':
      return null;
    case 'delegate-share-supplied':
      return delegateMessage(name);
    case 'completed':
      return {
        type: 'signing.session.completed',
        severity: 'success',
        title: `Signature ready: ${name}`,
        body: null,
      };
    case 'failed':
      return {
        type: 'signing.session.failed',
        severity: 'critical',
        title: `Signing failed: ${name}`,
        body: happening.reason,
      };
    case 'expired':
      return {
        type: 'signing.session.expired',
        severity: 'warning',
        title: `Signing expired: ${name}`,
        body: null,
      };
    case 'cancelled':
      return {
        type: 'signing.session.cancelled',
        severity: 'warning',
        title: `Signing cancelled: ${name}`,
        body: null,
      };
  }
}

const delegateMessage = (name: string): Message => ({
  type: 'signing.delegate_share.supplied',
  severity: 'warning',
  title: `A delegate signs with your share: ${name}`,
  body: null,
});

/** Notifies the owner of the transitions that concern the owner, as part of the transaction. */
export async function notifyOfTransitions(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  session: SessionRecord,
  transitions: readonly Transition[],
): Promise<void> {
  for (const transition of transitions) {
    const message = messageOf(transition, session.accountName);
    if (message !== null) await publish(port, transaction, session, message);
  }
}

/** Notifies the owner of a session that was created with the owner's share for the delegate. */
export const notifyOfDelegate = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  session: SessionRecord,
): Promise<void> => publish(port, transaction, session, delegateMessage(shortName(session.accountName)));

const publish = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  { tenantId, ownerUserId, sessionId, accountId }: SessionRecord,
  message: Message,
): Promise<void> =>
  sendNotification(port, transaction, {
    ...message,
    tenantId,
    userIds: [ownerUserId],
    category: 'signing',
    data: JSON.stringify({ sessionId, accountId }),
    actor: null,
    actionUrl: `/api/v1/signing-sessions/${sessionId}`,
    groupKey: sessionId,
    dedupeKey: `${message.type}:${sessionId}`,
    expiresAt: null,
  });
