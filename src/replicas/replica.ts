/** One replica: its connections, how far it has replayed the log, and the reads that wait for it. */
import type { Gone } from '../base/gone.js';
import { oneWithin } from '../postgres/direct-connection.js';
import type { Database } from '../postgres/database.js';
import type { Pool } from '../postgres/pool.js';
import { parsePosition, type Position } from './position.js';
import { freshAsOf, type PrimaryLog } from './primary-log.js';

export interface Replica {
  /** Host and port, for logs and metrics. */
  readonly name: string;
  /** Serves reads. */
  readonly pool: Pool;
  /** One connection, which asks for the state of the replica. */
  readonly database: Database;
  /** Longest wait for the state, in milliseconds. A replica that is silent for longer counts as away. */
  readonly questionTimeoutMs: number;
  readonly waiters: Set<Waiter>;
  /** False if the server cannot be reached, or is not a standby. */
  isStandby: boolean;
  /** Position up to which the log was replayed when the replica was last asked. */
  replayed: Position;
  /** When the server was started, as it reports it. */
  startedAt: string;
  /**
   * Whether it had replayed more than the primary had written when it was compared with it after its start; null until then.
   * A replica that is ahead left the primary's history at a failover, and can return by a start only.
   */
  isAhead: boolean | null;
  /** The time up to which it has every commit, by `performance.now()`; -Infinity if it is unknown. */
  freshAsOf: number;
  /** The query that is under way; null if there is none. */
  asking: Promise<void> | null;
  /** Whether a loop asks for the waiters. */
  isFollowed: boolean;
  closed: boolean;
}

interface Waiter {
  readonly position: Position;
  readonly signal: Gone | null;
  /** Ends the wait. @param reached whether the replica has replayed the position */
  readonly end: (reached: boolean) => void;
}

export const createReplica = (
  named: Pick<Replica, 'name' | 'pool' | 'database'>,
  questionTimeoutMs: number,
): Replica => ({
  ...named,
  questionTimeoutMs,
  waiters: new Set(),
  isStandby: false,
  replayed: 0n,
  startedAt: '',
  isAhead: null,
  freshAsOf: -Infinity,
  asking: null,
  isFollowed: false,
  closed: false,
});

const STATE = `
select pg_catalog.pg_is_in_recovery() as standby,
       pg_catalog.pg_last_wal_replay_lsn()::text as replayed,
       pg_catalog.pg_postmaster_start_time()::text as started`;

interface StateRow {
  readonly standby: boolean;
  readonly replayed: string | null;
  readonly started: string;
}

/** Asks the replica for its state. Concurrent callers share one query. */
export function askReplica(replica: Replica, log: PrimaryLog): Promise<void> {
  replica.asking ??= ask(replica, log).finally(() => (replica.asking = null));
  return replica.asking;
}

async function ask(replica: Replica, log: PrimaryLog): Promise<void> {
  try {
    const { database, questionTimeoutMs } = replica;
    const { standby, replayed, started } = await oneWithin<StateRow>(database, STATE, questionTimeoutMs);
    const position = parsePosition(replayed ?? '');
    if (started !== replica.startedAt) replica.isAhead = null;
    replica.startedAt = started;
    replica.isStandby = standby && position !== null && replica.isAhead === false;
    replica.replayed = position ?? 0n;
    replica.freshAsOf = freshAsOf(log, replica.replayed);
  } catch {
    markAway(replica);
  }
}

/**
 * Begins the use of a replica, or ends it where the replica has replayed more than the primary has written: it has commits that the
 * primary lacks, and positions of the primary stand for others there.
 * @param known what was known of the replica before the primary was asked
 * @param flushed position of the primary
 */
export function compareWithPrimary(
  replica: Replica,
  known: Pick<Replica, 'replayed' | 'startedAt'>,
  flushed: Position,
): void {
  if (known.replayed === 0n || known.startedAt !== replica.startedAt) return;
  if (known.replayed <= flushed) {
    replica.isAhead ??= false;
  } else {
    replica.isAhead = true;
    replica.isStandby = false;
  }
}

/** Forgets what is known: the server may be another one, or restored from a backup, when it can be reached again. */
export function markAway(replica: Replica): void {
  replica.isStandby = false;
  replica.replayed = 0n;
  replica.freshAsOf = -Infinity;
}

/** Most reads that wait for one replica; further ones go to the primary. */
const MAX_WAITERS = 1000;
/** Shortest and longest pause between two questions while reads wait, in milliseconds. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;

/** Resolves when the replica has replayed the position (true), or cannot within the time (false). */
export function waitForReplay(
  replica: Replica,
  log: PrimaryLog,
  position: Position,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: Gone | null },
): Promise<boolean> {
  if (replica.replayed >= position) return Promise.resolve(true);
  if (timeoutMs === 0 || replica.waiters.size >= MAX_WAITERS) return Promise.resolve(false);
  return new Promise((resolve) => {
    const waiter: Waiter = {
      position,
      signal,
      end(reached) {
        clearTimeout(timer);
        replica.waiters.delete(waiter);
        resolve(reached);
      },
    };
    const timer = setTimeout(waiter.end, timeoutMs, false);
    replica.waiters.add(waiter);
    if (!replica.isFollowed) void follow(replica, log);
  });
}

/** Asks the replica until no read waits for it. */
async function follow(replica: Replica, log: PrimaryLog): Promise<void> {
  replica.isFollowed = true;
  for (let pause = FIRST_PAUSE_MS; replica.waiters.size > 0; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    // A question that is under way may have been answered before the wait began.
    await replica.asking;
    await askReplica(replica, log);
    for (const waiter of replica.waiters) {
      if (!replica.isStandby || replica.closed || waiter.signal?.aborted === true) waiter.end(false);
      else if (replica.replayed >= waiter.position) waiter.end(true);
    }
    if (replica.waiters.size > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  replica.isFollowed = false;
}
