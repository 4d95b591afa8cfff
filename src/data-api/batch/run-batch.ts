/** Runs the items of a batch in one transaction. */
import { type BatchQuery, type BatchResult, bodyText, type Row, type Trip } from '../../postgres/batch.js';
import { runInSlices } from '../../base/turns.js';
import type { Pool } from '../../postgres/pool.js';
import { PostgresError, ResultTooLarge } from '../../postgres/postgres-error.js';
import type { Caller } from '../../contract/caller.js';
import type { Reply } from '../../contract/reply.js';
import type { Request } from '../../contract/request.js';
import { resultOf } from '../execute/run-transaction.js';
import { startClock } from '../execute/explanation.js';
import {
  BEGIN,
  CHECK_CONSTRAINTS,
  END,
  inOrder,
  type RequestQueries,
  type RequestResults,
  resultsOf,
  type TransactionEnd,
} from '../execute/transaction.js';
import { isRoleRefusal } from '../prepare/caller.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import { respondConditionally } from '../respond/respond.js';
import type { Isolation } from '../schema-cache/types.js';
import type { Snapshot } from '../snapshot.js';
import { type ItemAnswer, answerIn, answerOf, keptAnswers } from './answers.js';
import type { JsonNode } from './json-pointer.js';
import { type BatchItem, failureOf, ItemFailure } from './batch-item.js';
import {
  requireIsolation,
  planItem,
  type PlannedItem,
  resolveBody,
  resolveQuery,
  itemError,
  type ItemScope,
  RESET,
  type SentItem,
  sentItem,
} from './planned-item.js';

/** A batch that is ready to run. */
export interface ReadyBatch {
  /** The request that contains it. */
  readonly request: Request;
  /** The items of each trip. */
  readonly trips: readonly (readonly BatchItem[])[];
  /** The plans of items whose bodies refer to no answer, by index. */
  readonly plans: ReadonlyMap<number, PlannedItem>;
  readonly writes: boolean;
  readonly isolation: Isolation;
  readonly end: TransactionEnd;
  /** Null for a batch without an idempotency key. */
  readonly frame: Frame | null;
}

/** What is done in the transaction beside the items. */
export interface Frame {
  /** The query behind the function of `db-pre-request` of each item. The role is in its row. */
  readonly note: BatchQuery;
  /** Queries behind that of the first item, which return no row, or one row with a kept answer. */
  readonly claim: readonly BatchQuery[];
  /** Reads the row with the kept answer. The items are not executed then. Null if they are. @throws DbrError */
  readonly readKept: ((row: Row | undefined) => Reply) | null;
  /** Queries behind the items. @throws DbrError to undo the batch */
  readonly after: (outcome: BatchOutcome) => readonly BatchQuery[];
  /** Returns the error of the batch for an error of the queries of the frame. */
  readonly failure: (error: PostgresError) => unknown;
}

export interface BatchOutcome {
  readonly answers: readonly ItemAnswer[];
  /** The answer that was kept; null if the items were executed. */
  readonly kept: Reply | null;
  /** With a frame: the role that the function of `db-pre-request` has left for each item. */
  readonly roles: readonly string[];
}

interface Run {
  readonly batch: ReadyBatch;
  readonly snapshot: Snapshot;
  readonly scope: ItemScope;
  readonly answers: ItemAnswer[];
  readonly roles: string[];
  kept: Reply | null;
  /** The body of the kept answer. */
  keptAnswers: JsonNode | null;
  /** All items that were sent, in order. */
  readonly sent: SentItem[];
  /** All queries that were sent, in order. */
  readonly queries: SentQuery[];
  /** The state after the queries of each trip were made. */
  readonly marks: RunMark[];
  /** Bytes that references have added to bodies and queries. */
  readonly budget: { added: number };
  /** Bytes of the answers, and of long columns of results that have begun to arrive. */
  bytes: number;
  arriving: number;
}

interface SentQuery {
  readonly query: BatchQuery;
  /** Null for a query of the batch itself. */
  readonly of: SentItem | 'frame' | null;
}

interface RunMark {
  readonly answers: number;
  readonly sent: number;
  readonly queries: number;
  readonly added: number;
  readonly bytes: number;
}

/**
 * Runs the transaction once.
 * @throws ItemFailure for an error of an item; any other error of `Pool.run`
 */
