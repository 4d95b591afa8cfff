import { openSession, type Session } from '../postgres/session.js';

/**
 * The presence of this process on the embedded server, visible to other processes. It is a shared advisory lock of a session, so
 * that PostgreSQL releases it if the process is killed.
 */
export interface Occupancy {
  /** Resolves when the server, or the session, goes away without our leaving. */
  readonly lost: Promise<void>;
  /**
   * Gives up our presence. True: we were the last one, and until the server is stopped no one else can come in.
   */
  leave(): Promise<boolean>;
  close(): Promise<void>;
}

const LOCK = 5_347_116;

/**
 * Takes our place on the server. Waits while the last one to leave is stopping it, and then fails.
 *
 * @throws the driver's error when the server is not there, not ready, or refuses us.
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

/** Of several that leave together, each gives up its own place before it looks: the last to look sees none. */
async function leave(session: Session): Promise<boolean> {
  await session.query('select pg_catalog.pg_advisory_unlock_shared($1)', [LOCK]);
  const [row] = await session.query('select pg_catalog.pg_try_advisory_lock($1) as last', [LOCK]);
  return row?.['last'] === true;
}
