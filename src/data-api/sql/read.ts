import type { Answer, Count, Explain, ReadNode, ReadPlan } from '../plan/plan.js';
import { ANSWER, bodySql } from './body.js';
import { countedSql, nodeSql } from './node.js';
import { clauses, createSlots, indent, type Slots, type SqlText } from './sql-text.js';

/**
 * The columns of every main statement, in this order; the body is the last, so that all else is known before it arrives.
 * page_total: rows of the body. total: rows that there are without limit and offset; null when not counted.
 */
export const MAIN_COLUMNS = ['page_total', 'total', 'response_headers', 'response_status', 'body'] as const;

/** Whether a body of this form shows embedded objects as text. */
export function showsText(answer: Answer): boolean {
  return answer.form.kind === 'csv' || answer.form.kind === 'aggregate';
}

/** The statement of a read (performance: one datum for the whole body, no counting unless asked for). */
export function readSql(plan: ReadPlan): SqlText {
  const slots = createSlots(showsText(plan.answer));
  const text = clauses(
    answerSelect(plan.answer, totalSql(plan.root, plan.count, slots)),
    `  from (\n${indent(indent(nodeSql(plan.root, slots)))}\n  ) as ${ANSWER}`,
  );
  return { text: explained(text, plan.answer.explain), slots: slots.all() };
}

/** The select list around the rows of "answer": counters, what functions set for the response, and the body. */
export function answerSelect(answer: Answer, total: string): string {
  return clauses(
    'select pg_catalog.count(*) as page_total,',
    `       ${total} as total,`,
    `       pg_catalog.current_setting('response.headers', true) as response_headers,`,
    `       pg_catalog.current_setting('response.status', true) as response_status,`,
    `       ${bodySql(answer.form)} as body`,
  );
}

/**
 * The total as a number, or `null`. A page that is not full shows by itself how many rows there are: then nothing more is
 * counted, since PostgreSQL works out a branch of `case` only when it takes it.
 */
export function totalSql(root: ReadNode, count: Count | null, slots: Slots): string {
  if (count === null || count.mode === 'planned') return 'null';
  const { limit } = root.range;
  const offset = root.range.offset === null ? null : slots.place(root.range.offset);
  const counted = countSubselect(root, count, slots);
  if (root.grouped || root.embeds.some((embed) => embed.cardinality === 'one' && !embed.unique))
    return counted;
  if (limit === null && offset === null) return 'pg_catalog.count(*)';
  if (limit === 0n) return counted;
  const full = limit === null ? 'false' : `pg_catalog.count(*) = ${limit}`;
  const unsure = offset === null ? full : `${full} or pg_catalog.count(*) = 0`;
  return clauses(
    `case when ${unsure}`,
    `            then ${counted.replaceAll('\n', '\n            ')}`,
    `            else pg_catalog.count(*)${offset === null ? '' : ` + ${offset}::pg_catalog.int8`}`,
    `       end`,
  );
}

function countSubselect(root: ReadNode, count: Count, slots: Slots): string {
  const rows = countedSql(root, slots);
  const bounded = count.mode === 'estimated' ? clauses(rows, ` limit ${count.threshold + 1n}`) : rows;
  return `(\n  select pg_catalog.count(*)\n    from (\n${indent(indent(indent(bounded)))}\n    ) as "counted"\n)`;
}

/** The planner's estimate of the total: `Plan Rows` of the top node of the one row of JSON that it answers. */
export function estimateSql(root: ReadNode): SqlText {
  const slots = createSlots();
  const text = `explain (format json)\n${countedSql(root, slots)}`;
  return { text, slots: slots.all() };
}

/** The statement, or the statement that explains it (data API §1.13, plan media type). */
export function explained(text: string, explain: Explain | null): string {
  if (explain === null) return text;
  return `explain (${[...explain.options, `format ${explain.format}`].join(', ')})\n${text}`;
}
