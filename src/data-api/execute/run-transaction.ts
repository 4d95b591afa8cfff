import { PassThrough } from 'node:stream';
import type { Batch, BatchResult, BatchQuery } from '../../postgres/batch.js';
import type { Caller, Pool } from '../../postgres/pool.js';
import { paceClass } from '../../postgres/pace.js';
import { ConnectionLost, PostgresError } from '../../postgres/postgres-error.js';
import { prepare } from '../../postgres/statement.js';
import type { DbrError } from '../../errors/dbr-error.js';
import { refusedRows } from '../sql/refusal.js';
import type { OutcomeCheck } from '../plan/plan.js';
import type { Isolation } from '../schema-cache/types.js';
import { bindParameters, type Bindings } from './bind.js';
import { failedCheck } from './outcome-checks.js';
import { estimatedRows, onlyRow, planLines, readMainResult, type MainResult } from './main-result.js';
import { isRoleRefusal, roleCheck, type PreRequest } from './pre-request.js';
import type { PreparedPlan, PreparedStatement, RunnablePlan } from './prepared-plan.js';
import { contextQuery, type TransactionContext } from './transaction-context.js';

/** How a transaction ends, unless it fails. */
export type Ending = 'commit' | 'rollback';

/** How one request is run. */
export interface RunOptions {
  readonly pool: Pool;
  readonly bindings: Bindings;
  /** Whether connections keep the plan's statements prepared. */
  readonly named: boolean;
  readonly context: TransactionContext;
  /** The function of `db-pre-request`; null when there is none. */
  readonly preRequest: PreRequest | null;
  readonly isolation: Isolation;
  readonly ending: Ending;
  /** Its signal is made when it is first read, which costs as much as the rest of a quick run: only long ones read it. */
  readonly caller: Caller;
}

const plainQuery = (text: string): BatchQuery => ({
  statement: prepare(text),
  parameters: [],
  returnsRows: false,
});

const CHECK_CONSTRAINTS = plainQuery('set constraints all immediate');

const BEGIN: Readonly<Record<Isolation, BatchQuery>> = {
  'read committed': plainQuery('begin isolation level read committed'),
  'repeatable read': plainQuery('begin isolation level repeatable read'),
  serializable: plainQuery('begin isolation level serializable'),
};

const END: Readonly<Record<Ending, BatchQuery>> = {
  commit: plainQuery('commit'),
  rollback: plainQuery('rollback'),
};

/**
 * Runs a plan as one transaction, in one round trip.
 * @throws DbrError for a check that failed, everything undone; what `Pool.run` throws
 */
export async function runTransaction(prepared: PreparedPlan, options: RunOptions): Promise<MainResult> {
  const { preRequest, named } = options;
  if (preRequest === null || !named) return runQueries(prepared, transactionOf(prepared, options), options);
  const unnamed = { ...options, named: false };
  if (preRequest.memory.changesRole) return runQueries(prepared, transactionOf(prepared, unnamed), unnamed);
  const queries = transactionOf(prepared, options);
  try {
    return await runQueries(prepared, queries, options);
  } catch (error) {
    if (!isRoleRefusal(error, queries)) throw error;
    // Everything is undone, and the statements of the plan have not run.
    preRequest.memory.changesRole = true;
    return runQueries(prepared, transactionOf(prepared, unnamed), unnamed);
  }
}

/** Without BEGIN the statements up to one Sync are a transaction of their own, which commits. */
function transactionOf(prepared: PreparedPlan, options: RunOptions): readonly BatchQuery[] {
  const queries = queriesOf(prepared, options);
  const access = accessOf(prepared.plan);
  if (options.isolation === 'read committed' && endsByItself(access, options)) return queries;
  return [BEGIN[options.isolation], ...queries, END[options.ending]];
}

async function runQueries(
  prepared: PreparedPlan,
  queries: readonly BatchQuery[],
  options: RunOptions,
): Promise<MainResult> {
  const access = accessOf(prepared.plan);
  const batch: Batch = {
    queries,
    access,
    pace: prepared.pace,
    resetsSettings: mayChangeSettings(prepared, options),
  };
  if (paceClass(prepared.pace) !== 'quick' && mayBeStreamed(prepared, access))
    return runStreamed(prepared, batch, options);
  return resultOf(prepared, await runOnce(prepared, batch, options));
}

/** A read changes nothing, however its transaction ends. */
const endsByItself = (access: 'read' | 'write', { ending }: RunOptions): boolean =>
  access === 'read' || ending === 'commit';

/** Whether the plan may change anything; what may not runs in a read-only transaction. */
export function accessOf(plan: RunnablePlan): 'read' | 'write' {
  if (plan.kind === 'mutation') return 'write';
  return plan.kind === 'call' ? plan.access : 'read';
}

/**
 * Functions may change settings of the session, which outlive the transaction. Those that are volatile are taken to do so,
 * and what runs beside a write: triggers, defaults, the function of `db-pre-request`.
 */
const mayChangeSettings = ({ plan }: PreparedPlan, { preRequest }: RunOptions): boolean =>
  preRequest !== null || plan.kind === 'mutation' || (plan.kind === 'call' && plan.volatile);

