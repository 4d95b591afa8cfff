/**
 * Runs a read whose rows are sent as PostgreSQL makes them. The rows come from one portal, a portion at a time, on a
 * connection of their own; the next portion is fetched when the reader has taken the last one.
 */
import type { Caller } from '../../contract/caller.js';
import { countStream } from '../../observability/stream-counts.js';
import { PORTION, type BatchQuery } from '../../postgres/batch.js';
import type { BatchListener, BatchOutcome } from '../../postgres/batch-outcome.js';
import { outcomeError } from '../../postgres/outcome-error.js';
import type { PipelinedConnection } from '../../postgres/pipelined-connection.js';
import type { Pool } from '../../postgres/pool.js';
import { BatchAborted, PostgresError } from '../../postgres/postgres-error.js';
import { notePassed } from '../ceilings/cost.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import type { Streams } from '../streams.js';
import { abandonStream, endRowStream, failStream } from './end-row-stream.js';
import type { RowStream, RowStreamState } from './row-stream-state.js';
import { refusalError } from './run-transaction.js';
import { openLongRow, openOutput, takeBytes, takeRow } from './take-rows.js';
import { COMMIT, SETTINGS_OF_RESPONSE, streamQueriesOf, type Transaction } from './transaction.js';

/**
 * Resolves with the first row, or at the end if there is none. All errors before that reject.
 * @throws PostgresError, ConnectFailed, ConnectionLost, PoolTimeout, BatchAborted, ResultTooLarge
 */
export async function runRowStream(
  pool: Pool,
  streams: Streams,
  transaction: Transaction,
  caller: Caller,
): Promise<RowStream> {
  const release = await streams.slots.take(caller);
  const countEnd = countStream(streams.counts.read);
  let connection: PipelinedConnection;
  try {
    if (caller.signal?.aborted === true) throw new BatchAborted();
    connection = await pool.openStream();
  } catch (error) {
    release();
    countEnd(error instanceof BatchAborted ? 'client gone' : 'error');
    throw error;
  }
  return readRows({ connection, streams, release, countEnd }, transaction, caller);
}

function readRows(
  opened: Pick<RowStreamState, 'connection' | 'streams' | 'release' | 'countEnd'>,
  transaction: Transaction,
  caller: Caller,
): Promise<RowStream> {
  return new Promise((resolve, reject) => {
    const state: RowStreamState = {
      ...opened,
      counts: opened.streams.counts.read,
      queries: streamQueriesOf(transaction, FIRST_PORTION_ROWS),
      prepared: transaction.prepared,
      line: transaction.prepared.stream?.line ?? 'object',
      resolve,
      reject,
      fetchNext: () => fetchNext(state),
      header: null,
      total: null,
      output: null,
      target: null,
      takesLongRow: false,
      maxRows: FIRST_PORTION_ROWS,
      portionBytes: 0,
      earlierBytes: 0,
      portionBegan: performance.now(),
      wasPaused: false,
      isPaused: false,
      isNextDue: false,
      isEnded: false,
      isBusy: false,
      onIdle: () => undefined,
    };
    caller.signal?.addEventListener('abort', () => abandonStream(state));
    if (caller.signal?.aborted === true) return abandonStream(state);
    caller.onSent?.();
    send(state, state.queries.queries, (outcome) => endPortion(state, outcome));
  });
}

function send(
  state: RowStreamState,
  queries: readonly BatchQuery[],
  done: (outcome: BatchOutcome) => void,
): void {
  state.isBusy = true;
  state.connection.send({ queries, access: 'read', pace: 'slow' }, listenerOf(state, done));
}

const listenerOf = (state: RowStreamState, done: (outcome: BatchOutcome) => void): BatchListener => ({
  done(outcome) {
    state.isBusy = false;
    if (state.isEnded) state.onIdle();
    else done(outcome);
  },
  openBody: (columns, length) => openLongRow(state, columns, length),
  row: (row, query) => takeRow(state, row, query),
  rowBytes: (columns, bytes, query) => takeBytes(state, columns, bytes, query),
});

function endPortion(state: RowStreamState, outcome: BatchOutcome): void {
  const { prepared } = state;
  if (outcome.kind !== 'done') return failStream(state, errorOf(prepared, outcomeError(outcome)));
  if (prepared.cost !== null) notePassed(prepared.cost);
  if (outcome.results.at(-1)?.commandTag !== PORTION) return commit(state);
  state.maxRows = nextPortionRows(state.maxRows, {
    bytes: state.portionBytes,
    milliseconds: performance.now() - state.portionBegan,
    wasPaused: state.wasPaused,
  });
  if (state.isPaused) state.isNextDue = true;
  else fetchNext(state);
}

/** Returns the refusal of a check, or the error itself. */
const errorOf = (prepared: PreparedPlan, error: Error): Error =>
  error instanceof PostgresError ? (refusalError(prepared, error) ?? error) : error;

function fetchNext(state: RowStreamState): void {
  if (state.isEnded) return;
  state.earlierBytes += state.portionBytes;
  const { queries, maxRows } = state;
  Object.assign(state, {
    isNextDue: false,
    wasPaused: false,
    portionBytes: 0,
    portionBegan: performance.now(),
  });
  const next = { ...queries.rows, portion: { maxRows, isFirst: false } };
  send(state, [next], (outcome) => endPortion(state, outcome));
}

/** Ends the transaction, and then the body: a body that has an end is complete. */
function commit(state: RowStreamState): void {
  const queries = state.output === null ? [SETTINGS_OF_RESPONSE, COMMIT] : [COMMIT];
  send(state, queries, (outcome) => {
    if (outcome.kind !== 'done') return failStream(state, outcomeError(outcome));
    const settings = outcome.results[0]?.rows[0]?.columns ?? [];
    const lines = state.output ?? openOutput(state, settings);
    lines.end();
    endRowStream(state, 'complete');
    state.target?.end();
  });
}

/** The number of rows that a stream fetches at a time. */

/** The first row shows whether the statement fails, and begins the response. */
const FIRST_PORTION_ROWS = 1;
const SECOND_PORTION_ROWS = 16;
const MOST_ROWS = 65_536;
/** A portion that is shorter in bytes, and was made in less time, is followed by a larger one. */
const ENOUGH_BYTES = 262_144;
const QUICK_MS = 100;
/** Rows that take longer leave in smaller portions: PostgreSQL sends them at the end of one. */
const SLOW_MS = 1000;

interface FetchedPortion {
  readonly bytes: number;
  readonly milliseconds: number;
  /** Whether its time is that of the reader. */
  readonly wasPaused: boolean;
}

/** @param rows most rows of the last portion */
export function nextPortionRows(rows: number, { bytes, milliseconds, wasPaused }: FetchedPortion): number {
  if (!wasPaused && milliseconds > SLOW_MS) return Math.max(1, Math.floor(rows / 2));
  if (bytes > 4 * ENOUGH_BYTES) return Math.max(1, Math.floor(rows / 2));
  if (bytes > ENOUGH_BYTES || milliseconds > QUICK_MS) return rows;
  return Math.min(MOST_ROWS, Math.max(SECOND_PORTION_ROWS, rows * 2));
}
