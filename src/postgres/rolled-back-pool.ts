/** A pool whose transactions are rolled back, and see one snapshot: requests cannot change anything. */
import type { Caller } from '../contract/caller.js';
import { command, type Batch, type BatchQuery, type NextTrip, type Trip, prepare } from './batch.js';
import { type BatchOutcome, type PipelinedConnection, outcomeError } from './connection.js';
import type { Pool } from './pool.js';
import { PostgresError } from './postgres-error.js';
import { quoteLiteral, sql, type Sql } from './sql.js';

const plain = (text: Sql): BatchQuery => command(prepare(text));

const BEGIN = plain(sql`begin isolation level repeatable read`);
const ROLLBACK = plain(sql`rollback`);
const SET_LIMITS = sql`pg_catalog.set_config('lock_timeout', '500ms', true), pg_catalog.set_config('statement_timeout', '5s', true)`;
const LIMITS = plain(sql`select ${SET_LIMITS}`);
const RESET = plain(sql`do $$begin reset all; perform ${SET_LIMITS}; end$$`);

/** A transaction has begun before the queries, and ends with a rollback. Their number stays. */
function replaced(query: BatchQuery): BatchQuery {
  const { text } = query.statement;
  if (/^begin\b/.test(text)) return LIMITS;
  return /^(commit|rollback)$/.test(text) ? ROLLBACK : text === 'reset all' ? RESET : query;
}

/** A statement before those of a request. */
export interface Preceding {
  readonly text: Sql;
  readonly values: readonly (string | null)[];
}

export interface RolledBackPool {
  readonly pool: Pool;
  /** Returns a caller whose batches are preceded by statements, in the same transaction. Streams are not. */
  readonly callerAfter: (before: readonly Preceding[]) => Caller;
}

/** @param snapshot of pg_export_snapshot, which its transaction keeps */
export function rolledBackPool(pool: Pool, snapshot: string): RolledBackPool {
  const before = new WeakMap<Caller, readonly BatchQuery[]>();
  const head = [BEGIN, plain(sql`set transaction snapshot ${quoteLiteral(snapshot)}`), LIMITS];
  const idle: PipelinedConnection[] = [];
  return {
    callerAfter(statements) {
      const caller = { client: '', signal: null };
      before.set(
        caller,
        statements.map(({ text, values }) => ({ ...plain(text), parameters: values, unnamed: true })),
      );
      return caller;
    },
    pool: {
      ...pool,
      get state() {
        return pool.state;
      },
      async openStream() {
        const connection = idle.pop() ?? (await pool.openStream());
        const outcome = await sendTo(connection, head);
        if (outcome.kind !== 'done') throw outcomeError(outcome);
        return {
          ...connection,
          send: (batch, listener, fresh) =>
            connection.send({ ...batch, queries: batch.queries.map(replaced) }, listener, fresh),
          async close() {
            const { kind } = await sendTo(connection, [ROLLBACK]);
            if (kind === 'done') idle.push(connection);
          },
        };
      },
      async run({ queries, next, maxResultBytes }, caller = { client: '', signal: null }) {
        const first = [...head, ...(before.get(caller) ?? [])];
        const trip = tripOf(next === undefined ? { queries } : { queries, next });
        const batch: Batch = {
          ...trip,
          ...{ queries: [...first, ...trip.queries], access: 'write', use: 'brief' },
          ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
        };
        try {
          return await pool.run(batch, caller);
        } catch (error) {
          if (!(error instanceof PostgresError) || error.query === null) throw error;
          const failed = error.query - first.length;
          throw new PostgresError(error.fields, failed < 0 ? null : failed);
        }
      },
    },
  };
}

function tripOf({ queries, next }: Trip): Trip {
  const own = queries.map(replaced);
  if (next === undefined) return { queries: own.at(-1) === ROLLBACK ? own : [...own, ROLLBACK] };
  const following: NextTrip = async (results) => tripOf(await next(results));
  return { queries: own, next: following };
}

const sendTo = (connection: PipelinedConnection, queries: readonly BatchQuery[]): Promise<BatchOutcome> =>
  new Promise((done) =>
    connection.send({ queries, access: 'write', use: 'brief' }, { done, openBody: () => null }),
  );
