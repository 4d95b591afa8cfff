/** The queries of an item within the transaction of its batch. */
import type { BatchQuery } from '../../postgres/batch.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { sql, type Sql } from '../../postgres/sql.js';
import { prepare } from '../../postgres/statement.js';
import { graphError } from '../execute/graph-error.js';
import { refusalError } from '../execute/run-transaction.js';
import {
  addPrivilegeChecks,
  addStatements,
  firstStepOf,
  prepareTransaction,
  type Transaction,
} from '../execute/transaction.js';
import { contextQuery } from '../execute/transaction-context.js';
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
 * Settings that an item has made, itself or by a function, a view, a policy or a trigger, end with it: they may open rows
 * to a policy. The next context sets those of the role again, which the role itself may not be allowed to do.
 */
export const RESET: readonly BatchQuery[] = [
  plainQuery(sql`select pg_catalog.set_config('role', 'none', true)`),
  plainQuery(sql`reset all`),
];

/** What the items of one run share. */
export interface ItemScope {
  readonly snapshot: Snapshot;
  /** Whether an item of the batch writes. */
  readonly writes: boolean;
  /** Whether only the privileges of the role are checked, and no statement of an item is executed. */
  readonly checksOnly: boolean;
}

/** The queries of an item, in order, and the transaction that it would be by itself. */
export interface ItemQueries {
  readonly queries: readonly BatchQuery[];
  readonly transaction: Transaction;
}

/** @param between queries behind the function of `db-pre-request` */
export function itemQueries(
  { snapshot, writes, checksOnly }: ItemScope,
  { request, planned, prepared }: PlannedItem,
  between: readonly BatchQuery[],
): ItemQueries {
  const { shaped, ready, cached } = planned;
  const named = cached && !snapshot.roles.changesRole;
  const transaction = prepareTransaction(request, shaped, prepared, ready.pace, named, snapshot);
  const queries = [contextQuery(transaction.context)];
  (checksOnly ? addPrivilegeChecks : addStatements)(queries, transaction, between);
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
