/**
 * Sends the batch of a request on its lease, in one trip or in several of which each depends on the results of the one
 * before, and ends the request with the outcome or gives it back to the queues.
 */
import { giveBackBlock } from '../base/blocks.js';
import {
  LONG_RESULT_BYTES,
  type Batch,
  type BatchQuery,
  type BatchResult,
  type NextTrip,
  type Trip,
  command,
  prepare,
} from './batch.js';
import { bodyStream, type BodyBuffer, type BodyLimits, type BodySource } from './body-stream.js';
import { isOutdatedStatement, isReadOnlyRefusal, BatchAborted, ResultTooLarge } from './postgres-error.js';
import { outcomeError, type BatchListener, type BatchOutcome } from './connection.js';
import {
  beginBody,
  endHold,
  failRequest,
  holdConnection,
  isAbandoned,
  release,
  renewConnections,
  requestConnection,
  waitAgain,
  type Lease,
  type PoolRequest,
  type Scheduler,
} from './pool-dispatch.js';
import { connectFailed } from './connect-error.js';
import { sql } from './sql.js';

/** The receiver of the bodies of results. */
interface BodyReceiver {
  readonly buffer: BodyBuffer;
  readonly bodyLimits: BodyLimits;
  /** Longest result column of a read, in bytes. */
  readonly maxResultBytes: number;
}

type Take = (piece: Buffer) => void;
type Failure = Exclude<BatchOutcome, { readonly kind: 'done' }>;
type Refusal = Extract<BatchOutcome, { readonly kind: 'refused' }>;

const batchOf = (query: BatchQuery): Batch => ({ queries: [query], access: 'write', use: 'brief' });
/** Without a name, it ends a transaction in which the connection has lost its statements. */
const ROLLBACK = batchOf({ ...command(prepare(sql`rollback`)), unnamed: true });
/** In a transaction of its own, since a batch that is undone would undo it too. */
const RESET_SETTINGS = batchOf(command(prepare(sql`reset all`)));

/** Returns a row if sessions of the server cannot write. */
export const SERVER_IS_READ_ONLY: Batch = {
  queries: [
    {
      statement: prepare(
        sql`select 'read-only' where pg_catalog.pg_is_in_recovery() or pg_catalog.current_setting('default_transaction_read_only') = 'on'`,
      ),
      parameters: [],
      returnsRows: true,
    },
  ],
  access: 'read',
  use: 'shared',
};

const QUERY_CANCELED = '57014';
const READ_ONLY = new Error('session is read-only');
const discard: Take = giveBackBlock;

export function sendBatch(scheduler: Scheduler, receiver: BodyReceiver, lease: Lease): void {
  const { request, connection } = lease;
  const { batch } = request;
  request.caller.onSent?.();
  const receiving = listenerOf(scheduler, receiver, lease);
  if (batch.next !== undefined) return sendTrips(lease, batch.next, receiving);
  sendLast(lease, batch, receiving);
  if (batch.resetsSettings === true) connection.send(RESET_SETTINGS, resetListener(scheduler, lease));
}

/** Sends the last queries of a batch, which for most batches are all of them, with its follow-up. */
function sendLast(lease: Lease, batch: Batch, receiving: BatchListener): void {
  const { request, connection } = lease;
  const { followUp } = request.batch;
  if (followUp === undefined) connection.send(batch, receiving, request.isRepeated);
  else sendWithFollowUp(lease, batch, followUp, receiving);
}

/** Sends both in one trip. The follow-up has a Sync of its own, so it runs after the commit of the batch. */
function sendWithFollowUp(
  { request, connection }: Lease,
  batch: Batch,
  followUp: BatchQuery,
  receiving: BatchListener,
): void {
  let outcome: BatchOutcome | null = null;
  connection.send(batch, { ...receiving, done: (own) => void (outcome = own) }, request.isRepeated);
  connection.send(
    { queries: [followUp], access: 'read', use: 'shared' },
    listener((after) => receiving.done(withResults(outcome ?? after, after))),
  );
}

/** Appends the results of the follow-up, if both have succeeded. */
const withResults = (outcome: BatchOutcome, after: BatchOutcome): BatchOutcome =>
  outcome.kind === 'done' && after.kind === 'done'
    ? { ...outcome, results: [...outcome.results, ...after.results] }
    : outcome;

