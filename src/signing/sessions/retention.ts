/** Retention: deletes sessions that ended long ago, with all their rows, every hour. The audit log stays. */
import { workFailed, type Observe } from '../../observability/observation.js';
import type { Database } from '../../postgres/database.js';
import { repeat, type Repeated } from '../../observability/repeat.js';
import { removeEnded } from './remove-ended.js';

const INTERVAL_MS = 3_600_000;

/** Deletes once now, then one hour after the end of each run. */
export const startRetention = (database: Database, retentionDays: number, observe: Observe): Repeated =>
  repeat(
    async (signal) => {
      const removed = await removeEnded(database, retentionDays, signal);
      if (removed > 0) observe({ kind: 'sessions-removed', removed });
    },
    { intervalMs: INTERVAL_MS, observe, failure: workFailed('removal of old signing sessions') },
  );