export async function runBatch(pool: Pool, batch: ReadyBatch, snapshot: Snapshot): Promise<BatchOutcome> {
  const run = newRun(batch, snapshot);
  const clock = startClock(batch.request, snapshot);
  try {
    await runTrips(pool, run, clock?.caller ?? batch.request.caller);
    settle(run, true);
    return run;
  } catch (error) {
    settle(run, false);
    const { roles } = snapshot;
    const queries = run.queries.map(({ query }) => query);
    if (roles.changesRole || !isRoleRefusal(error, queries)) throw ofItem(run, error);
    // The transaction was rolled back before the statements of the plan.
    roles.changesRole = true;
    return runBatch(pool, batch, snapshot);
  } finally {
    clock?.stop(run.sent.map(({ transaction }) => transaction));
  }
}

function newRun(batch: ReadyBatch, snapshot: Snapshot): Run {
  return {
    batch,
    snapshot,
    scope: {
      snapshot,
      writes: batch.writes,
      checksOnly: batch.frame !== null && batch.frame.readKept !== null,
    },
    answers: [],
    roles: [],
    kept: null,
    keptAnswers: null,
    sent: [],
    queries: [],
    marks: [],
    budget: { added: 0 },
    bytes: 0,
    arriving: 0,
  };
}

/** Caches the plans that have succeeded, and records their shapes. */
function settle({ sent, batch, snapshot }: Run, succeeded: boolean): void {
  const items = sent.map(({ planned }) => planned);
  for (const { planned } of new Set([...items, ...batch.plans.values()])) {
    const { firstRun, ready } = planned;
    if (firstRun !== null) snapshot.plans.endFirstRun(firstRun, succeeded);
    if (succeeded && ready.recorded !== null) snapshot.allowList.record(ready.recorded);
  }
}

/** The error of the item whose query failed. */
function ofItem({ queries, batch }: Run, error: unknown): unknown {
  if (!(error instanceof PostgresError) || error.query === null) return error;
  const { query, of } = queries[error.query] ?? {};
  if (query === undefined || of === undefined || of === null) return error;
  if (of === 'frame' || query === of.queries.note || of.queries.claim.includes(query))
    return batch.frame?.failure(error) ?? error;
  return new ItemFailure(of.planned.item, itemError(of, query, error));
}

async function runTrips(pool: Pool, run: Run, caller: Caller): Promise<void> {
  const { writes, trips, isolation } = run.batch;
  const begins = writes || trips.length > 1 || isolation !== 'read committed';
  const queries = [...headQueries(run, begins), ...(await tripQueries(run, 0))];
  // Functions may change settings of the session.
  const shared = {
    use: 'long',
    resetsSettings: true,
    openBody: (_: unknown, length: number) => (run.scope.checksOnly ? null : guardBytes(run, length)),
  } as const;
  if (writes || trips.length > 1) {
    const next = (results: BatchResult): Promise<Trip> => nextTrip(run, 0, results);
    await pool.run({ ...shared, queries, next, access: 'write' }, caller);
    return;
  }
  const complete = begins ? [...queries, END.commit] : queries;
  const results = await pool.run({ ...shared, queries: complete, access: 'read' }, caller);
  await takeAnswers(run, 0, results);
}

/** The beginning of the transaction. */
function headQueries({ batch, queries }: Run, begins: boolean): readonly BatchQuery[] {
  const head = begins ? [BEGIN[batch.isolation]] : [];
  for (const query of head) queries.push({ query, of: null });
  return head;
}

/** Returns the queries of a trip, whose references can be resolved now. @throws ItemFailure */
async function tripQueries(run: Run, trip: number): Promise<readonly BatchQuery[]> {
  const first = run.queries.length;
  for (const item of run.batch.trips[trip] ?? []) {
    const sent = sentItem(run.scope, await resolvedItem(run, item), frameOf(run));
    if (run.sent.length > 0) for (const query of RESET) run.queries.push({ query, of: null });
    for (const query of inOrder(sent.queries)) run.queries.push({ query, of: sent });
    run.sent.push(sent);
  }
  const { answers, sent, queries, bytes, budget } = run;
  run.marks[trip] = {
    answers: answers.length,
    sent: sent.length,
    queries: queries.length,
    added: budget.added,
    bytes,
  };
  return queries.slice(first).map(({ query }) => query);
}

/** The queries of the frame within the next item that is sent. */
function frameOf({ batch: { frame }, sent }: Run): Pick<RequestQueries, 'note' | 'claim'> {
  if (frame === null) return { note: null, claim: [] };
  return { note: frame.note, claim: sent.length === 0 ? frame.claim : [] };
}

