/** Notifications for the owner of an account: ends of sessions, use of the share by a delegate, changes of the configuration. */
import type { AccountId, UserId } from '../identifiers.js';
import type { DatabaseTask } from '../postgres/database.js';
import type { Actor } from './access.js';
import type { NotificationPort, SigningNotification } from './router-port.js';
import type { Transition } from './sessions/session-machine.js';
import type { SessionRecord } from './sessions/session-record.js';

type Message = Pick<SigningNotification, 'type' | 'title' | 'body' | 'severity'>;

/** A title has at most 200 characters, and so has the name of an account. */
const MAX_NAME = 80;
const shortened = (name: string): string =>
  name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;

function messageOf({ happening }: Transition, accountName: string): Message | null {
  const name = shortened(accountName);
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
): Promise<void> => publish(port, transaction, session, delegateMessage(shortened(session.accountName)));

const publish = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  { tenantId, ownerUserId, sessionId, accountId }: SessionRecord,
  message: Message,
): Promise<void> =>
  send(port, transaction, {
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

/** Notifies the owner of a change of the signing configuration. */
export const notifyOfConfig = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  actor: Actor,
  account: { readonly accountId: AccountId; readonly ownerUserId: UserId; readonly name: string },
  signingParties: readonly string[] | null,
): Promise<void> =>
  send(port, transaction, {
    tenantId: actor.tenantId,
    userIds: [account.ownerUserId],
    type: 'signing.config.changed',
    title: `Signing parties changed: ${shortened(account.name)}`,
    category: 'signing',
    severity: 'warning',
    body: null,
    data: JSON.stringify({ accountId: account.accountId, signingParties }),
    actor: JSON.stringify({ type: 'user', id: actor.userId, name: null }),
    actionUrl: `/accounts/${account.accountId}/signing-config`,
    groupKey: account.accountId,
    dedupeKey: null,
    expiresAt: null,
  });

async function send(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  notification: SigningNotification,
): Promise<void> {
  await port?.publish(transaction, notification);
}
