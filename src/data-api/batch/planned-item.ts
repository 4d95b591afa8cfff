/** An item with its plan. */
import { dbrError } from '../../errors/dbr-error.js';
import type { Sliced } from '../../base/turns.js';
import { carriedBy, type Request } from '../../contract/request.js';
import type { PlannedRequest } from '../plan-cache.js';
import { planShaped, readShaped, type UnpackedDataRequest } from '../planned-request.js';
import { executedText, type PreparedPlan } from '../prepare/prepared-plan.js';
import { cursorKeyOf } from '../request/cursor.js';
import { readPairs } from '../request/query-string.js';
import type { Snapshot } from '../snapshot.js';
import type { SqlText } from '../sql/sql-text.js';
import { type ItemAnswer, textOfMark, valueOf } from './answers.js';
import {
  type BatchItem,
  headersOfItem,
  failureOf,
  type Reference,
  requireMarksInValues,
  withoutMarks,
  filled,
  invalidReference,
} from './batch-item.js';
import type { Isolation } from '../schema-cache/types.js';
import type { BatchQuery } from '../../postgres/batch.js';
import type { PostgresError } from '../../postgres/postgres-error.js';
import { sql } from '../../postgres/sql.js';
import { graphError } from '../execute/graph-error.js';
import { refusalError } from '../execute/run-transaction.js';
import {
  bindParameters,
  plainQuery,
  prepareTransaction,
  queriesOf,
  type RequestQueries,
  type Transaction,
} from '../execute/transaction.js';

export interface PlannedItem {
  readonly item: BatchItem;
  readonly request: UnpackedDataRequest;
  readonly planned: PlannedRequest;
  readonly prepared: PreparedPlan;
}

/** Plans an item. @param body with all references resolved @throws ItemFailure */
export async function planItem(
  item: BatchItem,
  body: Buffer,
  batch: Request,
  snapshot: Snapshot,
): Promise<PlannedItem> {
  try {
    const { request, shaped } = await readShaped(requestOf(item, body, batch), snapshot);
    requireMarksInValues(shaped.values, item.marks);
    return plannedItem(item, request, planShaped(shaped, request, snapshot));
  } catch (error) {
    throw failureOf(item, error);
  }
}

/** @throws DbrError */
export function plannedItem(
  item: BatchItem,
  request: UnpackedDataRequest,
  planned: PlannedRequest,
): PlannedItem {
  const { plan } = planned.ready;
  if (plan.kind !== 'statements') throw dbrError('UnsupportedMethod', { method: request.method });
  if (plan.stream !== null) throw dbrError('NotStreamable', { details: 'batch' });
  return { item, request, planned, prepared: plan };
}

function requestOf(item: BatchItem, body: Buffer, batch: Request): Request {
  const { identity, trace, caller } = batch;
  const { headers, rawHeaders } = headersOfItem(batch, item);
  const { method, path, query } = item;
  return {
    method,
    path,
    query,
    carries: carriedBy(method, path),
    headers,
    rawHeaders,
    identity,
    timings: null,
    trace,
    caller,
    charge: null,
    body,
  };
}

/** Most bytes that references add to the bodies and queries of a batch. */
const MOST_ADDED = 16_777_216;

/** @throws DbrError InvalidBatchReference if the references of the batch add too much */
function spend(budget: { added: number }, length: number, { spelled }: Reference): void {
  budget.added += length;
  if (budget.added > MOST_ADDED) throw invalidReference(spelled, 'long');
}

/** Puts the values of earlier answers into the body of an item. @param budget bytes that may be added @throws DbrError */
export function* resolveBody(
  item: BatchItem,
  answers: readonly ItemAnswer[],
  budget: { added: number },
): Sliced<Buffer> {
  const { body } = item;
  if (body.kind === 'complete') return body.bytes;
  return yield* filled(body.json, body.slots, function* ({ reference }) {
    const value = yield* valueOf(answers, reference);
    spend(budget, value.length, reference);
    return value;
  });
}

/**
 * Puts the values of earlier answers into the query of an item. @param budget bytes that may be added @throws DbrError
 * InvalidBatchReference
 */
export function* resolveQuery(
  planned: PlannedItem,
  answers: readonly ItemAnswer[],
  budget: { added: number },
  { cursorSecrets }: Snapshot,
): Sliced<PlannedItem> {
  const { item, request } = planned;
  if (item.marks.length === 0) return planned;
  const { shaped } = planned.planned;
  const texts = new Map<string, string>();
  for (const mark of item.marks) {
    const text = yield* textOfMark(answers, mark);
    spend(budget, text.length, mark.reference);
    texts.set(mark.text, text);
  }
  const resolved = withoutMarks(shaped, texts);
  let { cursorKey } = shaped;
  if (cursorKey !== undefined) {
    // The links of the page have the values.
    const { pairs } = withoutMarks({ ...shaped, pairs: readPairs(request.query) }, texts);
    cursorKey = cursorKeyOf(request, pairs ?? [], cursorSecrets);
  }
  return { ...planned, planned: { ...planned.planned, shaped: { ...shaped, ...resolved, cursorKey } } };
}

