/** How far the primary was at which time, from which the lag of a replica follows. */
import type { Position } from './position.js';

interface Sample {
  readonly position: Position;
  /** The last time, by `performance.now()`, at which the primary was asked and was at this position. */
  askedAt: number;
}

/** In ascending order of positions and times. */
export type PrimaryLog = Sample[];

/** One a second at the longest allowed lag, an hour, with some for questions that are late. */
const MAX_SAMPLES = 4000;

/**
 * Records that the primary had flushed its log up to `position`, or further than that at `askedAt`. A position before the
 * last one is that of another primary, after a failover.
 */
export function recordSample(log: PrimaryLog, position: Position, askedAt: number): void {
  const last = log.at(-1);
  if (last?.position === position) {
    last.askedAt = askedAt;
    return;
  }
  if (last !== undefined && position < last.position) log.length = 0;
  if (log.length === MAX_SAMPLES) log.shift();
  log.push({ position, askedAt });
}

/**
 * Returns the time up to which a replica has every commit, by `performance.now()`; -Infinity if it is unknown.
 * @param replayed position up to which the replica has replayed the log
 */
export function freshAsOf(log: PrimaryLog, replayed: Position): number {
  return log.findLast(({ position }) => position <= replayed)?.askedAt ?? -Infinity;
}
