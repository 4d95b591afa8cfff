import type { CallPlan, Count, ReadPlan } from '../plan/plan.js';
import type { ReadNode } from '../plan/read-node.js';
import { callSource } from './call-source.js';
import { enclosed, hang, indented, type Lines } from './lines.js';
import {
  type ExtraColumns,
  mainStatement,
  type MainStatement,
  type PageTotal,
  showsText,
} from './main-statement.js';
import { countedLines, keyLines, nodeLines } from './node.js';
import { refusalLines } from './refusal.js';
import { parameterList, type ParameterList, ROWS, type SqlText } from './sql-text.js';
import { joinSql, sql } from '../../postgres/sql.js';

/** Returns the statement of a read: one value for the whole body, and counts only if requested. */
export function readSql(plan: ReadPlan): MainStatement {
  const parameters = parameterList(showsText(plan.output));
  const extra = {
    ...totalColumn(plan.root, plan.count, parameters),
    ...pageColumns(plan.root, parameters),
  };
  return mainStatement(plan, [], extra, nodeLines(plan.root, parameters), parameters, pageTotalOf(plan));
}

/**
 * Returns the statement of a call. The function is in the from clause of the read, so that PostgreSQL can inline a
 * SQL function and use indexes; if it must run only once, its rows are kept in a common table expression.
 */
export function callSql(plan: CallPlan): MainStatement {
  const parameters = parameterList(showsText(plan.output));
  const kept = plan.keepRows
    ? enclosed(sql`with "${ROWS}" as materialized `, [
        sql`select "called".*`,
        ...hang(sql`  from `, callSource(plan.call, sql`"called"`, parameters)),
      ])
    : [];
  const refusing = plan.access === 'write' && plan.checks.length > 0;
  const extra = {
    ...totalColumn(plan.root, plan.count, parameters),
    ...(refusing ? { refused: refusalLines(plan.checks) } : {}),
  };
  return mainStatement(plan, kept, extra, nodeLines(plan.root, parameters), parameters, pageTotalOf(plan));
}

/**
 * Selects a count for which HEAD fails like GET (RFC 9110 §9.3.2): PostgreSQL does not evaluate unused values, for
 * example a cast that fails or the call of a function.
 */
function pageTotalOf(plan: ReadPlan | CallPlan): PageTotal {
  const needsValues = plan.output.form.kind === 'none' && (plan.kind === 'call' || plan.root.mayFail);
  if (plan.kind === 'call' && !plan.call.many) return needsValues ? 'one of values' : 'one';
  return needsValues ? 'values' : 'rows';
}

/** Returns the columns that keyset pagination needs: how many rows follow, up to one more, and the key of the last. */
function pageColumns(root: ReadNode, parameters: ParameterList): ExtraColumns {
  const { seek, range } = root;
  if (seek === undefined || range.limit === null || range.limit === 0n) return {};
  const { limit } = range;
  const keys = (side: 'page' | 'before', index: bigint): Lines =>
    enclosed(sql``, [
      sql`select pg_catalog.json_build_array(pg_catalog.count(*), (pg_catalog.array_agg("key"))[${index}])`,
      ...enclosed(sql`  from `, keyLines(root, seek, side, limit + 1n, parameters), sql` as "keys"`),
    ]);
  return {
    next: keys('page', limit),
    ...(seek.start === 'first' ? {} : { previous: keys('before', limit + 1n) }),
  };
}

/** EXPLAIN for the planner's estimate of the total: `Plan Rows` of the top node. */
export function estimateSql(root: ReadNode): SqlText {
  const parameters = parameterList();
  const text = joinSql([sql`explain (format json)`, ...countedLines(root, parameters)], '\n');
  return { text, parameters: parameters.all() };
}

/**
 * Returns the column of the total, if it is counted. A page that is not full determines the total; nothing else is
 * counted then, because PostgreSQL evaluates only the chosen branch of `case`.
 */
function totalColumn(root: ReadNode, count: Count | null, parameters: ParameterList): ExtraColumns {
  if (count === null || count.mode === 'planned') return {};
  const { limit, offset } = root.range;
  if (limit === 0n || root.seek !== undefined || !showsAllRows(root))
    return { total: countLines(root, count, parameters) };
  if (limit === null && offset === null) return { total: [sql`pg_catalog.count(*)`] };
  const first = offset === null ? '' : sql` + ${parameters.place(offset)}::pg_catalog.int8`;
  const unsure = [
    ...(limit === null ? [] : [sql`pg_catalog.count(*) = ${limit}`]),
    ...(offset === null ? [] : [sql`pg_catalog.count(*) = 0`]),
  ];
  return {
    total: [
      sql`case when ${joinSql(unsure, ' or ')}`,
      ...indented(hang(sql`then `, countLines(root, count, parameters))),
      sql`  else pg_catalog.count(*)${first}`,
      sql`end`,
    ],
  };
}

/**
 * Whether each row of the relation is one row of the page. This is false if rows are grouped, or if a to-one embed
 * may have several rows.
 */
const showsAllRows = (root: ReadNode): boolean =>
  !root.grouped && root.embeds.every((embed) => embed.cardinality === 'many' || embed.unique);

function countLines(root: ReadNode, count: Count, parameters: ParameterList): Lines {
  const bound = count.mode === 'estimated' ? [sql` limit ${count.threshold + 1n}`] : [];
  const rows = [...countedLines(root, parameters), ...bound];
  return enclosed(sql``, [
    sql`select pg_catalog.count(*)`,
    ...enclosed(sql`  from `, rows, sql` as "counted"`),
  ]);
}
