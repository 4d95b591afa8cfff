import { expect } from 'chai';
import type { Batch, BatchResult } from '../../../src/postgres/batch.js';
import { ConnectionLost } from '../../../src/postgres/postgres-error.js';
import { sql } from '../../../src/postgres/sql.js';
import { inTransaction, transactionRole } from '../../../src/postgres/transaction.js';
import { rejection } from '../../support/postgres/batches.js';

const RESULTS: BatchResult = [{ rows: [], commandTag: 'SELECT 0' }];
const ROLE = { role: transactionRole(sql`select where false`), parameters: [] };

describe('a transaction that its pool begins again', () => {
  /** Runs a transaction of two queries on a pool that does this with each batch. Returns the error, and the runs of the body. */
  async function runWith(...batches: readonly ((batch: Batch) => Promise<BatchResult>)[]) {
    let sent = 0;
    let runs = 0;
    const pool = { run: (batch: Batch) => batches[sent++]?.(batch) ?? Promise.reject(new Error('not sent')) };
    const error = await rejection(
      inTransaction(pool, ROLE, async (task) => {
        runs++;
        await task.any({ text: sql`select 1`, values: [] });
        await task.any({ text: sql`select 2`, values: [] });
      }),
    );
    return { error, runs, sent };
  }
  const beginAgain = async ({ next }: Batch): Promise<BatchResult> => {
    await next?.(RESULTS);
    await next?.(RESULTS);
    return [];
  };
  const lost = new ConnectionLost('the outcome is unknown', true);

  it('runs its body once more, and does not repeat what that run may have committed', async () => {
    expect(await runWith(beginAgain, () => Promise.reject(lost))).to.deep.equal({
      error: lost,
      runs: 2,
      sent: 2,
    });
  });

  it('fails if it is begun again once more', async () => {
    const { error, sent } = await runWith(beginAgain, beginAgain);
    expect(error).to.be.instanceOf(ConnectionLost);
    expect(sent).to.equal(2);
  });
});
