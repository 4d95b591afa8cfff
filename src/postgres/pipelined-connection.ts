/**
 * A connection on which several batches may be in flight, each ended by its own Sync. pg-promise opens and authenticates
 * it; from then on its socket is read and written here. The batches of one turn of the event loop are written together.
 */
import { type Socket, connect } from 'node:net';
import { type Batch, PORTION, type QueryResult, type Row } from './batch.js';
import {
  type BatchListener,
  type TransactionState,
  isIdleTimeout,
  isOutdatedStatement,
} from './batch-outcome.js';
import type { ServerAddress } from './connect-error.js';
import type { Database } from './database.js';
import { type DirectConnection, openDirectConnection } from './direct-connection.js';
import { MAX_PARAMETERS, encodeBatch } from './encode-batch.js';
import { type MessageDecoder, messageDecoder } from './message-decoder.js';
import { type ErrorFields, errorFields } from './postgres-error.js';
import { type PreparedStatements, createPreparedStatements } from './prepared-statements.js';
import { readSocket } from './receive-socket.js';
import { sendAtTurnEnd } from '../base/turns.js';
import { malformed } from './malformed-message.js';
import type { Statement } from './statement.js';

export interface PipelinedConnection {
  /**
   * Sends a batch at the end of this turn of the event loop.
   * @param fresh its statements are parsed for this batch only, although the connection may have prepared them
   */
  send(batch: Batch, listener: BatchListener, fresh?: boolean): void;
  /**
   * Asks PostgreSQL to cancel the current batch. Resolves with true when a batch sent afterwards cannot be cancelled by this
   * request; with false if it may be, because PostgreSQL does not read the request in time.
   */
  cancel(): Promise<boolean>;
  /** Stops reading until `resume`, for a body whose reader is slower than PostgreSQL. */
  pause(): void;
  resume(): void;
  /** Ends the connection; batches in flight are lost. */
  close(): Promise<void>;
  /** Closes the socket of a silent connection without a Terminate message. */
  abort(reason: string): void;
  /** The server that was chosen for it. */
  readonly server: ServerAddress;
  /** The process id that PostgreSQL reported for it. */
  readonly processId: number;
  /** Whether a response is due of which nothing has arrived since the last call of this function. */
  isSilent(): boolean;
  /** Whether a response is due of which nothing has arrived since `isSilent` was called. */
  awaitsResponse(): boolean;
}

export interface PipelinedConnectionOptions {
  /** Named prepared statements, or unnamed ones that are parsed each time. */
  readonly prepared: boolean;
  /** Most statements that the connection keeps prepared. */
  readonly statementCapacity: number;
  /** Called when the connection ended without `close`; the listeners of the batches in flight are called next. */
  readonly onLost: (connection: PipelinedConnection) => void;
  readonly onNotice: (notice: ErrorFields) => void;
}

/** PostgreSQL's error for a statement with more parameters than the protocol can carry. */
const TOO_MANY_PARAMETERS = errorFields(
  '54023',
  `a statement can have at most ${String(MAX_PARAMETERS)} parameters`,
);

interface State {
  readonly direct: DirectConnection;
  readonly socket: Socket;
  readonly target: CancelTarget;
  readonly options: PipelinedConnectionOptions;
  readonly prepared: PreparedStatements | null;
  /** Encodes and writes the batches of this turn. */
  readonly flush: () => void;
  /** In the order in which they were sent. */
  inFlight: InFlightBatch[];
  /** Number of them, at the end, that are not written yet. */
  unsent: number;
  /** After the last batch that has ended. */
  transaction: TransactionState;
  open: boolean;
  closing: boolean;
  paused: boolean;
  /** Whether bytes have arrived, or the first batch was sent, since `isSilent` was last called. */
  heard: boolean;
  /** The last error that arrived while no batch was in flight. */
  error: ErrorFields | null;
}

