import type { Notification } from 'dbr-client';

/** A notification of Ann, unread and in the inbox. @param second when it was created, which names it */
export const item = (second: number, changed: Partial<Notification> = {}): Notification => ({
  notificationId: `n${String(second)}`,
  tenantId: 'acme',
  userId: 'ann',
  audience: 'user',
  topic: null,
  type: 'report.ready',
  category: 'general',
  severity: 'info',
  title: `item ${String(second)}`,
  body: null,
  data: {},
  actor: null,
  actionUrl: null,
  groupKey: null,
  createdAt: new Date(second * 1000).toISOString(),
  expiresAt: null,
  seenAt: null,
  readAt: null,
  interactedAt: null,
  archivedAt: null,
  snoozedUntil: null,
  isRead: false,
  ...changed,
});
