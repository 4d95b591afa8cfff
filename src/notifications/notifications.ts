/** Area A as one part: its operations, its port for other areas, its background work. */
import type { Gone } from '../base/gone.js';
import type { NotificationsHandlers } from '../../generated/operations.js';
import type { Principal, RequestContext } from '../contract/principal.js';
import type { ChangeFeed } from '../postgres/change-feed.js';
import type { DatabaseTask } from '../postgres/transaction.js';
import { publishNotifications } from './stream-dispatcher.js';
import { repeat, type Repeated } from '../observability/repeat.js';
import { createFirstRequests } from './first-request.js';
import { createNotificationsHandlers } from './handlers.js';
import { createDelivery, type DeliveryParts } from './webhook-delivery.js';
import { createSecretBox } from './webhook-secrets.js';
import { createSender } from './webhook-send.js';
import type { Limits, RateLimit } from '../operations/limits.js';
import { PRODUCE_TEXT, produceParameters } from './produce-sql.js';
import { BECOME_PRODUCER, RESTORE_ROLE } from './role-sql.js';
import { createNotificationStore, type Runner } from './store.js';
import { createStreamStore } from './stream-store.js';
import { createStreams, endStreamsOf } from './stream.js';
import { startSweeper } from './sweep.js';
import { ticketHolder } from './tickets.js';
import type { NotificationDraft, NotificationPort, ProducedCounts, Reader } from './types.js';
import { workFailed, type Observe } from '../observability/observation.js';

interface NotificationsParts {
  /** Connects as the service role. */
  readonly pool: Runner;
  readonly feed: ChangeFeed;
  /** Days that notifications are kept. */
  readonly retentionDays: number;
  /** Age in days below which notifications for a tenant are unread for a user who appears for the first time. */
  readonly newUserDays: number;
  /** Counts the limits. */
  readonly limits: Limits;
  /** Limits lists of one reader; null for no limit. */
  readonly listLimit: RateLimit | null;
  /** Limits unread counts of one reader; null for no limit. */
  readonly countLimit: RateLimit | null;
  /** Limits marks of all notifications by one reader, for each kind of mark; null for no limit. */
  readonly markAllLimit: RateLimit | null;
  /** Limits marks of one notification and changes of preferences by one reader; null for no limit. */
  readonly changeLimit: RateLimit | null;
  /** Limits stream tickets of one reader; null for no limit. */
  readonly ticketLimit: RateLimit | null;
  readonly webhooks: WebhookOptions;
  readonly observe: Observe;
}

export interface WebhookOptions extends Pick<DeliveryParts, 'attempts' | 'timeoutMs' | 'retentionDays'> {
  /** Encrypts secrets; null if webhooks cannot be used. */
  readonly key: string | null;
  /** Networks that may be reached although they are not public, with `http` too. */
  readonly allowedNetworks: readonly string[];
}

export interface Notifications {
  readonly handlers: NotificationsHandlers<RequestContext>;
  readonly port: NotificationPort;
  /** Returns the principal of a stream ticket; null for an invalid ticket. */
  ticketHolder(ticket: string): Promise<Principal | null>;
  /** Ends the live streams of a reader, in every process. */
  endStreamsOf(reader: Reader): void;
  readonly openStreams: number;
  /** Seconds from the writing of an event until this process read it, the longest of the last read that found events. */
  readonly lagSeconds: number;
  /** Seconds from the making of a message of a webhook to its first attempt, of the last one. */
  readonly webhookLagSeconds: number;
  /** Starts the retention, the delivery of webhooks, the ends of digests, what is scheduled, the events of notifications that expire, and the return of snoozed ones. */
  start(): void;
  /** Ends every stream. */
  close(): Promise<void>;
}

/** Longest time from the expiry of a notification, the end of a snooze or of a digest, or `sendAt`, to its event, in milliseconds. */
const DUE_INTERVAL_MS = 1000;