/** @throws the driver's error if the connection cannot be opened */
export async function openPipelinedConnection(
  database: Database,
  options: PipelinedConnectionOptions,
): Promise<PipelinedConnection> {
  const direct = await openDirectConnection(database, () => undefined);
  const { host, port, processID, secretKey } = direct.client;
  const state: State = {
    direct,
    socket: direct.socket,
    target: { host, port, processId: processID, secretKey },
    options,
    prepared: options.prepared ? createPreparedStatements(options.statementCapacity) : null,
    flush: () => flush(state),
    inFlight: [],
    unsent: 0,
    transaction: 'I',
    open: true,
    closing: false,
    paused: false,
    heard: true,
    error: null,
  };
  const connection = connectionOf(state);
  readMessages(state, (message, isMalformed) => lose(state, connection, message, isMalformed));
  return connection;
}

function connectionOf(state: State): PipelinedConnection {
  const { socket, target } = state;
  const connection: PipelinedConnection = {
    send: (batch, listener, fresh = false) => send(state, batch, listener, fresh),
    cancel: () => requestCancel(socket, target),
    pause() {
      state.paused = true;
      socket.pause();
    },
    resume() {
      state.paused = false;
      socket.resume();
    },
    async close() {
      state.closing = true;
      lose(state, connection, 'the connection was closed');
      await state.direct.close();
    },
    abort(reason) {
      lose(state, connection, reason);
      socket.destroy();
    },
    server: { host: target.host, port: target.port },
    processId: target.processId,
    isSilent() {
      const isSilent = awaitsResponse(state);
      state.heard = false;
      return isSilent;
    },
    awaitsResponse: () => awaitsResponse(state),
  };
  return connection;
}

const awaitsResponse = ({ heard, paused, inFlight }: State): boolean =>
  !heard && !paused && inFlight.length > 0;

function send(state: State, batch: Batch, listener: BatchListener, fresh: boolean): void {
  if (!state.open)
    return listener.done({
      kind: 'lost',
      message: 'the connection is closed',
      sent: false,
      malformed: false,
      error: null,
    });
  for (const { encoded, parameters } of batch.queries)
    if ((encoded?.count ?? 0) + parameters.length > MAX_PARAMETERS)
      return listener.done({
        kind: 'refused',
        error: TOO_MANY_PARAMETERS,
        query: 0,
        state: state.transaction,
      });
  if (state.inFlight.length === 0) state.heard = true;
  state.inFlight.push(createInFlightBatch(batch, listener, fresh));
  if (state.unsent++ === 0) sendAtTurnEnd(state.flush);
}

function flush(state: State): void {
  const { inFlight, socket, prepared } = state;
  const pieces: Buffer[] = [];
  for (let index = inFlight.length - state.unsent; index < inFlight.length; index++) {
    const current = inFlight[index];
    if (current === undefined) continue;
    const parsing = encodeBatch(current.batch, current.fresh ? null : prepared, pieces);
    if (!current.fresh) current.parsing = parsing;
  }
  state.unsent = 0;
  if (!state.open) return;
  if (pieces.length > 1) socket.cork();
  for (const piece of pieces) socket.write(piece);
  if (pieces.length > 1) socket.uncork();
}

type Lose = (message: string, isMalformed?: boolean) => void;

/** Takes the socket over from the driver. Its handlers of errors stay, because an unhandled error event ends the process. */
function readMessages(state: State, onLost: Lose): void {
  const { socket } = state;
  const { feed, bodySpace, fillBody } = decoderOf(state, onLost);
  readSocket(socket, {
    feed(chunk) {
      state.heard = true;
      feed(chunk);
    },
    bodySpace,
    fillBody(bytes) {
      state.heard = true;
      fillBody(bytes);
    },
  });
  socket.on('error', (error) => onLost(error.message));
  socket.on('end', () => onLost('PostgreSQL closed the connection'));
  socket.on('close', () => onLost('the connection was closed'));
}

