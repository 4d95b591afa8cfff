/** The table from each failure of the database to an error of this service, for every interface. */
import { statusOfSqlState } from '../../generated/sqlstates.js';
import { dbrError, type DbrError, type DbrErrorOptions } from './dbr-error.js';

export type DatabaseFailure =
  /** All connections were busy for longer than the acquisition timeout. */
  | { readonly kind: 'pool-timeout' }
  /** No connection could be opened. The message names the server. */
  | { readonly kind: 'connect-failed'; readonly message: string }
  /** The connection ended while a statement ran on it. */
  | { readonly kind: 'connection-lost'; readonly message: string }
  | { readonly kind: 'malformed-message'; readonly message: string }
  /** A result exceeds the limit; both in bytes. */
  | { readonly kind: 'result-too-large'; readonly length: number; readonly limit: number }
  | RefusedStatement;

/** PostgreSQL refused a statement. */
interface RefusedStatement {
  readonly kind: 'refused';
  /** SQLSTATE. */
  readonly code: string;
  /** The function of PostgreSQL's source that refused. */
  readonly routine: string | null;
  readonly message: string;
  readonly hint: string | null;
}

/** The differences between the interfaces. Each interface states the reasons at its policy. */
export interface FailurePolicy {
  /** Error of a connection that ended while a statement ran on it. */
  readonly connectionLost: 'DatabaseConnectionError' | 'DatabaseClientError';
  /** Whether `details` contains the message of the failure, which may name the server. */
  readonly showsMessage: boolean;
  /** `Retry-After` in seconds; null where the caller adds it, or the interface has none. */
  readonly retryAfter: RetryAfter | null;
}

interface RetryAfter {
  /** Seconds while all connections are busy, or the database cannot be reached. */
  readonly unavailable: number;
  /** Seconds while migrations are missing. */
  readonly unprepared: number;
}

/**
 * Returns the error for a failure of the database; `InternalError` for a refusal that the service's own statements do
 * not expect. The data API forwards refusals of PostgreSQL instead.
 */
export function databaseError(failure: DatabaseFailure, policy: FailurePolicy): DbrError {
  switch (failure.kind) {
    case 'pool-timeout':
      return dbrError('PoolAcquisitionTimeout', {}, unavailable(policy));
    case 'connect-failed':
      return dbrError('DatabaseConnectionError', detailsOf(failure, policy), unavailable(policy));
    case 'connection-lost':
      return dbrError(policy.connectionLost, detailsOf(failure, policy), unavailable(policy));
    case 'malformed-message':
      return dbrError('DatabaseLibraryError', { message: failure.message });
    case 'result-too-large':
      return dbrError('ResultTooLarge', { length: failure.length, limit: failure.limit });
    case 'refused':
      if (UNAVAILABLE.test(failure.code))
        return dbrError('DatabaseConnectionError', { details: null }, unavailable(policy));
      if (isUnprepared(failure))
        return dbrError('ServiceUnavailable', {}, retryAfter(policy.retryAfter?.unprepared));
      return dbrError('InternalError');
  }
}

/**
 * SQLSTATEs of a server that cannot serve now, and may later (PostgreSQL manual, appendix A): classes 08 connection
 * exception and 53 insufficient resources (53100 disk_full, 53300 too_many_connections) but for 53400 (contract), 57P01 to 57P05 (shutting down,
 * starting, a session that was ended), 25006 read_only_sql_transaction (a standby, for example during a failover), 40001
 * serialization_failure and 40P01 deadlock_detected (a conflict that several attempts have met).
 */
const UNAVAILABLE = /^(?:08...|53(?!400)...|57P0\d|25006|40001|40P01)$/;

/**
 * Classes of SQLSTATE that report the state of the server: connection, read-only transaction, rollback, resources, limits,
 * locks, intervention, system, configuration, internal. Their texts name no value of a row or of a request.
 */
const ABOUT_SERVER = /^(?:08|25|40|53|54|55|57|58|F0|XX)/;

/** The texts of an error of PostgreSQL. */
interface RefusalTexts extends Pick<RefusedStatement, 'message' | 'hint'> {
  readonly detail: string | null;
}

/**
 * Returns the texts that callers receive. PostgreSQL's own texts of classes 58 (system error) and XX (internal error) name
 * files and objects of the server: the log alone has them. RAISE of a function chooses its texts for the caller.
 */
export const shownTexts = (
  refusal: RefusalTexts & Pick<RefusedStatement, 'code' | 'routine'>,
): RefusalTexts =>
  /^(?:58|XX)/.test(refusal.code) && refusal.routine !== RAISE
    ? { message: 'internal error of PostgreSQL', detail: null, hint: null }
    : refusal;

/** The function of PostgreSQL's source that runs RAISE of PL/pgSQL. */
const RAISE = 'exec_stmt_raise';

/** An error of PostgreSQL that a client receives, with its HTTP status. */
interface ShownRefusal extends Pick<RefusedStatement, 'code' | 'message' | 'hint'> {
  readonly status: number;
  /** The message of PostgreSQL, for the log. */
  readonly logged: string;
}

/**
 * Returns what a client receives of a refusal that reports the state of the server, such as a full disk; null for any
 * other failure. The status is that of the contract, but 503 for every server that may serve later.
 */
export function shownRefusal(failure: DatabaseFailure): ShownRefusal | null {
  if (failure.kind !== 'refused' || !ABOUT_SERVER.test(failure.code)) return null;
  const { code, message: logged } = failure;
  const { message, hint } = shownTexts({ ...failure, detail: null });
  return { code, message, hint, logged, status: UNAVAILABLE.test(code) ? 503 : statusOfSqlState(code, true) };
}

/** Missing schema, table, function, privilege. */
const UNPREPARED: ReadonlySet<string> = new Set(['3F000', '42P01', '42883', '42501']);

/**
 * Whether the migrations have not been applied: a schema, table, function, role or privilege is missing. A setting is
 * refused (22023) by the check of a built-in setting only, and `role` is the one that the service's own statements set.
 */
export const isUnprepared = ({ code, routine }: RefusedStatement): boolean =>
  UNPREPARED.has(code) || (code === '22023' && routine === 'call_string_check_hook');

const detailsOf = (
  { message }: { readonly message: string },
  { showsMessage }: FailurePolicy,
): { readonly details: string | null } => ({ details: showsMessage ? message : null });

const unavailable = (policy: FailurePolicy): DbrErrorOptions => retryAfter(policy.retryAfter?.unavailable);

const retryAfter = (seconds: number | undefined): DbrErrorOptions =>
  seconds === undefined ? {} : { headers: { 'Retry-After': String(seconds) } };
