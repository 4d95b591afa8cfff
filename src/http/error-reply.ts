/** An error as the reply of areas A and B: the one body of the contract, or the same as `application/problem+json` (RFC 9457). */
import { STATUS_CODES } from 'node:http';
import { DbrError, dbrError } from '../errors/dbr-error.js';
import type { Observe } from '../observability/observation.js';
import { MalformedMessage } from '../postgres/malformed-message.js';
import { ConnectionLost, ConnectFailed, PoolTimeout, PostgresError } from '../postgres/postgres-error.js';
import { jsonReply, type HeaderList, type Reply } from './reply.js';

export interface ErrorContext {
  readonly accept: string | undefined;
  /** The path of the request, for the `instance` member. */
  readonly instance: string;
  readonly observe: Observe;
}

export function errorReply(error: unknown, context: ErrorContext): Reply {
  const known = asDbrError(error, context.observe);
  const { code, status, message, details, hint, problems } = known;
  const headers: HeaderList = Object.entries(known.headers);
  const body = { code, message, details, hint, ...(problems === undefined ? {} : { errors: problems }) };
  const failure = status < 500 ? undefined : `${code}: ${message}`;
  if (!wantsProblem(context.accept)) return { ...jsonReply(status, body, headers), failure };
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
  };
}

/** An error as the answer to what never became a request. */
export function renderError({ code, message, details, hint, headers }: DbrError, serverHeader: string) {
  return {
    headers: [
      ['Server', serverHeader],
      ['X-Content-Type-Options', 'nosniff'],
      ['Content-Type', 'application/json; charset=utf-8'],
      ...Object.entries(headers),
    ] satisfies HeaderList,
    body: Buffer.from(JSON.stringify({ code, message, details, hint }), 'utf8'),
  };
}

/** Any other error means that the database is unavailable, or is a fault, which is logged and not part of the response. */
function asDbrError(error: unknown, observe: Observe): DbrError {
  if (error instanceof DbrError) return error;
  if (error instanceof PoolTimeout)
    return dbrError('PoolAcquisitionTimeout', {}, { headers: { 'Retry-After': '1' } });
  if (error instanceof ConnectionLost || error instanceof ConnectFailed) {
    return dbrError('DatabaseConnectionError', { details: null }, { headers: { 'Retry-After': '1' } });
  }
  if (error instanceof MalformedMessage) {
    observe({ kind: 'malformed-database-message', error });
    return dbrError('DatabaseLibraryError', { message: error.message });
  }
  if (error instanceof PostgresError && isUnprepared(error)) {
    observe({ kind: 'migrations-missing', error });
    return dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '60' } });
  }
  observe({
    kind: 'unexpected-error',
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return dbrError('InternalError');
}

const wantsProblem = (accept: string | undefined): boolean =>
  accept !== undefined && /application\/problem\+json/i.test(accept);

/**
 * Missing schema, table, function, role or privilege: the migrations have not been applied. A setting is refused (22023)
 * by the check of a built-in setting only, and `role` is the one that the statements of areas A and B set.
 */
const isUnprepared = ({ fields: { code, routine } }: PostgresError): boolean =>
  ['3F000', '42P01', '42883', '42501'].includes(code) ||
  (code === '22023' && routine === 'call_string_check_hook');
