/** Lists of related rows that `db-max-rows` cuts: how a statement notices and returns them. */
import { joinSql, type Sql, sql } from '../../postgres/sql.js';
import type { Cut } from '../plan/read-node.js';
import type { ExtraColumns } from './main-statement.js';
import { refusalSql } from './refusal.js';

/** A setting of the transaction, because a list is a value deep within the rows. */
const settingOf = (number: number): Sql => sql`'dbr.cut_${number}'`;

/** Returns an expression that notes a cut list, and is the text of its number, or makes the statement fail. */
export const noticeOf = ({ number, refused }: Cut): Sql =>
  refused
    ? // PostgreSQL evaluates an expression without columns when it plans the statement.
      sql`${refusalSql('cut', sql`(pg_catalog.count(*) * 0 + ${number})`)}::pg_catalog.text`
    : sql`pg_catalog.set_config(${settingOf(number)}, '${number}', true)`;

/** Returns the column with the numbers of the cut lists. It resets the settings for other statements of the transaction. */
export function cutColumn(cuts: readonly Cut[]): ExtraColumns {
  const noted = cuts.filter(({ refused }) => !refused);
  if (noted.length === 0) return {};
  const values = noted.flatMap(({ number }) => [
    sql`nullif(pg_catalog.current_setting(${settingOf(number)}, true), '')`,
    sql`nullif(pg_catalog.set_config(${settingOf(number)}, '', true), '')`,
  ]);
  return { cut: [sql`pg_catalog.concat_ws(',', ${joinSql(values, ', ')})`] };
}
