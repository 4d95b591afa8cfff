/** The operations on signing sessions. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { SigningSessionEventPage } from '../../../generated/types.js';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import {
  parseAccountId,
  CANONICAL_UUID,
  parseSessionId,
  type AccountId,
  type SessionId,
  type PartyId,
} from '../../base/identifiers.js';
import {
  NO_STORE,
  PRIVATE,
  EVENT_STREAM,
  EVENT_STREAM_HEADERS,
  eventStreamResponse,
  matchesEntityTag,
} from '../../operations/responses.js';
import type { RequestContext, Principal } from '../../contract/principal.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { preferredType } from '../../operations/preferred-type.js';
import { requireRate, type RateLimiter } from '../../operations/limits.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { actorOf, readsAll, requireOwner, knowsOf, requireSign, type Actor } from '../access.js';
import { requireAccountId } from '../accounts/account-handlers.js';
import type { SigningContext } from '../context.js';
import { shareOf } from '../shares/delegate-share.js';
import { queryInTenant, inTenant } from '../transaction.js';
import { versionTag } from '../versions.js';
import { createSession } from './create-session.js';
import { eventsOfSession } from './event-store.js';
import { sessionJson, type SessionRecord } from './session-record.js';
import { listSessions, findSession, lockSession } from './session-store.js';
import type { SessionStreams } from './session-stream.js';
import { findAccount } from '../accounts/account-store.js';
import { activeDelegate } from '../accounts/signing-parties.js';
import { audit } from '../audit.js';
import { claimKey, type OfferedKey } from '../parties/encryption-key-store.js';
import { applyAndNotify } from './apply-trigger.js';
import type { DelegateUserShare } from '../router-port.js';
import { requireShare, storeShare, type SessionBinding } from '../shares/share-store.js';
import type { Refusal } from './session-machine.js';

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

export interface SessionHandlerParts {
  readonly context: SigningContext;
  readonly streams: SessionStreams;
  /** One bucket for each account. */
  readonly sessionLimiter: RateLimiter;
}

export const createSessionHandlers = (parts: SessionHandlerParts): SessionHandlers => ({
  ...createUserHandlers(parts),
  listSigningSessions: createListHandler(parts.context),
  listSigningSessionEvents: createEventsHandler(parts),
});

type UserHandlers = Omit<SessionHandlers, 'listSigningSessions' | 'listSigningSessionEvents'>;

