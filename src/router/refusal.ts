/** Why a call is refused, as a status of gRPC (https://grpc.io/docs/guides/status-codes/). */
import { status, type StatusObject } from '@grpc/grpc-js';
import { DbrError } from '../errors/dbr-error.js';
import type { Logger } from '../observability/log.js';
import { ConnectFailed, ConnectionLost, LaneTimeout } from '../postgres/postgres-error.js';
import { MailboxesAway } from '../signing/mailbox/mailbox-store.js';
import { InvalidEventId, InvalidPartyKey, PartyRefused, type PartyRefusal } from '../signing/ports.js';
import { CallEnded } from './typed-service.js';

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

/** Errors nobody foresaw are logged with their name alone to the client: their texts may hold anything. */
export function statusOf(error: unknown, method: string, log: Logger): Partial<StatusObject> {
  if (error instanceof Refused) return { code: error.code, details: error.message };
  if (error instanceof CallEnded) return { code: status.DEADLINE_EXCEEDED, details: error.message };
  if (error instanceof PartyRefused) return refusalStatus(error.refusal);
  if (error instanceof InvalidPartyKey || error instanceof InvalidEventId)
    return { code: status.INVALID_ARGUMENT, details: error.message };
  if (error instanceof DbrError) return { code: status.INVALID_ARGUMENT, details: error.message };
  if (error instanceof ConnectFailed || error instanceof ConnectionLost || error instanceof LaneTimeout)
    return { code: status.UNAVAILABLE, details: 'the database is away: try again' };
  if (error instanceof MailboxesAway)
    return { code: status.UNAVAILABLE, details: 'the mailboxes are away: try again' };
  log.error(
    { method, error: error instanceof Error ? error.stack : String(error) },
    'a call of a party failed',
  );
  return { code: status.INTERNAL, details: 'internal error' };
}

function refusalStatus(refusal: PartyRefusal): Partial<StatusObject> {
  switch (refusal.kind) {
    case 'not-found':
      return { code: status.NOT_FOUND, details: 'no such session for this party' };
    case 'terminal':
    case 'wrong-state':
      return { code: status.FAILED_PRECONDITION, details: `the session is ${refusal.state}` };
    case 'party-not-active':
      return { code: status.PERMISSION_DENIED, details: 'the party is not active' };
  }
}
