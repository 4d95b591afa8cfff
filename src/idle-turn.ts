/**
 * Short computations in the main thread while it is mostly idle. The thread pool costs two switches of threads, which pays
 * only when the main thread has other work.
 */
import { performance } from 'node:perf_hooks';

/** The shortest time over which the work of the main thread is measured, in milliseconds. */
const WINDOW_MS = 50;
/** The part of that time in which the main thread may have worked at most. */
const MOST_WORK = 0.8;

let measured = performance.eventLoopUtilization();
let measuredAt = performance.now();
let isMostlyIdle = true;
let isTaken = false;

/**
 * Returns whether the caller may compute for a fraction of a millisecond now. One caller of a turn of the event loop may,
 * so that many calls that arrive together do not hold up the others.
 */
export function takeIdleTurn(): boolean {
  if (isTaken) return false;
  measure();
  if (!isMostlyIdle) return false;
  isTaken = true;
  setImmediate(endTurn);
  return true;
}

function endTurn(): void {
  isTaken = false;
}

function measure(): void {
  const now = performance.now();
  if (now - measuredAt < WINDOW_MS) return;
  const current = performance.eventLoopUtilization();
  isMostlyIdle = performance.eventLoopUtilization(current, measured).utilization <= MOST_WORK;
  measured = current;
  measuredAt = now;
}
