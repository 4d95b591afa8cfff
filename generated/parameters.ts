// Generated from openapi/ by `make generate`. Not edited by hand.
import type { OperationId } from './operations.js';

export interface ParameterRule {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly type: 'string' | 'integer' | 'boolean' | 'strings';
  readonly required: boolean;
  /** Value of an absent parameter; null if there is none. */
  readonly default: string | number | boolean | null;
  /** Larger values are reduced to this one; null if they are not. */
  readonly clamp: number | null;
}

/** The parameters of each operation, in document order. Names of headers are in lower case. */
export const PARAMETERS: Readonly<Record<OperationId, readonly ParameterRule[]>> = {
  listNotifications: [
    { name: 'limit', in: 'query', type: 'integer', required: false, default: 50, clamp: 100 },
    { name: 'offset', in: 'query', type: 'integer', required: false, default: 0, clamp: null },
    { name: 'cursor', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'status', in: 'query', type: 'string', required: false, default: 'all', clamp: null },
    { name: 'category', in: 'query', type: 'strings', required: false, default: null, clamp: null },
    { name: 'type', in: 'query', type: 'strings', required: false, default: null, clamp: null },
    { name: 'severity', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'data', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'archived', in: 'query', type: 'string', required: false, default: 'exclude', clamp: null },
    { name: 'snoozed', in: 'query', type: 'string', required: false, default: 'exclude', clamp: null },
    { name: 'if-none-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  getUnreadCount: [
    { name: 'category', in: 'query', type: 'strings', required: false, default: null, clamp: null },
    { name: 'type', in: 'query', type: 'strings', required: false, default: null, clamp: null },
    { name: 'severity', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'data', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'if-none-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  markNotificationsRead: [],
  markNotificationsUnread: [],
  markNotificationsSeen: [],
  archiveNotifications: [],
  unarchiveNotifications: [],
  markNotificationsInteracted: [],
  snoozeNotifications: [],
  unsnoozeNotifications: [],
  deleteNotifications: [],
  listFollowedTopics: [],
  subscribeToTopic: [
    { name: 'topic', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  unsubscribeFromTopic: [
    { name: 'topic', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  getNotificationPreferences: [],
  replaceNotificationPreferences: [],
  listQuietHours: [],
  setQuietHours: [
    { name: 'channel', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  removeQuietHours: [
    { name: 'channel', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  streamNotifications: [
    { name: 'ticket', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'last-event-id', in: 'header', type: 'string', required: false, default: null, clamp: null },
    { name: 'lastEventId', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  createStreamTicket: [],
  revokeStreamTickets: [],
  getNotification: [
    { name: 'notificationId', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  deleteNotification: [
    { name: 'notificationId', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  getNotificationSettings: [],
  replaceNotificationSettings: [],
  cancelScheduledNotifications: [
    { name: 'cancelKey', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'tenantId', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  updateMessage: [
    { name: 'messageId', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'tenantId', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  recallMessage: [
    { name: 'messageId', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'tenantId', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  listMessageReceipts: [
    { name: 'messageId', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'tenantId', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'limit', in: 'query', type: 'integer', required: false, default: 50, clamp: 100 },
    { name: 'cursor', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  createNotifications: [],
  getSigningConfig: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'if-none-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  createSigningConfig: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'if-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  updateSigningConfig: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'if-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  clearSigningConfig: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'if-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  createSigningSession: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'idempotency-key', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  createSigningSessions: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'idempotency-key', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  createCeremony: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  claimDelegateKey: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  listSigningSessions: [
    { name: 'limit', in: 'query', type: 'integer', required: false, default: 50, clamp: 100 },
    { name: 'cursor', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'accountId', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'state', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  getSigningSession: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'if-none-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  cancelSigningSession: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  approveSigningSession: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  supplyDelegateUserShare: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  listSigningSessionEvents: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'after', in: 'query', type: 'integer', required: false, default: 0, clamp: null },
    { name: 'last-event-id', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  listAccounts: [
    { name: 'limit', in: 'query', type: 'integer', required: false, default: 50, clamp: 100 },
    { name: 'cursor', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'status', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  createAccount: [],
  getAccount: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'if-none-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  updateAccount: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'if-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  listParties: [
    { name: 'limit', in: 'query', type: 'integer', required: false, default: 50, clamp: 100 },
    { name: 'cursor', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'status', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'role', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  createParty: [],
  getParty: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'if-none-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  updateParty: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'if-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  listPartyKeys: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  confirmPartyKeys: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  revokePartyKey: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'sha256', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  getTenantFreeze: [],
  freezeTenant: [],
  unfreezeTenant: [],
  exportAuditLog: [
    { name: 'after', in: 'query', type: 'integer', required: false, default: 0, clamp: null },
    { name: 'sealedFrom', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'sealedTo', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  eraseUser: [
    { name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  listWebhooks: [],
  createWebhook: [],
  replaceWebhook: [
    { name: 'webhookId', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  deleteWebhook: [
    { name: 'webhookId', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  rotateWebhookSecret: [
    { name: 'webhookId', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  listWebhookMessages: [
    { name: 'webhookId', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'state', in: 'query', type: 'string', required: false, default: 'all', clamp: null },
    { name: 'limit', in: 'query', type: 'integer', required: false, default: 50, clamp: 100 },
    { name: 'cursor', in: 'query', type: 'string', required: false, default: null, clamp: null },
  ],
  getWebhookMessage: [
    { name: 'webhookId', in: 'path', type: 'string', required: true, default: null, clamp: null },
    { name: 'messageId', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  replayWebhookMessages: [
    { name: 'webhookId', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  dropWebhookMessages: [
    { name: 'webhookId', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
};
