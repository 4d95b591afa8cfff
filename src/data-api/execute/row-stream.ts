/**
 * Runs a read whose rows are sent as PostgreSQL makes them. The rows come from one portal, a portion at a time, on a
 * connection of their own; the next portion is fetched when the reader has taken the last one.
 */
import { PassThrough, type Readable } from 'node:stream';
import { giveBackBlock } from '../../blocks.js';
import { countStream, type DirectionCounts, type StreamEnd } from '../../observability/stream-counts.js';
import { PORTION, type BatchQuery, type Row } from '../../postgres/batch.js';
import type { BatchListener, BatchOutcome } from '../../postgres/batch-outcome.js';
import { bodyStream, ReaderTooSlow } from '../../postgres/body-stream.js';
import { outcomeError } from '../../postgres/outcome-error.js';
import type { PipelinedConnection } from '../../postgres/pipelined-connection.js';
import { endStream } from '../../postgres/end-stream.js';
import type { Caller, Pool } from '../../postgres/pool.js';
import { BatchAborted, PostgresError, ResultTooLarge } from '../../postgres/postgres-error.js';
import { notePassed } from '../ceilings/cost.js';
import type { StreamLine } from '../plan/output.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import type { Streams } from '../streams.js';
import { createLineBlocks, type LineBlocks } from './line-blocks.js';
import { estimatedRows, settingOf } from './main-result.js';
import { refusalError } from './run-transaction.js';
import { FIRST_PORTION_ROWS, nextPortionRows } from './portion-size.js';
import {
  COMMIT,
  SETTINGS_OF_RESPONSE,
  streamQueriesOf,
  type StreamQueries,
  type Transaction,
} from './transaction.js';

/** The beginning of a response whose rows follow. */
export interface RowStream {
  /** The planner's estimate of the total; null if it was not requested. */
  readonly total: bigint | null;
  /** Headers and status that functions had set when the first row was made. */
  readonly responseHeaders: string | null;
  readonly responseStatus: string | null;
  /** Fails if the rows do not arrive to the last one. */
  readonly body: Readable;
}

