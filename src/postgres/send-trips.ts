/** Sends a transaction in several round trips, each of which depends on the results of the one before. */
import type { Batch, BatchResult, NextTrip, Trip } from './batch.js';
import type { BatchListener, BatchOutcome } from './batch-outcome.js';
import { BatchAborted } from './postgres-error.js';
import type { Lease } from './scheduler.js';

/** Sends the queries of a trip, which is the last one. */
export type SendTrip = (lease: Lease, batch: Batch, receiving: BatchListener) => void;

interface Trips {
  readonly lease: Lease;
  readonly receiving: BatchListener;
  readonly sendLast: SendTrip;
  /** Results of the first trip; null until it has ended. */
  first: BatchResult | null;
  /** Number of queries of the trips that have ended. */
  queries: number;
}

/**
 * Sends the queries of the batch, and then those of each further trip. `receiving` gets the outcome of the last one with
 * the results of the first; the index of a refused query counts the queries of all trips.
 */
export function sendTrips(lease: Lease, next: NextTrip, receiving: BatchListener, sendLast: SendTrip): void {
  const { queries } = lease.request.batch;
  send({ lease, receiving, sendLast, first: null, queries: 0 }, { queries, next });
}

function send(trips: Trips, trip: Trip): void {
  const { lease, receiving, sendLast } = trips;
  const { request, connection } = lease;
  const { access, pace } = request.batch;
  const batch: Batch = { queries: trip.queries, access, pace };
  const listener: BatchListener = { ...receiving, done: (outcome) => ended(trips, trip, outcome) };
  if (trip.next === undefined) sendLast(lease, batch, listener);
  else connection.send(batch, listener, request.isRepeated);
}

function ended(trips: Trips, { queries, next }: Trip, outcome: BatchOutcome): void {
  const { lease, receiving } = trips;
  if (outcome.kind === 'refused') return receiving.done({ ...outcome, query: outcome.query + trips.queries });
  if (outcome.kind === 'lost') return receiving.done(outcome);
  if (next === undefined) return receiving.done(withFirst(trips.first, outcome));
  trips.first ??= outcome.results;
  trips.queries += queries.length;
  if (lease.cancelling !== null || lease.request.error !== null) return giveUp(trips, new BatchAborted());
  next(outcome.results).then(
    (trip) => (lease.cancelling === null ? send(trips, trip) : giveUp(trips, new BatchAborted())),
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
