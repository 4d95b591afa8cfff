/** Area B as one part: its operations, its ports for the router, its background work. */
import type { SigningHandlers } from '../../generated/operations.js';
import type { Observe } from '../observability/observation.js';
import type { RequestContext } from '../contract/principal.js';
import type { Limits, RateLimit } from '../operations/limits.js';
import type { ChangeFeed } from '../postgres/change-feed.js';
import type { Pool } from '../postgres/pool.js';
import type { Repeated } from '../observability/repeat.js';
import { createAccountHandlers } from './accounts/account-handlers.js';
import { createConfigHandlers } from './accounts/config-handlers.js';
import { createFreezeHandlers, startFrozenSweep } from './sessions/tenant-freeze.js';
import { createAuditExports, type AuditExports } from './audit/audit-exports.js';
import { startHeads, type HeadPlace, type HeadSending } from './audit/send-heads.js';
import { startSealing } from './audit/seal-entries.js';
import type { SigningContext } from './context.js';
import { createPartyWatch, createPartyRegistry } from './parties/party-registry.js';
import { createPartyHandlers } from './parties/party-handlers.js';
import type { NotificationPort, RouterPorts } from './router-port.js';
import { createPartySessions } from './sessions/party-sessions.js';
import { startRetention, startSweeper } from './sessions/sweeper.js';
import { applyToSessions } from './sessions/apply-trigger.js';
import type { Trigger } from './sessions/session-machine.js';
import { openSessionsOfAccount, openSessionsOfParty } from './sessions/session-store.js';
import {
  openPartyWatches,
  openSessionWatches,
  publishSessions,
  createSessionEnds,
} from './sessions/session-changes.js';
import { createSessionHandlers } from './sessions/session-handlers.js';
import { createSessionStreams, type SessionStreams } from './sessions/session-stream.js';
import { dbrError } from '../errors/dbr-error.js';
import { NO_STORE } from '../operations/responses.js';
import { actorOf } from './access.js';

interface SigningParts {
  /** Connects as the service role. */
  readonly pool: Pool;
  readonly feed: ChangeFeed;
  /** null if the area of notifications does not run. */
  readonly notifications: NotificationPort | null;
  /** Counts the limits. */
  readonly limits: Limits;
  /** Limits new sessions of one account; null for no limit. */
  readonly sessionLimit: RateLimit | null;
  /** Limits changes of the configuration of one account; null for no limit. */
  readonly configLimit: RateLimit | null;
  /** How long the parties of a session have to join, in seconds. */
  readonly readySeconds: number;
  /** Days after which ended sessions are deleted; null keeps them. */
  readonly retentionDays: number | null;
  /** Time between the proposal of keys of a party and their confirmation by a second user, in seconds. */
  readonly keyDelaySeconds: number;
  /** Where the heads of audit chains are put; null for nowhere. */
  readonly headPlace: HeadPlace | null;
  /** Longest time since the authentication of a user who changes a configuration, in seconds; null for no limit. */
  readonly recentAuthSeconds: number | null;
  readonly observe: Observe;
}

export interface Signing extends RouterPorts {
  readonly handlers: SigningHandlers<RequestContext>;
  readonly openStreams: number;
  /** Age of the oldest sealed entry that no delivered head covers, in seconds. */
  readonly auditHeadLagSeconds: number;
  /** Starts the sweeper of overdue sessions, the sealing of the audit log, the delivery of its heads and the retention. */
  start(): void;
  /** Ends every stream and export. */
  close(): Promise<void>;
}

