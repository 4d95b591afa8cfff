/** The one consumer of observations: writes their log lines and counts them in the metrics. */
import type { Logger } from './log.js';
import { LOG_LINES, type LogLine } from './log-lines.js';
import type { Metrics } from './metrics.js';
import type { Observation, ObservationKind, Observe, RequestFinished } from './observation.js';

/** @param now a clock in milliseconds that never goes back */
export function createObserver(
  log: Logger,
  metrics: Metrics,
  now: () => number = () => performance.now(),
): Observe {
  const bounded = new Map<ObservationKind, BoundedLine>();
  return (observation) => {
    metrics.count(observation);
    if (observation.kind === 'request-finished') return writeAccess(log, observation);
    const line: LogLine | null = LOG_LINES[observation.kind];
    if (line === null) return;
    if (line.isBounded === true) writeBounded(log, line, observation, bounded, now());
    else write(log, line, observation);
  };
}

/** Longest reason of an access line, in characters: messages of PostgreSQL may have any length. */
const LONGEST_REASON = 500;

/** The level follows the status: error from 500, warn from 400, else info. */
function writeAccess(log: Logger, observation: RequestFinished): void {
  const { requestId, method, path, status, durationMs, who, reason } = observation;
  const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId,
      method,
      path,
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      who,
      reason: reason?.slice(0, LONGEST_REASON),
    },
    'request',
  );
}

function write(log: Logger, { level, message }: LogLine, { kind: _kind, ...fields }: Observation): void {
  log[level]('error' in fields ? { ...fields, error: messageOf(fields.error) } : fields, message);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The time of the last line of a kind, and the number of observations since then that were not written. */
interface BoundedLine {
  writtenAt: number;
  leftOut: number;
}

const INTERVAL_MS = 10_000;

/** Writes at most one line of a kind in ten seconds. `leftOut` counts the observations without a line before it. */
function writeBounded(
  log: Logger,
  line: LogLine,
  observation: Observation,
  lines: Map<ObservationKind, BoundedLine>,
  at: number,
): void {
  const last = lines.get(observation.kind);
  if (last !== undefined && at - last.writtenAt < INTERVAL_MS) {
    last.leftOut += 1;
    return;
  }
  const { kind, ...fields } = observation;
  log[line.level]({ ...fields, leftOut: last?.leftOut ?? 0 }, line.message);
  lines.set(kind, { writtenAt: at, leftOut: 0 });
}
