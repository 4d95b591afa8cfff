import { statusOfSqlState } from '../../../generated/sqlstates.js';
import { type CodePrefix, spelledCode } from '../../errors/code-prefix.js';
import { databaseError, type FailurePolicy } from '../../errors/database-error.js';
import { DbrError, type JsonValue } from '../../errors/dbr-error.js';
import { databaseFailure } from '../../postgres/database-failure.js';
import { ConnectionLost, PostgresError, type ErrorFields } from '../../postgres/postgres-error.js';
import { reasonPhrase, toWire, type Header } from './header-text.js';
import { isFullControl, readRaisedError } from './raised-error.js';
import type { Reply } from './reply.js';
import { overridden } from './response-settings.js';

export interface ErrorContext {
  /** Selects 401 or 403 for a missing privilege. */
  readonly authenticated: boolean;
  /** Value of Retry-After, in seconds. */
  readonly retryAfterSeconds: number;
  readonly codePrefix: CodePrefix;
}

/**
 * Failures of the database in the data API (contract, Errors, Area C; the texts are those of PostgREST): `details` is
 * the driver's message, and a lost connection has its own code.
 */
const POLICY: FailurePolicy = {
  connectionLost: 'DatabaseClientError',
  showsMessage: true,
  // Every 503 has the header, also for errors of PostgreSQL; its value follows the state of the pool. A 504 has none.
  retryAfter: null,
};

/**
 * The reply of the data API to an error of the service, of the database, or of the connection (contract, Errors, Area C).
 * Null for any other error, which is a fault of the service.
 */
export function errorReply(error: unknown, context: ErrorContext): Reply | null {
  const fields = forwardedFields(error);
  if (fields !== null) return forwardedReply(fields, context);
  const known = asDbrError(error);
  if (known === null) return null;
  const { message, details, hint, status } = known;
  const code = spelledCode(known.code, context.codePrefix);
  const headers = Object.entries(known.headers).map(([name, value]): Header => [name, toWire(value)]);
  return jsonReply(status, { code, message, details, hint }, [...headers, ...retryAfter(status, context)]);
}

/** The error of PostgreSQL, which is forwarded. It may be the last message of its connection. */
const forwardedFields = (error: unknown): ErrorFields | null =>
  error instanceof PostgresError || error instanceof ConnectionLost ? error.fields : null;

function asDbrError(error: unknown): DbrError | null {
  if (error instanceof DbrError) return error;
  const failure = databaseFailure(error);
  return failure === null ? null : databaseError(failure, POLICY);
}

function forwardedReply(fields: ErrorFields, context: ErrorContext): Reply {
  if (isFullControl(fields.code, context.codePrefix)) return raisedReply(fields, context);
  const { code, message, detail, hint } = fields;
  const chosen = chosenStatus(code);
  const status = chosen ?? statusOfSqlState(code, context.authenticated);
  const challenge: readonly Header[] = status === 401 ? [['WWW-Authenticate', 'Bearer']] : [];
  const reply = jsonReply(status, { code, message, details: detail, hint }, [
    ...challenge,
    ...retryAfter(status, context),
  ]);
  return chosen === null ? reply : { ...reply, reason: reasonPhrase(message) };
}

/** Returns the status of `PT<nnn>` (contract, custom errors, 3); 500 for a status below 200, which is not final. */
function chosenStatus(code: string): number | null {
  const digits = /^PT(\d{3})$/.exec(code)?.[1];
  if (digits === undefined) return null;
  const status = Number(digits);
  return status >= 200 ? status : 500;
}

function raisedReply(fields: ErrorFields, context: ErrorContext): Reply {
  try {
    const { status, reason, headers, body } = readRaisedError(fields, context.codePrefix);
    const reply = jsonReply(status, body, []);
    return {
      ...reply,
      ...(reason === null ? {} : { reason: reasonPhrase(reason) }),
      headers: overridden(reply.headers, headers),
    };
  } catch (error) {
    const reply = errorReply(error, context);
    if (reply === null) throw error;
    return reply;
  }
}

const retryAfter = (status: number, { retryAfterSeconds }: ErrorContext): readonly Header[] =>
  status === 503 ? [['Retry-After', String(retryAfterSeconds)]] : [];

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: JsonValue;
  readonly hint: string | null;
}

function jsonReply(status: number, body: ErrorBody, headers: readonly Header[]): Reply {
  return {
    status,
    headers: [['Content-Type', 'application/json; charset=utf-8'], ...headers],
    body: [Buffer.from(JSON.stringify(body), 'utf8')],
    ...(status < 500 ? {} : { failure: `${body.code}: ${body.message}` }),
  };
}
