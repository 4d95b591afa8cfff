import type { Database } from '../../postgres/database.js';
import { asSweeper } from '../transaction.js';
import { DELETE_ENDED, RETENTION_BATCH } from './retention-sql.js';

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
