/** Triggers of sessions with all that follows from them: notifications of the owner, metrics, streams. */
import type { AccountId, PartyId, SessionId, TenantId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { ChangedSession, SigningContext } from '../context.js';
import { notifyOfTransitions } from './owner-notifications.js';
import { inTenant } from '../transaction.js';
import { applyTrigger, type Applied, type ApplyOptions } from './apply-trigger.js';
import type { Trigger } from './session-machine.js';
import type { SessionRecord } from './session-record.js';
import { openSessionsOfAccount, openSessionsOfParty } from './session-store.js';

type TransitionContext = Pick<SigningContext, 'notifications' | 'observe'>;

/** Applies the trigger and notifies the owner, as part of the transaction. The caller calls `context.written` after it. */
export async function applyAndNotify(
  { notifications, observe }: TransitionContext,
  transaction: DatabaseTask,
  sessionId: SessionId,
  trigger: (session: SessionRecord) => Trigger,
  options?: ApplyOptions,
): Promise<Applied> {
  const applied = await applyTrigger(transaction, sessionId, trigger, options);
  if (applied.kind !== 'not-found') {
    await notifyOfTransitions(notifications, transaction, applied.session, applied.transitions);
    for (const { state } of applied.transitions) observe({ kind: 'session-moved', state });
  }
  return applied;
}

/** Applies the trigger in a transaction of its own, notifies the owner and wakes the streams. */
export async function runTrigger(
  context: SigningContext,
  tenantId: TenantId,
  sessionId: SessionId,
  trigger: (session: SessionRecord) => Trigger,
  options?: ApplyOptions,
): Promise<Applied> {
  const applied = await inTenant(context.database, tenantId, (transaction) =>
    applyAndNotify(context, transaction, sessionId, trigger, options),
  );
  if (applied.kind !== 'not-found' && applied.transitions.length > 0) context.written([applied.session]);
  return applied;
}

/** Ends the open sessions of the account by policy, as part of the transaction. Returns them, for `context.written`. */
export const endSessionsOfAccount = async (
  context: TransitionContext,
  transaction: DatabaseTask,
  accountId: AccountId,
): Promise<readonly ChangedSession[]> =>
  await endSessions(context, transaction, await openSessionsOfAccount(transaction, accountId));

/** Ends the open sessions of the party by policy, as part of the transaction. Returns them, for `context.written`. */
export const endSessionsOfParty = async (
  context: TransitionContext,
  transaction: DatabaseTask,
  partyId: PartyId,
): Promise<readonly ChangedSession[]> =>
  await endSessions(context, transaction, await openSessionsOfParty(transaction, partyId));

async function endSessions(
  context: TransitionContext,
  transaction: DatabaseTask,
  sessionIds: readonly SessionId[],
): Promise<readonly ChangedSession[]> {
  const ended: ChangedSession[] = [];
  for (const sessionId of sessionIds) {
    const applied = await applyAndNotify(context, transaction, sessionId, () => ({ kind: 'deny' }));
    if (applied.kind !== 'not-found') ended.push(applied.session);
  }
  return ended;
}
