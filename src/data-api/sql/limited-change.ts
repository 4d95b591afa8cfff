/**
 * The rows of an update or delete with a limit or an offset: a common table expression lists the values that the selected
 * rows have in the columns of the order, and the change finds its rows by them (data API §1.10).
 */
import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { Change, LimitedRows } from '../plan/mutation.js';
import { columnSql } from './field.js';
import { enclosed, type Lines, listed, whereLines } from './lines.js';
import { orderTermSql, rangeClause } from './node.js';
import { refusalSql } from './refusal.js';
import type { ParameterList } from './sql-text.js';

/** Name of the common table expression. */
export const CHOSEN = sql`"chosen"`;

/** Returns the limit of a change; null if it has none, or changes nothing because its body has no columns. */
export function limitOf(change: Change): LimitedRows | null {
  if (change.kind === 'delete') return change.limited;
  return change.kind === 'update' && change.payload.columns.length > 0 ? change.limited : null;
}

/**
 * Returns the common table expression.
 * @param target the relation with its alias
 * @param conditions the filters of the change
 * @param position name of a column that numbers the rows; null if there is none
 */
export function chosenLines(
  limited: LimitedRows,
  target: { readonly sql: Sql; readonly alias: string },
  conditions: readonly Lines[],
  position: string | null,
  parameters: ParameterList,
): Lines {
  const order = orderSql(limited, parameters);
  const columns = orderColumns(limited).map((column) => columnSql(target.alias, column));
  const rows = [
    sql`select ${joinSql(columns, ', ')}`,
    sql`  from ${target.sql}`,
    ...whereLines(conditions),
    ...orderedRange(limited, parameters),
  ];
  const lines = position === null ? rows : numbered(rows, target.alias, order, position);
  return enclosed(sql`${CHOSEN} as `, lines);
}

/**
 * Returns the conditions by which the change finds its rows among those that its filters select. An index finds them by
 * columns that are never null: `is not distinct from` uses none.
 */
export const chosenTerms = (limited: LimitedRows, alias: string): readonly Lines[] =>
  orderColumns(limited).map((column) => {
    const equals = limited.notNull.has(column) ? sql`=` : sql`is not distinct from`;
    return [sql`${columnSql(alias, column)} ${equals} ${CHOSEN}.${quoteIdentifier(column)}`];
  });

/**
 * Returns the refusal of a change where rows that were not selected have the values of selected ones in the columns of the
 * order; null if there are none, apart from those that the check of the limit finds. It reads the rows as they were: a policy
 * or a trigger may keep selected rows from being changed, so that the number of changed rows shows nothing.
 */
export const chosenRefusal = (
  limited: LimitedRows,
  target: { readonly sql: Sql; readonly alias: string },
  conditions: readonly Lines[],
): Lines | null =>
  limited.isTotal && limited.range.offset === null
    ? null
    : enclosed(sql``, [
        sql`select case when pg_catalog.count(*) > (select pg_catalog.count(*) from ${CHOSEN})`,
        sql`         then ${refusalSql('chosen', sql`pg_catalog.count(*)`)}`,
        sql`       end`,
        sql`  from ${target.sql}`,
        ...whereLines([
          enclosed(sql`exists `, [
            sql`select from ${CHOSEN}`,
            ...whereLines(chosenTerms(limited, target.alias)),
          ]),
          ...conditions,
        ]),
      ]);

export const orderedRange = (limited: LimitedRows, parameters: ParameterList): Lines => [
  sql` order by ${orderSql(limited, parameters)}`,
  ...rangeClause(limited.range, parameters),
];

const orderSql = ({ order }: LimitedRows, parameters: ParameterList): Sql =>
  joinSql(
    order.map((term) => orderTermSql(term, parameters)),
    ', ',
  );

const orderColumns = (limited: LimitedRows): readonly string[] => [
  ...new Set(limited.order.map((term) => term.field.column)),
];

/** Numbers the rows in their order after the limit is applied; before the limit, all rows would have to be sorted. */
function numbered(rows: Lines, alias: string, order: Sql, position: string): Lines {
  const relation = quoteIdentifier(alias);
  return [
    ...listed(sql`select `, [
      [sql`${relation}.*`],
      [sql`pg_catalog.row_number() over (order by ${order}) as ${quoteIdentifier(position)}`],
    ]),
    ...enclosed(sql`  from `, rows, sql` as ${relation}`),
  ];
}
