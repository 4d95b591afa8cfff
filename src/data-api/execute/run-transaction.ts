/** Runs the transaction of a request and reads the result of its main statement. */
import type { Caller } from '../../contract/caller.js';
import { PassThrough } from 'node:stream';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import type { Batch, BatchQuery, BatchResult } from '../../postgres/batch.js';
import { paceClass } from '../../postgres/pace.js';
import type { Pool } from '../../postgres/pool.js';
import { ConnectionLost, PostgresError } from '../../postgres/postgres-error.js';
import { notePassed, noteRefused } from '../ceilings/cost.js';
import type { Count, OutcomeCheck } from '../plan/plan.js';
import { refusalOf } from '../sql/refusal.js';
import { graphError } from './graph-error.js';
import { estimatedRows, type MainResult, onlyRow, planLines, readMainResult } from './main-result.js';
import { isRoleRefusal, type PreRequest } from '../prepare/pre-request.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import { queriesOf, type Transaction } from './transaction.js';

/**
 * Runs a transaction in one round trip.
 * @throws DbrError for a failed check, after a rollback; the errors of `Pool.run`
 */
export function runTransaction(pool: Pool, transaction: Transaction, caller: Caller): Promise<MainResult> {
  const { preRequest, named } = transaction;
  return preRequest === null || !named
    ? runQueries(pool, transaction, queriesOf(transaction), caller)
    : runPreRequest(pool, transaction, preRequest, caller);
}

/** Uses prepared statements only if the function of `db-pre-request` does not change the role. */
async function runPreRequest(
  pool: Pool,
  transaction: Transaction,
  preRequest: PreRequest,
  caller: Caller,
): Promise<MainResult> {
  const unnamed = { ...transaction, named: false };
  if (preRequest.memory.changesRole) return runQueries(pool, unnamed, queriesOf(unnamed), caller);
  const queries = queriesOf(transaction);
  try {
    return await runQueries(pool, transaction, queries, caller);
  } catch (error) {
    if (!isRoleRefusal(error, queries)) throw error;
    // The transaction was rolled back before the statements of the plan.
    preRequest.memory.changesRole = true;
    return runQueries(pool, unnamed, queriesOf(unnamed), caller);
  }
}

/** The batch of a request, without the stream for its body. */
type RequestBatch = Pick<
  Required<Batch>,
  'queries' | 'access' | 'pace' | 'resetsSettings' | 'maxResultBytes'
>;

async function runQueries(
  pool: Pool,
  transaction: Transaction,
  queries: readonly BatchQuery[],
  caller: Caller,
): Promise<MainResult> {
  const { prepared, pace, preRequest } = transaction;
  const batch: RequestBatch = {
    queries,
    access: prepared.access,
    pace,
    // Triggers, defaults and the function of `db-pre-request` may change settings too.
    resetsSettings: preRequest !== null || prepared.mayChangeSettings,
    maxResultBytes: prepared.maxResultBytes,
  };
  if (prepared.mayStream && paceClass(pace) !== 'quick') return runStreamed(pool, prepared, batch, caller);
  let results: BatchResult;
  try {
    results = await pool.run(batch, caller);
  } catch (error) {
    const failure = prepared.steps.length === 0 ? error : graphError(transaction, error);
    results = await runAgain(pool, prepared, batch, caller, failure);
  }
  return resultOf(prepared, results);
}

/** Reads the results of the statements of a plan. @throws DbrError for a failed check; MalformedMessage */
export function resultOf(prepared: PreparedPlan, results: BatchResult): MainResult {
  const { plan, columns, cost } = prepared;
  if (cost !== null) notePassed(cost);
  if (plan.output.explain !== null) return { ...NOTHING, body: planLines(results) };
  const row = onlyRow(results, 0);
  const result = checked(prepared, readMainResult(row.columns, row.body, columns));
  return plan.kind === 'mutation' || plan.count === null || plan.count.mode === 'exact'
    ? result
    : { ...result, total: estimatedTotal(plan.count, result, results) };
}

/** @throws DbrError for the first check that the result does not pass */
function checked({ checks }: PreparedPlan, result: MainResult): MainResult {
  const failure = failedCheck(checks, result.pageTotal);
  if (failure !== null) throw failure;
  return result;
}

const NOTHING: MainResult = {
  pageTotal: 0,
  total: null,
  inserted: null,
  location: null,
  next: null,
  previous: null,
  modified: null,
  cut: [],
  responseHeaders: null,
  responseStatus: null,
  body: null,
};

/** Returns the planner's estimate if it was requested, or if there are more rows than are counted exactly. */
function estimatedTotal(
  count: Exclude<Count, { mode: 'exact' }>,
  { total }: MainResult,
  results: BatchResult,
): bigint | null {
  const estimate = estimatedRows(onlyRow(results, 1));
  if (count.mode === 'planned' || total === null || estimate === null) return estimate ?? total;
  if (total <= count.threshold) return total;
  return total > estimate ? total : estimate;
}

