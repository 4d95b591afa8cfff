import { columnItem, type ReadNode, type Seek, type SelectItem } from '../plan/expression.js';
import {
  type CallPlan,
  type Count,
  type CsvDialect,
  type Dated,
  type ReadPlan,
  type StreamLine,
} from '../plan/plan.js';
import {
  assumedJoins,
  calledRows,
  VALUE,
  ANSWER,
  CSV_LINES,
  CSV_NAMES,
  type ExtraColumns,
  mainStatement,
  type MainStatement,
  type PageTotal,
  rowJson,
  type FromClause,
} from './main-statement.js';
import {
  conditionsOf,
  countedSql,
  cutColumn,
  directionSql,
  nodeSql,
  requiredConditions,
  sourceSql,
  termWriter,
} from './node.js';
import { columnSql, commas, operandSql, ROWS, type SqlText, statementOf, whereSql } from './sql-text.js';
import { outcomeRefusal } from './refusal.js';
import { block, clauses, hung, joinSql, listed, type Sql, sql } from '../../postgres/sql.js';
import { pageCondition, reversed, type Side } from './condition.js';

/** Returns the statement of a read: one value for the whole body, and counts only if requested. */
export function readSql(plan: ReadPlan): MainStatement {
  const extra = {
    ...totalColumn(plan.root, plan.count),
    ...pageColumns(plan.root),
    ...cutColumn(plan.cuts),
    ...(plan.dated === null ? {} : { modified: modifiedColumn(plan.dated) }),
  };
  const rows = plan.dated === null ? nodeSql(plan.root) : datedSource(plan.root, plan.dated);
  return mainStatement(plan, sql``, extra, rows, pageTotalOf(plan));
}

/** The rows with the time of their last change. */
const DATED = 'dated';

/** Returns the time of the latest change in whole seconds; null for no row. */
const modifiedColumn = ({ alias }: Dated): Sql =>
  sql`pg_catalog.floor(pg_catalog.date_part('epoch', pg_catalog.max(${columnSql(DATED, alias)})))`;

/**
 * Returns a from clause with the rows of the body, and the time of the last change of each, which is not a column of the
 * body. PostgreSQL adds the second derived table to the first, so that the rows keep their order.
 */
function datedSource(root: ReadNode, { column, alias, names }: Dated): FromClause {
  const item: SelectItem = { ...columnItem(root.alias, column), name: alias };
  const shown = names.map((name) => columnSql(DATED, name));
  return {
    from: clauses(
      sql`  from ${block(nodeSql({ ...root, select: [...root.select, item] }))} as "${DATED}"`,
      sql` cross join lateral ${block(listed(sql`select `, shown))} as ${ANSWER}`,
    ),
  };
}

/**
 * Returns the statement of a call. The function is in the from clause of the read, so that PostgreSQL can inline a
 * SQL function and use indexes; if it must run only once, its rows are kept in a common table expression.
 */
