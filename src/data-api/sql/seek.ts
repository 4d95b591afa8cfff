/**
 * Conditions and keys of keyset pagination. A page reads one range of an index: after a row whose leading value is not
 * null, it ends before the nulls, which another page begins with.
 */
import { joinSql, type Sql, sql } from '../../postgres/sql.js';
import type { Operand, OrderTerm } from '../plan/expression.js';
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
  if (start === 'rest') return nullTest(leading, value, !nullsFirst(leading.term));
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
  if (start === 'rest') return nullTest(leading, value, nullsFirst(leading.term));
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
    const isNull = nullTest(leading, value, true);
    if (rest.length === 0) return side === 'upTo' ? isNull : sql`false`;
    return sql`${isNull} and ${within(rest, side, write, parameters)}`;
  }
  const operand = placed(leading, leading.operand, value, parameters);
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
  const isNull = nullTest(first, value, true);
  if (first.operand === null) {
    const beyond = nullsBeyond ? sql`` : sql`${nullTest(first, value, false)} or `;
    return sql`(${beyond}${isNull} and ${inner})`;
  }
  const operand = placed(first, first.operand, value, parameters);
  const beyond = sql`${value} ${comparison(first.term, side)} ${operand}`;
  const nulls = first.nullable && nullsBeyond ? sql` or ${isNull}` : sql``;
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
  const values: Sql[] = [];
  for (const each of terms) {
    const { term, nullable, operand } = each;
    if (nullable || operand === null || (term.direction === 'desc') !== descends) return null;
    const value = write(term);
    values.push(value);
    operands.push(placed(each, operand, value, parameters));
  }
  const operator = sql`${comparison(leading.term, side)}${side === 'upTo' ? '=' : ''}`;
  return sql`(${joinSql(values, ', ')}) ${operator} (${joinSql(operands, ', ')})`;
}

/** A composite value of nulls `is null` and is none, and one with a null is not `is not null` (PostgreSQL manual, 9.2). */
function nullTest({ maybeComposite }: SeekTerm, value: Sql, isNull: boolean): Sql {
  const not = isNull ? sql`not ` : sql``;
  if (maybeComposite) return sql`${value} is ${not}distinct from null`;
  return isNull ? sql`${value} is null` : sql`${value} is not null`;
}

/**
 * Writes the operand of a term. That of a composite type takes the type of the value from a CASE, which PostgreSQL removes
 * before it plans: its name would need the privilege to use its schema, and a comparison alone gives it none (0A000).
 */
function placed({ maybeComposite }: SeekTerm, operand: Operand, value: Sql, parameters: ParameterList): Sql {
  const parameter = parameters.place(operand);
  return maybeComposite ? sql`case when true then ${parameter} else ${value} end` : parameter;
}

const comparison = ({ direction }: OrderTerm, side: Side): Sql =>
  (direction === 'desc') === (side === 'after') ? sql`<` : sql`>`;

/** The order in which the rows before a page are read. */
export const reversed = (term: OrderTerm): OrderTerm => ({
  ...term,
  direction: term.direction === 'desc' ? 'asc' : 'desc',
  nulls: nullsFirst(term) ? 'last' : 'first',
});
