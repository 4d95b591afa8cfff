import type { Step } from '../../postgres/batch.js';
import type { Caller, Lanes } from '../../postgres/pool.js';
import { prepare } from '../../postgres/statement.js';
import { contextStep, type TransactionContext } from './transaction-context.js';

const CURRENT_USER: Step = {
  statement: prepare('select current_user::pg_catalog.text as body'),
  parameters: [],
  wanted: true,
};

/** The role that a description is for: the caller's, unless the pre-request function takes another. */
export async function runDocument(
  lanes: Lanes,
  context: TransactionContext,
  preRequest: Step | null,
  caller: Caller,
): Promise<string> {
  const steps = [contextStep(context), ...(preRequest === null ? [] : [preRequest]), CURRENT_USER];
  const [result] = await lanes.run({ steps, access: 'read', pace: 'quick' }, caller);
  return Buffer.concat(result?.rows[0]?.body ?? []).toString('utf8');
}
