/** The operations of area A: each maps a typed request to one call of the store and its result to a typed response. */
import type { JsonText, NotificationsHandlers } from '../../generated/operations.js';
import type { Acknowledgement, NotificationNames, NotificationSelection } from '../../generated/types.js';
import { dbrError, invalidBody } from '../errors/dbr-error.js';
import type { Principal, RequestContext } from '../contract/principal.js';
import {
  NO_STORE,
  PRIVATE,
  eventStreamResponse,
  jsonResponse,
  conditionalResponse,
} from '../operations/responses.js';
import { requireRate, type RateLimiter } from '../operations/limits.js';
import {
  categoriesText,
  earlyOf,
  filtersOf,
  listQueryOf,
  namedOf,
  quietHoursOf,
  requireNamed,
  readerOf,
  resumeFrom,
  snoozeOf,
  unknownTimeZone,
  type Named,
} from './service.js';
import { requireStorableParameter } from '../operations/storable-text.js';
import { createProducerHandlers, type ProducerParts } from './producer-handlers.js';
import { createWebhookHandlers, type WebhookParts } from './webhook-handlers.js';
import { MAX_TOPICS } from './choices-sql.js';
import { parseUuid } from '../base/identifiers.js';
import type { TaggedJson } from './store.js';
import type { StreamStore } from './stream-store.js';
import type { Streams } from './stream.js';
import type { Appear } from './first-request.js';
import { createTicket, openTicket } from './tickets.js';
import type { MarkChange, MarkOfAll, Reader } from './types.js';

export interface HandlerParts extends ProducerParts {
  readonly streamStore: StreamStore;
  readonly streams: Streams;
  readonly appear: Appear;
  /** One bucket for each reader. */
  readonly listLimiter: RateLimiter;
  /** One bucket for each reader. */
  readonly countLimiter: RateLimiter;
  /** One bucket for each reader and kind of mark; for marks of all notifications. */
  readonly markAllLimiter: RateLimiter;
  /** One bucket for each reader; for marks of one notification and changes of preferences. */
  readonly changeLimiter: RateLimiter;
  /** One bucket for each reader. */
  readonly ticketLimiter: RateLimiter;
  readonly webhooks: WebhookParts;
}

