/** Refused calls: each error has a reason, and each reason has a gRPC status. */
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
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
  if (error instanceof PartyRefused) return refusalOfParty(error.refusal);
  if (error instanceof DbrError && error.name === 'ServiceUnavailable')
    return ['limits-unavailable', 'the limits cannot be counted: try again'];
  if (
    error instanceof InvalidPartyKey ||
    error instanceof InvalidEventId ||
    error instanceof InvalidSignatureForm ||
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

// The gRPC status of each reason to refuse a call (https://grpc.io/docs/guides/status-codes/).

export const GRPC_STATUS = {
  'invalid-argument': status.INVALID_ARGUMENT,
  'unknown-party': status.UNAUTHENTICATED,
  /** The certificate or the token of the client has expired since it connected. */
  'credential-expired': status.UNAUTHENTICATED,
  'party-not-active': status.PERMISSION_DENIED,
  /** The envelope names another party as its sender. */
  'foreign-sender': status.PERMISSION_DENIED,
  'rate-exceeded': status.RESOURCE_EXHAUSTED,
  'too-many-streams': status.RESOURCE_EXHAUSTED,
  /** A mailbox stream cannot hold all sessions of the party. */
  'too-many-sessions': status.RESOURCE_EXHAUSTED,
  'too-many-bytes': status.RESOURCE_EXHAUSTED,
  'request-too-slow': status.DEADLINE_EXCEEDED,
  /**
   * The session is unknown or of another tenant, or the party is not a participant. The client cannot distinguish these.
   */
  'no-such-session': status.NOT_FOUND,
  'wrong-session-state': status.FAILED_PRECONDITION,
  /** A position that no delivery has reached. */
  'not-delivered': status.FAILED_PRECONDITION,
  'out-of-order': status.FAILED_PRECONDITION,
  'mailbox-full': status.RESOURCE_EXHAUSTED,
  /** The session has as many messages as this process keeps in memory for one session. */
  'session-full': status.RESOURCE_EXHAUSTED,
  /** The same for all sessions together. */
  'mailboxes-full': status.RESOURCE_EXHAUSTED,
  /** Two messages with one number or identifier. */
  contradiction: status.ALREADY_EXISTS,
  /** A newer subscription reads the mailbox. */
  superseded: status.ABORTED,
  'deadline-passed': status.DEADLINE_EXCEEDED,
  stopping: status.UNAVAILABLE,
  'database-unavailable': status.UNAVAILABLE,
  'mailboxes-unavailable': status.UNAVAILABLE,
  /** The primary process, which counts the limits, does not respond. */
  'limits-unavailable': status.UNAVAILABLE,
  internal: status.INTERNAL,
} as const satisfies Readonly<Record<string, status>>;

export type RefusalReason = keyof typeof GRPC_STATUS;
