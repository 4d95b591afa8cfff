/** What the operations of signing share. */
import type { Database, DatabaseTask } from '../postgres/database.js';
import type { NotificationPort } from './router-port.js';
import type { SessionRecord } from './sessions/session-record.js';
import { applyTrigger, type Applied, type ApplyOptions } from './sessions/apply-trigger.js';
import type { Trigger } from './sessions/session-machine.js';
import { notifyOfTransitions } from './owner-notifications.js';
import type { ChangedSession } from './sessions/session-changes.js';
import { inTenant } from './transaction.js';

export interface SigningContext {
  /** As a login role that is a member of `dbr_signing_service` and `dbr_signing_sweeper`. */
  readonly database: Database;
  /** null where the area of notifications does not run. */
  readonly notifications: NotificationPort | null;
  /** How long the parties of a new session have to join. */
  readonly readySeconds: number;
  /** Called for each transition, with the state that the session is in from now on. */
  readonly moved: (state: string) => void;
  /** Reports new events of these sessions to every process. Called after the commit of their transaction. */
  readonly written: (sessions: readonly ChangedSession[]) => void;
}

/** Applies the trigger and tells the owner, as part of the transaction. The caller calls `written` after it. */
export async function applyAndTell(
  { notifications, moved }: SigningContext,
  transaction: DatabaseTask,
  sessionId: string,
  trigger: (session: SessionRecord) => Trigger,
  options?: ApplyOptions,
): Promise<Applied> {
  const applied = await applyTrigger(transaction, sessionId, trigger, options);
  if (applied.kind !== 'not-found') {
    await notifyOfTransitions(notifications, transaction, applied.session, applied.transitions);
    for (const { state } of applied.transitions) moved(state);
  }
  return applied;
}

/** The same in a transaction of its own. */
export async function runTrigger(
  context: SigningContext,
  tenantId: string,
  sessionId: string,
  trigger: (session: SessionRecord) => Trigger,
  options?: ApplyOptions,
): Promise<Applied> {
  const applied = await inTenant(context.database, tenantId, (transaction) =>
    applyAndTell(context, transaction, sessionId, trigger, options),
  );
  if (applied.kind !== 'not-found' && applied.transitions.length > 0) context.written([applied.session]);
  return applied;
}

/**
 * Ends open sessions because a party was revoked or the account frozen, as part of that transaction. Returns the sessions
 * that ended, for `written`.
 */
export async function denySessions(
  context: SigningContext,
  transaction: DatabaseTask,
  sessionIds: readonly string[],
): Promise<readonly ChangedSession[]> {
  const ended: ChangedSession[] = [];
  for (const sessionId of sessionIds) {
    const applied = await applyAndTell(context, transaction, sessionId, () => ({ kind: 'deny' }));
    if (applied.kind !== 'not-found') ended.push(applied.session);
  }
  return ended;
}
