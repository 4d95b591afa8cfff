/** Area B as one part: its operations, its ports for the router, its background work. */
import type { SigningHandlers } from '../../generated/operations.js';
import type { RequestContext } from '../operations/context.js';
import { createRateLimiter, type RateLimit } from '../operations/rate-limit.js';
import type { Logger } from '../observability/log.js';
import type { Database } from '../postgres/database.js';
import type { ChangeFeed } from '../postgres/change-feed.js';
import type { Repeated } from '../repeat.js';
import { createAccountHandlers } from './accounts/account-handlers.js';
import { createConfigHandlers } from './accounts/config-handlers.js';
import type { SigningContext } from './context.js';
import { createPartyHandlers } from './parties/party-handlers.js';
import { createPartyRegistry } from './parties/party-registry.js';
import { createPartySessions } from './sessions/party-sessions.js';
import type {
  NotificationPort,
  PartyRegistry,
  PartyWatch,
  SessionEnds,
  SigningSessions,
} from './router-port.js';
import { startRetention } from './sessions/retention.js';
import { openPartyWatches, openSessionWatches, publishSessions } from './sessions/session-changes.js';
import { createSessionEnds } from './sessions/session-ends.js';
import { createPartyWatch } from './parties/party-change.js';
import { createSessionHandlers } from './sessions/session-handlers.js';
import { createSessionStreams } from './sessions/session-stream.js';
import { startSweeper } from './sessions/sweeper.js';
import type { Observe } from '../observability/observation.js';

export interface SigningParts {
  /** As the service role. Every operation takes a connection of its pool. */
  readonly database: Database;
  readonly feed: ChangeFeed;
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
  readonly observe?: Observe;
}

export interface Signing {
  readonly handlers: SigningHandlers<RequestContext>;
  readonly sessions: SigningSessions;
  readonly parties: PartyRegistry;
  readonly ends: SessionEnds;
  readonly watch: PartyWatch;
  readonly openStreams: number;
  /** Begins to end overdue sessions and to remove old ones. */
  start(): void;
  /** Ends every stream. */
  close(): Promise<void>;
}

export function createSigning(parts: SigningParts): Signing {
  const { database, feed, log, notifications } = parts;
  const failed = (message: string) => (error: unknown) =>
    log.warn({ error: error instanceof Error ? error.message : String(error) }, message);
  const sessionWatches = openSessionWatches(feed, database, failed('new events of sessions cannot be read'));
  const partyWatches = openPartyWatches(feed, database, failed('new events of parties cannot be read'));
  const ends = createSessionEnds(feed, database, failed('ends of sessions cannot be read'));
  const watch = createPartyWatch(feed, database, failed('changes of parties cannot be read'));
  const context: SigningContext = {
    database,
    notifications,
    readySeconds: parts.readySeconds,
    moved: (state) => parts.observe?.({ kind: 'session-moved', state }),
    written: (sessions) => {
      if (sessions.length === 0) return;
      publishSessions(feed, sessions);
      notifications?.wake();
    },
  };
  const streams = createSessionStreams(database, sessionWatches, log);
  const sessionLimiter = createRateLimiter(parts.sessionLimit, () => performance.now());
  const configLimiter = createRateLimiter(parts.configLimit, () => performance.now());
  let sweeper: Repeated | null = null;
  let retention: Repeated | null = null;

  return {
    handlers: {
      ...createPartyHandlers(context),
      ...createAccountHandlers(context),
      ...createConfigHandlers({ context, configLimiter, recentAuthSeconds: parts.recentAuthSeconds }),
      ...createSessionHandlers({ context, streams, sessionLimiter }),
    },
    sessions: createPartySessions(context, partyWatches),
    parties: createPartyRegistry(database),
    ends,
    watch,
    get openStreams() {
      return streams.size;
    },
    start() {
      sweeper ??= startSweeper(context, log);
      if (parts.retentionDays !== null) retention ??= startRetention(database, parts.retentionDays, log);
    },
    async close() {
      streams.close();
      await Promise.all([sweeper?.close(), retention?.close()]);
      await Promise.all([sessionWatches, partyWatches, ends, watch].map((part) => part.close()));
    },
  };
}
