/** Refused calls: each error has a reason, and `grpc-status` has the status of each reason. */
import { Metadata, type StatusObject } from '@grpc/grpc-js';
import { databaseError, type DatabaseFailure, type FailurePolicy } from '../errors/database-error.js';
import { DbrError, type DbrErrorName } from '../errors/dbr-error.js';
import type { Observe } from '../observability/observation.js';
import { databaseFailure } from '../postgres/database-failure.js';
import { MailboxesAway, MailboxesFull } from '../mailbox/mailbox-store.js';
import {
  InvalidEventId,
  InvalidPartyKey,
  InvalidSignatureForm,
  PartyRefused,
  type PartyRefusal,
} from '../signing/router-port.js';
import { GRPC_STATUS, type RefusalReason } from './grpc-status.js';
import { CallEnded, MalformedRequest, TooManyStreams } from './call-errors.js';

/** A refusal that the router itself decides. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: RefusalReason;

  /** The party, if it is known, for the log. */
  readonly subject: string | null;

  /** @param details shown to the party; contains no payload and no key */
  constructor(reason: RefusalReason, details: string, subject: string | null = null) {
    super(details);
    this.reason = reason;
    this.subject = subject;
  }
}

export const invalid = (details: string): Refused => new Refused('invalid-argument', details);
export const notFound = (): Refused => new Refused('no-such-session', NO_SUCH_SESSION);

const NO_SUCH_SESSION = 'no such session for this party';

/**
 * The status of an error. The text of an unforeseen error may contain anything: it is logged, and the client does not
 * receive it. A refusal of PostgreSQL, such as a full disk, is logged too, because nothing else reports it.
 */
export function statusOf(error: unknown, method: string, observe: Observe): StatusObject {
  const failure = databaseFailure(error);
  const [reason, details] = refusalOf(error, failure);
  if (reason === 'internal' || failure?.kind === 'refused')
    observe({
      kind: 'router-call-failed',
      method,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  return { code: GRPC_STATUS[reason], details, metadata: new Metadata() };
}

type Refusal = readonly [reason: RefusalReason, details: string];

function refusalOf(error: unknown, failure: DatabaseFailure | null): Refusal {
  if (error instanceof Refused) return [error.reason, error.message];
  if (error instanceof TooManyStreams) return ['too-many-streams', error.message];
  if (error instanceof CallEnded) return ['deadline-passed', error.message];
  if (error instanceof PartyRefused) return refusalOfParty(error.refusal);
  if (error instanceof DbrError && error.name === 'ServiceUnavailable')
    return ['limits-unavailable', 'the limits cannot be counted: try again'];
  if (
    error instanceof InvalidPartyKey ||
    error instanceof InvalidEventId ||
    error instanceof InvalidSignatureForm ||
    error instanceof MalformedRequest ||
    error instanceof DbrError
  )
    return ['invalid-argument', error.message];
  if (failure !== null && isAway(failure)) return ['database-unavailable', detailsOf(failure)];
  if (error instanceof MailboxesFull)
    return ['mailboxes-full', 'the mailboxes of all sessions are full: try again'];
  if (error instanceof MailboxesAway) return ['mailboxes-unavailable', 'the mailboxes are away: try again'];
  return ['internal', 'internal error'];
}

/** Failures of the database in calls. Details are texts of the router, and a gRPC status has no Retry-After. */
const POLICY: FailurePolicy = {
  connectionLost: 'DatabaseConnectionError',
  showsMessage: false,
  retryAfter: null,
};

/** Errors of the database after which a party may try again; the others are faults. */
const DATABASE_AWAY: ReadonlySet<DbrErrorName> = new Set([
  'DatabaseConnectionError',
  'PoolAcquisitionTimeout',
]);

const isAway = (failure: DatabaseFailure): boolean => DATABASE_AWAY.has(databaseError(failure, POLICY).name);

/** Texts of these refusals report the state of the server: they name no value of a row or of a call. */
const detailsOf = (failure: DatabaseFailure): string =>
  failure.kind === 'refused'
    ? `the database refuses the call: ${failure.message} (SQLSTATE ${failure.code})`
    : 'the database is away: try again';

function refusalOfParty(refusal: PartyRefusal): Refusal {
  switch (refusal.kind) {
    case 'not-found':
      return ['no-such-session', NO_SUCH_SESSION];
    case 'terminal':
    case 'wrong-state':
      return ['wrong-session-state', `the session is ${refusal.state}`];
    case 'party-not-active':
      return ['party-not-active', 'the party is not active'];
    case 'party-unknown':
      return ['unknown-party', 'no known party'];
  }
}
