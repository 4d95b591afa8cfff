/** The way of one batch: it waits for a connection, is sent, may be taken back and sent elsewhere, and ends once. */
import type { Batch, BatchResult } from './batch.js';
import { bodyStream, type BodyBuffer, type BodyLimits } from './body-stream.js';
import type { PoolScheduler } from './pool-scheduler.js';
import type { Lease, PoolRequest } from './pool-request.js';
import type { BatchKind } from './pool-slots.js';
import { isStale, type BatchListener, type BatchOutcome } from './pipelined-connection.js';
import { MalformedMessage } from './malformed-message.js';
import { isKnown, lapse, LONG_RESULT_BYTES, paceClass, patience } from './pace.js';
import { BatchAborted, ConnectionLost, PostgresError, ResultTooLarge } from './postgres-error.js';
import { prepare } from './statement.js';

/** For whom a batch runs. */
export interface Caller {
  /** Clients take turns where requests wait; what has no client of its own shares the empty key. */
  readonly client: string;
  /** Fires when the caller goes away; null if it never does. Read only where the batch waits or may take long. */
  readonly signal: AbortSignal | null;
}

/** What batches are run with. */
export interface PoolContext {
  readonly scheduler: PoolScheduler;
  readonly buffer: BodyBuffer;
  readonly bodyLimits: BodyLimits;
  /** Longest result column of a read, in bytes. */
  readonly maxResultBytes: number;
}

type Take = (piece: Buffer) => void;
type Ended = Exclude<BatchOutcome, { readonly kind: 'done' }>;

const ROLLBACK: Batch = {
  queries: [{ statement: prepare('rollback'), parameters: [], returnsRows: false }],
  access: 'write',
  pace: 'quick',
};
/** In a transaction of its own: what a batch undoes it would undo too. */
const RESET_SETTINGS: Batch = {
  queries: [{ statement: prepare('reset all'), parameters: [], returnsRows: false }],
  access: 'write',
  pace: 'quick',
};

const QUERY_CANCELED = '57014';
const discard: Take = () => undefined;

export function sendBatch(context: PoolContext, batch: Batch, caller: Caller): Promise<BatchResult> {
  return attempt(context, batch, caller, true);
}

function attempt(
  context: PoolContext,
  batch: Batch,
  caller: Caller,
  mayRepeat: boolean,
): Promise<BatchResult> {
  return new Promise((resolve, reject) => {
    const { scheduler } = context;
    let lease: Lease | null = null;
    let signal: AbortSignal | null = null;
    let thrown: Error | null = null;
    let hasBody = false;
    let preemptions = 0;

    const request: PoolRequest = {
      client: caller.client,
      deadline: null,
      kind: kindOf(batch),
      patience: patience(batch.pace),
      fail: (error) => end(() => reject(error)),
      start(given) {
        lease = given;
        if (request.kind === 'write' || request.kind === 'slow') request.watchCaller();
        given.connection.send(batch, listenerOf(given), !mayRepeat);
        if (batch.resetsSettings === true) given.connection.send(RESET_SETTINGS, resetListener(given));
      },
      watchCaller() {
        if (signal !== null || caller.signal === null) return;
        const watched = caller.signal;
        signal = watched;
        if (watched.aborted) onAbort();
        else watched.addEventListener('abort', onAbort, { once: true });
      },
      kindNow: () => (preemptions === 0 ? kindOf(batch) : kindAfter(batch, preemptions)),
      lapsed: () => lapse(batch.pace),
      isAbandoned: () => caller.signal?.aborted === true,
    };

    function onAbort(): void {
      if (scheduler.withdraw(request)) end(() => reject(new BatchAborted()));
      else lease?.abandon();
    }

    function end(settle: () => void): void {
      signal?.removeEventListener('abort', onAbort);
      settle();
    }

    const listenerOf = (given: Lease): BatchListener => ({
      done(outcome) {
        given.answered();
        if (given.cancelling === null) settle(given, outcome);
        else void given.cancelling.then(() => settle(given, outcome));
      },
      openBody: (columns, length) => (given.stale ? discard : openBody(given, columns, length)),
    });

    function settle(given: Lease, outcome: BatchOutcome): void {
      if (outcome.kind !== 'lost' && outcome.state !== 'I')
        given.connection.send(
          ROLLBACK,
          ending(() => settleIdle(given, outcome)),
        );
      else settleIdle(given, outcome);
    }

    function settleIdle(given: Lease, outcome: BatchOutcome): void {
      const { stale, preempted } = given;
      if (batch.resetsSettings !== true) given.release();
      if (stale) return;
      lease = null;
      if (preempted && isCanceled(outcome) && !request.isAbandoned()) {
        request.kind = kindAfter(batch, ++preemptions);
        request.patience = Math.max(1 + preemptions, patience(batch.pace));
        return scheduler.requestAgain(request);
      }
      end(() => finish(outcome));
    }

    function finish(outcome: BatchOutcome): void {
      if (thrown !== null) reject(thrown);
      else if (outcome.kind !== 'done') {
        if (mayRepeat && !hasBody && (wasStale(outcome) || wasNotBegun(outcome)))
          resolve(attempt(context, batch, caller, false));
        else reject(errorOf(outcome, caller));
      } else if (outcome.state === 'I') resolve(outcome.results);
      else reject(new Error('the batch left its transaction open; it was rolled back'));
    }

    function openBody(given: Lease, columns: readonly (string | null)[], length: number): Take | null {
      if (batch.access === 'read' && length > context.maxResultBytes) {
        thrown = new ResultTooLarge(length, context.maxResultBytes);
        return discard;
      }
      if (length <= LONG_RESULT_BYTES || batch.openBody === undefined) return null;
      try {
        const target = batch.openBody(columns, length);
        if (target === null) return null;
        hasBody = true;
        given.bodyBegins();
        return bodyStream(sourceOf(given), target, length, context.buffer, context.bodyLimits);
      } catch (error) {
        // An error would end the process: this is called from the events of a socket.
        thrown = error instanceof Error ? error : new Error(String(error));
        return discard;
      }
    }

    const isLong = request.kind === 'write' || request.kind === 'slow';
    if (isLong && caller.signal?.aborted === true) reject(new BatchAborted());
    else scheduler.request(request);
  });
}

