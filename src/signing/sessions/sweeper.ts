/** The background work of sessions: those that are overdue end, and those that ended long ago are deleted. */
import type { Gone } from '../../base/gone.js';
import { workFailed, type Observe } from '../../observability/observation.js';
import type { Pool } from '../../postgres/pool.js';
import { databaseFailure } from '../../postgres/database-failure.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import { repeat, type Repeated } from '../../observability/repeat.js';
import type { SigningContext } from '../context.js';
import { asSweeper } from '../transaction.js';
import { runTrigger } from './apply-trigger.js';
import type { Trigger } from './session-machine.js';
import { overdueSessions } from './session-store.js';

const SWEEP_INTERVAL_MS = 1000;
const RETENTION_INTERVAL_MS = 3_600_000;
/** Sessions of one sweep; the next one continues. */
const BATCH = 200;
/** Most sessions that a sweep leaves out: the query compares each session with all of them. */
const MOST_FAILED = 10 * BATCH;

/**
 * Ends overdue sessions, and sessions whose share expired undelivered. Sessions that another process has locked are skipped. A
 * session that cannot be ended does not keep the others open.
 * @param failed sessions that full batches could not end. They are left out until all others have been tried.
 * @throws Error that names the first session that could not be ended, after the others
 */
async function sweep(context: SigningContext, failed: Set<string>): Promise<void> {
  const overdue = await asSweeper(context.pool, (transaction) =>
    overdueSessions(transaction, BATCH, [...failed]),
  );
  if (overdue.length < BATCH || failed.size > MOST_FAILED) failed.clear();
  let ended = 0;
  let failure: Error | null = null;
  for (const { tenantId, sessionId } of overdue) {
    try {
      const applied = await runTrigger(context, tenantId, sessionId, CLOCK, { wait: false });
      if (applied.kind === 'applied') ended += applied.transitions.length;
    } catch (cause) {
      if (overdue.length >= BATCH) failed.add(sessionId);
      failure ??= new Error(`session ${sessionId} cannot be ended: ${String(cause)}`, { cause });
      const { kind = 'refused' } = databaseFailure(cause) ?? {};
      // Without the database the others fail too, perhaps each after a long wait.
      if (kind !== 'refused') break;
    }
  }
  if (ended > 0) context.observe({ kind: 'sessions-expired', ended });
  if (failure !== null) throw failure;
}

const CLOCK = (): Trigger => ({ kind: 'clock' });

/** Sweeps once now, then one second after the end of each sweep. */
export function startSweeper(context: SigningContext): Repeated {
  const failed = new Set<string>();
  return repeat(() => sweep(context, failed), {
    intervalMs: SWEEP_INTERVAL_MS,
    observe: context.observe,
    failure: workFailed('expiry of signing sessions'),
  });
}

// Retention: sessions that ended long ago are deleted with all their rows, every hour. The audit log stays.

/** Deletes once now, then one hour after the end of each run. */
export const startRetention = (pool: Pool, retentionDays: number, observe: Observe): Repeated =>
  repeat(
    async (signal) => {
      const removed = await removeEnded(pool, retentionDays, signal);
      if (removed > 0) observe({ kind: 'sessions-removed', removed });
    },
    { intervalMs: RETENTION_INTERVAL_MS, observe, failure: workFailed('removal of old signing sessions') },
  );

/**
 * Deletes the sessions that ended more than `retentionDays` days ago.
 * @param signal stops after the current batch when it is aborted
 * @returns the number of deleted sessions
 */
export async function removeEnded(pool: Pool, retentionDays: number, signal: Gone): Promise<number> {
  let total = 0;
  for (let removed = RETENTION_BATCH; removed === RETENTION_BATCH && !signal.aborted; total += removed) {
    const { count } = await asSweeper(pool, (transaction) => deleteEnded(transaction, retentionDays));
    removed = count;
  }
  return total;
}

/** Sessions that one transaction deletes at most, so that every transaction is short. */
export const RETENTION_BATCH = 500;

/**
 * Deletes one batch of the sessions that ended more than so many days ago. Returns the number of deleted sessions.
 * The advisory lock lets one process delete at a time; its number is arbitrary.
 */
const deleteEnded = query.one<[days: number], { readonly count: number }>(sql`
with turn as materialized (
  select pg_catalog.pg_try_advisory_xact_lock(5347119) as ours
), removed as (
  delete from dbr_signing.signing_sessions as session
  where (select turn.ours from turn) and session.session_id in (
    select old.session_id
    from dbr_signing.signing_sessions as old
    where old.ended_at < pg_catalog.now() - pg_catalog.make_interval(days => $1::integer)
    order by old.ended_at
    limit ${RETENTION_BATCH}
  )
  returning session.session_id
)
select pg_catalog.count(*)::integer as count from removed`);
