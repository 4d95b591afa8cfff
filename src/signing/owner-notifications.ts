/** What the owner of an account is told: how sessions end, that a delegate uses a share, that the configuration changes. */
import type { DatabaseTask } from '../postgres/database.js';
import type { Actor } from './access.js';
import type { NotificationPort, SigningNotification } from './router-port.js';
import type { Transition } from './sessions/session-machine.js';
import type { SessionRecord } from './sessions/session-record.js';

type Words = Pick<SigningNotification, 'type' | 'title' | 'body' | 'severity'>;

/** Titles are at most 200 characters; a name of an account may be as long by itself. */
const MAX_NAME = 80;
const shortened = (name: string): string =>
  name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;

function wordsOf({ happening }: Transition, accountName: string): Words | null {
  const name = shortened(accountName);
  switch (happening.type) {
    case 'party-joined':
    case 'started':
    case 'party-reported':
      return null;
    case 'delegate-share-supplied':
      return delegateWords(name);
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

const delegateWords = (name: string): Words => ({
  type: 'signing.delegate_share.supplied',
  severity: 'warning',
  title: `A delegate signs with your share: ${name}`,
  body: null,
});

/** Tells the owner of the transitions of a session that concern them, as part of the transaction. */
export async function notifyOfTransitions(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  session: SessionRecord,
  transitions: readonly Transition[],
): Promise<void> {
  for (const transition of transitions) {
    const words = wordsOf(transition, session.accountName);
    if (words !== null) await publish(port, transaction, session, words);
  }
}

/** Tells the owner that a session was created with their share for the delegate. */
export const notifyOfDelegate = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  session: SessionRecord,
): Promise<void> => publish(port, transaction, session, delegateWords(shortened(session.accountName)));

const publish = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  { tenantId, ownerUserId, sessionId, accountId }: SessionRecord,
  words: Words,
): Promise<void> =>
  send(port, transaction, {
    ...words,
    tenantId,
    userIds: [ownerUserId],
    category: 'signing',
    data: JSON.stringify({ sessionId, accountId }),
    actor: null,
    actionUrl: `/api/v1/signing-sessions/${sessionId}`,
    groupKey: sessionId,
    dedupeKey: `${words.type}:${sessionId}`,
    expiresAt: null,
  });

/** Tells the owner who changed the configuration of their account, and to what. */
export const notifyOfConfig = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  actor: Actor,
  account: { readonly accountId: string; readonly ownerUserId: string; readonly name: string },
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
