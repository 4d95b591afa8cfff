/** Retention: deletes sessions that ended long ago, with all their rows, in small batches. The audit log stays. */
import type { Observe } from '../../observability/observation.js';
import type { Database } from '../../postgres/database.js';
import { repeat, type Repeated } from '../../repeat.js';
import { asSweeper } from '../transaction.js';

const INTERVAL_MS = 3_600_000;

/** Sessions that one transaction deletes at most, so that every transaction is short. */
export const RETENTION_BATCH = 500;

/** The advisory lock lets one process delete at a time; its number is arbitrary. */
const DELETE_ENDED = `
with turn as materialized (
  select pg_catalog.pg_try_advisory_xact_lock(5347118) as ours
), removed as (
  delete from dbr_signing.signing_sessions as session
  where (select turn.ours from turn) and session.session_id in (
    select old.session_id
    from dbr_signing.signing_sessions as old
    where old.ended_at < pg_catalog.now() - pg_catalog.make_interval(days => $1::integer)
    order by old.ended_at
    limit ${String(RETENTION_BATCH)}
  )
  returning session.session_id
)
select pg_catalog.count(*) as count from removed`;

/**
 * Deletes the sessions that ended more than `retentionDays` days ago.
 * @param signal stops after the current batch when it is aborted
 * @returns the number of deleted sessions
 */
export async function removeEnded(
  database: Database,
  retentionDays: number,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let removed = RETENTION_BATCH; removed === RETENTION_BATCH && !signal.aborted; total += removed) {
    const { count } = await asSweeper(database, (transaction) =>
      transaction.one<{ readonly count: string }>({ text: DELETE_ENDED, values: [retentionDays] }),
    );
    removed = Number(count);
  }
  return total;
}

/** Deletes once now, then one hour after the end of each run. */
export const startRetention = (database: Database, retentionDays: number, observe: Observe): Repeated =>
  repeat(
    async (signal) => {
      const removed = await removeEnded(database, retentionDays, signal);
      if (removed > 0) observe({ kind: 'sessions-removed', removed });
    },
    INTERVAL_MS,
    (error) => observe({ kind: 'background-work-failed', work: 'removal of old signing sessions', error }),
  );
