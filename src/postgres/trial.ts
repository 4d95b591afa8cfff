/** A transaction that cannot be committed: for a dry run of migrations, and for tests of policies. */
import type { Session } from './session.js';

/**
 * A deferred constraint that is violated: if a script contains `commit`, PostgreSQL rolls the transaction back instead
 * (PostgreSQL manual, SET CONSTRAINTS).
 */
const GUARD = `
  begin read write;
  create temporary table dbr_trial (
    id integer primary key,
    guard integer constraint this_transaction_is_rolled_back references dbr_trial deferrable initially deferred
  ) on commit drop;
  insert into dbr_trial values (1, 2)`;

/**
 * Begins the transaction. What follows in the session, if a script contains `rollback`, can only read. It is set apart, since
 * the rollback would undo it.
 */
export async function beginTrial(session: Session): Promise<void> {
  await session.script('set default_transaction_read_only = on');
  await session.script(GUARD);
}

/**
 * Checks the deferred constraints, which a commit would check. The savepoint leaves them deferred.
 * @throws the error of the violated constraint
 */
export const checkDeferred = (session: Session): Promise<void> =>
  session.script(`savepoint dbr_deferred; delete from pg_temp.dbr_trial; set constraints all immediate;
    rollback to savepoint dbr_deferred; release savepoint dbr_deferred`);

/** Rolls back. */
export const endTrial = (session: Session): Promise<void> => session.script('rollback');
