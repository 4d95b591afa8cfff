/** Pools that add what positions need to the batches of a transaction, in the same trip. */
import type { BatchQuery, QueryResult } from '../postgres/batch.js';
import type { Pool } from '../postgres/pool.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { sql } from '../postgres/sql.js';
import { prepare } from '../postgres/statement.js';
import {
  endOfLastRecord,
  parsePosition,
  renderPosition,
  UNKNOWN_POSITION,
  type Position,
} from './position.js';

/** The replica has not replayed the position, or is a standby no more. */
export class NotReplayed extends Error {
  override readonly name = 'NotReplayed';
}

/** Fails with division_by_zero unless this very server, as a standby, has replayed the position. */
const GUARD = prepare(
  sql`select 1 / (pg_catalog.pg_is_in_recovery() and pg_catalog.pg_last_wal_replay_lsn() >= $1::pg_catalog.pg_lsn)::pg_catalog.int4`,
);

/**
 * Returns a pool whose batches fail with NotReplayed if the server has not replayed the position. The check is the first
 * statement of the transaction, so the others see what it has found, as long as each has a snapshot of its own (READ
 * COMMITTED).
 */
export function guardedPool(pool: Pool, position: Position): Pool {
  const guard: BatchQuery = {
    statement: GUARD,
    parameters: [renderPosition(position)],
    returnsRows: false,
  };
  return withRun(pool, (batch, caller) =>
    pool.run({ ...batch, queries: [guard, ...batch.queries] }, caller).catch((error: unknown) => {
      if (!(error instanceof PostgresError) || error.query === null) throw error;
      if (error.query === 0) throw new NotReplayed(error.message);
      throw new PostgresError(error.fields, error.query - 1);
    }),
  );
}

/** A query that runs behind a transaction finds the position of its commit, or one after it. */
const POSITION: BatchQuery = {
  statement: prepare(
    sql`select pg_catalog.current_setting('wal_block_size'), pg_catalog.pg_current_wal_insert_lsn()`,
  ),
  parameters: [],
  returnsRows: true,
};

export interface PositionedPool {
  readonly pool: Pool;
  /** A position at or after the commit of the last batch; UNKNOWN_POSITION if it could not be read. */
  readonly position: () => Position;
}

/** Returns a pool that reads the position of the log after each batch. */
export function positionedPool(pool: Pool): PositionedPool {
  let position = UNKNOWN_POSITION;
  return {
    position: () => position,
    pool: withRun(pool, async (batch, caller) => {
      const expected = batch.queries.reduce((count, { returnsRows }) => count + Number(returnsRows), 0);
      const results = await pool.run({ ...batch, followUp: POSITION }, caller);
      position = positionIn(results[expected]);
      return results.slice(0, expected);
    }),
  };
}

const withRun = (pool: Pool, run: Pool['run']): Pool => ({
  run,
  openStream: () => pool.openStream(),
  get state() {
    return pool.state;
  },
  renew: () => pool.renew(),
  close: () => pool.close(),
});

function positionIn(result: QueryResult | undefined): Position {
  const row = result?.rows[0];
  const text =
    row?.body === null || row?.body === undefined ? '' : Buffer.concat(row.body).toString('latin1');
  const insert = parsePosition(text);
  return insert === null ? UNKNOWN_POSITION : endOfLastRecord(insert, BigInt(row?.columns[0] ?? 0));
}