async function resolvedItem(run: Run, item: BatchItem): Promise<PlannedItem> {
  const { batch, answers, budget, snapshot } = run;
  try {
    const known =
      batch.plans.get(item.index) ??
      (await planItem(item, await runInSlices(resolveBody(item, answers, budget)), batch.request, snapshot));
    requireIsolation(known, batch.isolation);
    return await runInSlices(resolveQuery(known, answers, budget, snapshot));
  } catch (error) {
    throw failureOf(item, error);
  }
}

/** Continues behind a trip: with the next one, or with the end of the transaction. @throws ItemFailure */
async function nextTrip(run: Run, trip: number, results: BatchResult): Promise<Trip> {
  restore(run, trip);
  await takeAnswers(run, trip, results);
  const { trips, frame, end, writes } = run.batch;
  if (trip + 1 < trips.length) {
    const queries = await tripQueries(run, trip + 1);
    return { queries, next: (later) => nextTrip(run, trip + 1, later) };
  }
  const queries = [
    // Deferred constraints are checked at COMMIT, which this transaction does not reach.
    ...(writes && end === 'rollback' ? [CHECK_CONSTRAINTS] : []),
    ...(frame?.after(run) ?? []),
    END[end],
  ];
  for (const query of queries) run.queries.push({ query, of: query === END[end] ? null : 'frame' });
  return { queries };
}

/** The pool repeats a batch from its first trip if the connection lacked a prepared statement. */
function restore(run: Run, trip: number): void {
  const mark = run.marks[trip];
  if (mark === undefined) return;
  run.answers.length = mark.answers;
  run.roles.length = Math.min(run.roles.length, mark.answers);
  run.sent.length = mark.sent;
  run.queries.length = mark.queries;
  run.budget.added = mark.added;
  run.bytes = mark.bytes;
  run.arriving = 0;
  if (trip === 0) run.kept = run.keptAnswers = null;
}

/** Makes the answers to the items of a trip. @throws ItemFailure */
async function takeAnswers(run: Run, trip: number, results: BatchResult): Promise<void> {
  const items = run.batch.trips[trip] ?? [];
  const { frame } = run.batch;
  const rest = results.values();
  for (const { planned, queries } of run.sent.slice(run.sent.length - items.length)) {
    const own = resultsOf(queries, rest);
    if (frame !== null) run.roles.push(bodyText(own.note?.rows[0]));
    if (frame !== null && frame.readKept !== null) {
      run.kept ??= frame.readKept(own.kept?.rows[0]);
      run.keptAnswers ??= keptAnswers(run.kept);
      run.answers.push(await runInSlices(answerIn(run.keptAnswers, planned.item.index)));
      continue;
    }
    try {
      run.answers.push(await takeAnswer(run, planned, own));
    } catch (error) {
      throw new ItemFailure(planned.item, error);
    }
  }
}

async function takeAnswer(
  run: Run,
  { request, planned, prepared }: PlannedItem,
  results: RequestResults,
): Promise<ItemAnswer> {
  const tagged = run.snapshot.settings['db-etag'];
  const result = resultOf(prepared, results);
  const reply = respondConditionally(prepared.plan, result, planned.shaped, request.headers, tagged);
  const answer = await runInSlices(answerOf(reply, prepared.plan.output));
  requireResultBytes(run, prepared, answer.body?.length ?? 0);
  run.bytes += answer.body?.length ?? 0;
  requireBytes(run, run.bytes);
  return answer;
}

/** A read has the limit that it has by itself (`db-max-result-bytes`), which may be that of its role. @throws ResultTooLarge */
function requireResultBytes(
  { snapshot }: Run,
  { access, maxResultBytes }: PreparedPlan,
  bytes: number,
): void {
  const longest = Math.min(snapshot.streams.maxRowBytes, maxResultBytes ?? Infinity);
  if (access === 'read' && bytes > longest) throw new ResultTooLarge(bytes, longest);
}

/** Refuses a long column before it has arrived. */
function guardBytes(run: Run, length: number): null {
  run.arriving += length;
  requireBytes(run, run.bytes + run.arriving);
  return null;
}

/** @throws ResultTooLarge */
function requireBytes({ snapshot }: Run, bytes: number): void {
  const limit = snapshot.settings['db-max-batch-bytes'];
  if (bytes > limit) throw new ResultTooLarge(bytes, limit);
}
