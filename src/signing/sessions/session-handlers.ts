/** The operations on signing sessions. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { RequestSignature } from '../../../generated/types.js';
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
  conditionalResponse,
  jsonResponse,
} from '../../operations/responses.js';
import type { RequestContext, Principal } from '../../contract/principal.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { preferredType } from '../../operations/preferred-type.js';
import { requireRateOnce, type RateLimiter } from '../../operations/limits.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { actorOf, readsAll, requireOwner, knowsOf, mayApprove, requireSign, type Actor } from '../access.js';
import { requireAccountId } from '../accounts/account-handlers.js';
import type { SigningContext } from '../context.js';
import { shareOf } from '../shares/delegate-share.js';
import { queryInTenant, inTenant } from '../transaction.js';
import { versionTag } from '../versions.js';
import { createCeremony } from './create-ceremony.js';
import { createSession, type CreatedSession } from './create-session.js';
import { createSessions } from './create-sessions.js';
import { eventsOfSession } from './event-store.js';
import { sessionJson, type SessionRecord } from './session-record.js';
import { findMessage, findSession, listSessions, lockSession } from './session-store.js';
import type { SessionStreams } from './session-stream.js';
import { findAccount } from '../accounts/account-store.js';
import { activeDelegate } from '../accounts/signing-parties.js';
import { audit } from '../audit.js';
import { claimKey, type OfferedKey } from '../parties/encryption-key-store.js';
import { applyAndNotify } from './apply-trigger.js';
import type { DelegateUserShare } from '../router-port.js';
import { requireShare, storeShare, type SessionBinding } from '../shares/share-store.js';
import type { Refusal } from './session-machine.js';
import { isRepeated, requireApproval } from './signed-request.js';

interface SessionHandlerParts {
  readonly context: SigningContext;
  readonly streams: SessionStreams;
  /** One bucket for each account. */
  readonly sessionLimiter: RateLimiter;
}

