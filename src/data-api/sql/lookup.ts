import { quoteIdentifier, joinSql, type Sql, sql } from '../../postgres/sql.js';
import type { Lookup } from '../plan/sharing.js';
import { ANSWER, rowJson } from './body.js';
import { enclosed, type Lines } from './lines.js';
import { nodeLines } from './node.js';
import type { ParameterList, SqlText } from './sql-text.js';

/** The columns of the row of each lookup. number: which lookup it is, from 1. body: null if there is no row. */
export const LOOKUP_COLUMNS = ['number', 'body'] as const;

/**
 * Returns the statement of several lookups: one row for each. Its parameters are arrays with a value of each lookup, in
 * the order of the keys. The relation is read once for each lookup, by its primary key.
 */
export function lookupSql({ keys, root, alias, form }: Lookup): SqlText {
  const lookup = quoteIdentifier(alias);
  const operands = keys.map(({ operand }) => operand);
  const columnOf = (index: number): Sql => sql`"key_${index + 1}"`;
  const parameters: ParameterList = {
    place: (operand) => sql`${lookup}.${columnOf(operands.indexOf(operand))}`,
    all: () => operands,
    jsonbEmbeds: false,
  };
  const arrays = keys.map(({ type }, index) => sql`pg_catalog.unnest($${index + 1}::pg_catalog.${type}[])`);
  const columns = [...keys.map((_, index) => columnOf(index)), sql`"number"`];
  const lines: Lines = [
    sql`select ${lookup}."number",`,
    sql`       ${form === 'array' ? sql`'[' || ${rowJson}::pg_catalog.text || ']'` : rowJson} as body`,
    sql`  from rows from (${joinSql(arrays, ', ')}) with ordinality as ${lookup} (${joinSql(columns, ', ')})`,
    ...enclosed(sql`  left join lateral `, nodeLines(root, parameters), sql` as ${ANSWER} on true`),
  ];
  return { text: joinSql(lines, '\n'), parameters: operands };
}
