/**
 * The wire alone, without HTTP: one row by primary key with role and claims set, through pool (one round trip) and
 * through a transaction of four awaited statements on the driver's pool. Both in one run, in turns, on one server.
 *
 *   node --import tsx/esm bench/wire.ts [seconds per round, default 1]
 */
import { type Batch, prepare } from '../src/postgres/batch.js';
import { closeDatabase, openDatabase, type Database } from '../src/postgres/database.js';
import { openPool, type Pool } from '../src/postgres/pool.js';
import { startTestServer } from '../test/support/postgres/test-server.js';
import { sql } from '../src/postgres/sql.js';

const ROWS = 10_000;
const ROUNDS = 5;
const POOL = 10;
const CALLERS = [1, 32] as const;
const ROUND_MS = Number(process.argv[2] ?? 1) * 1000;

const CONTEXT_TEXT = sql`
  select pg_catalog.num_nulls(
    pg_catalog.set_config('search_path', $1, true),
    pg_catalog.set_config('role', $2, true),
    pg_catalog.set_config('request.jwt.claims', $3, true),
    pg_catalog.set_config('transaction_read_only', 'on', true)
  )`;
const ROW_TEXT = sql`select pg_catalog.row_to_json(f) as body from bench.films f where f.id = $1`;
const CONTEXT_VALUES = ['bench', 'pg_monitor', '{"role":"reader"}'] as const;
const CONTEXT = prepare(CONTEXT_TEXT);
const ROW = prepare(ROW_TEXT);

type Contender = (id: string) => Promise<unknown>;

const throughPool =
  (pool: Pool): Contender =>
  (id) => {
    const batch: Batch = {
      access: 'read',
      use: 'shared',
      queries: [
        { statement: CONTEXT, parameters: CONTEXT_VALUES, returnsRows: false },
        { statement: ROW, parameters: [id], returnsRows: true },
      ],
    };
    return pool.run(batch);
  };

/** The way of an ordinary data layer: BEGIN, settings, main, COMMIT, each awaited; statements are prepared here too. */
const throughTransaction =
  (database: Database): Contender =>
  (id) =>
    database.tx(async (transaction) => {
      await transaction.one({ name: 'context', text: CONTEXT_TEXT, values: [...CONTEXT_VALUES] });
      return await transaction.one<unknown>({ name: 'row', text: ROW_TEXT, values: [id] });
    });

interface Measure {
  readonly perSecond: number;
  /** User and system time of this process, in microseconds. */
  readonly cpuPerRequest: number;
}

async function measure(contender: Contender, callers: number): Promise<Measure> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let count = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - start < ROUND_MS) {
      await contender(String(1 + (count % ROWS)));
      count++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const used = process.cpuUsage(cpu);
  return {
    perSecond: (count * 1000) / (performance.now() - start),
    cpuPerRequest: (used.user + used.system) / count,
  };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function compare(pool: Contender, transaction: Contender, callers: number): Promise<string> {
  const measures: { pool: Measure; transaction: Measure }[] = [];
  await measure(pool, callers);
  await measure(transaction, callers);
  for (let round = 0; round < ROUNDS; round++)
    measures.push({
      pool: await measure(pool, callers),
      transaction: await measure(transaction, callers),
    });
  const rate = (of: 'pool' | 'transaction'): number => median(measures.map((each) => each[of].perSecond));
  const cpu = (of: 'pool' | 'transaction'): number => median(measures.map((each) => each[of].cpuPerRequest));
  return [
    `${String(callers).padStart(3)} callers`,
    `pool ${rate('pool').toFixed(0)}/s, ${cpu('pool').toFixed(1)} µs of our CPU`,
    `four awaits ${rate('transaction').toFixed(0)}/s, ${cpu('transaction').toFixed(1)} µs`,
    `ratio ${(rate('pool') / rate('transaction')).toFixed(2)} in rate, ${(cpu('transaction') / cpu('pool')).toFixed(2)} in CPU`,
  ].join(' · ');
}

const server = await startTestServer();
const database = openDatabase(server.uri, { poolSize: POOL });
try {
  await database.multi(`
    create schema bench;
    grant usage on schema bench to pg_monitor;
    create table bench.films (id integer primary key, title text not null, year integer not null);
    insert into bench.films select i, 'film ' || i, 1900 + i % 120 from pg_catalog.generate_series(1, ${String(ROWS)}) i;
    grant select on bench.films to pg_monitor;
    analyze bench.films;
  `);
  const pool = openPool(database, {
    name: 'data',
    observe: () => undefined,
    size: POOL,
    depth: 8,
    prepared: true,
    acquisitionTimeoutMs: 10_000,
    maxLifetimeMs: 1_800_000,
    maxIdleMs: 30_000,
    queueLimit: 10_000,
  });
  for (const callers of CALLERS)
    console.log(await compare(throughPool(pool), throughTransaction(database), callers));
  await pool.close();
} finally {
  await closeDatabase(database);
  await server.remove();
}
