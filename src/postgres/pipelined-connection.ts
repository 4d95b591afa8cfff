/**
 * One leased connection on which several batches may be in flight, each ended by its own Sync.
 * pg-promise opens and authenticates it; from then on the socket is ours alone: batches are written once a turn of the
 * event loop, and answers are framed by our own decoder.
 */
import { connect as connectSocket, type Socket } from 'node:net';
import type { Batch, BatchResult, Row, QueryResult } from './batch.js';
import type { Database } from './database.js';
import { checkReady, checkRow, checkQueryDone } from './check-sequence.js';
import { messageDecoder } from './message-decoder.js';
import { openDirectConnection } from './direct-connection.js';
import { encodeBatch, MAX_PARAMETERS } from './encode-batch.js';
import { createPreparedStatements } from './prepared-statements.js';
import { busyness, learn, observe, paceClass, type Tempo } from './pace.js';
import { errorFields, type ErrorFields } from './postgres-error.js';
import type { Statement } from './statement.js';

/** How a batch ended. `state` I: the connection is idle again; E: a failed transaction is open and wants a ROLLBACK. */
export type BatchOutcome =
  | { readonly kind: 'done'; readonly results: BatchResult; readonly state: 'I' | 'T' | 'E' }
  | {
      readonly kind: 'refused';
      readonly error: ErrorFields;
      /** Index of the query that failed. */
      readonly query: number;
      readonly state: 'I' | 'T' | 'E';
    }
  | {
      readonly kind: 'lost';
      readonly message: string;
      readonly sent: boolean;
      /** What came as its answer is none of PostgreSQL's protocol. */
      readonly malformed: boolean;
      /** What PostgreSQL said before the connection ended. */
      readonly error: ErrorFields | null;
    };

/** Takes what comes of a batch. */
export interface BatchListener {
  /** Called once. */
  done(outcome: BatchOutcome): void;
  /**
   * The last column of a returned row is longer than what has come of it. Returns what takes its bytes; null leaves them to
   * the result.
   * @param length of the column, in bytes
   */
  openBody(columns: readonly (string | null)[], length: number): ((piece: Buffer) => void) | null;
}

export interface PipelinedConnection {
  /**
   * @param fresh its statements are parsed for it alone: it does not depend on what the connection is taken to have
   */
  send(batch: Batch, listener: BatchListener, fresh?: boolean): void;
  /** Asks PostgreSQL to cancel what runs now; resolves when a cancel can hit nothing any more that is sent afterwards. */
  cancel(): Promise<void>;
  /** Stops reading, and goes on: for a body whose reader is slower than PostgreSQL. */
  pause(): void;
  resume(): void;
  /** Ends the connection; what is in flight is lost. */
  close(): Promise<void>;
  /** Ends a connection that has gone silent, without a farewell. */
  abort(reason: string): void;
  /** The process that serves it, in PostgreSQL's terms. */
  readonly processId: number;
  /** Whether an answer is due of which nothing has come since the last call of this function. */
  isSilent(): boolean;
  /** Whether an answer is due of which nothing has come since `isSilent` was called. */
  owesAnswer(): boolean;
}

export interface PipelinedConnectionOptions {
  /** Named prepared statements, or unnamed ones parsed each time. */
  readonly prepared: boolean;
  /** Most statements kept on the connection. */
  readonly statementCapacity: number;
  /** The connection ended without our closing it; the listeners of the batches in flight are called next. */
  readonly onLost: (connection: PipelinedConnection) => void;
  readonly onNotice: (notice: ErrorFields) => void;
  /** Of all connections of a pool. */
  readonly tempo: Tempo;
}

/** A server that has not taken a request to cancel after so long is left. */
const CANCEL_TIMEOUT_MS = 2000;

/** What PostgreSQL would say if the protocol could carry as many. */
const TOO_MANY_PARAMETERS = errorFields(
  '54023',
  `a statement can have at most ${String(MAX_PARAMETERS)} parameters`,
);

interface InFlight {
  readonly batch: Batch;
  readonly parsing: readonly Statement[];
  readonly listener: BatchListener;
  readonly results: QueryResult[];
  parsed: number;
  query: number;
  rows: Row[];
  error: ErrorFields | null;
  /** When PostgreSQL could begin with it, by `performance.now()`; 0 while others are ahead of it. */
  begun: number;
  /** From then to the beginning of a body that a stream takes; null without one. */
  untilBodyMs: number | null;
  /** Of the longest last column. */
  resultBytes: number;
}