export function createNotificationsHandlers(parts: HandlerParts): NotificationsHandlers<RequestContext> {
  const { store, streamStore, streams, appear, written } = parts;

  async function markSome(change: MarkChange, { known, ids, isOne }: Named, reader: Reader) {
    await requireRate(parts.changeLimiter, keyOf(reader));
    await appear(reader);
    const found =
      known.length === 0 && change.mark !== 'snoozed' ? NONE : await store.markSome(reader, change, known);
    if (found === null)
      throw invalidBody('/until', 'range', 'must be in the future, and at most 366 days ahead');
    if (isOne && found.size === 0) throw dbrError('NotificationNotFound');
    written();
    const notFound = ids.filter((id) => !found.has(id.toLowerCase()));
    return acknowledged(isOne ? { ok: true } : { ok: true, notFound });
  }

  async function mark(
    name: MarkOfAll,
    body: NotificationSelection | undefined,
    { principal }: RequestContext,
  ) {
    const reader = readerOf(principal);
    const named = namedOf(body ?? {});
    if (named !== null) return markSome({ mark: name }, named, reader);
    const early = earlyOf(body ?? {});
    await requireRate(parts.markAllLimiter, [name, ...keyOf(reader)]);
    await appear(reader);
    await store.markAll(reader, name, early);
    written();
    return acknowledged({ ok: true });
  }

  function markNamed(change: MarkChange, body: NotificationNames, { principal }: RequestContext) {
    return markSome(change, requireNamed(body), readerOf(principal));
  }

  /** Returns the reader of a request that changes settings. @throws DbrError beyond the rate */
  async function changer(principal: Principal): Promise<Reader> {
    const reader = readerOf(principal);
    await requireRate(parts.changeLimiter, keyOf(reader));
    await appear(reader);
    return reader;
  }

  function topicReader(topic: string, principal: Principal): Promise<Reader> {
    requireStorableParameter('topic', topic);
    return changer(principal);
  }

  return {
    async listNotifications({ query, headers }, { principal, signal }) {
      const reader = readerOf(principal);
      const listQuery = listQueryOf(query);
      await requireRate(parts.listLimiter, keyOf(reader));
      await appear(reader);
      return conditional(await store.list(reader, listQuery, signal), headers['if-none-match']);
    },
    async getUnreadCount({ query, headers }, { principal, signal }) {
      const reader = readerOf(principal);
      const filters = filtersOf(query);
      await requireRate(parts.countLimiter, keyOf(reader));
      await appear(reader);
      return conditional(await store.unreadCount(reader, filters, signal), headers['if-none-match']);
    },
    markNotificationsRead: ({ body }, context) => mark('read', body, context),
    markNotificationsUnread: ({ body }, context) => mark('unread', body, context),
    markNotificationsSeen: ({ body }, context) => mark('seen', body, context),
    archiveNotifications: ({ body }, context) => mark('archived', body, context),
    unarchiveNotifications: ({ body }, context) => mark('unarchived', body, context),
    markNotificationsInteracted: ({ body }, context) => markNamed({ mark: 'interacted' }, body, context),
    snoozeNotifications: ({ body }, context) => markNamed(snoozeOf(body.until), body, context),
    unsnoozeNotifications: ({ body }, context) => markNamed({ mark: 'unsnoozed' }, body, context),
    deleteNotifications: ({ body }, context) => markNamed({ mark: 'deleted' }, body, context),
    async deleteNotification({ path }, context) {
      await markNamed({ mark: 'deleted' }, { notificationId: path.notificationId }, context);
      return { status: 204 };
    },
    async getNotification({ path }, { principal, signal }) {
      const reader = readerOf(principal);
      const identifier = parseUuid(path.notificationId);
      await appear(reader);
      const found = identifier === null ? null : await store.one(reader, identifier, signal);
      if (found === null) throw dbrError('NotificationNotFound');
      return json(found);
    },
    async getNotificationPreferences(_request, { principal }) {
      return json(await store.preferences(readerOf(principal)));
    },
    async replaceNotificationPreferences({ body }, { principal }) {
      const reader = await changer(principal);
      const replaced = await store.replacePreferences(reader, categoriesText(body.categories));
      if (replaced.refused !== null) throw dbrError('CategoryCritical', { category: replaced.refused });
      written();
      return json(replaced.preferences);
    },
    async listQuietHours(_request, { principal }) {
      return json(await store.quietHours(readerOf(principal)));
    },
    async setQuietHours(request, { principal }) {
      const hours = quietHoursOf(request);
      const set = await store.setQuietHours(await changer(principal), hours);
      if (set === null) throw unknownTimeZone();
      return json(set);
    },
    async removeQuietHours({ path }, { principal }) {
      await store.removeQuietHours(await changer(principal), path.channel);
      return { status: 204 };
    },
    async streamNotifications({ query, headers }, { principal, signal, headers: sent }) {
      // The header is newer: EventSource sends it when it connects again under the URL that it began with.
      const after = resumeFrom(headers['last-event-id'] ?? query.lastEventId);
      const reader = readerOf(principal);
      await appear(reader);
      const byTicket = sent.authorization === undefined && query.ticket !== undefined;
      const body = await streams.open({
        reader,
        ticket: byTicket ? await openTicket(streamStore, query.ticket) : null,
        after,
        expiresAt: principal.expiresAt,
        signal,
      });
      return eventStreamResponse(body);
    },
    async createStreamTicket(_request, { principal }) {
      const reader = readerOf(principal);
      await requireRate(parts.ticketLimiter, keyOf(reader));
      return jsonResponse(NO_STORE, await createTicket(streamStore, reader, principal));
    },
    async revokeStreamTickets(_request, { principal }) {
      const reader = readerOf(principal);
      await streamStore.revokeTickets(reader);
      streams.endTicketed(reader);
      return { status: 204 };
    },
    async listFollowedTopics(_request, { principal }) {
      return json(await store.topics(readerOf(principal)));
    },
    async subscribeToTopic({ path }, { principal }) {
      const reader = await topicReader(path.topic, principal);
      if (!(await store.subscribe(reader, path.topic)))
        throw dbrError('TooManyTopics', { limit: String(MAX_TOPICS) });
      written();
      return { status: 204 };
    },
    async unsubscribeFromTopic({ path }, { principal }) {
      const reader = await topicReader(path.topic, principal);
      await store.unsubscribe(reader, path.topic);
      written();
      return { status: 204 };
    },
    ...createWebhookHandlers(parts.webhooks),
    ...createProducerHandlers({ store, written, observe: parts.observe }),
  };
}

const NONE: ReadonlySet<string> = new Set();

const acknowledged = (body: Acknowledgement) => ({ status: 200, type: 'application/json', body }) as const;

const keyOf = ({ tenantId, userId }: Reader): readonly string[] => [tenantId, userId];

const json = (body: JsonText) => jsonResponse(PRIVATE, body);

/** RFC 9110 §13.1.2: nothing is sent again that the client has. */
const conditional = ({ etag, jsonText }: TaggedJson, ifNoneMatch: string | undefined) =>
  conditionalResponse(ifNoneMatch, { ...PRIVATE, ETag: etag }, { jsonText });
