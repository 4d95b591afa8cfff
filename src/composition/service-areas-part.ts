/** Areas A and B, and the connections that they share, which have the service role. */
import {
  bindNotificationsHandlers,
  bindSigningHandlers,
  bindUsersHandlers,
  type BoundHandlers,
} from '../../generated/operations.js';
import type { Principal, RequestContext } from '../contract/principal.js';
import { DEVELOPMENT_JWT_SECRET } from '../auth/keys.js';
import { createErasureHandlers } from '../erasure/erasure-handlers.js';
import { createNotifications, type Notifications } from '../notifications/notifications.js';
import { closeDatabase, openDatabase, type Database } from '../postgres/database.js';
import { openChangeFeed, type ChangeFeed } from '../postgres/change-feed.js';
import { openPool, type Pool } from '../postgres/pool.js';
import type { FixedSettings } from '../settings/settings.js';
import { probeMigratedDatabase, type AreaStatus } from './database-state.js';
import { poolOptions } from './data-pool.js';
import type { PartContext } from './part-context.js';
import { reloadablePool } from './reloadable-pool.js';
import { refusedAtStart, StartError, withConnectionString } from './start-error.js';
import { headKeyOf } from '../signing/audit/audit-head.js';
import type { HeadPlace } from '../signing/audit/send-heads.js';
import type { RouterPorts } from '../signing/router-port.js';
import { createSigning, type Signing } from '../signing/signing.js';

/** The ports of signing for the router, its connections, and the change feed. */
export interface SigningPorts extends RouterPorts {
  readonly pool: Pool;
  readonly feed: ChangeFeed;
}

export interface ServiceAreasPart {
  readonly handlers: BoundHandlers<RequestContext>;
  /** Returns the principal of a stream ticket; null for an invalid ticket. */
  readonly ticketHolder: (ticket: string) => Promise<Principal | null>;
  /** For the router; null if the area does not run. */
  readonly signing: SigningPorts | null;
  /** `up`, `read-only`, `not migrated` or `down`. */
  status(): Promise<AreaStatus>;
  /** Ends the streams and the background work, so that requests in flight can finish. */
  endStreams(): Promise<void>;
  close(): Promise<void>;
}

interface ServiceAreasOptions extends PartContext {
  /** Folder of the migrations that the areas need. */
  readonly migrations: string;
}

/** Connections for what does not wait for requests: notifying, sealing, sweeping. */
const BACKGROUND_CONNECTIONS = 3;
const SECOND_MS = 1000;

/** Resources that the areas share, as the service role. */
interface Connections {
  /** For the change feed. */
  readonly database: Database;
  /** For notifications, and the erasure of users. */
  readonly pool: Pool;
  /** A pool for signing alone: neither area waits for the connections of the other. Null if signing is switched off. */
  readonly signingPool: Pool | null;
  readonly feed: ChangeFeed;
  /** For the status alone: the other connections may all be busy when it is read. */
  readonly probing: Database;
}

export function openServiceAreas(options: ServiceAreasOptions): ServiceAreasPart {
  const connections = openConnections(options);
  const { pool, signingPool, feed, probing } = connections;
  const uriSetting = uriSettingOf(options.fixed);
  const probe = probeMigratedDatabase(probing, options.migrations, (reason) =>
    options.fail(new StartError(uriSetting, null, reason)),
  );
  // At the start, before any probe asks for the readiness.
  void probe.read();
  const notifications = startNotifications(options, connections);
  const signing = startSigning(options, connections, notifications?.port ?? null);
  let ended: Promise<unknown> | null = null;
  const endStreams = async (): Promise<void> => {
    ended ??= Promise.all([notifications?.close(), signing?.close()]);
    await ended;
  };
  return {
    handlers: {
      ...handlersOf(notifications, signing),
      ...bindUsersHandlers(
        createErasureHandlers({
          pool,
          erased: (user) => notifications?.endStreamsOf(user),
        }),
      ),
    },
    signing: signing === null || signingPool === null ? null : { ...signing, feed, pool: signingPool },
    ticketHolder: (ticket) => notifications?.ticketHolder(ticket) ?? Promise.resolve(null),
    async status() {
      return pool.state.up ? ((await probe.read()) ?? 'down') : 'down';
    },
    endStreams,
    async close() {
      await endStreams();
      await closeConnections(connections);
    },
  };
}

const uriSettingOf = (fixed: FixedSettings) =>
  fixed['service-db-uri'] === null ? 'db-uri' : 'service-db-uri';

function openConnections(options: ServiceAreasOptions): Connections {
  const { uri, fixed, live, observe, metrics, fail } = options;
  const uriSetting = uriSettingOf(fixed);
  const database = withConnectionString(uriSetting, () =>
    openDatabase(uri, {
      poolSize: BACKGROUND_CONNECTIONS,
      lifetimes: {
        maxIdleMs: fixed['db-pool-max-idletime'] * SECOND_MS,
        maxLifetimeMs: fixed['db-pool-max-lifetime'] * SECOND_MS,
      },
    }),
  );
  const refused = refusedAtStart(uriSetting, fail);
  const pool = reloadablePool(live, (reloadable) =>
    openPool(database, {
      ...poolOptions(fixed, reloadable, observe),
      name: 'service',
      size: notificationsPoolSize(fixed),
      onUnreachable: (error) => refused(error, pool.state.everUp),
    }),
  );
  metrics.observePool('service', () => ({ ...pool.state, max: notificationsPoolSize(fixed) }));
  return {
    database,
    pool,
    signingPool: fixed.areas.includes('signing') ? openSigningPool(options, database) : null,
    feed: openChangeFeed(database, observe),
    probing: openDatabase(uri, { poolSize: 1 }),
  };
}

