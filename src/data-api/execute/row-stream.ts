/**
 * Runs a read whose rows are sent as PostgreSQL makes them. The rows come from one portal, a portion at a time, on a
 * connection of their own; the next portion is fetched when the reader has taken the last one.
 */
import { whenGone } from '../../base/gone.js';
import type { Caller } from '../../contract/caller.js';
import { countStream, type StreamEnd, type DirectionCounts } from '../../observability/stream-counts.js';
import { PORTION, type BatchQuery, type Row } from '../../postgres/batch.js';
import {
  type BatchListener,
  type BatchOutcome,
  outcomeError,
  type PipelinedConnection,
  endStream,
} from '../../postgres/connection.js';
import type { Pool } from '../../postgres/pool.js';
import { BatchAborted, PostgresError, ResultTooLarge } from '../../postgres/postgres-error.js';
import { notePassed } from '../ceilings/cost.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import type { Streams } from '../snapshot.js';
import { refusalError, estimatedRows, settingOf, type MainResult } from './run-transaction.js';
import {
  END,
  inOrder,
  type RequestQueries,
  SETTINGS_OF_RESPONSE,
  streamQueriesOf,
  type Transaction,
} from './transaction.js';
import { ReaderTooSlow, bodyStream } from '../../postgres/body-stream.js';
import { PassThrough, type Readable } from 'node:stream';
import { type StreamLine, isCsv } from '../plan/plan.js';
import { giveBackBlock, BLOCK_BYTES, takeBlock } from '../../base/blocks.js';

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
    whenGone(caller.signal, () => failStream(state));
    if (state.isEnded) return;
    caller.onSent?.();
    send(state, inOrder(state.queries), (outcome) => endPortion(state, outcome));
  });
}

function send(
  state: RowStreamState,
  queries: readonly BatchQuery[],
  done: (outcome: BatchOutcome) => void,
): void {
  state.isBusy = true;
  state.connection.send({ queries, access: 'read', use: 'long' }, listenerOf(state, queries, done));
}

