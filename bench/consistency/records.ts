/**
 * What a run records, one line of NDJSON each. Times are microseconds since the beginning of the run, of one clock. Values of a
 * row, entries of a log, batches, notifications and numbers of messages are never used twice in their place.
 */

/** `done`: acknowledged. `refused`: certainly without effect. `unknown`: no answer, or one that does not say. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** How a read was sent: to the primary, with the position of the client's last write, or without one. */
export type Via = 'primary' | 'position' | 'any';

interface Call {
  readonly client: number;
  readonly begin: number;
  readonly end: number;
}

/** A read of one row on the primary. Rows begin with the value 0; a row that is missing has -1. */
export interface RowRead extends Call {
  readonly kind: 'row-read';
  readonly row: number;
  readonly value: number;
}

/** A write of one row; with `expected` only if the row still has that value (`If-Match`). */
export interface RowWrite extends Call {
  readonly kind: 'row-write';
  readonly row: number;
  readonly value: number;
  readonly expected: number | null;
  readonly outcome: Outcome;
}

/** An insert into a log, with an idempotency key and as many repetitions as it took. */
export interface Append extends Call {
  readonly kind: 'append';
  readonly log: number;
  readonly entry: number;
  readonly outcome: Outcome;
  /** Identifiers of the row in the answers; each once. */
  readonly ids: readonly number[];
}

/** A read of the entries of a log that are greater than `after`. */
export interface Scan extends Call {
  readonly kind: 'scan';
  readonly log: number;
  readonly after: number;
  readonly entries: readonly number[];
  readonly via: Via;
  /** Beginning of the client's write whose position was sent. */
  readonly since: number | null;
}

/** A batch of inserts in one transaction. */
export interface Batch extends Call {
  readonly kind: 'batch';
  readonly batch: number;
  readonly parts: number;
  readonly outcome: Outcome;
}

/** A read of all rows of a batch. */
export interface BatchRead extends Call {
  readonly kind: 'batch-read';
  readonly batch: number;
  readonly found: number;
  readonly via: Via;
}

/** The creation of a notification, with a dedupe key and as many repetitions as it took. */
export interface Notify extends Call {
  readonly kind: 'notify';
  readonly user: number;
  readonly notification: number;
  readonly outcome: Outcome;
}

/** A notification marked as read. */
export interface Mark extends Call {
  readonly kind: 'mark';
  readonly user: number;
  readonly notification: number;
  readonly outcome: Outcome;
}

/** A message to the other parties of a session, with as many repetitions as it took. */
export interface Send extends Call {
  readonly kind: 'send';
  readonly session: string;
  readonly from: string;
  readonly number: number;
  readonly outcome: Outcome;
}

/** A read that failed. */
export interface NoAnswer extends Call {
  readonly kind: 'no-answer';
  readonly request: 'row-read' | 'scan' | 'batch-read';
  /** Status of HTTP; 0 without one. */
  readonly status: number;
}

export type Operation =
  | RowRead
  | RowWrite
  | Append
  | Scan
  | Batch
  | BatchRead
  | Notify
  | Mark
  | Send
  | NoAnswer;

/** An event `notification.created` of the user's live stream, which resumes where it broke off. */
export interface Created {
  readonly kind: 'created';
  readonly at: number;
  readonly user: number;
  readonly notification: number;
}

/** An event `reset`: the stream says that events are missing. */
export interface Reset {
  readonly kind: 'reset';
  readonly at: number;
  readonly user: number;
}

/** A message that a party received, in the order of its mailbox. */
export interface Delivery {
  readonly kind: 'delivery';
  readonly at: number;
  readonly session: string;
  readonly to: string;
  readonly sequence: number;
  readonly from: string;
  readonly number: number;
}

/** What happened to the cluster. */
export interface Fault {
  readonly kind: 'fault';
  readonly at: number;
  readonly what: string;
}

/** A number that NATS has acknowledged to a client without dbr. */
export interface BusWrite {
  readonly kind: 'bus-write';
  readonly at: number;
  readonly number: number;
  readonly sequence: number;
}

export interface BusAtRest {
  readonly kind: 'bus-at-rest';
  readonly numbers: readonly number[];
}

/** What a log has at the end, when all is well again: entries with the identifiers of their rows. */
export interface LogAtRest {
  readonly kind: 'log-at-rest';
  readonly log: number;
  readonly rows: readonly (readonly [entry: number, id: number])[];
}

export interface BatchesAtRest {
  readonly kind: 'batches-at-rest';
  readonly rows: readonly (readonly [batch: number, parts: number])[];
}

export interface InboxAtRest {
  readonly kind: 'inbox-at-rest';
  readonly user: number;
  readonly listed: readonly (readonly [notification: number, read: boolean])[];
  readonly unread: number;
  /** The last event `unread-count` of the stream; null without one. */
  readonly streamed: number | null;
}

/** The parties of a session have received what there was to receive; the session had not ended. */
export interface SessionAtRest {
  readonly kind: 'session-at-rest';
  readonly session: string;
  readonly parties: readonly string[];
}

export type Rest = LogAtRest | BatchesAtRest | InboxAtRest | SessionAtRest;

export type HistoryRecord = Operation | Created | Reset | Delivery | Fault | BusWrite | BusAtRest | Rest;
