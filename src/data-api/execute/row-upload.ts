/**
 * Inserts the rows of a streamed body, a piece at a time, in one transaction on a connection of its own. The next piece is
 * received when PostgreSQL has written the last one.
 */
import { whenGone } from '../../base/gone.js';
import type { Caller } from '../../contract/caller.js';
import type { BatchQuery, BatchResult } from '../../postgres/batch.js';
import {
  type BatchOutcome,
  outcomeError,
  type PipelinedConnection,
  endStream,
} from '../../postgres/connection.js';
import type { Pool } from '../../postgres/pool.js';
import { BatchAborted, PostgresError, type ErrorFields } from '../../postgres/postgres-error.js';
import { isFullControl } from '../../errors/error-style.js';
import type { DirectionCounts } from '../../observability/stream-counts.js';
import { notePassed } from '../ceilings/cost.js';
import type { PieceRows, RowPiece } from '../request/row-pieces.js';
import { type MainResult, onlyRow, readMainResult, refusalError } from './run-transaction.js';
import {
  closing,
  insertQueryOf,
  opening,
  RELEASE_SAVEPOINT,
  ROLLBACK_TO_SAVEPOINT,
  SAVEPOINT,
  type Transaction,
  uploadQueriesOf,
} from './transaction.js';

interface UploadState {
  readonly connection: PipelinedConnection;
  readonly transaction: Transaction;
  readonly caller: Caller;
  readonly counts: DirectionCounts;
  /** The end of the batch that PostgreSQL executes; null if there is none. */
  busy: Promise<void> | null;
  rows: number;
  pieces: number;
  last: MainResult | null;
}

/**
 * Returns when the connection has ended, so that its slot is free.
 * @param first the first piece; null for a body without rows
 * @param more the further pieces
 * @param counts of the rows that are inserted
 * @returns the result of all pieces together
 * @throws PostgresError, which names the line that PostgreSQL refused, ConnectFailed, ConnectionLost, PoolTimeout,
 * BatchAborted; the errors of the pieces. Nothing is written then.
 */
export async function runRowUpload(
  pool: Pool,
  transaction: Transaction,
  first: RowPiece | null,
  more: AsyncIterable<RowPiece>,
  caller: Caller,
  counts: DirectionCounts,
): Promise<MainResult> {
  if (caller.signal?.aborted === true) throw new BatchAborted();
  const connection = await pool.openStream();
  const none = { rows: 0, pieces: 0, last: null, busy: null };
  const state: UploadState = { connection, transaction, caller, counts, ...none };
  let unlink: () => void = () => undefined;
  const gone = new Promise<never>((_, reject) => {
    unlink = whenGone(caller.signal, () => reject(new BatchAborted()));
  });
  gone.catch(() => undefined);
  const inserting = insertAll(state, first, more);
  try {
    return await Promise.race([inserting, gone]);
  } finally {
    inserting.catch(() => undefined);
    unlink();
    // Without COMMIT, the end of the connection undoes everything.
    await endStream(connection, state.busy);
  }
}

async function insertAll(
  state: UploadState,
  first: RowPiece | null,
  more: AsyncIterable<RowPiece>,
): Promise<MainResult> {
  state.caller.onSent?.();
  const queries = uploadQueriesOf(state.transaction);
  await beginUpload(state, opening(queries));
  await insert(state, first ?? NO_ROWS);
  for await (const piece of more) await insert(state, piece);
  await send(state, closing(queries));
  return resultOf(state);
}

/** Begins the transaction. @throws DbrError CostTooHigh */
async function beginUpload(state: UploadState, queries: readonly BatchQuery[]): Promise<void> {
  const { prepared } = state.transaction;
  try {
    await send(state, queries);
  } catch (error) {
    throw error instanceof PostgresError ? (refusalError(prepared, error) ?? error) : error;
  }
  if (prepared.cost !== null) notePassed(prepared.cost);
}

const EMPTY_ARRAY = Buffer.from('[]');

