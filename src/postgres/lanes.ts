/**
 * Batches on leased connections: one round trip each, once more where a prepared statement or plan was stale, and the
 * connection handed back only when no transaction is left open on it.
 */
import type { Batch, BatchResult } from './batch.js';
import type { Database } from './database.js';
import { openLanePool, type LanePool, type LanePoolOptions, type LanesState } from './lane-pool.js';
import type { LaneRequest } from './lane-queues.js';
import type { LaneUse } from './lane-slots.js';
import { MalformedAnswer } from './malformed-answer.js';
import { isStale, type Lane, type Outcome } from './lane.js';
import { BatchAborted, ConnectionLost, PostgresError } from './postgres-error.js';
import { prepare } from './statement.js';

export type LanesOptions = LanePoolOptions;
export type { LanesState } from './lane-pool.js';

export interface Lanes {
  /**
   * Runs the batch in one round trip.
   *
   * @param signal the caller has gone: a batch that waits is dropped, one that runs alone is cancelled
   * @throws PostgresError, LaneTimeout, ConnectFailed, ConnectionLost, MalformedAnswer, BatchAborted
   */
  run(batch: Batch, signal?: AbortSignal): Promise<BatchResult>;
  readonly state: LanesState;
  /** Replaces every connection once its batches are answered: new ones see what changed in the database. */
  renew(): void;
  /** Ends every connection; what is in flight is lost. */
  close(): Promise<void>;
}

const ROLLBACK = prepare('rollback');

export function openLanes(database: Database, options: LanesOptions): Lanes {
  const pool = openLanePool(database, options);
  return {
    run: (batch, signal) => runBatch(pool, batch, signal, true),
    get state() {
      return pool.state;
    },
    renew: () => pool.renew(),
    close: () => pool.close(),
  };
}

function runBatch(
  pool: LanePool,
  batch: Batch,
  signal: AbortSignal | undefined,
  mayRepeat: boolean,
): Promise<BatchResult> {
  return new Promise((resolve, reject) => {
    let thrown: Error | null = null;
    const guarded = guardBody(batch, (error) => (thrown = error));
    send(pool, guarded, signal, reject, (lane, outcome, release) => {
      const settle = (): void => {
        release();
        if (thrown !== null) reject(thrown);
        else if (outcome.kind !== 'done') {
          if (mayRepeat && wasStale(outcome)) resolve(runBatch(pool, batch, signal, false));
          else reject(errorOf(outcome, signal));
        } else if (outcome.state === 'I') resolve(outcome.results);
        else reject(new Error('the batch left its transaction open; it was rolled back'));
      };
      if (outcome.kind === 'lost' || outcome.state === 'I') settle();
      else rollBack(lane, settle);
    });
  });
}

/** `openBody` is called from the socket's events, where an error would end the process. */
function guardBody(batch: Batch, onThrown: (error: Error) => void): Batch {
  const { openBody } = batch;
  if (openBody === undefined) return batch;
  return {
    ...batch,
    openBody(columns, length) {
      try {
        return openBody(columns, length);
      } catch (error) {
        onThrown(asError(error));
        return null;
      }
    },
  };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function rollBack(lane: Lane, ended: () => void): void {
  const steps = [{ statement: ROLLBACK, parameters: [], wanted: false }];
  lane.send({ steps, access: 'write', solo: true }, ended);
}

/** Called once with the outcome, and the lane until it releases it. */
type Ended = (lane: Lane, outcome: Outcome, release: () => void) => void;

/** Takes a lane for the batch and sends it, unless the caller goes before its turn. */
function send(
  pool: LanePool,
  batch: Batch,
  signal: AbortSignal | undefined,
  fail: (error: Error) => void,
  ended: Ended,
): void {
  if (signal?.aborted === true) return fail(new BatchAborted());
  let running: Lane | null = null;
  let cancelling: Promise<void> | null = null;
  const request: LaneRequest = {
    use: useOf(batch),
    fail(error) {
      signal?.removeEventListener('abort', abort);
      fail(error);
    },
    start(lane, release) {
      running = lane;
      batch.onSent?.();
      lane.send(batch, (outcome) => {
        running = null;
        signal?.removeEventListener('abort', abort);
        // A cancel request that is still under way would hit whoever comes next on this connection.
        if (cancelling === null) ended(lane, outcome, release);
        else void cancelling.then(() => ended(lane, outcome, release));
      });
    },
  };
  function abort(): void {
    if (pool.withdraw(request)) fail(new BatchAborted());
    // On a shared lane it would hit the batch of somebody else.
    else if (request.use !== 'shared') cancelling ??= running?.cancel() ?? null;
  }
  signal?.addEventListener('abort', abort, { once: true });
  pool.request(request);
}

/** After an error in a transaction block a ROLLBACK is due before anybody else's batch, so none may be in flight. */
function useOf({ access, solo, openBody, steps }: Batch): LaneUse {
  if (access === 'write') return 'write';
  return solo || openBody !== undefined || steps.some(({ statement }) => statement.begins)
    ? 'slow'
    : 'shared';
}

/** A statement or plan was no longer what the connection has. The batch is undone and may go once more. */
const wasStale = (outcome: Outcome): boolean => outcome.kind === 'refused' && isStale(outcome.error);

function errorOf(
  outcome: Exclude<Outcome, { readonly kind: 'done' }>,
  signal: AbortSignal | undefined,
): Error {
  if (outcome.kind === 'lost' && outcome.malformed) return new MalformedAnswer(outcome.message);
  if (outcome.kind === 'lost') return new ConnectionLost(outcome.message, outcome.sent, outcome.error);
  if (outcome.error.code === QUERY_CANCELED && signal?.aborted === true) return new BatchAborted();
  return new PostgresError(outcome.error);
}

const QUERY_CANCELED = '57014';
