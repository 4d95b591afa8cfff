/** The operations of producers: creating notifications, changing and recalling what they sent, its receipts, settings of the tenant. */
import type { NotificationsHandlers } from '../../generated/operations.js';
import type { MessageReceipts } from '../../generated/types.js';
import type { Principal, RequestContext } from '../contract/principal.js';
import { dbrError, invalidBody } from '../errors/dbr-error.js';
import type { Observe } from '../observability/observation.js';
import { decodeCursor, encodeCursor } from '../operations/cursor.js';
import { NO_STORE, jsonResponse } from '../operations/responses.js';
import { requireStorableParameter, requireStorablePrincipal } from '../operations/storable-text.js';
import { MAX_DIGESTS, MAX_SCHEDULED } from './produce-sql.js';
import { digestOf, draftOf, messageChangeOf, messageOf, scheduleOf, tenantNamed } from './service.js';
import type { NotificationStore } from './store.js';
import type { DigestWindow, NotificationDraft, Schedule } from './types.js';

export interface ProducerParts {
  readonly store: NotificationStore;
  /** Wakes live streams. Called after a write. */
  readonly written: () => void;
  readonly observe: Observe;
}

/** The name of a user in a cursor: at most 200 characters, counted as code points. */
const USER_NAME = /^[^]{1,200}$/u;

export function createProducerHandlers({ store, written, observe }: ProducerParts) {
  /** @throws DbrError MessageNotFound if nothing was changed */
  function outcome(notifications: number) {
    if (notifications === 0) throw dbrError('MessageNotFound');
    written();
    return { status: 200, type: 'application/json', body: { notifications } } as const;
  }

  /** @throws DbrError TooManyDigests */
  async function collect(draft: NotificationDraft, digest: DigestWindow) {
    const counts = await store.collect(draft, digest);
    if (counts === null)
      throw dbrError('TooManyDigests', {
        userLimit: String(MAX_DIGESTS.user),
        tenantLimit: String(MAX_DIGESTS.tenant),
      });
    const { collected, duplicates, suppressed } = counts;
    observe({ kind: 'notifications-produced', created: 0, duplicates, suppressed });
    const body = { created: 0, duplicates, suppressed, messageId: null, collected };
    return { status: collected > 0 ? 202 : 200, type: 'application/json', body } as const;
  }

  /** @throws DbrError TooManyScheduled; InvalidBody */
  async function schedule(draft: NotificationDraft, at: Schedule) {
    const scheduled = await store.schedule(draft, at);
    if (scheduled === 'time')
      throw invalidBody('/sendAt', 'range', 'must be in the future, and at most 366 days ahead');
    if (scheduled === 'full')
      throw dbrError('TooManyScheduled', {
        limit: String(MAX_SCHEDULED.messages),
        bytes: String(MAX_SCHEDULED.bytes),
      });
    const body = { created: 0, duplicates: 0, suppressed: 0, messageId: null, scheduled };
    return { status: 202, type: 'application/json', body } as const;
  }

  return {
    async createNotifications({ body }, { principal }) {
      const draft = draftOf(body, principal);
      const at = scheduleOf(body);
      if (at !== null) return schedule(draft, at);
      const digest = digestOf(body);
      if (digest !== null) return collect(draft, digest);
      const produced = await store.produce(draft);
      observe({ kind: 'notifications-produced', ...produced });
      if (produced.created > 0) written();
      return { status: produced.created > 0 ? 201 : 200, type: 'application/json', body: produced };
    },
    async cancelScheduledNotifications({ path, query }, { principal }) {
      requireStorableParameter('cancelKey', path.cancelKey);
      const cancelled = await store.cancelScheduled(tenantNamed(principal, query.tenantId), path.cancelKey);
      if (cancelled === 0) throw dbrError('ScheduledNotFound');
      return { status: 200, type: 'application/json', body: { cancelled } };
    },
    async updateMessage({ path, query, body }, { principal }) {
      const message = messageOf(path.messageId, principal, query.tenantId);
      return outcome(await store.update(message, messageChangeOf(body)));
    },
    async recallMessage({ path, query }, { principal }) {
      return outcome(await store.recall(messageOf(path.messageId, principal, query.tenantId)));
    },
    async listMessageReceipts({ path, query }, { principal }) {
      const message = messageOf(path.messageId, principal, query.tenantId);
      const [after = null] = query.cursor === undefined ? [] : decodeCursor(query.cursor, [USER_NAME]);
      const text = await store.receipts(message, { after, limit: query.limit });
      if (text === null) throw dbrError('MessageNotFound');
      const page = JSON.parse(text) as Omit<MessageReceipts, 'nextCursor'>;
      const last = page.items.at(-1);
      const nextCursor = page.hasMore && last !== undefined ? encodeCursor([last.userId]) : null;
      return jsonResponse(NO_STORE, { ...page, nextCursor });
    },
    async getNotificationSettings(_request, { principal }) {
      return settings(await store.retention(tenantOf(principal)));
    },
    async replaceNotificationSettings({ body: { retentionDays } }, { principal }) {
      await store.setRetention(tenantOf(principal), retentionDays);
      return settings(retentionDays);
    },
  } satisfies Partial<NotificationsHandlers<RequestContext>>;
}

const tenantOf = (principal: Principal) => requireStorablePrincipal(principal).tenantId;

const settings = (retentionDays: number | null) => jsonResponse(NO_STORE, { retentionDays });
