/** The notification for the owner of an account about a change of the signing configuration. */
import type { DatabaseTask } from '../../postgres/database.js';
import type { Actor } from '../access.js';
import type { NotificationPort } from '../router-port.js';
import { actorText, sendNotification, shortName } from '../send-notification.js';
import type { Account } from './account-store.js';

/** Notifies the owner, as part of the transaction. */
export const notifyOfConfig = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  actor: Actor,
  account: Account,
  signingParties: readonly string[] | null,
): Promise<void> =>
  sendNotification(port, transaction, {
    tenantId: actor.tenantId,
    userIds: [account.ownerUserId],
    type: 'signing.config.changed',
    title: `Signing parties changed: ${shortName(account.name)}`,
    category: 'signing',
    severity: 'warning',
    body: null,
    data: JSON.stringify({ accountId: account.accountId, signingParties }),
    actor: actorText(actor.userId),
    actionUrl: `/accounts/${account.accountId}/signing-config`,
    groupKey: account.accountId,
    dedupeKey: null,
    expiresAt: null,
  });
