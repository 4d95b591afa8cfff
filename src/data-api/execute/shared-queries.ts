/** The queries of a batch that several reads share. */
import type { BatchQuery, QueryResult } from '../../postgres/batch.js';
import { prepare } from '../../postgres/statement.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import { LOOKUP_COLUMNS } from '../sql/lookup.js';
import { TABLE_CHECK } from '../sql/table-check.js';
import { arrayLiteral, bindLookups } from './bind.js';
import type { EqualReads, LookupReads, SharedRead } from './shared-groups.js';
import { arrayContextQuery, sharedContextQuery } from './transaction-context.js';

/** The context without claims, the rows, and the check of the tables. @param first of the reads */
export function sharedQueries(group: EqualReads | LookupReads, first: SharedRead): readonly BatchQuery[] {
  const { prepared } = first.transaction;
  return [contextOf(group, first), queryOf(group, prepared), tableCheckQuery(prepared)];
}

const contextOf = (
  { kind }: EqualReads | LookupReads,
  { transaction: { context } }: SharedRead,
): BatchQuery => (kind === 'lookups' ? arrayContextQuery(context) : sharedContextQuery(context));

/** The queries that ask whether the rows depend on the request. */
export const checkQueries = (group: EqualReads | LookupReads, first: SharedRead): readonly BatchQuery[] => [
  contextOf(group, first),
  tableCheckQuery(first.transaction.prepared),
];

function queryOf(group: EqualReads | LookupReads, { main, columns }: PreparedPlan): BatchQuery {
  if (group.kind === 'equal') {
    const { statement } = main;
    const { parameters } = group;
    return { statement, parameters, returnsRows: true, columns: columns.length, inBlocks: true };
  }
  const lookups = group.reads.map(({ transaction }) => ({
    keys: transaction.prepared.sharing?.lookup?.keys ?? [],
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

/** Whether the rows depend on settings of the transaction, by the result of the check of the tables. */
export const dependOnRequest = (check: QueryResult | undefined): boolean =>
  Buffer.concat(check?.rows[0]?.body ?? []).toString() !== 'f';
