/** Areas A and B with the database that they share, as the service role. */
import {
  bindNotificationsHandlers,
  bindSigningHandlers,
  type BoundHandlers,
} from '../../generated/operations.js';
import type { Caller } from '../auth/caller.js';
import type { RequestContext } from '../operations/context.js';
import { createNotifications, type Notifications } from '../notifications/notifications.js';
import type { Limits } from '../operations/limits.js';
import type { Metrics } from '../observability/metrics.js';
import type { Observe } from '../observability/observation.js';
import { closeDatabase, openDatabase } from '../postgres/database.js';
import { openChangeFeed, type ChangeFeed } from '../postgres/change-feed.js';
import { openPool } from '../postgres/pool.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { FixedSettings } from '../settings/settings.js';
import { probeMigratedDatabase, type AreaStatus } from './database-state.js';
import { reloadablePool } from './reloadable-pool.js';
import { refusedAtStart, withConnectionString, type StartError } from './start-error.js';
import { createSigning, type Signing } from '../signing/signing.js';

/** What the router uses of signing, and the feed of changes. */
export interface SigningPorts extends Pick<Signing, 'sessions' | 'parties' | 'ends' | 'watch'> {
  readonly feed: ChangeFeed;
}

export interface ServiceAreasPart {
  readonly handlers: BoundHandlers<RequestContext>;
  /** The caller that a stream ticket stands for; null for a ticket that opens nothing. */
  readonly ticketHolder: (ticket: string) => Promise<Caller | null>;
  /** For the router; null where the area does not run. */
  readonly signing: SigningPorts | null;
  /** `up`, `read-only`, `not migrated` or `down`. */
  status(): Promise<AreaStatus>;
  /** Ends the streams and the background work, so that requests in flight can finish. */
  endStreams(): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceAreasOptions {
  readonly uri: string;
  readonly fixed: FixedSettings;
  readonly live: LiveSettings;
  /** Of the migrations that the areas need. */
  readonly migrations: string;
  readonly observe: Observe;
  readonly metrics: Metrics;
  readonly limits: Limits;
  /** Called when the service cannot go on. */
  readonly fail: (reason: StartError) => void;
}

const LANE_DEPTH = 8;
const QUEUE_LIMIT = 10_000;
/** Listening, notifying, sweeping. */
const BACKGROUND_CONNECTIONS = 3;
const SECOND_MS = 1000;

export function openServiceAreas({
  uri,
  fixed,
  live,
  migrations,
  observe,
  metrics,
  limits,
  fail,
}: ServiceAreasOptions): ServiceAreasPart {
  // Signing is transactions of several statements, which take connections rather than pool.
  const signs = fixed.areas.includes('signing');
  const poolSize = BACKGROUND_CONNECTIONS + (signs ? BACKGROUND_CONNECTIONS + fixed['service-db-pool'] : 0);
  const uriSetting = fixed['service-db-uri'] === null ? 'db-uri' : 'service-db-uri';
  const database = withConnectionString(uriSetting, () => openDatabase(uri, { poolSize }));
  const refused = refusedAtStart(uriSetting, fail);
  const pool = reloadablePool(live, (reloadable) =>
    openPool(database, {
      size: fixed['service-db-pool'],
      depth: LANE_DEPTH,
      prepared: reloadable['db-prepared-statements'],
      acquisitionTimeoutMs: fixed['db-pool-acquisition-timeout'] * SECOND_MS,
      maxLifetimeMs: fixed['db-pool-max-lifetime'] * SECOND_MS,
      maxIdleMs: fixed['db-pool-max-idletime'] * SECOND_MS,
      queueLimit: QUEUE_LIMIT,
      onDown(error, retryInSeconds) {
        observe({ kind: 'database-down', pool: 'service', error, retryInSeconds });
        refused(error, pool.state.everUp);
      },
      onUp: () => observe({ kind: 'database-up', pool: 'service' }),
    }),
  );
  metrics.observePool('service', () => ({ ...pool.state, max: fixed['service-db-pool'] }));
  // The other connections may all be at work when the question is asked.
  const probing = openDatabase(uri, { poolSize: 1 });
  const probe = probeMigratedDatabase(probing, migrations);
  const feed = openChangeFeed(database, {
    onLost: (message, retryInSeconds) =>
      observe({ kind: 'change-feed-lost', error: message, retryInSeconds }),
    onNotSent: (message) => observe({ kind: 'change-feed-not-sent', error: message }),
  });
  const notifications = fixed.areas.includes('notifications')
    ? createNotifications({
        pool,
        feed,
        observe,
        limits,
        retentionDays: fixed['notifications-retention'],
        listLimit: limitOf(fixed['notifications-list-limit'], 1),
        markAllLimit: limitOf(fixed['notifications-mark-all-limit'], 60),
        changeLimit: limitOf(fixed['notifications-change-limit'], 60),
        ticketLimit: limitOf(fixed['notifications-ticket-limit'], 60),
      })
    : null;
  if (notifications !== null) {
    metrics.observeGauge('notificationStreams', () => notifications.openStreams);
    notifications.start();
  }
  const signing = signs
    ? createSigning({
        database,
        feed,
        observe,
        limits,
        notifications: notifications?.port ?? null,
        sessionLimit: limitOf(fixed['signing-session-limit'], 60),
        configLimit: limitOf(fixed['signing-config-limit'], 60),
        readySeconds: fixed['signing-ready-time'],
        retentionDays: fixed['signing-retention'] === 0 ? null : fixed['signing-retention'],
        recentAuthSeconds: fixed['signing-recent-auth'] === 0 ? null : fixed['signing-recent-auth'],
      })
    : null;
  if (signing !== null) {
    metrics.observeGauge('signingStreams', () => signing.openStreams);
    signing.start();
  }
  let ended: Promise<unknown> | null = null;
  const endStreams = async (): Promise<void> => {
    ended ??= Promise.all([notifications?.close(), signing?.close()]);
    await ended;
  };
  return {
    handlers: handlersOf(notifications, signing),
    signing: signing === null ? null : { ...signing, feed },
    ticketHolder: (ticket) => notifications?.ticketHolder(ticket) ?? Promise.resolve(null),
    async status() {
      return pool.state.up ? ((await probe.read()) ?? 'down') : 'down';
    },
    endStreams,
    async close() {
      await endStreams();
      await feed.close();
      await pool.close();
      await Promise.all([closeDatabase(database), closeDatabase(probing)]);
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
