import type { IsKeyword } from '../grammar/ast.js';
import { OPERATORS } from '../grammar/operators.js';
import type {
  AggregateCall,
  Cast,
  Condition,
  Operand,
  OrderTerm,
  Search,
  Seek,
  SeekTerm,
  SelectItem,
  Tested,
  ValueItem,
} from '../plan/expression.js';
import { commas, fieldSql, nameSql, operandSql } from './sql-text.js';
import { block, clauses, hasLines, joinSql, type Sql, sql } from '../../postgres/sql.js';
import { errorFields, PostgresError } from '../../postgres/postgres-error.js';

/** Writes `exists (…)` for the embed with this alias. */
type RelatedSql = (embed: string) => Sql;

/**
 * Returns a condition as one boolean expression (data API §1.3). Values are parameters whose types PostgreSQL infers.
 */
export function conditionSql(condition: Condition, related: RelatedSql): Sql {
  switch (condition.kind) {
    case 'logic':
      return logicSql(condition, related);
    case 'related':
      return sql`${condition.negated ? 'not ' : ''}${related(condition.embed)}`;
    case 'comparison':
    case 'in':
    case 'is':
    case 'search': {
      const test = testSql(condition);
      return condition.negated ? sql`not (${test})` : test;
    }
  }
}

type Logic = Extract<Condition, { kind: 'logic' }>;
type Test = Exclude<Condition, { kind: 'logic' | 'related' }>;

/** Joins terms on one line, unless a term has several lines. */
function logicSql({ negated, operator, terms }: Logic, related: RelatedSql): Sql {
  const not = negated ? 'not ' : '';
  const written = terms.map((term) => conditionSql(term, related));
  if (!written.some(hasLines)) return sql`${not}(${joinSql(written, operator === 'and' ? ' and ' : ' or ')})`;
  const joined = written.map((term, index) => (index < written.length - 1 ? sql`${term} ${operator}` : term));
  return sql`${not}${block(clauses(...joined))}`;
}

function testSql(condition: Test): Sql {
  const field = testedSql(condition.field);
  switch (condition.kind) {
    case 'comparison':
      return sql`${field} ${OPERATORS[condition.operator].sql} ${comparedWith(condition)}`;
    case 'in': {
      const list = operandSql(condition.operand);
      const { representation } = condition;
      return sql`${field} ${OPERATORS.in.sql} (${representation === null ? list : eachRepresented(nameSql(representation), list)})`;
    }
    case 'is':
      return sql`${field} ${OPERATORS.is.sql} ${KEYWORDS[condition.keyword]}`;
    case 'search': {
      const { vector, query } = searchSql(condition, field);
      return sql`${vector} @@ ${query}`;
    }
  }
}

const KEYWORDS: Readonly<Record<IsKeyword, Sql>> = {
  null: sql`null`,
  not_null: sql`not null`,
  true: sql`true`,
  false: sql`false`,
  unknown: sql`unknown`,
};

/** Returns the vector and the query of a text search. */
function searchSql(
  { isDocument, language, operator, operand }: Search,
  field: Sql,
): { readonly vector: Sql; readonly query: Sql } {
  const configuration = language === null ? '' : sql`${operandSql(language)}, `;
  return {
    vector: isDocument ? sql`pg_catalog.to_tsvector(${configuration}${field})` : field,
    query: sql`pg_catalog.${OPERATORS[operator].sql}(${configuration}${operandSql(operand)})`,
  };
}

function comparedWith(condition: Extract<Condition, { kind: 'comparison' }>): Sql {
  const { quantifier, representation } = condition;
  const value = operandSql(condition.operand);
  const name = representation === null ? null : nameSql(representation);
  if (quantifier === null) return name === null ? value : sql`${name}(${value}::pg_catalog.text)`;
  return sql`${quantifier} (${name === null ? value : eachRepresented(name, value)})`;
}

const eachRepresented = (representation: Sql, list: Sql): Sql =>
  sql`select ${representation}(pg_catalog.unnest(${list}::pg_catalog.text[]))`;

/** Returns the value that a condition tests. */
const testedSql = (tested: Tested): Sql =>
  'selected' in tested ? valueSql(tested.selected) : fieldSql(tested);

/** Returns the value of an item of the select list. */
export function valueSql(item: ValueItem): Sql {
  if (item.kind === 'field') return aggregateSql(fieldValue(item), item.aggregate);
  return castSql(sql`pg_catalog.count(*)${filterSql(item.filter)}`, item.cast);
}

/** A selected field before it is aggregated. */
export function fieldValue(item: Extract<SelectItem, { kind: 'field' }>): Sql {
  const field = fieldSql(item.expression);
  return castSql(
    item.representation === null ? field : sql`${nameSql(item.representation)}(${field})`,
    item.cast,
  );
}

/** The name is not qualified, like operators: extensions have aggregates of the same names for their types. */
function aggregateSql(value: Sql, aggregate: AggregateCall | null): Sql {
  if (aggregate === null) return value;
  const { function: name, distinct, filter, cast } = aggregate;
  return castSql(sql`${name}(${distinct ? 'distinct ' : ''}${value})${filterSql(filter)}`, cast);
}

