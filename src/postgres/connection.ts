/**
 * A connection on which several batches may be in flight, each ended by its own Sync. pg-promise opens and authenticates
 * it; from then on its socket is read and written here. The batches of one turn of the event loop are written together.
 */
import { type Socket, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sendAtTurnEnd } from '../base/turns.js';
import { type CurrentQuery, type MessageListener, type TransactionState, messageDecoder } from './backend.js';
import {
  type Batch,
  type BatchQuery,
  type BatchResult,
  type Column,
  type QueryResult,
  type Row,
  type Statement,
  PORTION,
} from './batch.js';
import type { ServerAddress } from './connect-error.js';
import type { Database } from './database.js';
import { type DirectConnection, openDirectConnection } from './direct-connection.js';
import {
  type PreparedStatements,
  MAX_PARAMETERS,
  createPreparedStatements,
  encodeBatch,
} from './frontend.js';
import { readSocket } from './host-client.js';
import {
  ConnectionLost,
  MalformedMessage,
  PostgresError,
  type ErrorFields,
  errorFields,
  isIdleTimeout,
  isOutdatedStatement,
  malformed,
} from './postgres-error.js';

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

// The outcome of a batch.

export type BatchOutcome =
  | { readonly kind: 'done'; readonly results: BatchResult; readonly state: TransactionState }
  | {
      readonly kind: 'refused';
      readonly error: ErrorFields;
      /** Index of the query that failed. */
      readonly query: number;
      readonly state: TransactionState;
    }
  | {
      readonly kind: 'lost';
      readonly message: string;
      /** PostgreSQL may have begun the batch. */
      readonly sent: boolean;
      /** The response to the batch violates the protocol. */
      readonly malformed: boolean;
      /** The last error that PostgreSQL sent before the connection ended. */
      readonly error: ErrorFields | null;
    };

/** Returns the error of a batch that was not done. */
export function outcomeError(outcome: Exclude<BatchOutcome, { readonly kind: 'done' }>): Error {
  if (outcome.kind === 'refused') return new PostgresError(outcome.error, outcome.query);
  if (outcome.malformed) return new MalformedMessage(outcome.message);
  return new ConnectionLost(outcome.message, outcome.sent, outcome.error);
}

/** Receives the results of a batch. */
export interface BatchListener {
  /** Called once. */
  done(outcome: BatchOutcome): void;
  /**
   * Called when the last column of a returned row is longer than the part that has arrived. Returns a function that takes
   * the bytes; null leaves them to the result.
   * @param length of the column, in bytes
   */
  openBody(columns: readonly (string | null)[], length: number): ((piece: Buffer) => void) | null;
  /**
   * Takes a row of a query whose rows are fetched in portions. Its body is empty if `openBody` has taken the bytes.
   * @param query index in the batch
   */
  row?(row: Row, query: number): void;
  /**
   * Takes a row of such a query whose last column has arrived whole, instead of `row`.
   * @param bytes of the last column, valid during the call only
   * @param query index in the batch
   */
  readonly rowBytes?: (columns: readonly (string | null)[], bytes: Buffer, query: number) => void;
}

// The connection.

/** PostgreSQL's error for a statement with more parameters than the protocol can carry. */
const TOO_MANY_PARAMETERS = errorFields(
  '54023',
  `a statement can have at most ${String(MAX_PARAMETERS)} parameters`,
);

