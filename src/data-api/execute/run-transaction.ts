/** Runs the transaction of a request and reads the result of its main statement. */
import { whenGone } from '../../base/gone.js';
import type { Caller } from '../../contract/caller.js';
import { PassThrough, type Readable } from 'node:stream';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import {
  type Batch,
  type BatchResult,
  type BatchUse,
  bodyText,
  failedQuery,
  type QueryResult,
  type Row,
} from '../../postgres/batch.js';
import type { Pool } from '../../postgres/pool.js';
import { ConnectionLost, errorFields, PostgresError, malformed } from '../../postgres/postgres-error.js';
import { notePassed, noteRefused } from '../ceilings/cost.js';
import { truncateName } from '../plan/plan-context.js';
import type { Count, OutcomeCheck } from '../plan/plan.js';
import { refusalOf } from '../sql/refusal.js';
import { graphError } from './graph-error.js';
import { isRoleRefusal } from '../prepare/caller.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import {
  inOrder,
  queriesOf,
  type RequestQueries,
  type RequestResults,
  resultsOf,
  type Transaction,
} from './transaction.js';
import type { MainColumn } from '../sql/main-statement.js';
import type { Replicated } from '../../replicas/replicas.js';
import type { RequestHead } from '../../contract/request.js';
import type { Isolation, QualifiedName } from '../schema-cache/types.js';
import type { Snapshot } from '../snapshot.js';

/**
 * Runs a transaction in one round trip. Uses prepared statements only if the function of `db-pre-request` does not change the
 * role.
 * @throws DbrError for a failed check, after a rollback; the errors of `Pool.run`
 */
export async function runTransaction(
  pool: Pool,
  transaction: Transaction,
  caller: Caller,
): Promise<MainResult> {
  const { preRequest } = transaction;
  if (preRequest === null) return runQueries(pool, transaction, queriesOf(transaction), caller);
  const unnamed = { ...transaction, named: false };
  const first = preRequest.memory.changesRole ? unnamed : transaction;
  const queries = queriesOf(first);
  try {
    return await runQueries(pool, first, queries, caller);
  } catch (error) {
    if (!isRoleRefusal(error, inOrder(queries))) throw error;
    // The transaction was rolled back before the statements of the plan.
    preRequest.memory.changesRole = true;
    return runQueries(pool, unnamed, queriesOf(unnamed), caller);
  }
}

/** The batch of a request, without the stream for its body. */
type RequestBatch = Pick<
  Required<Batch>,
  'queries' | 'access' | 'use' | 'lastRun' | 'resetsSettings' | 'maxResultBytes'
>;

async function runQueries(
  pool: Pool,
  transaction: Transaction,
  queries: RequestQueries,
  caller: Caller,
): Promise<MainResult> {
  const { prepared, lastRun, preRequest, named } = transaction;
  const batch: RequestBatch = {
    queries: inOrder(queries),
    access: prepared.access,
    use: requestedClass(transaction),
    lastRun,
    // Triggers, defaults and the function of `db-pre-request` may change settings too.
    resetsSettings: preRequest !== null || prepared.mayChangeSettings,
    maxResultBytes: prepared.maxResultBytes,
  };
  // A shared read whose plan has run before has a short result.
  if (prepared.mayStream && (batch.use !== 'shared' || !named))
    return runStreamed(pool, prepared, queries, batch, caller);
  let results: BatchResult;
  try {
    results = await pool.run(batch, caller);
  } catch (error) {
    const failure = graphError(transaction, queries, failedQuery(error, batch.queries), error);
    results = await runAgain(pool, prepared, batch, caller, failure);
  }
  return resultOf(prepared, resultsOf(queries, results.values()));
}

/** Returns the connection that a transaction needs. A read without a bound shares a connection once it has been quick. */
function requestedClass({ prepared: { access, bound }, lastRun }: Transaction): BatchUse {
  const { longResult, staysShared, took } = lastRun;
  if (access === 'write') return 'brief';
  if (longResult) return 'long';
  if (staysShared) return 'shared';
  return took ?? (bound === 'none' ? 'brief' : 'shared');
}

/** Reads the results of the statements of a plan. @throws DbrError for a failed check; MalformedMessage */
export function resultOf(prepared: PreparedPlan, { main, estimate }: RequestResults): MainResult {
  const { plan, columns, cost } = prepared;
  if (cost !== null) notePassed(cost);
  if (plan.output.explain !== null) return { ...NOTHING, body: planLines(main) };
  const row = onlyRow(main);
  const result = checked(prepared, readMainResult(row.columns, row.body, columns));
  return plan.kind === 'mutation' || plan.count === null || plan.count.mode === 'exact'
    ? result
    : { ...result, total: estimatedTotal(plan.count, result, estimate) };
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
  planned: QueryResult | null,
): bigint | null {
  const estimate = estimatedRows(onlyRow(planned));
  if (count.mode === 'planned' || total === null || estimate === null) return estimate ?? total;
  if (total <= count.threshold) return total;
  return total > estimate ? total : estimate;
}

