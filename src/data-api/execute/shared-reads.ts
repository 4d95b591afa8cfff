/**
 * Reads that arrive in one turn of the event loop share a statement, if their rows depend on nothing else of the requests
 * (`plan/plan-sharing.ts`): equal reads are executed once, lookups of several rows are one statement. The service and
 * PostgreSQL then do once for several requests what costs more than to find a row. The statement begins after all of
 * these requests have arrived, so that each sees what was committed before it.
 *
 * The statement runs under the role alone, without claims. Another one behind it, in the same transaction, says whether
 * policies apply to the tables. If they do, and if anything else is not as expected, each request runs alone, as if it
 * had arrived alone.
 */
import { keepBlock } from '../../blocks.js';
import type { SharedReadCounts } from '../../observability/scraped-metrics.js';
import type { Batch, BatchQuery, BatchResult, Caller, QueryResult, Row } from '../../postgres/batch.js';
import { LONG_RESULT_BYTES, type Pace, paceClass, type PaceClass } from '../../postgres/pace.js';
import type { Pool } from '../../postgres/pool.js';
import { ConnectionLost, PoolTimeout, PostgresError, ResultTooLarge } from '../../postgres/postgres-error.js';
import { prepare, type Statement } from '../../postgres/statement.js';
import { gatherAtTurnEnd } from '../../turn-end.js';
import { needsGuard } from '../ceilings/cost.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import { LOOKUP_COLUMNS } from '../sql/lookup.js';
import { TABLE_CHECK } from '../sql/table-check.js';
import { arrayLiteral, bindLookups } from './bind.js';
import type { MainResult } from './main-result.js';
import { callerOfQueued, joinOrQueue, type QueuedReads, removeQueued, unwatch } from './queued-reads.js';
import { resultOf, resultOfLookup, runTransaction } from './run-transaction.js';
import {
  addRead,
  dividedByClient,
  emptyGroups,
  type EqualReads,
  type Group,
  type Groups,
  type LookupReads,
} from './shared-groups.js';
import { arrayContextQuery, sharedContextQuery } from './transaction-context.js';
import type { Transaction } from './transaction.js';

/** The reads on a pool. */
interface State {
  readonly pool: Pool;
  /** The reads of this turn. */
  groups: Groups;
  /** Main statements that are not shared: their rows depend on policies, or PostgreSQL refuses them. */
  readonly separate: WeakSet<Statement>;
  readonly queued: QueuedReads;
  /** Of the statements that answered several reads, and of these reads. */
  readonly counts: { statements: number; reads: number };
  /** Runs the groups of this turn. */
  readonly endTurn: () => void;
}

const states = new WeakMap<Pool, State>();

function stateOf(pool: Pool): State {
  let state = states.get(pool);
  if (state === undefined) {
    const created: State = {
      pool,
      groups: emptyGroups(),
      separate: new WeakSet(),
      queued: new Map(),
      counts: { statements: 0, reads: 0 },
      endTurn: () => runGroups(created),
    };
    states.set(pool, (state = created));
  }
  return state;
}

/** Counts the reads on a pool that were answered together. */
export const sharedReadCounts = (pool: Pool): SharedReadCounts => stateOf(pool).counts;

const WAITING = { unwatch: null, hasJoined: false, isSecondWait: false } as const;

/**
 * Runs a transaction, together with others where this is possible.
 * @throws the errors of `runTransaction`
 */
export function runShared(pool: Pool, transaction: Transaction, caller: Caller): Promise<MainResult> {
  const state = stateOf(pool);
  if (!mayShare(state, transaction)) return runTransaction(pool, transaction, caller);
  return new Promise((resolve, reject) => {
    if (state.groups.all.length === 0) gatherAtTurnEnd(state.endTurn);
    addRead(state.groups, { ...WAITING, transaction, caller, resolve, reject });
  });
}

/** Whether nothing but the role and the values of its filters distinguishes the transaction from others. */
function mayShare({ separate }: State, transaction: Transaction): boolean {
  const { prepared, pace, named, preRequest, isolation, traceparent } = transaction;
  if (prepared.sharing === null || !named || separate.has(prepared.main.statement)) return false;
  if (preRequest !== null || isolation !== 'read committed' || traceparent !== null) return false;
  return isShort(pace) && !(prepared.cost !== null && needsGuard(prepared.cost));
}

