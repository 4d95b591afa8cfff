/** Operations on signing sessions, for users. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { SigningSessionEventPage } from '../../../generated/types.js';
import type { Caller } from '../../auth/caller.js';
import { dbrError } from '../../errors/dbr-error.js';
import type { RequestContext } from '../../operations/context.js';
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { EVENT_STREAM, EVENT_STREAM_HEADERS, eventStreamResponse } from '../../operations/event-stream.js';
import { preferredType } from '../../operations/preferred-type.js';
import { requireRate, type RateLimiter } from '../../operations/rate-limit.js';
import { actorOf, demandOwner, demandSign, isAdmin, knowsOf, maySign, mayRead, readsAll } from '../access.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { accountIdOf } from '../accounts/account-handlers.js';
import { findAccount } from '../accounts/account-store.js';
import { audit } from '../audit.js';
import { applyAndTell, type SigningContext } from '../context.js';
import { createSession } from './create-session.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { shareOf } from '../shares/delegate-share.js';
import { eventsOfSession } from './event-rows.js';
import { activeDelegate } from '../accounts/signing-parties.js';
import { claimKey } from '../parties/party-store.js';
import { NO_STORE, PRIVATE } from '../../operations/cache-control.js';
import { sessionJson, type SessionRecord } from './session-record.js';
import { findSession, listSessions } from './session-rows.js';
import type { SessionStreams } from './session-stream.js';
import { supplyShare } from './supply-share.js';
import { inTenant } from '../transaction.js';
import { CANONICAL_UUID, parseUuid } from '../../operations/uuid.js';
import { versionTag } from '../versions.js';

type SessionHandlers = Pick<
  SigningHandlers<RequestContext>,
  | 'createSigningSession'
  | 'claimDelegateKey'
  | 'listSigningSessions'
  | 'getSigningSession'
  | 'cancelSigningSession'
  | 'supplyDelegateUserShare'
  | 'listSigningSessionEvents'
>;

/** More than any session has: each party joins once and reports once. */
const MAX_EVENTS = 1000;
const POSITION = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d){0,2}$/;

export interface SessionHandlerParts {
  readonly context: SigningContext;
  readonly streams: SessionStreams;
  /** By account. */
  readonly sessionLimiter: RateLimiter;
}

