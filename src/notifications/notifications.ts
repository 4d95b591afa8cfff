/** Area A as one part: its operations, its port for other areas, its background work. */
import type { NotificationsHandlers } from '../../generated/operations.js';
import type { Caller } from '../auth/caller.js';
import type { RequestContext } from '../operations/context.js';
import type { Logger } from '../observability/log.js';
import type { Database, DatabaseTask } from '../postgres/database.js';
import { createNotifier, listen, type Listener } from '../postgres/listener.js';
import type { Repeated } from '../repeat.js';
import { createNotificationsHandlers } from './handlers.js';
import { PRODUCE_TEXT, produceParameters } from './produce-sql.js';
import { createRateLimiter, type RateLimit } from '../operations/rate-limit.js';
import { createNotificationStore, type Runner } from './store.js';
import { createStreamStore } from './stream-store.js';
import { createStreams } from './stream.js';
import { startSweeper } from './sweeper.js';
import { ticketHolder } from './tickets.js';
import type { NotificationDraft, NotificationPort, ProducedCounts } from './types.js';

/** Processes tell each other on it that there is something new; what it is they read themselves. */
const CHANNEL = 'dbr_notifications';

/** At most one NOTIFY in so many milliseconds. */
const NOTIFY_INTERVAL_MS = 10;

export interface NotificationsParts {
  /** Of the service role. */
  readonly pool: Runner;
  /** Of the service role as well: one connection listens, one notifies now and then. */
  readonly database: Database;
  readonly log: Logger;
  /** Days that notifications are kept. */
  readonly retentionDays: number;
  /** Lists of one reader; null: as many as they like. */
  readonly listLimit: RateLimit | null;
  /** Marks of all of one reader's notifications, each kind of mark by itself. */
  readonly markAllLimit: RateLimit | null;
  /** Limits marks of one notification and changes of preferences by one reader; null for no limit. */
  readonly changeLimit: RateLimit | null;
  /** Limits stream tickets of one reader; null for no limit. */
  readonly ticketLimit: RateLimit | null;
  /** Called with what became of notifications, for metrics. */
  readonly onProduced?: (counts: ProducedCounts) => void;
}

export interface Notifications {
  readonly handlers: NotificationsHandlers<RequestContext>;
  readonly port: NotificationPort;
  /** The caller that a stream ticket stands for; null for a ticket that opens nothing. */
  ticketHolder(ticket: string): Promise<Caller | null>;
  readonly openStreams: number;
  /** Begins to listen and to sweep. */
  start(): void;
  /** Ends every stream. */
  close(): Promise<void>;
}

export function createNotifications(parts: NotificationsParts): Notifications {
  const { pool, database, log } = parts;
  const streamStore = createStreamStore(pool);
  const streams = createStreams(streamStore, log);
  const notifier = createNotifier(database, CHANNEL, NOTIFY_INTERVAL_MS, (message) =>
    log.warn({ error: message }, 'other processes could not be told of new notifications'),
  );
  const now = (): number => performance.now();
  const onProduced = (counts: ProducedCounts): void => parts.onProduced?.(counts);
  let listener: Listener | null = null;
  let sweeper: Repeated | null = null;

  /** Our own streams need no message through the database. */
  function written(): void {
    streams.wake();
    notifier.notify();
  }

  return {
    handlers: createNotificationsHandlers({
      store: createNotificationStore(pool),
      streamStore,
      streams,
      listLimiter: createRateLimiter(parts.listLimit, now),
      markAllLimiter: createRateLimiter(parts.markAllLimit, now),
      changeLimiter: createRateLimiter(parts.changeLimit, now),
      ticketLimiter: createRateLimiter(parts.ticketLimit, now),
      written,
      onProduced,
    }),
    port: {
      async publish(transaction, draft) {
        const counts = await publish(transaction, draft);
        onProduced(counts);
        return counts;
      },
      wake: written,
    },
    ticketHolder: (ticket) => ticketHolder(streamStore, ticket),
    get openStreams() {
      return streams.size;
    },
    start() {
      listener ??= listen(database, {
        channels: [CHANNEL],
        onNotification: () => streams.wake(),
        onListening: () => streams.wake(),
        onLost: (message, retryInSeconds) =>
          log.warn({ error: message, retryInSeconds }, 'not listening for new notifications'),
      });
      sweeper ??= startSweeper(pool, parts.retentionDays, log);
    },
    async close() {
      streams.close();
      await Promise.all([notifier.close(), listener?.close(), sweeper?.close()]);
    },
  };
}

const BECOME_PRODUCER = `
select pg_catalog.current_setting('role') as role, pg_catalog.set_config('role', 'dbr_notifications_producer', true)`;
const BECOME_AGAIN = `
select pg_catalog.set_config('role', $1, true)`;

/** The caller's transaction acts as the producer for one statement, then as whom it acted before. */
async function publish(transaction: DatabaseTask, draft: NotificationDraft): Promise<ProducedCounts> {
  const { role } = await transaction.one<{ readonly role: string }>({ text: BECOME_PRODUCER, values: [] });
  const counts = await transaction.one<Readonly<Record<keyof ProducedCounts, string>>>({
    text: PRODUCE_TEXT,
    values: produceParameters(draft),
  });
  await transaction.one({ text: BECOME_AGAIN, values: [role] });
  return {
    created: Number(counts.created),
    duplicates: Number(counts.duplicates),
    suppressed: Number(counts.suppressed),
  };
}
