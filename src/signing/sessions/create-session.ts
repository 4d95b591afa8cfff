/** Creation of a session: chooses its parties and writes all of it in one transaction. */
import type { SigningSessionRequest } from '../../../generated/types.js';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import type { AccountId, SessionId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { knowsOf, requireSign, type Actor } from '../access.js';
import { lockAccountShared } from '../accounts/account-store.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { inTenant } from '../transaction.js';
import { completeSessions, insertSessions, planSession } from './insert-sessions.js';
import { sessionDraft, type SessionDraft } from './session-draft.js';
import type { SessionRecord } from './session-record.js';
import { applyAndNotify } from './apply-trigger.js';
import { findSession, findSessionByKey, lockSession, markReplaced } from './session-store.js';

interface NewSession {
  readonly actor: Actor;
  readonly accountId: AccountId;
  readonly idempotencyKey: string | null;
  /** Takes the rate limit of the account, for a new session alone. @throws DbrError RateLimited */
  readonly admit: () => Promise<void>;
  readonly body: SigningSessionRequest;
}

export interface CreatedSession {
  readonly session: SessionRecord;
  /** False if the same request created the session before. */
  readonly created: boolean;
  /** The session that it has replaced. */
  readonly replaced?: SessionRecord;
}

/**
 * Creates the session, or finds the one that the same request created before.
 * @throws DbrError AccountNotFound, Forbidden, RateLimited, SessionConflict and the errors of `sessionDraft`, `planSession`,
 *   `endReplaced` and `completeSessions`
 */
export async function createSession(context: SigningContext, request: NewSession): Promise<CreatedSession> {
  const { actor } = request;
  const draft = sessionDraft(request.body, request.accountId, actor);
  const result = await inTenant(context.pool, actor.tenantId, async (transaction) => {
    const account = await lockAccountShared(transaction, request.accountId);
    if (account === null || !knowsOf(actor, account)) throw dbrError('AccountNotFound');
    requireSign(actor, account);
    const existing = await findExisting(transaction, request, draft);
    if (existing !== null) return { session: existing, created: false };
    await request.admit();
    const creation = { context, transaction, actor, account };
    const planned = planSession(creation, draft, request.idempotencyKey);
    const replaced =
      draft.replaces === null ? null : await endReplaced(context, transaction, request, draft.replaces);
    if (replaced !== null && replaced.replacedBy !== null)
      // A repetition of the request that has replaced it finds the session of that one.
      return await sessionOfRace(transaction, request, draft, replacedError(replaced.replacedBy));
    if ((await insertSessions(creation, [planned])) === 0)
      return await sessionOfRace(transaction, request, draft, dbrError('SessionConflict'));
    if (replaced !== null) await markReplaced(transaction, replaced.sessionId, draft.sessionId);
    const [session] = await completeSessions(creation, [planned]);
    if (session === undefined) throw new Error('a session that was inserted cannot be read');
    return { session, created: true, ...(replaced === null ? {} : { replaced }) };
  });
  if (result.created)
    context.written(result.replaced === undefined ? [result.session] : [result.replaced, result.session]);
  return result;
}

/**
 * Ends the session that the new one takes the place of, so that no party signs in both. One that has ended without a signature, or
 * was replaced before, stays as it is.
 * @throws DbrError SessionNotFound, SessionTerminal for a completed session
 */
async function endReplaced(
  context: SigningContext,
  transaction: DatabaseTask,
  { actor, accountId }: NewSession,
  replaces: SessionId,
): Promise<SessionRecord> {
  const locked = await lockSession(transaction, replaces);
  if (locked?.accountId !== accountId || locked.ceremony !== null) throw dbrError('SessionNotFound');
  if (locked.replacedBy !== null) return locked;
  if (locked.state === 'completed') throw dbrError('SessionTerminal', { state: locked.state });
  const reason = 'replaced';
  const applied = await applyAndNotify(context, transaction, replaces, () => ({ kind: 'cancel', reason }));
  if (applied.kind === 'not-found') throw dbrError('SessionNotFound');
  if (applied.transitions.length > 0)
    await audit(transaction, actor, {
      action: 'session.cancel',
      subject: `session:${replaces}`,
      before: null,
      after: { reason },
    });
  return applied.session;
}

const replacedError = (sessionId: SessionId): DbrError => dbrError('SessionReplaced', { sessionId });

/**
 * The session that the same request created before, whatever state the account is in now.
 * @throws DbrError SessionConflict if another request has used the identifier or the idempotency key
 */
async function findExisting(
  transaction: DatabaseTask,
  { actor, idempotencyKey, body }: NewSession,
  draft: SessionDraft,
): Promise<SessionRecord | null> {
  const byKey =
    idempotencyKey === null ? null : await findSessionByKey(transaction, actor.userId, idempotencyKey);
  const byId = body.sessionId === undefined ? null : await findSession(transaction, draft.sessionId);
  const existing = byKey ?? byId;
  if (existing === null) return null;
  const isSame = existing.requestSha256.equals(draft.requestSha256);
  const contradicts = byId !== null && byKey !== null && byId.sessionId !== byKey.sessionId;
  const hasOtherId = body.sessionId !== undefined && existing.sessionId !== draft.sessionId;
  if (!isSame || contradicts || hasOtherId) throw dbrError('SessionConflict');
  return existing;
}

/** A concurrent request has inserted the identifier or the key, or has replaced the session: the same request sent twice, or another one. */
async function sessionOfRace(
  transaction: DatabaseTask,
  request: NewSession,
  draft: SessionDraft,
  otherwise: DbrError,
): Promise<CreatedSession> {
  const existing = await findExisting(transaction, request, draft);
  if (existing === null) throw otherwise;
  return { session: existing, created: false };
}