const decoderOf = (state: State, onLost: Lose): MessageDecoder =>
  messageDecoder({
    returnsRows: () => returnsRows(state.inFlight[0]),
    usesBlocks: () => usesBlocks(state.inFlight[0]),
    row: (row) => addRow(state.inFlight[0], row),
    rowBytes: (columns, chunk, from, to) => takeRowBytes(state.inFlight[0], columns, chunk, from, to),
    parsed() {
      const [current] = state.inFlight;
      if (current !== undefined) current.parsed++;
    },
    queryDone: (commandTag) => endQuery(state.inFlight[0], commandTag),
    suspended: () => endPortion(state.inFlight[0]),
    failed(error) {
      const [current] = state.inFlight;
      if (current === undefined) state.error = error;
      else current.error ??= error;
    },
    notice: state.options.onNotice,
    openBody: (columns, length) => state.inFlight[0]?.listener.openBody(columns, length) ?? null,
    ready: (transaction) => finish(state, transaction),
    malformed({ message }) {
      onLost(message, true);
      state.socket.destroy();
    },
  });

function finish(connection: State, state: TransactionState): void {
  const { inFlight, prepared } = connection;
  const [current] = inFlight;
  checkComplete(current);
  inFlight.shift();
  connection.transaction = state;
  const { error, results, listener } = current;
  if (error === null) return listener.done({ kind: 'done', results, state });
  if (prepared !== null) forgetUnparsed(prepared, current, error);
  listener.done({ kind: 'refused', error, query: current.query, state });
}

/** After an error PostgreSQL skips the rest of the batch, with the Parse messages in it. */
function forgetUnparsed(prepared: PreparedStatements, current: InFlightBatch, error: ErrorFields): void {
  for (const statement of current.parsing.slice(current.parsed)) prepared.renew(statement);
  if (isOutdatedStatement(error))
    for (const { statement } of current.batch.queries) prepared.renew(statement);
}

/** @param isMalformed the response to the first batch in flight violates the protocol */
function lose(state: State, connection: PipelinedConnection, message: string, isMalformed = false): void {
  if (!state.open) return;
  state.open = false;
  const lost = state.inFlight;
  const wasIdle = isIdleTimeout(state.error ?? lost[0]?.error ?? null);
  const firstUnsent = wasIdle ? 0 : lost.length - state.unsent;
  state.inFlight = [];
  state.unsent = 0;
  if (!state.closing) state.options.onLost(connection);
  for (const [index, { listener, error }] of lost.entries())
    listener.done({
      kind: 'lost',
      message,
      sent: index < firstUnsent,
      malformed: isMalformed && index === 0,
      error,
    });
}

// CancelRequest of the protocol (PostgreSQL manual, 55.2.7).

/** Length of the message, and the code that identifies it. */
const MESSAGE_BYTES = 16;
const CANCEL_REQUEST = 80_877_102;
/** The connection is closed if the server has not accepted the request after this time. */
const TIMEOUT_MS = 2000;

interface CancelTarget {
  readonly host: string;
  readonly port: number;
  readonly processId: number;
  readonly secretKey: number;
}

/**
 * Asks PostgreSQL to cancel the statement that a backend executes. The request goes over a connection of its own, which the
 * server closes when it has sent the signal.
 * @param socket of the connection to the backend
 * @returns whether a batch sent to the backend afterwards is not hit
 */
