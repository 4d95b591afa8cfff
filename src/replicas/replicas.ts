/**
 * Chooses the server of each transaction: a replica for reads, within the allowed lag and at the requested position; the
 * primary for everything else.
 */
import type { Observe } from '../observability/observation.js';
import type { Gone } from '../base/gone.js';
import { oneWithin } from '../postgres/direct-connection.js';
import type { Database } from '../postgres/database.js';
import type { Pool } from '../postgres/pool.js';
import { ConnectFailed, ConnectionLost, PostgresError } from '../postgres/postgres-error.js';
import {
  parsePosition,
  renderPosition,
  requestedPosition,
  UNKNOWN_POSITION,
  type Position,
  endOfLastRecord,
} from './position.js';
import { recordSample, type PrimaryLog } from './primary-log.js';
import {
  askReplica,
  compareWithPrimary,
  createReplica,
  markAway,
  waitForReplay,
  type Replica,
} from './replica.js';
import { command, type BatchQuery, type QueryResult, prepare } from '../postgres/batch.js';
import { sql } from '../postgres/sql.js';

/** A transaction, as far as the choice of its server depends on it. */
interface ReplicaRequest {
  /** False for a write, a volatile function, and an isolation that a standby does not have. */
  readonly mayUseReplica: boolean;
  readonly access: 'read' | 'write';
  /** Whether each statement sees what was committed before it. Otherwise a position cannot be checked. */
  readonly readsCommitted: boolean;
  /** The header `Dbr-Position`. */
  readonly position: string | readonly string[] | undefined;
  readonly signal: Gone | null;
}

export interface Replicated<Result> {
  readonly result: Result;
  /** After a write: a position of the log at or after its commit, for `Dbr-Position`; null after a read. */
  readonly position: string | null;
}

export interface Replicas {
  /**
   * Runs a transaction on the server that is chosen for it. A read that a replica cannot run is run again on the primary.
   * @throws DbrError InvalidPosition; the errors of `run`
   */
  run<Result>(
    request: ReplicaRequest,
    primary: Pool,
    run: (pool: Pool) => Promise<Result>,
  ): Promise<Replicated<Result>>;
  /** Lag of each replica in seconds, by its name; Infinity if it is unknown. */
  lags(): readonly (readonly [name: string, seconds: number])[];
  /** Replaces the connections that serve reads. */
  renew(): void;
  close(): Promise<void>;
}

interface ReplicasOptions {
  /** Asked for its position. */
  readonly primary: Database;
  readonly replicas: readonly Pick<Replica, 'name' | 'pool' | 'database'>[];
  /** Longest lag of a replica that serves reads, in milliseconds. */
  readonly maxLagMs: number;
  /** Longest wait for a position, in milliseconds. */
  readonly waitMs: number;
  /** Longest wait for the position of a server, in milliseconds. */
  readonly questionTimeoutMs: number;
  readonly observe: Observe;
}

interface ReplicasState {
  readonly options: ReplicasOptions;
  readonly replicas: readonly Replica[];
  readonly log: PrimaryLog;
  /** Why each replica, by its name, was not used at the last check; null for one that was used. */
  readonly reasons: Map<string, string | null>;
  samplingPrimary: boolean;
  /** Index of the replica that is considered first. */
  next: number;
}

/** Questions within the allowed lag: a replica that follows closely appears up to two intervals behind. */
const QUESTIONS_PER_LAG = 4;
const SHORTEST_INTERVAL_MS = 25;
const LONGEST_INTERVAL_MS = 1000;

/** Begins to ask the primary and the replicas for their positions. */
export function openReplicas(options: ReplicasOptions): Replicas {
  const state: ReplicasState = {
    options,
    replicas: options.replicas.map((replica) => createReplica(replica, options.questionTimeoutMs)),
    log: [],
    reasons: new Map(),
    samplingPrimary: false,
    next: 0,
  };
  const interval = options.maxLagMs / QUESTIONS_PER_LAG;
  const timer = setInterval(
    () => void askServers(state),
    Math.min(Math.max(interval, SHORTEST_INTERVAL_MS), LONGEST_INTERVAL_MS),
  ).unref();
  void askServers(state);
  return {
    run: (request, primary, run) => runOn(state, request, primary, run),
    lags: () => state.replicas.map((replica) => [replica.name, lagMs(replica) / 1000]),
    renew() {
      for (const { pool } of state.replicas) pool.renew();
    },
    async close() {
      clearInterval(timer);
      for (const replica of state.replicas) replica.closed = true;
      await Promise.all(state.replicas.map(({ pool }) => pool.close()));
    },
  };
}

const PRIMARY = `
select case when not pg_catalog.pg_is_in_recovery() then pg_catalog.pg_current_wal_flush_lsn()::text end as flushed`;