const listenerOf = (scheduler: Scheduler, receiver: BodyReceiver, lease: Lease): BatchListener => ({
  done(outcome) {
    lease.isComplete = true;
    if (lease.cancelling === null) closeTransaction(scheduler, lease, outcome);
    else void lease.cancelling.then(() => closeTransaction(scheduler, lease, outcome));
  },
  openBody: (columns, length) =>
    lease.revoked ? discard : openBody(scheduler, receiver, lease, columns, length),
});

const listener = (done: (outcome: BatchOutcome) => void): BatchListener => ({ done, openBody: () => null });

/**
 * The connection is given back when its settings are reset. If that failed, because a cancel request hit this statement,
 * the connection is closed.
 */
const resetListener = (scheduler: Scheduler, lease: Lease): BatchListener =>
  listener((outcome) => {
    if (outcome.kind === 'refused' && outcome.state === 'I')
      lease.connection.abort('the settings could not be reset');
    if (lease.cancelling === null) release(scheduler, lease);
    else void lease.cancelling.then(() => release(scheduler, lease));
  });

/** Rolls back a transaction block that the batch left open. */
function closeTransaction(scheduler: Scheduler, lease: Lease, outcome: BatchOutcome): void {
  if (outcome.kind === 'lost' || outcome.state === 'I') return endLease(scheduler, lease, outcome);
  lease.connection.send(
    ROLLBACK,
    listener(() => endLease(scheduler, lease, outcome)),
  );
}

function endLease(scheduler: Scheduler, lease: Lease, outcome: BatchOutcome): void {
  const { request, revoked, preempted, connection } = lease;
  const { resetsSettings, next } = request.batch;
  if (resetsSettings !== true) release(scheduler, lease);
  // Between the trips of a transaction, a reset would be part of it.
  else if (next !== undefined) connection.send(RESET_SETTINGS, resetListener(scheduler, lease));
  if (revoked) return;
  request.lease = null;
  // A body that has begun cannot begin again.
  if (preempted && isCanceled(outcome) && !request.hasBody && !isAbandoned(request))
    waitAgain(scheduler, request);
  else if (scheduler.hasOtherServers && mayMove(request, outcome))
    leaveReadOnlyServer(scheduler, lease, outcome);
  else endRequest(scheduler, request, outcome);
}

function endRequest(scheduler: Scheduler, request: PoolRequest, outcome: BatchOutcome): void {
  request.unwatch?.();
  request.unwatch = null;
  const { error, resolve, reject } = request;
  if (error !== null) reject(error);
  else if (outcome.kind !== 'done') {
    if (mayRepeat(request, outcome)) repeat(scheduler, request);
    else reject(errorOf(outcome, request));
  } else if (outcome.state === 'I') resolve(outcome.results);
  else reject(new Error('the batch left its transaction open; it was rolled back'));
}

/** A write that a read-only server refused, for example a former primary. */
const mayMove = ({ batch, error }: PoolRequest, outcome: BatchOutcome): outcome is Refusal =>
  outcome.kind === 'refused' &&
  isReadOnlyRefusal(outcome.error) &&
  batch.access === 'write' &&
  error === null;

/**
 * If the server itself is read-only, replaces all connections of the pool, because another server may be the primary
 * now, and repeats the write once, which had no effect. Otherwise the transaction of the write was read-only.
 */
function leaveReadOnlyServer(scheduler: Scheduler, { request, connection }: Lease, refusal: Refusal): void {
  connection.send(
    SERVER_IS_READ_ONLY,
    listener((outcome) => {
      // Another write may have replaced the connection meanwhile.
      const isServer =
        outcome.kind === 'lost' || (outcome.kind === 'done' && outcome.results[0]?.rows[0] !== undefined);
      if (!isServer) return endRequest(scheduler, request, refusal);
      renewConnections(scheduler);
      if (request.hasMoved) return failRequest(request, connectFailed(READ_ONLY, connection.server));
      request.hasMoved = true;
      request.deadline = null;
      requestConnection(scheduler, request);
    }),
  );
}

/** The batch is undone (the connection lacked a statement), or PostgreSQL never began it: it is sent once more. */
const mayRepeat = ({ isRepeated, hasBody }: PoolRequest, outcome: Failure): boolean =>
  !isRepeated && !hasBody && (outcome.kind === 'lost' ? !outcome.sent : isOutdatedStatement(outcome.error));