const NO_ROWS: RowPiece = {
  keys: [],
  all: EMPTY_ARRAY,
  rows: () => Promise.resolve({ count: 0, part: () => Promise.resolve(EMPTY_ARRAY), lineOf: () => 1 }),
};

function resultOf({ rows, pieces, last }: UploadState): MainResult {
  if (last === null) throw new Error('an upload without a piece');
  // The key of a row is that of the last piece.
  return { ...last, pageTotal: rows, total: BigInt(rows), location: pieces === 1 ? last.location : null };
}

/** @throws BatchAborted if the client has gone */
async function send(state: UploadState, queries: readonly BatchQuery[]): Promise<BatchResult> {
  const { connection, caller } = state;
  if (caller.signal?.aborted === true) throw new BatchAborted();
  const outcome = new Promise<BatchOutcome>((resolve) =>
    connection.send({ queries, access: 'write', use: 'brief' }, { done: resolve, openBody: () => null }),
  );
  state.busy = outcome.then(() => void (state.busy = null));
  const ended = await outcome;
  if (ended.kind !== 'done') throw outcomeError(ended);
  return ended.results;
}

/** Inserts a piece. If PostgreSQL refuses it, the line of the first row that it refuses is found. */
async function insert(state: UploadState, piece: RowPiece): Promise<void> {
  try {
    state.counts.rows += await insertRows(state, piece.all);
    state.pieces++;
  } catch (error) {
    if (!(error instanceof PostgresError) || !isOfRow(error.fields)) throw error;
    await send(state, [ROLLBACK_TO_SAVEPOINT]);
    throw await locate(state, piece, error);
  }
}

/** @returns the number of rows that were written */
async function insertRows(state: UploadState, rows: Buffer): Promise<number> {
  const query = insertQueryOf(state.transaction, rows);
  const [result] = await send(state, [SAVEPOINT, query, RELEASE_SAVEPOINT]);
  const row = onlyRow(result);
  state.last = readMainResult(row.columns, row.body, state.transaction.prepared.columns);
  state.rows += state.last.pageTotal;
  return state.last.pageTotal;
}

/**
 * Errors that a row can cause: values (22), constraints (23), row security and privileges (42501), and those that functions
 * raise. Others, such as a timeout, would only come again.
 */
const isOfRow = ({ code }: ErrorFields): boolean =>
  /^(?:21|22|23|44|P0)/.test(code) || code === '42501' || !/^[\dF-HX]/.test(code);

/**
 * Halves the rows that contain the refused one. Rows before it are inserted again, because a row may be refused for one
 * of them.
 * @returns the error with its line, or with the lines of the piece if no row is refused alone
 */
async function locate(state: UploadState, piece: RowPiece, refusal: PostgresError): Promise<PostgresError> {
  const rows = await piece.rows();
  let low = 0;
  let high = rows.count;
  let error = refusal;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const refused = await refusalOf(state, rows, low, middle);
    if (refused === null) low = middle;
    else {
      error = refused;
      high = middle;
    }
  }
  const refused = await refusalOf(state, rows, low, high);
  if (refused !== null) return withLine(refused, `Line ${String(rows.lineOf(low))} of the body.`);
  const [from, to] = [rows.lineOf(0), rows.lineOf(rows.count - 1)];
  return withLine(error, `Lines ${String(from)} to ${String(to)} of the body.`);
}

async function refusalOf(
  state: UploadState,
  rows: PieceRows,
  from: number,
  to: number,
): Promise<PostgresError | null> {
  try {
    await insertRows(state, await rows.part(from, to));
    return null;
  } catch (error) {
    if (!(error instanceof PostgresError) || !isOfRow(error.fields)) throw error;
    await send(state, [ROLLBACK_TO_SAVEPOINT]);
    return error;
  }
}

function withLine({ fields, query }: PostgresError, line: string): PostgresError {
  if (isFullControl(fields.code, 'PGRST')) return new PostgresError(fields, query);
  return new PostgresError(
    { ...fields, detail: fields.detail === null ? line : `${line} ${fields.detail}` },
    query,
  );
}
