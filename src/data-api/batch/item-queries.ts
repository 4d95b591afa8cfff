/** The queries of an item within the transaction of its batch. */
import type { BatchQuery } from '../../postgres/batch.js';
import { encodeParameters } from '../../postgres/encode-batch.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { sql, type Sql } from '../../postgres/sql.js';
import { prepare } from '../../postgres/statement.js';
import type { DataApiIdentity } from '../data-api-request.js';
import { graphError } from '../execute/graph-error.js';
import { refusalError } from '../execute/run-transaction.js';
import { addStatements, firstStepOf, prepareTransaction, type Transaction } from '../execute/transaction.js';
import { contextQuery, type TransactionContext } from '../execute/transaction-context.js';
import type { CallerContext } from '../prepare/caller-context.js';
import { INSERTED_SETTING } from '../sql/conflict.js';
import type { Snapshot } from '../snapshot.js';
import type { PlannedItem } from './planned-item.js';

const plainQuery = (text: Sql): BatchQuery => ({
  statement: prepare(text),
  parameters: [],
  returnsRows: false,
});

/**
 * A subtransaction is read-only by itself, and its parent stays read-write (PostgreSQL manual, SET TRANSACTION): so a read
 * of a batch that writes cannot write either.
 */
const SAVEPOINT = plainQuery(sql`savepoint dbr_read`);
const RELEASE = plainQuery(sql`release savepoint dbr_read`);

/**
 * Settings that a function or a trigger has made for its transaction end with its item: they may open rows to a policy. The
 * settings of the role are set again by the next context, which the role itself may not be allowed to do.
 */
export const RESET: readonly BatchQuery[] = [
  plainQuery(sql`select pg_catalog.set_config('role', 'none', true)`),
  plainQuery(sql`reset all`),
];

/** What the items of one run share. */
export interface ItemScope {
  readonly snapshot: Snapshot;
  readonly identity: DataApiIdentity;
  /** Settings of the role, by their names in lower case. */
  readonly roleSettings: ReadonlyMap<string, string>;
  /** Whether an item of the batch writes. */
  readonly writes: boolean;
  /** Contexts without the settings of the role, by schema. The batch sets these once, before the role. */
  readonly callers: Map<string, CallerContext>;
  /** Names of settings of the items so far, in lower case, which the following items must not see. */
  readonly changed: Set<string>;
}

/** The queries of an item, in order, and the transaction that it would be by itself. */
export interface ItemQueries {
  readonly queries: readonly BatchQuery[];
  readonly transaction: Transaction;
}

/** @param isReset whether `RESET` precedes the queries */
export function itemQueries(
  scope: ItemScope,
  { request, planned, prepared }: PlannedItem,
  isReset: boolean,
): ItemQueries {
  const { snapshot, writes } = scope;
  const { shaped, ready, cached } = planned;
  const named = cached && !snapshot.roles.changesRole;
  const transaction = prepareTransaction(request, shaped, prepared, ready.pace, named, snapshot);
  const countsInserted = prepared.columns.includes('inserted');
  if (isReset) scope.changed.clear();
  const own = contextOf(scope, transaction.context, shaped.request.schema, countsInserted);
  // Without a reset, the settings of the role are still in force.
  const queries = [contextQuery(isReset ? transaction.context : own)];
  addStatements(queries, transaction);
  const isRead = writes && prepared.access === 'read';
  return { queries: (isRead ? [SAVEPOINT, ...queries, RELEASE] : queries).map(inMemory), transaction };
}

/**
 * Returns the error of an item, with the position that its query would have if the item were not part of a batch.
 * @param index of the query among those of the item
 */
export function itemError(transaction: Transaction, error: PostgresError, index: number): unknown {
  const { prepared, preRequest, named } = transaction;
  if (prepared.steps.length === 0) return refusalError(prepared, error) ?? error;
  const before = 1 + (preRequest === null ? 0 : named ? 2 : 1);
  const alone = new PostgresError(error.fields, index + firstStepOf(transaction) - before);
  const found = graphError(transaction, alone);
  return found === alone ? (refusalError(prepared, error) ?? error) : found;
}

/** Bodies of a batch are joined with others, so they are received in memory of their own length. */
const inMemory = (query: BatchQuery): BatchQuery =>
  query.inBlocks === true ? { ...query, inBlocks: false } : query;

/**
 * The context of an item: without the settings of the role, and with those reset that an item before it has set, such as
 * the number of new rows of an upsert.
 */
function contextOf(
  scope: ItemScope,
  context: TransactionContext,
  schema: string,
  countsInserted: boolean,
): TransactionContext {
  const { moreSettings } = context;
  const own = new Set(moreSettings.map(([name]) => name.toLowerCase()));
  const reset = [...scope.changed].filter((name) => !own.has(name));
  for (const name of own) if (name !== 'role') scope.changed.add(name);
  const restored = reset.map((name) => [name, scope.roleSettings.get(name) ?? null] as const);
  const counter = countsInserted ? ([[INSERTED_SETTING, null]] as const) : [];
  return {
    ...context,
    caller: callerOf(scope, schema),
    moreSettings: [...restored, ...counter, ...moreSettings],
  };
}

function callerOf({ callers, snapshot, identity }: ItemScope, schema: string): CallerContext {
  const known = callers.get(schema);
  if (known !== undefined) return known;
  const values = [snapshot.searchPaths.get(schema) ?? '', identity.role, identity.claims];
  const caller = { role: identity.role, roleSettings: 0, encoded: encodeParameters(values) };
  callers.set(schema, caller);
  return caller;
}
