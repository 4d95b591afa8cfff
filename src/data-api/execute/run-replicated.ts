/** Runs the transaction of a request on the server that is chosen for it, where replicas are set. */
import type { Pool } from '../../postgres/pool.js';
import type { ReplicaRequest, Replicas, Replicated } from '../../replicas/replicas.js';
import type { Batch } from '../../postgres/batch.js';
import { sql } from '../../postgres/sql.js';
import { prepare } from '../../postgres/statement.js';
import type { Request, RequestHead } from '../../contract/request.js';
import type { MainResult } from './main-result.js';
import type { RowStream } from './row-stream-state.js';
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
  { headers, caller }: Request,
): Promise<Replicated<MainResult>> {
  const request = replicaRequest(transaction, headers['dbr-position'], caller);
  return replicas.run(request, primary, (pool) => runTransaction(pool, transaction, caller));
}

/** Begins a stream of rows on a replica. One that must see a position reads the primary, which has every position. */
export function runStreamReplicated(
  replicas: Replicas,
  primary: Pool,
  transaction: Transaction,
  { headers, caller }: Request,
  run: (pool: Pool) => Promise<RowStream>,
): Promise<Replicated<RowStream>> {
  const position = headers['dbr-position'];
  const request = replicaRequest(transaction, position, caller);
  const mayUseReplica = request.mayUseReplica && position === undefined;
  return replicas.run({ ...request, mayUseReplica }, primary, run);
}

/** A batch behind a transaction, whose pool finds the position of the log. */
const AFTERWARDS: Batch = {
  queries: [{ statement: prepare(sql`select 1`), parameters: [], returnsRows: false }],
  access: 'read',
  pace: 'quick',
};

/** Writes a streamed body to the primary, and finds the position of its commit. */
export function runUploadReplicated(
  replicas: Replicas,
  primary: Pool,
  transaction: Transaction,
  { headers, caller }: RequestHead,
  write: (pool: Pool) => Promise<MainResult>,
): Promise<Replicated<MainResult>> {
  const request = replicaRequest(transaction, headers['dbr-position'], caller);
  return replicas.run(request, primary, async (pool) => {
    const result = await write(pool);
    // The rows are committed: the response is that of the write, with or without a position.
    await pool.run(AFTERWARDS, caller).catch(() => undefined);
    return result;
  });
}

function replicaRequest(
  { isolation, prepared }: Transaction,
  position: ReplicaRequest['position'],
  { signal }: Request['caller'],
): ReplicaRequest {
  const { plan, access } = prepared;
  const isVolatile = plan.kind === 'call' && plan.volatile;
  return {
    access,
    // A standby has no serializable transactions.
    mayUseReplica: !isVolatile && isolation !== 'serializable',
    readsCommitted: isolation === 'read committed',
    position,
    signal,
  };
}
