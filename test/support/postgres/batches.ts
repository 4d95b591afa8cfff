/** Short ways to write batches and read their results. */
import type { Caller } from '../../../src/contract/caller.js';
import {
  type Batch,
  type BatchResult,
  type Parameter,
  type BatchQuery,
  prepare,
  type Statement,
} from '../../../src/postgres/batch.js';
import type { PoolOptions } from '../../../src/postgres/pool.js';
import { PostgresError } from '../../../src/postgres/postgres-error.js';
import { sql } from '../../../src/postgres/sql.js';
import { UNOBSERVED } from '../unobserved.js';

export const POOL_OPTIONS: PoolOptions = {
  name: 'data',
  observe: UNOBSERVED,
  size: 4,
  depth: 8,
  prepared: true,
  acquisitionTimeoutMs: 60_000,
  maxLifetimeMs: 1_800_000,
  maxIdleMs: 30_000,
  queueLimit: 10_000,
};

/** Statements by their text, as a service has them: prepared once. */
const statements = new Map<string, Statement>();

/** A template without holes, as `sql` takes it. */
const templateOf = (text: string): TemplateStringsArray => Object.assign([text], { raw: [text] });

function statement(text: string): Statement {
  const known = statements.get(text) ?? prepare(sql(templateOf(text)));
  statements.set(text, known);
  return known;
}

/** A query whose rows are part of the result. */
export const query = (text: string, ...parameters: readonly Parameter[]): BatchQuery => ({
  statement: statement(text),
  parameters,
  returnsRows: true,
});

/** A query whose rows are not part of the result. */
export const silently = (text: string, ...parameters: readonly Parameter[]): BatchQuery => ({
  ...query(text, ...parameters),
  returnsRows: false,
});

/** A read that may share a connection. */
export const read = (...queries: readonly BatchQuery[]): Batch => ({
  queries,
  access: 'read',
  use: 'shared',
});
export const briefRead = (...queries: readonly BatchQuery[]): Batch => ({
  queries,
  access: 'read',
  use: 'brief',
});
export const longRead = (...queries: readonly BatchQuery[]): Batch => ({
  queries,
  access: 'read',
  use: 'long',
});
export const write = (...queries: readonly BatchQuery[]): Batch => ({
  queries,
  access: 'write',
  use: 'brief',
});

/** A client that disconnects when the signal fires. */
export const callerOf = (signal: AbortSignal, client = 'test'): Caller => ({ client, signal });

/** The body of the first row of each query that returns rows. */
export const bodies = (results: BatchResult): readonly (string | null)[] =>
  results.map(({ rows }) => {
    const body = rows[0]?.body ?? null;
    return body === null ? null : Buffer.concat(body).toString('utf8');
  });

/** Returns the reason of a rejected promise. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  const nothing = {};
  const outcome = await work.then(
    () => nothing,
    (error: unknown) => error,
  );
  if (outcome === nothing) throw new Error('was not rejected');
  return outcome;
}

/** Returns the SQLSTATE of an error of PostgreSQL. */
export async function sqlState(work: Promise<unknown>): Promise<string> {
  const error = await rejection(work);
  if (error instanceof PostgresError) return error.fields.code;
  throw error;
}
