/** Makes a failing schedule smaller, as long as it still fails. */
import type { Schedule } from './schedule.js';

/** Most runs. */
const MOST_RUNS = 150;

/** @param fails runs a schedule */
export async function shrink(
  schedule: Schedule,
  fails: (candidate: Schedule) => Promise<boolean>,
): Promise<Schedule> {
  let best = schedule;
  let runs = 0;
  async function tryOne(candidate: Schedule): Promise<boolean> {
    if (runs >= MOST_RUNS) return false;
    runs++;
    if (!(await fails(candidate))) return false;
    best = candidate;
    return true;
  }
  await tryOne({ ...best, cuts: 0 });
  await tryOne({ ...best, latencyMs: 0.1 });
  for (const fault of schedule.faults)
    await tryOne({ ...best, faults: best.faults.filter((each) => each !== fault) });
  for (let size = Math.ceil(schedule.operations.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < best.operations.length;) {
      const { operations } = best;
      const isSmaller = await tryOne({
        ...best,
        operations: [...operations.slice(0, at), ...operations.slice(at + size)],
      });
      if (!isSmaller) at += size;
    }
  return best;
}