function queriesOf(prepared: PreparedPlan, options: RunOptions): readonly BatchQuery[] {
  const { preRequest } = options;
  const queries: BatchQuery[] = [contextQuery(options.context)];
  if (preRequest !== null) {
    queries.push(preRequest.call);
    if (options.named) queries.push(roleCheck(preRequest.role));
  }
  const columns = prepared.plan.output.explain === null ? prepared.columns.length : 1;
  queries.push(boundQuery(prepared.main, columns, options));
  if (prepared.estimate !== null) queries.push(boundQuery(prepared.estimate, 1, options));
  // Deferred constraints are checked at the end of a transaction, which this one will not reach.
  if (options.ending === 'rollback' && accessOf(prepared.plan) === 'write') queries.push(CHECK_CONSTRAINTS);
  return queries;
}

function boundQuery(
  { statement, parameters }: PreparedStatement,
  columns: number,
  { bindings, named }: RunOptions,
): BatchQuery {
  const query = { statement, parameters: bindParameters(parameters, bindings), returnsRows: true, columns };
  return named ? query : { ...query, unnamed: true };
}

const SINGULAR: readonly OutcomeCheck[] = [{ kind: 'singular' }];

function checksOf(plan: RunnablePlan): readonly OutcomeCheck[] {
  if (plan.kind === 'read') return plan.output.singular ? SINGULAR : [];
  return plan.checks;
}

function resultOf({ plan, columns }: PreparedPlan, results: BatchResult): MainResult {
  if (plan.output.explain !== null) return { ...NOTHING, body: planLines(results) };
  const row = onlyRow(results, 0);
  const result = checked(plan, readMainResult(row.columns, row.body, columns));
  return plan.kind === 'mutation' ? result : { ...result, total: totalOf(plan, result, results) };
}

/** @throws DbrError for the first check that the outcome does not pass */
function checked(plan: RunnablePlan, result: MainResult): MainResult {
  const failure = failedCheck(checksOf(plan), result.pageTotal);
  if (failure !== null) throw failure;
  return result;
}

const NOTHING: MainResult = {
  pageTotal: 0,
  total: null,
  inserted: null,
  location: null,
  responseHeaders: null,
  responseStatus: null,
  body: null,
};

/** The planner's estimate where it was asked for, or where there are more rows than are counted exactly. */
function totalOf(
  plan: Exclude<RunnablePlan, { kind: 'mutation' }>,
  { total }: MainResult,
  results: BatchResult,
): bigint | null {
  if (plan.count === null || plan.count.mode === 'exact') return total;
  const estimate = estimatedRows(onlyRow(results, 1));
  if (plan.count.mode === 'planned' || total === null || estimate === null) return estimate ?? total;
  if (total <= plan.count.threshold) return total;
  return total > estimate ? total : estimate;
}

/** What is not told before the body must be all there is to know: nothing may follow it that could still fail. */
function mayBeStreamed({ plan, estimate }: PreparedPlan, access: 'read' | 'write'): boolean {
  const { form, explain } = plan.output;
  const asText = form.kind !== 'aggregate' && form.kind !== 'raw';
  return access === 'read' && estimate === null && explain === null && asText;
}

/** As soon as the beginning of a long body is there, the answer begins; the rest passes through as the client takes it. */
function runStreamed(prepared: PreparedPlan, batch: Batch, options: RunOptions): Promise<MainResult> {
  return new Promise((resolve, reject) => {
    let body: PassThrough | null = null;
    const openBody = (values: readonly (string | null)[], length: number): PassThrough | null => {
      const stream = new PassThrough();
      const result = readMainResult(values, { stream, length }, prepared.columns);
      if (failedCheck(checksOf(prepared.plan), result.pageTotal) !== null) return null;
      body = stream;
      // A reader that has gone would leave the connection waiting.
      options.caller.signal?.addEventListener('abort', () => stream.destroy(), { once: true });
      resolve(result);
      return stream;
    };
    runOnce(prepared, { ...batch, openBody }, options, () => body === null).then(
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
 * A batch that was lost with its connection is sent once more, if it only reads or had not left yet.
 * @param mayRepeat false once an answer has begun, which cannot begin anew
 */
async function runOnce(
  prepared: PreparedPlan,
  batch: Batch,
  options: RunOptions,
  mayRepeat: () => boolean = () => true,
): Promise<BatchResult> {
  const { pool, caller } = options;
  try {
    return await pool.run(batch, caller);
  } catch (error) {
    if (error instanceof PostgresError) throw refusalOf(prepared.plan, error) ?? error;
    if (!(error instanceof ConnectionLost) || !mayRepeat()) throw error;
    if (error.sent && batch.access === 'write') throw error;
    return pool.run(batch, caller);
  }
}

/** The check by which a statement refused its own outcome; null when PostgreSQL has another reason. */
function refusalOf(plan: RunnablePlan, error: PostgresError): DbrError | null {
  const rows = refusedRows(error.fields);
  return rows === null ? null : failedCheck(checksOf(plan), rows);
}
