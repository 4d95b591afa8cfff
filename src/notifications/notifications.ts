/** Area A as one part: its operations, its port for other areas, its background work. */
import type { NotificationsHandlers } from '../../generated/operations.js';
import type { Caller } from '../auth/caller.js';
import type { RequestContext } from '../operations/context.js';
import type { ChangeFeed } from '../postgres/change-feed.js';
import { publishNotifications } from './stream-dispatcher.js';
import type { Repeated } from '../repeat.js';
import { createNotificationsHandlers } from './handlers.js';
import { publish } from './publish.js';
import type { Limits } from '../operations/limits.js';
import type { RateLimit } from '../operations/rate-limit.js';
import { createNotificationStore, type Runner } from './store.js';
import { createStreamStore } from './stream-store.js';
import { createStreams } from './stream.js';
import { startSweeper } from './sweeper.js';
import { ticketHolder } from './tickets.js';
import type { NotificationPort } from './types.js';
import type { Observe } from '../observability/observation.js';

export interface NotificationsParts {
  /** Connects as the service role. */
  readonly pool: Runner;
  readonly feed: ChangeFeed;
  /** Days that notifications are kept. */
  readonly retentionDays: number;
  /** Counts the limits. */
  readonly limits: Limits;
  /** Limits lists of one reader; null for no limit. */
  readonly listLimit: RateLimit | null;
  /** Limits marks of all notifications by one reader, for each kind of mark; null for no limit. */
  readonly markAllLimit: RateLimit | null;
  /** Limits marks of one notification and changes of preferences by one reader; null for no limit. */
  readonly changeLimit: RateLimit | null;
  /** Limits stream tickets of one reader; null for no limit. */
  readonly ticketLimit: RateLimit | null;
  readonly observe: Observe;
}

export interface Notifications {
  readonly handlers: NotificationsHandlers<RequestContext>;
  readonly port: NotificationPort;
  /** Returns the caller of a stream ticket; null for an invalid ticket. */
  ticketHolder(ticket: string): Promise<Caller | null>;
  readonly openStreams: number;
  /** Starts the retention. */
  start(): void;
  /** Ends every stream. */
  close(): Promise<void>;
}

export function createNotifications(parts: NotificationsParts): Notifications {
  const { pool, feed, observe, limits } = parts;
  const streamStore = createStreamStore(pool);
  const streams = createStreams(streamStore, feed, limits, observe);
  const written = (): void => publishNotifications(feed);
  let sweeper: Repeated | null = null;

  return {
    handlers: createNotificationsHandlers({
      store: createNotificationStore(pool),
      streamStore,
      streams,
      listLimiter: limits.rate('notifications-list', parts.listLimit),
      markAllLimiter: limits.rate('notifications-mark-all', parts.markAllLimit),
      changeLimiter: limits.rate('notifications-change', parts.changeLimit),
      ticketLimiter: limits.rate('notifications-ticket', parts.ticketLimit),
      written,
      observe,
    }),
    port: {
      async publish(transaction, draft) {
        const counts = await publish(transaction, draft);
        observe({ kind: 'notifications-produced', ...counts });
        return counts;
      },
      wake: written,
    },
    ticketHolder: (ticket) => ticketHolder(streamStore, ticket),
    get openStreams() {
      return streams.size;
    },
    start() {
      sweeper ??= startSweeper(pool, parts.retentionDays, observe);
    },
    async close() {
      await Promise.all([streams.close(), sweeper?.close()]);
    },
  };
}
