/** The transactions of the operations on sessions, except creation (create-session.ts) and supply of a share (supply-share.ts). */
import type { Principal } from '../../contract/principal.js';
import { dbrError } from '../../errors/dbr-error.js';
import { parseSessionId, type AccountId, type SessionId } from '../../base/identifiers.js';
import type { PartyId } from '../../base/identifiers.js';
import { requireRate, type RateLimiter } from '../../operations/rate-limit.js';
import { knowsOf, requireSign, type Actor } from '../access.js';
import { findAccount } from '../accounts/account-store.js';
import { activeDelegate } from '../accounts/signing-parties.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { claimKey, type OfferedKey } from '../parties/encryption-key-store.js';
import { inTenant, queryInTenant } from '../transaction.js';
import { applyAndNotify } from './run-trigger.js';
import type { SessionRecord } from './session-record.js';
import { findSession } from './session-store.js';

/** @throws DbrError SessionNotFound for text that is not the identifier of a session */
export function requireSessionId(text: string): SessionId {
  const sessionId = parseSessionId(text);
  if (sessionId === null) throw dbrError('SessionNotFound');
  return sessionId;
}

/** Whether the principal sees the session: it may read or sign for the account, or created the session. */
export const maySee = (principal: Principal, session: SessionRecord): boolean =>
  knowsOf(principal, session) || session.createdBy === principal.userId;

/** @throws DbrError SessionNotFound if there is no such session or the principal may not see it */
export async function visibleSession(
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
export const claimDelegateKey = (
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
export async function cancelSession(
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
