/** Supply of the user's share after the creation of a session, once, before the session starts. */
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import type { SessionId } from '../../base/identifiers.js';
import type { Actor } from '../access.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import type { DelegateUserShare } from '../router-port.js';
import { requireShare, storeShare, type SessionBinding } from '../shares/share-store.js';
import { inTenant } from '../transaction.js';
import { applyAndNotify } from './run-trigger.js';
import type { Refusal } from './session-machine.js';
import type { SessionRecord } from './session-record.js';
import { findSession, lockSession } from './session-store.js';

/**
 * Stores the share and notifies the owner.
 * @param requireRights throws if the principal may not supply the share
 * @throws DbrError SessionNotFound, SessionTerminal, DelegateShareUnexpected, DelegateShareInvalid, DelegateKeyUnknown,
 *   DelegateShareReused
 */
export async function supplyShare(
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
