import type { BatchQuery } from '../../postgres/batch.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { prepare } from '../../postgres/statement.js';

/**
 * The function of `db-pre-request` for one request. It may take another role than the token names. A prepared statement
 * must not run then: a plan in which PostgreSQL inlined a function holds no check of the privilege to call it, and was
 * made for the role of the token.
 */
export interface PreRequest {
  /** Calls the function. */
  readonly call: BatchQuery;
  /** The role that prepared statements are for. */
  readonly role: string;
  readonly memory: RoleMemory;
}

/** What was learnt of the function, for all requests under one schema cache and one set of settings. */
export interface RoleMemory {
  /** True once it has left another role than the request had: from then on no plan is kept. */
  changesRole: boolean;
}

const CHECK = prepare(
  `select case when current_user <> $1 then ('the role is ' || current_user)::pg_catalog.int4 end`,
);

/**
 * Fails (22P02) unless the role is the expected one. It stands directly ahead of the prepared statements, so that they
 * never run for another role.
 */
export const roleCheck = (role: string): BatchQuery => ({
  statement: CHECK,
  parameters: [role],
  returnsRows: false,
});

/** Whether the check is what failed in a batch of these queries: functions can raise any error, but in queries of their own. */
export function isRoleRefusal(error: unknown, queries: readonly BatchQuery[]): boolean {
  if (!(error instanceof PostgresError) || error.query === null || error.fields.code !== '22P02')
    return false;
  return queries[error.query]?.statement === CHECK;
}
