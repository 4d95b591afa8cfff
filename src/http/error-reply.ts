/** Error replies of areas A and B: the body of the contract, or the same members as `application/problem+json` (RFC 9457). */
import type { Header, Reply } from '../contract/reply.js';
import { STATUS_CODES } from 'node:http';
import {
  type CodePrefix,
  spelledCode,
  type ErrorStyle,
  proxyStatus,
  shownBody,
} from '../errors/error-style.js';
import {
  databaseError,
  shownRefusal,
  type DatabaseFailure,
  type FailurePolicy,
} from '../errors/database-error.js';
import { DbrError, dbrError } from '../errors/dbr-error.js';
import type { Observation, Observe } from '../observability/observation.js';
import { databaseFailure } from '../postgres/database-failure.js';
import { jsonReply } from './reply.js';

export interface ErrorContext {
  readonly accept: string | undefined;
  /** The path of the request, for the `instance` member. */
  readonly instance: string;
  readonly style: ErrorStyle;
  readonly observe: Observe;
}

export function errorReply(error: unknown, context: ErrorContext): Reply {
  const { style } = context;
  const { code, status, message, details, hint, problems, ...known } = shownError(error, context);
  const headers: readonly Header[] = [...Object.entries(known.headers), ...proxyStatus(code, style)];
  const shown = shownBody({ code, message, details, hint }, style);
  const body = { ...shown, ...(problems === undefined ? {} : { errors: problems }) };
  const failure = status < 500 ? undefined : `${code}: ${known.logged ?? message}`;
  if (!wantsProblem(context.accept)) return { ...jsonReply(status, body, headers), failure, code };
  const problem = {
    type: `urn:dbr:error:${code}`,
    title: STATUS_CODES[status] ?? message,
    status,
    detail: message,
    instance: context.instance,
    ...body,
  };
  return {
    status,
    headers: [['Content-Type', 'application/problem+json; charset=utf-8'], ...headers],
    body: [Buffer.from(JSON.stringify(problem))],
    failure,
    code,
  };
}

/** Renders an error for bytes that are no HTTP request and do not reach the application. */
export function renderError(error: DbrError, serverHeader: string, codePrefix: CodePrefix) {
  const { message, details, hint, headers } = error;
  const code = spelledCode(error.code, codePrefix);
  return {
    headers: [
      ['Server', serverHeader],
      ['X-Content-Type-Options', 'nosniff'],
      ['Content-Type', 'application/json; charset=utf-8'],
      ...Object.entries(headers),
    ] satisfies readonly Header[],
    body: Buffer.from(JSON.stringify({ code, message, details, hint }), 'utf8'),
  };
}

/**
 * Failures of the database in areas A and B (contract, Errors). Their clients need not know the database server:
 * `details` does not name it, and a lost connection is reported like one that cannot be opened.
 */
const POLICY: FailurePolicy = {
  connectionLost: 'DatabaseConnectionError',
  showsMessage: false,
  // Migrations are applied by an operator, which takes longer than a restart of the database.
  retryAfter: { unavailable: 1, unprepared: 60 },
};
const RETRY_SOON = { 'Retry-After': '1' };

/** The error that the client receives, with the code of the error table or an SQLSTATE. */
interface ShownError extends Pick<
  DbrError,
  'status' | 'message' | 'details' | 'hint' | 'headers' | 'problems'
> {
  readonly code: string;
  /** In place of the message. */
  readonly logged?: string;
}

function shownError(error: unknown, { style, observe }: ErrorContext): ShownError {
  const failure = databaseFailure(error);
  const refusal = failure === null ? null : shownRefusal(failure);
  if (refusal !== null) {
    const headers = refusal.status === 503 ? RETRY_SOON : {};
    return { ...refusal, details: null, headers };
  }
  const { code, status, message, details, hint, headers, problems } = asDbrError(error, failure, observe);
  const shown = { code: spelledCode(code, style.codePrefix), status, message, details, hint, headers };
  return problems === undefined ? shown : { ...shown, problems };
}

/** A fault is observed, and its text is not part of the response. */
function asDbrError(error: unknown, failure: DatabaseFailure | null, observe: Observe): DbrError {
  if (error instanceof DbrError) return error;
  const known = failure === null ? dbrError('InternalError') : databaseError(failure, POLICY);
  const observation = observationOf(known, error);
  if (observation !== null) observe(observation);
  return known;
}

/** Null for an error that the access line alone reports. */
function observationOf({ name }: DbrError, error: unknown): Observation | null {
  if (name === 'DatabaseLibraryError') return { kind: 'malformed-database-message', error };
  if (name === 'ServiceUnavailable') return { kind: 'migrations-missing', error };
  if (name !== 'InternalError') return null;
  return {
    kind: 'unexpected-error',
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

const wantsProblem = (accept: string | undefined): boolean =>
  accept !== undefined && /application\/problem\+json/i.test(accept);