export function createSessionHandlers(parts: SessionHandlerParts): SessionHandlers {
  const { context, streams } = parts;
  const { database } = context;

  /** A session that the caller may see: of an account they may read or sign for, or one they created. */
  async function visible(caller: Caller, tenantId: string, pathId: string): Promise<SessionRecord> {
    const session = await inTenant(database, tenantId, (transaction) =>
      findSession(transaction, sessionIdOf(pathId)),
    );
    if (session === null || !maySee(caller, session)) throw dbrError('SessionNotFound');
    return session;
  }

  return {
    async createSigningSession({ path, headers: asked, body }, { caller, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(caller, remoteAddress);
      const accountId = accountIdOf(path.id);
      const idempotencyKey = asked['idempotency-key'] ?? null;
      const { session, created } = await createSession(context, {
        caller,
        actor,
        accountId,
        idempotencyKey,
        admit: () => requireRate(parts.sessionLimiter, [actor.tenantId, accountId]),
        body,
      });
      const headers = { ...PRIVATE, ETag: versionTag(sessionJson(session).stateVersion) };
      const reply = { type: 'application/json', body: sessionJson(session) } as const;
      if (!created) return { status: 200, headers, ...reply };
      const Location = `/api/v1/signing-sessions/${session.sessionId}`;
      return { status: 201, headers: { ...headers, Location }, ...reply };
    },
    async claimDelegateKey({ path }, { caller, remoteAddress }) {
      const actor = actorOf(caller, remoteAddress);
      const accountId = accountIdOf(path.id);
      const body = await inTenant(database, actor.tenantId, async (transaction) => {
        const account = await findAccount(transaction, accountId);
        if (account === null || !knowsOf(caller, account.ownerUserId)) throw dbrError('AccountNotFound');
        demandSign(caller, account.ownerUserId);
        requireRate(parts.sessionLimiter, [actor.tenantId, accountId, 'key']);
        const delegatePartyId = activeDelegate(account)?.partyId;
        if (delegatePartyId === undefined) throw dbrError('DelegateKeyUnavailable');
        const key = await claimKey(transaction, delegatePartyId, { userId: actor.userId, accountId });
        if (key === null) throw dbrError('DelegateKeyUnavailable');
        return {
          delegatePartyId,
          keyId: key.keyId,
          suite: key.suite,
          publicKey: key.publicKey.toString('hex'),
          oneTime: key.oneTime,
          notAfter: key.notAfter,
          signature: key.signature.toString('hex'),
        };
      });
      return { status: 200, type: 'application/json', headers: NO_STORE, body };
    },
    async listSigningSessions({ query }, { caller, remoteAddress }) {
      const { tenantId, userId } = actorOf(caller, remoteAddress);
      const { limit: size, cursor, state = null } = query;
      const [position = null, sessionId = null] =
        cursor === undefined ? [] : decodeCursor(cursor, [POSITION, CANONICAL_UUID]);
      const accountId = query.accountId === undefined ? null : parseUuid(query.accountId);
      if (query.accountId !== undefined && accountId === null) return emptyPage();
      const before = position === null || sessionId === null ? null : { position, sessionId };
      const rows = await inTenant(database, tenantId, (transaction) =>
        listSessions(transaction, {
          userId: readsAll(caller) ? null : userId,
          accountId,
          state,
          before,
          limit: size + 1,
        }),
      );
      const { items, ...rest } = pageOf(rows, size, (row) => [row.position, row.record.sessionId]);
      const body = { items: items.map(({ record }) => sessionJson(record)), ...rest };
      return { status: 200, type: 'application/json', headers: PRIVATE, body };
    },
    async getSigningSession({ path, headers: asked }, { caller, remoteAddress }) {
      const { tenantId } = actorOf(caller, remoteAddress);
      const body = sessionJson(await visible(caller, tenantId, path.id));
      const headers = { ...PRIVATE, ETag: versionTag(body.stateVersion) };
      if (matchesEntityTag(asked['if-none-match'], headers.ETag)) return { status: 304, headers };
      return { status: 200, type: 'application/json', headers, body };
    },
    async cancelSigningSession({ path, body }, { caller, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(caller, remoteAddress);
      const sessionId = sessionIdOf(path.id);
      const reason = body?.reason ?? null;
      const applied = await inTenant(database, actor.tenantId, async (transaction) => {
        const outcome = await applyAndTell(context, transaction, sessionId, (session) => {
          if (!maySee(caller, session)) throw dbrError('SessionNotFound');
          if (session.createdBy !== caller.userId) demandSign(caller, session.ownerUserId);
          return { kind: 'cancel', reason };
        });
        if (outcome.kind === 'applied' && outcome.transitions.length > 0) {
          const subject = `session:${sessionId}`;
          await audit(transaction, actor, {
            action: 'session.cancel',
            subject,
            before: null,
            after: { reason },
          });
        }
        return outcome;
      });
      if (applied.kind === 'not-found') throw dbrError('SessionNotFound');
      if (applied.transitions.length > 0) context.written([applied.session]);
      if (applied.kind === 'refused')
        throw dbrError('SessionTerminal', { state: applied.session.effectiveState });
      return sessionReply(applied.session);
    },
    async supplyDelegateUserShare({ path, body }, { caller, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(caller, remoteAddress);
      const session = await supplyShare(context, actor, sessionIdOf(path.id), shareOf(body), (found) => {
        if (!maySee(caller, found)) throw dbrError('SessionNotFound');
        demandOwner(caller, found.ownerUserId);
      });
      return sessionReply(session);
    },
    async listSigningSessionEvents({ path, query, headers: asked }, { caller, remoteAddress, ...request }) {
      const { tenantId, userId } = actorOf(caller, remoteAddress);
      const type = preferredType(request.headers.accept, ['application/json', EVENT_STREAM]);
      if (type === null) throw dbrError('NotAcceptable', { details: `application/json, ${EVENT_STREAM}` });
      const after = resumeAfter(asked['last-event-id']) ?? query.after;
      const session = await visible(caller, tenantId, path.id);
      if (type === EVENT_STREAM) {
        const { sessionId } = session;
        const { expiresAt } = caller;
        const body = streams.open({ tenantId, userId, sessionId, after, expiresAt, signal: request.signal });
        return eventStreamResponse(body);
      }
      const items = await inTenant(database, tenantId, (transaction) =>
        eventsOfSession(transaction, session, after, MAX_EVENTS),
      );
      const lastSequence = items.at(-1)?.sequence ?? session.eventSequence;
      const body: SigningSessionEventPage = { items, lastSequence };
      return { status: 200, type: 'application/json', headers: EVENT_STREAM_HEADERS, body };
    },
  };
}

const maySee = (caller: Caller, { ownerUserId, createdBy }: SessionRecord): boolean =>
  mayRead(caller, ownerUserId) ||
  maySign(caller, ownerUserId) ||
  createdBy === caller.userId ||
  isAdmin(caller);

/** @throws DbrError SessionNotFound for a text that identifies nothing */
function sessionIdOf(text: string): string {
  const sessionId = parseUuid(text);
  if (sessionId === null) throw dbrError('SessionNotFound');
  return sessionId;
}

function sessionReply(session: SessionRecord) {
  const body = sessionJson(session);
  const headers = { ...PRIVATE, ETag: versionTag(body.stateVersion) };
  return { status: 200, type: 'application/json', headers, body } as const;
}

/** No account has an identifier of another form, so there are no sessions either. */
const emptyPage = () =>
  ({
    status: 200,
    type: 'application/json',
    headers: PRIVATE,
    body: { items: [], hasMore: false, nextCursor: null },
  }) as const;

/** @throws DbrError InvalidParameter for an id that no event has */
function resumeAfter(lastEventId: string | undefined): number | null {
  if (lastEventId === undefined) return null;
  if (!/^\d{1,15}$/.test(lastEventId))
    throw dbrError('InvalidParameter', {
      parameter: 'Last-Event-ID',
      problem: 'is not one that was handed out',
    });
  return Number(lastEventId);
}