export const createSessionHandlers = ({ context, streams, sessionLimiter }: SessionHandlerParts) =>
  ({
    async createSigningSession({ path, headers: sent, body }, request) {
      requireStorableBody(body);
      const actor = actorOf(request);
      const accountId = requireAccountId(path.id);
      const result = await createSession(context, {
        actor,
        accountId,
        idempotencyKey: sent['idempotency-key'] ?? null,
        admit: requireRateOnce(sessionLimiter, [actor.tenantId, accountId]),
        body,
      });
      return creationResponse(result);
    },
    async createSigningSessions({ path, headers: sent, body: { sessions: bodies } }, request) {
      requireStorableBody(bodies, '/sessions');
      const actor = actorOf(request);
      const accountId = requireAccountId(path.id);
      const idempotencyKey = sent['idempotency-key'] ?? null;
      const admit = requireRateOnce(sessionLimiter, [actor.tenantId, accountId], bodies.length);
      const result = await createSessions(context, { actor, accountId, idempotencyKey, admit, bodies });
      const items = result.sessions.map((session) => sessionJson(session));
      const response = jsonResponse(PRIVATE, { items });
      return result.created ? { ...response, status: 201 as const } : response;
    },
    async createCeremony({ path, body }, request) {
      requireStorableBody(body);
      const actor = actorOf(request);
      const accountId = requireAccountId(path.id);
      const admit = requireRateOnce(sessionLimiter, [actor.tenantId, accountId]);
      return creationResponse(await createCeremony(context, { actor, accountId, admit, body }));
    },
    async claimDelegateKey({ path }, request) {
      const accountId = requireAccountId(path.id);
      const key = await claimDelegateKey(context, sessionLimiter, actorOf(request), accountId);
      const hex = { publicKey: key.publicKey.toString('hex'), signature: key.signature.toString('hex') };
      return jsonResponse(NO_STORE, { ...key, ...hex });
    },
    async listSigningSessions({ query }, request) {
      const actor = actorOf(request);
      const { limit, cursor, state = null } = query;
      const [position = null, sessionId = null] =
        cursor === undefined ? [] : decodeCursor(cursor, [POSITION, CANONICAL_UUID]);
      const accountId = query.accountId === undefined ? null : parseAccountId(query.accountId);
      // No account has an identifier of another form, so it has no sessions.
      if (query.accountId !== undefined && accountId === null)
        return jsonResponse(PRIVATE, { items: [], hasMore: false, nextCursor: null });
      const userId = readsAll(actor) ? null : actor.userId;
      const before = position === null || sessionId === null ? null : { position, sessionId };
      const rows = await queryInTenant(context.pool, actor.tenantId, (transaction) =>
        listSessions(transaction, { userId, accountId, state, before, limit: limit + 1 }),
      );
      const { items, ...rest } = pageOf(rows, limit, (session) => [session.position, session.sessionId]);
      return jsonResponse(PRIVATE, { items: items.map((session) => sessionJson(session)), ...rest });
    },
    async getSigningSession({ path, headers }, request) {
      const actor = actorOf(request);
      const session = await visibleSession(context, actor, requireSessionId(path.id));
      const found = session.hasMessage
        ? await queryInTenant(context.pool, actor.tenantId, (transaction) =>
            findMessage(transaction, session.sessionId),
          )
        : null;
      const { headers: own, body } = sessionResponse(session, found?.message);
      return conditionalResponse(headers['if-none-match'], own, body);
    },
    async cancelSigningSession({ path, body }, request) {
      requireStorableBody(body);
      const sessionId = requireSessionId(path.id);
      return sessionResponse(await cancelSession(context, actorOf(request), sessionId, body?.reason ?? null));
    },
    async supplyDelegateUserShare({ path, body }, request) {
      requireStorableBody(body);
      const sessionId = requireSessionId(path.id);
      return sessionResponse(await supplyShare(context, actorOf(request), sessionId, shareOf(body)));
    },
    async approveSigningSession({ path, body }, request) {
      const sessionId = requireSessionId(path.id);
      return sessionResponse(await approveSession(context, actorOf(request), sessionId, body));
    },
    async listSigningSessionEvents({ path, query, headers: sent }, request) {
      const actor = actorOf(request);
      const type = preferredType(request.headers.accept, ['application/json', EVENT_STREAM]);
      if (type === null) throw dbrError('NotAcceptable', { details: 'application/json, text/event-stream' });
      const after = positionOf(sent['last-event-id']) ?? query.after;
      const session = await visibleSession(context, actor, requireSessionId(path.id));
      if (type === EVENT_STREAM) {
        const { sessionId } = session;
        const { signal } = request;
        const sees = (now: SessionRecord): boolean => maySee(actor, now);
        return eventStreamResponse(await streams.open({ ...actor, sessionId, after, signal, maySee: sees }));
      }
      const items = await queryInTenant(context.pool, actor.tenantId, (transaction) =>
        eventsOfSession(transaction, session, after, MAX_EVENTS),
      );
      const lastSequence = items.at(-1)?.sequence ?? session.eventSequence;
      return jsonResponse(EVENT_STREAM_HEADERS, { items, lastSequence });
    },
  }) satisfies Partial<SigningHandlers<RequestContext>>;

/** The time of a session as PostgreSQL prints it, for the cursor. */
const POSITION = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d){0,2}$/;

/** Events of a page; no session has as many, because each party joins once and reports once. */
const MAX_EVENTS = 1000;

/** 201 with the place of a new session; 200 for one that exists. */
function creationResponse({ session, created }: CreatedSession) {
  const response = sessionResponse(session);
  if (!created) return response;
  const Location = `/api/v1/signing-sessions/${session.sessionId}`;
  return { ...response, status: 201 as const, headers: { ...response.headers, Location } };
}