function createUserHandlers({ context, sessionLimiter }: SessionHandlerParts): UserHandlers {
  return {
    async createSigningSession({ path, headers: sent, body }, { principal, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(principal, remoteAddress);
      const accountId = requireAccountId(path.id);
      const { session, created } = await createSession(context, {
        principal,
        actor,
        accountId,
        idempotencyKey: sent['idempotency-key'] ?? null,
        admit: () => requireRate(sessionLimiter, [actor.tenantId, accountId]),
        body,
      });
      const response = sessionResponse(session);
      if (!created) return response;
      const Location = `/api/v1/signing-sessions/${session.sessionId}`;
      return { ...response, status: 201, headers: { ...response.headers, Location } };
    },
    async claimDelegateKey({ path }, { principal, remoteAddress }) {
      const actor = actorOf(principal, remoteAddress);
      const key = await claimDelegateKey(
        context,
        sessionLimiter,
        principal,
        actor,
        requireAccountId(path.id),
      );
      const body = {
        delegatePartyId: key.delegatePartyId,
        keyId: key.keyId,
        suite: key.suite,
        publicKey: key.publicKey.toString('hex'),
        oneTime: key.oneTime,
        notAfter: key.notAfter,
        signature: key.signature.toString('hex'),
      };
      return { status: 200, type: 'application/json', headers: NO_STORE, body };
    },
    async getSigningSession({ path, headers: sent }, { principal, remoteAddress }) {
      const actor = actorOf(principal, remoteAddress);
      const session = await visibleSession(context, principal, actor, requireSessionId(path.id));
      const response = sessionResponse(session);
      const { headers } = response;
      return matchesEntityTag(sent['if-none-match'], headers.ETag) ? { status: 304, headers } : response;
    },
    async cancelSigningSession({ path, body }, { principal, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(principal, remoteAddress);
      const sessionId = requireSessionId(path.id);
      return sessionResponse(await cancelSession(context, principal, actor, sessionId, body?.reason ?? null));
    },
    async supplyDelegateUserShare({ path, body }, { principal, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(principal, remoteAddress);
      const sessionId = requireSessionId(path.id);
      const session = await supplyShare(context, actor, sessionId, shareOf(body), (found) => {
        if (!maySee(principal, found)) throw dbrError('SessionNotFound');
        requireOwner(principal, found.ownerUserId);
      });
      return sessionResponse(session);
    },
  };
}

/** The time of a session as PostgreSQL prints it, for the cursor. */
const POSITION = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d){0,2}$/;

const createListHandler =
  ({ database }: SigningContext): SessionHandlers['listSigningSessions'] =>
  async ({ query }, { principal, remoteAddress }) => {
    const { tenantId, userId } = actorOf(principal, remoteAddress);
    const { limit: size, cursor, state = null } = query;
    const [position = null, sessionId = null] =
      cursor === undefined ? [] : decodeCursor(cursor, [POSITION, CANONICAL_UUID]);
    const accountId = query.accountId === undefined ? null : parseAccountId(query.accountId);
    // No account has an identifier of another form, so it has no sessions.
    if (query.accountId !== undefined && accountId === null) return EMPTY_PAGE;
    const before = position === null || sessionId === null ? null : { position, sessionId };
    const rows = await queryInTenant(database, tenantId, (transaction) =>
      listSessions(transaction, {
        userId: readsAll(principal) ? null : userId,
        accountId,
        state,
        before,
        limit: size + 1,
      }),
    );
    const { items, ...rest } = pageOf(rows, size, (row) => [row.position, row.record.sessionId]);
    const body = { items: items.map(({ record }) => sessionJson(record)), ...rest };
    return { status: 200, type: 'application/json', headers: PRIVATE, body };
  };

const EMPTY_PAGE = {
  status: 200,
  type: 'application/json',
  headers: PRIVATE,
  body: { items: [], hasMore: false, nextCursor: null },
} as const;

/** Events of a page; no session has as many, because each party joins once and reports once. */
const MAX_EVENTS = 1000;

const createEventsHandler =
  ({ context, streams }: SessionHandlerParts): SessionHandlers['listSigningSessionEvents'] =>
  async ({ path, query, headers: sent }, { principal, remoteAddress, headers: accepted, signal }) => {
    const actor = actorOf(principal, remoteAddress);
    const { tenantId, userId } = actor;
    const type = preferredType(accepted.accept, ['application/json', EVENT_STREAM]);
    if (type === null) throw dbrError('NotAcceptable', { details: 'application/json, text/event-stream' });
    const after = positionOf(sent['last-event-id']) ?? query.after;
    const session = await visibleSession(context, principal, actor, requireSessionId(path.id));
    if (type === EVENT_STREAM) {
      const { sessionId } = session;
      const { expiresAt } = principal;
      const body = await streams.open({ tenantId, userId, sessionId, after, expiresAt, signal });
      return eventStreamResponse(body);
    }
    const items = await queryInTenant(context.database, tenantId, (transaction) =>
      eventsOfSession(transaction, session, after, MAX_EVENTS),
    );
    const lastSequence = items.at(-1)?.sequence ?? session.eventSequence;
    const body: SigningSessionEventPage = { items, lastSequence };
    return { status: 200, type: 'application/json', headers: EVENT_STREAM_HEADERS, body };
  };

function sessionResponse(session: SessionRecord) {
  const body = sessionJson(session);
  const headers = { ...PRIVATE, ETag: versionTag(body.stateVersion) };
  return { status: 200, type: 'application/json', headers, body } as const;
}

/** The position in the header `Last-Event-ID`. @throws DbrError InvalidParameter for text that is not a position */
function positionOf(lastEventId: string | undefined): number | null {
  if (lastEventId === undefined) return null;
  if (!/^\d{1,15}$/.test(lastEventId))
    throw dbrError('InvalidParameter', {
      parameter: 'Last-Event-ID',
      problem: 'is not one that was handed out',
    });
  return Number(lastEventId);
}

// The transactions of the operations on sessions; `create-session.ts` has that of the creation.

/** @throws DbrError SessionNotFound for text that is not the identifier of a session */
function requireSessionId(text: string): SessionId {
  const sessionId = parseSessionId(text);
  if (sessionId === null) throw dbrError('SessionNotFound');
  return sessionId;
}

/** Whether the principal sees the session: it may read or sign for the account, or created the session. */
const maySee = (principal: Principal, session: SessionRecord): boolean =>
  knowsOf(principal, session) || session.createdBy === principal.userId;

/** @throws DbrError SessionNotFound if there is no such session or the principal may not see it */
async function visibleSession(
  { database }: SigningContext,
  principal: Principal,
  { tenantId }: Actor,
  sessionId: SessionId,
): Promise<SessionRecord> {
  const session = await queryInTenant(database, tenantId, (transaction) =>
    findSession(transaction, sessionId),
  );
  if (session === null || !maySee(principal, session)) throw dbrError('SessionNotFound');
  return session;
}

/**
 * Claims an encryption key of the account's active delegate.
 * @throws DbrError AccountNotFound, Forbidden, RateLimited, DelegateKeyUnavailable
 */
const claimDelegateKey = (
  { database }: SigningContext,
  sessionLimiter: RateLimiter,
  principal: Principal,
  { tenantId, userId }: Actor,
  accountId: AccountId,
): Promise<OfferedKey & { readonly delegatePartyId: PartyId }> =>
  inTenant(database, tenantId, async (transaction) => {
    const account = await findAccount(transaction, accountId);
    if (account === null || !knowsOf(principal, account)) throw dbrError('AccountNotFound');
    requireSign(principal, account);
    await requireRate(sessionLimiter, [tenantId, accountId, 'key']);
    const delegatePartyId = activeDelegate(account)?.partyId;
    if (delegatePartyId === undefined) throw dbrError('DelegateKeyUnavailable');
    const key = await claimKey(transaction, delegatePartyId, { userId, accountId });
    if (key === null) throw dbrError('DelegateKeyUnavailable');
    return { delegatePartyId, ...key };
  });

/**
 * Cancels the session; cancelling a cancelled session changes nothing.
 * @throws DbrError SessionNotFound, Forbidden, SessionTerminal
 */
async function cancelSession(
  context: SigningContext,
  principal: Principal,
  actor: Actor,
  sessionId: SessionId,
  reason: string | null,
): Promise<SessionRecord> {
  const applied = await inTenant(context.database, actor.tenantId, async (transaction) => {
    const outcome = await applyAndNotify(context, transaction, sessionId, (session) => {
      if (!maySee(principal, session)) throw dbrError('SessionNotFound');
      if (session.createdBy !== principal.userId) requireSign(principal, session);
      return { kind: 'cancel', reason };
    });
    if (outcome.kind === 'applied' && outcome.transitions.length > 0)
      await audit(transaction, actor, {
        action: 'session.cancel',
        subject: `session:${sessionId}`,
        before: null,
        after: { reason },
      });
    return outcome;
  });
  if (applied.kind === 'not-found') throw dbrError('SessionNotFound');
  if (applied.transitions.length > 0) context.written([applied.session]);
  if (applied.kind === 'refused')
    throw dbrError('SessionTerminal', { state: applied.session.effectiveState });
  return applied.session;
}

// Supply of the user's share after the creation of a session, once, before the session starts.

/**
 * Stores the share and notifies the owner.
 * @param requireRights throws if the principal may not supply the share
 * @throws DbrError SessionNotFound, SessionTerminal, DelegateShareUnexpected, DelegateShareInvalid, DelegateKeyUnknown,
 *   DelegateShareReused
 */
async function supplyShare(
  context: SigningContext,
  actor: Actor,
  sessionId: SessionId,
  share: DelegateUserShare,
  requireRights: (session: SessionRecord) => void,
): Promise<SessionRecord> {
  const applied = await inTenant(context.database, actor.tenantId, async (transaction) => {
    const before = await lockSession(transaction, sessionId);
    if (before === null) throw dbrError('SessionNotFound');
    requireRights(before);
    const outcome = await applyAndNotify(context, transaction, sessionId, () => ({ kind: 'supply-share' }));
    if (outcome.kind !== 'applied') return outcome;
    const binding = bindingOf(before);
    requireShare(share, binding, '');
    await storeShare(transaction, binding, share, actor.userId, before.eventSequence + 1);
    const { recipientKeyId, delegatePartyId } = share;
    const after = { delegatePartyId, recipientKeyId };
    const subject = `session:${sessionId}`;
    await audit(transaction, actor, { action: 'session.supply-share', subject, before: null, after });
    return { ...outcome, session: (await findSession(transaction, sessionId)) ?? outcome.session };
  });
  if (applied.kind === 'not-found') throw dbrError('SessionNotFound');
  if (applied.transitions.length > 0) context.written([applied.session]);
  if (applied.kind === 'refused') throw refusalError(applied.refusal, applied.session);
  return applied.session;
}

/** @throws DbrError DelegateShareUnexpected where no delegate takes part */
function bindingOf(session: SessionRecord): SessionBinding {
  const delegate = session.participants.find(({ shareType }) => shareType === 'delegate');
  if (delegate === undefined) throw dbrError('DelegateShareUnexpected');
  const { tenantId, accountId, sessionId, messageDigest, derivationPath } = session;
  return { tenantId, accountId, sessionId, delegatePartyId: delegate.partyId, messageDigest, derivationPath };
}

function refusalError(refusal: Refusal, { effectiveState }: SessionRecord): DbrError {
  switch (refusal.kind) {
    case 'terminal':
      return dbrError('SessionTerminal', { state: refusal.state });
    case 'wrong-state':
    case 'share-unexpected':
    case 'share-supplied-already':
      return dbrError('DelegateShareUnexpected');
    case 'not-a-participant':
      return dbrError('SessionTerminal', { state: effectiveState });
  }
}
