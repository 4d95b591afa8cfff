/** Log lines of what strangers can cause as often as they like. */
import type { Logger } from './log.js';

const INTERVAL_MS = 10_000;

/** Writes a line with the reason, at most one in ten seconds; the next one has the number of those that were left out. */
export function boundedLog(
  log: Logger,
  level: 'info' | 'error',
  message: string,
  now: () => number = () => performance.now(),
): (reason: string) => void {
  let writtenAt = -Infinity;
  let leftOut = 0;
  return (reason) => {
    if (now() - writtenAt < INTERVAL_MS) {
      leftOut += 1;
      return;
    }
    log[level]({ reason, leftOut }, message);
    writtenAt = now();
    leftOut = 0;
  };
}
