import { statusOfSqlState } from '../../../generated/sqlstates.js';
import {
  spelledCode,
  type CodePrefix,
  type ErrorBody,
  type ErrorStyle,
  isFullControl,
  proxyStatus,
  shownBody,
} from '../../errors/error-style.js';
import { databaseError, shownTexts, type FailurePolicy } from '../../errors/database-error.js';
import { DbrError, dbrError } from '../../errors/dbr-error.js';
import { databaseFailure } from '../../postgres/database-failure.js';
import { ConnectionLost, PostgresError, type ErrorFields } from '../../postgres/postgres-error.js';
import { reasonPhrase, toWire, mayBeSent, overridden, parseJson } from './reply-headers.js';
import type { Header, Reply } from '../../contract/reply.js';

export interface ErrorContext {
  /** Selects 401 or 403 for a missing privilege. */
  readonly authenticated: boolean;
  /** Value of Retry-After, in seconds. */
  readonly retryAfterSeconds: number;
  readonly style: ErrorStyle;
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
  const code = spelledCode(known.code, context.style.codePrefix);
  const headers = Object.entries(known.headers).map(([name, value]): Header => [name, toWire(value)]);
  const body = { code, message, details, hint };
  return jsonReply(status, body, [...headers, ...retryAfter(status, context)], context.style);
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
  if (isFullControl(fields.code, context.style.codePrefix)) return raisedReply(fields, context);
  const { code } = fields;
  const { message, detail, hint } = shownTexts(fields);
  const chosen = chosenStatus(code);
  const status = chosen ?? statusOf(fields, context);
  const challenge: readonly Header[] = status === 401 ? [['WWW-Authenticate', 'Bearer']] : [];
  const body = { code, message, details: detail, hint };
  const reply = jsonReply(status, body, [...challenge, ...retryAfter(status, context)], context.style);
  if (chosen !== null) return { ...reply, reason: reasonPhrase(message) };
  return reply.failure === undefined ? reply : { ...reply, failure: `${code}: ${fields.message}` };
}

/** The role of a token is set by its name (22023 is any parameter that PostgreSQL refuses). */
const UNKNOWN_ROLE = /^role ".*" does not exist$/s;

function statusOf({ code, message }: ErrorFields, { authenticated, style }: ErrorContext): number {
  const isUnknownRole = style.refusesUnknownRoles && code === '22023' && UNKNOWN_ROLE.test(message);
  return isUnknownRole ? 401 : statusOfSqlState(code, authenticated);
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
    const { status, reason, headers, body } = readRaisedError(fields, context.style.codePrefix);
    const reply = jsonReply(status, body, [], context.style);
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

function jsonReply(status: number, body: ErrorBody, headers: readonly Header[], style: ErrorStyle): Reply {
  return {
    status,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ...headers,
      ...proxyStatus(body.code, style),
    ],
    body: [Buffer.from(JSON.stringify(shownBody(body, style)), 'utf8')],
    code: body.code,
    ...(status < 500 ? {} : { failure: `${body.code}: ${body.message}` }),
  };
}

/** An error with which a function defines the whole response (contract, custom errors, 4). */
interface RaisedError {
  readonly status: number;
  readonly reason: string | null;
  readonly headers: readonly Header[];
  readonly body: ErrorBody & { readonly details: string | null };
}

/** The usual SQLSTATE by which a function takes full control. */
const STATES: Readonly<Record<CodePrefix, string>> = { DBR: 'DBR00', PGRST: 'PGRST' };

/** Reads MESSAGE and DETAIL. DBR121 if one of them is malformed. */
function readRaisedError({ message, detail }: ErrorFields, prefix: CodePrefix): RaisedError {
  const state = STATES[prefix];
  const body = readMessage(message);
  if (body === null)
    throw dbrError('InvalidRaisedError', {
      state,
      details: 'invalidMessage',
      hint: 'message',
      value: message,
    });
  if (detail === null)
    throw dbrError('InvalidRaisedError', { state, details: 'missingDetail', hint: 'detail' });
  const head = readDetail(detail);
  if (head === null)
    throw dbrError('InvalidRaisedError', { state, details: 'invalidDetail', hint: 'detail', value: detail });
  return { ...head, body };
}

function readMessage(text: string): RaisedError['body'] | null {
  const members = membersOf(parseJson(text));
  const code = members?.get('code');
  const message = members?.get('message');
  const details = members?.get('details') ?? null;
  const hint = members?.get('hint') ?? null;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  if (!isTextOrNull(details) || !isTextOrNull(hint)) return null;
  return { code, message, details, hint };
}

function readDetail(text: string): Omit<RaisedError, 'body'> | null {
  const members = membersOf(parseJson(text));
  const status = members?.get('status');
  const reason = members?.get('status_text') ?? null;
  const headers = readHeaders(members?.get('headers'));
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 999) return null;
  if (!isTextOrNull(reason) || headers === null) return null;
  return { status, reason, headers };
}

function readHeaders(value: unknown): readonly Header[] | null {
  const members = membersOf(value);
  if (members === null) return null;
  const headers: Header[] = [];
  for (const [name, text] of members) {
    if (typeof text !== 'string' || !mayBeSent([name, text])) return null;
    headers.push([name, toWire(text)]);
  }
  return headers;
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

function membersOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map<string, unknown>(Object.entries(value));
}
