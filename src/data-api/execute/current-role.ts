import type { BatchQuery } from '../../postgres/batch.js';
import { prepare } from '../../postgres/statement.js';
import type { RequestHead } from '../../contract/request.js';
import type { ApiRequestHead } from '../request/read-request.js';
import type { Snapshot } from '../snapshot.js';
import { preRequestQuery } from '../prepare/pre-request.js';
import { contextQuery, transactionContext } from './transaction-context.js';
import { sql } from '../../postgres/sql.js';

const CURRENT_USER: BatchQuery = {
  statement: prepare(sql`select current_user::pg_catalog.text as body`),
  parameters: [],
  returnsRows: true,
};

/**
 * Returns the role for which a description is made: that of the request, unless the function of `db-pre-request` sets
 * another.
 */
export async function currentRole(
  request: RequestHead,
  head: Pick<ApiRequestHead, 'schema' | 'preferences'>,
  snapshot: Snapshot,
): Promise<string> {
  const { settings, plans, pool } = snapshot;
  const preRequest = settings['db-pre-request'];
  const queries = [contextQuery(transactionContext(request, head, null, 'read', snapshot))];
  if (preRequest !== null)
    queries.push(preRequestQuery(preRequest, request.identity.role, head.schema, plans.statements));
  queries.push(CURRENT_USER);
  const [result] = await pool.run({ queries, access: 'read', pace: 'quick' }, request.caller);
  return Buffer.concat(result?.rows[0]?.body ?? []).toString('utf8');
}