function repeat(scheduler: Scheduler, request: PoolRequest): void {
  request.isRepeated = true;
  request.deadline = null;
  requestConnection(scheduler, request);
}

function openBody(
  scheduler: Scheduler,
  { buffer, bodyLimits, maxResultBytes }: BodyReceiver,
  lease: Lease,
  columns: readonly (string | null)[],
  length: number,
): Take | null {
  const { request } = lease;
  const { batch } = request;
  const longest = Math.min(maxResultBytes, batch.maxResultBytes ?? Infinity);
  if (batch.access === 'read' && length > longest) {
    request.error = new ResultTooLarge(length, longest);
    return discard;
  }
  if (length <= LONG_RESULT_BYTES) return null;
  request.hasLongResult = true;
  if (batch.lastRun !== undefined) batch.lastRun.longResult = true;
  if (batch.openBody === undefined) return null;
  try {
    const target = batch.openBody(columns, length);
    if (target === null) return null;
    request.hasBody = true;
    beginBody(scheduler, lease);
    return bodyStream(sourceOf(scheduler, lease), target, length, buffer, bodyLimits);
  } catch (error) {
    // This is called from the events of a socket, where an error would end the process.
    request.error = error instanceof Error ? error : new Error(String(error));
    return discard;
  }
}

const sourceOf = (scheduler: Scheduler, lease: Lease): BodySource => ({
  pause: () => lease.connection.pause(),
  resume: () => lease.connection.resume(),
  hold: (urgent) => holdConnection(scheduler, lease, urgent),
  endHold: () => endHold(lease),
});

const isCanceled = (outcome: BatchOutcome): boolean =>
  outcome.kind === 'refused' && outcome.error.code === QUERY_CANCELED;

function errorOf(outcome: Failure, request: PoolRequest): Error {
  return isCanceled(outcome) && isAbandoned(request) ? new BatchAborted() : outcomeError(outcome);
}

// Transactions of several trips.

interface Trips {
  readonly lease: Lease;
  readonly receiving: BatchListener;
  /** Results of the first trip; null until it has ended. */
  first: BatchResult | null;
  /** Number of queries of the trips that have ended. */
  queries: number;
}

/**
 * Sends the queries of the batch, and then those of each further trip. `receiving` gets the outcome of the last one with
 * the results of the first; the index of a refused query counts the queries of all trips.
 */
function sendTrips(lease: Lease, next: NextTrip, receiving: BatchListener): void {
  const { queries } = lease.request.batch;
  sendTrip({ lease, receiving, first: null, queries: 0 }, { queries, next });
}

function sendTrip(trips: Trips, trip: Trip): void {
  const { lease, receiving } = trips;
  const { request, connection } = lease;
  const { access, use } = request.batch;
  const batch: Batch = { queries: trip.queries, access, use };
  const listener: BatchListener = { ...receiving, done: (outcome) => tripEnded(trips, trip, outcome) };
  if (trip.next === undefined) sendLast(lease, batch, listener);
  else connection.send(batch, listener, request.isRepeated);
}

function tripEnded(trips: Trips, { queries, next }: Trip, outcome: BatchOutcome): void {
  const { lease, receiving } = trips;
  if (outcome.kind === 'refused') return receiving.done({ ...outcome, query: outcome.query + trips.queries });
  if (outcome.kind === 'lost') return receiving.done(outcome);
  if (next === undefined) return receiving.done(withFirst(trips.first, outcome));
  trips.first ??= outcome.results;
  trips.queries += queries.length;
  if (lease.cancelling !== null || lease.request.error !== null) return giveUp(trips, new BatchAborted());
  next(outcome.results).then(
    (trip) => (lease.cancelling === null ? sendTrip(trips, trip) : giveUp(trips, new BatchAborted())),
    (error: unknown) => giveUp(trips, error instanceof Error ? error : new Error(String(error))),
  );
}

/** The outcome of the last trip, which returns no rows itself, with the rows of the first trip and of the follow-up. */
const withFirst = (
  first: BatchResult | null,
  outcome: Extract<BatchOutcome, { kind: 'done' }>,
): BatchOutcome => ({ ...outcome, results: [...(first ?? []), ...outcome.results] });

/** Ends the transaction, which is still open and is rolled back, with an error. */
function giveUp({ lease, receiving, first }: Trips, error: Error): void {
  lease.request.error ??= error;
  receiving.done({ kind: 'done', results: first ?? [], state: 'T' });
}
