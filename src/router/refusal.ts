/** Why a call is refused, as a status of gRPC (https://grpc.io/docs/guides/status-codes/). */
import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import { DbrError } from '../errors/dbr-error.js';
import type { Logger } from '../observability/log.js';
import { ConnectFailed, ConnectionLost, PoolTimeout, PostgresError } from '../postgres/postgres-error.js';
import { MailboxesAway } from '../mailbox/mailbox-store.js';
import { InvalidEventId, InvalidPartyKey, PartyRefused, type PartyRefusal } from '../signing/router-port.js';
import { CallEnded, MalformedRequest } from './typed-service.js';

/** A refusal that the router itself decides. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: status;

  /** @param details shown to the party; free of payloads and keys */
  constructor(code: status, details: string) {
    super(details);
    this.code = code;
  }
}

export const invalid = (details: string): Refused => new Refused(status.INVALID_ARGUMENT, details);
export const notFound = (): Refused => new Refused(status.NOT_FOUND, 'no such session for this party');
export const precondition = (details: string): Refused => new Refused(status.FAILED_PRECONDITION, details);
export const unavailable = (details: string): Refused => new Refused(status.UNAVAILABLE, details);

/** The status of an error. Of an unforeseen one the client learns nothing: its text, which is logged, may hold anything. */
export function statusOf(error: unknown, method: string, log: Logger): StatusObject {
  const [code, details] = codeAndDetails(error, method, log);
  return { code, details, metadata: new Metadata() };
}

type CodeAndDetails = readonly [code: status, details: string];

function codeAndDetails(error: unknown, method: string, log: Logger): CodeAndDetails {
  if (error instanceof Refused) return [error.code, error.message];
  if (error instanceof CallEnded) return [status.DEADLINE_EXCEEDED, error.message];
  if (error instanceof PartyRefused) return refusalStatus(error.refusal);
  if (
    error instanceof InvalidPartyKey ||
    error instanceof InvalidEventId ||
    error instanceof MalformedRequest ||
    error instanceof DbrError
  )
    return [status.INVALID_ARGUMENT, error.message];
  if (isDatabaseAway(error)) return [status.UNAVAILABLE, 'the database is away: try again'];
  if (error instanceof MailboxesAway) return [status.UNAVAILABLE, 'the mailboxes are away: try again'];
  log.error(
    { method, error: error instanceof Error ? error.stack : String(error) },
    'a call of a party failed',
  );
  return [status.INTERNAL, 'internal error'];
}

/**
 * SQLSTATEs of a server that cannot serve now, and may later (PostgreSQL manual, appendix A): classes 08 connection
 * exception and 53 insufficient resources (53300 too_many_connections), 57P01 to 57P03 (shutting down, starting), 25006
 * read_only_sql_transaction (a standby, for example during a failover).
 */
const AWAY = /^(?:08...|53...|57P0[123]|25006)$/;

const isDatabaseAway = (error: unknown): boolean =>
  error instanceof ConnectFailed ||
  error instanceof ConnectionLost ||
  error instanceof PoolTimeout ||
  (error instanceof PostgresError && AWAY.test(error.fields.code));

function refusalStatus(refusal: PartyRefusal): CodeAndDetails {
  switch (refusal.kind) {
    case 'not-found':
      return [status.NOT_FOUND, 'no such session for this party'];
    case 'terminal':
    case 'wrong-state':
      return [status.FAILED_PRECONDITION, `the session is ${refusal.state}`];
    case 'party-not-active':
      return [status.PERMISSION_DENIED, 'the party is not active'];
    case 'party-unknown':
      return [status.UNAUTHENTICATED, 'no known party'];
  }
}
