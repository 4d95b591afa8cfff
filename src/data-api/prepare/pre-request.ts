import type { LruCache } from '../../lru-cache.js';
import type { BatchQuery } from '../../postgres/batch.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { quoteIdentifier, quoteQualified, type Sql, sql } from '../../postgres/sql.js';
import { prepare, type Statement } from '../../postgres/statement.js';

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

/** What is known of the function, for all requests under one schema cache and one set of settings. */
export interface RoleMemory {
  /** True once it has left another role than the request had: from then on no statement is kept prepared. */
  changesRole: boolean;
}

/**
 * Calls the function. Each role and schema has a statement of its own, as for everything that calls functions.
 * @param name `db-pre-request`, with or without its schema
 */
export function preRequestQuery(
  name: string,
  role: string,
  schema: string,
  statements: LruCache<Statement>,
): BatchQuery {
  const key = `${role}\0${schema}\0pre-request`;
  let statement = statements.get(key);
  if (statement === undefined) {
    statement = prepare(sql`select ${functionName(name)}()`);
    statements.set(key, statement);
  }
  return { statement, parameters: [], returnsRows: false };
}

function functionName(name: string): Sql {
  const dot = name.indexOf('.');
  return dot < 0 ? quoteIdentifier(name) : quoteQualified(name.slice(0, dot), name.slice(dot + 1));
}

const CHECK = prepare(
  sql`select case when current_user <> $1 then ('the role is ' || current_user)::pg_catalog.int4 end`,
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

/** True when the role check is the query of the batch that failed. */
export function isRoleRefusal(error: unknown, queries: readonly BatchQuery[]): boolean {
  if (!(error instanceof PostgresError) || error.query === null || error.fields.code !== '22P02')
    return false;
  return queries[error.query]?.statement === CHECK;
}
