/** One line a request: who, what, outcome, time. Never a token, a query value, a header or a body. */
import type { Logger } from '../observability/log.js';

export interface AccessEntry {
  readonly requestId: string;
  readonly method: string;
  /** The path without its query: filter values may be personal data. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The database role or the user; empty before authentication. */
  readonly who: string;
  /** Why the status is 500 or above: the code of the error and its message. */
  readonly reason?: string | undefined;
}

/** Longest reason, in characters: messages of the database may be of any length. */
const MOST_REASON = 500;

/** By status: from 500 as errors, from 400 as warnings, all else as information. */
export function logAccess(log: Logger, entry: AccessEntry): void {
  const level = entry.status >= 500 ? 'error' : entry.status >= 400 ? 'warn' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const durationMs = Math.round(entry.durationMs * 10) / 10;
  log[level]({ ...entry, durationMs, reason: entry.reason?.slice(0, MOST_REASON) }, 'request');
}
