import type { Explain, Output } from '../plan/output.js';
import type { AssumedColumns } from '../plan/read-node.js';
import { assumedJoins } from './assumed-columns.js';
import { ANSWER, bodyLines } from './body.js';
import { enclosed, hang, type Lines, listed } from './lines.js';
import type { ParameterList, SqlText } from './sql-text.js';
import { joinSql, type Sql, sql } from '../../postgres/sql.js';

/**
 * The columns of a main statement. Each statement has the columns that it needs; the body is last, so that all other
 * values are known before it arrives. page_total: rows of the body. total: rows without limit and offset. inserted:
 * new rows of an upsert. location: key of an inserted row. next, previous: number of rows and key of keyset pagination (`pageColumns`). modified:
 * seconds since 1970 of the last change. refused: see `refusalLines`. cut: see `cutColumn`. response_headers,
 * response_status: settings of functions for the response.
 */
export type MainColumn =
  | 'page_total'
  | 'total'
  | 'inserted'
  | 'location'
  | 'next'
  | 'previous'
  | 'modified'
  | 'refused'
  | 'cut'
  | 'response_headers'
  | 'response_status'
  | 'body';

export interface MainStatement extends SqlText {
  /** In the order of the statement. */
  readonly columns: readonly MainColumn[];
}

/** Columns that only some statements have. */
export type ExtraColumns = Readonly<
  Partial<
    Record<'total' | 'inserted' | 'location' | 'next' | 'previous' | 'modified' | 'refused' | 'cut', Lines>
  >
>;

/** Whether a body of this form contains embedded objects as text. */
export function showsText(output: Output): boolean {
  return output.form.kind === 'csv' || output.form.kind === 'aggregate';
}

/**
 * How the rows of the response are counted. `rows`: without evaluating their values. `values`: with every value
 * evaluated, although none is sent. `one`: a function that returns one value always has one row.
 */
export type PageTotal = 'rows' | 'values' | 'one' | 'one of values';

const COUNT = sql`pg_catalog.count(*)`;
const COUNT_VALUES = sql`pg_catalog.count(${ANSWER}.*)`;

const PAGE_TOTALS: Readonly<Record<PageTotal, Sql>> = {
  rows: COUNT,
  values: COUNT_VALUES,
  one: sql`pg_catalog.num_nonnulls(${COUNT})`,
  'one of values': sql`pg_catalog.num_nonnulls(${COUNT_VALUES})`,
};

/** A from clause that has the rows of "answer" among others. */
export interface Source {
  readonly from: Lines;
}

/**
 * Returns a main statement: counters, response settings and the body, from the rows of "answer".
 * @param head the lines before `select`
 * @param rows the statement whose rows form the body, or what stands in place of it in the from clause
 */
export function mainStatement(
  { output, assumed }: { readonly output: Output; readonly assumed: readonly AssumedColumns[] },
  head: Lines,
  extra: ExtraColumns,
  rows: Lines | Source,
  parameters: ParameterList,
  pageTotal: PageTotal = 'rows',
): MainStatement {
  const columns: (readonly [MainColumn, Lines])[] = [
    ['page_total', [PAGE_TOTALS[pageTotal]]],
    ...present('total', extra.total),
    ...present('inserted', extra.inserted),
    ...present('location', extra.location),
    ...present('next', extra.next),
    ...present('previous', extra.previous),
    ...present('modified', extra.modified),
    ...present('refused', extra.refused),
    ...present('cut', extra.cut),
    ['response_headers', [sql`pg_catalog.current_setting('response.headers', true)`]],
    ['response_status', [sql`pg_catalog.current_setting('response.status', true)`]],
    ['body', bodyLines(output.form, parameters)],
  ];
  const lines = [
    ...explainLines(output.explain),
    ...head,
    ...listed(
      sql`select `,
      columns.map(([name, value]) => [...value.slice(0, -1), sql`${value.at(-1) ?? ''} as ${name}`]),
    ),
    ...('from' in rows ? rows.from : enclosed(sql`  from `, rows, sql` as ${ANSWER}`)),
    ...assumedJoins(assumed, parameters),
  ];
  return { text: joinSql(lines, '\n'), parameters: parameters.all(), columns: columns.map(([name]) => name) };
}

const present = <C extends MainColumn>(
  name: C,
  value: Lines | undefined,
): readonly (readonly [C, Lines])[] => (value === undefined ? [] : [[name, value]]);

/** EXPLAIN with its options (data API §1.13, plan media type). */
function explainLines(explain: Explain | null): Lines {
  if (explain === null) return [];
  return hang(sql`explain `, [
    sql`(${joinSql([...explain.options.map((option) => sql`${option}`), sql`format ${explain.format}`], ', ')})`,
  ]);
}
