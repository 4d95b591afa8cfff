/** A pool whose batches run in transactions that are rolled back, in one snapshot: requests cannot change anything. */
import type { Caller } from '../contract/caller.js';
import type { BatchQuery } from './batch.js';
import type { Pool } from './pool.js';
import { PostgresError } from './postgres-error.js';
import { quoteLiteral, sql, type Sql } from './sql.js';
import { prepare } from './statement.js';

const plain = (text: Sql): BatchQuery => ({ statement: prepare(text), parameters: [], returnsRows: false });

const BEGIN = plain(sql`begin isolation level repeatable read`);
const ROLLBACK = plain(sql`rollback`);
const LIMITS = plain(
  sql`select pg_catalog.set_config('lock_timeout', '500ms', true), pg_catalog.set_config('statement_timeout', '5s', true)`,
);

/** What ends or begins a transaction in a batch of the data API. */
const CONTROL = /^(begin|commit|rollback)\b/;

/** A statement before those of a request. */
export interface Preceding {
  readonly text: Sql;
  readonly values: readonly (string | null)[];
}

export interface RolledBackPool {
  readonly pool: Pool;
  /** Returns a caller whose batches are preceded by statements, in the same transaction. */
  readonly callerAfter: (before: readonly Preceding[]) => Caller;
}

/** @param snapshot of pg_export_snapshot, which its transaction keeps */
export function rolledBackPool(pool: Pool, snapshot: string): RolledBackPool {
  const before = new WeakMap<Caller, readonly BatchQuery[]>();
  const head = [BEGIN, plain(sql`set transaction snapshot ${quoteLiteral(snapshot)}`), LIMITS];
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
      // A stream has a connection of its own, whose transaction would be committed.
      openStream: () => Promise.reject(new Error('a check requests no stream of rows')),
      async run({ queries, maxResultBytes }, caller = { client: '', signal: null }) {
        const own = queries.filter(({ statement }) => !CONTROL.test(statement.text));
        const first = [...head, ...(before.get(caller) ?? [])];
        const batch = { queries: [...first, ...own, ROLLBACK], access: 'write', use: 'brief' } as const;
        try {
          return await pool.run(maxResultBytes === undefined ? batch : { ...batch, maxResultBytes }, caller);
        } catch (error) {
          if (!(error instanceof PostgresError) || error.query === null) throw error;
          const failed = own[error.query - first.length];
          throw new PostgresError(error.fields, failed === undefined ? null : queries.indexOf(failed));
        }
      },
    },
  };
}