/** Whether the last result was short enough to be in memory. */
const isShort = (pace: Pace | PaceClass): boolean =>
  typeof pace !== 'string' && pace.expectedMs !== null && pace.resultBytes <= LONG_RESULT_BYTES;

/** While batches wait for a connection, each waits in the turn of its client, and equal reads join those that wait. */
function runGroups(state: State): void {
  const { all } = state.groups;
  state.groups = emptyGroups();
  const [only] = all;
  // Most turns of a service that is not busy.
  if (only?.reads.length === 1 && all.length === 1 && isQuick(only)) return runAlone(state, only);
  const isBusy = state.pool.state.waiting > 0;
  for (const group of all) {
    const mayWait = isBusy || !isQuick(group);
    for (const own of mayWait ? dividedByClient(group) : [group]) {
      if (mayWait && own.kind === 'equal') runQueued(state, own);
      else if (own.kind === 'single' || own.reads.length === 1) runAlone(state, own);
      else void runTogether(state, own, callerOf(own));
    }
  }
}

const isQuick = ({ reads: [first] }: Group): boolean =>
  first !== undefined && paceClass(first.transaction.pace) === 'quick';

function runQueued(state: State, group: EqualReads): void {
  const { queued } = state;
  const own = joinOrQueue(queued, group.reads[0]?.caller.client ?? '', group);
  if (own === null || own.group.reads.length === 0) return;
  void runTogether(state, own.group, callerOfQueued(queued, own), () => void removeQueued(queued, own));
}

function runAlone({ pool }: State, { reads }: Group): void {
  for (const { transaction, caller, resolve, reject } of reads)
    runTransaction(pool, transaction, caller).then(resolve, reject);
}

/** @param onEnd called when the batch has ended, before its reads end */
async function runTogether(
  state: State,
  group: EqualReads | LookupReads,
  caller: Caller,
  onEnd: () => void = () => undefined,
): Promise<void> {
  const [first] = group.reads;
  if (first === undefined) return;
  const { prepared, pace, context } = first.transaction;
  const contextQuery = group.kind === 'lookups' ? arrayContextQuery(context) : sharedContextQuery(context);
  const check = tableCheckQuery(prepared);
  const queries = [contextQuery, queryOf(group, prepared), check];
  const { maxResultBytes } = prepared;
  const batch: Batch = { queries, access: 'read', pace, maxResultBytes, openBody: refuseLongBody };
  const end = (): void => {
    onEnd();
    group.reads.forEach(unwatch);
  };
  try {
    const results = await state.pool.run(batch, caller);
    end();
    if (!dependOnRequest(results[1]) && settle(group, results)) return count(state, group);
    state.separate.add(prepared.main.statement);
    runAlone(state, group);
  } catch (error) {
    end();
    await endFailed(state, group, error, { queries: [contextQuery, check], access: 'read', pace: 'quick' });
  }
}

/** Ends the reads of a group that has failed. @param check asks whether the rows depend on the request */
async function endFailed(
  state: State,
  group: EqualReads | LookupReads,
  error: unknown,
  check: Batch,
): Promise<void> {
  if (group.kind === 'equal' && error instanceof PoolTimeout) return endOverdue(state, group, error);
  if (isRefused(error)) {
    const [first] = group.reads;
    if (first !== undefined) state.separate.add(first.transaction.prepared.main.statement);
    // One key may be no value of its type, one row too long: the others must not notice.
  } else if (
    !isOfOne(error) ||
    (isCancelled(error) && group.kind === 'equal' && !(await mayDepend(state, check)))
  ) {
    return group.reads.forEach(({ reject }) => void reject(error));
  }
  runAlone(state, group);
}

/** Whether rows depend on the request, or this cannot be found out. */
const mayDepend = ({ pool }: State, check: Batch): Promise<boolean> =>
  pool.run(check).then(
    ([result]) => dependOnRequest(result),
    () => true,
  );

