/** Statements of mailboxes as batches: who acts, then one statement; one trip to the server, one transaction. */
import type { Parameter, Row } from '../postgres/batch.js';
import type { Pool } from '../postgres/pool.js';
import { ConnectionLost } from '../postgres/postgres-error.js';
import { prepare, type Statement } from '../postgres/statement.js';
import { sql } from '../postgres/sql.js';

/** The part of the pool that is needed here. */
export type Runner = Pick<Pool, 'run'>;

/** Every statement finds its rows by their keys, so one plan serves all; planning anew would take longer than answering. */
const AS_TENANT = prepare(sql`
select pg_catalog.num_nulls(
  pg_catalog.set_config('role', 'dbr_signing_service', true),
  pg_catalog.set_config('app.tenant_id', $1, true),
  pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)
)`);

const AS_SWEEPER = prepare(sql`
select pg_catalog.set_config('role', 'dbr_signing_sweeper', true)`);

/** Never repeated by itself: a lost answer may be that of a change. @throws as `Pool.run` */
export async function runInTenant(
  pool: Runner,
  tenantId: string,
  statement: Statement,
  parameters: readonly Parameter[],
): Promise<readonly Row[]> {
  const [result] = await pool.run({
    queries: [
      { statement: AS_TENANT, parameters: [tenantId], returnsRows: false },
      { statement, parameters, returnsRows: true },
    ],
    access: 'write',
    pace: 'quick',
  });
  return result?.rows ?? [];
}

/** For every tenant, to look around. @throws as `Pool.run` */
export async function readAsSweeper(
  pool: Runner,
  statement: Statement,
  parameters: readonly Parameter[],
): Promise<readonly Row[]> {
  const batch = {
    queries: [
      { statement: AS_SWEEPER, parameters: [], returnsRows: false },
      { statement, parameters, returnsRows: true },
    ],
    access: 'read',
    pace: 'quick',
  } as const;
  const run = () => pool.run(batch).then(([result]) => result?.rows ?? []);
  return await run().catch((error: unknown) => {
    if (error instanceof ConnectionLost) return run();
    throw error;
  });
}

/** The last column as text; null for SQL null. */
export const lastText = ({ body }: Row): string | null =>
  body === null ? null : Buffer.concat(body).toString('utf8');

/** An array of texts without commas, quotes, braces, backslashes and blanks, as PostgreSQL reads it. */
export const plainArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;

/** An array of bytes. In an array a backslash is written twice (PostgreSQL manual, 8.15). */
export const byteArray = (values: readonly Buffer[]): string =>
  `{${values.map((value) => `\\\\x${value.toString('hex')}`).join(',')}}`;

/** Bytes in PostgreSQL's hexadecimal format. */
export const hexOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** Of a column in PostgreSQL's hexadecimal format. */
export const bytesOf = (text: string | null): Buffer => Buffer.from((text ?? '').slice(2), 'hex');
