import type { BatchQuery } from '../../postgres/batch.js';
import type { Caller, Pool } from '../../postgres/pool.js';
import { prepare } from '../../postgres/statement.js';
import { contextQuery, type TransactionContext } from './transaction-context.js';

const CURRENT_USER: BatchQuery = {
  statement: prepare('select current_user::pg_catalog.text as body'),
  parameters: [],
  returnsRows: true,
};

/** The role that a description is for: the caller's, unless the pre-request function takes another. */
export async function runDocument(
  pool: Pool,
  context: TransactionContext,
  preRequest: BatchQuery | null,
  caller: Caller,
): Promise<string> {
  const queries = [contextQuery(context), ...(preRequest === null ? [] : [preRequest]), CURRENT_USER];
  const [result] = await pool.run({ queries, access: 'read', pace: 'quick' }, caller);
  return Buffer.concat(result?.rows[0]?.body ?? []).toString('utf8');
}
