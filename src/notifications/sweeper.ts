/** Retention: deletes old and expired rows every hour. */
import { workFailed, type Observe } from '../observability/observation.js';
import { repeat, type Repeated } from '../observability/repeat.js';
import type { Runner } from './store.js';
import { sweep } from './sweep.js';

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