/** Asks the primary first: a replica is compared with what the primary has said. */
async function askServers(state: ReplicasState): Promise<void> {
  if (!state.samplingPrimary) {
    state.samplingPrimary = true;
    await askPrimary(state).catch(() => undefined);
    state.samplingPrimary = false;
  }
  await Promise.all(
    state.replicas.map(async (replica) => {
      // A replica that is being asked may be silent; its lag grows meanwhile.
      if (replica.asking === null) await askReplica(replica, state.log);
      observeChange(state, replica);
    }),
  );
}

async function askPrimary({ options, replicas, log }: ReplicasState): Promise<void> {
  const askedAt = performance.now();
  const before = replicas.map(({ replayed, startedAt }) => ({ replayed, startedAt }));
  const { flushed } = await oneWithin<{ readonly flushed: string | null }>(
    options.primary,
    PRIMARY,
    options.questionTimeoutMs,
  );
  const position = flushed === null ? null : parsePosition(flushed);
  if (position === null) return;
  recordSample(log, position, askedAt);
  before.forEach((known, index) => {
    const replica = replicas[index];
    if (replica !== undefined) compareWithPrimary(replica, known, position);
  });
}

function observeChange({ options, reasons }: ReplicasState, replica: Replica): void {
  const { name } = replica;
  const reason = isFresh(replica, options.maxLagMs) ? null : reasonOf(replica);
  const isKnown = replica.isAhead !== null || replica.replayed === 0n;
  if (!isKnown || reasons.get(name) === reason) return;
  reasons.set(name, reason);
  options.observe(
    reason === null
      ? { kind: 'replica-used', replica: name }
      : { kind: 'replica-not-used', replica: name, reason },
  );
}

function reasonOf({ isStandby, isAhead }: Replica): string {
  if (isAhead === true) return 'it has replayed more than the primary has written';
  return isStandby ? 'it lags behind' : 'it cannot be reached, or is no standby';
}

const lagMs = ({ isStandby, freshAsOf }: Replica): number =>
  isStandby ? performance.now() - freshAsOf : Infinity;

const isFresh = (replica: Replica, maxLagMs: number): boolean => lagMs(replica) <= maxLagMs;

async function runOn<Result>(
  state: ReplicasState,
  request: ReplicaRequest,
  primary: Pool,
  run: (pool: Pool) => Promise<Result>,
): Promise<Replicated<Result>> {
  const position = requestedPosition(request.position);
  if (request.access === 'write') {
    const positioned = positionedPool(primary);
    const result = await run(positioned.pool);
    return { result, position: renderPosition(positioned.position()) };
  }
  const replica = request.mayUseReplica ? await chooseReplica(state, request, position) : null;
  if (replica !== null) {
    try {
      const result = await run(position === null ? replica.pool : guardedPool(replica.pool, position));
      state.options.observe({ kind: 'replica-read', target: 'replica' });
      return { result, position: null };
    } catch (error) {
      if (!isOfReplica(error)) throw error;
      if (error instanceof NotReplayed) markAway(replica);
    }
  }
  state.options.observe({ kind: 'replica-read', target: 'primary' });
  return { result: await run(primary), position: null };
}

/** Returns a replica that has everything that the read must see; null for the primary. */
async function chooseReplica(
  state: ReplicasState,
  { readsCommitted, signal }: ReplicaRequest,
  position: Position | null,
): Promise<Replica | null> {
  const { options, replicas, log } = state;
  if (position !== null && (!readsCommitted || position === UNKNOWN_POSITION)) return null;
  let furthest: Replica | null = null;
  state.next = (state.next + 1) % replicas.length;
  for (let index = 0; index < replicas.length; index++) {
    const replica = replicas[(state.next + index) % replicas.length];
    if (replica === undefined || !isFresh(replica, options.maxLagMs)) continue;
    if (position === null || replica.replayed >= position) return replica;
    if (furthest === null || replica.replayed > furthest.replayed) furthest = replica;
  }
  if (furthest === null || position === null) return null;
  const reached = await waitForReplay(furthest, log, position, { timeoutMs: options.waitMs, signal });
  return reached ? furthest : null;
}

/**
 * Errors that the primary may not have: the server is away or shuts down (08, 53, 57P), a conflict with recovery (40),
 * something that a standby cannot do (25006, 55000), and names or privileges that the replica does not know yet (3F, 42).
 */
const OF_REPLICA = /^(?:08...|3F...|40...|42...|53...|57P..|58...|XX...|25006|55000)$/;

const isOfReplica = (error: unknown): boolean =>
  error instanceof NotReplayed ||
  error instanceof ConnectFailed ||
  error instanceof ConnectionLost ||
  (error instanceof PostgresError && OF_REPLICA.test(error.fields.code));

/** The replica has not replayed the position, or is a standby no more. */
class NotReplayed extends Error {
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
function guardedPool(pool: Pool, position: Position): Pool {
  const guard = command(GUARD, [renderPosition(position)]);
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

interface PositionedPool {
  readonly pool: Pool;
  /** A position at or after the commit of the last batch; UNKNOWN_POSITION if it could not be read. */
  readonly position: () => Position;
}

/** Returns a pool that reads the position of the log after each batch. */
function positionedPool(pool: Pool): PositionedPool {
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