/** From the weakest to the strongest. */
const ISOLATIONS: readonly Isolation[] = ['read committed', 'repeatable read', 'serializable'];

/** The isolation that the function of an item has as a setting; null for none. */
export const isolationOf = ({ prepared: { plan } }: PlannedItem): Isolation | null =>
  plan.kind === 'call' ? plan.isolation : null;

export const strongest = (levels: readonly Isolation[]): Isolation =>
  ISOLATIONS.findLast((level) => levels.includes(level)) ?? 'read committed';

/** @throws DbrError InvalidBatchItem for a function that demands a stronger isolation than the transaction has */
export function requireIsolation(planned: PlannedItem, isolation: Isolation): void {
  const own = isolationOf(planned);
  if (own === null || strongest([own, isolation]) === isolation) return;
  const details = `The function needs a transaction that is ${own}. Send Prefer: isolation=${own.replace(' ', '-')}.`;
  throw dbrError('InvalidBatchItem', { details });
}

/**
 * A subtransaction is read-only by itself, and its parent stays read-write (PostgreSQL manual, SET TRANSACTION): so a read
 * of a batch that writes cannot write either.
 */
const SAVEPOINT = plainQuery(sql`savepoint dbr_read`);
const RELEASE = plainQuery(sql`release savepoint dbr_read`);

/**
 * Settings that an item has made, itself or by a function, a view, a policy or a trigger, end with it: they may open rows
 * to a policy. The next context sets those of the role again, which the role itself may not be allowed to do.
 */
export const RESET: readonly BatchQuery[] = [
  plainQuery(sql`select pg_catalog.set_config('role', 'none', true)`),
  plainQuery(sql`reset all`),
];

/** Values that the items of one run share. */
export interface ItemScope {
  readonly snapshot: Snapshot;
  /** Whether an item of the batch writes. */
  readonly writes: boolean;
  /** Whether only the privileges of the role are checked, and no statement of an item is executed. */
  readonly checksOnly: boolean;
}

/** An item whose queries are sent. */
export interface SentItem {
  readonly planned: PlannedItem;
  /** The transaction that it would be by itself. */
  readonly transaction: Transaction;
  readonly queries: RequestQueries;
}

/**
 * @param frame queries behind the function of `db-pre-request`
 * @throws ItemFailure for an item whose cost is known to be too high
 */
export function sentItem(
  scope: ItemScope,
  planned: PlannedItem,
  frame: Pick<RequestQueries, 'note' | 'claim'>,
): SentItem {
  const { writes, checksOnly } = scope;
  const transaction = transactionOf(planned, scope);
  const queries = queriesOf(transaction);
  const isRead = writes && planned.prepared.access === 'read';
  const ofItem = {
    ...queries,
    ...frame,
    begin: isRead ? SAVEPOINT : null,
    // Bodies of a batch are joined with others, so they are received in memory of their own length.
    main: { ...queries.main, inBlocks: false },
    constraints: null,
    end: isRead ? RELEASE : null,
  };
  return { planned, transaction, queries: checksOnly ? privilegeChecks(ofItem, transaction) : ofItem };
}

/** Explains the statements instead: PostgreSQL checks the privileges of the role and executes nothing. */
function privilegeChecks(queries: RequestQueries, { prepared, bindings }: Transaction): RequestQueries {
  const explained = ({ text, parameters }: SqlText): BatchQuery => ({
    ...plainQuery(sql`explain ${text}`),
    parameters: bindParameters(parameters, bindings),
    unnamed: true,
  });
  return {
    ...queries,
    roleCheck: null,
    steps: prepared.steps.map(({ statement: { text }, parameters }) => explained({ text, parameters })),
    costGuard: null,
    main: explained(executedText(prepared.plan, prepared.main)),
    estimate: null,
  };
}

function transactionOf(
  { item, request, planned, prepared }: PlannedItem,
  { snapshot }: ItemScope,
): Transaction {
  const { shaped, ready, cached } = planned;
  const named = cached && !snapshot.roles.changesRole;
  try {
    return prepareTransaction(request, shaped, prepared, ready.lastRun, named, snapshot);
  } catch (error) {
    throw failureOf(item, error);
  }
}

/** Returns the error of an item. @param failed the query that failed */
export function itemError(
  { transaction, queries }: SentItem,
  failed: BatchQuery,
  error: PostgresError,
): unknown {
  const found = graphError(transaction, queries, failed, error);
  return found === error ? (refusalError(transaction.prepared, error) ?? error) : found;
}
