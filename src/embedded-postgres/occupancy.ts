import { openSession, type Session } from '../postgres/session.js';

/**
 * The presence of this process on the embedded server, visible to other processes. It is a shared advisory lock of a session, so
 * that PostgreSQL releases it if the process is killed.
 */
export interface Occupancy {
  /** Resolves when the server or the session ends before `leave` is called. */
  readonly lost: Promise<void>;
  /**
   * Ends the presence of this process. Returns true if it was the last one; no other process can then enter until the
   * server is stopped.
   */
  leave(): Promise<boolean>;
  close(): Promise<void>;
}

const LOCK = 5_347_116;

/**
 * Registers the presence of this process on the server. Waits while the last process to leave stops the server, and
 * then fails.
 *
 * @throws the error of the driver if the server does not run, is not ready, or refuses the connection
 */
export async function occupy(superuserUri: string): Promise<Occupancy> {
  const session = await openSession(superuserUri);
  try {
    await session.query('select pg_catalog.pg_advisory_lock_shared($1)', [LOCK]);
  } catch (error) {
    await session.close();
    throw error;
  }
  return {
    lost: session.lost,
    leave: async () => await leave(session),
    close: async () => {
      await session.close();
    },
  };
}

/**
 * Returns whether no other process uses the data. Each process gives up its own lock before it looks for those of others:
 * if several leave at a time, at least the last one to look finds none.
 */
async function leave(session: Session): Promise<boolean> {
  await session.query('select pg_catalog.pg_advisory_unlock_shared($1)', [LOCK]);
  const [row] = await session.query('select pg_catalog.pg_try_advisory_lock($1) as last', [LOCK]);
  return row?.['last'] === true;
}
