/** The gRPC status of each reason to refuse a call (https://grpc.io/docs/guides/status-codes/). */
import { status } from '@grpc/grpc-js';

export type RefusalReason =
  | 'invalid-argument'
  | 'unknown-party'
  /** The certificate or the token of the client has expired since it connected. */
  | 'credential-expired'
  | 'party-not-active'
  /** The envelope names another party as its sender. */
  | 'foreign-sender'
  | 'rate-exceeded'
  | 'too-many-streams'
  /** A mailbox stream cannot hold all sessions of the party. */
  | 'too-many-sessions'
  | 'too-many-bytes'
  | 'request-too-slow'
  /**
   * The session is unknown or of another tenant, or the party is no participant. The client cannot distinguish these.
   */
  | 'no-such-session'
  | 'wrong-session-state'
  /** A position that no delivery has reached. */
  | 'not-delivered'
  | 'out-of-order'
  | 'mailbox-full'
  /** The session has as many messages as this process keeps in memory for one session. */
  | 'session-full'
  /** The same for all sessions together. */
  | 'mailboxes-full'
  /** Two messages with one number or identifier. */
  | 'contradiction'
  /** A newer subscription reads the mailbox. */
  | 'superseded'
  | 'deadline-passed'
  | 'stopping'
  | 'database-unavailable'
  | 'mailboxes-unavailable'
  /** The primary process, which counts the limits, does not respond. */
  | 'limits-unavailable'
  | 'internal';

export const GRPC_STATUS: Readonly<Record<RefusalReason, status>> = {
  'invalid-argument': status.INVALID_ARGUMENT,
  'unknown-party': status.UNAUTHENTICATED,
  'credential-expired': status.UNAUTHENTICATED,
  'party-not-active': status.PERMISSION_DENIED,
  'foreign-sender': status.PERMISSION_DENIED,
  'rate-exceeded': status.RESOURCE_EXHAUSTED,
  'too-many-streams': status.RESOURCE_EXHAUSTED,
  'too-many-sessions': status.RESOURCE_EXHAUSTED,
  'too-many-bytes': status.RESOURCE_EXHAUSTED,
  'request-too-slow': status.DEADLINE_EXCEEDED,
  'no-such-session': status.NOT_FOUND,
  'wrong-session-state': status.FAILED_PRECONDITION,
  'not-delivered': status.FAILED_PRECONDITION,
  'out-of-order': status.FAILED_PRECONDITION,
  'mailbox-full': status.RESOURCE_EXHAUSTED,
  'session-full': status.RESOURCE_EXHAUSTED,
  'mailboxes-full': status.RESOURCE_EXHAUSTED,
  contradiction: status.ALREADY_EXISTS,
  superseded: status.ABORTED,
  'deadline-passed': status.DEADLINE_EXCEEDED,
  stopping: status.UNAVAILABLE,
  'database-unavailable': status.UNAVAILABLE,
  'mailboxes-unavailable': status.UNAVAILABLE,
  'limits-unavailable': status.UNAVAILABLE,
  internal: status.INTERNAL,
};