/** Resolves as soon as the beginning of a long body has arrived; the rest passes through as the client reads it. */
function runStreamed(
  pool: Pool,
  prepared: PreparedPlan,
  batch: RequestBatch,
  caller: Caller,
): Promise<MainResult> {
  return new Promise((resolve, reject) => {
    let body: PassThrough | null = null;
    const openBody = (values: readonly (string | null)[], length: number): PassThrough | null => {
      // In object mode each piece is passed on as it is; a stream of bytes would copy waiting pieces into one buffer.
      const stream = new PassThrough({ readableObjectMode: true, readableHighWaterMark: 1 });
      const result = readMainResult(values, { stream, length }, prepared.columns);
      if (failedCheck(prepared.checks, result.pageTotal) !== null) return null;
      if (prepared.cost !== null) notePassed(prepared.cost);
      body = stream;
      // The reply may have no reader, as that of a disconnected client: without a listener, an error ends the process.
      stream.on('error', () => undefined);
      // A client that has disconnected would leave the connection waiting.
      if (caller.signal?.aborted === true) stream.destroy();
      else caller.signal?.addEventListener('abort', () => void stream.destroy());
      resolve(result);
      return stream;
    };
    // A copy by spread would be an object in the slow form of V8, to which every later access is slow.
    const { queries, access, pace, resetsSettings, maxResultBytes } = batch;
    const streaming: Batch = { queries, access, pace, resetsSettings, maxResultBytes, openBody };
    const run = pool.run(streaming, caller).catch((error: unknown) => {
      if (body !== null) throw error;
      return runAgain(pool, prepared, streaming, caller, error);
    });
    run.then(
      (results) => {
        if (body !== null) return void body.end();
        try {
          resolve(resultOf(prepared, results));
        } catch (error) {
          reject(asError(error));
        }
      },
      (error: unknown) => {
        if (body === null) reject(asError(error));
        else body.destroy(asError(error));
      },
    );
  });
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Repeats a batch that was lost with its connection, if it only reads or had not been sent.
 * @param error error of the first run
 * @throws `error` if the batch must not be repeated; DbrError for a check that the statement itself performed
 */
async function runAgain(
  pool: Pool,
  prepared: PreparedPlan,
  batch: Batch,
  caller: Caller,
  error: unknown,
): Promise<BatchResult> {
  if (error instanceof PostgresError) throw refusalError(prepared, error) ?? error;
  if (!(error instanceof ConnectionLost)) throw error;
  if (error.sent && batch.access === 'write') throw error;
  return pool.run(batch, caller);
}

/** Returns the error of the check by which the transaction failed, or null for any other error of PostgreSQL. */
export function refusalError({ checks, cost, plan }: PreparedPlan, error: PostgresError): DbrError | null {
  const refusal = refusalOf(error.fields);
  if (refusal === null) return null;
  switch (refusal.kind) {
    case 'rows':
      return failedCheck(checks, refusal.number);
    case 'chosen':
      return dbrError('TooManyRowsChanged', { details: 'chosen', rows: refusal.number });
    case 'key':
      return dbrError('InvalidRowKeys', { message: 'object', index: refusal.number - 1 });
    case 'missing':
      return dbrError('RowsNotFound', { missing: refusal.number });
    case 'changed':
    case 'unfound':
    case 'foreign':
    case 'twice':
    case 'several':
    case 'unequal':
    case 'differs':
    case 'generated':
    case 'unseen':
    case 'keyless':
    case 'idempotency':
      // The object is found by the step that failed (`graphError`); the key belongs to the whole transaction.
      return null;
    case 'cut':
      return dbrError('ListTruncated', { message: 'read', path: plan.cuts[refusal.number]?.path ?? '' });
    case 'cost':
      return cost === null ? null : noteRefused(cost, refusal.number);
  }
}

/**
 * Returns the error of the first check that fails for this number of rows, or null. The transaction was rolled back
 * then.
 */
function failedCheck(checks: readonly OutcomeCheck[], rows: number): DbrError | null {
  for (const check of checks) {
    const error = failureOf(check, rows);
    if (error !== null) return error;
  }
  return null;
}

function failureOf(check: OutcomeCheck, rows: number): DbrError | null {
  switch (check.kind) {
    case 'singular':
      return rows === 1 ? null : dbrError('NotSingular', { rows });
    case 'put':
      return rows === 1 ? null : dbrError('PutKeyMismatch');
    case 'match':
      return rows === 1 ? null : dbrError('VersionMismatch');
    case 'absent':
      return rows === 1 ? null : dbrError('RowExists');
    case 'graph root':
      if (rows === 1) return null;
      return rows === 0 ? dbrError('GraphRootNotFound') : dbrError('SeveralGraphRoots', { rows });
    case 'limit':
      return BigInt(rows) <= check.maximum
        ? null
        : dbrError('TooManyRowsChanged', { details: 'limit', rows, limit: String(check.maximum) });
    case 'max-affected':
      return BigInt(rows) <= check.maximum ? null : dbrError('MaxAffectedExceeded', { rows });
  }
}
