import { randomBytes } from 'node:crypto';
import type { OutcomeCheck } from '../plan/plan.js';
import { block, clauses, joinSql, listed, quoteLiteral, type Sql, sql } from '../../postgres/sql.js';
import { whereSql } from './sql-text.js';

/**
 * Identifies refusals of dbr among errors of PostgreSQL. It is random for each process, so that no client can forge
 * it.
 */
const MARK = `dbr-refused-${randomBytes(6).toString('hex')}`;

/**
 * A refusal with its number.
 * - rows: changed rows, for the checks of the plan. chosen: rows with the values of selected ones, of which the limit and offset did not select all.
 * - key: position of the object without a key of its own, from 1. missing: number of objects that match no row.
 * - unguarded: a partition outside the schema cache lacks the row security of a table above it; 0.
 * - cut: number of a list of related rows that `db-max-rows` cuts.
 * - cost: estimated cost of the statement. idempotency: why a request with a key does not run.
 * - The others have the number of an object of a graph, 0 for one that is not known. changed: its row was skipped or has
 *   another key. unfound: its existing row was not found. unequal: rows to which a column of it refers have different keys.
 *   differs: a column of it has another value than the key of such a row. generated: a generated column of its row has
 *   another value. keyless: related rows cannot refer to its row.
 */
export interface Refusal {
  readonly kind: (typeof KINDS)[number];
  readonly number: number;
}

const KINDS = [
  'rows',
  'chosen',
  'key',
  'missing',
  'changed',
  'unfound',
  'unequal',
  'differs',
  'generated',
  'keyless',
  'unguarded',
  'cut',
  'cost',
  'idempotency',
] as const;

/**
 * Returns an expression that makes a write fail, which rolls it back in the same round trip: a text with the number
 * is cast to a number. The expression is null if the number is null.
 * @param joined the operator, with its schema where the role is not that of the request
 */
export const refusalSql = (kind: Refusal['kind'], number: Sql, joined = sql`||`): Sql =>
  sql`(${quoteLiteral(`${MARK} ${kind} `)} ${joined} ${number})::pg_catalog.int4`;

/**
 * Returns a sub-select that makes a statement fail with a number of the rows that meet the terms; null for no such row.
 * @param number an aggregate
 */
export const refusalOfRows = (
  kind: Refusal['kind'],
  number: Sql,
  from: Sql,
  terms: readonly Sql[] = [],
): Sql => block(clauses(sql`select ${refusalSql(kind, number)}`, from, whereSql(terms)));

/** Returns the first of several refusals that is not null. */
export const firstRefusal = (refusals: readonly Sql[]): Sql => sql`coalesce${block(listed(sql``, refusals))}`;

const ROWS = sql`pg_catalog.count(*)`;

/** Returns an expression that makes a write fail if a check fails, and is null otherwise. */
export function outcomeRefusal(checks: readonly OutcomeCheck[]): Sql {
  const failures = joinSql(checks.map(failureSql), ' or ');
  return clauses(sql`case when ${failures}`, sql`  then ${refusalSql('rows', ROWS)}`, sql`end`);
}

function failureSql(check: OutcomeCheck): Sql {
  switch (check.kind) {
    case 'singular':
    case 'put':
    case 'match':
    case 'absent':
      return sql`${ROWS} <> 1`;
    case 'limit':
    case 'max-affected':
      return sql`${ROWS} > ${check.maximum}`;
  }
}

const REFUSED = new RegExp(`"${MARK} ([a-z]+) (\\d+)"`);

/** Returns the refusal by which a write failed; null for any other error of PostgreSQL. */
export function refusalOf(error: { readonly code: string; readonly message: string }): Refusal | null {
  // 22P02 is invalid_text_representation; its message, in whatever language, quotes the text.
  const [, name, number] = (error.code === '22P02' ? REFUSED.exec(error.message) : null) ?? [];
  const kind = KINDS.find((known) => known === name);
  return kind === undefined ? null : { kind, number: Number(number) };
}