interface ConnectionState extends CurrentQuery {
  readonly direct: DirectConnection;
  readonly socket: Socket;
  readonly target: CancelTarget;
  readonly options: PipelinedConnectionOptions;
  readonly prepared: PreparedStatements | null;
  /** Encodes and writes the batches of this turn. */
  readonly flush: () => void;
  /** In the order in which they were sent. The next messages belong to the first one. */
  inFlight: InFlightBatch[];
  /** Its current query; null after its last one. */
  query: BatchQuery | null;
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
  const state: ConnectionState = {
    direct,
    socket: direct.socket,
    target: { host, port, processId: processID, secretKey },
    options,
    prepared: options.prepared ? createPreparedStatements(options.statementCapacity) : null,
    flush: () => flush(state),
    inFlight: [],
    query: null,
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

function connectionOf(state: ConnectionState): PipelinedConnection {
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

const awaitsResponse = ({ heard, paused, inFlight }: ConnectionState): boolean =>
  !heard && !paused && inFlight.length > 0;

function send(state: ConnectionState, batch: Batch, listener: BatchListener, fresh: boolean): void {
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
  state.inFlight.push(createInFlightBatch(batch, listener, fresh));
  if (state.inFlight.length === 1) {
    state.heard = true;
    updateQuery(state);
  }
  if (state.unsent++ === 0) sendAtTurnEnd(state.flush);
}

function flush(state: ConnectionState): void {
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
function readMessages(state: ConnectionState, onLost: Lose): void {
  const { socket } = state;
  const { feed, bodySpace, fillBody } = messageDecoder(listenerOf(state, onLost), state);
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

const listenerOf = (state: ConnectionState, onLost: Lose): MessageListener => ({
  row(row) {
    const [current] = state.inFlight;
    if (state.query?.portion === undefined) current?.rows.push(row);
    else current?.listener.row?.(row, current.query);
  },
  rowBytes(columns, chunk, from, to) {
    const [current] = state.inFlight;
    const take = current?.listener.rowBytes;
    if (current === undefined || take === undefined) return false;
    take(columns, chunk.subarray(from, to), current.query);
    return true;
  },
  openBody: (columns, length) => state.inFlight[0]?.listener.openBody(columns, length) ?? null,
  parsed() {
    const [current] = state.inFlight;
    if (current !== undefined) current.parsed++;
  },
  described(columns) {
    const [current] = state.inFlight;
    if (current !== undefined) current.columns = columns;
  },
  queryDone: (commandTag) => endQuery(state, commandTag),
  suspended() {
    if (state.query?.portion === undefined) malformed("a message of type 's', which nothing asked for");
    endQuery(state, PORTION);
  },
  failed(error) {
    const [current] = state.inFlight;
    if (current === undefined) state.error = error;
    else current.error ??= error;
  },
  notice: state.options.onNotice,
  ready: (transaction) => endBatch(state, transaction),
  malformed({ message }) {
    onLost(message, true);
    state.socket.destroy();
  },
});

function updateQuery(state: ConnectionState): void {
  const [current] = state.inFlight;
  state.query = current?.batch.queries[current.query] ?? null;
}

/** @throws MalformedMessage if all queries have ended */
function endQuery(state: ConnectionState, commandTag: string): void {
  const [current] = state.inFlight;
  if (current === undefined || state.query === null) malformed('the end of a statement that was not sent');
  if (state.query.returnsRows) {
    const { rows, columns } = current;
    current.results.push(columns === null ? { rows, commandTag } : { rows, commandTag, columns });
    current.rows = [];
    current.columns = null;
  }
  current.query++;
  updateQuery(state);
}

/** @throws MalformedMessage if queries are left without a result and without an error */
function endBatch(state: ConnectionState, transaction: TransactionState): void {
  const [current] = state.inFlight;
  if (current === undefined) malformed('the end of a batch that was not sent');
  const { error, results, listener, query } = current;
  if (error === null && state.query !== null) malformed('the end of a batch with statements left');
  state.inFlight.shift();
  state.transaction = transaction;
  updateQuery(state);
  if (error === null) return listener.done({ kind: 'done', results, state: transaction });
  if (state.prepared !== null) forgetUnparsed(state.prepared, current, error);
  listener.done({ kind: 'refused', error, query, state: transaction });
}

/** After an error PostgreSQL skips the rest of the batch, with the Parse messages in it. */
function forgetUnparsed(prepared: PreparedStatements, current: InFlightBatch, error: ErrorFields): void {
  for (const statement of current.parsing.slice(current.parsed)) prepared.renew(statement);
  if (isOutdatedStatement(error))
    for (const { statement } of current.batch.queries) prepared.renew(statement);
}

/** @param isMalformed the response to the first batch in flight violates the protocol */
function lose(
  state: ConnectionState,
  connection: PipelinedConnection,
  message: string,
  isMalformed = false,
): void {
  if (!state.open) return;
  state.open = false;
  const lost = state.inFlight;
  const wasIdle = isIdleTimeout(state.error ?? lost[0]?.error ?? null);
  const firstUnsent = wasIdle ? 0 : lost.length - state.unsent;
  state.inFlight = [];
  state.query = null;
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

// Batches in flight.

interface InFlightBatch {
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
  /** Rows of the current query, and their columns if it describes them. */
  rows: Row[];
  columns: readonly Column[] | null;
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
  columns: null,
  error: null,
});

// The end of streams.

/** Pause between two cancel requests, in milliseconds: one that precedes its query has no effect. */
const CANCEL_INTERVAL_MS = 1000;
/** Longest wait for the backend, in milliseconds. */
const END_TIMEOUT_MS = 10_000;

/**
 * Ends the connection of a stream. Resolves when its backend has ended its query and the connection, so that no more
 * backends run than streams are counted; at the latest after a bounded time.
 * @param idle resolves when PostgreSQL has executed the current batch, which is cancelled; null if there is none
 */
export async function endStream(
  connection: Pick<PipelinedConnection, 'resume' | 'cancel' | 'abort' | 'close'>,
  idle: Promise<void> | null,
  timeoutMs = END_TIMEOUT_MS,
): Promise<void> {
  if (idle !== null && !(await isCancelled(connection, idle, timeoutMs)))
    return connection.abort('PostgreSQL does not cancel the query of the stream');
  await connection.close();
}

async function isCancelled(
  connection: Pick<PipelinedConnection, 'resume' | 'cancel'>,
  idle: Promise<void>,
  timeoutMs: number,
): Promise<boolean> {
  // What the backend still sends is discarded.
  connection.resume();
  void connection.cancel();
  const cancelling = setInterval(() => void connection.cancel(), CANCEL_INTERVAL_MS);
  const timer = new AbortController();
  try {
    const late = delay(timeoutMs, false, { signal: timer.signal }).catch(() => false);
    return await Promise.race([idle.then(() => true), late]);
  } finally {
    clearInterval(cancelling);
    timer.abort();
  }
}