const listenerOf = (
  state: RowStreamState,
  queries: readonly BatchQuery[],
  done: (outcome: BatchOutcome) => void,
): BatchListener => ({
  done(outcome) {
    state.isBusy = false;
    if (state.isEnded) state.onIdle();
    else done(outcome);
  },
  openBody: (columns, length) => openLongRow(state, columns, length),
  row: (row, query) => takeRow(state, row, queries[query]),
  rowBytes: (columns, bytes, query) => takeBytes(state, columns, bytes, queries[query]),
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
  const next = { ...queries.main, portion: { maxRows, isFirst: false } };
  send(state, [next], (outcome) => endPortion(state, outcome));
}

/** Ends the transaction, and then the body: a body that has an end is complete. */
function commit(state: RowStreamState): void {
  const queries = state.output === null ? [SETTINGS_OF_RESPONSE, END.commit] : [END.commit];
  send(state, queries, (outcome) => {
    if (outcome.kind !== 'done') return failStream(state, outcomeError(outcome));
    const [settings] = outcome.results;
    const lines = state.output ?? openOutput(state, settings?.rows[0]?.columns ?? []);
    lines.end();
    endRowStream(state, 'complete');
    state.target?.end();
  });
}

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

/** Ends the stream. Its slot is returned when its backend has ended, or after a bounded time. */
function endRowStream(state: RowStreamState, as: StreamEnd): void {
  state.isEnded = true;
  state.countEnd(as);
  const idle = state.isBusy ? new Promise<void>((resolve) => (state.onIdle = resolve)) : null;
  void endStream(state.connection, idle).then(state.release);
}

/** Ends a stream that PostgreSQL cannot complete, or whose rows are no longer needed. */
function failStream(state: RowStreamState, error: Error = new BatchAborted()): void {
  if (state.isEnded) return;
  endRowStream(state, endOf(error));
  if (state.target === null) state.reject(error);
  else state.target.destroy(error);
}

function endOf(error: Error): StreamEnd {
  if (error instanceof BatchAborted) return 'client gone';
  return error instanceof ReaderTooSlow ? 'too slow' : 'error';
}

/** The beginning of a response whose rows follow. */
export interface RowStream extends Pick<MainResult, 'responseHeaders' | 'responseStatus'> {
  /** The planner's estimate of the total; null if it was not requested. */
  readonly total: bigint | null;
  /** Fails if the rows do not arrive to the last one. */
  readonly body: Readable;
}

/** The state of a stream of rows. */
interface RowStreamState {
  readonly connection: PipelinedConnection;
  readonly queries: RequestQueries;
  readonly prepared: PreparedPlan;
  readonly line: StreamLine;
  readonly streams: Streams;
  readonly counts: DirectionCounts;
  readonly countEnd: (end: StreamEnd) => void;
  readonly release: () => void;
  readonly resolve: (stream: RowStream) => void;
  readonly reject: (error: Error) => void;
  /** Fetches the next portion. */
  readonly fetchNext: () => void;
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

/** Takes a row that has arrived whole. It is copied once, and leaves no object behind. */
function takeBytes(
  state: RowStreamState,
  columns: readonly (string | null)[],
  bytes: Buffer,
  query: BatchQuery | undefined,
): void {
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

/** Takes a row in pieces. The header of CSV and the estimate are rows of one column. */
function takeRow(state: RowStreamState, { columns, body }: Row, query: BatchQuery | undefined): void {
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
function requireBytes(state: RowStreamState): void {
  const { maxResultBytes } = state.prepared;
  const bytes = state.earlierBytes + state.portionBytes;
  if (maxResultBytes !== null && bytes > maxResultBytes)
    failStream(state, new ResultTooLarge(bytes, maxResultBytes));
}

const LONG_ROW = 65_536;

/** Takes the bytes of a long row as they arrive. */
function openLongRow(
  state: RowStreamState,
  columns: readonly (string | null)[],
  length: number,
): ((piece: Buffer) => void) | null {
  if (columns.length === 0 || length <= LONG_ROW) return null;
  state.takesLongRow = true;
  const longest = Math.min(state.streams.maxRowBytes, state.prepared.maxResultBytes ?? Infinity);
  if (length > longest) failStream(state, new ResultTooLarge(length, longest));
  if (state.isEnded) return giveBackBlock;
  const output = outputOf(state, columns);
  output.beginLine();
  return (piece) => {
    state.portionBytes += piece.length;
    if (!state.isEnded) output.addBlock(piece);
  };
}

/** Returns the output, which the first row opens. */
function outputOf(state: RowStreamState, columns: readonly (string | null)[]): LineBlocks {
  return state.output ?? openOutput(state, columns);
}

/** Opens the body of the response. @param settings headers and status of the response */
function openOutput(state: RowStreamState, settings: readonly (string | null)[]): LineBlocks {
  // In object mode each piece is passed on as it is; a stream of bytes would copy waiting pieces into one buffer.
  const target = new PassThrough({ readableObjectMode: true, readableHighWaterMark: 1 });
  target.once('close', () => failStream(state, target.errored ?? new BatchAborted()));
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

const sourceOf = (state: RowStreamState) => ({
  pause() {
    state.isPaused = true;
    state.wasPaused = true;
    state.connection.pause();
  },
  resume() {
    state.isPaused = false;
    state.connection.resume();
    if (state.isNextDue) state.fetchNext();
  },
  hold: () => true,
  endHold: () => undefined,
});

interface LineBlocks {
  beginLine(): void;
  /** Copies a part of the line. */
  add(piece: Buffer): void;
  /** Passes on a part of the line, which has a block of its own. */
  addBlock(piece: Buffer): void;
  endLine(): void;
  /** Passes on what is left, and the first line of CSV without rows. */
  end(): void;
}

const LINE_FEED = 0x0a;
const CR_LF = Buffer.from('\r\n');
const NOTHING = Buffer.alloc(0);
const BLANK = 0x20;

/**
 * JSON has a line end after each row, `rfc4180` after each line. `csv` has one between two lines, as the whole body of
 * `text/csv`.
 * @param header the first line of CSV
 * @param take receives each piece
 */
function createLineBlocks(
  line: StreamLine,
  header: Buffer | null,
  take: (piece: Buffer) => void,
): LineBlocks {
  const isText = isCsv(line);
  let lines = 0;
  let block = takeBlock(BLOCK_BYTES);
  let filled = 0;
  let isFlushDue = false;

  function flush(): void {
    if (filled === 0) return;
    const piece = block.subarray(0, filled);
    block = takeBlock(BLOCK_BYTES);
    filled = 0;
    take(piece);
  }

  /** Rows leave at the end of the turn in which they arrived. */
  function flushSoon(): void {
    if (isFlushDue) return;
    isFlushDue = true;
    setImmediate(() => {
      isFlushDue = false;
      flush();
    });
  }

  function add(piece: Buffer): void {
    for (let from = 0; from < piece.length;) {
      if (filled === BLOCK_BYTES) flush();
      const begin = filled;
      const copied = piece.copy(block, begin, from);
      filled += copied;
      from += copied;
      if (!isText) blankLineEnds(block, begin, filled);
    }
    flushSoon();
  }

  function beginLine(): void {
    if (!isText) return;
    if (lines === 0) add(header ?? NOTHING);
    if (line === 'csv') addByte(LINE_FEED);
    else if (lines === 0) add(CR_LF);
  }

  function addByte(byte: number): void {
    if (filled === BLOCK_BYTES) flush();
    block[filled++] = byte;
    flushSoon();
  }

  return {
    beginLine,
    add,
    addBlock(piece) {
      flush();
      if (!isText) blankLineEnds(piece, 0, piece.length);
      take(piece);
    },
    endLine() {
      if (line === 'rfc4180') add(CR_LF);
      else if (line !== 'csv') addByte(LINE_FEED);
      lines++;
    },
    end() {
      if (line === 'csv' && lines === 0) addByte(LINE_FEED);
      if (line === 'rfc4180' && lines === 0) beginLine();
      flush();
      giveBackBlock(block);
    },
  };
}

/** Line ends of JSON are blanks between its tokens: in strings they are escaped. */
function blankLineEnds(bytes: Buffer, from: number, to: number): void {
  const line = bytes.subarray(from, to);
  for (let at = line.indexOf(LINE_FEED); at >= 0; at = line.indexOf(LINE_FEED, at + 1)) line[at] = BLANK;
}
