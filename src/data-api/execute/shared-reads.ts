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
import type { Batch, BatchQuery, BatchResult, Caller, Row } from '../../postgres/batch.js';
import { LONG_RESULT_BYTES, type Pace, paceClass, type PaceClass } from '../../postgres/pace.js';
import type { Pool } from '../../postgres/pool.js';
import { ConnectionLost, PoolTimeout, PostgresError, ResultTooLarge } from '../../postgres/postgres-error.js';
import type { Statement } from '../../postgres/statement.js';
import { gatherAtTurnEnd } from '../../turn-end.js';
import { needsGuard } from '../ceilings/cost.js';
import { callerOfAll } from './group-caller.js';
import type { MainResult } from './main-result.js';
import {
  callerOfQueued,
  joinOrQueue,
  type QueuedGroup,
  type QueuedReads,
  removeQueued,
  unwatch,
} from './queued-reads.js';
import { refusalError, resultOf, resultOfLookup, runTransaction } from './run-transaction.js';
import {
  addRead,
  dividedByClient,
  emptyGroups,
  type EqualReads,
  type Group,
  type Groups,
  type LookupReads,
  type SharedRead,
} from './shared-groups.js';
import { checkQueries, dependOnRequest, sharedQueries } from './shared-queries.js';
import { queriesOf, type Transaction } from './transaction.js';

/** The reads on a pool. */
interface State {
  readonly pool: Pool;
  /** The reads of this turn. */
  groups: Groups;
  /** Main statements that are not shared: their rows depend on policies, or PostgreSQL refuses them. */
  readonly separate: WeakSet<Statement>;
  readonly queued: QueuedReads;
  /** Numbers of the statements that answered several reads, and of these reads. */
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

/** Whether the shape has run before, and its last result was short enough to be kept in memory. */
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
      else void runTogether(state, own, null);
    }
  }
}

const isQuick = ({ reads: [first] }: Group): boolean =>
  first !== undefined && paceClass(first.transaction.pace) === 'quick';

function runQueued(state: State, group: EqualReads): void {
  const own = joinOrQueue(state.queued, group.reads[0]?.caller.client ?? '', group);
  if (own !== null && own.group.reads.length > 0) void runTogether(state, own.group, own);
}

function runAlone({ pool }: State, { reads }: Group): void {
  for (const { transaction, caller, resolve, reject } of reads)
    runTransaction(pool, transaction, caller).then(resolve, reject);
}

/** A batch whose queries may be replaced until it is sent. */
interface OpenBatch extends Omit<Batch, 'queries'> {
  queries: readonly BatchQuery[];
}

/**
 * Runs the reads of a group in one batch.
 * @param queued the group as it waits for a connection, with one read or several; null for a group of several
 */
async function runTogether(
  state: State,
  group: EqualReads | LookupReads,
  queued: QueuedGroup | null,
): Promise<void> {
  const [first] = group.reads;
  if (first === undefined) return;
  const { prepared, pace } = first.transaction;
  const { maxResultBytes } = prepared;
  // The first read may leave a group that waits: who is left is known when the batch is sent.
  const batch: OpenBatch = {
    queries: queued === null ? sharedQueries(group, first) : queriesOf(first.transaction),
    access: 'read',
    pace,
    maxResultBytes,
    openBody: refuseLongBody,
  };
  let isShared = queued === null;
  const decide = (): void => {
    const [read = first, ...others] = group.reads;
    isShared = others.length > 0;
    if (isShared) batch.queries = sharedQueries(group, read);
    else if (read !== first) batch.queries = queriesOf(read.transaction);
  };
  const caller = queued === null ? callerOfAll(group.reads) : callerOfQueued(state.queued, queued, decide);
  try {
    const results = await state.pool.run(batch, caller);
    endWait(state, group, queued);
    if (!isShared) return endAlone(group, results);
    if (!dependOnRequest(results[1]) && settle(group, results)) return count(state, group);
    state.separate.add(prepared.main.statement);
    runAlone(state, group);
  } catch (error) {
    endWait(state, group, queued);
    if (!isShared && error instanceof PostgresError)
      return rejectAll(group, refusalError(group.reads[0]?.transaction.prepared ?? prepared, error) ?? error);
    await endFailed(state, group, error, first);
  }
}

function endWait({ queued: all }: State, { reads }: Group, queued: QueuedGroup | null): void {
  if (queued !== null) removeQueued(all, queued);
  reads.forEach(unwatch);
}

/** Ends a read that no other one has joined. */
function endAlone({ reads }: Group, results: BatchResult): void {
  for (const { transaction, resolve, reject } of reads) {
    try {
      resolve(resultOf(transaction.prepared, results));
    } catch (error) {
      reject(error);
    }
  }
}

const rejectAll = ({ reads }: Group, error: unknown): void => {
  for (const { reject } of reads) reject(error);
};

/** Ends the reads of a group that has failed. */
async function endFailed(
  state: State,
  group: EqualReads | LookupReads,
  error: unknown,
  first: SharedRead,
): Promise<void> {
  const isEqual = group.kind === 'equal';
  if (isEqual && error instanceof PoolTimeout) return endOverdue(state, group, error);
  if (isRefused(error)) state.separate.add(first.transaction.prepared.main.statement);
  // One key may be no value of its type, or one row too long: the other reads must not fail.
  else if (!mayConcernOne(error)) return rejectAll(group, error);
  else if (isEqual && isCancelled(error) && !(await mayDepend(state, group, first)))
    return rejectAll(group, error);
  runAlone(state, group);
}

/** Whether the rows depend on the request; true if this cannot be found out. */
function mayDepend({ pool }: State, group: EqualReads | LookupReads, first: SharedRead): Promise<boolean> {
  const queries = checkQueries(group, first);
  return pool.run({ queries, access: 'read', pace: 'quick' }).then(
    ([check]) => dependOnRequest(check),
    () => true,
  );
}

/** A read that has joined a group waits once more, for its own time. */
function endOverdue(state: State, group: EqualReads, error: PoolTimeout): void {
  const again: SharedRead[] = [];
  for (const read of group.reads) {
    if (read.hasJoined && !read.isSecondWait) again.push(read);
    else read.reject(error);
    read.hasJoined = false;
    read.isSecondWait = true;
  }
  for (const own of dividedByClient({ ...group, reads: again })) runQueued(state, own);
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

/** Whether an error may concern one of the reads only, or `runTransaction` may repeat the read. */
const mayConcernOne = (error: unknown): boolean =>
  error instanceof PostgresError || error instanceof ResultTooLarge || error instanceof ConnectionLost;

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