function sessionResponse(session: SessionRecord, message: Buffer | null = null) {
  const body = sessionJson(session, message);
  return jsonResponse({ ...PRIVATE, ETag: versionTag(body.stateVersion) }, body);
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

/** Whether the principal sees the session: it may read, sign or approve for the account, or created the session. */
const maySee = (principal: Principal, session: SessionRecord): boolean =>
  knowsOf(principal, session) ||
  session.createdBy === principal.userId ||
  mayApprove(principal, session.accountId);

/** @throws DbrError SessionNotFound if there is no such session or the principal may not see it */
async function visibleSession(
  { pool }: SigningContext,
  actor: Actor,
  sessionId: SessionId,
): Promise<SessionRecord> {
  const session = await queryInTenant(pool, actor.tenantId, (transaction) =>
    findSession(transaction, sessionId),
  );
  if (session === null || !maySee(actor, session)) throw dbrError('SessionNotFound');
  return session;
}

/**
 * Claims an encryption key of the account's active delegate.
 * @throws DbrError AccountNotFound, Forbidden, RateLimited, DelegateKeyUnavailable
 */
function claimDelegateKey(
  { pool }: SigningContext,
  sessionLimiter: RateLimiter,
  actor: Actor,
  accountId: AccountId,
): Promise<OfferedKey & { readonly delegatePartyId: PartyId }> {
  const admit = requireRateOnce(sessionLimiter, [actor.tenantId, accountId, 'key']);
  return inTenant(pool, actor.tenantId, async (transaction) => {
    const account = await findAccount(transaction, accountId);
    if (account === null || !knowsOf(actor, account)) throw dbrError('AccountNotFound');
    requireSign(actor, account);
    await admit();
    const delegatePartyId = activeDelegate(account)?.partyId;
    if (delegatePartyId === undefined) throw dbrError('DelegateKeyUnavailable');
    const key = await claimKey(transaction, delegatePartyId, { userId: actor.userId, accountId });
    if (key === null) throw dbrError('DelegateKeyUnavailable');
    return { delegatePartyId, ...key };
  });
}

/**
 * Cancels the session; cancelling a cancelled session changes nothing.
 * @throws DbrError SessionNotFound, Forbidden, SessionTerminal
 */
async function cancelSession(
  context: SigningContext,
  actor: Actor,
  sessionId: SessionId,
  reason: string | null,
): Promise<SessionRecord> {
  const applied = await inTenant(context.pool, actor.tenantId, async (transaction) => {
    const outcome = await applyAndNotify(context, transaction, sessionId, (session) => {
      if (!maySee(actor, session)) throw dbrError('SessionNotFound');
      if (session.createdBy !== actor.userId) requireSign(actor, session);
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

/**
 * Adds a signature over the request of the session; the signature of a key that has signed already changes nothing.
 * @throws DbrError SessionNotFound, SigningRequestInvalid, SessionStarted, SessionTerminal
 */
async function approveSession(
  context: SigningContext,
  actor: Actor,
  sessionId: SessionId,
  { keyId, algorithm, signature }: RequestSignature,
): Promise<SessionRecord> {
  const approval = { keyId, algorithm, signature };
  const applied = await inTenant(context.pool, actor.tenantId, async (transaction) => {
    // The request of a session never changes, so that its signatures are verified before the session is locked.
    const before = await findSession(transaction, sessionId);
    if (before === null || !maySee(actor, before)) throw dbrError('SessionNotFound');
    const account = await findAccount(transaction, before.accountId);
    requireApproval(account?.requestKeys ?? [], before.request, approval);
    const outcome = await applyAndNotify(context, transaction, sessionId, ({ requestSignatures }) => ({
      kind: 'approve',
      signature: approval,
      repeated: isRepeated(requestSignatures ?? [], approval),
    }));
    const after = { keyId };
    const subject = `session:${sessionId}`;
    if (outcome.kind === 'applied' && outcome.transitions.length > 0)
      await audit(transaction, actor, { action: 'session.approve', subject, before: null, after });
    return outcome;
  });
  if (applied.kind === 'not-found') throw dbrError('SessionNotFound');
  if (applied.transitions.length > 0) context.written([applied.session]);
  if (applied.kind === 'refused') {
    const { refusal, session } = applied;
    throw refusal.kind === 'wrong-state' ? dbrError('SessionStarted') : refusalError(refusal, session);
  }
  return applied.session;
}

// Supply of the user's share after the creation of a session, once, before the session starts.

/**
 * Stores the share and notifies the owner.
 * @throws DbrError SessionNotFound, Forbidden, SessionTerminal, DelegateShareUnexpected, DelegateShareInvalid, DelegateKeyUnknown,
 *   DelegateShareReused
 */
async function supplyShare(
  context: SigningContext,
  actor: Actor,
  sessionId: SessionId,
  share: DelegateUserShare,
): Promise<SessionRecord> {
  const applied = await inTenant(context.pool, actor.tenantId, async (transaction) => {
    const before = await lockSession(transaction, sessionId);
    if (before === null || !maySee(actor, before)) throw dbrError('SessionNotFound');
    requireOwner(actor, before.ownerUserId);
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
  const { tenantId, accountId, sessionId, messageDigest, hasMessage, derivationPath } = session;
  const delegatePartyId = delegate.partyId;
  return { tenantId, accountId, sessionId, delegatePartyId, messageDigest, hasMessage, derivationPath };
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