export function createNotifications(parts: NotificationsParts): Notifications {
  const { pool, feed, observe, limits } = parts;
  const streamStore = createStreamStore(pool);
  const streams = createStreams(streamStore, feed, limits, observe);
  const box = parts.webhooks.key === null ? null : createSecretBox(parts.webhooks.key);
  const delivery = createDelivery({
    ...parts.webhooks,
    pool,
    box,
    send: createSender(parts.webhooks),
    observe,
  });
  const written = (): void => publishNotifications(feed);
  let work: readonly Repeated[] | null = null;

  async function endDigests(signal: Gone): Promise<void> {
    if ((await streamStore.endDigests(signal)) > 0) written();
  }

  async function sendScheduled(signal: Gone): Promise<void> {
    if ((await streamStore.sendScheduled(signal)) > 0) written();
  }

  /** Only streams have a use for the events of expiry, and one that opens later reads those that are due. */
  async function moveDue(signal: Gone): Promise<void> {
    const returned = await streamStore.returnSnoozed(signal);
    const expired = streams.size > 0 ? await streamStore.moveExpired(signal) : 0;
    if (returned + expired > 0) written();
  }

  return {
    handlers: createNotificationsHandlers({
      store: createNotificationStore(pool),
      streamStore,
      streams,
      appear: createFirstRequests(pool, parts.newUserDays),
      countLimiter: limits.rate('notifications-count', parts.countLimit),
      listLimiter: limits.rate('notifications-list', parts.listLimit),
      markAllLimiter: limits.rate('notifications-mark-all', parts.markAllLimit),
      changeLimiter: limits.rate('notifications-change', parts.changeLimit),
      ticketLimiter: limits.rate('notifications-ticket', parts.ticketLimit),
      written,
      observe,
      webhooks: { pool, box, allowedNetworks: parts.webhooks.allowedNetworks },
    }),
    port: {
      async publish(transaction, draft) {
        const counts = await publish(transaction, draft);
        transaction.afterCommit(() => observe({ kind: 'notifications-produced', ...counts }));
        return counts;
      },
      wake: written,
    },
    ticketHolder: (ticket) => ticketHolder(streamStore, ticket),
    endStreamsOf: (reader) => endStreamsOf(feed, reader),
    get openStreams() {
      return streams.size;
    },
    get lagSeconds() {
      return streams.lagSeconds;
    },
    get webhookLagSeconds() {
      return delivery.lagSeconds;
    },
    start() {
      if (work === null) delivery.start();
      work ??= [
        startSweeper(pool, parts.retentionDays, observe),
        repeat(moveDue, {
          intervalMs: DUE_INTERVAL_MS,
          observe,
          failure: workFailed('expiry and return of notifications'),
        }),
        repeat(endDigests, {
          intervalMs: DUE_INTERVAL_MS,
          observe,
          failure: workFailed('ends of digests'),
        }),
        repeat(sendScheduled, {
          intervalMs: DUE_INTERVAL_MS,
          observe,
          failure: workFailed('scheduled notifications'),
        }),
      ];
    },
    async close() {
      await Promise.all([streams.close(), delivery.close(), ...(work ?? []).map((each) => each.close())]);
    },
  };
}

/** Creates the notification as the producer role, in the caller's transaction, whose role is then restored. */
async function publish(transaction: DatabaseTask, draft: NotificationDraft): Promise<ProducedCounts> {
  const { role } = await transaction.one<{ readonly role: string }>({ text: BECOME_PRODUCER, values: [] });
  const counts = await transaction.one<Readonly<Record<keyof ProducedCounts, string>>>({
    text: PRODUCE_TEXT,
    values: produceParameters(draft),
  });
  await transaction.one({ text: RESTORE_ROLE, values: [role] });
  return {
    created: Number(counts.created),
    duplicates: Number(counts.duplicates),
    suppressed: Number(counts.suppressed),
  };
}