export function callSql(plan: CallPlan): MainStatement {
  const kept = plan.keepRows ? sql`with "${ROWS}" as materialized ${block(calledRows(plan.call))}` : sql``;
  const refusing = plan.access === 'write' && plan.checks.length > 0;
  const extra = {
    ...totalColumn(plan.root, plan.count),
    ...cutColumn(plan.cuts),
    ...(refusing ? { refused: outcomeRefusal(plan.checks) } : {}),
  };
  return mainStatement(plan, kept, extra, nodeSql(plan.root), pageTotalOf(plan));
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

/**
 * Returns the columns that keyset pagination needs: how many rows follow, up to one more, the key of the last, and whether
 * the rows on both sides of a link have one key, as rows of a view may.
 */
function pageColumns(root: ReadNode): ExtraColumns {
  const { seek, range } = root;
  if (seek === undefined || range.limit === null || range.limit === 0n) return {};
  const { limit } = range;
  const keyAt = (index: bigint): Sql => sql`(pg_catalog.array_agg("key"))[${index}]`;
  const isRepeated = sql`${keyAt(limit)}::pg_catalog.text = ${keyAt(limit + 1n)}::pg_catalog.text`;
  const keys = (side: Side, index: bigint): Sql =>
    block(
      clauses(
        sql`select pg_catalog.json_build_array(pg_catalog.count(*), ${keyAt(index)}, ${isRepeated})`,
        sql`  from ${block(keySql(root, seek, side, limit + 1n))} as "keys"`,
      ),
    );
  return {
    next: keys('after', limit),
    ...(seek.start === 'first' ? {} : { previous: keys('upTo', limit + 1n) }),
  };
}

/** EXPLAIN for the planner's estimate of the total: `Plan Rows` of the top node. */
export const estimateSql = (root: ReadNode): SqlText =>
  statementOf(clauses(sql`explain (format json)`, countedSql(root)));

/**
 * Returns the column of the total, if it is counted. A page that is not full determines the total; nothing else is
 * counted then, because PostgreSQL evaluates only the chosen branch of `case`.
 */
function totalColumn(root: ReadNode, count: Count | null): ExtraColumns {
  if (count === null || count.mode === 'planned') return {};
  const { limit, offset } = root.range;
  if (limit === 0n || root.seek !== undefined || !showsAllRows(root)) return { total: countSql(root, count) };
  if (limit === null && offset === null) return { total: sql`pg_catalog.count(*)` };
  const first = offset === null ? '' : sql` + ${operandSql(offset)}::pg_catalog.int8`;
  const unsure = [
    ...(limit === null ? [] : [sql`pg_catalog.count(*) = ${limit}`]),
    ...(offset === null ? [] : [sql`pg_catalog.count(*) = 0`]),
  ];
  return {
    total: clauses(
      sql`case when ${joinSql(unsure, ' or ')}`,
      sql`  then ${hung(countSql(root, count))}`,
      sql`  else pg_catalog.count(*)${first}`,
      sql`end`,
    ),
  };
}

/**
 * Whether each row of the relation is one row of the page. This is false if rows are grouped, or if a to-one embed
 * may have several rows.
 */
const showsAllRows = (root: ReadNode): boolean =>
  !root.grouped && root.embeds.every((embed) => embed.cardinality === 'many' || embed.unique);

function countSql(root: ReadNode, count: Count): Sql {
  const bound = count.mode === 'estimated' ? sql` limit ${count.threshold + 1n}` : sql``;
  const rows = clauses(countedSql(root), bound);
  return block(clauses(sql`select pg_catalog.count(*)`, sql`  from ${block(rows)} as "counted"`));
}

/** Returns the keys of the rows of a page, or, in the opposite order, of those before it: JSON arrays of texts. */
function keySql(node: ReadNode, seek: Seek, side: Side, limit: bigint): Sql {
  const write = termWriter(node);
  const condition = pageCondition(seek, side, write);
  const terms = seek.terms.map(({ term }) => (side === 'after' ? term : reversed(term)));
  const values = terms.map((term) => sql`(${write(term)})::pg_catalog.text`);
  return clauses(
    sql`select pg_catalog.json_build_array(${commas(values)}) as "key"`,
    sql`  from ${hung(sourceSql(node))}`,
    whereSql([...conditionsOf(node, requiredConditions(node)), ...(condition === null ? [] : [condition])]),
    listed(
      sql` order by `,
      terms.map((term) => sql`${write(term)}${directionSql(term)}`),
    ),
    sql` limit ${limit}`,
  );
}

/**
 * The columns of each row: settings of functions for the response, of which those of the first row are used, and the
 * line.
 */
export const STREAM_COLUMNS = ['response_headers', 'response_status', 'body'] as const;

/** Returns the statement of the rows. A setting is read once, as a sub-select without a reference to the row. */
export function streamSql({ root, assumed }: ReadPlan | CallPlan, line: StreamLine): SqlText {
  const columns = [
    sql`(select nullif(pg_catalog.current_setting('response.headers', true), '')) as response_headers`,
    sql`(select nullif(pg_catalog.current_setting('response.status', true), '')) as response_status`,
    sql`${lineSql(line)} as body`,
  ];
  const from = sql`  from ${block(nodeSql(root))} as ${ANSWER}`;
  return statementOf(clauses(listed(sql`select `, columns), from, assumedJoins(assumed)));
}

function lineSql(line: StreamLine) {
  switch (line) {
    case 'object':
      return rowJson;
    case 'value':
      return sql`coalesce(pg_catalog.to_json(${ANSWER}.${VALUE}), 'null')`;
    case 'csv':
    case 'rfc4180':
      return CSV_LINES[line];
  }
}

/**
 * Returns the statement of the first line of CSV: the names of the columns. It reads no rows, which the condition of the
 * join excludes.
 */
export function streamHeaderSql({ root }: ReadPlan | CallPlan, dialect: CsvDialect): SqlText {
  const named = clauses(
    sql`select ${ANSWER}.*`,
    sql`  from (select) as "one"`,
    sql`  left join ${block(nodeSql(root))} as ${ANSWER} on false`,
  );
  const text = clauses(
    sql`select (select coalesce(${CSV_NAMES[dialect]}, '')`,
    sql`          from pg_catalog.json_object_keys(pg_catalog.row_to_json("named".*)) as "key") as body`,
    sql`  from ${block(named)} as "named"`,
  );
  return statementOf(text);
}

/** The settings of functions for a response without rows. */
export const RESPONSE_SETTINGS = sql`select pg_catalog.current_setting('response.headers', true) as response_headers,
       pg_catalog.current_setting('response.status', true) as response_status,
       null as body`;