/** The functions of PostgreSQL's source that refuse a prepared statement, by SQLSTATE. */
const STALE_ROUTINES: ReadonlyMap<string, string> = new Map([
  ['26000', 'FetchPreparedStatement'],
  ['0A000', 'RevalidateCachedQuery'],
]);

/**
 * Whether the connection lacks a prepared statement that it was taken to have: the statement is gone (26000, after
 * DISCARD or when its Parse was skipped), or its plan no longer gives the columns that it was prepared for (0A000, after
 * a change of a table). Parsed again, it can be sent once more.
 *
 * Functions must not be able to cause that repetition: they can raise any SQLSTATE, but their errors have another routine
 * (RAISE), or a context (EXECUTE of a prepared statement inside a function).
 */
export const isStale = ({ code, routine, context }: ErrorFields): boolean =>
  context === null && routine !== null && STALE_ROUTINES.get(code) === routine;

/**
 * Whether PostgreSQL ended the connection because it was idle (57P05, `idle_session_timeout`): whatever we had sent by
 * then it has not begun. Said by its own code, not raised by a function.
 */
const isIdleTimeout = (error: ErrorFields | null): boolean =>
  error?.code === '57P05' && error.routine === 'ProcessInterrupts';

/** @throws the driver's error when the connection cannot be opened */
export async function openPipelinedConnection(
  database: Database,
  options: PipelinedConnectionOptions,
): Promise<PipelinedConnection> {
  const direct = await openDirectConnection(database, () => undefined);
  const { socket } = direct;
  const { client } = direct.connected;
  const book = options.prepared ? createPreparedStatements(options.statementCapacity) : null;
  let queue: InFlight[] = [];
  let unsent: Buffer[] = [];
  let unsentBatches = 0;
  let open = true;
  let closing = false;
  let paused = false;
  /** Whether bytes have come, or the first batch was sent, since `isSilent` was last called. */
  let heard = true;
  /** What PostgreSQL said while no batch was in flight. */
  let parting: ErrorFields | null = null;

  const feed = messageDecoder({
    wantsRows: () => wantsRows(queue[0]),
    row(row) {
      const current = queue[0];
      checkRow(current, row);
      if (current === undefined) return;
      current.rows.push(row);
      if (row.bodyLength > current.resultBytes) current.resultBytes = row.bodyLength;
    },
    parsed: () => {
      const current = queue[0];
      if (current !== undefined) current.parsed++;
    },
    queryDone(commandTag) {
      checkQueryDone(queue[0]);
      stepDone(queue[0], commandTag);
    },
    failed: (error) => {
      const current = queue[0];
      if (current === undefined) parting = error;
      else current.error ??= error;
    },
    notice: options.onNotice,
    openBody(columns, length) {
      const current = queue[0];
      const take = current?.listener.openBody(columns, length) ?? null;
      if (take !== null && current !== undefined) current.untilBodyMs = performance.now() - current.begun;
      return take;
    },
    ready(state) {
      checkReady(queue[0]);
      finish(queue.shift(), state);
    },
    malformed({ message }) {
      lose(message, true);
      socket.destroy();
    },
  });

  function hear(chunk: Buffer): void {
    heard = true;
    feed(chunk);
  }

  function finish(current: InFlight | undefined, state: 'I' | 'T' | 'E'): void {
    if (current === undefined) return;
    const { error, results, parsing, parsed, listener } = current;
    const now = performance.now();
    const [next] = queue;
    if (next !== undefined) next.begun = now;
    if (error === null) {
      learnFrom(current, now);
      return listener.done({ kind: 'done', results, state });
    }
    // What PostgreSQL skipped after the error was never parsed.
    for (const statement of parsing.slice(parsed)) book?.renew(statement);
    if (isStale(error)) for (const { statement } of current.batch.queries) book?.renew(statement);
    listener.done({ kind: 'refused', error, query: current.query, state });
  }

  function learnFrom({ batch, untilBodyMs, begun, resultBytes }: InFlight, now: number): void {
    const elapsed = untilBodyMs ?? now - begun;
    if (batch.access === 'read' && paceClass(batch.pace) === 'quick') observe(options.tempo, elapsed);
    learn(batch.pace, elapsed / busyness(options.tempo), resultBytes);
  }

  /** @param isMalformed what is answered now makes no sense */
  function lose(message: string, isMalformed = false): void {
    if (!open) return;
    open = false;
    const lost = queue;
    const wasIdle = isIdleTimeout(parting ?? lost[0]?.error ?? null);
    const firstUnsent = wasIdle ? 0 : lost.length - unsentBatches;
    queue = [];
    if (!closing) options.onLost(connection);
    for (const [index, { listener, error }] of lost.entries())
      listener.done({
        kind: 'lost',
        message,
        sent: index < firstUnsent,
        malformed: isMalformed && index === 0,
        error,
      });
  }

  function flush(): void {
    const pieces = unsent;
    unsent = [];
    unsentBatches = 0;
    if (!open) return;
    socket.cork();
    for (const piece of pieces) socket.write(piece);
    socket.uncork();
  }

  const connection: PipelinedConnection = {
    send(batch, listener, fresh = false) {
      if (!open)
        return listener.done({
          kind: 'lost',
          message: 'the connection is closed',
          sent: false,
          malformed: false,
          error: null,
        });
      if (batch.queries.some(({ parameters }) => parameters.length > MAX_PARAMETERS))
        return listener.done({ kind: 'refused', error: TOO_MANY_PARAMETERS, query: 0, state: 'I' });
      const { pieces, parsing } = encodeBatch(batch, fresh ? null : book);
      if (queue.length === 0) heard = true;
      queue.push({
        batch,
        parsing: fresh ? [] : parsing,
        listener,
        results: [],
        parsed: 0,
        query: 0,
        rows: [],
        error: null,
        begun: queue.length === 0 ? performance.now() : 0,
        untilBodyMs: null,
        resultBytes: 0,
      });
      if (unsent.length === 0) setImmediate(flush);
      for (const piece of pieces) unsent.push(piece);
      unsentBatches++;
    },
    cancel: () => requestCancel(socket, client.host, client.port, client.processID, client.secretKey),
    pause() {
      paused = true;
      socket.pause();
    },
    resume() {
      paused = false;
      socket.resume();
    },
    async close() {
      closing = true;
      lose('the connection was closed');
      await direct.close();
    },
    abort(reason) {
      lose(reason);
      socket.destroy();
    },
    processId: client.processID,
    isSilent() {
      const silent = connection.owesAnswer();
      heard = false;
      return silent;
    },
    owesAnswer: () => !heard && !paused && queue.length > 0,
  };
  takeOver(socket, hear, lose);
  return connection;
}

