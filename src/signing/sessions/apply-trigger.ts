/** Applies the decisions of the state machine under the session's lock; each transition writes exactly one event. */
import type { SessionId, TenantId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { eraseShare } from '../shares/share-store.js';
import { decide, type Refusal, type Transition, type Trigger } from './session-machine.js';
import { isTerminal } from '../types.js';
import { viewOf, type SessionRecord } from './session-record.js';
import { findSession, lockSession } from './session-store.js';
import { recordResult } from './ceremony-store.js';
import {
  deleteMessages,
  insertTransition,
  recordApproval,
  recordJoin,
  recordReport,
} from './transition-store.js';
import type { ChangedSession, SigningContext } from '../context.js';
import { notifyOfTransitions } from './owner-notifications.js';
import { inTenant } from '../transaction.js';

export type Applied =
  | { readonly kind: 'not-found' }
  | ({ readonly kind: 'refused'; readonly refusal: Refusal } & AppliedTransitions)
  | ({ readonly kind: 'applied' } & AppliedTransitions);

interface AppliedTransitions {
  readonly session: SessionRecord;
  /** Empty if nothing has changed. */
  readonly transitions: readonly Transition[];
}

interface ApplyOptions {
  /** False: skip a session that another transaction has locked. */
  readonly wait?: boolean;
  /** Runs as part of the transaction, whether the trigger is applied or refused. */
  readonly also?: (transaction: DatabaseTask) => Promise<void>;
}

/** Makes the trigger from the session under its lock. */
export type TriggerOf = (session: SessionRecord, transaction: DatabaseTask) => Trigger | Promise<Trigger>;

/**
 * Applies a trigger as part of the transaction. An overdue session ends first, and that must be committed although the trigger
 * is refused: a caller throws after the transaction, not in it.
 */
async function applyTrigger(
  transaction: DatabaseTask,
  sessionId: SessionId,
  triggerOf: TriggerOf,
  { wait = true, also }: ApplyOptions = {},
): Promise<Applied> {
  const before = await lockSession(transaction, sessionId, wait);
  if (before === null) return { kind: 'not-found' };
  const trigger = await triggerOf(before, transaction);
  await also?.(transaction);
  const decision = decide(viewOf(before), trigger, Date.parse(before.now));
  const write = async (transitions: readonly Transition[]): Promise<SessionRecord> => {
    for (const transition of transitions) await writeTransition(transaction, sessionId, transition);
    return (await findSession(transaction, sessionId)) ?? before;
  };
  switch (decision.kind) {
    case 'refused':
      return { kind: 'refused', refusal: decision.refusal, session: before, transitions: [] };
    case 'unchanged':
      return { kind: 'applied', session: before, transitions: [] };
    case 'moved': {
      const { transitions } = decision;
      await recordParticipant(transaction, sessionId, trigger);
      return { kind: 'applied', session: await write(transitions), transitions };
    }
    case 'lapsed': {
      const transitions = [decision.transition];
      const session = await write(transitions);
      if (trigger.kind === 'clock') return { kind: 'applied', session, transitions };
      const refusal: Refusal = { kind: 'terminal', state: decision.transition.state };
      return { kind: 'refused', refusal, session, transitions };
    }
  }
}

async function writeTransition(
  transaction: DatabaseTask,
  sessionId: SessionId,
  transition: Transition,
): Promise<void> {
  await insertTransition(transaction, sessionId, transition);
  if (!isTerminal(transition.state)) return;
  // Only signing needs the share and the messages.
  await eraseShare(transaction, sessionId);
  await deleteMessages(transaction, sessionId);
}

/** Records what the trigger reports of its party or approver. Bytes that are not a valid signature are not stored. */
async function recordParticipant(
  transaction: DatabaseTask,
  sessionId: SessionId,
  trigger: Trigger,
): Promise<void> {
  if (trigger.kind === 'join') await recordJoin(transaction, sessionId, trigger.partyId, trigger.instanceId);
  if (trigger.kind === 'approve')
    await recordApproval(transaction, sessionId, JSON.stringify(trigger.signature));
  if (trigger.kind === 'report-signature' && trigger.valid !== false) {
    const signature = Buffer.from(trigger.signature, 'hex');
    await recordReport(transaction, sessionId, trigger.partyId, signature);
  }
  if (trigger.kind === 'report-certificate' && trigger.valid) {
    const { publicKey, transcriptSha256 } = trigger.result;
    await recordReport(transaction, sessionId, trigger.partyId, Buffer.from(trigger.signature, 'hex'));
    await recordResult(transaction, sessionId, publicKey, transcriptSha256);
  }
}

// Triggers of sessions with all that follows from them: notifications of the owner, metrics, streams.

type TransitionContext = Pick<SigningContext, 'notifications' | 'observe'>;

/** Applies the trigger and notifies the owner, as part of the transaction. The caller calls `context.written` after it. */
export async function applyAndNotify(
  { notifications, observe }: TransitionContext,
  transaction: DatabaseTask,
  sessionId: SessionId,
  trigger: TriggerOf,
  options?: ApplyOptions,
): Promise<Applied> {
  const applied = await applyTrigger(transaction, sessionId, trigger, options);
  if (applied.kind !== 'not-found') {
    await notifyOfTransitions(notifications, transaction, applied.session, applied.transitions);
    transaction.afterCommit(() => {
      for (const { state } of applied.transitions) observe({ kind: 'session-moved', state });
    });
  }
  return applied;
}

/** Applies the trigger in a transaction of its own, notifies the owner and wakes the streams. */
export async function runTrigger(
  context: SigningContext,
  tenantId: TenantId,
  sessionId: SessionId,
  trigger: TriggerOf,
  options?: ApplyOptions,
): Promise<Applied> {
  const applied = await inTenant(context.pool, tenantId, (transaction) =>
    applyAndNotify(context, transaction, sessionId, trigger, options),
  );
  if (applied.kind !== 'not-found' && applied.transitions.length > 0) context.written([applied.session]);
  return applied;
}

/** Applies the trigger to each session, as part of the transaction. Returns the sessions, for `context.written`. */
export async function applyToSessions(
  context: TransitionContext,
  transaction: DatabaseTask,
  sessions: readonly { readonly sessionId: SessionId }[],
  trigger: Trigger,
): Promise<readonly ChangedSession[]> {
  const changed: ChangedSession[] = [];
  for (const { sessionId } of sessions) {
    const applied = await applyAndNotify(context, transaction, sessionId, () => trigger);
    if (applied.kind !== 'not-found') changed.push(applied.session);
  }
  return changed;
}