interface State {
  readonly connection: PipelinedConnection;
  readonly queries: StreamQueries;
  readonly prepared: PreparedPlan;
  readonly line: StreamLine;
  readonly streams: Streams;
  readonly counts: DirectionCounts;
  readonly countEnd: (end: StreamEnd) => void;
  readonly release: () => void;
  readonly resolve: (stream: RowStream) => void;
  readonly reject: (error: Error) => void;
  /** The names of the first line of CSV. */
  header: Buffer | null;
  total: bigint | null;
  /** Null until the first row. */
  output: LineBlocks | null;
  target: PassThrough | null;
  /** Whether the bytes of a long row are being taken. */
  takesLongRow: boolean;
  maxRows: number;
  portionBytes: number;
  /** Bytes of all portions before. */
  earlierBytes: number;
  portionBegan: number;
  /** Whether the reader has delayed the portion. */
  wasPaused: boolean;
  isPaused: boolean;
  /** Whether the next portion is fetched as soon as the reader goes on. */
  isNextDue: boolean;
  isEnded: boolean;
  /** Whether PostgreSQL executes queries of the stream. */
  isBusy: boolean;
  /** Called when it has executed them after the end of the stream. */
  onIdle: () => void;
}

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
  opened: Pick<State, 'connection' | 'streams' | 'release' | 'countEnd'>,
  transaction: Transaction,
  caller: Caller,
): Promise<RowStream> {
  return new Promise((resolve, reject) => {
    const state: State = {
      ...opened,
      counts: opened.streams.counts.read,
      queries: streamQueriesOf(transaction, FIRST_PORTION_ROWS),
      prepared: transaction.prepared,
      line: transaction.prepared.stream?.line ?? 'object',
      resolve,
      reject,
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
    caller.signal?.addEventListener('abort', () => abandon(state));
    if (caller.signal?.aborted === true) return abandon(state);
    caller.onSent?.();
    send(state, state.queries.queries, (outcome) => endPortion(state, outcome));
  });
}

function send(state: State, queries: readonly BatchQuery[], done: (outcome: BatchOutcome) => void): void {
  state.isBusy = true;
  state.connection.send({ queries, access: 'read', pace: 'slow' }, listenerOf(state, done));
}

const listenerOf = (state: State, done: (outcome: BatchOutcome) => void): BatchListener => ({
  done(outcome) {
    state.isBusy = false;
    if (state.isEnded) state.onIdle();
    else done(outcome);
  },
  openBody: (columns, length) => openLongRow(state, columns, length),
  row: (row, query) => takeRow(state, row, query),
  rowBytes: (columns, bytes, query) => takeBytes(state, columns, bytes, query),
});

/** Takes a row that has arrived whole. It is copied once, and leaves no object behind. */
function takeBytes(state: State, columns: readonly (string | null)[], bytes: Buffer, query: number): void {
  if (columns.length === 0)
    return takeRow(state, { columns, body: [Buffer.from(bytes)], bodyLength: bytes.length }, query);
  if (state.isEnded) return;
  const output = outputOf(state, columns);
  output.beginLine();
  output.add(bytes);
  output.endLine();
  state.counts.rows++;
  state.portionBytes += bytes.length;
  requireBytes(state);
}

function takeRow(state: State, { columns, body }: Row, query: number): void {
  const { queries, takesLongRow } = state;
  if (state.isEnded) return;
  if (columns.length === 0) {
    const pieces = body ?? [];
    if (query === queries.header) state.header = Buffer.concat(pieces);
    else if (query === queries.estimate)
      state.total = estimatedRows({ columns, body: pieces, bodyLength: 0 });
    return;
  }
  state.takesLongRow = false;
  const output = outputOf(state, columns);
  if (!takesLongRow) {
    output.beginLine();
    for (const piece of body ?? []) {
      state.portionBytes += piece.length;
      output.add(piece);
      giveBackBlock(piece);
    }
  }
  output.endLine();
  state.counts.rows++;
  requireBytes(state);
}

/** Cuts a stream that is longer than the role may read. */
function requireBytes(state: State): void {
  const { maxResultBytes } = state.prepared;
  const bytes = state.earlierBytes + state.portionBytes;
  if (maxResultBytes !== null && bytes > maxResultBytes)
    abandon(state, new ResultTooLarge(bytes, maxResultBytes));
}

const LONG_ROW = 65_536;

/** Takes the bytes of a long row as they arrive. */
function openLongRow(
  state: State,
  columns: readonly (string | null)[],
  length: number,
): ((piece: Buffer) => void) | null {
  if (columns.length === 0 || length <= LONG_ROW) return null;
  state.takesLongRow = true;
  const longest = Math.min(state.streams.maxRowBytes, state.prepared.maxResultBytes ?? Infinity);
  if (length > longest) abandon(state, new ResultTooLarge(length, longest));
  if (state.isEnded) return giveBackBlock;
  const output = outputOf(state, columns);
  output.beginLine();
  return (piece) => {
    state.portionBytes += piece.length;
    if (!state.isEnded) output.addBlock(piece);
  };
}

/** Returns the output, which the first row opens. */
function outputOf(state: State, columns: readonly (string | null)[]): LineBlocks {
  return state.output ?? openOutput(state, columns);
}

/** @param settings headers and status of the response */
function openOutput(state: State, settings: readonly (string | null)[]): LineBlocks {
  // It gives on one piece after another; a stream of bytes would join those that wait.
  const target = new PassThrough({ readableObjectMode: true, readableHighWaterMark: 1 });
  target.once('close', () => abandon(state, target.errored ?? new BatchAborted()));
  const take = bodyStream(sourceOf(state), target, Infinity, NO_BUFFER, state.streams.limits);
  const output = createLineBlocks(state.line, state.header, (piece) => {
    state.counts.bytes += piece.length;
    take(piece);
  });
  state.target = target;
  state.output = output;
  const [headers = null, status = null] = settings;
  state.resolve({
    total: state.total,
    responseHeaders: settingOf(headers),
    responseStatus: settingOf(status),
    body: target,
  });
  return output;
}

/** A stream has its own connection, so that its rows wait there and not in the memory of the service. */
const NO_BUFFER = { reserve: () => false, release: () => undefined };

const sourceOf = (state: State) => ({
  pause() {
    state.isPaused = true;
    state.wasPaused = true;
    state.connection.pause();
  },
  resume() {
    state.isPaused = false;
    state.connection.resume();
    if (state.isNextDue) fetchNext(state);
  },
  hold: () => true,
  endHold: () => undefined,
});

function endPortion(state: State, outcome: BatchOutcome): void {
  const { prepared } = state;
  if (outcome.kind !== 'done') return fail(state, errorOf(prepared, outcomeError(outcome)));
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

function fetchNext(state: State): void {
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
function commit(state: State): void {
  const queries = state.output === null ? [SETTINGS_OF_RESPONSE, COMMIT] : [COMMIT];
  send(state, queries, (outcome) => {
    if (outcome.kind !== 'done') return fail(state, outcomeError(outcome));
    const settings = outcome.results[0]?.rows[0]?.columns ?? [];
    const lines = state.output ?? openOutput(state, settings);
    lines.end();
    end(state, 'complete');
    state.target?.end();
  });
}

/** Ends the stream. Its slot is returned when its backend has ended, or after a bounded time. */
function end(state: State, as: StreamEnd): void {
  state.isEnded = true;
  state.countEnd(as);
  const idle = state.isBusy ? new Promise<void>((resolve) => (state.onIdle = resolve)) : null;
  void endStream(state.connection, idle).then(state.release);
}

function fail(state: State, error: Error): void {
  if (state.isEnded) return;
  end(state, 'error');
  if (state.target === null) state.reject(error);
  else state.target.destroy(error);
}

/** Frees the backend of a stream whose rows are no longer needed. */
function abandon(state: State, error: Error = new BatchAborted()): void {
  if (state.isEnded) return;
  end(state, endOf(error));
  if (state.target === null) state.reject(error);
  else state.target.destroy(error);
}

function endOf(error: Error): StreamEnd {
  if (error instanceof BatchAborted) return 'client gone';
  return error instanceof ReaderTooSlow ? 'too slow' : 'error';
}