function requestCancel(socket: Socket, { host, port, processId, secretKey }: CancelTarget): Promise<boolean> {
  const request = Buffer.alloc(MESSAGE_BYTES);
  request.writeInt32BE(MESSAGE_BYTES, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);
  const target = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${String(port)}` }
    : { host: socket.remoteAddress ?? host, port: socket.remotePort ?? port };
  return new Promise((resolve) => {
    // A server that is stopped or overloaded reads the request after this connection is closed.
    let isUnread = false;
    const canceller = connect(target, () => {
      isUnread = true;
      canceller.write(request);
    });
    canceller.setTimeout(TIMEOUT_MS, () => canceller.destroy());
    canceller.on('error', () => undefined);
    canceller.on('end', () => (isUnread = false));
    canceller.on('close', () => resolve(!isUnread));
    canceller.resume();
  });
}

// Batches in flight, and how the messages of the backend complete them.

export interface InFlightBatch {
  readonly batch: Batch;
  readonly listener: BatchListener;
  /** True if its statements are parsed for this batch only, although the connection may have prepared them. */
  readonly fresh: boolean;
  /** Statements whose Parse is part of the batch, in order; set when it is written. */
  parsing: readonly Statement[];
  /** Number of them that PostgreSQL has parsed. */
  parsed: number;
  /** Index of the current query. */
  query: number;
  readonly results: QueryResult[];
  /** Rows of the current query. */
  rows: Row[];
  error: ErrorFields | null;
}

const createInFlightBatch = (batch: Batch, listener: BatchListener, fresh: boolean): InFlightBatch => ({
  batch,
  listener,
  fresh,
  parsing: [],
  parsed: 0,
  query: 0,
  results: [],
  rows: [],
  error: null,
});

/** Whether the rows of the current query are part of the result. */
export const returnsRows = (current: InFlightBatch | undefined): boolean =>
  current?.batch.queries[current.query]?.returnsRows === true;

/** Whether the last columns of the current query are received in blocks. */
export const usesBlocks = (current: InFlightBatch | undefined): boolean =>
  current?.batch.queries[current.query]?.inBlocks === true;

function requireColumns(current: InFlightBatch | undefined, columns: readonly (string | null)[]): void {
  const expected = current?.batch.queries[current.query]?.columns;
  // The last column is not among `columns`.
  const given = columns.length + 1;
  if (expected !== undefined && given !== expected)
    malformed(`a row of ${String(given)} columns where ${String(expected)} were asked for`);
}

/** @throws MalformedMessage for a row with another number of columns than its query has */
function addRow(current: InFlightBatch | undefined, row: Row): void {
  requireColumns(current, row.columns);
  if (current === undefined) return;
  if (isPortion(current)) return current.listener.row?.(row, current.query);
  current.rows.push(row);
}

/** Returns false for a row that `addRow` takes. @throws MalformedMessage as `addRow` */
function takeRowBytes(
  current: InFlightBatch | undefined,
  columns: readonly (string | null)[],
  chunk: Buffer,
  from: number,
  to: number,
): boolean {
  if (current === undefined || !isPortion(current)) return false;
  const take = current.listener.rowBytes;
  if (take === undefined) return false;
  requireColumns(current, columns);
  take(columns, chunk.subarray(from, to), current.query);
  return true;
}

const isPortion = (current: InFlightBatch | undefined): boolean =>
  current?.batch.queries[current.query]?.portion !== undefined;

/** @throws MalformedMessage for a query whose rows are not fetched in portions */
export function endPortion(current: InFlightBatch | undefined): void {
  if (!isPortion(current)) malformed("a message of type 's', which nothing asked for");
  endQuery(current, PORTION);
}

/** @throws MalformedMessage if all queries have ended */
function endQuery(current: InFlightBatch | undefined, commandTag: string): void {
  if (current === undefined || current.query >= current.batch.queries.length)
    malformed('the end of a statement that was not sent');
  if (returnsRows(current)) {
    current.results.push({ rows: current.rows, commandTag });
    current.rows = [];
  }
  current.query++;
}

/** @throws MalformedMessage if queries are left without a result and without an error */
function checkComplete(current: InFlightBatch | undefined): asserts current is InFlightBatch {
  if (current === undefined) malformed('the end of a batch that was not sent');
  const { batch, query, error } = current;
  if (error === null && query < batch.queries.length) malformed('the end of a batch with statements left');
}