/** Returns the clause for the rows that an aggregate takes (PostgreSQL manual, 4.2.7). */
function filterSql(filter: Condition | null): Sql {
  if (filter === null) return sql``;
  return sql` filter (where ${conditionSql(filter, noEmbed)})`;
}

/** Stands for the embeds of conditions that name none: those of a write, of groups, and of an aggregate's rows. */
export const noEmbed = (): never => {
  throw new Error('a condition without embedded resources names one');
};

/** Returns the conditions on the rows of a write as terms of `where`. */
export const conditionTerms = (conditions: readonly Condition[]): readonly Sql[] =>
  conditions.map((condition) => conditionSql(condition, noEmbed));

/** Returns the value by which a term of an order sorts the rows that have it. */
export function orderedSql({ field, value }: OrderTerm): Sql {
  switch (value?.kind) {
    case undefined:
      return fieldSql(field);
    case 'selected':
      return valueSql(value.item);
    case 'rank': {
      const { vector, query } = searchSql(value.search, fieldSql(field));
      return sql`pg_catalog.ts_rank(${vector}, ${query})`;
    }
  }
}

/**
 * Casts a value to another type.
 * @throws PostgresError 42704, with PostgreSQL's message for a type that does not exist; also for types that exist
 * but that   requests may not cast to, so that the error does not reveal them
 */
function castSql(value: Sql, cast: Cast | null): Sql {
  if (cast === null) return value;
  switch (cast.kind) {
    case 'known':
      return sql`cast(${value} as ${cast.sql})`;
    case 'unknown':
      throw new PostgresError(errorFields('42704', `type "${cast.name}" does not exist`));
  }
}

// Conditions and keys of keyset pagination. A page reads one range of an index: after a row whose leading value is
// not null, it ends before the nulls, which another page begins with.

/** Writes the value of a term of the order. */
export type TermSql = (term: OrderTerm) => Sql;

/** Whether the nulls of a term come first (PostgreSQL manual, 7.5). */
export const nullsFirst = ({ direction, nulls }: OrderTerm): boolean =>
  nulls === null ? direction === 'desc' : nulls === 'first';

/** `after`: the rows of the page, after the row of the cursor. `upTo`: that row and those before it. */
export type Side = 'after' | 'upTo';

/** Returns the condition on the rows of a page, or on those before it in the same part of the order; null for the first page. */
export function pageCondition({ terms, start }: Seek, side: Side, write: TermSql): Sql | null {
  const [leading] = terms;
  if (start === 'first' || leading === undefined) return null;
  if (start === 'row') return rowCondition(terms, side, write);
  return nullTest(leading, write(leading.term), nullsFirst(leading.term) === (side === 'upTo'));
}

function rowCondition(terms: readonly SeekTerm[], side: Side, write: TermSql): Sql {
  const [leading, ...rest] = terms;
  if (leading === undefined) return sql`true`;
  const whole = rowComparison(terms, side, write);
  if (whole !== null) return whole;
  const value = write(leading.term);
  if (leading.operand === null) {
    const isNull = nullTest(leading, value, true);
    if (rest.length === 0) return side === 'upTo' ? isNull : sql`false`;
    return sql`${isNull} and ${within(rest, side, write)}`;
  }
  const operand = placed(leading, leading.operand, value);
  const beyond = sql`${value} ${comparison(leading.term, side)} ${operand}`;
  if (rest.length === 0)
    return side === 'upTo' ? sql`${value} ${comparison(leading.term, side)}= ${operand}` : beyond;
  const bound = sql`${value} ${comparison(leading.term, side)}= ${operand}`;
  return sql`${bound} and (${beyond} or ${value} = ${operand} and ${within(rest, side, write)})`;
}

/** The condition by the terms after the leading one, among rows with equal leading values. */
function within(terms: readonly SeekTerm[], side: Side, write: TermSql): Sql {
  const [first, ...rest] = terms;
  if (first === undefined) return side === 'upTo' ? sql`true` : sql`false`;
  const value = write(first.term);
  const nullsBeyond = (side === 'after') !== nullsFirst(first.term);
  const inner = within(rest, side, write);
  const isNull = nullTest(first, value, true);
  if (first.operand === null) {
    const beyond = nullsBeyond ? sql`` : sql`${nullTest(first, value, false)} or `;
    return sql`(${beyond}${isNull} and ${inner})`;
  }
  const operand = placed(first, first.operand, value);
  const beyond = sql`${value} ${comparison(first.term, side)} ${operand}`;
  const nulls = first.nullable && nullsBeyond ? sql` or ${isNull}` : sql``;
  return sql`(${beyond}${nulls} or ${value} = ${operand} and ${inner})`;
}

/** One comparison of rows, which one index condition can be: all terms in one direction, without nulls. */
function rowComparison(terms: readonly SeekTerm[], side: Side, write: TermSql): Sql | null {
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
    operands.push(placed(each, operand, value));
  }
  const operator = sql`${comparison(leading.term, side)}${side === 'upTo' ? '=' : ''}`;
  return sql`(${commas(values)}) ${operator} (${commas(operands)})`;
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
function placed({ maybeComposite }: SeekTerm, operand: Operand, value: Sql): Sql {
  const parameter = operandSql(operand);
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
