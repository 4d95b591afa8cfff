/** Area B as one part: its operations, its ports for the router, its background work. */
import { randomUUID } from 'node:crypto';
import type { SigningHandlers } from '../../generated/operations.js';
import type { RequestContext } from '../operations/context.js';
import { createRateLimiter, type RateLimit } from '../operations/rate-limit.js';
import type { Logger } from '../observability/log.js';
import type { Database } from '../postgres/database.js';
import { createNotifier, listen, type Listener } from '../postgres/listener.js';
import type { Repeated } from '../repeat.js';
import { createAccountHandlers } from './accounts/account-handlers.js';
import { createConfigHandlers } from './accounts/config-handlers.js';
import type { SigningContext } from './context.js';
import { createPartyHandlers } from './parties/party-handlers.js';
import { createPartyRegistry } from './parties/party-registry.js';
import { createPartySessions } from './sessions/party-sessions.js';
import type { NotificationPort, PartyRegistry, SigningSessions } from './router-port.js';
import { startRetention } from './sessions/retention.js';
import { sessionChangesOf } from './sessions/session-changes.js';
import { createSessionHandlers } from './sessions/session-handlers.js';
import { createSessionStreams } from './sessions/session-stream.js';
import { startSweeper } from './sessions/sweeper.js';
import { createWakeUps, SESSION_CHANNEL } from './sessions/wake-ups.js';

/** At most one NOTIFY in so many milliseconds. */
const NOTIFY_INTERVAL_MS = 5;

export interface SigningParts {
  /** As the service role; every operation takes a connection of its pool, one listens, one notifies now and then. */
  readonly database: Database;
  readonly log: Logger;
  /** The area of notifications; null where it does not run. */
  readonly notifications: NotificationPort | null;
  /** Sessions of one account; null: as many as they like. */
  readonly sessionLimit: RateLimit | null;
  /** Limits changes of the configuration of one account; null for no limit. */
  readonly configLimit: RateLimit | null;
  /** How long the parties of a session have to join, in seconds. */
  readonly readySeconds: number;
  /** Days that sessions are kept after their end; null: for ever. */
  readonly retentionDays: number | null;
  /** How long ago a user who changes a configuration may have proved who they are, in seconds; null: any time. */
  readonly recentAuthSeconds: number | null;
  /** Called with the state that a session is in from now on, for metrics. */
  readonly onMoved?: (state: string) => void;
}

export interface Signing {
  readonly handlers: SigningHandlers<RequestContext>;
  readonly sessions: SigningSessions;
  readonly parties: PartyRegistry;
  readonly openStreams: number;
  /** Begins to listen, to sweep and to remove what is old. */
  start(): void;
  /** Ends every stream. */
  close(): Promise<void>;
}

export function createSigning(parts: SigningParts): Signing {
  const { database, log, notifications } = parts;
  const wakeUps = createWakeUps();
  const changes = sessionChangesOf(database, log);
  // What we hear of ourselves is known already, and by session.
  const ownName = randomUUID();
  const notifier = createNotifier(
    database,
    SESSION_CHANNEL,
    NOTIFY_INTERVAL_MS,
    (message) => log.warn({ error: message }, 'other processes could not be told of new session events'),
    ownName,
  );
  const context: SigningContext = {
    database,
    notifications,
    readySeconds: parts.readySeconds,
    moved: (state) => parts.onMoved?.(state),
    // Our own streams need no message through the database.
    written: (sessionIds) => {
      if (sessionIds.length === 0) return;
      wakeUps.wake();
      changes.wrote(sessionIds);
      notifier.notify();
      notifications?.wake();
    },
  };
  const streams = createSessionStreams(database, changes, log);
  const writtenSomewhere = (): void => {
    wakeUps.wake();
    changes.look();
  };
  const sessionLimiter = createRateLimiter(parts.sessionLimit, () => performance.now());
  const configLimiter = createRateLimiter(parts.configLimit, () => performance.now());
  let listener: Listener | null = null;
  let sweeper: Repeated | null = null;
  let retention: Repeated | null = null;

  return {
    handlers: {
      ...createPartyHandlers(context),
      ...createAccountHandlers(context),
      ...createConfigHandlers({ context, configLimiter, recentAuthSeconds: parts.recentAuthSeconds }),
      ...createSessionHandlers({ context, streams, sessionLimiter }),
    },
    sessions: createPartySessions(context, wakeUps),
    parties: createPartyRegistry(database),
    get openStreams() {
      return streams.size;
    },
    start() {
      listener ??= listen(database, {
        channels: [SESSION_CHANNEL],
        onNotification: (_channel, sender) => {
          if (sender !== ownName) writtenSomewhere();
        },
        onListening: writtenSomewhere,
        onLost: (message, retryInSeconds) =>
          log.warn({ error: message, retryInSeconds }, 'not listening for new session events'),
      });
      sweeper ??= startSweeper(context, log);
      if (parts.retentionDays !== null) retention ??= startRetention(database, parts.retentionDays, log);
    },
    async close() {
      streams.close();
      await Promise.all([
        changes.close(),
        notifier.close(),
        listener?.close(),
        sweeper?.close(),
        retention?.close(),
      ]);
    },
  };
}
