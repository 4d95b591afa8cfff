/**
 * Conditions and keys of keyset pagination. A page reads one range of an index: after a row whose leading value is not
 * null, it ends before the nulls, which another page begins with.
 */
import { joinSql, type Sql, sql } from '../../postgres/sql.js';
import type { OrderTerm } from '../plan/expression.js';
import type { Seek, SeekTerm } from '../plan/read-node.js';
import type { ParameterList } from './sql-text.js';

/** Writes the value of a term of the order. */
export type TermSql = (term: OrderTerm) => Sql;

/** Whether the nulls of a term come first (PostgreSQL manual, 7.5). */
export const nullsFirst = ({ direction, nulls }: OrderTerm): boolean =>
  nulls === null ? direction === 'desc' : nulls === 'first';

/** Returns the condition on the rows of a page; null for the first page. */
export function afterCondition(
  { terms, start }: Seek,
  write: TermSql,
  parameters: ParameterList,
): Sql | null {
  const [leading] = terms;
  if (start === 'first' || leading === undefined) return null;
  const value = write(leading.term);
  if (start === 'rest') return sql`${value} is ${nullsFirst(leading.term) ? sql`not null` : sql`null`}`;
  return rowCondition(terms, 'after', write, parameters);
}

/** Returns the condition on the rows before a page, in the same part of the order; null for the first page. */
export function beforeCondition(
  { terms, start }: Seek,
  write: TermSql,
  parameters: ParameterList,
): Sql | null {
  const [leading] = terms;
  if (start === 'first' || leading === undefined) return null;
  const value = write(leading.term);
  if (start === 'rest') return sql`${value} is ${nullsFirst(leading.term) ? sql`null` : sql`not null`}`;
  return rowCondition(terms, 'upTo', write, parameters);
}

/** `after`: the rows after the row of the cursor. `upTo`: that row and those before it. */
type Side = 'after' | 'upTo';

function rowCondition(
  terms: readonly SeekTerm[],
  side: Side,
  write: TermSql,
  parameters: ParameterList,
): Sql {
  const [leading, ...rest] = terms;
  if (leading === undefined) return sql`true`;
  const whole = rowComparison(terms, side, write, parameters);
  if (whole !== null) return whole;
  const value = write(leading.term);
  if (leading.operand === null) {
    if (rest.length === 0) return side === 'upTo' ? sql`${value} is null` : sql`false`;
    return sql`${value} is null and ${within(rest, side, write, parameters)}`;
  }
  const operand = parameters.place(leading.operand);
  const beyond = sql`${value} ${comparison(leading.term, side)} ${operand}`;
  if (rest.length === 0)
    return side === 'upTo' ? sql`${value} ${comparison(leading.term, side)}= ${operand}` : beyond;
  const bound = sql`${value} ${comparison(leading.term, side)}= ${operand}`;
  return sql`${bound} and (${beyond} or ${value} = ${operand} and ${within(rest, side, write, parameters)})`;
}

/** The condition by the terms after the leading one, among rows with equal leading values. */
function within(terms: readonly SeekTerm[], side: Side, write: TermSql, parameters: ParameterList): Sql {
  const [first, ...rest] = terms;
  if (first === undefined) return side === 'upTo' ? sql`true` : sql`false`;
  const value = write(first.term);
  const nullsBeyond = (side === 'after') !== nullsFirst(first.term);
  const inner = within(rest, side, write, parameters);
  if (first.operand === null) {
    const beyond = nullsBeyond ? sql`` : sql`${value} is not null or `;
    return sql`(${beyond}${value} is null and ${inner})`;
  }
  const operand = parameters.place(first.operand);
  const beyond = sql`${value} ${comparison(first.term, side)} ${operand}`;
  const nulls = first.nullable && nullsBeyond ? sql` or ${value} is null` : sql``;
  return sql`(${beyond}${nulls} or ${value} = ${operand} and ${inner})`;
}

/** One comparison of rows, which one index condition can be: all terms in one direction, without nulls. */
function rowComparison(
  terms: readonly SeekTerm[],
  side: Side,
  write: TermSql,
  parameters: ParameterList,
): Sql | null {
  const [leading] = terms;
  if (leading === undefined) return null;
  const descends = leading.term.direction === 'desc';
  const operands: Sql[] = [];
  for (const { term, nullable, operand } of terms) {
    if (nullable || operand === null || (term.direction === 'desc') !== descends) return null;
    operands.push(parameters.place(operand));
  }
  const values = terms.map(({ term }) => write(term));
  const operator = sql`${comparison(leading.term, side)}${side === 'upTo' ? '=' : ''}`;
  return sql`(${joinSql(values, ', ')}) ${operator} (${joinSql(operands, ', ')})`;
}

const comparison = ({ direction }: OrderTerm, side: Side): Sql =>
  (direction === 'desc') === (side === 'after') ? sql`<` : sql`>`;

/** The order in which the rows before a page are read. */
export const reversed = (term: OrderTerm): OrderTerm => ({
  ...term,
  direction: term.direction === 'desc' ? 'asc' : 'desc',
  nulls: nullsFirst(term) ? 'last' : 'first',
});
