/** The statements of a read whose rows are sent one by one. */
import { joinSql, sql } from '../../postgres/sql.js';
import { type CsvDialect, isCsv, type StreamLine } from '../plan/output.js';
import type { CallPlan, ReadPlan } from '../plan/plan.js';
import { assumedJoins } from './assumed-columns.js';
import { ANSWER, CSV_LINES, CSV_NAMES, rowJson } from './body.js';
import { VALUE } from './call-source.js';
import { enclosed, hang, type Lines, listed } from './lines.js';
import { nodeLines } from './node.js';
import { parameterList, type SqlText } from './sql-text.js';

/**
 * The columns of each row: settings of functions for the response, of which those of the first row are used, and the
 * line.
 */
export const STREAM_COLUMNS = ['response_headers', 'response_status', 'body'] as const;

/** Returns the statement of the rows. A setting is read once, as a sub-select without a reference to the row. */
export function streamSql({ root, assumed }: ReadPlan | CallPlan, line: StreamLine): SqlText {
  const parameters = parameterList(isCsv(line));
  const columns: readonly Lines[] = [
    [sql`(select nullif(pg_catalog.current_setting('response.headers', true), '')) as response_headers`],
    [sql`(select nullif(pg_catalog.current_setting('response.status', true), '')) as response_status`],
    [sql`${lineSql(line)} as body`],
  ];
  const lines = [
    ...listed(sql`select `, columns),
    ...enclosed(sql`  from `, nodeLines(root, parameters), sql` as ${ANSWER}`),
    ...assumedJoins(assumed, parameters),
  ];
  return { text: joinSql(lines, '\n'), parameters: parameters.all() };
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
  const parameters = parameterList(true);
  const named = [
    sql`select ${ANSWER}.*`,
    sql`  from (select) as "one"`,
    ...enclosed(sql`  left join `, nodeLines(root, parameters), sql` as ${ANSWER} on false`),
  ];
  const lines = [
    sql`select (select coalesce(${CSV_NAMES[dialect]}, '')`,
    sql`          from pg_catalog.json_object_keys(pg_catalog.row_to_json("named".*)) as "key") as body`,
    ...hang(sql`  from `, enclosed(sql``, named, sql` as "named"`)),
  ];
  return { text: joinSql(lines, '\n'), parameters: parameters.all() };
}

/** The settings of functions for a response without rows. */
export const RESPONSE_SETTINGS = sql`select pg_catalog.current_setting('response.headers', true) as response_headers,
       pg_catalog.current_setting('response.status', true) as response_status,
       null as body`;
