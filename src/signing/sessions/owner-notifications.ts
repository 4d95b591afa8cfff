/** Notifications for the owner of an account about its sessions: their creation and ends, and the use of the share by a delegate. */
import type { DatabaseTask } from '../../postgres/transaction.js';
import { actorText, shortName } from '../context.js';
import type { NotificationPort, SigningNotification } from '../router-port.js';
import type { Happening, Transition } from './session-machine.js';
import type { SessionRecord } from './session-record.js';

/** Characters of the body of a notification. */
const MAX_BODY = 4000;

type Message = Pick<SigningNotification, 'type' | 'title' | 'body' | 'severity'>;

/** The notifications of transitions, by their events; the title ends with the name of the account. */
const MESSAGES: Readonly<Partial<Record<Happening['type'], Omit<Message, 'body'>>>> = {
  'delegate-share-supplied': {
    type: 'signing.delegate_share.supplied',
    severity: 'warning',
    title: 'A delegate signs with your share',
  },
  completed: { type: 'signing.session.completed', severity: 'success', title: 'Signature ready' },
  failed: { type: 'signing.session.failed', severity: 'critical', title: 'Signing failed' },
  expired: { type: 'signing.session.expired', severity: 'warning', title: 'Signing expired' },
  cancelled: { type: 'signing.session.cancelled', severity: 'warning', title: 'Signing cancelled' },
};

/** Titles for ceremonies, by the type of the notification. */
const CEREMONY_TITLES: Readonly<Record<string, string>> = {
  'signing.session.created': 'A key ceremony begins',
  'signing.session.completed': 'The key ceremony is completed',
  'signing.session.failed': 'The key ceremony failed',
  'signing.session.expired': 'The key ceremony expired',
  'signing.session.cancelled': 'The key ceremony was cancelled',
};

/** Notifies the owner of the transitions that concern the owner, as part of the transaction. */
export async function notifyOfTransitions(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  session: SessionRecord,
  transitions: readonly Transition[],
): Promise<void> {
  for (const { happening } of transitions) await notifyOf(port, transaction, session, happening);
}

/**
 * Notifies the owner of new sessions, before anything is signed: with scope `sign:create` others may create them. There is one
 * notification for the sessions of a batch.
 * @param withShare the session was created with the owner's share for the delegate
 */
export async function notifyOfCreation(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  sessions: readonly SessionRecord[],
  withShare: boolean,
): Promise<void> {
  const [session] = sessions;
  if (session === undefined) return;
  const { createdBy, ownerUserId } = session;
  const isBatch = sessions.length > 1;
  const created: Message = {
    type: 'signing.session.created',
    severity: createdBy === ownerUserId ? 'info' : 'warning',
    title: isBatch ? `${String(sessions.length)} signings begin` : 'Signing begins',
    body: null,
  };
  const more = isBatch ? { sessionIds: sessions.map(({ sessionId }) => sessionId) } : {};
  await publish(port, transaction, session, created, actorText(createdBy), more);
  if (withShare) await notifyOf(port, transaction, session, { type: 'delegate-share-supplied' });
}

async function notifyOf(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  session: SessionRecord,
  happening: Happening,
): Promise<void> {
  const message = MESSAGES[happening.type];
  const body = bodyOf(happening);
  if (message !== undefined) await publish(port, transaction, session, { ...message, body });
}

/** What the owner reads beside the title: why a session failed, and for whom an expired one waited. */
function bodyOf(happening: Happening): string | null {
  if (happening.type === 'failed') return happening.reason;
  if (happening.type !== 'expired') return null;
  const { missingParties, shareMissing } = happening;
  return `Missing: ${[...missingParties, ...(shareMissing ? ['your share'] : [])].join(', ')}.`.slice(
    0,
    MAX_BODY,
  );
}

async function publish(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  { tenantId, ownerUserId, sessionId, accountId, accountName, ceremony }: SessionRecord,
  message: Message,
  actor: string | null = null,
  more: object = {},
): Promise<void> {
  const title = ceremony === null ? message.title : (CEREMONY_TITLES[message.type] ?? message.title);
  await port?.publish(transaction, {
    ...message,
    title: `${title}: ${shortName(accountName)}`,
    tenantId,
    userIds: [ownerUserId],
    category: 'signing',
    data: JSON.stringify({ sessionId, accountId, ...more }),
    actor,
    actionUrl: `/api/v1/signing-sessions/${sessionId}`,
    groupKey: sessionId,
    dedupeKey: `${message.type}:${sessionId}`,
    expiresAt: null,
  });
}
