/** The one consumer of observations: writes their log lines and counts them in the metrics. */
import type { Logger } from './log.js';
import { LOG_LINES, type LogLine } from './log-lines.js';
import type { Metrics } from './metrics.js';
import type { Observation, Observe, RequestFinished } from './observation.js';
import type { Tracer } from './tracer.js';

interface ObserverOptions {
  /** Null or absent while traces are switched off. */
  readonly tracer?: Tracer | null;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
  /** Shows an observation in another way; true keeps it out of the log. */
  readonly shows?: Shows;
}

export type Shows = (observation: Observation) => boolean;

export function createObserver(
  log: Logger,
  metrics: Metrics,
  { tracer = null, now = () => performance.now(), shows = () => false }: ObserverOptions = {},
): Observe {
  const bounded = new Map<string, BoundedLine>();
  return (observation) => {
    metrics.count(observation);
    if (tracer !== null) trace(tracer, observation);
    if (shows(observation)) return;
    if (observation.kind === 'request-finished') return writeAccess(log, observation);
    const line: LogLine | null = LOG_LINES[observation.kind];
    if (line === null) return;
    if (line.isBounded === true) writeBounded(log, line, observation, bounded, now());
    else write(log, line, observation);
  };
}

function trace(tracer: Tracer, observation: Observation): void {
  const { kind } = observation;
  if (kind !== 'request-finished' && kind !== 'live-read-finished' && kind !== 'router-call-finished') return;
  if (observation.trace?.isSampled === true) tracer.record(observation, observation.trace);
}

/** Longest reason of an access line, in characters: messages of PostgreSQL may have any length. */
const LONGEST_REASON = 500;

/** The level follows the status: error from 500, warn from 400, else info. */
function writeAccess(log: Logger, observation: RequestFinished): void {
  const { requestId, method, path, status, durationMs, who, client, code, reason, trace: own } = observation;
  const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId,
      traceId: own?.traceId,
      method,
      path,
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      who,
      client: client === '' ? undefined : client,
      code: code?.slice(0, LONGEST_REASON),
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
/** Most subjects of one kind that have lines of their own at a time. */
const MOST_SUBJECTS = 100;

/**
 * Writes at most one line of a kind in ten seconds, and one for each subject, such as a refused party. `leftOut` counts
 * the observations without a line before it.
 */
function writeBounded(
  log: Logger,
  line: LogLine,
  observation: Observation,
  lines: Map<string, BoundedLine>,
  at: number,
): void {
  const key = keyOf(observation, lines, at);
  const last = lines.get(key);
  if (last !== undefined && at - last.writtenAt < INTERVAL_MS) {
    last.leftOut += 1;
    return;
  }
  const { kind: _kind, ...fields } = observation;
  log[line.level]({ ...fields, leftOut: last?.leftOut ?? 0 }, line.message);
  lines.set(key, { writtenAt: at, leftOut: 0 });
}

function keyOf(observation: Observation, lines: Map<string, BoundedLine>, at: number): string {
  const { kind } = observation;
  if (!('subject' in observation)) return kind;
  const key = `${kind} ${observation.subject}`;
  if (lines.has(key) || lines.size < MOST_SUBJECTS) return key;
  for (const [old, { writtenAt }] of lines) if (at - writtenAt >= INTERVAL_MS) lines.delete(old);
  return lines.size < MOST_SUBJECTS ? key : kind;
}