export function createSigning(parts: SigningParts): Signing {
  const { pool, observe } = parts;
  const { feed } = parts;
  const watches = {
    /** For streams of users. */
    sessions: openSessionWatches(feed, pool),
    /** For streams of parties. */
    parties: openPartyWatches(feed, pool),
    ends: createSessionEnds(feed, pool),
    identities: createPartyWatch(feed, pool),
  };
  const context = createContext(parts);
  const streams = createSessionStreams(pool, watches.sessions, parts.limits, observe);
  const exports = createAuditExports(pool, parts.limits);
  const repeated: Repeated[] = [];
  let heads: HeadSending | null = null;
  return {
    handlers: createHandlers(parts, context, streams, exports),
    sessions: createPartySessions(context, watches.parties),
    parties: createPartyRegistry(pool),
    ends: watches.ends,
    watch: watches.identities,
    get openStreams() {
      return streams.size;
    },
    get auditHeadLagSeconds() {
      return heads?.lagSeconds ?? 0;
    },
    start() {
      if (repeated.length > 0) return;
      repeated.push(startSweeper(context), startFrozenSweep(context), startSealing(pool, observe));
      if (parts.headPlace !== null) heads = startHeads(pool, parts.headPlace, observe);
      if (heads !== null) repeated.push(heads);
      if (parts.retentionDays !== null) repeated.push(startRetention(pool, parts.retentionDays, observe));
    },
    async close() {
      streams.close();
      exports.close();
      await Promise.all(repeated.map((one) => one.close()));
      await Promise.all(Object.values(watches).map((one) => one.close()));
    },
  };
}

const DENY: Trigger = { kind: 'deny' };

function createContext(parts: SigningParts): SigningContext {
  const { pool, feed, notifications, readySeconds, observe } = parts;
  const transitions = { notifications, observe };
  return {
    pool,
    notifications,
    readySeconds,
    observe,
    written(sessions) {
      if (sessions.length === 0) return;
      publishSessions(feed, sessions);
      notifications?.wake();
    },
    endSessionsOfAccount: async (transaction, accountId) =>
      applyToSessions(transitions, transaction, await openSessionsOfAccount(transaction, accountId), DENY),
    endSessionsOfParty: async (transaction, partyId) =>
      applyToSessions(transitions, transaction, await openSessionsOfParty(transaction, partyId), DENY),
    async reportKeysToSessions(transaction, event, { partyId, identityPublicKey, certificateSha256 }) {
      const sessions = await openSessionsOfParty(transaction, partyId);
      return await applyToSessions(transitions, transaction, sessions, {
        kind: 'report-party-keys',
        event,
        partyId,
        identityPublicKey: identityPublicKey.toString('hex'),
        certificateSha256: certificateSha256?.toString('hex') ?? null,
      });
    },
  };
}

function createHandlers(
  parts: SigningParts,
  context: SigningContext,
  streams: SessionStreams,
  exports: AuditExports,
): SigningHandlers<RequestContext> {
  const sessionLimiter = parts.limits.rate('signing-session', parts.sessionLimit);
  const configLimiter = parts.limits.rate('signing-config', parts.configLimit);
  return {
    ...createAuditHandlers(exports),
    ...createPartyHandlers(context, parts.keyDelaySeconds),
    ...createFreezeHandlers(context),
    ...createAccountHandlers(context),
    ...createConfigHandlers({ context, configLimiter, recentAuthSeconds: parts.recentAuthSeconds }),
    ...createSessionHandlers({ context, streams, sessionLimiter }),
  };
}

const createAuditHandlers = (exports: AuditExports) =>
  ({
    async exportAuditLog({ query }, context) {
      const body = await exports.open({
        ...actorOf(context),
        after: query.after,
        from: instantOf('sealedFrom', query.sealedFrom),
        to: instantOf('sealedTo', query.sealedTo),
        signal: context.signal,
      });
      return { status: 200, type: 'application/x-ndjson', headers: NO_STORE, body };
    },
  }) satisfies Partial<SigningHandlers<RequestContext>>;

/** Date and time to the second, fraction, offset. */
const PARTS = /^(.{19})(?:\.(\d+))?(.*)$/;

/**
 * The time in UTC, in microseconds, which PostgreSQL accepts: it refuses the year 0 and offsets of 16 hours and more. Times
 * before 1970 become its begin, because no entry is older.
 * @throws DbrError InvalidParameter for a leap second
 */
function instantOf(parameter: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const [, whole = '', fraction = '', offset = ''] = PARTS.exec(text) ?? [];
  const ms = Date.parse(`${whole.replace(' ', 'T')}${offset}`.toUpperCase());
  if (Number.isNaN(ms)) throw dbrError('InvalidParameter', { parameter, problem: 'is not a time' });
  const seconds = new Date(Math.max(0, ms)).toISOString().slice(0, 19);
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}
