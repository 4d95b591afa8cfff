import type { Answer, Explain } from '../plan/plan.js';
import { bodySql } from './body.js';
import { clauses } from './sql-text.js';

/**
 * The columns of every main statement, in this order; the body is the last, so that all else is known before it arrives.
 * page_total: rows of the body. total: rows that there are without limit and offset; null when not counted.
 * inserted: new rows of an upsert. location: key of an inserted row. Both are null where nobody asks.
 */
export const MAIN_COLUMNS = [
  'page_total',
  'total',
  'inserted',
  'location',
  'response_headers',
  'response_status',
  'body',
] as const;

/** Whether a body of this form shows embedded objects as text. */
export function showsText(answer: Answer): boolean {
  return answer.form.kind === 'csv' || answer.form.kind === 'aggregate';
}

/** Columns that only some statements work out. */
export interface ExtraColumns {
  readonly total: string;
  readonly inserted: string;
  readonly location: string;
}

/** The select list around the rows of "answer": counters, what functions set for the response, and the body. */
export function answerSelect(answer: Answer, extra: Partial<ExtraColumns>): string {
  return clauses(
    'select pg_catalog.count(*) as page_total,',
    `       ${extra.total ?? 'null'} as total,`,
    `       ${extra.inserted ?? 'null'} as inserted,`,
    `       ${extra.location ?? 'null'} as location,`,
    `       pg_catalog.current_setting('response.headers', true) as response_headers,`,
    `       pg_catalog.current_setting('response.status', true) as response_status,`,
    `       ${bodySql(answer.form)} as body`,
  );
}

/** The statement, or the statement that explains it (data API §1.13, plan media type). */
export function explained(text: string, explain: Explain | null): string {
  if (explain === null) return text;
  return `explain (${[...explain.options, `format ${explain.format}`].join(', ')})\n${text}`;
}