/** A read that has joined a group waits once more, for its own time. */
function endOverdue(state: State, group: EqualReads, error: PoolTimeout): void {
  const again = group.reads.filter(({ hasJoined, isSecondWait }) => hasJoined && !isSecondWait);
  for (const read of group.reads) if (!again.includes(read)) read.reject(error);
  for (const read of again) {
    read.hasJoined = false;
    read.isSecondWait = true;
  }
  if (again.length > 0) runQueued(state, { ...group, reads: again });
}

function count({ counts }: State, { reads }: Group): void {
  if (reads.length < 2) return;
  counts.statements += 1;
  counts.reads += reads.length;
}

/** A long body is sent while it arrives, which only a read that runs alone does. @throws ResultTooLarge */
function refuseLongBody(_columns: readonly (string | null)[], length: number): never {
  throw new ResultTooLarge(length, LONG_RESULT_BYTES);
}

/** Whether PostgreSQL may refuse the statement each time, not for its parameters (classes 42 and 0A). */
const isRefused = (error: unknown): boolean =>
  error instanceof PostgresError && /^(?:42|0A)/.test(error.fields.code);

/** The statement of equal reads that has taken too long takes as long for each of them. */
const isCancelled = (error: unknown): boolean =>
  error instanceof PostgresError && error.fields.code === '57014';

/** Whether an error may be that of one read, or has an answer in `runTransaction`. */
const isOfOne = (error: unknown): boolean =>
  error instanceof PostgresError || error instanceof ResultTooLarge || error instanceof ConnectionLost;

function queryOf(group: EqualReads | LookupReads, { main, columns }: PreparedPlan): BatchQuery {
  if (group.kind === 'equal') {
    const { statement } = main;
    const { parameters } = group;
    return { statement, parameters, returnsRows: true, columns: columns.length, inBlocks: true };
  }
  const lookups = group.reads.map(({ transaction }) => ({
    keys: transaction.prepared.sharing?.lookup?.parameters ?? [],
    bindings: transaction.bindings,
  }));
  const { statement } = group.lookup;
  return { statement, parameters: bindLookups(lookups), returnsRows: true, columns: LOOKUP_COLUMNS.length };
}

const TABLE_CHECK_STATEMENT = prepare(TABLE_CHECK);

const tableCheckQuery = ({ sharing }: PreparedPlan): BatchQuery => ({
  statement: TABLE_CHECK_STATEMENT,
  parameters: [arrayLiteral(sharing?.relations ?? [])],
  returnsRows: true,
  columns: 1,
});

/** The caller of a batch that does not wait for long. Each of its requests is reported as sent. */
const callerOf = ({ reads }: Group): Caller => ({
  client: reads[0]?.caller.client ?? '',
  signal: null,
  onSent: () => {
    for (const { caller } of reads) caller.onSent?.();
  },
});

const dependOnRequest = (check: QueryResult | undefined): boolean =>
  Buffer.concat(check?.rows[0]?.body ?? []).toString() !== 'f';

/** Ends the reads of a group, which have one body if they are equal. @returns false if they cannot be assigned to rows */
function settle(group: EqualReads | LookupReads, results: BatchResult): boolean {
  const rows = group.kind === 'lookups' ? rowsByNumber(results, group.reads.length) : null;
  if (group.kind === 'lookups' && rows === null) return false;
  if (group.reads.length > 1) results[0]?.rows[0]?.body?.forEach(keepBlock);
  for (const [index, { transaction, resolve, reject }] of group.reads.entries()) {
    try {
      const { prepared } = transaction;
      resolve(
        rows === null ? resultOf(prepared, results) : resultOfLookup(prepared, rows[index]?.body ?? null),
      );
    } catch (error) {
      reject(error);
    }
  }
  return true;
}

/**
 * Returns the row of each lookup; null if a key has several rows, which is possible if the table has changed since the
 * schema was loaded.
 */
function rowsByNumber(results: BatchResult, count: number): readonly Row[] | null {
  const given = results[0]?.rows ?? [];
  const byNumber = new Map(given.map((row) => [row.columns[0], row]));
  if (given.length !== count) return null;
  const rows = Array.from({ length: count }, (_, index) => byNumber.get(String(index + 1)));
  return rows.every((row) => row !== undefined) ? rows : null;
}
