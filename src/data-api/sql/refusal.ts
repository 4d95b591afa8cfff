import { randomBytes } from 'node:crypto';
import type { OutcomeCheck } from '../plan/plan.js';
import type { Lines } from './lines.js';

/** Tells our refusals from what anybody else may have PostgreSQL say; another one in each process. */
const MARK = `dbr-refused-${randomBytes(6).toString('hex')}`;

const ROWS = 'pg_catalog.count(*)';

/**
 * A column that refuses the outcome of a write, and so undoes it, in the same round trip: where a check does not hold,
 * a text that is no number, but says how many rows there are, is read as a number. Null where all is well.
 */
export function refusalLines(checks: readonly OutcomeCheck[]): Lines {
  const failures = checks.map(failureSql).join(' or ');
  return [`case when ${failures}`, `  then ('${MARK} ' || ${ROWS})::pg_catalog.int4`, 'end'];
}

function failureSql(check: OutcomeCheck): string {
  switch (check.kind) {
    case 'singular':
    case 'put':
      return `${ROWS} <> 1`;
    case 'limit':
    case 'max-affected':
      return `${ROWS} > ${check.maximum}`;
  }
}

const REFUSED = new RegExp(`"${MARK} (\\d+)"`);

/** How many rows a write had that was refused like that; null for any other error of PostgreSQL. */
export function refusedRows(error: { readonly code: string; readonly message: string }): number | null {
  // 22P02 is invalid_text_representation; its message, in whatever language, quotes the text.
  const rows = error.code === '22P02' ? REFUSED.exec(error.message)?.[1] : undefined;
  return rows === undefined ? null : Number(rows);
}