/** Resolves as soon as the beginning of a long body has arrived; the rest passes through as the client reads it. */
function runStreamed(
  pool: Pool,
  prepared: PreparedPlan,
  requested: RequestQueries,
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
      whenGone(caller.signal, () => void stream.destroy());
      resolve(result);
      return stream;
    };
    // A copy by spread would be an object in the slow form of V8, to which every later access is slow.
    const { queries, access, use, lastRun, resetsSettings, maxResultBytes } = batch;
    const streaming: Batch = { queries, access, use, lastRun, resetsSettings, maxResultBytes, openBody };
    const run = pool.run(streaming, caller).catch((error: unknown) => {
      if (body !== null) throw error;
      return runAgain(pool, prepared, streaming, caller, error);
    });
    run.then(
      (results) => {
        if (body !== null) return void body.end();
        try {
          resolve(resultOf(prepared, resultsOf(requested, results.values())));
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
export function refusalError(
  { checks, cost, plan }: PreparedPlan,
  error: PostgresError,
): DbrError | PostgresError | null {
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
    case 'unequal':
    case 'differs':
    case 'generated':
    case 'keyless':
    case 'idempotency':
      // The object is found by the step that failed (`graphError`); the key belongs to the whole transaction.
      return null;
    case 'unguarded':
      return plan.root.source.kind === 'relation' ? unknownRelation(plan.root.source.name) : null;
    case 'cut':
      return dbrError('ListTruncated', { path: plan.cuts[refusal.number]?.path ?? '' });
    case 'cost':
      return cost === null ? null : noteRefused(cost, refusal.number);
  }
}

/** Returns the error of PostgreSQL for a relation that does not exist. */
export const unknownRelation = ({ schema, name }: QualifiedName): PostgresError =>
  new PostgresError(errorFields('42P01', `relation "${schema}.${truncateName(name)}" does not exist`));

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
    case 'limit':
      return BigInt(rows) <= check.maximum
        ? null
        : dbrError('TooManyRowsChanged', { details: 'limit', rows, limit: String(check.maximum) });
    case 'max-affected':
      return BigInt(rows) <= check.maximum ? null : dbrError('MaxAffectedExceeded', { rows });
  }
}

/** The values of the main statement's row. */
export interface MainResult {
  /** Number of rows in the body, or of changed rows. */
  readonly pageTotal: number;
  /** Number of all rows; null if they were not counted. */
  readonly total: bigint | null;
  /** Number of inserted rows of an upsert; null for any other statement. */
  readonly inserted: number | null;
  /** Key of the inserted row, with null for null values; null unless exactly one row was inserted. */
  readonly location: readonly (string | null)[] | null;
  /** Number of rows, and the key of one, of the page and before it; null without keyset pagination. */
  readonly next: PageKeys | null;
  readonly previous: PageKeys | null;
  /** Seconds since 1970 of the last change of a row; null for no row, and without Last-Modified. */
  readonly modified: number | null;
  /** Numbers of the lists that `db-max-rows` has cut (`Cut`). */
  readonly cut: readonly number[];
  /** Headers that functions have set for the response; null if none. */
  readonly responseHeaders: string | null;
  readonly responseStatus: string | null;
  readonly body: MainBody;
}

/** Rows in an order, at most one more than the limit. */
interface PageKeys {
  readonly count: number;
  /** The key of the last row that is counted, or null if there are fewer; values as texts, null for null. */
  readonly key: readonly (string | null)[] | null;
  /** Whether the row of the key and the one beyond it have the same key, so that no link can lie between them. */
  readonly isRepeated: boolean;
}

/** The received pieces of the body, or a stream for a long body; null for no body. */
export type MainBody = readonly Buffer[] | StreamedBody | null;

interface StreamedBody {
  readonly stream: Readable;
  /** Length of the body in bytes. */
  readonly length: number;
}

export const isStreamed = (body: MainBody): body is StreamedBody => body !== null && 'stream' in body;

/**
 * Reads the single row of a main statement. The body is its last column.
 * @throws MalformedMessage
 */
