/** Notifications for the owner of an account about its sessions: their creation and ends, and the use of the share by a delegate. */
import type { DatabaseTask } from '../../postgres/database.js';
import { actorText, sendNotification, shortName } from '../context.js';
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

/**
 * Notifies the owner of a new session, before anything is signed: with scope `sign:create` others may create it.
 * @param withShare the session was created with the owner's share for the delegate
 */
export async function notifyOfCreation(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  session: SessionRecord,
  withShare: boolean,
): Promise<void> {
  const { accountName, createdBy, ownerUserId } = session;
  const name = shortName(accountName);
  const created: Message = {
    type: 'signing.session.created',
    severity: createdBy === ownerUserId ? 'info' : 'warning',
    title: `Signing begins: ${name}`,
    body: null,
  };
  await publish(port, transaction, session, created, actorText(createdBy));
  if (withShare) await publish(port, transaction, session, delegateMessage(name));
}

const publish = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  { tenantId, ownerUserId, sessionId, accountId }: SessionRecord,
  message: Message,
  actor: string | null = null,
): Promise<void> =>
  sendNotification(port, transaction, {
    ...message,
    tenantId,
    userIds: [ownerUserId],
    category: 'signing',
    data: JSON.stringify({ sessionId, accountId }),
    actor,
    actionUrl: `/api/v1/signing-sessions/${sessionId}`,
    groupKey: sessionId,
    dedupeKey: `${message.type}:${sessionId}`,
    expiresAt: null,
  });
