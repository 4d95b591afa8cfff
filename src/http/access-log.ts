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
}

/** By status: from 500 as errors, from 400 as warnings, all else as information. */
export function logAccess(log: Logger, entry: AccessEntry): void {
  const level = entry.status >= 500 ? 'error' : entry.status >= 400 ? 'warn' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level]({ ...entry, durationMs: Math.round(entry.durationMs * 10) / 10 }, 'request');
}
