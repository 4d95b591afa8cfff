/** Runs the transaction of a request on the server that is chosen for it, where replicas are set. */
import type { Pool } from '../../postgres/pool.js';
import type { Replicas, Replicated } from '../../replicas/replicas.js';
import type { DataApiRequest } from '../data-api-request.js';
import type { MainResult } from './main-result.js';
import { runTransaction } from './run-transaction.js';
import type { Transaction } from './transaction.js';

/**
 * Runs a read on a replica if one is fresh enough, any other transaction on the primary.
 * @throws DbrError InvalidPosition; the errors of `runTransaction`
 */
export function runReplicated(
  replicas: Replicas,
  primary: Pool,
  transaction: Transaction,
  { headers, caller }: DataApiRequest,
): Promise<Replicated<MainResult>> {
  const { isolation, prepared } = transaction;
  const { plan, access } = prepared;
  const isVolatile = plan.kind === 'call' && plan.volatile;
  const request = {
    access,
    // A standby has no serializable transactions.
    mayUseReplica: !isVolatile && isolation !== 'serializable',
    readsCommitted: isolation === 'read committed',
    position: headers['dbr-position'],
    signal: caller.signal,
  };
  return replicas.run(request, primary, (pool) => runTransaction(pool, transaction, caller));
}
