/** Areas A and B with the database that they share, as the service role. */
import {
  bindNotificationsHandlers,
  bindSigningHandlers,
  type BoundHandlers,
} from '../../generated/operations.js';
import type { Caller } from '../auth/caller.js';
import type { RequestContext } from '../http/context.js';
import { createNotifications, type Notifications } from '../notifications/notifications.js';
import type { Logger } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { closeDatabase, openDatabase } from '../postgres/database.js';
import { openLanes } from '../postgres/lanes.js';
import type { Settings } from '../settings/settings.js';
import { createSigning, type Signing } from '../signing/signing.js';

export interface ServiceAreasPart {
  readonly handlers: BoundHandlers<RequestContext>;
  /** The caller that a stream ticket stands for; null for a ticket that opens nothing. */
  readonly ticketHolder: (ticket: string) => Promise<Caller | null>;
  /** For the router; null where the area does not run. */
  readonly signing: Pick<Signing, 'sessions' | 'parties'> | null;
  /** `up` or `down`. */
  readonly status: string;
  /** Ends the streams, so that requests in flight can finish. */
  endStreams(): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceAreasOptions {
  readonly uri: string;
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics;
}

const LANE_DEPTH = 8;
const QUEUE_LIMIT = 10_000;
/** Listening, notifying, sweeping. */
const BACKGROUND_CONNECTIONS = 3;
const SECOND_MS = 1000;

export function openServiceAreas({ uri, settings, log, metrics }: ServiceAreasOptions): ServiceAreasPart {
  // Signing is transactions of several statements, which take connections rather than lanes.
  const signs = settings.areas.includes('signing');
  const poolSize =
    BACKGROUND_CONNECTIONS + (signs ? BACKGROUND_CONNECTIONS + settings['service-db-pool'] : 0);
  const database = openDatabase(uri, { poolSize });
  const lanes = openLanes(database, {
    size: settings['service-db-pool'],
    depth: LANE_DEPTH,
    prepared: settings['db-prepared-statements'],
    acquisitionTimeoutMs: settings['db-pool-acquisition-timeout'] * SECOND_MS,
    maxLifetimeMs: settings['db-pool-max-lifetime'] * SECOND_MS,
    maxIdleMs: settings['db-pool-max-idletime'] * SECOND_MS,
    queueLimit: QUEUE_LIMIT,
    onDown: (error, retryInSeconds) =>
      log.error({ error: error.message, retryInSeconds }, 'the service database cannot be reached'),
    onUp: () => log.info('the service database can be reached again'),
  });
  const notifications = settings.areas.includes('notifications')
    ? createNotifications({
        lanes,
        database,
        log,
        retentionDays: settings['notifications-retention'],
        listLimit: limitOf(settings['notifications-list-limit'], 1),
        markAllLimit: limitOf(settings['notifications-mark-all-limit'], 60),
        changeLimit: limitOf(settings['notifications-change-limit'], 60),
        ticketLimit: limitOf(settings['notifications-ticket-limit'], 60),
      })
    : null;
  if (notifications !== null) {
    metrics.observeGauge('dbr_notification_streams', 'Open live streams.', () => notifications.openStreams);
    notifications.start();
  }
  const signing = signs
    ? createSigning({
        database,
        log,
        notifications: notifications?.port ?? null,
        sessionLimit: limitOf(settings['signing-session-limit'], 60),
        configLimit: limitOf(settings['signing-config-limit'], 60),
        readySeconds: settings['signing-ready-time'],
        retentionDays: settings['signing-retention'] === 0 ? null : settings['signing-retention'],
        recentAuthSeconds: settings['signing-recent-auth'] === 0 ? null : settings['signing-recent-auth'],
      })
    : null;
  if (signing !== null) {
    metrics.observeGauge('dbr_signing_streams', 'Open streams of session events.', () => signing.openStreams);
    signing.start();
  }
  return {
    handlers: handlersOf(notifications, signing),
    signing,
    ticketHolder: (ticket) => notifications?.ticketHolder(ticket) ?? Promise.resolve(null),
    get status() {
      return lanes.state.up ? 'up' : 'down';
    },
    async endStreams() {
      await Promise.all([notifications?.close(), signing?.close()]);
    },
    async close() {
      await lanes.close();
      await closeDatabase(database);
    },
  };
}

const handlersOf = (
  notifications: Notifications | null,
  signing: Signing | null,
): BoundHandlers<RequestContext> => ({
  ...(notifications === null ? {} : bindNotificationsHandlers(notifications.handlers)),
  ...(signing === null ? {} : bindSigningHandlers(signing.handlers)),
});

const limitOf = (requests: number, seconds: number) => (requests === 0 ? null : { requests, seconds });
