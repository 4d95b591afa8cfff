/**
 * Measures the cost of undoing a write that is refused because of its result (DBR110, DBR115, DBR116, DBR124). Updates
 * one row with role and claims set in three ways, in turns, in one run, on one server:
 *   unchecked   one round trip, the result is not checked
 *   in SQL      one round trip; the statement itself fails when the count is not the one wanted. It is what dbr does
 *   look        two round trips: BEGIN and the statement, a look at the count, COMMIT
 * Each where the row is there, so that the write is accepted, and for the last two also where it is refused.
 *
 *   node --import tsx/esm bench/undo.ts [seconds per round, default 1]
 */
import { type BatchResult, type BatchQuery, prepare } from '../src/postgres/batch.js';
import { closeDatabase, openDatabase, type Database } from '../src/postgres/database.js';
import {
  type BatchOutcome,
  openPipelinedConnection,
  type PipelinedConnection,
  type PipelinedConnectionOptions,
} from '../src/postgres/connection.js';
import { openPool, type Pool } from '../src/postgres/pool.js';
import { PostgresError } from '../src/postgres/postgres-error.js';
import { startTestServer } from '../test/support/postgres/test-server.js';
import { type Sql, sql } from '../src/postgres/sql.js';

const ROWS = 10_000;
const ROUNDS = 5;
const POOL = 10;
const CALLERS = [1, 32] as const;
const ROUND_MS = Number(process.argv[2] ?? 1) * 1000;

const CONTEXT = prepare(sql`
  select pg_catalog.num_nulls(
    pg_catalog.set_config('search_path', $1, true),
    pg_catalog.set_config('role', $2, true),
    pg_catalog.set_config('request.jwt.claims', $3, true)
  )`);
const CONTEXT_STEP: BatchQuery = {
  statement: CONTEXT,
  parameters: ['bench', 'postgres', '{"role":"writer"}'],
  returnsRows: false,
};
const update = (count: Sql): Sql => sql`
  with changed as (update bench.films f set seen = f.seen + 1 where f.id = $1 returning f.id, f.seen)
  select ${count} as page_total, pg_catalog.json_agg(changed.*) as body from changed`;
const PLAIN = prepare(update(sql`pg_catalog.count(*)`));
const FAILING = prepare(
  update(sql`case when pg_catalog.count(*) = 1 then pg_catalog.count(*)
    else ('refused: ' || pg_catalog.count(*))::pg_catalog.int8 end`),
);
const plainQuery = (text: Sql): BatchQuery => ({
  statement: prepare(text),
  parameters: [],
  returnsRows: false,
});
const BEGIN = plainQuery(sql`begin isolation level read committed`);
const COMMIT = plainQuery(sql`commit`);
const ROLLBACK = plainQuery(sql`rollback`);

interface Connections {
  readonly pool: Pool;
  readonly database: Database;
  /** Connections outside the pool on which nothing is in flight. */
  readonly spare: PipelinedConnection[];
}

const CONNECTION: PipelinedConnectionOptions = {
  prepared: true,
  statementCapacity: 400,
  onLost: () => undefined,
  onNotice: () => undefined,
};

type Contender = (connections: Connections, id: string) => Promise<unknown>;

const unchecked: Contender = ({ pool }, id) =>
  pool.run({ access: 'write', use: 'brief', queries: [CONTEXT_STEP, main(PLAIN, id)] });

const inSql: Contender = ({ pool }, id) =>
  refusedOrDone(pool.run({ access: 'write', use: 'brief', queries: [CONTEXT_STEP, main(FAILING, id)] }));

/** The connection is kept between the two trips, which the service never does. */
const look: Contender = ({ spare, database }, id) =>
  new Promise((resolve, reject) => {
    const run = (connection: PipelinedConnection): void => {
      const send = (queries: readonly BatchQuery[], done: (outcome: BatchOutcome) => void): void =>
        connection.send({ access: 'write', use: 'brief', queries }, { done, openBody: () => null });
      send([BEGIN, CONTEXT_STEP, main(PLAIN, id)], (outcome) => {
        const rows = outcome.kind === 'done' ? outcome.results[0]?.rows : undefined;
        send([rows?.[0]?.columns[0] === '1' ? COMMIT : ROLLBACK], () => {
          spare.push(connection);
          resolve(outcome);
        });
      });
    };
    const free = spare.pop();
    if (free === undefined) openPipelinedConnection(database, CONNECTION).then(run, reject);
    else run(free);
  });

const main = (statement: BatchQuery['statement'], id: string): BatchQuery => ({
  statement,
  parameters: [id],
  returnsRows: true,
});

async function refusedOrDone(running: Promise<BatchResult>): Promise<BatchResult | null> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof PostgresError && error.fields.code === '22P02') return null;
    throw error;
  }
}

const CONTENDERS: readonly (readonly [name: string, contender: Contender, firstId: number])[] = [
  ['unchecked', unchecked, 1],
  ['in SQL', inSql, 1],
  ['look', look, 1],
  ['in SQL, refused', inSql, ROWS + 1],
  ['look, refused', look, ROWS + 1],
];

/** Writes a second. */
async function rateOf(
  connections: Connections,
  contender: Contender,
  firstId: number,
  callers: number,
): Promise<number> {
  const start = performance.now();
  let count = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - start < ROUND_MS) {
      await contender(connections, String(firstId + (count++ % ROWS)));
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (count * 1000) / (performance.now() - start);
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function compare(connections: Connections, callers: number): Promise<string> {
  const rates = CONTENDERS.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++)
    for (const [index, [, contender, firstId]] of CONTENDERS.entries()) {
      const rate = await rateOf(connections, contender, firstId, callers);
      // The first round prepares the statements.
      if (round > 0) rates[index]?.push(rate);
    }
  const base = median(rates[0] ?? []);
  const parts = CONTENDERS.map(([name], index) => {
    const rate = median(rates[index] ?? []);
    return `${name} ${rate.toFixed(0)}/s (${(rate / base).toFixed(2)})`;
  });
  return `${String(callers).padStart(3)} callers · ${parts.join(' · ')}`;
}

const server = await startTestServer();
const database = openDatabase(server.uri, { poolSize: POOL });
try {
  await database.multi(`
    create schema bench;
    create table bench.films (id integer primary key, seen integer not null) with (fillfactor = 50);
    insert into bench.films select i, 0 from pg_catalog.generate_series(1, ${String(ROWS)}) i;
    analyze bench.films;
  `);
  const options = {
    name: 'data' as const,
    observe: () => undefined,
    size: POOL,
    depth: 8,
    prepared: true,
    acquisitionTimeoutMs: 10_000,
    maxLifetimeMs: 1_800_000,
    maxIdleMs: 30_000,
    queueLimit: 10_000,
  };
  const pool = openPool(database, options);
  const spare: PipelinedConnection[] = [];
  for (const callers of CALLERS) console.log(await compare({ pool, database, spare }, callers));
  await Promise.all([pool.close(), ...spare.map((connection) => connection.close())]);
} finally {
  await closeDatabase(database);
  await server.remove();
}