const sourceOf = (lease: Lease) => ({
  pause: () => lease.connection.pause(),
  resume: () => lease.connection.resume(),
  hold: (urgent: boolean) => lease.hold(urgent),
  endHold: () => lease.endHold(),
});

const ending = (done: (outcome: BatchOutcome) => void): BatchListener => ({ done, openBody: () => null });

/**
 * The connection is given back when its settings are reset. One on which that failed, because a cancel hit the wrong
 * statement, serves no others.
 */
const resetListener = (lease: Lease): BatchListener =>
  ending((outcome) => {
    if (outcome.kind === 'refused' && outcome.state === 'I')
      lease.connection.abort('the settings could not be reset');
    if (lease.cancelling === null) lease.release();
    else void lease.cancelling.then(lease.release);
  });

/** After an error in a transaction block a ROLLBACK is due before any other batch, so none may be in flight. */
function kindOf({ access, pace, queries }: Batch): BatchKind {
  if (access === 'write') return 'write';
  const kind = paceClass(pace);
  return kind !== 'slow' && queries.some(({ statement }) => statement.begins) ? 'write' : kind;
}

/** Of a shape that has been quick, once or twice may be the fault of the machine. */
const kindAfter = ({ pace }: Batch, preemptions: number): BatchKind =>
  preemptions > 2 || !isKnown(pace) ? 'slow' : 'moderate';

const isCanceled = (outcome: BatchOutcome): boolean =>
  outcome.kind === 'refused' && outcome.error.code === QUERY_CANCELED;

/** A statement or plan was no longer what the connection has. The batch is undone and may go once more. */
const wasStale = (outcome: Ended): boolean => outcome.kind === 'refused' && isStale(outcome.error);

/** The connection ended before it took the batch, which may therefore be sent on another one. */
const wasNotBegun = (outcome: BatchOutcome): boolean => outcome.kind === 'lost' && !outcome.sent;

function errorOf(outcome: Ended, { signal }: Caller): Error {
  if (outcome.kind === 'lost' && outcome.malformed) return new MalformedMessage(outcome.message);
  if (outcome.kind === 'lost') return new ConnectionLost(outcome.message, outcome.sent, outcome.error);
  if (outcome.error.code === QUERY_CANCELED && signal?.aborted === true) return new BatchAborted();
  return new PostgresError(outcome.error, outcome.query);
}