function openSigningPool({ fixed, live, observe, metrics }: ServiceAreasOptions, database: Database): Pool {
  const size = fixed['service-db-pool'] + BACKGROUND_CONNECTIONS;
  const pool = reloadablePool(live, (reloadable) =>
    openPool(database, { ...poolOptions(fixed, reloadable, observe), name: 'signing', size }),
  );
  metrics.observePool('signing', () => ({ ...pool.state, max: size }));
  return pool;
}

const notificationsPoolSize = (fixed: FixedSettings): number =>
  Math.min(fixed['notifications-db-pool'], fixed['service-db-pool']);

/** Statements of the areas use the connections until their streams and background work have ended. */
async function closeConnections({ database, pool, signingPool, feed, probing }: Connections): Promise<void> {
  await feed.close();
  await Promise.all([pool.close(), signingPool?.close()]);
  await Promise.all([closeDatabase(database), closeDatabase(probing)]);
}

const developmentSecret = (): string | null =>
  process.env['NODE_ENV'] === 'production' ? null : DEVELOPMENT_JWT_SECRET;

/** Null if the area is switched off. */
function startNotifications(
  { fixed, observe, metrics, limits }: ServiceAreasOptions,
  { pool, feed }: Connections,
): Notifications | null {
  if (!fixed.areas.includes('notifications')) return null;
  const notifications = createNotifications({
    pool,
    feed,
    observe,
    limits,
    retentionDays: fixed['notifications-retention'],
    newUserDays: fixed['notifications-new-user-days'],
    countLimit: limitOf(fixed['notifications-count-limit'], 1),
    listLimit: limitOf(fixed['notifications-list-limit'], 1),
    markAllLimit: limitOf(fixed['notifications-mark-all-limit'], 60),
    changeLimit: limitOf(fixed['notifications-change-limit'], 60),
    ticketLimit: limitOf(fixed['notifications-ticket-limit'], 60),
    webhooks: {
      key: fixed['webhooks-key'] ?? fixed['service-jwt-secret'] ?? developmentSecret(),
      allowedNetworks: fixed['webhooks-allowed-networks'],
      attempts: fixed['webhooks-attempts'],
      timeoutMs: fixed['webhooks-timeout'] * SECOND_MS,
      retentionDays: fixed['webhooks-retention'],
    },
  });
  metrics.observeGauge('notificationStreams', () => notifications.openStreams);
  metrics.observeGauge('notificationLag', () => notifications.lagSeconds);
  metrics.observeGauge('webhookLag', () => notifications.webhookLagSeconds);
  notifications.start();
  return notifications;
}

/** Null if the area is switched off. */
function startSigning(
  { fixed, observe, metrics, limits }: ServiceAreasOptions,
  { signingPool: pool, feed }: Connections,
  notifications: Notifications['port'] | null,
): Signing | null {
  if (pool === null) return null;
  const signing = createSigning({
    pool,
    feed,
    observe,
    limits,
    notifications,
    sessionLimit: limitOf(fixed['signing-session-limit'], 60),
    configLimit: limitOf(fixed['signing-config-limit'], 60),
    readySeconds: fixed['signing-ready-time'],
    retentionDays: fixed['signing-retention'] === 0 ? null : fixed['signing-retention'],
    keyDelaySeconds: fixed['party-key-delay'],
    headPlace: headPlaceOf(fixed),
    recentAuthSeconds: fixed['signing-recent-auth'] === 0 ? null : fixed['signing-recent-auth'],
  });
  metrics.observeGauge('auditHeadLag', () => signing.auditHeadLagSeconds);
  metrics.observeGauge('signingStreams', () => signing.openStreams);
  signing.start();
  return signing;
}

/** @throws StartError without a key that can sign */
function headPlaceOf({ 'audit-head-url': url, 'audit-head-key': pem }: FixedSettings): HeadPlace | null {
  if (url === null) return null;
  const key = headKeyOf(pem ?? '');
  if (key === null)
    throw new StartError(
      'audit-head-key',
      null,
      'is not an Ed25519 private key in PEM, which audit-head-url needs',
    );
  return { url, key };
}

const handlersOf = (
  notifications: Notifications | null,
  signing: Signing | null,
): BoundHandlers<RequestContext> => ({
  ...(notifications === null ? {} : bindNotificationsHandlers(notifications.handlers)),
  ...(signing === null ? {} : bindSigningHandlers(signing.handlers)),
});

const limitOf = (requests: number, seconds: number) => (requests === 0 ? null : { requests, seconds });
