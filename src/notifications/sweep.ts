/** Retention: deletes old and expired rows every hour. */
import type { Gone } from '../base/gone.js';
import { workFailed, type Observe } from '../observability/observation.js';
import { repeat, type Repeated } from '../observability/repeat.js';
import { runBatches, type Runner } from './store.js';
import { SWEEP_BATCH, SWEEP_EVENTS, SWEEP_NOTIFICATIONS, SWEEP_SPANS, SWEEP_TICKETS } from './sweep-sql.js';

const INTERVAL_MS = 3_600_000;

/** Deletes once now, then one hour after the end of each run. */
export const startSweeper = (pool: Runner, retentionDays: number, observe: Observe): Repeated =>
  repeat(
    async (signal) => {
      const removed = await sweep(pool, retentionDays, signal);
      if (removed > 0) observe({ kind: 'notifications-removed', removed });
    },
    { intervalMs: INTERVAL_MS, observe, failure: workFailed('removal of old notifications') },
  );

/**
 * Deletes all rows that are due. One process deletes at a time; the others find nothing to delete.
 * @param retentionDays days that notifications are kept
 * @param signal stops after the current batch when it is aborted
 * @returns the number of deleted rows
 */
export async function sweep(pool: Runner, retentionDays: number, signal: Gone): Promise<number> {
  const batches = { batch: SWEEP_BATCH, signal };
  let removed = 0;
  for (const statement of SWEEP_NOTIFICATIONS)
    removed += await runBatches(pool, statement, [String(retentionDays)], batches);
  for (const statement of [...SWEEP_SPANS, SWEEP_EVENTS, SWEEP_TICKETS])
    removed += await runBatches(pool, statement, [], batches);
  return removed;
}
