import { randomBytes } from 'node:crypto';
import type { OutcomeCheck } from '../plan/plan.js';
import type { Lines } from './lines.js';
import { joinSql, quoteLiteral, type Sql, sql } from '../../postgres/sql.js';

/**
 * Identifies refusals of dbr among errors of PostgreSQL. It is random for each process, so that no client can forge
 * it.
 */
const MARK = `dbr-refused-${randomBytes(6).toString('hex')}`;

const ROWS = sql`pg_catalog.count(*)`;

/**
 * Returns a column that makes a write fail, which rolls it back in the same round trip: if a check fails, a text with
 * the number of rows is cast to a number. The column is null if all checks pass.
 */
export function refusalLines(checks: readonly OutcomeCheck[]): Lines {
  const failures = joinSql(checks.map(failureSql), ' or ');
  return [
    sql`case when ${failures}`,
    sql`  then (${quoteLiteral(`${MARK} `)} || ${ROWS})::pg_catalog.int4`,
    sql`end`,
  ];
}

function failureSql(check: OutcomeCheck): Sql {
  switch (check.kind) {
    case 'singular':
    case 'put':
      return sql`${ROWS} <> 1`;
    case 'limit':
    case 'max-affected':
      return sql`${ROWS} > ${check.maximum}`;
  }
}

const REFUSED = new RegExp(`"${MARK} (\\d+)"`);

/** Returns the number of rows of a write that its refusal column made fail; null for any other error of PostgreSQL. */
export function refusedRows(error: { readonly code: string; readonly message: string }): number | null {
  // 22P02 is invalid_text_representation; its message, in whatever language, quotes the text.
  const rows = error.code === '22P02' ? REFUSED.exec(error.message)?.[1] : undefined;
  return rows === undefined ? null : Number(rows);
}
