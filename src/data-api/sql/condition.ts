import type { IsKeyword } from '../grammar/ast.js';
import { OPERATORS } from '../grammar/operators.js';
import type {
  AggregateCall,
  Condition,
  OrderTerm,
  Search,
  SelectItem,
  Tested,
  ValueItem,
  Cast,
} from '../plan/expression.js';
import { fieldSql, nameSql } from './field.js';
import { indented, type Lines, prefixed, tailed } from './lines.js';
import type { ParameterList } from './sql-text.js';
import { joinSql, type Sql, sql } from '../../postgres/sql.js';
import { errorFields, PostgresError } from '../../postgres/postgres-error.js';

/** Writes `exists (…)` for the embed with this alias. */
export type RelatedSql = (embed: string) => Lines;

/**
 * Returns a condition as one boolean expression (data API §1.3). Values are parameters whose types PostgreSQL infers.
 */
export function conditionLines(condition: Condition, parameters: ParameterList, related: RelatedSql): Lines {
  switch (condition.kind) {
    case 'logic':
      return logicLines(condition, parameters, related);
    case 'related':
      return condition.negated ? prefixed(sql`not `, related(condition.embed)) : related(condition.embed);
    case 'comparison':
    case 'in':
    case 'is':
    case 'search': {
      const test = testSql(condition, parameters);
      return [condition.negated ? sql`not (${test})` : test];
    }
  }
}

type Logic = Extract<Condition, { kind: 'logic' }>;
type Test = Exclude<Condition, { kind: 'logic' | 'related' }>;

/** Joins terms on one line, unless a term has several lines. */
function logicLines(
  { negated, operator, terms }: Logic,
  parameters: ParameterList,
  related: RelatedSql,
): Lines {
  const not = negated ? 'not ' : '';
  const written = terms.map((term) => conditionLines(term, parameters, related));
  if (written.every((term) => term.length === 1))
    return [sql`${not}(${joinSql(written.flat(), operator === 'and' ? ' and ' : ' or ')})`];
  const joined = written.flatMap((term, index) =>
    index < written.length - 1 ? tailed(term, sql` ${operator}`) : term,
  );
  return [sql`${not}(`, ...indented(joined), sql`)`];
}

function testSql(condition: Test, parameters: ParameterList): Sql {
  const field = testedSql(condition.field, parameters);
  switch (condition.kind) {
    case 'comparison':
      return sql`${field} ${OPERATORS[condition.operator].sql} ${comparedWith(condition, parameters)}`;
    case 'in': {
      const list = parameters.place(condition.operand);
      const { representation } = condition;
      return sql`${field} ${OPERATORS.in.sql} (${representation === null ? list : eachRepresented(nameSql(representation), list)})`;
    }
    case 'is':
      return sql`${field} ${OPERATORS.is.sql} ${KEYWORDS[condition.keyword]}`;
    case 'search': {
      const { vector, query } = searchSql(condition, field, parameters);
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
export function searchSql(
  { isDocument, language, operator, operand }: Search,
  field: Sql,
  parameters: ParameterList,
): { readonly vector: Sql; readonly query: Sql } {
  const configuration = language === null ? '' : sql`${parameters.place(language)}, `;
  return {
    vector: isDocument ? sql`pg_catalog.to_tsvector(${configuration}${field})` : field,
    query: sql`pg_catalog.${OPERATORS[operator].sql}(${configuration}${parameters.place(operand)})`,
  };
}

function comparedWith(condition: Extract<Condition, { kind: 'comparison' }>, parameters: ParameterList): Sql {
  const { quantifier, representation } = condition;
  const value = parameters.place(condition.operand);
  const name = representation === null ? null : nameSql(representation);
  if (quantifier === null) return name === null ? value : sql`${name}(${value}::pg_catalog.text)`;
  return sql`${quantifier} (${name === null ? value : eachRepresented(name, value)})`;
}

const eachRepresented = (representation: Sql, list: Sql): Sql =>
  sql`select ${representation}(pg_catalog.unnest(${list}::pg_catalog.text[]))`;

/** Returns the value that a condition tests. */
const testedSql = (tested: Tested, parameters: ParameterList): Sql =>
  'selected' in tested ? valueSql(tested.selected, parameters) : fieldSql(tested, parameters);

/** Returns the value of an item of the select list. */
export function valueSql(item: ValueItem, parameters: ParameterList): Sql {
  if (item.kind === 'field') return aggregateSql(fieldValue(item, parameters), item.aggregate, parameters);
  return castSql(sql`pg_catalog.count(*)${filterSql(item.filter, parameters)}`, item.cast);
}

/** A selected field before it is aggregated. */
export function fieldValue(item: Extract<SelectItem, { kind: 'field' }>, parameters: ParameterList): Sql {
  const field = fieldSql(item.expression, parameters);
  return castSql(
    item.representation === null ? field : sql`${nameSql(item.representation)}(${field})`,
    item.cast,
  );
}

/** The name is not qualified, like operators: extensions have aggregates of the same names for their types. */
function aggregateSql(value: Sql, aggregate: AggregateCall | null, parameters: ParameterList): Sql {
  if (aggregate === null) return value;
  const { function: name, distinct, filter, cast } = aggregate;
  return castSql(sql`${name}(${distinct ? 'distinct ' : ''}${value})${filterSql(filter, parameters)}`, cast);
}

/** Returns the clause for the rows that an aggregate takes (PostgreSQL manual, 4.2.7). */
function filterSql(filter: Condition | null, parameters: ParameterList): Sql {
  if (filter === null) return sql``;
  return sql` filter (where ${joinSql(conditionLines(filter, parameters, noEmbed), ' ')})`;
}

const noEmbed = (): never => {
  throw new Error('the filter of an aggregate does not depend on embedded resources');
};

/** Returns the value by which a term of an order sorts the rows that have it. */
export function orderedSql({ field, value }: OrderTerm, parameters: ParameterList): Sql {
  switch (value?.kind) {
    case undefined:
      return fieldSql(field, parameters);
    case 'selected':
      return valueSql(value.item, parameters);
    case 'rank': {
      const { vector, query } = searchSql(value.search, fieldSql(field, parameters), parameters);
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
