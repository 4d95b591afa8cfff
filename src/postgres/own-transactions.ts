/**
 * The transactions of notifications, signing and erasure: the isolation level that their statements are written for, and their
 * repetition after conflicts. Those of the data API have the level of the database, and their clients decide about repetition.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { command, prepare } from './batch.js';
import { type ErrorFields, PostgresError } from './postgres-error.js';
import { sql } from './sql.js';

/**
 * The first query of a transaction without BEGIN, whatever `default_transaction_isolation` is. Not `set transaction`, which
 * warns outside of a transaction block: PostgreSQL sets this parameter again at the beginning of every transaction.
 */
export const READ_COMMITTED = command(prepare(sql`set transaction_isolation = 'read committed'`));

/** SQLSTATEs of serialization_failure and deadlock_detected: PostgreSQL has ended the transaction for the sake of another. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

export const isConflict = ({ code }: Pick<ErrorFields, 'code'>): boolean => CONFLICTS.has(code);

const ATTEMPTS = 5;
/** Pauses are random, up to this time for the first, doubled for each further one. In milliseconds. */
const SHORTEST_PAUSE_MS = 10;
/** No attempt begins later than this after the first, so that a call is answered in its time. A deadlock is found after a second. */
const LONGEST_MS = 5000;

/**
 * Runs a transaction again after an error that allows it, a few times within five seconds.
 * @param run has no effect outside of the transaction
 * @param allows whether the error is one after which the transaction may succeed; unset, a conflict
 * @throws the error of the last attempt
 */
export async function repeatTransaction<Result>(
  run: () => Promise<Result>,
  allows: (error: unknown) => boolean = (error) => error instanceof PostgresError && isConflict(error.fields),
): Promise<Result> {
  const end = performance.now() + LONGEST_MS;
  for (let attempt = 1; ; attempt += 1)
    try {
      return await run();
    } catch (error) {
      const pause = Math.random() * SHORTEST_PAUSE_MS * 2 ** (attempt - 1);
      if (attempt === ATTEMPTS || performance.now() + pause >= end || !allows(error)) throw error;
      await delay(pause);
    }
}
