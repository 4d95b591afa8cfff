import type { IsKeyword } from '../grammar/ast.js';
import { OPERATORS } from '../grammar/operators.js';
import type { Condition } from '../plan/expression.js';
import { fieldSql, nameSql } from './field.js';
import { indented, type Lines, prefixed, tailed } from './lines.js';
import type { ParameterList } from './sql-text.js';
import { joinSql, type Sql, sql } from '../../postgres/sql.js';

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
  const field = fieldSql(condition.field, parameters);
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
      const search = sql`pg_catalog.${OPERATORS[condition.operator].sql}`;
      const language = condition.language === null ? '' : sql`${parameters.place(condition.language)}, `;
      const vector = condition.isDocument ? sql`pg_catalog.to_tsvector(${language}${field})` : field;
      return sql`${vector} @@ ${search}(${language}${parameters.place(condition.operand)})`;
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

function comparedWith(condition: Extract<Condition, { kind: 'comparison' }>, parameters: ParameterList): Sql {
  const { quantifier, representation } = condition;
  const value = parameters.place(condition.operand);
  const name = representation === null ? null : nameSql(representation);
  if (quantifier === null) return name === null ? value : sql`${name}(${value}::pg_catalog.text)`;
  return sql`${quantifier} (${name === null ? value : eachRepresented(name, value)})`;
}

const eachRepresented = (representation: Sql, list: Sql): Sql =>
  sql`select ${representation}(pg_catalog.unnest(${list}::pg_catalog.text[]))`;