/** From the driver's reader to ours. Its handlers of errors stay: an unheard error event would end the process. */
function takeOver(socket: Socket, feed: (chunk: Buffer) => void, lose: (message: string) => void): void {
  socket.removeAllListeners('data');
  socket.on('data', feed);
  socket.on('error', (error) => lose(error.message));
  socket.on('end', () => lose('PostgreSQL closed the connection'));
  socket.on('close', () => lose('the connection was closed'));
}

const wantsRows = (current: InFlight | undefined): boolean =>
  current?.batch.queries[current.query]?.returnsRows === true;

function stepDone(current: InFlight | undefined, commandTag: string): void {
  if (current === undefined) return;
  if (wantsRows(current)) current.results.push({ rows: current.rows, commandTag });
  current.rows = [];
  current.query++;
}

/**
 * CancelRequest goes over a connection of its own (PostgreSQL manual, 55.2.7), which the server closes when the signal
 * has been sent: whatever is sent to the backend afterwards is not hit.
 */
function requestCancel(
  socket: Socket,
  host: string,
  port: number,
  processId: number,
  secretKey: number,
): Promise<void> {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80_877_102, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);
  const target = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${String(port)}` }
    : { host: socket.remoteAddress ?? host, port: socket.remotePort ?? port };
  return new Promise((resolve) => {
    const canceller = connectSocket(target, () => canceller.write(request));
    canceller.setTimeout(CANCEL_TIMEOUT_MS, () => canceller.destroy());
    canceller.on('error', () => undefined);
    canceller.on('close', () => resolve());
    canceller.resume();
  });
}
