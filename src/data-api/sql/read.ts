import type { CallPlan, Count, ReadNode, ReadPlan } from '../plan/plan.js';
import { answerSelect, explained, showsText } from './answer.js';
import { ANSWER } from './body.js';
import { callSource } from './call-source.js';
import { countedSql, nodeSql, ROWS } from './node.js';
import { clauses, createSlots, indent, type Slots, type SqlText } from './sql-text.js';

/** The statement of a read (performance: one datum for the whole body, no counting unless asked for). */
export function readSql(plan: ReadPlan): SqlText {
  const slots = createSlots(showsText(plan.answer));
  const text = clauses(
    answerSelect(plan.answer, { total: totalSql(plan.root, plan.count, slots) }),
    `  from (\n${indent(indent(nodeSql(plan.root, slots)))}\n  ) as ${ANSWER}`,
  );
  return { text: explained(text, plan.answer.explain), slots: slots.all() };
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

/**
 * The statement of a call. The function stands in the from clause of what is read of it, so that PostgreSQL may take a
 * function in SQL apart and use indexes; where it must not run twice its rows are kept under a name first.
 */
export function callSql(plan: CallPlan): SqlText {
  const slots = createSlots(showsText(plan.answer));
  const kept = plan.keepRows
    ? `with "${ROWS}" as materialized (\n  select "called".*\n    from ${callSource(plan.call, '"called"', slots)}\n)`
    : null;
  const text = clauses(
    kept,
    answerSelect(plan.answer, { total: totalSql(plan.root, plan.count, slots) }),
    `  from (\n${indent(indent(nodeSql(plan.root, slots)))}\n  ) as ${ANSWER}`,
  );
  return { text: explained(text, plan.answer.explain), slots: slots.all() };
}