export function readMainResult(
  values: readonly (string | null)[],
  body: MainBody,
  columns: readonly MainColumn[],
): MainResult {
  const total = valueOf('total', values, columns);
  const inserted = valueOf('inserted', values, columns);
  const location = valueOf('location', values, columns);
  return {
    pageTotal: Number(count(valueOf('page_total', values, columns) ?? '')),
    total: total === null ? null : BigInt(count(total)),
    inserted: inserted === null ? null : Number(count(inserted)),
    location: location === null ? null : readLocation(location),
    next: readPageKeys(valueOf('next', values, columns)),
    previous: readPageKeys(valueOf('previous', values, columns)),
    modified: secondsOf(valueOf('modified', values, columns)),
    cut: numbersOf(valueOf('cut', values, columns)),
    responseHeaders: settingOf(valueOf('response_headers', values, columns)),
    responseStatus: settingOf(valueOf('response_status', values, columns)),
    body,
  };
}

function valueOf(
  name: MainColumn,
  values: readonly (string | null)[],
  columns: readonly MainColumn[],
): string | null {
  const at = columns.indexOf(name);
  return at < 0 ? null : (values[at] ?? null);
}

const numbersOf = (text: string | null): readonly number[] =>
  text === null || text === '' ? [] : text.split(',').map((number) => Number(count(number)));

/** Checks that a count consists of decimal digits. */
const count = (text: string): string => (/^\d+$/.test(text) ? text : malformed('a count that is no number'));

/** Null also for infinity, which a time of PostgreSQL can be. */
function secondsOf(text: string | null): number | null {
  const seconds = text === null ? NaN : Number(text);
  return Number.isFinite(seconds) ? seconds : null;
}

/** A setting that was local to an earlier transaction reads as empty. */
export const settingOf = (value: string | null): string | null => (value === '' ? null : value);

function readLocation(json: string): readonly (string | null)[] {
  const values = readJson(json);
  return Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? value : null)) : [];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return malformed('a text that is not JSON');
  }
}

/** The only row of a query that returns rows. @throws MalformedMessage */
export const onlyRow = (result: QueryResult | null | undefined): Row =>
  result?.rows[0] ?? malformed('no row of a statement that gives one');

const LINE_END = Buffer.from('\n');

/** Joins the lines of an execution plan, which are one row each, into one text. */
function planLines(result: QueryResult | null): readonly Buffer[] {
  const rows = result?.rows ?? [];
  return rows.flatMap((row, index) => (index === 0 ? (row.body ?? []) : [LINE_END, ...(row.body ?? [])]));
}

/** Returns `Plan Rows` of the top node of a JSON execution plan; null for any other text. */
export function estimatedRows(row: Row): bigint | null {
  const plan = readJson(bodyText(row));
  const rows = memberOf(memberOf(memberOf(plan, '0'), 'Plan'), 'Plan Rows');
  return typeof rows === 'number' ? BigInt(Math.round(rows)) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function readPageKeys(text: string | null): PageKeys | null {
  if (text === null) return null;
  const pair = readJson(text);
  const count = memberOf(pair, '0');
  const key = memberOf(pair, '1');
  if (typeof count !== 'number') return malformed('keys of a page without their number');
  const isKey = Array.isArray(key);
  return {
    count,
    key: isKey ? key.map((value: unknown) => (typeof value === 'string' ? value : null)) : null,
    isRepeated: memberOf(pair, '2') === true,
  };
}

/** Where a transaction may run. */
interface Placement {
  readonly access: 'read' | 'write';
  readonly isolation: Isolation;
  readonly mayUseReplica: boolean;
}

/** A stream of rows that must see a position reads the primary, which has every position. */
export function placementOf(
  { isolation, prepared: { plan, access, stream } }: Transaction,
  { headers }: RequestHead,
): Placement {
  const isVolatile = plan.kind === 'call' && plan.volatile;
  const isBehind = stream !== null && headers.position !== undefined;
  return { access, isolation, mayUseReplica: !isVolatile && !isBehind };
}

const withoutPosition = <Result>(result: Result): Replicated<Result> => ({ result, position: null });

/**
 * Runs a read on a replica if there are any and one is fresh enough, any other transaction on the primary.
 * @throws DbrError InvalidPosition; the errors of `run`
 */
export function runReplicated<Result>(
  { replicas, pool }: Pick<Snapshot, 'replicas' | 'pool'>,
  { access, isolation, mayUseReplica }: Placement,
  { headers, caller }: RequestHead,
  run: (pool: Pool) => Promise<Result>,
): Promise<Replicated<Result>> {
  if (replicas === null) return run(pool).then(withoutPosition);
  const request = {
    access,
    // A standby has no serializable transactions.
    mayUseReplica: mayUseReplica && isolation !== 'serializable',
    readsCommitted: isolation === 'read committed',
    position: headers.position,
    signal: caller.signal,
  };
  return replicas.run(request, pool, run);
}
